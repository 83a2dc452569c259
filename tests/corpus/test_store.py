"""What a crash or a full disk leaves behind is complete, or does not count."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from assay.cli import main
from assay.corpus.guard import part_of
from assay.corpus.store import Store
from assay.corpus.subject import Examined, Outcome, Record, Subject, Task
from assay.corpus.subject_list import Listing, read_listing
from assay.errors import InputError

TASK = Task("leakage")


def record(row: int, outcome: Outcome = Outcome.DONE) -> Record:
    examined = Examined({"files": 1}, (("L1.1", "t", "error", "high", "m", "", "p", 1, None, None, "", "f"),))
    return Record(Subject(row, f"s{row}", ""), outcome, examined=examined if outcome is Outcome.DONE else None)


def begun(folder: Path, rows: int = 4) -> tuple[Store, Listing]:
    (folder / "list.csv").write_text("path\n" + "".join(f"s{i}\n" for i in range(rows)))
    listing = read_listing(folder / "list.csv")
    store = Store(folder / "out")
    with store.locked():
        store.begin(listing, TASK, 0)
    return store, listing


def test_recorded_rows_are_known_again(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.append(part_of(TASK, (), [record(2), record(0, Outcome.TIME)]), store.next_number())
    store.append(part_of(TASK, (), [record(3)]), store.next_number())
    assert list(store.done(4)) == [1, 0, 1, 1]
    assert [len(store.parts(table)) for table in ("subjects", "facts", "findings", "verdicts")] == [2, 2, 2, 0]


def test_a_part_whose_last_file_is_missing_never_was(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.append(part_of(TASK, (), [record(0)]), 0)
    part = part_of(TASK, (), [record(1)])
    del part.tables["subjects"]
    store.append(part, 1)
    (store.folder / "subjects" / "part-0000002.parquet.tmp").write_bytes(b"PAR1")
    assert list(store.done(4)) == [1, 0, 0, 0]
    assert len(store.parts("findings")) == 1
    store.tidy()
    assert sorted(p.name for p in store.folder.rglob("*.parquet*")) == ["part-0000000.parquet"] * 3


def test_failures_can_be_forgotten_and_nothing_else(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.append(part_of(TASK, (), [record(0), record(1, Outcome.CRASH)]), 0)
    store.append(part_of(TASK, (), [record(2, Outcome.INPUT)]), 1)
    store.forget_failures()
    assert list(store.done(4)) == [1, 0, 0, 0]
    assert store.next_number() == 2


def test_another_list_instrument_or_option_is_not_mixed_in(tmp_path: Path) -> None:
    store, listing = begun(tmp_path)
    with pytest.raises(InputError, match="another instrument"):
        store.begin(listing, Task("repo"), 0)
    with pytest.raises(InputError, match=r"other options .none, now online=yes"):
        store.begin(listing, Task("leakage", (("online", "yes"),)), 0)
    (tmp_path / "list.csv").write_text("path\nother\n")
    with pytest.raises(InputError, match="another list, or the list has changed"):
        store.begin(read_listing(tmp_path / "list.csv"), TASK, 0)


def test_limits_may_change_between_sessions(tmp_path: Path) -> None:
    store, listing = begun(tmp_path)
    store.begin(listing, Task("leakage", seconds=1.0, megabytes=100), 0)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    store, listing = begun(tmp_path)
    with pytest.raises(InputError, match="not empty"):
        Store(tmp_path).begin(listing, TASK, 0)
    (store.folder / "run.json").write_text("[]")
    with pytest.raises(InputError, match="not the manifest"):
        store.begin(listing, TASK, 0)


def test_only_one_run_writes_at_a_time(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    with store.locked(), pytest.raises(InputError, match="written by another run"), store.locked():
        pass


def test_a_manifest_says_what_made_the_results(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.open_session(place="here")
    store.close_session(examined=3, failed=1)
    manifest = json.loads((store.folder / "run.json").read_text())
    assert manifest["packages"]["polars"]
    assert len(manifest["list"]["sha256"]) == 64
    [session] = manifest["sessions"]
    assert {"started", "ended", "host", "python", "place", "examined", "failed"} <= session.keys()


FULL_DISK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import test_store as t
from assay.errors import InputError
store = t.Store(Path(sys.argv[1]))
part = t.part_of(t.TASK, (), [t.record(i) for i in range(1, 4)])
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # writing fails in the middle of a file
try:
    store.append(part, 1)
except InputError as error:
    print(error)
"""


def test_a_full_disk_loses_nothing_that_was_done(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.append(part_of(TASK, (), [record(0)]), 0)
    command = [sys.executable, "-c", FULL_DISK, str(store.folder), str(Path(__file__).parent)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "cannot be written" in said
    assert "give the same command again" in said
    assert list(store.done(4)) == [1, 0, 0, 0]
    assert not list(store.folder.rglob("*.tmp"))


def test_a_damaged_record_is_told_and_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    store, _ = begun(tmp_path)
    store.append(part_of(TASK, (), [record(0), record(1, Outcome.TIME)]), 0)
    part = store.folder / "subjects" / "part-0000000.parquet"
    part.write_bytes(b"PAR1" + b"\xff" * 200 + b"PAR1")
    for look in (lambda: store.done(4), store.forget_failures):
        with pytest.raises(InputError, match="cannot be read as Parquet"):
            look()


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("place", [["--slurm", "nonsense"], ["--scheduler", "nonsense"], ["--scheduler", "zzz://a:1"]])
def test_a_run_that_cannot_begin_leaves_nothing_behind(tmp_path: Path, place: list[str], there: bool) -> None:
    (tmp_path / "list.csv").write_text("path\na\n")
    out = tmp_path / "out"
    if there:
        out.mkdir()
    command = ["corpus", "run", str(tmp_path / "list.csv"), "--instrument", "repo", "--out", str(out)]
    assert main([*command, *place]) == 2
    assert out.exists() == there
    assert not there or not list(out.iterdir())


def test_a_run_that_has_begun_is_kept_whatever_is_asked_of_it_later(tmp_path: Path) -> None:
    store, listing = begun(tmp_path)
    store.append(part_of(TASK, (), [record(0)]), 0)
    before = sorted(path.name for path in store.folder.rglob("*"))
    with pytest.raises(InputError, match="another"), store.locked():
        store.begin(listing, Task("repo"), 0)
    assert sorted(path.name for path in store.folder.rglob("*")) == before


def filled(folder: Path, parts: int = 6) -> Store:
    """A run of parts of two subjects each; every third part has a failure."""
    store, _ = begun(folder, rows=2 * parts)
    for number in range(parts):
        second = Outcome.TIME if number % 3 == 0 else Outcome.DONE
        store.append(part_of(TASK, (), [record(2 * number), record(2 * number + 1, second)]), number)
    return store


def content(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows that count, by table."""
    read = {table: store.parts(table) for table in ("subjects", "facts", "findings", "verdicts")}
    return {
        table: pl.concat([pl.read_parquet(p) for p in parts], how="diagonal").rows()
        for table, parts in read.items()
        if parts
    }


def test_merged_parts_hold_the_same_rows_in_fewer_files(tmp_path: Path) -> None:
    store = filled(tmp_path)
    before = content(store)
    store.merge_single_parts()
    assert content(store) == before
    assert [path.name for path in store.parts("subjects")] == ["part-0000000-0000005.parquet"]
    assert store.next_number() == 6
    store.append(part_of(TASK, (), [record(12)]), store.next_number())
    store.compact()
    assert len(list(store.folder.rglob("*.parquet"))) == len(before)
    assert len(content(store)["subjects"]) == 13


def test_parts_are_merged_up_to_a_size(tmp_path: Path) -> None:
    store = filled(tmp_path, parts=9)
    before = content(store)
    three = 3 * sum(path.stat().st_size for path in store.folder.rglob("part-0000001.parquet"))
    store.compact(target=three - 200)
    assert content(store) == before
    assert 2 <= len(store.parts("subjects")) <= 4


def test_failures_in_merged_parts_can_be_forgotten(tmp_path: Path) -> None:
    store = filled(tmp_path, parts=3)
    store.compact()
    store.forget_failures()
    assert list(store.done(6)) == [1, 0, 1, 1, 1, 1]


class LostPowerError(Exception):
    pass


@pytest.mark.parametrize("moment", range(40))
def test_whenever_power_is_lost_each_subject_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """The k-th change of the file system never happens, and nothing after it does."""
    store = filled(tmp_path)
    before = content(store)
    changes = 0

    def counted(change: Callable[..., object]) -> Callable[..., object]:
        def changed(*given: object, **named: object) -> object:
            nonlocal changes
            if changes == moment:
                raise LostPowerError
            changes += 1
            return change(*given, **named)

        return changed

    with monkeypatch.context() as patched:
        for name in ("replace", "unlink"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        patched.setattr(os, "fsync", counted(os.fsync))
        with contextlib.suppress(LostPowerError):
            store.merge_single_parts()
            store.append(part_of(TASK, (), [record(12)]), store.next_number())
            store.compact()
    survived = Store(store.folder)
    rows = content(survived)
    assert rows["subjects"][:12] == before["subjects"]
    assert len(rows["subjects"]) in {12, 13}
    survived.tidy()
    survived.compact()
    assert content(survived) == rows
