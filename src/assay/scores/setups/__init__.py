"""Published experimental setups by name: how many positives and negatives a test set has.

The tables beside this module are the data: `setups.csv` lists every setup with its totals, `parts/`
holds the counts per image (or per class against the rest), `sources.csv` says where they come from.
A paper that names its data set but not its counts can be tested with them; where it leaves open
which pixels or which annotator it used, `alternatives` gives the other readings to try beside it
(Fazekas & Kovács, "Testing the consistency of performance scores reported for binary classification
problems", section 5.1).

In the sets of KEEL, UCI, PROMISE and WCCI the positive class is the smaller one.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import chain

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.scores.experiment import TestSet

_MANY = 8
"""How many names an error message spells out."""


class Kind(StrEnum):
    """What the parts of a setup are."""

    ONE = "one"
    """A single test set."""
    SETS = "sets"
    """Several test sets, as a rule images whose pixels are classified; a paper pools them or averages over them."""
    CLASSES = "classes"
    """The classes of one multiclass set, each against the rest."""


@dataclass(frozen=True, slots=True)
class SetupSummary:
    """One line of the table: what there is, without the counts of each part."""

    name: str
    title: str
    kind: Kind
    parts: int
    p: int
    n: int
    source: str
    note: str = ""
    family: str = ""
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """A named experimental setup: one or more test sets with their source.

    Setups of one `family` are different readings of the same description.
    """

    name: str
    title: str
    parts: tuple[TestSet, ...]
    source: str
    note: str = ""
    kind: Kind = Kind.SETS
    family: str = ""

    def __repr__(self) -> str:
        size = "" if self.kind is Kind.ONE else f"{len(self.parts)} {self.kind}, "
        return f"<Setup {self.name}: {size}p={self.p}, n={self.n}>"

    @property
    def p(self) -> int:
        """Positives of all parts together."""
        return sum(part.p for part in self.parts)

    @property
    def n(self) -> int:
        """Negatives of all parts together."""
        return sum(part.n for part in self.parts)

    @property
    def classes(self) -> Mapping[str, int]:
        """Items of each class of a multiclass set; empty for a binary one."""
        return {part.name: part.p for part in self.parts} if self.kind is Kind.CLASSES else {}

    def part(self, name: str) -> TestSet:
        """One image or class by name; leading zeros, case and punctuation do not count."""
        return self.parts[self._position(name)]

    def only(self, chosen: str) -> Setup:
        """A setup of some of these parts: `03`, or `01,04`, or `11L..14R` in the order of the table."""
        picked: dict[int, TestSet] = {}
        names: list[str] = []
        for item in chosen.split(","):
            first, dots, last = item.partition("..")
            start = self._position(first)
            stop = self._position(last) if dots else start
            if stop < start:
                raise InputError(f'"{item.strip()}" runs backwards', where=self.name, fix=f"Write {last}..{first}.")
            picked.update((i, self.parts[i]) for i in range(start, stop + 1))
            names.append(self.parts[start].name + (f"..{self.parts[stop].name}" if dots else ""))
        cut = ",".join(names)
        return replace(
            self,
            name=f"{self.name.partition('#')[0]}#{cut}",
            title=f"{self.title}: {cut}",
            parts=tuple(picked[i] for i in sorted(picked)),
            kind=Kind.ONE if len(picked) == 1 else Kind.SETS,
        )

    def _position(self, name: str) -> int:
        wanted = name_tokens(name)
        for position, part in enumerate(self.parts):
            if name_tokens(part.name) == wanted:
                return position
        known = [part.name for part in self.parts]
        raise InputError(
            f'there is no "{name.strip()}" in this setup',
            where=self.name,
            fix=suggestion(name, known) or f"It has {_enumeration(known)}.",
        )


def name_tokens(name: str) -> tuple[str, ...]:
    """A name as its words and numbers: `im0001.ah` is (im, 1, ah), whatever stands between them."""
    return tuple(token.lstrip("0") or "0" for token in re.findall(r"[0-9]+|[^\W\d_]+", name.casefold()))


def list_setups() -> list[SetupSummary]:
    """Every setup there is, in the order of the table."""
    return list(_summaries())


def find_setup(name: str) -> Setup:
    """The setup of that name, or some of its parts with `#`: `keel.abalone19`, `drive.test.fov#01,02`.

    Case and punctuation do not count, and `keel.` and the like may be left out.
    """
    base, mark, chosen = name.partition("#")
    setup = _with_parts(_summary(base))
    return setup.only(chosen) if mark else setup


def find_family(name: str) -> list[Setup]:
    """Every reading of a description that leaves open what the tables distinguish; none if it is no such description.

    `drive.test` stands for all of `drive.test.fov`, `drive.test.all` and their second observers.
    """
    base, mark, chosen = name.partition("#")
    members = [_with_parts(s) for s in _summaries() if s.family and _key(s.family) == _key(base)]
    members = [m for m in members if _key(m.name) != _key(base)] if _key(base) not in _spelled() else []
    return [member.only(chosen) if mark else member for member in members]


def alternatives(setup: Setup) -> list[Setup]:
    """The other readings of what a paper with this setup may mean, cut to the same parts.

    Field of view or all pixels, first or second annotator, how many experts agree, with or without
    incomplete rows: everything the tables know for the same items.
    """
    base, mark, chosen = setup.name.partition("#")
    siblings = [_with_parts(s) for s in _summaries() if setup.family and s.family == setup.family and s.name != base]
    return [sibling.only(chosen) if mark else sibling for sibling in siblings]


def _rows(table: str) -> Iterator[dict[str, str]]:
    yield from csv.DictReader(files(__name__).joinpath(table).read_text(encoding="utf-8").splitlines())


@cache
def _summaries() -> tuple[SetupSummary, ...]:
    sources = {row["source"]: row["text"] for row in _rows("sources.csv")}
    return tuple(
        SetupSummary(
            name=f"{row['repository']}.{row['name']}" if row["repository"] else row["name"],
            title=row["title"],
            kind=Kind(row["kind"]),
            parts=int(row["parts"]),
            p=int(row["p"]),
            n=int(row["n"]),
            source=sources[row["source"]],
            note=row["note"],
            family=row["family"],
            spellings=(row["name"], *row["aliases"].split()),
        )
        for row in _rows("setups.csv")
    )


@cache
def _parts(collection: str) -> Mapping[str, tuple[TestSet, ...]]:
    parts: defaultdict[str, list[TestSet]] = defaultdict(list)
    for row in _rows(f"parts/{collection}.csv"):
        parts[row["setup"]].append(TestSet(int(row["p"]), int(row["n"]), row["part"]))
    return {setup: tuple(found) for setup, found in parts.items()}


def _with_parts(summary: SetupSummary) -> Setup:
    s = summary
    one = s.kind is Kind.ONE
    parts = (TestSet(s.p, s.n, s.name),) if one else _parts(s.name.partition(".")[0])[s.name]
    return Setup(s.name, s.title, parts, s.source, s.note, s.kind, s.family)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


@cache
def _spelled() -> Mapping[str, tuple[SetupSummary, ...]]:
    """Setups by every spelling of their names; a short name may stand for several."""
    found: defaultdict[str, dict[str, SetupSummary]] = defaultdict(dict)
    for summary in _summaries():
        for spelling in (summary.name, *summary.spellings):
            found[_key(spelling)][summary.name] = summary
    return {key: tuple(named.values()) for key, named in found.items()}


def _summary(name: str) -> SetupSummary:
    key = _key(name)
    match _spelled().get(key, ()):
        case (only,):
            return only
        case ():
            pass
        case several:
            choices = _enumeration([f"{s.name} ({s.p} + {s.n})" for s in several], "or")
            raise InputError(f'"{name.strip()}" is the name of several setups', fix=f"Write {choices}.")
    within = [s.name for s in _summaries() if key and _key(s.name).startswith(key)]
    known = chain.from_iterable((s.name, *s.spellings) for s in _summaries())
    raise InputError(
        f'"{name.strip()}" is not a setup this test knows',
        fix=(f"There are {_enumeration(within)}." if within else suggestion(name.strip(), known))
        or "`assay scores setups` names them all.",
    )


def _enumeration(names: list[str], last: str = "and") -> str:
    shown = names if len(names) <= _MANY else [*names[: _MANY - 1], f"{len(names) - _MANY + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"
