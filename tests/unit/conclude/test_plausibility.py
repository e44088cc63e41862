"""Each flag is raised by what it is there for, and by nothing else."""

import dataclasses
import math

import pytest

from made_up import made_up_generation, made_up_run
from trivet.conclude import conclude, plausibility
from trivet.conclude.words import flag_lines, peak_line
from trivet.model.measurement import Block, Generation, PeakReading, Placement
from trivet.model.result import FLAGS, Estimate, Peak
from trivet.store.events import Measured, Peaked
from trivet.store.run import Run

LABEL = "jax:jit"
PEAK = Peak(flops_per_second=500e9, framework="torch", operation="convolution", precision="float32")
SOUND = Placement(devices=("cpu",), parameters=("float32",), compute=("float32",))


def estimate(value: float, unit: str = "") -> Estimate:
    return Estimate(value=value, low=None, high=None, n=1, unit=unit)


def generation(steps: int, seconds: float, *, per_second: float = 100.0, number: int = 0) -> Generation:
    """Return one whose slices are of about a second, after a warm-up with a given last block."""
    plain = made_up_generation({LABEL: per_second}, number=number, process_sd=0.0, noise_sd=0.0)
    return dataclasses.replace(plain, blocks={LABEL: Block(steps=steps, seconds=seconds)})


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ([2.0, 1.9, 1.8, 0.5], None),
        ([2.0, math.inf, math.nan, math.nan], "at step 2, in 1 of 2"),
        ([2.0, 1.9, 1.8, math.nan], "while it was timed, in 1 of 2"),
    ],
)
def test_a_loss_that_is_not_finite_in_any_generation(losses, words):
    sound = dataclasses.replace(generation(40, 0.4), losses={LABEL: [2.0, 1.9, 1.8, 0.5]})
    flag = plausibility.not_finite(LABEL, [sound, dataclasses.replace(sound, losses={LABEL: losses})])
    assert (flag is None) == (words is None)
    if words:
        assert flag.code == "not_finite"
        assert words in flag.message


def test_over_peak():
    assert plausibility.over_peak(estimate(0.99), PEAK) is None
    assert plausibility.over_peak(None, PEAK) is None
    flag = plausibility.over_peak(estimate(1.12), PEAK)
    assert flag.code == "over_peak"
    assert "112%" in flag.message
    assert "500 GFLOP/s" in flag.message


@pytest.mark.parametrize("seconds", [0.36, 0.40, 0.44])
def test_time_that_grows_with_steps_is_plausible(seconds):
    """Blocks of sound contestants were seen to differ from slices by a tenth per step."""
    assert plausibility.not_linear(LABEL, [generation(40, seconds)] * 3) is None


def test_a_constant_on_top_is_not_linear():
    flag = plausibility.not_linear(LABEL, [generation(20, 0.4)] * 3)
    assert flag.code == "not_linear"
    assert "20 steps took 0.400 s, 100 steps 1.00 s" in flag.message
    assert "25%" in flag.message


def test_later_steps_that_take_longer_are_not_linear():
    assert plausibility.not_linear(LABEL, [generation(40, 0.2)] * 3).code == "not_linear"


def test_most_generations_decide():
    odd, sound = generation(20, 0.4), generation(40, 0.4)
    assert plausibility.not_linear(LABEL, [odd, sound, sound]) is None
    assert plausibility.not_linear(LABEL, [odd, odd, sound]) is not None


def test_without_a_block_or_clean_slices_nothing_is_said():
    assert plausibility.not_linear(LABEL, [made_up_generation({LABEL: 100.0})]) is None
    odd = generation(20, 0.4)
    assert plausibility.not_linear("torch:eager", [odd]) is None
    spoiled = tuple(dataclasses.replace(taken, clean=False) for taken in odd.slices)
    assert plausibility.not_linear(LABEL, [dataclasses.replace(odd, slices=spoiled)]) is None


def test_wrong_device():
    assert plausibility.wrong_device(SOUND, "cpu") is None
    assert plausibility.wrong_device(None, "cuda") is None
    flag = plausibility.wrong_device(SOUND, "cuda")
    assert flag.code == "wrong_device"
    assert "on cpu; cuda was asked for" in flag.message
    both = dataclasses.replace(SOUND, devices=("cpu", "cuda"))
    assert "cpu and cuda" in plausibility.wrong_device(both, "cuda").message


@pytest.mark.parametrize(
    ("precision", "parameters", "compute", "plausible"),
    [
        ("float32", "float32", "float32", True),
        ("tf32", "float32", "float32", True),
        ("bfloat16", "float32", "bfloat16", True),
        ("float32", "float64", "float64", False),
        ("float32", "float32", "bfloat16", False),
        ("bfloat16", "float32", "float32", False),
        ("bfloat16", "bfloat16", "bfloat16", False),
    ],
)
def test_wrong_dtype(precision, parameters, compute, plausible):
    placement = Placement(devices=("cpu",), parameters=(parameters,), compute=(compute,))
    flag = plausibility.wrong_dtype(placement, precision)
    assert (flag is None) == plausible
    if flag is not None:
        assert flag.code == "wrong_dtype"
        assert parameters in flag.message
        assert compute in flag.message
    assert plausibility.wrong_dtype(None, precision) is None


def test_a_product_in_two_precisions_is_wrong_and_a_model_without_products_is_not():
    mixed = dataclasses.replace(SOUND, compute=("bfloat16", "float32"))
    assert plausibility.wrong_dtype(mixed, "bfloat16") is not None
    assert plausibility.wrong_dtype(dataclasses.replace(SOUND, compute=()), "bfloat16") is None


GIB = 2**30


@pytest.mark.parametrize(
    ("counters", "plausible"),
    [
        ({"live_peak_bytes": 9.0, "pool_bytes": 12.0}, True),
        ({"live_peak_bytes": 9.0, "pool_bytes": 60.0}, False),
        ({"live_peak_bytes": 58.5, "pool_bytes": 60.0}, True),
        ({"live_peak_bytes": 9.0, "footprint_bytes": 60.5}, False),
        ({"pool_bytes": 60.0}, False),
        ({"host_peak_bytes": 60.0}, True),
    ],
)
def test_preallocated(counters, plausible):
    memory = {name: estimate(size * GIB, "bytes") for name, size in counters.items()}
    flag = plausibility.preallocated(memory, 80 * GIB)
    assert (flag is None) == plausible
    if flag is not None:
        assert flag.code == "preallocated"
        assert "75%" in flag.message or "76%" in flag.message
    assert plausibility.preallocated(memory, None) is None


@pytest.mark.parametrize(
    ("speed", "batch", "flops", "plausible"),
    [
        (36_000, 256, 9.5e6, True),  # the mlp: 7 ms
        (1_000_000, 256, 31e3, False),  # the linear model: 0.26 ms
        (10_000, 100, 1e5, False),  # 10 ms, for work of 20 µs
        (20, 8, 24e9, True),
        (100_000, 10, None, False),
        (1_000, 10, None, True),
    ],
)
def test_overhead_bound(speed, batch, flops, plausible):
    used = None if flops is None else estimate(speed * flops / PEAK.flops_per_second)
    flag = plausibility.overhead_bound(estimate(speed), batch, used, flops, PEAK)
    assert (flag is None) == plausible
    if flag is not None:
        assert flag.code == "overhead_bound"
        assert "A step takes" in flag.message
    assert plausibility.overhead_bound(None, batch, None, flops, PEAK) is None


def test_recompiles_are_counted_and_named():
    one = made_up_generation({LABEL: 100.0})
    assert plausibility.recompiles(LABEL, [one]) is None
    first = dataclasses.replace(
        one, compilations={LABEL: {"forward (shape changed)": 2}, "torch:eager": {"x": 9}}
    )
    second = dataclasses.replace(one, compilations={LABEL: {"forward (shape changed)": 1, "predict": 1}})
    flag = plausibility.recompiles(LABEL, [first, second])
    assert flag.code == "recompiles"
    assert "4 times" in flag.message
    assert "forward (shape changed) (3), predict (1)" in flag.message


def test_a_sound_run_has_no_flags_and_a_planted_fault_has_its_own(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], generations=3, flops_per_item=9.5e6)
    assert [one.flags for one in conclude(run).workloads[0].contestants] == [()] * 5
    last = run.generations("mlp")[-1]
    with Run.open(run.folder, writable=True) as more:
        wrong = Placement(devices=("cuda",), parameters=("float64",), compute=("float64",))
        more.append(
            Measured(
                generation=dataclasses.replace(
                    last, placements={LABEL: wrong}, compilations={"torch:compile": {"forward": 1}}
                )
            )
        )
        more.append(
            Peaked(
                reading=PeakReading(
                    framework="jax",
                    version="0.10.2",
                    precision="float32",
                    device="cpu",
                    operations={"matrix product 2048": 300e9},
                )
            )
        )
    (workload,) = conclude(Run.open(run.folder)).workloads
    found = {one.contestant: [flag.code for flag in one.flags] for one in workload.contestants}
    assert found == {
        "torch:eager": [],
        "torch:compile": ["recompiles"],
        "tensorflow:graph": [],
        "tensorflow:xla": ["over_peak"] if 256 * 133 * 9.5e6 > 300e9 else [],
        "jax:jit": ["over_peak", "wrong_device", "wrong_dtype"],
    }
    assert {code for codes in found.values() for code in codes} <= set(FLAGS)
    assert len(flag_lines(workload)) == sum(map(len, found.values()))
    assert "jax:jit 122 %?" in peak_line(workload) or "jax:jit 12" in peak_line(workload)


def test_contestants_with_the_same_message_share_a_line(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], generations=3)
    with Run.open(run.folder, writable=True) as more:
        wrong = dataclasses.replace(SOUND, devices=("cuda",))
        last = run.generations("mlp")[-1]
        placements = {"torch:eager": wrong, "torch:compile": wrong, "jax:jit": SOUND}
        more.append(Measured(generation=dataclasses.replace(last, placements=placements)))
    lines = flag_lines(conclude(more).workloads[0])
    assert lines == ["torch:eager, torch:compile: Its parameters are on cuda; cpu was asked for."]


@pytest.mark.parametrize(
    ("end", "device", "found"),
    [
        ([2.0, 1.9, 1.8], "cpu", None),
        ([2.0001, 1.9, 1.8], "cpu", None),
        ([2.001, 1.9, 1.8], "cpu", "2.001 after 2 at step 1"),
        ([2.0, 1.9, 1.803], "cpu", "1.803 after 1.8 at step 3"),
        ([2.0, 1.9, 1.803], "cuda", None),
        ([2.0, 1.6, 1.8], "cuda", "1.6 after 1.9 at step 2"),
        ([2.0, math.nan, 1.8], "cpu", "nan after 1.9 at step 2"),
    ],
)
def test_other_losses_at_the_end_than_at_the_start(tmp_path, end, device, found):
    plain = made_up_generation({LABEL: 100.0}, losses={LABEL: [2.0, 1.9, 1.8, 0.5]})
    one = conclude(made_up_run(tmp_path, speeds={LABEL: 100.0})).workloads[0].contestants[0]
    flag = plausibility.changed_behaviour(
        one, [plain, dataclasses.replace(plain, repeated={LABEL: end})], device
    )
    assert (flag is None) == (found is None)
    if found:
        assert flag.code == "changed_behaviour"
        assert found in flag.message
    unequal = dataclasses.replace(one, parity={**one.parity, "equal": False})
    assert (
        plausibility.changed_behaviour(
            unequal, [dataclasses.replace(plain, repeated={LABEL: [9.0] * 3})], "cpu"
        )
        is None
    )


def test_a_clock_that_is_not_the_machines_is_named_as_the_reason(tmp_path):
    run = made_up_run(tmp_path, workloads=["mlp"], generations=0, finished=False)
    for number in range(3):
        plain = made_up_generation({LABEL: 100.0, "torch:eager": 50.0}, number=number, disturbed=[LABEL])
        with Run.open(run.folder, writable=True) as opened:
            opened.append(Measured(generation=dataclasses.replace(plain, clocks={LABEL: (0.4, 1.2)})))
    run = Run.open(run.folder)
    one = next(one for one in conclude(run).workloads[0].contestants if one.contestant == LABEL)
    assert one.status == "disturbed"
    assert "told of 0.400 s" in one.reason
    assert "1.20 s passed here, in 3 of 3 generations" in one.reason
    assert "clock" in [flag.code for flag in one.flags]
    other = next(one for one in conclude(run).workloads[0].contestants if one.contestant == "torch:eager")
    assert "clock" not in [flag.code for flag in other.flags]
