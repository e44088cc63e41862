"""A training loop from scratch, after Keras' guide "Writing a training loop from scratch in TensorFlow"."""

import time

import data
import keras
import tensorflow as tf
from model import Net

loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


# VARIANT
def train_step(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def evaluate(model, images, labels):
    logits = model(images, training=False)
    loss = loss_fn(labels, logits)
    correct = tf.reduce_mean(keras.metrics.sparse_categorical_accuracy(labels, logits))
    return loss, correct


def main():
    keras.utils.set_random_seed(0)
    train_images, train_labels, test_images, test_labels = data.load()
    model = Net(data.HIDDEN, data.CLASSES)
    optimizer = keras.optimizers.SGD(learning_rate=0.1)

    print("training")
    for images, labels in data.batches(train_images, train_labels):
        started = time.perf_counter()
        loss = train_step(model, optimizer, tf.constant(images), tf.constant(labels))
        print(f"loss {float(loss):.6f} in {1000 * (time.perf_counter() - started):.2f} ms")

    loss, correct = evaluate(model, tf.constant(test_images), tf.constant(test_labels))
    print(f"held out: loss {float(loss):.6f}, correct {float(correct):.4f}")


if __name__ == "__main__":
    main()
