"""Whichever system call of SQLite fails, the study keeps what it acknowledged, ends in one sentence and opens again."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assay.errors import InputError
from assay.reproduction.store.edits import add, change, delete
from assay.reproduction.store.kinds import Kind
from assay.reproduction.store.studies import load_study, new_store, open_store
from faults import EVERY, sqlite_disk


def edit(store: Engine, acknowledged: list[list[str]]) -> None:
    """Add, change and delete papers, noting after each step what the store has promised to keep."""
    paper = add(store, Kind.PAPER, {"id": "p1"})
    acknowledged.append(["p1"])
    add(store, Kind.ATTEMPT, {"people": "Ada; Grace"}, under=paper.id)
    change(store, Kind.PAPER, paper.id, paper.version, {"id": "p2", "title": "T" * 20_000})
    acknowledged.append(["p2"])
    other = add(store, Kind.PAPER, {"id": "p3"})
    acknowledged.append(["p2", "p3"])
    delete(store, Kind.PAPER, other.id, other.version)
    acknowledged.append(["p2"])


def papers(store: Engine) -> list[str]:
    return [paper.id for paper in load_study(store).papers]


@pytest.mark.parametrize("stays_broken", [False, True], ids=["one fault", "a disk that stays full"])
def test_a_fault_at_any_write_loses_no_acknowledged_entry(tmp_path: Path, stays_broken: bool) -> None:
    states = [[], ["p1"], ["p2"], ["p2", "p3"], ["p2"]]
    empty = tmp_path / "empty.db"
    new_store(empty).dispose()
    messages: list[str] = []
    for number in itertools.count(1, EVERY):
        path, acknowledged = tmp_path / f"study{number}.db", list[list[str]]([[]])
        shutil.copy(empty, path)
        store = open_store(path)
        with sqlite_disk(number, stays_broken=stays_broken) as disk:
            try:
                edit(store, acknowledged)
            except InputError as error:
                messages.append(str(error))
            store.dispose()
        store = open_store(path)
        kept, step = papers(store), len(acknowledged) - 1
        assert kept in states[step : step + 2], number
        add(store, Kind.PAPER, {"id": "after"})
        assert papers(store) == [*kept, "after"]
        store.dispose()
        if not disk.had_a_fault:
            break
    assert number > 40
    assert messages
    assert all("nothing was changed" in message for message in messages)


def test_a_fault_while_a_store_is_made_is_an_input_error(tmp_path: Path) -> None:
    for number in itertools.count(1, EVERY):
        path = tmp_path / f"study{number}.db"
        with sqlite_disk(number, stays_broken=False) as disk:
            try:
                new_store(path).dispose()
            except InputError:
                path.unlink(missing_ok=True)
        if not disk.had_a_fault:
            break
        if not path.exists():
            new_store(path).dispose()
        open_store(path).dispose()
    assert number > 20
