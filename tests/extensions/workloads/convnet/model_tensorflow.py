"""A small convolutional network in Keras."""

import keras
from keras import layers


def build(image: int, width: int, hidden: int, classes: int) -> keras.Model:
    """Return the model: images (B, H, W, 3) to logits (B, classes)."""
    inputs = keras.Input((image, image, 3))
    x = layers.Conv2D(width, 3, padding="same", activation="relu", name="conv")(inputs)
    x = layers.AveragePooling2D(3, strides=1, padding="same", name="pool")(x)
    x = layers.Flatten(name="flatten")(x)
    x = layers.Dense(hidden, activation="relu", name="fc1")(x)
    x = layers.Dropout(0.0, name="dropout")(x)
    logits = layers.Dense(classes, name="fc2")(x)
    return keras.Model(inputs, logits)
