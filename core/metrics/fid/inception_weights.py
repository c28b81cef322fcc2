"""Table of the Inception-v3 network of the Fréchet distance, and the shapes of its weights.

The published weights (`pt_inception-2015-12-05-6726825d.pth`) are TensorFlow's of 2015 under
torchvision's names. That network differs from torchvision's: average pools leave the border out,
the last block takes a maximum, and there are 1008 classes.
Source: Szegedy et al. 2016; mseitzer/pytorch-fid 0.3.0, inception.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

SIDE = 299
"""Width and height of the input in pixels."""

CLASSES = 1008
DIMS = (64, 192, 768, 2048)
"""Numbers of features after each stage; the Fréchet distance uses 2048."""


@dataclass(frozen=True, slots=True)
class Conv:
    """Convolution with batch normalization and ReLU, by its name in the weights."""

    name: str
    inputs: int
    outputs: int
    kernel: tuple[int, int]
    stride: int = 1
    padding: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Pool:
    """Pooling over 3 x 3: the average without the border, or the maximum."""

    kind: str
    stride: int
    padding: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Paths from the same input, whose outputs are concatenated."""

    paths: tuple[Path, ...]


Step = Conv | Pool | Fork
Path = tuple[Step, ...]

SHRINK = Pool("max", 2, 0)
AVERAGE = Pool("average", 1, 1)
MAXIMUM = Pool("max", 1, 1)


def _padded_conv(name: str, inputs: int, outputs: int, height: int, width: int) -> Conv:
    return Conv(name, inputs, outputs, (height, width), 1, (height // 2, width // 2))


def _strided_conv(name: str, inputs: int, outputs: int) -> Conv:
    return Conv(name, inputs, outputs, (3, 3), 2)


def _block_a(name: str, inputs: int, pooled: int) -> Fork:
    double = f"{name}.branch3x3dbl"
    return Fork(
        (
            (_padded_conv(f"{name}.branch1x1", inputs, 64, 1, 1),),
            (
                _padded_conv(f"{name}.branch5x5_1", inputs, 48, 1, 1),
                _padded_conv(f"{name}.branch5x5_2", 48, 64, 5, 5),
            ),
            (
                _padded_conv(f"{double}_1", inputs, 64, 1, 1),
                _padded_conv(f"{double}_2", 64, 96, 3, 3),
                _padded_conv(f"{double}_3", 96, 96, 3, 3),
            ),
            (AVERAGE, _padded_conv(f"{name}.branch_pool", inputs, pooled, 1, 1)),
        )
    )


def _block_b(name: str, inputs: int) -> Fork:
    double = f"{name}.branch3x3dbl"
    return Fork(
        (
            (_strided_conv(f"{name}.branch3x3", inputs, 384),),
            (
                _padded_conv(f"{double}_1", inputs, 64, 1, 1),
                _padded_conv(f"{double}_2", 64, 96, 3, 3),
                _strided_conv(f"{double}_3", 96, 96),
            ),
            (SHRINK,),
        )
    )


def _block_c(name: str, inputs: int, width: int) -> Fork:
    seven, double = f"{name}.branch7x7", f"{name}.branch7x7dbl"
    return Fork(
        (
            (_padded_conv(f"{name}.branch1x1", inputs, 192, 1, 1),),
            (
                _padded_conv(f"{seven}_1", inputs, width, 1, 1),
                _padded_conv(f"{seven}_2", width, width, 1, 7),
                _padded_conv(f"{seven}_3", width, 192, 7, 1),
            ),
            (
                _padded_conv(f"{double}_1", inputs, width, 1, 1),
                _padded_conv(f"{double}_2", width, width, 7, 1),
                _padded_conv(f"{double}_3", width, width, 1, 7),
                _padded_conv(f"{double}_4", width, width, 7, 1),
                _padded_conv(f"{double}_5", width, 192, 1, 7),
            ),
            (AVERAGE, _padded_conv(f"{name}.branch_pool", inputs, 192, 1, 1)),
        )
    )


def _block_d(name: str, inputs: int) -> Fork:
    seven = f"{name}.branch7x7x3"
    return Fork(
        (
            (
                _padded_conv(f"{name}.branch3x3_1", inputs, 192, 1, 1),
                _strided_conv(f"{name}.branch3x3_2", 192, 320),
            ),
            (
                _padded_conv(f"{seven}_1", inputs, 192, 1, 1),
                _padded_conv(f"{seven}_2", 192, 192, 1, 7),
                _padded_conv(f"{seven}_3", 192, 192, 7, 1),
                _strided_conv(f"{seven}_4", 192, 192),
            ),
            (SHRINK,),
        )
    )


def _cross(name: str, inputs: int) -> Fork:
    """Return a row and a column over the same input."""
    return Fork(
        (
            (_padded_conv(f"{name}a", inputs, 384, 1, 3),),
            (_padded_conv(f"{name}b", inputs, 384, 3, 1),),
        )
    )


def _block_e(name: str, inputs: int, pool: Pool) -> Fork:
    three, double = f"{name}.branch3x3", f"{name}.branch3x3dbl"
    return Fork(
        (
            (_padded_conv(f"{name}.branch1x1", inputs, 320, 1, 1),),
            (_padded_conv(f"{three}_1", inputs, 384, 1, 1), _cross(f"{three}_2", 384)),
            (
                _padded_conv(f"{double}_1", inputs, 448, 1, 1),
                _padded_conv(f"{double}_2", 448, 384, 3, 3),
                _cross(f"{double}_3", 384),
            ),
            (pool, _padded_conv(f"{name}.branch_pool", inputs, 192, 1, 1)),
        )
    )


STAGES: tuple[Path, ...] = (
    (
        _strided_conv("Conv2d_1a_3x3", 3, 32),
        Conv("Conv2d_2a_3x3", 32, 32, (3, 3)),
        _padded_conv("Conv2d_2b_3x3", 32, 64, 3, 3),
        SHRINK,
    ),
    (Conv("Conv2d_3b_1x1", 64, 80, (1, 1)), Conv("Conv2d_4a_3x3", 80, 192, (3, 3)), SHRINK),
    (
        _block_a("Mixed_5b", 192, 32),
        _block_a("Mixed_5c", 256, 64),
        _block_a("Mixed_5d", 288, 64),
        _block_b("Mixed_6a", 288),
        _block_c("Mixed_6b", 768, 128),
        _block_c("Mixed_6c", 768, 160),
        _block_c("Mixed_6d", 768, 160),
        _block_c("Mixed_6e", 768, 192),
    ),
    (
        _block_d("Mixed_7a", 768),
        _block_e("Mixed_7b", 1280, AVERAGE),
        _block_e("Mixed_7c", 2048, MAXIMUM),
    ),
)
"""Stages of the network, each ending at 64, 192, 768 and 2048 features."""


NETWORK: Path = tuple(chain.from_iterable(STAGES))


def convolutions(steps: Path = NETWORK) -> Iterator[Conv]:
    """Yield every convolution on these paths, in the order of the weights."""
    for step in steps:
        if isinstance(step, Conv):
            yield step
        elif isinstance(step, Fork):
            for path in step.paths:
                yield from convolutions(path)


def shapes() -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every tensor that the weights must have."""
    found: dict[str, tuple[int, ...]] = {}
    for conv in convolutions():
        found[f"{conv.name}.conv.weight"] = (conv.outputs, conv.inputs, *conv.kernel)
        for part in ("weight", "bias", "running_mean", "running_var"):
            found[f"{conv.name}.bn.{part}"] = (conv.outputs,)
    return {**found, "fc.weight": (CLASSES, DIMS[-1]), "fc.bias": (CLASSES,)}


def optional_shapes() -> dict[str, tuple[int, ...]]:
    """Return the names of tensors that weights may have but that do not affect features."""
    return {f"{conv.name}.bn.num_batches_tracked": () for conv in convolutions()}
