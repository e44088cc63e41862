import pytest

from trivet import figures
from trivet.model.result import Estimate


@pytest.mark.parametrize(
    ("value", "text"),
    [(5.3e11, "530 GFLOP/s"), (9.4e14, "940 TFLOP/s"), (1.2e15, "1.20 PFLOP/s"), (3.2e7, "32.0 MFLOP/s")],
)
def test_speeds(value, text):
    assert figures.flops(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.512, "51 %"), (0.008, "0.8 %"), (1.12, "112 %")])
def test_shares(value, text):
    estimate = Estimate(value=value, low=None, high=None, n=1, unit="of peak")
    assert figures.share(estimate) == text
    assert figures.share(None) == "-"


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.1e-5, "21.0 µs"), (2.1e-4, "0.210 ms"), (0.0312, "31.2 ms"), (3.12, "3.12 s"), (250.0, "4 min 10 s")],
)
def test_times(value, text):
    assert figures.time(value) == text


@pytest.mark.parametrize(
    ("items", "seconds", "text"),
    [
        (231_050.8, 125.4, "231 000 images, 2 min 05 s"),
        (7260.0, 2.5, "7 260 images, 2.50 s"),
        (0.0, 0.0, "from the start"),
        (None, None, "never"),
        (7260.0, None, "7 260 images"),
    ],
)
def test_break_even(items, seconds, text):
    assert figures.break_even(items, seconds, "images") == text


def test_sizes():
    assert figures.size(412 * 2**20) == "412 MiB"
    assert figures.size(3.21 * 2**30) == "3.21 GiB"
