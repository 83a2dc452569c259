"""Places as the whole submission knows them: each piece's paths become those that its name stands for."""

from __future__ import annotations

import posixpath
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from assay.audit.submission import Kind, Piece
from assay.findings import Location

Thing = TypeVar("Thing")


def placed(thing: Thing, piece: Piece) -> Thing:
    """The same report, facts or finding, with every place named as the submission names it."""
    return _placed(thing, piece)  # type: ignore[no-any-return] # a dataclass gives one of its own kind


def _placed(thing: Any, piece: Piece) -> Any:
    if isinstance(thing, Location):
        return replace(thing, path=_path(thing.path, piece))
    if isinstance(thing, tuple):
        return tuple(_placed(part, piece) for part in thing)
    if isinstance(thing, str):
        return _renamed(thing, piece)
    if is_dataclass(thing) and not isinstance(thing, type):
        changes = {f.name: _placed(getattr(thing, f.name), piece) for f in fields(thing) if f.init}
        return replace(thing, **{k: v for k, v in changes.items() if v is not getattr(thing, k)})
    return thing


def _path(path: str, piece: Piece) -> str:
    if piece.kind is Kind.REPOSITORY:
        return posixpath.join(piece.name, path) if piece.name else path
    if piece.member:  # the tree is the whole archive
        return path if path == piece.name else piece.name.removesuffix(piece.member) + path
    if path in {str(piece.path), piece.path.name, piece.name}:
        return piece.name
    if piece.kind is Kind.PAPER:  # another file of the same LaTeX tree
        return posixpath.join(posixpath.dirname(piece.name) if not piece.path.is_dir() else piece.name, path)
    return path


def _renamed(text: str, piece: Piece) -> str:
    """Sentences name files by the path that was opened."""
    opened = str(piece.path)
    if piece.kind is Kind.REPOSITORY or opened in {piece.name, "."} or opened not in text:
        return text
    return text.replace(opened, piece.name)
