"""TensorFlow's own large operations; see `trivet_worker.contract.PeakModule`."""

from __future__ import annotations

import tensorflow as tf

from trivet_worker.contract import Repeat

DTYPES = {"float32": tf.float32, "tf32": tf.float32, "bfloat16": tf.bfloat16}
DEVICES = {"cpu": "/CPU:0", "cuda": "/GPU:0"}


def matmul(size: int, precision: str, device: str) -> Repeat:
    """Return what multiplies two (size, size) matrices."""
    left, right = (_normal((size, size), precision, device) for _ in range(2))

    @tf.function
    def product(left: tf.Tensor, right: tf.Tensor) -> tf.Tensor:
        return tf.matmul(left, right)

    def repeat(times: int) -> None:
        for _ in range(times):
            product(left, right)
        tf.test.experimental.sync_devices()

    return repeat


def convolution(batch: int, image: int, channels: int, precision: str, device: str) -> Repeat:
    """Return what convolves (batch, image, image, channels), 3x3, to the same shape."""
    inputs = _normal((batch, image, image, channels), precision, device)
    kernel = _normal((3, 3, channels, channels), precision, device)

    @tf.function
    def convolve(inputs: tf.Tensor, kernel: tf.Tensor) -> tf.Tensor:
        return tf.nn.conv2d(inputs, kernel, strides=1, padding="SAME")

    def repeat(times: int) -> None:
        for _ in range(times):
            convolve(inputs, kernel)
        tf.test.experimental.sync_devices()

    return repeat


def _normal(shape: tuple[int, ...], precision: str, device: str) -> tf.Tensor:
    with tf.device(DEVICES[device]):
        return tf.cast(tf.random.normal(shape), DTYPES[precision])
