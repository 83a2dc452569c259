"""Twelve slides of 512 pixels: small enough that a whole run takes about a second."""

from __future__ import annotations

from typing import Any

TINY: dict[str, Any] = {
    "data.world": {"patients": 6, "slides_per_patient": 2, "side": 512, "um_per_pixel": 8.0, "levels": 3},
    "tissue.level": 1,
    "patches.size": 16,
    "patches.stride": 16,
    "patches.per_class": 300,
    "heatmap.stride": 16,
    "split.train": 0.5,
    "split.validation": 0.2,
    "classifier.epochs": 6,
    "mining.epochs": 2,
    "slide.trees": 20,
    "metrics.resamples": 0,
}
"""What makes the default configuration fit it."""
