"""All that one slide gives before anything is learnt: its patches, how much tumour each holds, their features.

Each slide is prepared on its own, in whatever process, and what comes out is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.augmentation import for_inference
from assay.slides.cache import Cache, code_of, fingerprint, key_of
from assay.slides.configuration import Configuration, Step
from assay.slides.features import NAMES, features_of
from assay.slides.reading import Annotation, Entry, Slide, open_slide
from assay.slides.reading.annotation_xml import Frame
from assay.slides.seeds import generator
from assay.slides.stain import Palette, normalised, palette_of
from assay.slides.tiles import Ground, Scale, Tiles, grid_tiles, patch_pixels, random_tiles, scale_of
from assay.slides.tissue import tissue_mask

_TILING = ("preparation", "tiles", "tissue", "reading/annotations", "reading/annotation_xml", "reading/slide")
_SEEING = ("features", "stain", "augmentation")


@dataclass(frozen=True)
class Task:
    """A slide to prepare, with all that the work needs: it may happen in another process."""

    entry: Entry
    configuration: Configuration
    template: Palette | None
    cache: Path


@dataclass(frozen=True)
class Grid:
    """Patches of a slide and what the light classifier sees of them (nothing, when another classifier looks)."""

    key: str
    tiles: Tiles
    features: NDArray[np.float32]


@dataclass(frozen=True)
class Prepared:
    """A slide as patches: those that may train, and those that inference looks at."""

    entry: Entry
    width: int
    height: int
    um_per_pixel: float
    scale: Scale
    training: Grid
    inference: Grid
    frame: Frame | None = None


def choices(step: Step, *left_out: str) -> dict[str, Any]:
    """The choices of a step as plain data, without what only people read."""
    return step.model_dump(mode="json", exclude={"assumed", "departs", "reason", *left_out})


def template_palette(entry: Entry, configuration: Configuration) -> Palette | None:
    """The colours that all slides shall have; None when colours stay as they are."""
    stain = configuration.stain
    if stain.method == "none" or not stain.done:
        return None
    with open_slide(entry.file, entry.um_per_pixel) as slide:
        palette = palette_of(slide, stain, configuration.tissue)
    if palette is None:
        fix = "Name another slide as stain.template."
        raise InputError(f'the template "{entry.slide}" shows no tissue', where=str(entry.file), fix=fix)
    return palette


def prepare(task: Task) -> Prepared:
    """Prepare one slide, from the cache where it can be."""
    entry, configuration = task.entry, task.configuration
    with open_slide(entry.file, entry.um_per_pixel) as slide:
        annotation = read_truth(entry, slide)
        patches = configuration.patches
        stride = None if patches.placement == "random" else patches.stride
        return Prepared(
            entry,
            slide.width,
            slide.height,
            slide.um_per_pixel,
            scale_of(slide, patches),
            _grid(task, slide, annotation, stride),
            _grid(task, slide, annotation, configuration.heatmap.stride),
            slide.frame,
        )


def read_truth(entry: Entry, slide: Slide) -> Annotation | None:
    """The annotation of a slide, which must agree with its class."""
    if entry.annotation is None:
        if entry.kind != "negative":
            fix = "Name its file in the column `annotation`, or leave the slide out."
            raise InputError(f'slide "{entry.slide}" is {entry.kind} and has no annotation', fix=fix)
        return None
    if entry.kind == "negative":
        fix = "Fix its class, or leave the column `annotation` empty."
        raise InputError(f'slide "{entry.slide}" is negative and has an annotation', fix=fix)
    return entry.drawn((slide.width, slide.height), slide.frame)


def read_stack(entry: Entry, tiles: Tiles, configuration: Configuration, template: Palette | None) -> NDArray[np.uint8]:
    """The pixels of some patches of a slide, with normalised colours."""
    size = configuration.patches.size
    out = np.zeros((len(tiles), size, size, 3), np.uint8)
    with open_slide(entry.file, entry.um_per_pixel) as slide:
        palette = palette_of(slide, configuration.stain, configuration.tissue)
        for chosen, stack in patch_pixels(slide, tiles, configuration.patches):
            out[chosen] = normalised(stack, palette, template, configuration.stain)
    return out


def _grid(task: Task, slide: Slide, annotation: Annotation | None, stride: int | None) -> Grid:
    """Patches with this stride, or at random places when there is none."""
    configuration, cache = task.configuration, Cache(task.cache)
    where = _where_key(task, stride)
    tiles = Tiles(**cache.arrays("tiles", where, lambda: _lay(task, slide, annotation, stride).arrays()))
    key = key_of(where, code_of(*_SEEING), _look(task))
    if configuration.classifier.architecture != "light":
        return Grid(key, tiles, np.zeros((len(tiles), 0), np.float32))
    seen = cache.arrays("features", key, lambda: {"features": _seen(task, slide, tiles)})
    return Grid(key, tiles, seen["features"])


def _where_key(task: Task, stride: int | None) -> str:
    """What decides where patches lie and how much tumour they hold."""
    entry, patches, tissue = task.entry, task.configuration.patches, task.configuration.tissue
    truth = [fingerprint(entry.annotation), *entry.tumour] if entry.annotation else []
    files = [fingerprint(entry.file), truth, entry.um_per_pixel]
    shape = [patches.level, patches.um_per_pixel, patches.size, patches.minimum_tissue, task.configuration.labels.core]
    luck = [entry.slide, task.configuration.seed + patches.seed, patches.per_slide] if stride is None else []
    return key_of(code_of(*_TILING), files, choices(tissue), shape, stride, luck)


def _look(task: Task) -> list[Any]:
    """What decides how patches look, besides where they lie."""
    augmentation, template = task.configuration.augmentation, task.template
    colours = [template.first.tolist(), template.second.tolist()] if template else []
    luck = [task.entry.slide, augmentation.seed + task.configuration.seed]
    crop = [augmentation.crop, augmentation.inference_crop, luck] if augmentation.done and augmentation.crop else []
    return [choices(task.configuration.stain, "template"), colours, crop]


def _lay(task: Task, slide: Slide, annotation: Annotation | None, stride: int | None) -> Tiles:
    patches = task.configuration.patches
    mask = tissue_mask(slide, task.configuration.tissue)
    ground = Ground(slide, mask, annotation, task.configuration.labels.core)
    if stride is not None:
        return grid_tiles(ground, patches, stride)
    rng = generator(task.configuration.seed, patches.seed, "places", task.entry.slide)
    return random_tiles(ground, patches, rng)


def _seen(task: Task, slide: Slide, tiles: Tiles) -> NDArray[np.float32]:
    """The features of each patch as inference sees it; turned and mirrored variants have the same."""
    configuration = task.configuration
    palette = palette_of(slide, configuration.stain, configuration.tissue)
    rng = generator(configuration.seed, configuration.augmentation.seed, "crop", task.entry.slide)
    out = np.zeros((len(tiles), len(NAMES)), np.float32)
    for chosen, stack in patch_pixels(slide, tiles, configuration.patches):
        coloured = normalised(stack, palette, task.template, configuration.stain)
        out[chosen] = features_of(next(for_inference(coloured, configuration.augmentation, rng)))
    return out
