"""The file in which a person assesses a paper: YAML with a value, a quote and a place for each sub-component.

It is written with the proposals filled in and marked as such; reading it gives a `Record` with the lines.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.article.model import Component, Grade, Part, Record, all_parts, article_model
from assay.errors import InputError, suggestion
from assay.files import read_text
from assay.patterns import regex
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.article.proposals import Proposal

HEAD = ("paper", "by", "metric")
FIELDS = ("value", "quote", "where", "reason", "proposed")
_KNOWN = (*HEAD, "components", "parts")
_NOT_APPLICABLE = frozenset({"-", "–", "n/a", "na", "not applicable"})
_NUMBER = regex(r"\d{1,3}(?:\.\d{1,9})?|\d{1,3}\s*/\s*\d{1,3}")
_MAKE = "`assay paper FILE --assessment NEW.yaml` makes one."
_WIDTH, _LONGEST = 100, 20_000


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure that the file states although it follows from the grades, with its digits and its line."""

    text: str
    line: int | None = None

    @property
    def value(self) -> Fraction:
        """The figure."""
        return Fraction(self.text)

    @property
    def unit(self) -> Fraction:
        """One in the last digit."""
        return Fraction(1, 10 ** len(self.text.partition(".")[2]))


@dataclass(frozen=True)
class Assessment:
    """An assessed paper: the record, and what somebody had computed from it."""

    record: Record
    components: Mapping[str, Printed] = field(default_factory=dict)
    metric: Printed | None = None
    text: str = ""
    """The paper's own text, if it was given along; quotes are looked up in it."""


def assessment_form(paper: str, proposals: Iterable[Proposal]) -> str:
    """The file to edit, with every proposal filled in."""
    told = {proposal.part.id: proposal for proposal in proposals}
    lines = [
        "# Assessment by the Article Model (Cappelen & Mølnå, master thesis, NTNU 2018, section 3.2).",
        *_comment(
            "Read each quote, correct value and quote where they are wrong, then remove the line 'proposed': "
            "that confirms it. The value '-' says that the sub-component does not apply. No quote, no credit. "
            "The component and article metrics follow from the values and are not written here."
        ),
        "",
        f"paper: {_scalar(paper)}",
        "by:      # who assesses",
        "parts:",
    ]
    for component in article_model():
        lines += ["", f"  # --- {component.title} ---"]
        for part in component.parts:
            lines += ["", *_entry(part, told.get(part.id))]
    return "\n".join(lines) + "\n"


def _entry(part: Part, proposal: Proposal | None) -> list[str]:
    lines = [*_comment(f"{part.asks} {_scale(part)}", "  "), f"  {part.id}:"]
    if proposal is None:
        return [*lines, "    value:", "    quote:", "    where:"]
    lines.append(f"    value: {_figure(proposal.value)}")
    first, *more = proposal.passages or (None,)
    lines.append(f"    quote: {_scalar(first.text)}" if first else "    quote:")
    lines.append(f"    where: {_scalar(str(first.location))}" if first else "    where:")
    for passage in more:
        if passage:
            lines += _comment(f"also {passage.location}: {passage.text}", "    ")
    return [*lines, f"    proposed: {_scalar(f'assay, {proposal.confidence} confidence')}"]


def _scale(part: Part) -> str:
    if part.counted:
        return "Value: (provided + retrievable / 2) / all data sets, as 3/4 or 0.75; - if it does not apply."
    return "Value: " + "; ".join(f"{_figure(value)} {means}" for value, means in part.grades) + "; - does not apply."


def _figure(value: Fraction | None) -> str:
    if value is None:
        return '"-"'
    short = {Fraction(0): "0", Fraction(1, 2): "0.5", Fraction(1): "1"}
    return short.get(value, f"{value.numerator}/{value.denominator}")


def _comment(text: str, indent: str = "") -> list[str]:
    flat = " ".join(text.split())
    return textwrap.wrap(flat, _WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")


def _scalar(text: str) -> str:
    """Text as a YAML scalar that reads back as it is."""
    flat = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_assessment(path: Path) -> Assessment:
    """The assessment in a file."""
    return assessment_of(read_text(path), str(path))


def assessment_of(text: str, path: str) -> Assessment:
    """The same from its text; unknown sub-components and values off their scale are errors with their line."""
    from assay.plain_yaml import parse_yaml

    document, node = parse_yaml(text, path)
    if not isinstance(document, dict):
        raise InputError("is not an assessment", where=path, fix=_MAKE)
    lines = _lines(node)
    for key in document:
        if key not in _KNOWN:
            fix = suggestion(key, _KNOWN) or f"Known: {', '.join(_KNOWN)}."
            raise InputError(f'unknown key "{key}"', where=_at(path, lines.get((key,))), fix=fix)
    grades = _grades(_mapping(document.get("parts"), "parts", path, lines), path, lines)
    components = _components(_mapping(document.get("components"), "components", path, lines), path, lines)
    stated = _words(document.get("metric"))
    metric = _printed(stated, "metric", path, lines.get(("metric",))) if stated else None
    record = Record(grades, _words(document.get("paper")), _words(document.get("by")), path)
    return Assessment(record, components, metric)


def _grades(told: dict[str, Any], path: str, lines: Mapping[tuple[str, ...], int]) -> dict[str, Grade]:
    known = all_parts()
    grades = {}
    for key, entry in told.items():
        line = lines.get(("parts", key))
        where = _at(path, line)
        if key not in known:
            fix = suggestion(key, known) or "Remove it, or write it as a comment."
            raise InputError(f'"{key}" is no sub-component of the Article Model', where=where, fix=fix)
        fields = _fields(key, entry, where)
        text = fields.get("value", "").strip()
        if text:
            value = _value(known[key], text, where)
            quote = fields.get("quote", "") or (fields.get("reason", "") if value is None else "")
            grades[key] = Grade(value, quote, fields.get("where", ""), fields.get("proposed", ""), line)
    return grades


def _components(told: dict[str, Any], path: str, lines: Mapping[tuple[str, ...], int]) -> dict[str, Printed]:
    known: dict[str, Component] = {component.id: component for component in article_model()}
    printed = {}
    for key, text in told.items():
        line = lines.get(("components", key))
        if key not in known:
            fix = suggestion(key, known) or f"The components: {', '.join(known)}."
            raise InputError(f'"{key}" is no component of the Article Model', where=_at(path, line), fix=fix)
        if _words(text) and _words(text).lower() not in _NOT_APPLICABLE:
            printed[key] = _printed(_words(text), key, path, line)
    return printed


def _value(part: Part, text: str, where: str) -> Fraction | None:
    """A value on the part's scale; a rounded share of data sets is taken for the simplest share that it can be."""
    if text.lower() in _NOT_APPLICABLE:
        return None
    scale = "a share from 0 to 1, as 3/4" if part.counted else ", ".join(_figure(v) for v, _ in part.grades)
    wrong = InputError(f'{part.id}: "{text[:40]}" is not on its scale', where=where, fix=f"It takes {scale}, or -.")
    if not _NUMBER.fullmatch(text):
        raise wrong
    try:
        value = Fraction(text.replace(" ", ""))
    except ZeroDivisionError:
        raise wrong from None
    if value in part.values:
        return value
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2])) if "." in text else Fraction(0)
    near = [v for v in part.values if part.counted and abs(v - value) <= half]
    if not near:
        raise wrong
    return min(near, key=lambda v: (v.denominator, abs(v - value)))


def _printed(text: str, name: str, path: str, line: int | None) -> Printed:
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,9})?", text):
        raise InputError(f'{name}: "{text[:40]}" is no figure', where=_at(path, line), fix="Write it as 0.43.")
    return Printed(text, line)


def _mapping(told: object, name: str, path: str, lines: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    if told is None or told == "":
        return {}
    if not isinstance(told, dict):
        fix = "Write one entry a line, as name: value."
        raise InputError(f'"{name}" does not hold named entries', where=_at(path, lines.get((name,))), fix=fix)
    return told


def _fields(key: str, entry: object, where: str) -> dict[str, str]:
    if entry is None or isinstance(entry, str):
        return {"value": _words(entry)}
    if not isinstance(entry, dict):
        raise InputError(f"{key} is a list", where=where, fix="Write value:, quote: and where: below it.")
    for name in entry:
        if name not in FIELDS:
            fix = suggestion(name, FIELDS) or f"Known: {', '.join(FIELDS)}."
            raise InputError(f'{key}: unknown key "{name}"', where=where, fix=fix)
    return {name: _words(inner) for name, inner in entry.items()}


def _words(value: object) -> str:
    return value.strip()[:_LONGEST] if isinstance(value, str) else ""


def _at(path: str, line: int | None) -> str:
    return f"{path}:{line}" if line else path


def _lines(node: Any) -> dict[tuple[str, ...], int]:
    """The lines of the keys, and of the keys one level below."""
    found: dict[tuple[str, ...], int] = {}
    for key, value in node.value:
        found[(key.value,)] = key.start_mark.line + 1
        for inner in value.value if isinstance(value.value, list) else ():
            if isinstance(inner, tuple):
                found[(key.value, inner[0].value)] = inner[0].start_mark.line + 1
    return found
