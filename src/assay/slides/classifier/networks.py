"""GoogLeNet, ResNet-101 and Inception V3 as tables of layers, with one output.

Layers have the names that torchvision gives them, so that its weight files fit. Side classifiers, which only help a
training from scratch, are left out. The 5 × 5 branch of GoogLeNet has kernels of 3, as in torchvision.
Sources: Szegedy et al. 2015 (arXiv:1409.4842, Table 1), He et al. 2016 (arXiv:1512.03385, Table 1),
Szegedy et al. 2016 (arXiv:1512.00567, Table 1 and Figures 5 to 7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.extras import optional

torch: Any = optional("torch")
nn: Any = torch.nn
Kernel = int | tuple[int, int]


def small(width: int) -> Any:
    """Three convolutions in steps of two: the network of this pipeline, of no paper."""
    layers: list[Any] = []
    channels = 3
    for wide in (width, 2 * width, 4 * width):
        layers += [nn.Conv2d(channels, wide, 3, stride=2, padding=1), nn.BatchNorm2d(wide), nn.ReLU()]
        channels = wide
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1))


def googlenet(outputs: int = 1) -> Any:
    """GoogLeNet: nine blocks of four branches."""
    blocks = {
        "3a": (192, 64, 96, 128, 16, 32, 32),
        "3b": (256, 128, 128, 192, 32, 96, 64),
        "4a": (480, 192, 96, 208, 16, 48, 64),
        "4b": (512, 160, 112, 224, 24, 64, 64),
        "4c": (512, 128, 128, 256, 24, 64, 64),
        "4d": (512, 112, 144, 288, 32, 64, 64),
        "4e": (528, 256, 160, 320, 32, 128, 128),
        "5a": (832, 256, 160, 320, 32, 128, 128),
        "5b": (832, 384, 192, 384, 48, 128, 128),
    }
    net = nn.Sequential()
    net.add_module("conv1", _conv(3, 64, 7, stride=2, padding=3))
    net.add_module("maxpool1", nn.MaxPool2d(3, 2, ceil_mode=True))
    net.add_module("conv2", _conv(64, 64, 1))
    net.add_module("conv3", _conv(64, 192, 3, padding=1))
    net.add_module("maxpool2", nn.MaxPool2d(3, 2, ceil_mode=True))
    for name, widths in blocks.items():
        if name == "4a":
            net.add_module("maxpool3", nn.MaxPool2d(3, 2, ceil_mode=True))
        if name == "5a":
            net.add_module("maxpool4", nn.MaxPool2d(2, 2, ceil_mode=True))
        net.add_module(f"inception{name}", _google_block(widths))
    return _with_head(net, 1024, outputs, dropout=0.2)


def resnet101(outputs: int = 1) -> Any:
    """ResNet with 3, 4, 23 and 3 blocks of three convolutions."""
    net = nn.Sequential()
    net.add_module("conv1", nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False))
    net.add_module("bn1", nn.BatchNorm2d(64))
    net.add_module("relu", nn.ReLU(inplace=True))
    net.add_module("maxpool", nn.MaxPool2d(3, stride=2, padding=1))
    channels = 64
    for number, (blocks, inner) in enumerate(((3, 64), (4, 128), (23, 256), (3, 512)), 1):
        row = []
        for position in range(blocks):
            stride = 2 if number > 1 and position == 0 else 1
            row.append(_Residual(channels, inner, stride))
            channels = 4 * inner
        net.add_module(f"layer{number}", nn.Sequential(*row))
    return _with_head(net, channels, outputs, dropout=0.0)


def inception_v3(outputs: int = 1) -> Any:
    """Inception V3: three convolutions and a pool, two and a pool, eleven mixed blocks."""
    net = nn.Sequential()
    net.add_module("Conv2d_1a_3x3", _conv(3, 32, 3, stride=2))
    net.add_module("Conv2d_2a_3x3", _conv(32, 32, 3))
    net.add_module("Conv2d_2b_3x3", _conv(32, 64, 3, padding=1))
    net.add_module("maxpool1", nn.MaxPool2d(3, 2))
    net.add_module("Conv2d_3b_1x1", _conv(64, 80, 1))
    net.add_module("Conv2d_4a_3x3", _conv(80, 192, 3))
    net.add_module("maxpool2", nn.MaxPool2d(3, 2))
    for name, channels, pooled in (("5b", 192, 32), ("5c", 256, 64), ("5d", 288, 64)):
        net.add_module(f"Mixed_{name}", _small_kernels(channels, pooled))
    net.add_module("Mixed_6a", _first_reduction(288))
    for name, inner in (("6b", 128), ("6c", 160), ("6d", 160), ("6e", 192)):
        net.add_module(f"Mixed_{name}", _seven_wide(768, inner))
    net.add_module("Mixed_7a", _second_reduction(768))
    for name, channels in (("7b", 1280), ("7c", 2048)):
        net.add_module(f"Mixed_{name}", _forked(channels))
    return _with_head(net, 2048, outputs, dropout=0.5)


NETWORKS: dict[str, Callable[[], Any]] = {
    "googlenet": googlenet,
    "resnet101": resnet101,
    "inception-v3": inception_v3,
}
"""The networks of the three papers, by the name that a configuration gives them."""


def _with_head(net: Any, channels: int, outputs: int, *, dropout: float) -> Any:
    net.add_module("avgpool", nn.AdaptiveAvgPool2d(1))
    net.add_module("flatten", nn.Flatten())
    net.add_module("dropout", nn.Dropout(dropout))
    net.add_module("fc", nn.Linear(channels, outputs))
    return net


def _conv(channels: int, wide: int, kernel: Kernel, *, stride: int = 1, padding: Kernel = 0) -> Any:
    block = nn.Sequential()
    block.add_module("conv", nn.Conv2d(channels, wide, kernel, stride=stride, padding=padding, bias=False))
    block.add_module("bn", nn.BatchNorm2d(wide, eps=0.001))
    block.add_module("relu", nn.ReLU(inplace=True))
    return block


def _same(channels: int, wide: int, kernel: tuple[int, int]) -> Any:
    """A convolution that keeps the size of its input."""
    return _conv(channels, wide, kernel, padding=(kernel[0] // 2, kernel[1] // 2))


class _Mixed(nn.Module):  # type: ignore[misc] # torch is an optional package and untyped here
    """Branches side by side. A path is a row of layers; a layer that is a tuple of names forks and joins again."""

    def __init__(self, layers: dict[str, Any], paths: tuple[tuple[str | tuple[str, str], ...], ...]) -> None:
        super().__init__()
        for name, layer in layers.items():
            self.add_module(name, layer)
        self._paths = paths

    def forward(self, x: Any) -> Any:
        """All branches on the same input, one after the other along the channels."""
        return torch.cat([self._along(path, x) for path in self._paths], 1)

    def _along(self, path: tuple[str | tuple[str, str], ...], x: Any) -> Any:
        for step in path:
            if isinstance(step, str):
                x = self.get_submodule(step)(x)
            else:
                x = torch.cat([self.get_submodule(name)(x) for name in step], 1)
        return x


def _google_block(widths: tuple[int, int, int, int, int, int, int]) -> Any:
    """Channels in; out of 1 x 1; before and out of 3 x 3; before and out of 5 x 5; out of the pool."""
    channels, one, before3, three, before5, five, pool = widths
    layers = {
        "branch1": _conv(channels, one, 1),
        "branch2": nn.Sequential(_conv(channels, before3, 1), _conv(before3, three, 3, padding=1)),
        "branch3": nn.Sequential(_conv(channels, before5, 1), _conv(before5, five, 3, padding=1)),
        "branch4": nn.Sequential(nn.MaxPool2d(3, 1, padding=1, ceil_mode=True), _conv(channels, pool, 1)),
    }
    return _Mixed(layers, tuple((name,) for name in layers))


_POOL = ("pool", "branch_pool")


def _pooled(channels: int, wide: int) -> dict[str, Any]:
    return {"pool": nn.AvgPool2d(3, 1, padding=1), "branch_pool": _conv(channels, wide, 1)}


def _small_kernels(channels: int, pooled: int) -> Any:
    layers = {
        "branch1x1": _conv(channels, 64, 1),
        "branch5x5_1": _conv(channels, 48, 1),
        "branch5x5_2": _conv(48, 64, 5, padding=2),
        "branch3x3dbl_1": _conv(channels, 64, 1),
        "branch3x3dbl_2": _conv(64, 96, 3, padding=1),
        "branch3x3dbl_3": _conv(96, 96, 3, padding=1),
        **_pooled(channels, pooled),
    }
    return _Mixed(layers, (("branch1x1",), _row("branch5x5", 2), _row("branch3x3dbl", 3), _POOL))


def _first_reduction(channels: int) -> Any:
    layers = {
        "branch3x3": _conv(channels, 384, 3, stride=2),
        "branch3x3dbl_1": _conv(channels, 64, 1),
        "branch3x3dbl_2": _conv(64, 96, 3, padding=1),
        "branch3x3dbl_3": _conv(96, 96, 3, stride=2),
        "pool": nn.MaxPool2d(3, 2),
    }
    return _Mixed(layers, (("branch3x3",), _row("branch3x3dbl", 3), ("pool",)))


def _seven_wide(channels: int, inner: int) -> Any:
    layers = {
        "branch1x1": _conv(channels, 192, 1),
        "branch7x7_1": _conv(channels, inner, 1),
        "branch7x7_2": _same(inner, inner, (1, 7)),
        "branch7x7_3": _same(inner, 192, (7, 1)),
        "branch7x7dbl_1": _conv(channels, inner, 1),
        "branch7x7dbl_2": _same(inner, inner, (7, 1)),
        "branch7x7dbl_3": _same(inner, inner, (1, 7)),
        "branch7x7dbl_4": _same(inner, inner, (7, 1)),
        "branch7x7dbl_5": _same(inner, 192, (1, 7)),
        **_pooled(channels, 192),
    }
    return _Mixed(layers, (("branch1x1",), _row("branch7x7", 3), _row("branch7x7dbl", 5), _POOL))


def _second_reduction(channels: int) -> Any:
    layers = {
        "branch3x3_1": _conv(channels, 192, 1),
        "branch3x3_2": _conv(192, 320, 3, stride=2),
        "branch7x7x3_1": _conv(channels, 192, 1),
        "branch7x7x3_2": _same(192, 192, (1, 7)),
        "branch7x7x3_3": _same(192, 192, (7, 1)),
        "branch7x7x3_4": _conv(192, 192, 3, stride=2),
        "pool": nn.MaxPool2d(3, 2),
    }
    return _Mixed(layers, (_row("branch3x3", 2), _row("branch7x7x3", 4), ("pool",)))


def _forked(channels: int) -> Any:
    layers = {
        "branch1x1": _conv(channels, 320, 1),
        "branch3x3_1": _conv(channels, 384, 1),
        "branch3x3_2a": _same(384, 384, (1, 3)),
        "branch3x3_2b": _same(384, 384, (3, 1)),
        "branch3x3dbl_1": _conv(channels, 448, 1),
        "branch3x3dbl_2": _conv(448, 384, 3, padding=1),
        "branch3x3dbl_3a": _same(384, 384, (1, 3)),
        "branch3x3dbl_3b": _same(384, 384, (3, 1)),
        **_pooled(channels, 192),
    }
    fork = ("branch3x3_1", ("branch3x3_2a", "branch3x3_2b"))
    double = ("branch3x3dbl_1", "branch3x3dbl_2", ("branch3x3dbl_3a", "branch3x3dbl_3b"))
    return _Mixed(layers, (("branch1x1",), fork, double, _POOL))


def _row(branch: str, count: int) -> tuple[str, ...]:
    return tuple(f"{branch}_{number}" for number in range(1, count + 1))


class _Residual(nn.Module):  # type: ignore[misc] # torch is an optional package and untyped here
    """Three convolutions whose result is added to their input."""

    def __init__(self, channels: int, inner: int, stride: int) -> None:
        super().__init__()
        wide = 4 * inner
        self.conv1, self.bn1 = nn.Conv2d(channels, inner, 1, bias=False), nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(inner)
        self.conv3, self.bn3 = nn.Conv2d(inner, wide, 1, bias=False), nn.BatchNorm2d(wide)
        self.downsample: Any = nn.Identity()
        if stride > 1 or channels != wide:
            shortcut = nn.Conv2d(channels, wide, 1, stride=stride, bias=False)
            self.downsample = nn.Sequential(shortcut, nn.BatchNorm2d(wide))

    def forward(self, x: Any) -> Any:
        """The input, through three convolutions or past them."""
        changed = torch.relu(self.bn1(self.conv1(x)))
        changed = torch.relu(self.bn2(self.conv2(changed)))
        return torch.relu(self.bn3(self.conv3(changed)) + self.downsample(x))
