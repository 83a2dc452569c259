"""Data for a configuration that was given none: synthetic slides, or bags of their features."""

from __future__ import annotations

from pathlib import Path

from assay.slides.bags.synthetic import make_bags
from assay.slides.configuration import Configuration
from assay.slides.configuration.bag_steps import BagConfiguration
from assay.slides.pipeline import Tracker, untracked
from assay.slides.world import make_world


def make_data(
    folder: Path, configuration: Configuration | BagConfiguration, workers: int = 1, track: Tracker = untracked
) -> None:
    """Fill the folder, unless it is filled already."""
    if isinstance(configuration, BagConfiguration):
        make_bags(folder, configuration.data.synthetic, workers, track)
    else:
        make_world(folder, configuration.data.world, workers, track)
