"""``assay study new|import|export``: a study in a store, which several people write to, and in folders for git."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import tell

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from assay.reproduction.study import Study

StoreArgument = Annotated[
    str,
    typer.Argument(metavar="STORE", envvar="ASSAY_STUDY", help="A file, as study.db, or postgresql://user@host/name."),
]
StoreOption = Annotated[
    str,
    typer.Option("--store", "-s", metavar="STORE", envvar="ASSAY_STUDY", help="The study's file or database."),
]
DEFAULT_STORE = "study.db"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("new")(new)
    app.command("import")(import_)
    app.command("export")(export)


@contextmanager
def opened(store: str) -> Iterator[Engine]:
    """The store, closed afterwards; if there is none, the error says what to do."""
    from assay.errors import InputError
    from assay.files import is_there
    from assay.reproduction.store.studies import open_store

    if "://" not in store and not is_there(Path(store)):
        fix = f"Make it with `assay study new {store}`, or name another with --store or in ASSAY_STUDY."
        raise InputError("there is no such store", where=store, fix=fix)
    engine = open_store(store)
    try:
        yield engine
    finally:
        engine.dispose()


def begin_default(store: str) -> None:
    """Make the default store if it is missing; a store that was named must exist."""
    from assay.files import is_there
    from assay.reproduction.store.studies import new_store

    if store == DEFAULT_STORE and not is_there(Path(store)):
        new_store(store).dispose()
        tell(f"a new study in {store}")


def study_at(where: str) -> Study:
    """The study in a folder, or in a store."""
    from assay.files import is_there

    if "://" in where or (is_there(Path(where)) and Path(where).is_file()):
        from assay.reproduction.store.studies import load_study

        with opened(where) as engine:
            return load_study(engine)
    from assay.reproduction.folder import read_study

    return read_study(Path(where))


def new(
    store: StoreArgument = DEFAULT_STORE,
    title: Annotated[str, typer.Option(metavar="TEXT", help="What the study is called.")] = "",
    source: Annotated[str, typer.Option(metavar="TEXT", help="Who makes it, and where it is published.")] = "",
    levels: Annotated[
        str, typer.Option(metavar="YEAR", help="Levels of documentation as named in 2018 (R1 best) or 2024 (R4 best).")
    ] = "2018",
) -> int:
    """Make a store for a new study."""
    from assay.cli import CLEAN
    from assay.reproduction.levels import Naming
    from assay.reproduction.rows import Row
    from assay.reproduction.store.studies import new_store
    from assay.reproduction.study import Study

    naming = Row("--levels", {"levels": levels}).choice("levels", Naming) or Naming.THESIS
    new_store(store, Study(title, source, naming)).dispose()
    tell(f"a new study in {shown(store)}; try `assay study add paper`")
    return CLEAN


def import_(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A study: study.toml and its CSV tables.")],
    store: StoreOption = DEFAULT_STORE,
    replace: Annotated[bool, typer.Option("--replace", help="Put it in the place of the study in the store.")] = False,
) -> int:
    """Put the study of a folder into a store."""
    from assay.cli import CLEAN
    from assay.reproduction.folder import read_study
    from assay.reproduction.store.studies import new_store, replace_study

    study = read_study(folder)
    if replace:
        with opened(store) as engine:
            replace_study(engine, study)
    else:
        new_store(store, study).dispose()
    attempts = sum(1 for _ in study.attempts())
    tell(f"in {shown(store)}: papers {len(study.papers)}, attempts {attempts}")
    return CLEAN


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where study.toml and its CSV tables go.")],
    store: StoreOption = DEFAULT_STORE,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the study that FOLDER holds.")] = False,
) -> int:
    """Write the study of a store to a folder that diffs well in git."""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.files import is_there
    from assay.reproduction.folder import ABOUT, write_study
    from assay.reproduction.store.studies import load_study

    with opened(store) as engine:
        study = load_study(engine)
    if not force and is_there(folder / ABOUT):
        raise InputError("holds a study already", where=str(folder), fix="Name a new folder, or use --force.")
    write_study(study, folder)
    tell(f"study written to {folder}")
    return CLEAN


def shown(store: str) -> str:
    """The store as it may appear in a message."""
    if "://" not in store:
        return store
    from assay.database import shown as without_password

    return without_password(store)
