"""Logistic regression in Keras."""

import keras
from keras import layers


def build(features: int, classes: int) -> keras.Model:
    """Return the model: (B, features) to logits (B, classes)."""
    inputs = keras.Input((features,))
    logits = layers.Dense(classes, name="fc")(inputs)
    return keras.Model(inputs, logits)
