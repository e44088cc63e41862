"""A small classifier as a subclass of `keras.Model`, after Keras' guide "Making new layers and models via subclassing"."""

import keras
import tensorflow as tf
from keras import layers


class Net(keras.Model):
    """Dense, batch normalisation, ReLU, dropout, dense: (N, features) to logits (N, classes)."""

    def __init__(self, hidden, classes):
        super().__init__()
        self.fc1 = layers.Dense(hidden, use_bias=False)
        self.norm = layers.BatchNormalization()
        self.dropout = layers.Dropout(0.2)
        self.fc2 = layers.Dense(classes)

    def call(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        h = self.fc1(x)
        h = tf.nn.relu(self.norm(h, training=training))
        h = self.dropout(h, training=training)
        return self.fc2(h)
