"""A filled checklist: the file that a person edits, YAML or a Markdown form, as plain facts with lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.checklists.definition import NOT_APPLICABLE, Answers, Checklist, Item
from assay.errors import InputError, suggestion
from assay.files import read_text
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

HEAD = ("checklist", "version", "subject", "by", "date")
FIELDS = ("answer", "evidence", "reason", "proposed")
_LONGEST = 20_000
_HEADING = regex(r"### +(?P<id>[A-Za-z0-9][\w.-]{0,40})\. ")
_LABEL = regex(rf"\*\*(?P<name>{'|'.join(FIELDS)}):\*\*[ \t]*(?P<rest>.*)", re.IGNORECASE)
_TOP = regex(rf"(?P<name>{'|'.join(HEAD)}):[ \t]*(?P<rest>.*)", re.IGNORECASE)
_SAME_AS = {"n/a": NOT_APPLICABLE, "na": NOT_APPLICABLE, "n.a.": NOT_APPLICABLE, "true": "yes", "false": "no"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to one item; all of it may be empty. `proposed` names who proposed it, until confirmed."""

    item: Item
    text: str = ""
    evidence: str = ""
    reason: str = ""
    proposed: str = ""
    location: Location | None = None

    @property
    def given(self) -> bool:
        """Whether there is an answer at all."""
        return bool(self.text)

    @property
    def applies(self) -> bool:
        """False when the item was declared not applicable."""
        return self.text != NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Filled:
    """A checklist with its answers, one for every item, in the checklist's order."""

    checklist: Checklist
    answers: tuple[Answer, ...]
    path: str = ""
    version: str = ""
    subject: str = ""
    by: str = ""
    date: str = ""

    def answer(self, key: str) -> Answer | None:
        """The answer to the item with this id."""
        return next((a for a in self.answers if a.item.id == key), None)

    @property
    def outdated(self) -> bool:
        """Whether it was filled from another version of the checklist."""
        return bool(self.version) and self.version != self.checklist.version

    def __repr__(self) -> str:
        done = sum(a.given for a in self.answers)
        about = f" about {self.subject}" if self.subject else ""
        return f"<{self.checklist.title}{about}: {done} of {len(self.answers)} answered>"

    def _repr_html_(self) -> str:
        """How notebooks show it."""
        from assay.checklists.report import report_of

        return report_of([self])._repr_html_()


@dataclass(frozen=True, slots=True)
class _Raw:
    """The text of a file, cut into its parts but not yet understood."""

    head: dict[str, str]
    answers: dict[str, dict[str, str]]
    lines: dict[str, int]


def read_filled(path: Path) -> Filled:
    """The filled checklist in a file."""
    return filled_of(read_text(path), str(path), beside=path.parent)


def filled_of(text: str, path: str, beside: Path | None = None) -> Filled:
    """The same from its text. The file names its checklist; unknown items and wrong kinds of answers are errors."""
    from assay.checklists.files import load

    raw = _from_markdown(text) if path.lower().endswith((".md", ".markdown")) else _from_yaml(text, path)
    name = raw.head.get("checklist", "")
    if not name:
        fix = 'Begin with "checklist: NAME"; `assay checklist new NAME` makes such a file.'
        raise InputError("does not say which checklist it fills", where=path, fix=fix)
    checklist = load(name, beside)
    for key, line in raw.lines.items():
        if checklist.item(key) is None:
            fix = suggestion(key, [item.id for item in checklist]) or "Remove it, or write it as a comment."
            raise InputError(f'"{key}" is no item of {checklist.title}', where=f"{path}:{line}", fix=fix)
    answers = tuple(_answer(item, raw, checklist, path) for item in checklist)
    return Filled(checklist, answers, path, *(raw.head.get(key, "") for key in HEAD[1:]))


def _answer(item: Item, raw: _Raw, checklist: Checklist, path: str) -> Answer:
    told = raw.answers.get(item.id, {})
    place = Location(path, raw.lines.get(item.id))
    text = told.get("answer", "")
    short = text.strip().rstrip(".").lower()
    if _SAME_AS.get(short, short) == NOT_APPLICABLE:
        text = NOT_APPLICABLE
    elif checklist.accepted(item):
        text = _chosen(text, item, checklist, place)
    elif item.answer is Answers.NUMBER and text:
        _check_number(text, item, place)
    return Answer(item, text, told.get("evidence", ""), told.get("reason", ""), told.get("proposed", ""), place)


def _chosen(text: str, item: Item, checklist: Checklist, place: Location) -> str:
    """One of the words that the item accepts, however it was capitalised."""
    if not text:
        return ""
    wanted = text.strip().rstrip(".").lower()
    accepted = {word.lower(): word for word in checklist.accepted(item)}
    known = accepted.get(_SAME_AS.get(wanted, wanted))
    if known is None:
        words = ", ".join(checklist.accepted(item))
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise InputError(f'item {item.id}: "{shown}" is no answer to it', where=str(place), fix=f"It takes: {words}.")
    return known


def _check_number(text: str, item: Item, place: Location) -> None:
    if not re.fullmatch(r"[-+]?\d{1,30}([.,]\d{1,30})?\s?%?", text.strip()):
        raise InputError(f'item {item.id}: "{text[:40]}" is no number', where=str(place), fix="It takes a number.")


def _from_yaml(text: str, path: str) -> _Raw:
    import yaml

    from assay.plain_yaml import parse_yaml

    document, node = parse_yaml(text, path)
    if not isinstance(document, dict) or not isinstance(node, yaml.MappingNode):
        raise InputError("is not a filled checklist", where=path, fix="`assay checklist new NAME` makes one.")
    for key in document:
        if key not in (*HEAD, "answers"):
            fix = suggestion(key, (*HEAD, "answers")) or f"Known: {', '.join((*HEAD, 'answers'))}."
            raise InputError(f'unknown key "{key}"', where=path, fix=fix)
    answers = document.get("answers") or {}
    lines = {k.value: k.start_mark.line + 1 for k in _keys(node, "answers")}
    if not isinstance(answers, dict):
        raise InputError('"answers" is not a list of items', where=path, fix="Write each as an item with its answer.")
    told = {key: _fields(key, value, f"{path}:{lines.get(key, 1)}") for key, value in answers.items()}
    head = {key: _words(document.get(key)) for key in HEAD}
    return _Raw(head, told, lines)


def _keys(node: Any, name: str) -> Iterator[Any]:
    """The keys of the mapping at a key of a mapping."""
    for key, value in node.value:
        if key.value == name and hasattr(value, "value") and isinstance(value.value, list):
            yield from (inner[0] for inner in value.value if isinstance(inner, tuple))


def _fields(key: str, value: object, where: str) -> dict[str, str]:
    if value is None or isinstance(value, str):
        return {"answer": _words(value)}
    if not isinstance(value, dict):
        raise InputError(f"item {key} is a list", where=where, fix="Write one answer: text, or answer: and evidence:.")
    for name in value:
        if name not in FIELDS:
            fix = suggestion(name, FIELDS) or f"Known: {', '.join(FIELDS)}."
            raise InputError(f'item {key}: unknown key "{name}"', where=where, fix=fix)
    return {name: _words(inner) for name, inner in value.items()}


def _words(value: object) -> str:
    """Text, or the lines of a list, of at most a reasonable length."""
    if isinstance(value, list):
        value = "; ".join(v for v in value if isinstance(v, str))
    return value.strip()[:_LONGEST] if isinstance(value, str) else ""


def _from_markdown(text: str) -> _Raw:
    """The form that `assay checklist new --markdown` makes: an item's heading, then labelled answers."""
    head: dict[str, str] = {}
    told: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    here: dict[str, str] | None = None
    label = ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.match(line)
        top = _TOP.match(line) if not lines else None
        labelled = _LABEL.match(line.strip())
        if heading:
            here, label = told.setdefault(heading["id"], {}), ""
            lines.setdefault(heading["id"], number)
        elif line.startswith("#"):
            label = ""
        elif top:
            head[top["name"].lower()] = top["rest"].strip()
        elif labelled and here is not None:
            label = labelled["name"].lower()
            here[label] = labelled["rest"].strip()
        elif label and here is not None and line.strip():
            here[label] = f"{here[label]} {line.strip()}".strip()[:_LONGEST]
    return _Raw(head, told, lines)
