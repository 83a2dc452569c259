"""Which set a row of scores is about, by evidence: strongest first, and no set at all rather than a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

from assay.article.sets.model import CountedSet, Counts, Unit
from assay.article.sets.phrases import counted_in, role_in, unit_in
from assay.article.sets.register import names_in
from assay.article.tables.scores import ScoreRow
from assay.records import dataclass
from assay.reported.model import Role

_GENERIC = frozenset({Unit.ITEMS, Unit.SAMPLES})
"""Units that may mean any other."""


class Strength(IntEnum):
    """How strongly a row is tied to a set."""

    SUPPOSED = 0
    """The row says nothing, and the paper counts one test set and no other set that could have been scored."""
    ONLY_SET = 1
    """It is the only set of its kind in the paper."""
    NAMED = 2
    """The row or the caption names the set, and the text counts it."""
    CAPTION = 3
    """The caption counts the items."""
    ROW = 4
    """The counts stand in the row itself."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A row is about this set, and this is why."""

    counted: CountedSet
    strength: Strength
    why: str


@dataclass(frozen=True, slots=True)
class Unbound:
    """No set is known to be the one that the row is about, for this reason."""

    reason: str


def bind(row: ScoreRow, register: Sequence[CountedSet]) -> Binding | Unbound:
    """The set that a row of scores is about, or why none can be named."""
    return _by_row(row) or _by_caption(row) or _by_text(row, register)


def _by_row(row: ScoreRow) -> Binding | Unbound | None:
    counts = dict(row.counts)
    if {"tp", "fn", "fp", "tn"} <= counts.keys():
        p, n = counts["tp"] + counts["fn"], counts["fp"] + counts["tn"]
    elif {"p", "n"} <= counts.keys():
        p, n = counts["p"], counts["n"]
    else:
        return None
    if counts.get("total", p + n) != p + n:
        return Unbound("the counts in the row do not add up to its number of items")
    printed = ", ".join(f"{name} {count}" for name, count in row.counts)
    counted = CountedSet(Counts(p + n, p, n), Unit.ITEMS, Role.UNSTATED, printed, row.location)
    return Binding(counted, Strength.ROW, "the counts stand in the row")


def _by_caption(row: ScoreRow) -> Binding | Unbound | None:
    """The one set that the caption counts; a caption that counts several binds nothing."""
    found = [c for c in counted_in(row.caption) if c.role is not Role.TRAIN]
    if not found:
        return None
    if len({c.counts for c in found}) > 1:
        return Unbound("the caption counts several sets")
    first = found[0]
    counted = CountedSet(first.counts, first.unit, first.role, first.quote, row.location)
    other = _mismatch(row, counted)
    if other:
        return Unbound(other)
    return Binding(counted, Strength.CAPTION, "the caption counts the items")


def _by_text(row: ScoreRow, register: Sequence[CountedSet]) -> Binding | Unbound:
    """The one set of the text whose role and unit are those of the row."""
    wanted = _role(row)
    if wanted is Role.UNSTATED:
        return _supposed(row, register)
    if wanted is Role.TRAIN:
        return Unbound("the row is about training data")
    candidates = [s for s in register if s.role is wanted and not _mismatch(row, s)]
    names = names_in(f"{row.context} {row.caption}")
    named = [s for s in candidates if names & set(s.name.split())]
    for some, strength, why in (
        (named, Strength.NAMED, "the text counts the set that the row names"),
        (candidates, Strength.ONLY_SET, f"it is the only {wanted.value} set that the text counts"),
    ):
        if some and _are_one(some):
            return Binding(_fullest(some), strength, why)
    if candidates:
        return Unbound(f"the text counts several {wanted.value} sets")
    return Unbound(_why_none(row, register, wanted))


def _why_none(row: ScoreRow, register: Sequence[CountedSet], wanted: Role) -> str:
    """Why no set of the wanted role is the row's: the first one does not fit it, or there is none."""
    unfit = next((_mismatch(row, s) for s in register if s.role is wanted), "")
    return unfit or f"no size of the {wanted.value} set was found"


def _supposed(row: ScoreRow, register: Sequence[CountedSet]) -> Binding | Unbound:
    """The one test set of the paper, where nothing says which set was scored."""
    scored = [s for s in register if s.role not in {Role.TRAIN, Role.UNSTATED}]
    if {s.role for s in scored} == {Role.TEST} and _are_one(scored) and not _mismatch(row, scored[0]):
        return Binding(_fullest(scored), Strength.SUPPOSED, "it is the only set that the text says was tested on")
    return Unbound("neither the row nor its caption says which set was scored")


def role_of_row(row: ScoreRow) -> Role:
    """What the row says it was measured on: its own label first, then the labels it stands under."""
    own = role_in(row.name)
    return own if own is not Role.UNSTATED else role_in(row.context)


def _role(row: ScoreRow) -> Role:
    own = role_of_row(row)
    return own if own is not Role.UNSTATED else role_in(row.caption)


def _mismatch(row: ScoreRow, counted: CountedSet) -> str:
    """Why the row cannot be about this set; empty when nothing speaks against it."""
    role = role_of_row(row)
    roles = {role, counted.role} - {Role.UNSTATED}
    if len(roles) > 1:
        return f"the row is about {role.value} data, the count about {counted.role.value} data"
    unit = unit_in(row.name) or unit_in(row.context) or unit_in(row.caption.replace(counted.quote, " "))
    if unit is not None and len({unit, counted.unit} - _GENERIC) > 1:
        return f"the row is about {unit.value}, the count about {counted.unit.value}"
    if counted.unit.holds_others and unit is not counted.unit:
        return f"{counted.unit.value} are counted, and what was classified may be something else"
    return ""


def _are_one(sets: Iterable[CountedSet]) -> bool:
    """Whether all may be mentions of one set: of one size, with the same classes where they are counted."""
    counts = [s.counts for s in sets]
    return len({c.total for c in counts}) == 1 and len({c.classes for c in counts if c.classes}) <= 1


def _fullest(sets: Sequence[CountedSet]) -> CountedSet:
    """The mention that also counts the classes, if there is one."""
    return next((s for s in sets if s.counts.classes), sets[0])
