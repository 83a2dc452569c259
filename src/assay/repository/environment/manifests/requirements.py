"""pip's requirements files, with their options, continuation lines and inclusions."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from packaging.utils import canonicalize_name

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Kind, Pin, Problem, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.requirement import Context, declare
from assay.tree import File, Tree

MAX_LINES = 5000
"""Of a longer file only the beginning is read."""

_COMMENT = regex(r"(?:^|\s+)#.*$")
_OPTION = regex(r"(-[a-zA-Z]|--[\w-]+)[ \t]*=?[ \t]*(.*)$")
_COMMAND = regex(r"\W*(?:\S*python[\d.]*\s+-m\s+)?(?:pip[\d.]*|conda|mamba)\s+install\s")
_TRAILING = regex(r"\s--?[a-zA-Z][\w-]*")
_TABLE_HEAD = regex(r"Package[ \t]+Version", re.IGNORECASE)
_TABLE_ROW = regex(r"([A-Za-z0-9][\w.-]*)[ \t]+\(?(\d[\w.+!-]*)\)?(?:[ \t].*)?")
_PURPOSE = regex(
    r"(?:^|[-_./])(dev(?:el|elop|elopment)?|tests?|testing|docs?|lint(?:ing|er)?|style|ci|build|optional|extras?)"
    r"(?=[-_./]|$)"
)
_BEFORE = regex(
    r"(?:[-*+•·!$%>\s]|\d{1,3}[.)]\s)*(?:(?:\S*python[\d.]*\s+-m\s+)?(?:pip[\d.]*|conda|mamba)\s+install\s+)?"
)
_LOOSE_VERSION = regex(r"(?<=\w)\s*[:( ]\s*v?(?=\d)")
_LONGEST_COMMAND = 400
"""The beginning of a line shows whether it is a command."""
_MOST_NAMES = 100
_MOST_JOINED = 500
_CONSTRAINTS = regex(r"constraint", re.IGNORECASE)


def read(file: File, tree: Tree) -> Reading:
    """Every requirement of the file; those of included files are for the caller to read."""
    reading = Reading(Kind.CONSTRAINTS if _CONSTRAINTS.search(file.name) else Kind.REQUIREMENTS)
    return read_as(reading, file, tree)


def read_constraints(file: File, tree: Tree) -> Reading:
    """The same for a file that another one calls its constraints."""
    return read_as(Reading(Kind.CONSTRAINTS), file, tree)


def read_as(reading: Reading, file: File, tree: Tree) -> Reading:
    """Fill a reading with what a requirements file says."""
    text = file.text()
    head = next((line for line in text.split("\n", 20)[:20] if line.strip()), "")
    if _TABLE_HEAD.match(head.strip()):
        _read_table(text, file, reading)
        return reading
    group = purpose(file.path)
    for number, line in logical_lines(text):
        if number > MAX_LINES:
            reading.problems.append(Problem(Location(file.path, number), "only the lines before this were read"))
            break
        read_line(line, Location(file.path, number), group, reading, tree)
    return reading


def purpose(path: str) -> str:
    """What a manifest is for, if its name says so: `requirements-dev.txt`, `docs/requirements.txt`."""
    parts = path.lower().split("/")
    stem = "/".join(parts[-2:]).rpartition(".")[0] or parts[-1]
    found = _PURPOSE.search(stem)
    return found[1] if found else ""


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line, joined where it ends with a backslash, without comments and blanks."""
    pending: list[str] = []
    start = 0
    for number, line in enumerate((*text.split("\n"), ""), 1):
        start = start if pending else number
        comment = line.lstrip().startswith("#")
        if line.endswith("\\") and not comment and len(pending) < _MOST_JOINED:
            pending.append(line[:-1])
            continue
        whole = _COMMENT.sub("", " ".join([*pending, "" if comment else line])).strip()
        pending = []
        if whole:
            yield start, whole


def read_line(line: str, location: Location, group: str, reading: Reading, tree: Tree) -> None:
    """One line: an option of pip, or a requirement."""
    if _COMMAND.match(line[:_LONGEST_COMMAND]):
        _add_by_hand(line, Context(reading.kind, location, group), "is a command, not a requirement", reading)
        return
    match = _OPTION.match(line)
    if match is not None and match[1] not in {"-e", "--editable"}:
        read_option(match[1], match[2].strip().strip("\"'"), location, reading, tree)
    else:
        add(match[2] if match else line, location, group, reading)


def read_option(option: str, value: str, location: Location, reading: Reading, tree: Tree) -> None:
    """Follow an option of pip that draws in another file, or says where to look for packages."""
    if option in {"-r", "--requirement", "-c", "--constraint"}:
        narrowing = option in {"-c", "--constraint"} or reading.kind is Kind.CONSTRAINTS
        include(value, Kind.CONSTRAINTS if narrowing else Kind.REQUIREMENTS, location, reading, tree)
    elif option in {"-i", "--index-url", "--pypi-url", "--extra-index-url", "-f", "--find-links"} and value:
        reading.indexes.append((value, location))


def include(path: str, kind: Kind, location: Location, reading: Reading, tree: Tree) -> None:
    """Note that a manifest draws in another one, if that is in the repository."""
    if "://" in path:
        reading.problems.append(Problem(location, f"draws in {path}, which is not in the repository"))
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(location.path), path.replace("\\", "/")))
    if tree.get(target):
        reading.included.append((target, kind))
    else:
        reading.problems.append(Problem(location, f"draws in {path}, which does not exist"))


def add(text: str, location: Location, group: str, reading: Reading) -> None:
    """Add one requirement, with pip's options after it."""
    options = _TRAILING.search(text)
    bare = text[: options.start()] if options else text
    hashed = options is not None and "--hash" in text[options.start() :]
    context = Context(reading.kind, location, group, hashed)
    declared, problem = declare(bare, context)
    if problem and (declared is None or " " in bare.strip()):
        _add_by_hand(bare, context, problem, reading, otherwise=declared)
        return
    if declared is not None:
        reading.declared.append(declared)
    if problem:
        reading.problems.append(Problem(location, f"{bare.strip()[:80]!r} {problem}"))


def _add_by_hand(
    line: str, context: Context, problem: str, reading: Reading, otherwise: Declared | None = None
) -> None:
    """Add what a line names that pip refuses, as `pip install numpy` or `- numpy (1.19)`, if all are names."""
    words = _LOOSE_VERSION.sub("==", _BEFORE.sub("", line, count=1)).replace(")", "").replace(",", " ").split()
    named = [word.strip("\"'`;") for word in words if not word.startswith(("-", "http"))]
    found = [declare(word, context) for word in named[:_MOST_NAMES] if word]
    known = [one for one, wrong in found if one and not wrong and (one.specifier or table().provided_by(one.name))]
    reading.declared += known if len(known) == len(found) else [] if otherwise is None else [otherwise]
    reading.problems.append(Problem(context.location, f"{line.strip()[:80]!r} {problem}"))


def _read_table(text: str, file: File, reading: Reading) -> None:
    """What `pip list` prints: exact, though pip cannot install from it."""
    message = "is a table printed by `pip list`, which pip cannot install from"
    reading.problems.append(Problem(Location(file.path, 1), message))
    for number, line in enumerate(text.split("\n")[:MAX_LINES], 1):
        match = _TABLE_ROW.fullmatch(line.strip())
        if match is not None:
            name, location = canonicalize_name(match[1]), Location(file.path, number)
            reading.declared.append(
                Declared(name, Pin.EXACT, reading.kind, location, match[2], written=line.strip()[:200])
            )
