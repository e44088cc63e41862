"""How often the step was traced."""


def traces(program):
    step = program["train_step"]
    return step.experimental_get_tracing_count() if hasattr(step, "experimental_get_tracing_count") else 0
