"""What Keras calls a layer or a variable, seen from the model."""

from __future__ import annotations

import keras


def native_path(model: keras.Model, part: keras.Layer | keras.Variable) -> str:
    """Return the path of a model's layer or variable, such as "layer1_0_conv1/kernel".

    Sequential and subclassed models put their own name in front of it, functional ones don't; here nobody does.
    A layer without variables has no path in Keras, so its name stands in.
    """
    return (part.path or part.name).removeprefix(f"{model.name}/")
