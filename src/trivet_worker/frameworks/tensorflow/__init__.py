"""TensorFlow with Keras 3."""
