"""Pictures made fit to stand inside a page: no script, no outside reference, no identifier that clashes.

What is not known to be harmless is dropped, so that even a picture made from hostile labels cannot act.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from assay.patterns import regex
from assay.report.wording import visible

SVG = "http://www.w3.org/2000/svg"

_ELEMENTS = """
svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc clipPath mask pattern
linearGradient radialGradient stop marker image
"""
_ATTRIBUTES = """
id class style transform d x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy width height viewBox preserveAspectRatio points
pathLength offset rotate textLength lengthAdjust clipPathUnits gradientUnits gradientTransform spreadMethod
patternUnits patternContentUnits patternTransform maskUnits markerWidth markerHeight markerUnits refX refY orient
fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap
stroke-linejoin stroke-miterlimit opacity color stop-color stop-opacity font-family font-size font-weight font-style
text-anchor dominant-baseline alignment-baseline letter-spacing visibility display clip-path clip-rule mask
marker-start marker-mid marker-end vector-effect
"""
ELEMENTS, ATTRIBUTES = frozenset(_ELEMENTS.split()), frozenset(_ATTRIBUTES.split())
_PIXELS = regex(r"data:image/png;base64,[A-Za-z0-9+/\s]+={0,2}\s*")
"""A picture that lies in the page; no other address is kept."""
_REFERENCE = regex(r"url\(\s*['\"]?\s*#([\w.:-]+)\s*['\"]?\s*\)")
_ACTIVE = regex(r"url\s*\(|@import|expression|javascript|\\", re.IGNORECASE)


def harmless(source: str, prefix: str = "", label: str = "", title: str = "") -> str | None:
    """The picture with only what is known to be harmless; None when the source is no SVG.

    `prefix` keeps the identifiers of several pictures in one page apart; `label` is what a screen
    reader says, `title` what hovering shows.
    """
    try:
        root = ElementTree.fromstring(source)  # noqa: S314 - made by us, and expat bounds entity expansion
    except (ElementTree.ParseError, UnicodeEncodeError):
        return None
    if _name(root.tag) != "svg":
        return None
    picture = _kept(root, prefix)
    picture.set("xmlns", SVG)
    if label:
        picture.set("role", "img")
        picture.set("aria-label", visible(label))
    if title:
        heading = ElementTree.Element("title")
        heading.text = visible(title)
        picture.insert(0, heading)
    return ElementTree.tostring(picture, encoding="unicode")


def _kept(element: ElementTree.Element, prefix: str) -> ElementTree.Element:
    tag = _name(element.tag)
    copy = ElementTree.Element(tag, _attributes(element, tag, prefix))
    copy.text = visible(element.text or "")
    for child in element:
        if isinstance(child.tag, str) and _name(child.tag) in ELEMENTS:
            copy.append(_kept(child, prefix))
            copy[-1].tail = visible(child.tail or "")
    return copy


def _attributes(element: ElementTree.Element, tag: str, prefix: str) -> dict[str, str]:
    named = {_name(key): value for key, value in element.attrib.items()}
    safe = {name: _attribute(name, value, prefix) for name, value in named.items() if name != "href"}
    if "href" in named:
        safe["href"] = _pixels(named["href"]) if tag == "image" else _reference(named["href"], prefix)
    return {name: value for name, value in safe.items() if value is not None}


def _pixels(value: str) -> str | None:
    return value if _PIXELS.fullmatch(value) else None


def _reference(value: str, prefix: str) -> str | None:
    return f"#{prefix}{value[1:]}" if value.startswith("#") else None


def _attribute(name: str, value: str, prefix: str) -> str | None:
    if name not in ATTRIBUTES:
        return None
    if name == "id":
        return prefix + value
    if _ACTIVE.search(_REFERENCE.sub("", value)):
        return None
    return _REFERENCE.sub(lambda m: f"url(#{prefix}{m[1]})", value)


def _name(qualified: str) -> str:
    """The name without its namespace; a foreign namespace makes it a name that nothing knows."""
    space, _, name = qualified.rpartition("}")
    return name if space in ("", "{" + SVG, "{http://www.w3.org/1999/xlink") else qualified
