"""How often the step was compiled."""


def traces(program):
    return program["train_step"]._cache_size()
