"""What a crash or a full disk leaves behind is complete, or does not count."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import main
from assay.corpus.guard import part_of
from assay.corpus.listing import Listing, read_listing
from assay.corpus.store import Store
from assay.corpus.subject import Examined, Outcome, Record, Subject, Task
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
