"""A training loop in Flax Linen with `TrainState`, after Flax' guides "Batch normalization" and "Dropout"."""

import time

import data
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state
from model import Net


class TrainState(train_state.TrainState):
    batch_stats: dict
    key: jax.Array


def create_state(model, key):
    params_key, dropout_key = jax.random.split(key)
    variables = model.init(params_key, jnp.zeros((1, data.FEATURES)), train=False)
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        key=dropout_key,
        tx=optax.sgd(0.1),
    )


# VARIANT
def train_step(state, images, labels):
    dropout_key = jax.random.fold_in(state.key, state.step)

    def loss_fn(params):
        logits, updates = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            images,
            train=True,
            rngs={"dropout": dropout_key},
            mutable=["batch_stats"],
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
        return loss, updates

    (loss, updates), gradients = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=gradients, batch_stats=updates["batch_stats"])
    return state, loss


def evaluate(state, images, labels):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, images, train=False)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    correct = (logits.argmax(axis=1) == labels).mean()
    return loss, correct


def main():
    train_images, train_labels, test_images, test_labels = data.load()
    state = create_state(Net(data.HIDDEN, data.CLASSES), jax.random.key(0))

    print("training")
    for images, labels in data.batches(train_images, train_labels):
        started = time.perf_counter()
        state, loss = train_step(state, jnp.asarray(images), jnp.asarray(labels))
        print(f"loss {loss:.6f} in {1000 * (time.perf_counter() - started):.2f} ms")

    loss, correct = evaluate(state, jnp.asarray(test_images), jnp.asarray(test_labels))
    print(f"held out: loss {loss:.6f}, correct {correct:.4f}")


if __name__ == "__main__":
    main()
