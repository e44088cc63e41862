"""How often the step was compiled."""


def traces(program):
    step = program["train_step"]
    return step.jitted_fn._cache_size() if hasattr(step, "jitted_fn") else 0
