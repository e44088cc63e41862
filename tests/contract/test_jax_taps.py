"""Taps inside of JAX's own control flow: they only locate a difference, so they fail nobody."""

from __future__ import annotations

import os
import subprocess

import pytest

_PROGRAM = """
import jax
import jax.numpy as jnp
from flax import nnx
from trivet_worker.frameworks.jax import taps


class Model(nnx.Module):
    def __init__(self, rngs):
        self.fc1 = nnx.Linear(4, 4, rngs=rngs)
        self.fc2 = nnx.Linear(4, 4, rngs=rngs)
        self.fc3 = nnx.Linear(4, 2, rngs=rngs)

    def __call__(self, x):
        x = self.fc1(x)
        return self.fc3({inside})


model = Model(nnx.Rngs(0))
x = jnp.ones((3, 4))
found = taps.record(model, x)
print(*(tap.layer for tap in found))
assert all(tap.output.shape[0] == 3 for tap in found)
assert found[-1].output.tolist() == model(x).tolist()
"""

_CONTROL_FLOW = {
    "cond": "jax.lax.cond(x.sum() > 0, lambda z: nnx.softmax(self.fc2(z)), lambda z: nnx.gelu(z), x)",
    "scan": "jax.lax.scan(lambda z, _: (nnx.gelu(self.fc2(z)), None), x, None, length=2)[0]",
    "while": "jax.lax.while_loop(lambda s: s[0] < 2, lambda s: (s[0] + 1, self.fc2(s[1])), (0, x))[1]",
    "remat": "jax.checkpoint(lambda z: self.fc2(z))(x)",
    "vmap": "jax.vmap(lambda z: self.fc2(z))(x)",
    "jit": "jax.jit(lambda z: self.fc2(z))(x)",
}


@pytest.mark.real
@pytest.mark.parametrize("name", list(_CONTROL_FLOW))
def test_a_layer_inside_of_control_flow_is_left_out_and_fails_nobody(staged, interpreter, name):
    done = subprocess.run(
        [interpreter("jax"), "-c", _PROGRAM.replace("{inside}", _CONTROL_FLOW[name])],
        env=os.environ | {"PYTHONPATH": str(staged)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["fc1", "fc3"]
