"""What the light classifier sees of a patch: twelve numbers of colour and texture.

Turning or mirroring a patch leaves all of them as they are, so that such augmentation changes nothing for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Stack = NDArray[np.uint8]
Features = NDArray[np.float32]

NAMES = (
    *("red mean", "green mean", "blue mean", "red spread", "green spread", "blue spread"),
    *("difference at 1", "difference at 2", "difference at 4", "difference at 8", "unevenness", "dark share"),
)
"""All in optical density; differences between neighbours are those of green, where both stains absorb."""
_DENSITY = (-np.log(np.maximum(np.arange(256), 1) / 244)).astype(np.float32)
_DARK = 0.75
_AT_ONCE = 256


def features_of(stack: Stack) -> Features:
    """One row for each patch of the stack."""
    parts = [_features(stack[start : start + _AT_ONCE]) for start in range(0, len(stack), _AT_ONCE)]
    return np.concatenate(parts) if parts else np.zeros((0, len(NAMES)), np.float32)


def _features(stack: Stack) -> Features:
    count = len(stack)
    density = _DENSITY[np.ascontiguousarray(stack.transpose(0, 3, 1, 2))]
    flat = density.reshape(count, 3, -1)
    means = flat.mean(2)
    spreads = np.sqrt(np.maximum(np.einsum("ncp,ncp->nc", flat, flat) / flat.shape[2] - means**2, 1e-8))
    green = density[:, 1]
    steps = [_difference(green, lag) for lag in (1, 2, 4, 8) if lag < green.shape[1]]
    steps += [steps[-1]] * (4 - len(steps))
    side = green.shape[1] // 8
    blocks = green[:, : side * 8, : side * 8].reshape(count, 8, side, 8, side).mean((2, 4)) if side else green
    dark = (green > _DARK).mean((1, 2))
    rest = [np.log(np.maximum(s, 1e-6)) for s in steps] + [blocks.reshape(count, -1).std(1), dark]
    return np.column_stack([means, spreads, *rest]).astype(np.float32)


def _difference(green: NDArray[np.float32], lag: int) -> NDArray[np.float32]:
    """Mean squared difference between pixels `lag` apart, along both axes alike."""
    across = green[:, :, lag:] - green[:, :, :-lag]
    down = green[:, lag:] - green[:, :-lag]
    pixels = across.shape[1] * across.shape[2]
    squares = np.einsum("nij,nij->n", across, across) + np.einsum("nij,nij->n", down, down)
    return np.asarray(squares / (2 * pixels))
