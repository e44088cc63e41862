"""A multilayer perceptron in Keras."""

import keras
from keras import layers


def build(features: int, hidden: int, classes: int) -> keras.Model:
    """Return the model: (B, features) to logits (B, classes)."""
    inputs = keras.Input((features,))
    x = layers.Dense(hidden, activation="relu", name="fc1")(inputs)
    x = layers.Dense(hidden, activation="relu", name="fc2")(x)
    logits = layers.Dense(classes, name="fc3")(x)
    return keras.Model(inputs, logits)
