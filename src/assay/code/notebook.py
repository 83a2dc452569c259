"""Jupyter notebooks as data: cells with their execution counts and errors, and the kernel. Outputs are dropped."""

from __future__ import annotations

from typing import Any

from assay.bounded import load_json
from assay.records import dataclass

_LONGEST_ERROR = 300


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `number` counts all cells from 1."""

    number: int
    kind: str
    """"code", "markdown" or "raw"."""
    text: str
    execution_count: int | None = None
    has_output: bool = False
    error: str = ""
    """The exception in a code cell's output, as in "NameError: name 'x' is not defined"."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook without its outputs. Missing metadata is empty."""

    cells: tuple[Cell, ...]
    language: str
    language_version: str
    kernel: str

    @property
    def code_cells(self) -> tuple[Cell, ...]:
        """The code cells."""
        return tuple(c for c in self.cells if c.kind == "code")


def read_notebook(text: str) -> Notebook:
    """Read a notebook from JSON (formats 3 and 4); a ValueError says what is wrong with it."""
    data = load_json(text)
    top = _dict(data)
    if "cells" not in top and "worksheets" not in top:
        raise ValueError("not a notebook: it has no cells")
    raw = [*_list(top.get("cells")), *(c for sheet in _dicts(top.get("worksheets")) for c in _list(sheet.get("cells")))]
    metadata = _dict(top.get("metadata"))
    kernel, language = _dict(metadata.get("kernelspec")), _dict(metadata.get("language_info"))
    return Notebook(
        cells=tuple(_cell(number, cell) for number, cell in enumerate(_dicts(raw), 1)),
        language=_text(language.get("name") or kernel.get("language")).lower(),
        language_version=_text(language.get("version")),
        kernel=_text(kernel.get("name") or kernel.get("display_name")),
    )


def _cell(number: int, cell: dict[str, Any]) -> Cell:
    kind = _text(cell.get("cell_type")) or "raw"
    text = _text(cell.get("source", cell.get("input", ""))).replace("\r\n", "\n").replace("\r", "\n")
    if kind != "code":
        return Cell(number, "markdown" if kind == "heading" else kind, text)
    count = cell.get("execution_count", cell.get("prompt_number"))
    outputs = _dicts(cell.get("outputs"))
    return Cell(
        number,
        kind,
        text,
        execution_count=count if isinstance(count, int) and not isinstance(count, bool) else None,
        has_output=bool(outputs),
        error=next((_error(o) for o in outputs if o.get("output_type") in {"error", "pyerr"}), ""),
    )


def _error(output: dict[str, Any]) -> str:
    name, value = _text(output.get("ename")), _text(output.get("evalue"))
    return f"{name or 'error'}: {value}".rstrip(": ")[:_LONGEST_ERROR]


def _text(value: object) -> str:
    """A string, or a list of lines joined; unpaired surrogates, which JSON allows, are replaced."""
    parts = value if isinstance(value, list) else [value]
    text = "".join(part for part in parts if isinstance(part, str))
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a list; an entry that is not an object becomes an empty cell."""
    return [_dict(item) for item in _list(value)]
