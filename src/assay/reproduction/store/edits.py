"""Entries of a store, one at a time: list, look at, add, change, delete and bring back, each in one transaction.

An entry is filled in with text, in the columns of the tables of a study's folder. A change or deletion names the
version that it is based on, and is refused if somebody else has changed the entry since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from assay.database import write
from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.reproduction.cells import check_whole
from assay.reproduction.claims import examined_claim
from assay.reproduction.folder import component_order
from assay.reproduction.levels import Naming
from assay.reproduction.rows import Row, local_day
from assay.reproduction.store import facts, schema
from assay.reproduction.store.columns import storable
from assay.reproduction.store.kinds import COMPONENT, LAYOUTS, Kind, cells_of
from assay.reproduction.store.protocols import completed, refuse_after_results
from assay.reproduction.store.studies import load_in, read_facts
from assay.reproduction.study import Claim, Paper, Result, Status

_NAMED = {Kind.PAPER: "id", Kind.ATTEMPT: "attempt", Kind.EXPERIMENT: "experiment"}
_SINGLE = {Kind.PROTOCOL: (), Kind.ASSESSMENT: ("assessor",)}
"""What there is once below an entry, or once for each value of these columns."""
"""The kinds whose entries have a name of their own, and the column that holds it."""
_LAST = 2**31 - 1
"""The largest number that an entry can have, in PostgreSQL."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as it stood when it was read."""

    kind: Kind
    id: int
    version: int
    above: int | None
    """The entry that it belongs to; its kind follows from this one's."""
    cells: Mapping[str, str]
    deleted: datetime | None = None

    @property
    def name(self) -> str:
        """What it is called, if entries of its kind have names."""
        return self.cells.get(_NAMED.get(self.kind, ""), "")


def entries(engine: Engine, kind: Kind, *, under: int | None = None) -> list[Entry]:
    """All entries of a kind, or those that belong to one entry, in the order in which they were added."""
    return read_facts(engine, lambda session: entries_in(session, kind, under))


def entry(engine: Engine, kind: Kind, number: int) -> Entry:
    """One entry."""
    return read_facts(engine, lambda session: _entry(kind, living(session, kind, number), _naming(session)))


def naming_of(engine: Engine) -> Naming:
    """How the study names levels of documentation."""
    return read_facts(engine, _naming)


def named(engine: Engine, kind: Kind, name: str, *, under: int | None = None) -> Entry:
    """The entry with that name; if there is none, an error that names the nearest."""
    known = {found.name: found for found in entries(engine, kind, under=under)}
    if name not in known:
        listed = f"There are: {', '.join(list(known)[:10])}." if known else f"There is no {kind} yet."
        raise InputError(f'there is no {kind} "{name}"', fix=suggestion(name, known) or listed)
    return known[name]


def add(engine: Engine, kind: Kind, cells: Mapping[str, str], *, under: int | None = None) -> Entry:
    """A new entry. An attempt or experiment without a name gets a number; an experiment with a result was run."""
    return _write(engine, lambda session: add_in(session, kind, cells, under))


def add_all(engine: Engine, kind: Kind, filled: Sequence[Mapping[str, str]]) -> None:
    """New entries of a kind that belongs to none, all of them or none."""

    def work(session: Session) -> Entry:
        return [add_in(session, kind, cells, None) for cells in filled][-1]

    _write(engine, work)


def change(engine: Engine, kind: Kind, number: int, version: int, cells: Mapping[str, str]) -> Entry:
    """The entry with these cells changed and all others as they were."""
    return _write(engine, lambda session: change_in(session, kind, number, version, cells))


def delete(engine: Engine, kind: Kind, number: int, version: int) -> Entry:
    """The entry, and all that belongs to it, until it is brought back."""

    def work(session: Session) -> Entry:
        if kind is Kind.STUDY:
            raise InputError("a store without a study is none", fix="Delete the file or the database.")
        row = _seen(session, kind, number, version)
        row.deleted = datetime.now(UTC)
        _settle(session, kind, row)
        return _entry(kind, row, _naming(session))

    return _write(engine, work)


def deletions(engine: Engine, limit: int = 100) -> list[Entry]:
    """What was deleted and can come back, the latest first."""

    def work(session: Session) -> list[Entry]:
        found, naming = [], _naming(session)
        for kind, layout in LAYOUTS.items():
            gone = select(layout.model).where(layout.model.deleted.is_not(None))
            rows = session.scalars(gone.order_by(layout.model.deleted.desc(), layout.model.id.desc()).limit(limit))
            found += [_entry(kind, row, naming) for row in rows]
        return sorted(found, key=lambda e: e.deleted or datetime.min.replace(tzinfo=UTC), reverse=True)[:limit]

    return read_facts(engine, work)


def undo(engine: Engine, kind: Kind, number: int) -> Entry:
    """The entry that was deleted, back in its place with all that belongs to it."""

    def work(session: Session) -> Entry:
        layout = LAYOUTS[kind]
        row = _numbered(session, kind, number)
        if row is None or row.deleted is None:
            raise InputError(f"{kind} {number} is not deleted", fix="See `assay study list --deleted`.")
        if layout.above is not None:
            living(session, layout.above, row.parent)
        _no_twin(session, kind, row)
        if kind is Kind.PAPER:
            row.components = _in_order(session, facts.paper_of(row), row.id).components
        row.deleted = None
        _settle(session, kind, row)
        return _entry(kind, row, _naming(session))

    return _write(engine, work)


# --- inside a transaction --------------------------------------------------------------------------


def add_in(session: Session, kind: Kind, cells: Mapping[str, str], under: int | None) -> Entry:
    """A new entry, as a part of a larger change."""
    layout = LAYOUTS[kind]
    if kind is Kind.STUDY:
        raise InputError("a store holds one study", fix="Make a new store.")
    row: Any = layout.model()
    if layout.above is not None:
        if under is None:
            raise InputError(f"to which {layout.above} does the {kind} belong?", fix=f"Name the {layout.above}.")
        row.parent = living(session, layout.above, under).id
    _fill(session, kind, row, cells)
    return _entry(kind, row, _naming(session))


def change_in(session: Session, kind: Kind, number: int, version: int, cells: Mapping[str, str]) -> Entry:
    """A change, as a part of a larger one."""
    row = _seen(session, kind, number, version)
    _fill(session, kind, row, cells_of(kind, row, _naming(session)) | dict(cells))
    return _entry(kind, row, _naming(session))


def _fill(session: Session, kind: Kind, row: Any, cells: Mapping[str, str]) -> None:
    """Put the cells into a row and store it, if the whole is as it should be."""
    layout = LAYOUTS[kind]
    _known(kind, cells)
    filled = dict(cells)
    if kind in {Kind.ATTEMPT, Kind.EXPERIMENT} and not filled.get(_NAMED[kind], "").strip():
        filled[_NAMED[kind]] = _next_number(session, kind, row.parent)
    if kind is Kind.PROTOCOL:
        filled = completed(session, row.parent, filled)
    fact = layout.read(Row(str(kind), filled), _naming(session), local_day())
    if isinstance(fact, Paper):
        fact = _in_order(session, fact, row.id)
    if isinstance(fact, Claim):
        examined_claim(load_in(session), fact)
    for name, value in layout.values(fact).items():
        setattr(row, name, value)
    _no_twin(session, kind, row)
    session.add(row)
    _settle(session, kind, row)
    if kind is Kind.PROTOCOL:
        session.get_one(schema.AttemptRow, row.parent).budget = row.budget
    if isinstance(fact, Result) and fact.obtained is not None:
        experiment = session.get_one(schema.ExperimentRow, row.parent)
        if experiment.status is Status.PLANNED:
            experiment.status = Status.RUN
            session.flush()


def _settle(session: Session, kind: Kind, row: Any) -> None:
    """Send the change to the database, and see that the attempt is still whole."""
    if kind is Kind.PROTOCOL:
        refuse_after_results(session, row.parent)
    session.flush()
    if kind in {Kind.ATTEMPT, Kind.EXPERIMENT, Kind.DISCREPANCY}:
        attempt = row if kind is Kind.ATTEMPT else session.get_one(schema.AttemptRow, row.parent)
        experiments = session.scalars(_below(schema.ExperimentRow, attempt.id).limit(1))
        discrepancies = session.scalars(_below(schema.DiscrepancyRow, attempt.id))
        whole = facts.attempt_of(
            attempt,
            experiments=tuple(map(facts.experiment_of, experiments)),
            discrepancies=tuple(map(facts.discrepancy_of, discrepancies)),
        )
        check_whole(whole, Row(f'attempt "{attempt.name}"', {}))


def _below(model: Any, above: int) -> Any:
    return select(model).where(model.parent == above, model.deleted.is_(None)).order_by(model.id)


def _known(kind: Kind, cells: Mapping[str, str]) -> None:
    for name, value in cells.items():
        _check_column(kind, name)
        try:
            storable(name)
            storable(value)
        except InputError as error:
            raise InputError(f'"{name}": {error.what}', where=str(kind), fix=error.fix) from None


def _check_column(kind: Kind, name: str) -> None:
    """A column of the kind, or a component of a paper under a name that no other column has."""
    columns = LAYOUTS[kind].columns
    if kind is Kind.PAPER and name.startswith(COMPONENT):
        component = name.removeprefix(COMPONENT)
        if component.strip() in {"", "paper"}:
            raise InputError(f'a component cannot be called "{component}"', where=str(kind), fix="Name it otherwise.")
    elif name not in columns:
        fix = suggestion(name, columns) or f"Known columns: {', '.join(columns)}."
        raise InputError(f'unknown column "{name}"', where=str(kind), fix=fix)


def _next_number(session: Session, kind: Kind, above: int) -> str:
    taken = {row.name for row in session.scalars(_below(LAYOUTS[kind].model, above))}
    return next(str(n) for n in range(1, len(taken) + 2) if str(n) not in taken)


def _in_order(session: Session, paper: Paper, number: int | None) -> Paper:
    """Its components in the order of the other papers', new ones last: a study has one order of columns."""
    rows = session.scalars(select(schema.PaperRow).where(schema.PaperRow.deleted.is_(None)))
    order = component_order(facts.paper_of(row) for row in rows if row.id != number)
    place = {name: at for at, name in enumerate(order)}
    return replace(paper, components=tuple(sorted(paper.components, key=lambda c: place.get(c[0], len(place)))))


def _no_twin(session: Session, kind: Kind, row: Any) -> None:
    alone = _SINGLE.get(kind, ("name",) if kind in _NAMED else None)
    if alone is None:
        return
    model: Any = LAYOUTS[kind].model
    same = select(model.id).where(model.deleted.is_(None))
    for column in alone:
        same = same.where(getattr(model, column) == getattr(row, column))
    if kind is not Kind.PAPER:
        same = same.where(model.parent == row.parent)
    with session.no_autoflush:
        others = [number for number in session.scalars(same) if number != row.id]
    if not others:
        return
    if kind in _SINGLE:
        who = f"{row.assessor} has assessed the paper" if kind is Kind.ASSESSMENT else "the attempt has a protocol"
        raise InputError(f"{who} already", fix=f"Change it: assay study change {kind} {others[0]} …")
    raise InputError(f'the {kind} "{row.name}" is there already', fix="Choose another name, or rename that one.")


def _write(engine: Engine, work: Callable[[Session], Entry]) -> Entry:
    try:
        return write(engine, work)
    except IntegrityError:  # another writer took the name between our look and our change
        raise InputError("somebody took that name just now", fix="Choose another name.") from None


def living(session: Session, kind: Kind, number: int) -> Any:
    """The row of an entry that is neither deleted nor belongs to one that is."""
    layout = LAYOUTS[kind]
    row = _numbered(session, kind, number)
    if row is None:
        raise InputError(f"there is no {kind} {number}", fix="Look at the list again.")
    if row.deleted is not None:
        raise InputError(f"{kind} {number} was deleted", fix="Bring it back with undo, if it should be there.")
    if layout.above is not None:
        living(session, layout.above, row.parent)
    return row


def _numbered(session: Session, kind: Kind, number: int) -> Any:
    """The row of that number, or None; no database takes a number so large that none has it."""
    return session.get(LAYOUTS[kind].model, number) if 0 < number <= _LAST else None


def _seen(session: Session, kind: Kind, number: int, version: int) -> Any:
    """The row, if it is still as its reader saw it."""
    row = living(session, kind, number)
    if row.version != version:
        what = f"{kind} {number} was changed by somebody else meanwhile; your change was not stored"
        raise InputError(what, fix="Look at it again, and repeat what is still to be changed.")
    return row


def _naming(session: Session) -> Naming:
    return session.scalars(select(schema.StudyRow.naming)).one()


def entries_in(session: Session, kind: Kind, under: int | None = None) -> list[Entry]:
    """All entries of a kind, or those that belong to one entry, as a part of a larger change."""
    layout = LAYOUTS[kind]
    model: Any = layout.model
    found = select(model).where(model.deleted.is_(None)).order_by(model.id)
    above, below = layout.above, model
    while above is not None:  # what belongs to something deleted is not there either
        upper: Any = LAYOUTS[above].model
        found = found.join(upper, below.parent == upper.id).where(upper.deleted.is_(None))
        above, below = LAYOUTS[above].above, upper
    if under is not None:
        found = found.where(model.parent == under)
    naming = _naming(session)
    return [_entry(kind, row, naming) for row in session.scalars(found)]


def _entry(kind: Kind, row: Any, naming: Naming) -> Entry:
    filled = cells_of(kind, row, naming)
    return Entry(kind, row.id, row.version, getattr(row, "parent", None), filled, row.deleted)
