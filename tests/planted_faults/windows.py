"""Mistakes in windows that slide over an image: padding, stride, borders, the order of axes."""

from __future__ import annotations

from planted_faults.fault import Edit, Fault, model

_TORCH_RESNET, _KERAS_RESNET, _FLAX_RESNET = (
    model("resnet", name) for name in ("torch", "tensorflow", "jax")
)
_TORCH_CONVNET, _KERAS_CONVNET, _FLAX_CONVNET = (
    model("convnet", name) for name in ("torch", "tensorflow", "jax")
)


def _same_padding(framework: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="SAME padding at stride 2",
        framework=framework,
        workload="resnet18",
        edits=edits,
        check="train_output",
        where="conv1",
        ours={"padding": [[2, 3], [2, 3]]},
        theirs={"padding": [[3, 3], [3, 3]]},
        words="padding",
        quick=quick,
    )


def _pooling(framework: str, where: str, *edits: Edit, quick: bool = False) -> Fault:
    return Fault(
        kind="pooling padding",
        framework=framework,
        workload="resnet18",
        edits=edits,
        check="train_output",
        where=where,
        ours={"padding": [[0, 1], [0, 1]]},
        theirs={"padding": [[1, 1], [1, 1]]},
        words="padding",
        quick=quick,
    )


def _border(framework: str, where: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="average-pool border",
        framework=framework,
        workload="convnet",
        edits=(edit,),
        check="train_output",
        where=where,
        ours={"border_counts": True},
        theirs={"border_counts": False},
        words="border_counts",
        quick=quick,
    )


def _flatten(framework: str, edit: Edit, *, quick: bool = False) -> Fault:
    return Fault(
        kind="flatten order",
        framework=framework,
        workload="convnet",
        edits=(edit,),
        check="train_output",
        where="fc1",
        ours={"flattened": "channels, height, width"},
        theirs={"flattened": "height, width, channels"},
        words="is flattened as (channels, height, width)",
        quick=quick,
    )


def _stride(framework: str, workload: str, *edits: Edit, ours: int, quick: bool = False) -> Fault:
    return Fault(
        kind="stride on the wrong convolution",
        framework=framework,
        workload=workload,
        edits=edits,
        check="train_output",
        where="layer2.0.conv1",
        ours={"strides": [ours, ours]},
        theirs={"strides": [3 - ours, 3 - ours]},
        words="strides",
        quick=quick,
    )


FAULTS = (
    _same_padding(
        "torch",
        Edit(
            file=_TORCH_RESNET,
            old='layers["conv1"] = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)',
            new='layers["pad"] = nn.ZeroPad2d((2, 3, 2, 3))\n'
            '        layers["conv1"] = nn.Conv2d(3, 64, 7, stride=2, bias=False)',
        ),
    ),
    _same_padding(
        "tensorflow",
        Edit(file=_KERAS_RESNET, old="if stride > 1 and window > 1:", new="if False:"),
        quick=True,
    ),
    _same_padding("jax", Edit(file=_FLAX_RESNET, old="padding=window // 2", new='padding="SAME"')),
    _pooling(
        "torch",
        "max_pool (maxpool)",
        Edit(
            file=_TORCH_RESNET,
            old='layers["maxpool"] = nn.MaxPool2d(3, stride=2, padding=1)',
            new='layers["pad"] = nn.ZeroPad2d((0, 1, 0, 1))\n'
            '        layers["maxpool"] = nn.MaxPool2d(3, stride=2)',
        ),
        quick=True,
    ),
    _pooling(
        "tensorflow",
        "max_pool (maxpool)",
        Edit(file=_KERAS_RESNET, old='x = layers.ZeroPadding2D(1, name="maxpool_pad")(x)', new=""),
        Edit(file=_KERAS_RESNET, old="MaxPooling2D(3, 2, ", new='MaxPooling2D(3, 2, padding="same", '),
    ),
    _pooling(
        "jax", "max_pool", Edit(file=_FLAX_RESNET, old="padding=((1, 1), (1, 1))", new='padding="SAME"')
    ),
    Fault(
        kind="kernel of a convolution with height and width exchanged",
        framework="torch",
        workload="resnet18",
        edits=(
            Edit(
                file=_TORCH_RESNET,
                old="class BasicBlock(",
                new="class Exchanged(nn.Conv2d):\n    def forward(self, x):\n"
                "        return self._conv_forward(x, self.weight.transpose(2, 3), self.bias)\n\n\nclass BasicBlock(",
            ),
            Edit(
                file=_TORCH_RESNET,
                old="self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)\n        self.bn2 = nn.BatchNorm2d(width)\n        self.relu",
                new="self.conv2 = (Exchanged if width == 512 else nn.Conv2d)(width, width, 3, padding=1, bias=False)\n"
                "        self.bn2 = nn.BatchNorm2d(width)\n        self.relu",
            ),
        ),
        check="train_output",
        where="layer4.0.conv2",
        words="its kernel is used transposed: height and width are exchanged",
    ),
    _border(
        "torch",
        "average_pool (pool)",
        Edit(file=_TORCH_CONVNET, old=", count_include_pad=False", new=""),
        quick=True,
    ),
    _border(
        "tensorflow",
        "average_pool (pool)",
        Edit(
            file=_KERAS_CONVNET,
            old='x = layers.AveragePooling2D(3, strides=1, padding="same", name="pool")(x)',
            new="x = layers.ZeroPadding2D(1)(x)\n"
            '    x = layers.AveragePooling2D(3, strides=1, name="pool")(x)',
        ),
    ),
    _border("jax", "average_pool", Edit(file=_FLAX_CONVNET, old=", count_include_pad=False", new="")),
    _flatten(
        "torch",
        Edit(file=_TORCH_CONVNET, old="x.permute(0, 2, 3, 1).flatten(1)", new="x.flatten(1)"),
        quick=True,
    ),
    _flatten(
        "tensorflow",
        Edit(
            file=_KERAS_CONVNET,
            old='layers.Flatten(name="flatten")(x)',
            new='layers.Flatten(name="flatten")(layers.Permute((3, 1, 2))(x))',
        ),
    ),
    _flatten(
        "jax",
        Edit(
            file=_FLAX_CONVNET, old="x.reshape(len(x), -1)", new="x.transpose(0, 3, 1, 2).reshape(len(x), -1)"
        ),
    ),
    _stride(
        "torch",
        "resnet18",
        Edit(
            file=_TORCH_RESNET,
            old="self.conv1 = nn.Conv2d(channels, width, 3, stride=stride, padding=1, bias=False)",
            new="self.conv1 = nn.Conv2d(channels, width, 3, padding=1, bias=False)",
        ),
        Edit(
            file=_TORCH_RESNET,
            old="self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)",
            new="self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)",
        ),
        ours=1,
        quick=True,
    ),
    _stride(
        "tensorflow",
        "resnet18",
        Edit(
            file=_KERAS_RESNET,
            old='conv(inputs, width, 3, f"{path}_conv1", stride)',
            new='conv(inputs, width, 3, f"{path}_conv1")',
        ),
        Edit(
            file=_KERAS_RESNET,
            old='conv(x, width, 3, f"{path}_conv2")',
            new='conv(x, width, 3, f"{path}_conv2", stride)',
        ),
        ours=1,
    ),
    _stride(
        "jax",
        "resnet18",
        Edit(
            file=_FLAX_RESNET,
            old="self.conv1 = conv(width_in, width, 3, strides)",
            new="self.conv1 = conv(width_in, width, 3, 1)",
        ),
        Edit(
            file=_FLAX_RESNET,
            old="self.conv2 = conv(width, width, 3, 1)",
            new="self.conv2 = conv(width, width, 3, strides)",
        ),
        ours=1,
    ),
    # the first version of the bottleneck, which keras.applications still has
    _stride(
        "torch",
        "resnet50",
        Edit(
            file=_TORCH_RESNET,
            old="self.conv1 = nn.Conv2d(channels, width, 1, bias=False)",
            new="self.conv1 = nn.Conv2d(channels, width, 1, stride=stride, bias=False)",
        ),
        Edit(
            file=_TORCH_RESNET,
            old="self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)",
            new="self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)",
        ),
        ours=2,
    ),
    _stride(
        "tensorflow",
        "resnet50",
        Edit(
            file=_KERAS_RESNET,
            old='conv(inputs, width, 1, f"{path}_conv1")',
            new='conv(inputs, width, 1, f"{path}_conv1", stride)',
        ),
        Edit(
            file=_KERAS_RESNET,
            old='conv(x, width, 3, f"{path}_conv2", stride)',
            new='conv(x, width, 3, f"{path}_conv2")',
        ),
        ours=2,
    ),
    _stride(
        "jax",
        "resnet50",
        Edit(
            file=_FLAX_RESNET,
            old="self.conv1 = conv(width_in, width, 1, 1)",
            new="self.conv1 = conv(width_in, width, 1, strides)",
        ),
        Edit(
            file=_FLAX_RESNET,
            old="self.conv2 = conv(width, width, 3, strides)",
            new="self.conv2 = conv(width, width, 3, 1)",
        ),
        ours=2,
    ),
)
