"""A training loop in plain TensorFlow: a custom step under tf.function."""

from __future__ import annotations

import keras
import tensorflow as tf


def loop(model_file, batches, sizes, settings):
    """Return a function that takes steps and waits for them."""
    model = model_file.build(**sizes)
    optimizer = keras.optimizers.SGD(settings["learning_rate"], momentum=settings["momentum"])
    placed = [(tf.constant(batch.inputs), tf.constant(batch.labels, tf.int64)) for batch in batches]

    @tf.function
    def step(inputs, labels):
        with tf.GradientTape() as tape:
            logits = model(inputs, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    # As trivet calls it: no matching of signatures at each step.
    concrete = step.get_concrete_function(*placed[0])

    def run(steps):
        for number in range(steps):
            loss = concrete(*placed[number % 2])
        return loss.numpy()

    return run
