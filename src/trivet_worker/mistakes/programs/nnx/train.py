"""The training loop of Flax' "MNIST tutorial": an NNX module, an NNX optimizer, optax."""

import time

import data
import jax.numpy as jnp
import optax
from flax import nnx
from model import Net


def loss_fn(model, images, labels):
    logits = model(images)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss


# VARIANT
def train_step(model, optimizer, images, labels):
    loss, gradients = nnx.value_and_grad(loss_fn)(model, images, labels)
    optimizer.update(model, gradients)
    return loss


def evaluate(model, images, labels):
    model.eval()
    logits = model(images)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    correct = (logits.argmax(axis=1) == labels).mean()
    return loss, correct


def main():
    train_images, train_labels, test_images, test_labels = data.load()
    model = Net(data.FEATURES, data.HIDDEN, data.CLASSES, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)

    print("training")
    model.train()
    for images, labels in data.batches(train_images, train_labels):
        started = time.perf_counter()
        loss = train_step(model, optimizer, jnp.asarray(images), jnp.asarray(labels))
        print(f"loss {loss:.6f} in {1000 * (time.perf_counter() - started):.2f} ms")

    loss, correct = evaluate(model, jnp.asarray(test_images), jnp.asarray(test_labels))
    print(f"held out: loss {loss:.6f}, correct {correct:.4f}")


if __name__ == "__main__":
    main()
