"""Whichever change the disk refuses, the run keeps what it acknowledged, ends in one sentence and can go on."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from test_store import TASK, content, record

from assay.corpus.guard import part_of
from assay.corpus.store import Store
from assay.corpus.subject_list import Listing, read_listing
from assay.errors import InputError
from faults import EVERY, python_disk

ROWS = 4


def run(folder: Path, listing: Listing, acknowledged: set[int]) -> None:
    """A run that merges after its second part and at its end, or goes on where one stopped."""
    store = Store(folder)
    with store.locked():
        store.begin(listing, TASK, 0)
        store.tidy()
        store.open_session(place="here")
        done = store.done(ROWS)
        for row in (row for row in range(ROWS) if not done[row]):
            store.append(part_of(TASK, (), [record(row)]), store.next_number())
            acknowledged.add(row)
            if row == 1:
                store.merge_single_parts()
        store.compact()
        store.close_session(examined=ROWS)


@pytest.mark.parametrize("stays_broken", [False, True], ids=["one fault", "a disk that stays full"])
def test_a_fault_at_any_change_loses_no_acknowledged_subject(tmp_path: Path, stays_broken: bool) -> None:
    (tmp_path / "list.csv").write_text("path\n" + "".join(f"s{i}\n" for i in range(ROWS)))
    listing = read_listing(tmp_path / "list.csv")
    run(tmp_path / "whole", listing, set())
    expected = content(Store(tmp_path / "whole"))
    messages: list[str] = []
    for number in itertools.count(1, EVERY):
        folder, acknowledged = tmp_path / f"out{number}", set[int]()
        with python_disk(number, stays_broken=stays_broken) as disk:
            try:
                run(folder, listing, acknowledged)
            except InputError as error:
                messages.append(str(error))
        if not disk.had_a_fault:
            break
        if acknowledged:
            recorded = Store(folder).done(ROWS)
            assert all(recorded[row] for row in acknowledged), number
        run(folder, listing, acknowledged)
        assert content(Store(folder)) == expected, number
    assert number > 50
    assert messages
    assert all("cannot be written" in message for message in messages)


def test_what_lies_in_a_folder_that_is_refused_stays(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("path\ns0\n")
    mine = tmp_path / "out" / "facts" / "notes.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        run(tmp_path / "out", read_listing(tmp_path / "list.csv"), set())
    assert mine.read_text() == "mine"
