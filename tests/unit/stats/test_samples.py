import dataclasses

import numpy as np

from made_up import made_up_generation
from trivet.model.measurement import Slice
from trivet.stats.samples import collect

SPEEDS = {"torch:eager": 20.0, "jax:jit": 30.0}


def test_log_step_times_by_generation_round_and_contestant() -> None:
    generations = [made_up_generation(SPEEDS, number=number, process_sd=0, noise_sd=0) for number in range(2)]
    samples = collect(generations, ["torch:eager", "jax:jit"])
    assert samples.log_seconds.shape == (2, 3, 2)
    np.testing.assert_allclose(np.exp(-samples.log_seconds[1, 2]), [20.0, 30.0])


def test_rejected_slices_do_not_count_and_too_few_rounds_void_the_generation() -> None:
    generations = [
        made_up_generation(SPEEDS, number=0),
        made_up_generation(SPEEDS, number=1, disturbed=["torch:eager"]),
    ]
    samples = collect(generations, list(SPEEDS))
    assert samples.counted("torch:eager") == 1
    assert samples.counted("jax:jit") == 2
    assert np.isnan(samples.log_seconds[1, :, 0]).all()


def test_of_a_repeated_round_the_last_attempt_counts() -> None:
    generation = made_up_generation(SPEEDS, process_sd=0, noise_sd=0)
    again = Slice(
        contestant="jax:jit",
        round=1,
        steps=10,
        seconds=1.0,
        started=99.0,
        foreign_share=0.0,
        steal_share=0.0,
        clean=True,
    )
    samples = collect([dataclasses.replace(generation, slices=(*generation.slices, again))], ["jax:jit"])
    np.testing.assert_allclose(np.exp(-samples.log_seconds[0, :, 0]), [30.0, 10.0, 30.0])


def test_a_contestant_without_slices_stays_empty() -> None:
    samples = collect([made_up_generation(SPEEDS)], ["torch:eager", "torch:compile"])
    assert samples.counted("torch:compile") == 0
