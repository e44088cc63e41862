"""How often the step was compiled."""

from torch._dynamo.utils import counters


def traces(program):
    return counters["stats"]["unique_graphs"]
