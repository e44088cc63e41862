import numpy as np

from trivet.parity import kernels

IMAGE = (4, 4, 3)


def _gradient(inputs, seed):
    upper = np.random.default_rng(seed).standard_normal((len(inputs), 20))
    return inputs.reshape(len(inputs), -1).T @ upper


def test_the_order_of_flattening_is_told():
    images = np.random.default_rng(0).standard_normal((5, *IMAGE))
    last, first = _gradient(images, 1), _gradient(images.transpose(0, 3, 1, 2), 2)
    assert kernels.flattened(first, last, IMAGE) == ("channels, height, width", "height, width, channels")
    assert kernels.flattened(last, first, IMAGE) == ("height, width, channels", "channels, height, width")


def test_equal_orders_and_other_images_are_not_called_flattened():
    generator = np.random.default_rng(0)
    images, others = generator.standard_normal((2, 5, *IMAGE))
    assert kernels.flattened(_gradient(images, 1), _gradient(images, 2), IMAGE) is None
    assert kernels.flattened(_gradient(images, 1), _gradient(others, 2), IMAGE) is None


def test_a_batch_that_spans_everything_tells_nothing():
    images = np.random.default_rng(0).standard_normal((60, *IMAGE))
    first = images.transpose(0, 3, 1, 2)
    assert kernels.flattened(_gradient(first, 1), _gradient(images, 2), IMAGE) is None
