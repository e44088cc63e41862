import numpy as np
import pytest

from trivet_worker.rules import rates
from trivet_worker.rules.cross_entropy import Replay


def _smoothing(loss_of, shape=(8,)):
    generator = np.random.default_rng(0)
    replay = Replay()
    for _ in range(4):
        logits, labels = generator.normal(size=(*shape, 5)), generator.integers(0, 5, shape, dtype=np.int32)
        shares = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        replay.step(loss_of(np.log(shares), np.eye(5)[labels]), logits, labels)
    return replay.smoothing()


def _smoothed(share):
    return lambda logs, targets: -((targets * (1 - share) + share / 5) * logs).sum(axis=-1).mean()


@pytest.mark.parametrize("shape", [(8,), (4, 6)])
def test_the_smoothing_is_found(shape):
    assert _smoothing(_smoothed(0.1), shape) == pytest.approx(0.1)
    assert _smoothing(_smoothed(0.0), shape) == 0.0


def test_another_loss_is_not_called_smoothed():
    assert _smoothing(lambda logs, targets: -(targets * logs).sum()) is None
    assert _smoothing(lambda logs, targets: float("nan")) is None


def test_rates_of_a_schedule_and_its_mistakes():
    right = rates.scheduled(0.5, [2, 3], 0.5, 5)
    assert right == [0.5, 0.5, 0.25, 0.125, 0.125]
    assert rates.mistaken(right) == {
        "late": [0.5, 0.5, 0.5, 0.25, 0.125],
        "early": [0.5, 0.25, 0.125, 0.125, 0.125],
        "unchanged": [0.5] * 5,
    }
    assert rates.mistaken([0.5, 0.5]) == {}
