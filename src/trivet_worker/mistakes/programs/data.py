"""Made-up digits: 784 pixels, ten classes; ten batches of 48 to learn from, 200 digits held out."""

import numpy as np

FEATURES, HIDDEN, CLASSES = 784, 64, 10
BATCH, STEPS, HELD_OUT = 48, 10, 200


def load():
    """Return images (rows, 784) and labels (rows,) to train on, and the same of those held out."""
    generator = np.random.default_rng(0)
    rows = BATCH * STEPS + HELD_OUT
    labels = generator.integers(0, CLASSES, rows)
    means = generator.standard_normal((CLASSES, FEATURES))
    images = 0.2 * means[labels] + generator.standard_normal((rows, FEATURES))
    images = images.astype(np.float32)
    train_images, train_labels = images[:-HELD_OUT], labels[:-HELD_OUT]
    return train_images, train_labels, images[-HELD_OUT:], labels[-HELD_OUT:]


def batches(images, labels):
    """Yield the batches of one pass, in order."""
    for start in range(0, len(images), BATCH):
        yield images[start : start + BATCH], labels[start : start + BATCH]
