import pytest

from trivet.ease.code import count, of_workload
from trivet.errors import UsageError

SOURCE = '''"""A docstring
over two lines."""

import json
import torch
import torch.nn.functional as F
from torch import nn
import numpy as np

LIMIT = 3
"""What it is."""


class Net(nn.Module):  # a comment
    """One line."""

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # a comment
        with torch.autograd.profiler.profile():
            text = """not
            a docstring"""
            return F.relu(
                nn.Linear(1, 2)(np.asarray(x))
            )
'''


def test_counts_by_hand():
    counted = count({"net.py": SOURCE})
    assert counted.lines == 15
    assert counted.symbols == (
        "torch.Tensor",
        "torch.autograd.profiler.profile",
        "torch.nn.Linear",
        "torch.nn.Module",
        "torch.nn.functional.relu",
        "torch.no_grad",
    )
    assert counted.concepts == (
        "base class torch.nn",
        "call torch.nn",
        "call torch.nn.functional",
        "context manager torch.autograd.profiler",
        "decorator torch",
        "name torch",
    )


def test_what_several_files_use_counts_once():
    one = count({"a.py": SOURCE})
    two = count({"a.py": SOURCE, "b.py": SOURCE})
    assert two.lines == 2 * one.lines
    assert (two.symbols, two.concepts) == (one.symbols, one.concepts)


def test_a_file_that_is_not_python_is_named():
    with pytest.raises(UsageError, match=r"bad\.py, line 1"):
        count({"bad.py": "def ("})


@pytest.mark.parametrize("workload", ["mlp", "resnet18"])
def test_every_framework_is_counted(workload):
    counts = of_workload(workload)
    assert set(counts) >= {"torch", "tensorflow", "jax"}
    for framework, own in (("torch", "torch"), ("tensorflow", "keras"), ("jax", "flax")):
        assert counts[framework].lines > 5
        assert any(symbol.startswith(f"{own}.") for symbol in counts[framework].symbols)
        assert not any(symbol.startswith(("numpy", "trivet")) for symbol in counts[framework].symbols)
