"""Outlines in the XML of three viewers: ASAP, Aperio ImageScope, and Hamamatsu NDP.view.

ASAP and Aperio write pixels of level 0. Hamamatsu writes nanometres from the centre of the glass, so its files need
the slide's own frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.files import read_text
from assay.records import dataclass

Outline = tuple[str, list[Any]]
"""The group of an outline, and its points."""

_ELLIPSE = "2"
_MARKS = frozenset({"3", "4", "5"})
"""Aperio's types of regions that enclose nothing: arrow, ruler, counter."""
_CORNERS = 64
"""Corners of the polygon that stands for a circle or an ellipse."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the picture of a Hamamatsu slide lies on the glass."""

    um_per_pixel: tuple[float, float]
    offset_nm: tuple[float, float]
    """From the centre of the glass to the centre of the picture."""

    def pixels(self, x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
        """A place on the glass in pixels of level 0."""
        return (
            (x - self.offset_nm[0]) / (1000 * self.um_per_pixel[0]) + size[0] / 2,
            (y - self.offset_nm[1]) / (1000 * self.um_per_pixel[1]) + size[1] / 2,
        )


def xml_outlines(path: Path) -> list[Outline]:
    """The outlines of an ASAP or Aperio file."""
    root = _root(path)
    try:
        return list(_aperio(root) if root.find(".//Region") is not None else _asap(root))
    except (ValueError, TypeError, OverflowError):
        raise InputError("has coordinates without an order or place", where=str(path), fix="Export it again.") from None


def ndpa_outlines(path: Path, size: tuple[int, int], frame: Frame | None) -> list[Outline]:
    """The closed outlines of an NDPA file."""
    if frame is None:
        fix = "Use the .ndpi slide that the annotation was drawn on, or export the outlines as GeoJSON from QuPath."
        raise InputError("needs the offset that only a Hamamatsu slide states", where=str(path), fix=fix)
    try:
        return [
            (group, [frame.pixels(x, y, size) for x, y in points]) for group, points in _ndpa(_root(path), str(path))
        ]
    except InputError:
        raise
    except (ValueError, TypeError):
        raise InputError("has a point that is no place", where=str(path), fix="Export it again.") from None


def _root(path: Path) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(read_text(path).encode(), parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"is not XML ({error.msg})", where=str(path), fix="Export it again.") from None


def _asap(root: Any) -> Iterator[Outline]:
    for element in root.iter("Annotation"):
        points = [(c.get("X"), c.get("Y"), c.get("Order")) for c in element.iter("Coordinate")]
        points.sort(key=lambda p: int(float(p[2] or 0)))
        yield str(element.get("PartOfGroup", "")), [(x, y) for x, y, _ in points]


def _aperio(root: Any) -> Iterator[Outline]:
    """Each region with the name of its layer; a negative region is cut out."""
    for layer in root.iter("Annotation"):
        for region in layer.iter("Region"):
            if region.get("Type") not in _MARKS:
                group = "normal" if region.get("NegativeROA") == "1" else str(layer.get("Name", ""))
                yield group, _aperio_points(region)


def _aperio_points(region: Any) -> list[Any]:
    points = [(vertex.get("X"), vertex.get("Y")) for vertex in region.iter("Vertex", "V")]
    if region.get("Type") == _ELLIPSE and len(points) == 2:
        return _ellipse_between(*[(float(x), float(y)) for x, y in points])
    return points


def _ndpa(root: Any, where: str) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    for view in root.iter("ndpviewstate"):
        drawn = view.find("annotation")
        if drawn is None or drawn.findtext("closed") == "0":
            continue
        if (view.findtext("coordformat") or "nanometers").strip() != "nanometers":
            raise InputError("has coordinates that are not nanometres", where=where, fix="Save it in NDP.view again.")
        yield str(view.findtext("title") or ""), _ndpa_points(drawn)


def _ndpa_points(drawn: Any) -> list[tuple[float, float]]:
    if drawn.get("type") == "circle":
        x, y, radius = (float(drawn.findtext(name)) for name in ("x", "y", "radius"))
        return _ellipse_between((x - radius, y - radius), (x + radius, y + radius))
    return [(float(p.findtext("x")), float(p.findtext("y"))) for p in drawn.iter("point")]


def _ellipse_between(one: tuple[float, float], other: tuple[float, float]) -> list[Any]:
    """The ellipse that fills the box with these two corners."""
    centre = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
    half = [abs(a - b) / 2 for a, b in zip(one, other, strict=True)]
    turns = [2 * math.pi * corner / _CORNERS for corner in range(_CORNERS)]
    return [(centre[0] + half[0] * math.cos(turn), centre[1] + half[1] * math.sin(turn)) for turn in turns]
