"""ResNet in Keras.

Strided windows are padded by a layer of their own: Keras's padding="same" puts the odd row and column of a strided
window at the bottom and the right only, where ResNet pads all four sides alike.
"""

import keras
from keras import KerasTensor, layers

WIDTHS = (64, 128, 256, 512)
EXPANSION = 4


def conv(x: KerasTensor, width: int, window: int, name: str, stride: int = 1) -> KerasTensor:
    """Convolve with symmetric zero padding and no bias: (B, H, W, C) to (B, H / stride, W / stride, width)."""
    padding = "same"
    if stride > 1 and window > 1:
        x = layers.ZeroPadding2D(window // 2, name=f"{name}_pad")(x)
        padding = "valid"
    return layers.Conv2D(
        width, window, stride, padding=padding, use_bias=False, kernel_initializer="he_normal", name=name
    )(x)


def norm(x: KerasTensor, name: str) -> KerasTensor:
    """Normalise each channel over the batch."""
    return layers.BatchNormalization(momentum=0.9, epsilon=1e-5, name=name)(x)


def shortcut(x: KerasTensor, width: int, stride: int, path: str) -> KerasTensor:
    """Return the input itself, or its projection where the block changes its shape."""
    if stride == 1 and x.shape[-1] == width:
        return x
    x = conv(x, width, 1, f"{path}_downsample_0", stride)
    return norm(x, f"{path}_downsample_1")


def basic(inputs: KerasTensor, width: int, stride: int, path: str) -> KerasTensor:
    """Two 3x3 convolutions beside the shortcut."""
    x = conv(inputs, width, 3, f"{path}_conv1", stride)
    x = norm(x, f"{path}_bn1")
    x = layers.ReLU(name=f"{path}_relu1")(x)
    x = conv(x, width, 3, f"{path}_conv2")
    x = norm(x, f"{path}_bn2")
    x = layers.Add(name=f"{path}_add")([x, shortcut(inputs, width, stride, path)])
    return layers.ReLU(name=f"{path}_relu2")(x)


def bottleneck_v1_5(inputs: KerasTensor, width: int, stride: int, path: str) -> KerasTensor:
    """1x1, 3x3 (with the stride: version 1.5), and 1x1 convolution beside the shortcut."""
    x = conv(inputs, width, 1, f"{path}_conv1")
    x = norm(x, f"{path}_bn1")
    x = layers.ReLU(name=f"{path}_relu1")(x)
    x = conv(x, width, 3, f"{path}_conv2", stride)
    x = norm(x, f"{path}_bn2")
    x = layers.ReLU(name=f"{path}_relu2")(x)
    x = conv(x, width * EXPANSION, 1, f"{path}_conv3")
    x = norm(x, f"{path}_bn3")
    x = layers.Add(name=f"{path}_add")([x, shortcut(inputs, width * EXPANSION, stride, path)])
    return layers.ReLU(name=f"{path}_relu3")(x)


def build(blocks: list[int], bottleneck: bool, stem: str, image: int, classes: int) -> keras.Model:
    """Return the model: images (B, image, image, 3) to logits (B, classes).

    Args:
        blocks: residual blocks in each of the four stages.
        bottleneck: True for bottleneck blocks (ResNet-50), False for basic ones (ResNet-18).
        stem: "large" (7x7 at stride 2, then max-pooling) or "small" (3x3, for small images).
        image: side length.
        classes: width of the logits.
    """
    inputs = keras.Input((image, image, 3))
    if stem == "large":
        x = conv(inputs, WIDTHS[0], 7, "conv1", stride=2)
    else:
        x = conv(inputs, WIDTHS[0], 3, "conv1")
    x = norm(x, "bn1")
    x = layers.ReLU(name="relu")(x)
    if stem == "large":
        # Zeros are neutral in a maximum over what comes out of a ReLU.
        x = layers.ZeroPadding2D(1, name="maxpool_pad")(x)
        x = layers.MaxPooling2D(3, 2, name="maxpool")(x)

    block = bottleneck_v1_5 if bottleneck else basic
    for stage, (count, width) in enumerate(zip(blocks, WIDTHS), start=1):
        for number in range(count):
            stride = 2 if stage > 1 and number == 0 else 1
            x = block(x, width, stride, f"layer{stage}_{number}")

    x = layers.GlobalAveragePooling2D(name="avgpool")(x)
    logits = layers.Dense(classes, name="fc")(x)
    return keras.Model(inputs, logits)
