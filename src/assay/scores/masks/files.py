"""Which files of a folder are masks, and which field of view belongs to which mask."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

from assay.errors import InputError
from assay.scores.setups import name_tokens

_SUFFIXES = frozenset({".png", ".tif", ".tiff", ".gif", ".bmp", ".pbm", ".pgm", ".ppm", ".jpg", ".jpeg"})


def images_in(folder: Path, pattern: str = "*") -> tuple[list[Path], list[str]]:
    """The images in a folder in natural order, and what else is there with the reason to leave it out."""
    try:
        root = folder.resolve(strict=True)
        entries = sorted(folder.iterdir(), key=lambda entry: (_natural(entry.stem), entry.name))
    except (OSError, RuntimeError) as problem:
        raise InputError("this is not a folder that can be read", where=shown(folder)) from problem
    images: dict[str, Path] = {}
    left_out: list[str] = []
    for entry in entries:
        if not fnmatch(entry.name, pattern):
            continue
        if reason := _reason_to_leave_out(entry, root):
            left_out.append(f"{shown(entry.name)}: {reason}")
        elif entry.stem in images:
            both = f"{shown(images[entry.stem].name)} and {shown(entry.name)}"
            raise InputError(f"{both} are one image twice", where=shown(folder), fix="Choose with --pattern '*.png'.")
        else:
            images[entry.stem] = entry
    if not images:
        kinds = ", ".join(sorted(suffix[1:] for suffix in _SUFFIXES))
        raise InputError(f"no image matches {pattern}", where=shown(folder), fix=f"Images are {kinds} files.")
    return list(images.values()), left_out


def _reason_to_leave_out(entry: Path, root: Path) -> str:
    try:
        if not entry.resolve(strict=True).is_relative_to(root):
            return "a link out of the folder, not followed"
        if not entry.is_file():
            return "not a file"
    except (OSError, RuntimeError):
        return "a link to nowhere, or not readable"
    return "" if entry.suffix.lower() in _SUFFIXES else "not an image by its name"


def _natural(stem: str) -> tuple[tuple[int, str], ...]:
    """Sorts 2 before 10: a number with more digits is larger."""
    return tuple((len(token) if token.isdigit() else 0, token) for token in name_tokens(stem))


def shown(path: Path | str) -> str:
    """A file name that can be printed whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def partners(files: Sequence[Path], fov: Path, match: str | None) -> tuple[dict[Path, Path], list[str]]:
    """The field of view of each mask, and what was left out of their folder.

    A mask without exactly one candidate, or two masks with the same one, are errors: a wrong pair
    would give wrong counts in silence.
    """
    if fov.is_file():
        return dict.fromkeys(files, fov), []
    fields, left_out = images_in(fov)
    candidates = _by_beginning(files, fields) if match is None else _by_expression(files, fields, match)
    taken: dict[Path, Path] = {}
    for file in files:
        found = candidates[file]
        if len(found) != 1:
            listed = f": {', '.join(shown(path.name) for path in found[:5])}" if found else ""
            raise InputError(
                f"{shown(file.name)} needs one field of view, and {len(found)} files fit its name{listed}",
                where=shown(fov),
                fix="Name the files alike, or give a regular expression for what the names must share: "
                "--match '([0-9]+)'.",
            )
        if found[0] in taken:
            raise InputError(
                f"{shown(taken[found[0]].name)} and {shown(file.name)} share the field of view {shown(found[0].name)}",
                where=shown(fov),
                fix="Choose the masks of one annotator: --pattern '*_manual1.*'.",
            )
        taken[found[0]] = file
    return {file: field for field, file in taken.items()}, [f"{shown(fov.name)}/{item}" for item in left_out]


def _by_beginning(files: Sequence[Path], fields: Sequence[Path]) -> Mapping[Path, list[Path]]:
    """Fields of view of the same name, or else those that share the longest beginning with a number in it."""
    named: defaultdict[tuple[str, ...], list[Path]] = defaultdict(list)
    beginnings: defaultdict[tuple[str, ...], list[Path]] = defaultdict(list)
    for field in fields:
        tokens = name_tokens(field.stem)
        named[tokens].append(field)
        for length in range(1, len(tokens) + 1):
            beginnings[tokens[:length]].append(field)
    wanted = {file: name_tokens(file.stem) for file in files}
    return {file: named.get(tokens) or _begun_alike(tokens, beginnings) for file, tokens in wanted.items()}


def _begun_alike(tokens: tuple[str, ...], beginnings: Mapping[tuple[str, ...], list[Path]]) -> list[Path]:
    for length in range(len(tokens), 0, -1):
        if not any(token.isdigit() for token in tokens[:length]):
            break
        alike = beginnings.get(tokens[:length], ())
        found = [field for field in alike if _may_go_on(tokens[length:], name_tokens(field.stem)[length:])]
        if found:
            return found
    return []


def _may_go_on(rest: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether names of one image may differ from here on: `2020_01` and `2020_02` are two images."""
    if not rest or not other:
        return True
    return rest[0] != other[0] and not (rest[0].isdigit() and other[0].isdigit())


def _by_expression(files: Sequence[Path], fields: Sequence[Path], match: str) -> Mapping[Path, list[Path]]:
    try:
        expression = re.compile(match)
    except re.error as problem:
        raise InputError(f"the regular expression {match} is malformed: {problem}") from problem

    def key(path: Path) -> str:
        hit = expression.search(path.stem)
        if hit is None:
            raise InputError(f"the regular expression {match} finds nothing in this name", where=shown(path.name))
        return (hit[1] or "") if expression.groups else hit[0]

    keyed: defaultdict[str, list[Path]] = defaultdict(list)
    for field in fields:
        keyed[key(field)].append(field)
    return {file: keyed.get(key(file), []) for file in files}
