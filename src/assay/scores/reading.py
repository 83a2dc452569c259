"""Files and words → experiments, each with its place in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from assay.bounded import load_toml
from assay.errors import InputError
from assay.files import read_text, validated
from assay.findings import Location
from assay.plain_yaml import parse_yaml
from assay.scores.compilation import experiment_of
from assay.scores.definitions import known_names
from assay.scores.sheets.files import is_sheet, read_sheet
from assay.scores.sheets.rows import read_rows
from assay.scores.study import ExperimentModel, StudyModel, nested, put_once
from assay.scores.tasks import AnyExperiment
from assay.tables import FORMATS


class _Digits(str):
    """A number of a file, still as it was written."""

    __slots__ = ()


def read_words(words: Iterable[str], defaults: Mapping[str, object] | None = None) -> AnyExperiment:
    """``p=1000 n=6000 acc=0.68 sens_sd=0.02`` as an experiment."""
    return experiment_of(words_as_data(words), where="", defaults=defaults)


def words_as_data(words: Iterable[str]) -> dict[str, object]:
    """``name=value`` words as the data that `ExperimentModel` takes."""
    pairs = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise InputError(f'"{word}" is not of the form name=value', fix="Write acc=0.93.")
        pairs.append((name.strip(), value.strip()))
    return nested(pairs, where="command line")


def read_file(path: Path, defaults: Mapping[str, object] | None = None) -> Iterator[AnyExperiment]:
    """The experiments of a file, by its ending: .toml, .yaml, .yml, .json, or a table."""
    readers = {".toml": _toml, ".yaml": _yaml, ".yml": _yaml, ".json": _json}
    if is_sheet(path):
        return _rows(path, defaults or {})
    text = read_text(path)
    if not text.strip():
        raise InputError("is empty", where=str(path), fix="A study needs at least one [[experiment]].")
    suffix = path.suffix.lower()
    if suffix not in readers:
        known = ", ".join([*readers, *FORMATS])
        raise InputError(f'unknown file ending "{suffix}"', where=str(path), fix=f"Known: {known}.")
    document, lines = readers[suffix](text, str(path))
    return _experiments(document, lines, str(path), defaults or {})


def _experiments(
    document: object, lines: list[int], path: str, defaults: Mapping[str, object]
) -> Iterator[AnyExperiment]:
    if isinstance(document, dict) and "scores" in document and "experiment" not in document:
        document = {"experiment": [document]}
    _refuse_stray_scores(document, path)
    validated(StudyModel, document, where=path)
    if not isinstance(document, dict):  # pragma: no cover - validation has just refused it
        raise TypeError
    shared = {**defaults, **{k: v for k, v in document.items() if k != "experiment"}}
    for index, data in enumerate(document["experiment"]):
        line = lines[index] if index < len(lines) else None
        end = lines[index + 1] - 1 if index + 1 < len(lines) else None
        name = data.get("name") or f"experiment {index + 1}"
        place = Location(path, line, end_line=end if end is not None else (line and 10**9))
        yield experiment_of({**data, "name": name}, where=f"{place}: {name}", location=place, defaults=shared)


def _refuse_stray_scores(document: object, path: str) -> None:
    """A score beside p and n, where a command line has it, belongs among the scores of a file."""
    rows = document.get("experiment") if isinstance(document, dict) else None
    for row in rows if isinstance(rows, list) else ():
        for key in row if isinstance(row, dict) else ():
            if key not in ExperimentModel.model_fields and key in known_names():
                fix = f'Put it among the scores: scores = {{ {key} = "{row[key]}" }}.'
                raise InputError(f'"{key}" is a score', where=path, fix=fix)


def _toml(text: str, path: str) -> tuple[object, list[int]]:
    try:
        document = load_toml(text, parse_float=_Digits)
    except ValueError as error:  # also for a number of more digits than Python converts
        raise InputError(f"not valid TOML: {error}", where=path, fix="Correct the file.") from None
    header = re.compile(r"\s*\[\[\s*experiment\s*\]\]")
    return document, [i for i, line in enumerate(text.splitlines(), 1) if header.match(line)]


def _json(text: str, path: str) -> tuple[object, list[int]]:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in items:
            put_once(out, key, value, path)
        return out

    try:
        return json.loads(text, parse_float=_Digits, object_pairs_hook=pairs, parse_constant=_Digits), []
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise InputError(f"not valid JSON: {error.msg}", where=where, fix="Correct the file.") from None
    except InputError:
        raise
    except ValueError as error:  # a number of more digits than Python converts
        raise InputError(f"not valid JSON: {error}", where=path, fix="Correct the file.") from None
    except RecursionError:
        raise InputError("is nested too deeply", where=path, fix="A study is two or three levels deep.") from None


def _yaml(text: str, path: str) -> tuple[object, list[int]]:
    document, node = parse_yaml(text, path)
    lines = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "experiment" and isinstance(value, yaml.SequenceNode):
                lines = [item.start_mark.line + 1 for item in value.value]
    return document, lines


def _rows(path: Path, defaults: Mapping[str, object]) -> Iterator[AnyExperiment]:
    """One experiment a row; here, unlike in a check of the table, a cell that cannot be read is an error."""
    sheet = read_sheet(path)
    for row in read_rows(sheet, defaults):
        if row.messages or row.experiment is None:
            raise InputError(row.remarks.rstrip("."), where=f"{sheet.name}:{row.row.line}", fix="Correct the row.")
        yield row.experiment
