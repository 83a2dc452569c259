"""``assay study add|list|change|delete|undo``: the entries of a store from the keyboard or from a script."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli import study_import
from assay.cli.options import Delivery, reporting, tell
from assay.cli.study_store import DEFAULT_STORE, StoreOption, opened, shown
from assay.reproduction.fields import FIELDS, Field

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from assay.cli.prompts import Check
    from assay.findings import Report
    from assay.reproduction.claims import Examined
    from assay.reproduction.store.edits import Entry
    from assay.reproduction.store.kinds import Kind

_ATTEMPT = ("paper", "attempt")
_PARENTS = {
    **dict.fromkeys(("attempt", "assessment"), ("paper",)),
    **dict.fromkeys(("protocol", "experiment", "discrepancy", "time"), _ATTEMPT),
    "result": (*_ATTEMPT, "experiment"),
}
_ADDED = (*("paper", "assessment", "attempt", "protocol", "experiment", "result", "discrepancy", "claim", "scale"),)
KindArgument = Annotated[str, typer.Argument(metavar="KIND", help=f"{', '.join(_ADDED)} or time.")]
NumberArgument = Annotated[int, typer.Argument(metavar="NUMBER", help="Its number in `assay study list KIND`.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    adding = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Add a paper, an attempt, what it found.")
    for kind in _ADDED:
        adding.command(kind)(_adding(kind))
    study_import.add_to(adding)
    app.add_typer(adding, name="add")
    app.command("list")(list_)
    app.command("change")(change)
    app.command("delete")(delete)
    app.command("undo")(undo)


# --- adding ----------------------------------------------------------------------------------------


def _adding(kind: str) -> Callable[..., int]:
    """The command that adds an entry of one kind, with an option for each column and for its parent."""

    def command(store: str, component: list[str] | None = None, **given: str | None) -> int:
        from assay.cli import CLEAN

        parents = {name: given.pop(name) for name in _PARENTS.get(kind, ())}
        cells = _cells(given, component or ())
        with opened(store) as engine:
            under = located(engine, **parents) if parents else None
            made = _added(engine, kind, cells, under.id if under else None)
            standing = _STANDING[kind](engine, made) if kind in _STANDING else ""
        tell(f"{_entry_name(made)} added{standing}")
        return CLEAN

    parameters = list(_options_of(kind))
    article = "an" if kind[0] in "ae" else "a"
    command.__doc__ = f"Add {article} {kind} to the study. On a terminal, Assay asks for what is missing."
    command.__signature__ = inspect.Signature(parameters, return_annotation=int)  # type: ignore[attr-defined] # what typer reads
    command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": int}
    return command


def _cells(given: Mapping[str, str | None], components: Sequence[str]) -> dict[str, str]:
    """The columns of an entry, as given."""
    cells = {name: value for name, value in given.items() if value is not None}
    return cells | {f"component.{name}": value for name, value in map(_pair, components)}


def _options_of(kind: str) -> Iterator[inspect.Parameter]:
    """Options for the parent entry, for each column, and for the store."""
    only = inspect.Parameter.KEYWORD_ONLY
    yield from (_option(name, f"The {name} it belongs to.") for name in _PARENTS.get(kind, ()))
    yield from (_option(field.column, f"{field.question}.", field) for field in FIELDS[kind])
    if kind == "paper":
        words = "How well it documents a component, or - if that does not apply; repeatable."
        option = Annotated[list[str] | None, typer.Option("--component", metavar="NAME=SCORE", help=words)]
        yield inspect.Parameter("component", only, default=None, annotation=option)
    yield inspect.Parameter("store", only, default=DEFAULT_STORE, annotation=StoreOption)


def _option(column: str, words: str, field: Field | None = None) -> inspect.Parameter:
    def complete(incomplete: str) -> list[tuple[str, str]]:
        from assay.cli.prompts import matches

        known = field and (field.choices or field.hints)
        choices = known() if known else {}
        return [(word, choices[word]) for word in matches(incomplete, choices)]

    metavar = "NAME" if field is None else "TEXT; …" if field.several else "TEXT"
    flag = f"--{column.replace('_', '-')}"
    option = typer.Option(flag, metavar=metavar, help=words, autocompletion=complete, show_default=False)
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(column, kind, default=None, annotation=Annotated[str | None, option])


def _pair(text: str) -> tuple[str, str]:
    from assay.errors import InputError

    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InputError(f'"{text[:40]}" has no "="', fix="Write it as Method=0.50 or severity=3.")
    return name.strip(), value.strip()


def _asked_fields(engine: Engine, kind: str) -> tuple[Field, ...]:
    components = _components(engine) if kind == "paper" else ()
    return (*(field for field in FIELDS[kind] if field.asked), *components)


def _added(engine: Engine, kind: str, cells: dict[str, str], under: int | None) -> Entry:
    """The new entry; on a terminal, required values are asked for until they are valid."""
    from assay.cli.prompts import ask_all, at_keyboard
    from assay.errors import InputError
    from assay.reproduction.store.edits import add
    from assay.reproduction.store.kinds import Kind

    fields = _asked_fields(engine, kind)
    complete = all(cells.get(field.column) for field in fields if field.needed) and bool(cells)
    if complete or not at_keyboard():
        return add(engine, Kind(kind), cells, under=under)
    open_fields = [field for field in fields if field.column not in cells]
    check = _check_of_answers(engine, kind)
    while True:
        cells |= ask_all(open_fields, cells, check)
        try:
            return add(engine, Kind(kind), cells, under=under)
        except InputError as error:
            typer.echo(f"  {error}")
            open_fields = list(fields)


def _check_of_answers(engine: Engine, kind: str) -> Check:
    """The check that each answer of a form must pass before the next question."""
    from assay.reproduction.answers import check_answer
    from assay.reproduction.store.edits import naming_of

    naming = naming_of(engine)

    def check(field: Field, answer: str, before: Mapping[str, str]) -> None:
        check_answer(field, answer, naming)
        if kind == "claim" and field.column in {"of", "value"}:
            _examined(engine, {"value": "0", **before, field.column: answer})

    return check


def _examined(engine: Engine, cells: Mapping[str, str]) -> Examined:
    """A claim computed from the records; an `InputError` if it cannot be parsed."""
    from assay.reproduction.cells import read_claim
    from assay.reproduction.claims import examined_claim
    from assay.reproduction.rows import Row
    from assay.reproduction.store.studies import load_study

    return examined_claim(load_study(engine), read_claim(Row("claim", cells)))


def _standing(engine: Engine, claim: Entry) -> str:
    """The verdict of the records on a claim that was just entered."""
    from assay.reproduction.claims import Standing

    found = _examined(engine, claim.cells)
    if found.standing is Standing.HOLDS:
        return ": the records agree"
    if found.standing is Standing.UNKNOWN:
        return ": the records do not say"
    if found.standing is Standing.BY_RULE:
        return f": it holds by the rule; the outcomes as stated give {found.as_stated}"
    return f": it says {found.claim.value}, the records give {found.by_rule}"


def _verdict(_: Engine, result: Entry) -> str:
    """How a result that was just entered stands to the original, and why."""
    from assay.reproduction.cells import read_result
    from assay.reproduction.rows import Row

    found = read_result(Row("result", result.cells))
    return f": {found.judged.verdict} ({'; '.join(found.judged.reasons)})" if found.obtained else ""


_STANDING: Mapping[str, Callable[[Engine, Entry], str]] = {"claim": _standing, "result": _verdict}
"""What can be said of an entry as soon as it is there."""


def _components(engine: Engine) -> list[Field]:
    """A question for each component that other papers of the study have."""
    from assay.reproduction.store.edits import entries
    from assay.reproduction.store.kinds import COMPONENT, Kind

    known = dict.fromkeys(name for paper in entries(engine, Kind.PAPER) for name in paper.cells)
    words = "How well it documents {}, as 0.50, or - if that does not apply"
    return [Field(n, words.format(n.removeprefix(COMPONENT))) for n in known if n.startswith(COMPONENT)]


# --- finding ---------------------------------------------------------------------------------------


def located(engine: Engine, **names: str | None) -> Entry:
    """The entry at the end of a path of names (paper, attempt, experiment); a name that is the only one is optional."""
    from assay.reproduction.store.edits import entries, named
    from assay.reproduction.store.kinds import Kind

    found: Entry | None = None
    for word, name in names.items():
        kind, under = Kind(word), found.id if found else None
        found = named(engine, kind, name, under=under) if name else _only(kind, entries(engine, kind, under=under))
    if found is None:
        raise ValueError("no names")
    return found


def _only(kind: Kind, there: list[Entry]) -> Entry:
    from assay.cli.prompts import ask, at_keyboard
    from assay.errors import InputError

    if len(there) == 1:
        return there[0]
    if not there:
        raise InputError(f"there is no {kind} yet", fix=f"Add one: assay study add {kind}.")
    by_name = {entry.name: entry for entry in there}
    if at_keyboard():
        meanings = {name: entry.cells.get("title", "") for name, entry in by_name.items()}
        return by_name[ask(Field(kind, f"Which {kind}", needed=True, choices=lambda: meanings))]
    listed = ", ".join(list(by_name)[:10]) + (", …" if len(by_name) > 10 else "")
    raise InputError(f"there are {len(there)} {kind}s", fix=f"Name one with --{kind}: {listed}.")


def _kind(word: str) -> Kind:
    from assay.errors import InputError, suggestion
    from assay.reproduction.store.kinds import Kind

    singular = {"discrepancies": "discrepancy", "log": "time"}.get(word, word.removesuffix("s"))
    if singular not in list(Kind):
        fix = suggestion(word, list(Kind)) or f"There are: {', '.join(Kind)}."
        raise InputError(f'there is no kind "{word[:40]}"', fix=fix)
    return Kind(singular)


# --- looking, changing, deleting -------------------------------------------------------------------


@reporting(findings=False)
def list_(
    kind: KindArgument = "papers",
    deleted: Annotated[
        bool, typer.Option("--deleted", help="What was deleted, of any kind, the latest first.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
    *,
    delivery: Delivery,
) -> int:
    """What is in the store? Entries of a kind with their numbers."""
    from assay.findings import Report, Table
    from assay.reproduction.store.edits import deletions, entries

    wanted = _kind(kind)
    with opened(store) as engine:
        found = deletions(engine) if deleted else entries(engine, wanted)
        names = () if deleted else _PARENTS.get(wanted, ())
        above = {name: {e.id: e for e in entries(engine, _kind(name))} for name in names}
    columns = dict.fromkeys(column for entry in found for column in entry.cells)
    used = [column for column in columns if any(entry.cells.get(column) for entry in found)]
    rows: tuple[tuple[int | str, ...], ...] = tuple(
        (e.id, *((e.kind,) if deleted else _path(e, above)), *(e.cells.get(column, "") for column in used))
        for e in found
    )
    title = f"{'deleted entries' if deleted else kind} in {shown(store)}"
    table = Table(title, ("number", *(("kind",) if deleted else above), *used), rows)
    return delivery.send(Report(title=title, question="What is in the store?", tables=(table,)), text=_lines)


def _path(entry: Entry, above: dict[str, dict[int, Entry]]) -> tuple[str, ...]:
    """Names of the parent entries, from the paper down."""
    names: list[str] = []
    for there in reversed(above.values()):
        entry = there[entry.above or 0]
        names.insert(0, entry.name)
    return tuple(names)


def _lines(report: Report, *, width: int, color: bool) -> str:
    """A paragraph for each entry: its columns would not fit the screen as a table."""
    from assay.report.sheet import Sheet
    from assay.report.wording import on_one_line

    sheet = Sheet(width, color=color)
    for table in report.tables:
        for number, *row in table.rows:
            filled = [f"{column} {cell}" for column, cell in zip(table.columns[1:], row, strict=True) if cell]
            sheet.block(on_one_line(", ".join(filled)), first=f"{number:>5}  ", rest=" " * 7)
    return sheet.text()


def change(
    kind: KindArgument,
    number: NumberArgument,
    cells: Annotated[list[str], typer.Argument(metavar="COLUMN=VALUE…", help="What to change, as severity=3.")],
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Change an entry. Columns that are not named stay as they are."""
    from assay.cli import CLEAN
    from assay.reproduction.store import edits

    wanted, changed = _kind(kind), dict(map(_pair, cells))
    with opened(store) as engine:
        seen = edits.entry(engine, wanted, number)
        edits.change(engine, wanted, number, seen.version, changed)
    tell(f"{wanted} {number} changed")
    return CLEAN


def delete(kind: KindArgument, number: NumberArgument, store: StoreOption = DEFAULT_STORE) -> int:
    """Delete an entry and what belongs to it.

    `assay study undo` brings it back.
    """
    from assay.cli import CLEAN
    from assay.reproduction.store import edits

    wanted = _kind(kind)
    with opened(store) as engine:
        gone = edits.delete(engine, wanted, number, edits.entry(engine, wanted, number).version)
    tell(f"{_entry_name(gone)} deleted; `assay study undo` brings it back")
    return CLEAN


def undo(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="As in `assay study list --deleted`.")] = "",
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Its number there.", show_default=False)] = 0,
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Restore the last deleted entry, or the one named."""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.reproduction.store import edits

    with opened(store) as engine:
        if kind:
            back = edits.undo(engine, _kind(kind), number)
        elif gone := edits.deletions(engine, limit=1):
            back = edits.undo(engine, gone[0].kind, gone[0].id)
        else:
            raise InputError("nothing was deleted", where=shown(store))
    tell(f"{_entry_name(back)} is back")
    return CLEAN


def _entry_name(entry: Entry) -> str:
    return f"{entry.kind} {entry.id}" + (f' "{entry.name}"' if entry.name else "")
