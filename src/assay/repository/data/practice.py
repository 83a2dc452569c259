"""How data are held out, prepared and learnt from: the calls and names that show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from assay.code import Source
from assay.code.names import last_name, spelt
from assay.findings import Confidence, Location
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Role, Row, Trait
from assay.repository.data.facts import Preparation, PreparationKind, Split, SplitKind
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.data", "calls.toml")
_KINDS = {
    Role.SPLIT: SplitKind.HOLD_OUT,
    Role.SPLITTER: SplitKind.CROSS_VALIDATION,
    Role.CROSS_VALIDATE: SplitKind.CROSS_VALIDATION,
    Role.SEARCH: SplitKind.CROSS_VALIDATION,
    Role.STOPPER: SplitKind.EARLY_STOPPING,
}


def _kind(row: Row) -> SplitKind | None:
    """What a call of a library says of how rows are held out."""
    if Trait.HOLDS_OUT_SHARE in row.traits:
        return SplitKind.HOLD_OUT
    if Trait.DOES_NOT_CHOOSE in row.traits:
        return SplitKind.MONITORING if Trait.MONITORS in row.traits else None
    return _KINDS.get(row.role)


_SPLITS = {
    **{name: kind for name, row in catalogue().described(_KINDS) if (kind := _kind(row)) is not None},
    **dict.fromkeys(_WORDS.listed("hold_out"), SplitKind.HOLD_OUT),
    **dict.fromkeys(_WORDS.listed("search_inside"), SplitKind.CROSS_VALIDATION),
    "EarlyStopper": SplitKind.EARLY_STOPPING,
}
"""By the last name; names beside those of the tables are functions of research code, and models that search inside."""
_VALIDATING = _WORDS.words("validating")
_VALIDATION_NAME = _WORDS.pattern("validation_names")
_TEST_NAME = _WORDS.pattern("test_names")
_NAMED = (
    (
        {"eval_": (), "val": ("u",), "Val": ("u",), "VAL": ("U",), "dev": ("ice", "elop"), "DEV": ("ICE",)},
        _VALIDATION_NAME,
        SplitKind.VALIDATION,
    ),
    (
        dict.fromkeys(("test", "Test", "TEST", "train=False", "train = False", "train =False", "train= False"), ()),
        _TEST_NAME,
        SplitKind.HOLD_OUT,
    ),
)  # fmt: skip
"""Words that hint at a name, with what may not follow them; the name; and the kind of split that it means."""
_NEAR = 60
_PREPARES = _WORDS.words("prepare")
_TRAINS = _WORDS.words("train")
_MAY_TRAIN = _TRAINS | {"step"}
_BOOSTERS = _WORDS.words("boosters")
_NO_MODEL = _WORDS.pattern("no_models")


def splits_at(source: Source) -> Iterator[Split]:
    """Calls that hold data out, arguments that say with what to validate, and names of validation sets."""
    for call in source.calls.of(_SPLITS, keywords=_VALIDATING):
        last = last_name(call.func)
        kind = _SPLITS.get(last)
        if kind is not None and (last != "ModelCheckpoint" or "val" in spelt(call)[:300]):
            yield Split(kind, spelt(call)[:120], source.location(call))
        elif call.keywords and not _VALIDATING.isdisjoint(k.arg for k in call.keywords):
            yield Split(SplitKind.VALIDATION, spelt(call)[:120], source.location(call))
    text = source.text
    for hints, pattern, said in _NAMED:
        spot, name = _first_name(text, hints, pattern)
        if name:
            place = source.location(text.count("\n", 0, spot) + 1)
            yield Split(said, name, place, Confidence.MEDIUM)


def _first_name(text: str, hints: Mapping[str, tuple[str, ...]], pattern: re.Pattern[str]) -> tuple[int, str]:
    """The first match of a slow pattern, looked for only around the hints."""
    past = 0
    for spot, end in sorted(hint for word, after in hints.items() for hint in _places(text, word, after)):
        if spot >= past:  # not a hint inside another
            past = end
            start = max(text.rfind("\n", 0, spot) + 1, spot - _NEAR)
            match = pattern.search(text[start : end + _NEAR])
            if match is not None:
                return start + match.start(), match[0]
    return 0, ""


def _places(text: str, word: str, after: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """From where to where a word stands, but for those that go on like this; much faster than a pattern."""
    spot = text.find(word)
    while spot >= 0:
        end = spot + len(word)
        if not text.startswith(after, end):
            yield spot, end
        spot = text.find(word, end)


def preparations_at(source: Source) -> Iterator[Preparation]:
    """Calls that turn raw data into inputs."""
    for call in source.calls.of(_PREPARES):
        yield Preparation(PreparationKind.CODE, last_name(call.func), source.location(call))


def trains_at(source: Source) -> tuple[Location, ...]:
    """Where a file fits or optimises a model."""
    return source.once(_training)


def _training(source: Source) -> tuple[Location, ...]:
    methods = ((call, call.func) for call in source.calls.of(_MAY_TRAIN) if isinstance(call.func, ast.Attribute))
    return tuple(source.location(call) for call, method in methods if _is_training(call, method))


def _is_training(call: ast.Call, method: ast.Attribute) -> bool:
    receiver = last_name(method.value) or last_name(getattr(method.value, "func", method))
    if method.attr == "train":  # of a network it only switches the mode
        by_name = "trainer" in receiver.lower() or receiver in _BOOSTERS
        return by_name or any(k.arg not in {None, "mode"} for k in call.keywords)
    if method.attr == "step":
        return "optim" in receiver.lower()
    return method.attr in _TRAINS and not _NO_MODEL.search(receiver)
