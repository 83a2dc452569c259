"""Variants of patches: crops, mirror images, quarter turns, shifts of colour."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.slides.configuration import Augmentation

Stack = NDArray[np.uint8]
_WHITE = 244.0


def for_training(stack: Stack, choice: Augmentation, rng: np.random.Generator) -> Stack:
    """One random variant of each patch."""
    if not choice.done:
        return stack
    out = _cropped(stack, choice, rng) if choice.crop else stack.copy()
    if "flip" in choice.training:
        flipped = rng.random(len(out)) < 0.5
        out[flipped] = out[flipped, :, ::-1]
    if "rotate" in choice.training:
        turns = rng.integers(0, 4, len(out))
        for quarter in (1, 2, 3):
            chosen = turns == quarter
            out[chosen] = np.rot90(out[chosen], quarter, axes=(1, 2))
    if "colour" in choice.training and choice.colour:
        out = _recoloured(out, choice.colour, rng)
    return out


def for_inference(stack: Stack, choice: Augmentation, rng: np.random.Generator) -> Iterator[Stack]:
    """The variants over which a prediction is averaged; one, when there are no such choices."""
    if not choice.done:
        yield stack
        return
    base = _cropped(stack, choice, rng if choice.inference_crop == "random" else None) if choice.crop else stack
    turns = range(4) if "rotate" in choice.inference else range(1)
    for quarter in turns:
        turned = np.rot90(base, quarter, axes=(1, 2))
        yield turned
        if "flip" in choice.inference:
            yield turned[:, :, ::-1]


def changes_pixels(choice: Augmentation) -> bool:
    """Whether training patches differ from inference patches by more than turns and mirror images."""
    return choice.done and (bool(choice.crop) or ("colour" in choice.training and choice.colour > 0))


def _cropped(stack: Stack, choice: Augmentation, rng: np.random.Generator | None) -> Stack:
    side, room = choice.crop, stack.shape[1] - choice.crop
    if rng is None:
        start = room // 2
        return stack[:, start : start + side, start : start + side].copy()
    corners = rng.integers(0, room + 1, (len(stack), 2))
    cut = [patch[y : y + side, x : x + side] for patch, (y, x) in zip(stack, corners, strict=True)]
    return np.stack(cut) if cut else np.zeros((0, side, side, 3), np.uint8)


def _recoloured(stack: Stack, strength: float, rng: np.random.Generator) -> Stack:
    """Scale and shift the optical density of each channel of each patch, through a table of 256 steps."""
    density = -np.log((np.arange(256) + 1) / (_WHITE + 1))
    factor = 1 + strength * rng.standard_normal((len(stack), 3, 1))
    shift = strength * rng.standard_normal((len(stack), 3, 1))
    tables = np.clip((_WHITE + 1) * np.exp(-(density * factor + shift)) - 1, 0, 255).astype(np.uint8)
    which = np.arange(len(stack))[:, None, None, None]
    return tables[which, np.arange(3)[None, None, None, :], stack]
