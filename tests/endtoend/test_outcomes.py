"""A contestant that crashes, hangs, runs out of memory or prints rubbish has its outcome; the others go on."""

import json

import pytest

from trivet_command import trivet


def measured(*contestants: str, **variables: str):
    """Return label -> contestant's result of a quick comparison on linear."""
    result = trivet(
        "compare", "linear", "-c", ",".join(contestants), "--quick", "--format", "json", **variables
    )
    assert result.returncode == 0, result.stderr
    shown = json.loads(result.stdout)
    return {one["contestant"]: one for one in shown["workloads"][0]["contestants"]}


@pytest.fixture(scope="module")
def outcomes():
    return measured("numpy:plain", "numpy:crash", "numpy:ended", "numpy:greedy", "numpy:garbage")


@pytest.mark.parametrize("label", ["numpy:plain", "numpy:garbage"])
def test_the_sound_ones_go_on(outcomes, label):
    # "disturbed" where other work used the machine: the guard's business, not this test's.
    assert outcomes[label]["status"] in ("measured", "disturbed")
    assert outcomes[label]["startup_cold"]["value"] > 0
    assert outcomes[label]["parity"]["equal"] is True


@pytest.mark.parametrize(
    ("label", "status", "words"),
    [
        ("numpy:crash", "failed", "SIGSEGV"),
        ("numpy:ended", "failed", "ended"),
        ("numpy:greedy", "out_of_memory", "memory"),
    ],
)
def test_the_others_say_why(outcomes, label, status, words):
    assert outcomes[label]["status"] == status
    assert words.lower() in outcomes[label]["reason"].lower()
    assert outcomes[label]["log"].startswith("logs/")


def test_a_workload_without_a_native_model_is_unsupported():
    result = trivet("compare", "resnet18", "-c", "numpy:plain", "--quick", "--format", "json")
    assert result.returncode == 3
    shown = json.loads(result.stdout)["workloads"][0]["contestants"][0]
    assert shown["status"] == "unsupported"
    assert "model_numpy.py" in shown["reason"]
