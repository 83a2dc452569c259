"""Slides as people look at them: the thumbnail with its tissue, the patches, the heat map.

A wrong level, offset or threshold is seen at once here and hides well in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from assay.findings import Figure
from assay.records import dataclass
from assay.report.drawing import shortened, svg_of
from assay.slides.pipeline import Result, Start
from assay.slides.preparation import Prepared
from assay.slides.reading import Slide, open_slide
from assay.slides.slide_model import positive
from assay.slides.tissue import tissue_mask

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    Pixels = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

MOST_SLIDES = 3
_SIDE = 240
"""Pixels along the longer side of a thumbnail."""
_TISSUE, _PATCH, _TUMOUR = (0, 114, 178), (60, 60, 60), (213, 94, 0)
"""Colours that colour-blind readers tell apart (Okabe and Ito)."""
_PANELS = ("tissue (blue), tumour (orange)", "patches (those of tumour in orange)", "heat map (0 yellow, 1 black)")


@dataclass(frozen=True, slots=True)
class Shown:
    """One slide with the three pictures of it."""

    words: str
    panels: tuple[Pixels, Pixels, Pixels]


def slide_pictures(start: Start, result: Result) -> Figure | None:
    """The slides of the last measured set that the model gets most wrong, with tumour and without."""
    measured = start.configuration.metrics.sets[-1:]
    places = [i for i, one in enumerate(start.slides) if start.sets[one.entry.slide] in measured]
    if not places:
        return None
    shown = [_drawn_slide(start, result, i) for i in _telling(places, start, result)[:MOST_SLIDES]]

    def draw(drawing: Drawing) -> None:
        grid = drawing.subplots(len(shown), 3, squeeze=False)
        for row, one in zip(grid, shown, strict=True):
            for panel, pixels in zip(row, one.panels, strict=True):
                panel.imshow(pixels, interpolation="none")
                panel.set(xticks=[], yticks=[])
                panel.spines[:].set_visible(False)
            row[0].set_title(one.words, loc="left")
        for panel, words in zip(grid[-1], _PANELS, strict=True):
            panel.set_xlabel(words)

    told = "; ".join(one.words for one in shown)
    title = f"Set {measured[0]}: {len(shown)} of {len(places)} slides, those with the worst scores of their class"
    return Figure(title, svg_of(2.75 * len(shown) + 0.35, draw, tidy=True), f"{', '.join(_PANELS)}. {told}.")


def _telling(places: Sequence[int], start: Start, result: Result) -> list[int]:
    """The worst of each class first, then the second worst of each."""
    choice = start.configuration.slide
    wanted = {i: positive(start.slides[i].entry.kind, choice) for i in places}
    wrong = {i: abs(float(wanted[i]) - float(result.slides.scores[i])) for i in places}
    order = sorted(places, key=lambda i: (-wrong[i], start.slides[i].entry.slide))
    rank = {i: sum(wanted[j] == wanted[i] for j in order[: order.index(i)]) for i in order}
    return sorted(order, key=lambda i: rank[i])


def _drawn_slide(start: Start, result: Result, place: int) -> Shown:
    prepared, heat = start.slides[place], result.heats[place]
    entry = prepared.entry
    with open_slide(entry.file, entry.um_per_pixel) as slide:
        picture = _thumbnail(slide)
        tissue = _fitted(tissue_mask(slide, start.configuration.tissue), picture)
    tumour = _tumour(prepared, picture)
    outlined = _blended(_blended(picture, _edge(tissue), _TISSUE), _edge(tumour), _TUMOUR)
    words = f"{shortened(entry.slide, 30)}: {entry.kind}, score {result.slides.scores[place]:.3f}"
    return Shown(words, (outlined, _patches(prepared, picture, tumour), _heated(heat.values, heat.tissue, picture)))


def _thumbnail(slide: Slide) -> Pixels:
    level = slide.nearest_level(max(slide.width, slide.height) / _SIDE)
    whole = Image.fromarray(slide.whole(level))
    whole.thumbnail((_SIDE, _SIDE))
    return np.asarray(whole)


def _tumour(prepared: Prepared, picture: Pixels) -> Mask:
    found = prepared.entry.drawn((prepared.width, prepared.height), prepared.frame)
    if found is None:
        return np.zeros(picture.shape[:2], bool)
    return found.raster(prepared.width / picture.shape[1], (picture.shape[0], picture.shape[1]))


def _patches(prepared: Prepared, picture: Pixels, tumour: Mask) -> Pixels:
    """The outline of every patch that inference looks at; where they overlap, the outlines do too."""
    tiles, scale = prepared.inference.tiles, prepared.width / picture.shape[1]
    edges = np.zeros((2, *picture.shape[:2]), bool)
    reach = max(2, round(prepared.scale.reach / scale))
    for x, y, centre in zip((tiles.x / scale).astype(int), (tiles.y / scale).astype(int), tiles.centre, strict=True):
        box = edges[int(centre), y : y + reach, x : x + reach]
        box[:1] = box[-1:] = True
        box[:, :1] = box[:, -1:] = True
    pale = (255 - (255 - picture.astype(int)) // 2).astype(np.uint8)
    drawn = _blended(_blended(pale, edges[0], _PATCH, 0.35), edges[1], _TUMOUR, 0.8)
    return _blended(drawn, _edge(tumour), _TUMOUR)


def _heated(values: NDArray[np.float32], tissue: Mask, picture: Pixels) -> Pixels:
    import matplotlib as mpl

    shares = np.clip(_fitted(values, picture), 0, 1)
    coloured = (mpl.colormaps["inferno_r"](0.1 + 0.8 * shares)[..., :3] * 255).astype(np.uint8)
    pale = (255 - (255 - picture.astype(int)) // 4).astype(np.uint8)
    return np.where(_fitted(tissue, picture)[..., None], coloured, pale)


def _fitted(mask: NDArray[Any], picture: Pixels) -> NDArray[Any]:
    """A map of the whole slide at the size of its thumbnail, each cell as a square."""
    height, width = picture.shape[:2]
    rows = np.arange(height) * mask.shape[0] // height
    columns = np.arange(width) * mask.shape[1] // width
    return mask[np.ix_(rows, columns)]


def _edge(mask: Mask) -> Mask:
    return np.asarray(mask & ~ndimage.binary_erosion(mask))


def _blended(picture: Pixels, where: Mask, colour: Sequence[int], share: float = 1.0) -> Pixels:
    mixed = picture * (1 - share) + np.array(colour) * share
    return np.where(where[..., None], mixed, picture).astype(np.uint8)
