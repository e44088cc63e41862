"""A training loop in plain JAX and Flax NNX: a jitted step with donated state."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def loop(model_file, batches, sizes, settings):
    """Return a function that takes steps and waits for them."""
    model = model_file.build(rngs=nnx.Rngs(0), **sizes)
    model.train()
    graph, params, rest = nnx.split(model, nnx.Param, ...)
    optimizer = optax.sgd(settings["learning_rate"], momentum=settings["momentum"])
    state = [params, rest, optimizer.init(params)]
    placed = [(jnp.asarray(batch.inputs), jnp.asarray(batch.labels)) for batch in batches]

    def loss_of(params, rest, inputs, labels):
        model = nnx.merge(graph, params, rest)
        logits = model(inputs)
        _, _, rest = nnx.split(model, nnx.Param, ...)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), rest

    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(params, rest, velocity, inputs, labels):
        grad = jax.value_and_grad(loss_of, has_aux=True)
        (loss, rest), gradients = grad(params, rest, inputs, labels)
        updates, velocity = optimizer.update(gradients, velocity, params)
        return optax.apply_updates(params, updates), rest, velocity, loss

    def run(steps):
        for number in range(steps):
            *state[:], loss = step(*state, *placed[number % 2])
        jax.block_until_ready((state, loss))

    return run
