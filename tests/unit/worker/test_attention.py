import numpy as np
import pytest

from trivet_worker import attention


def _attributes(offset, scale=1.0, dtype="float64"):
    scores = scale * np.random.default_rng(0).normal(size=(2, 3, 5, 5))
    hidden = np.where(np.tril(np.ones((5, 5), bool), offset), scores, -np.inf)
    shares = np.exp(hidden)
    return attention.attributes(hidden, shares / shares.sum(axis=-1, keepdims=True), dtype)


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_how_far_ahead_a_position_looks(offset):
    assert _attributes(offset)["lookahead"] == offset


def test_hidden_scores_do_not_count():
    assert _attributes(0, scale=2.0)["scores"] == pytest.approx(2 * _attributes(0)["scores"])
    assert _attributes(0)["dtype"] == "float64"
