"""Runs that are stopped, by whatever, go on where they were; every subject is recorded exactly once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

import pytest
from scripts_corpus import LEAKING, MakeList

from assay.cli import main
from assay.corpus import batches, executors, open_results
from assay.corpus.batches import Tally, run
from assay.corpus.executors import Place, on_this_machine
from assay.corpus.guard import Part
from assay.corpus.subject import Subject, Task
from assay.corpus.subject_list import read_listing
from assay.errors import InputError
from patience import until

PAPER = r"""\documentclass{article}
\begin{document}
\section{Results}
We train a model on data. The code is available.
\begin{table}
\caption{Results on the test set: 100 positive and 200 negative cases}
\begin{tabular}{lccc}
Model & Accuracy & Sensitivity & Specificity \\
Ours & 0.9033 & 0.8100 & 0.8050 \\
\end{tabular}
\end{table}
\end{document}
"""


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    return list(open_results(folder).query(sql).rows)


def test_everything_is_recorded_once_whatever_becomes_of_it(
    scripts: MakeList, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = scripts(9, hanging=(4,), missing=(7,))
    out = tmp_path / "out"
    command = ["corpus", "run", str(listing), "--instrument", "leakage", "--out", str(out), "--workers", "2"]
    assert main([*command, "--time-limit", "5"]) == 0
    assert "9 subjects: 7 examined, 2 failed" in capsys.readouterr().out
    found = rows(out, "select row, outcome, parity from subjects order by row")
    assert [row for row, _, _ in found] == list(range(9))
    assert {row: outcome for row, outcome, _ in found if outcome != "done"} == {4: "time", 7: "input"}
    assert rows(out, "select row from findings where code = 'L1.1' order by row") == [(0,), (3,), (6,)]
    assert rows(out, "select count(*), min(evaluations) from facts") == [(7, 1)]

    assert main(command) == 0  # nothing is left to do, so no process starts
    assert "0 examined, 0 failed, 9 recorded before" in capsys.readouterr().out

    (tmp_path / "code" / "s7" / "train.py").write_text(LEAKING)
    (tmp_path / "code" / "s4" / "train.py").unlink()
    assert main([*command, "--retry"]) == 0
    assert "1 examined, 1 failed, 7 recorded before" in capsys.readouterr().out
    assert rows(out, "select row, outcome from failures") == [(4, "input")]
    assert rows(out, "select count(*), count(distinct row) from subjects") == [(9, 9)]

    assert main([*command, "--group", "parity", "--online"]) == 2
    assert "holds a run with other options" in capsys.readouterr().err


def test_a_driver_that_is_killed_loses_only_what_was_in_flight(scripts: MakeList, tmp_path: Path) -> None:
    listing, out = scripts(12, hanging=(11,)), tmp_path / "out"
    options = ["--instrument", "leakage", "--out", str(out), "--batch", "2", "--workers", "1"]
    command = [sys.executable, "-m", "assay", "corpus", "run", str(listing), *options]
    driver = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    until(lambda: len(list((out / "subjects").glob("part-*.parquet"))) >= 3)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    before = {row for (row,) in rows(out, "select row from subjects")}
    assert 6 <= len(before) < 12

    tally = run(read_listing(listing), Task("leakage", seconds=5.0), out, on_this_machine(1), batch=2)
    assert (tally.before, tally.done, tally.failed) == (len(before), 11 - len(before), 1)
    assert [row for (row,) in rows(out, "select row from subjects order by row")] == list(range(12))
    assert rows(out, "select row from findings where code = 'L1.1' order by row") == [(0,), (3,), (6,), (9,)]


def test_an_interrupted_run_ends_at_once_and_leaves_no_process(scripts: MakeList, tmp_path: Path) -> None:
    def interrupt(_: Tally) -> None:
        raise KeyboardInterrupt

    listing = read_listing(scripts(2, hanging=(1,)))
    with pytest.raises(KeyboardInterrupt):
        run(listing, Task("leakage", seconds=600.0), tmp_path / "out", on_this_machine(2), batch=1, told=interrupt)
    assert rows(tmp_path / "out", "select row, outcome from subjects") == [(0, "done")]
    ours = [pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]
    assert not [pid for pid in ours if b"assay.corpus.cell" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_a_column_that_results_have_already_is_refused(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("path,Outcome\na,b\n")
    with pytest.raises(InputError, match='a column "outcome" already'):
        run(read_listing(tmp_path / "l.csv"), Task("leakage"), tmp_path / "out", on_this_machine(1))


def test_repositories_and_papers_are_examined_too(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "train.py").write_text(LEAKING)
    (tmp_path / "paper.tex").write_text(PAPER)
    told: list[Tally] = []
    for instrument, subject in (("repo", "work"), ("paper", "paper.tex")):
        (tmp_path / "list.csv").write_text(f"subject\n{subject}\n")
        out = tmp_path / instrument
        task = Task(instrument, (("check-scores", "yes"),))
        run(read_listing(tmp_path / "list.csv"), task, out, on_this_machine(1), told=told.append)
        assert rows(out, "select subject, outcome from subjects") == [(subject, "done")]
    assert [tally.done for tally in told] == [1, 1]
    [(files, licence, software)] = rows(tmp_path / "repo", "select python_files, R101, software from facts")
    assert (files, licence) == (1, "fail")
    assert isinstance(software, float)
    [(metric,)] = rows(tmp_path / "paper", "select metric from facts")
    assert isinstance(metric, float)
    assert rows(tmp_path / "paper", "select verdict, count(*) from verdicts group by 1") == [("inconsistent", 1)]


def test_rows_of_scores_with_a_stranger_among_the_columns_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "l.csv").write_text("p,n,acc,field\n10,20,0.9,art\n")
    assert main(["corpus", "run", str(tmp_path / "l.csv"), "--instrument", "scores", "--out", str(tmp_path / "o")]) == 2
    assert "If it is a group, add --group field" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_places_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.csv").write_text("path\na\n")
    command = ["corpus", "run", str(tmp_path / "l.csv"), "--instrument", "repo", "--out", str(tmp_path / "o")]
    assert main([*command, "--workers", "1", "--slurm", "jobs=1"]) == 2
    assert "exclude each other" in capsys.readouterr().err


def test_workers_that_join_later_are_used() -> None:
    """A cluster that starts with one worker and grows to four has four workers' batches under way."""
    capacity, most = [1], 0
    under_way: dict[Future[Part], Sequence[Subject]] = {}

    def examine(task: Task, groups: Sequence[str], subjects: Sequence[Subject]) -> Future[Part]:
        nonlocal most
        future: Future[Part] = Future()
        under_way[future] = subjects
        most = max(most, len(under_way))
        if len(under_way) >= 2 * capacity[0]:  # all that fit are here: one ends, and another worker joins
            first = next(iter(under_way))
            rows = tuple(subject.row for subject in under_way.pop(first))
            capacity[0] = min(4, capacity[0] + 1)
            first.set_result(Part(rows, 0, {}))
        return future

    waiting = iter([[Subject(row, f"s{row}", "")] for row in range(40)])
    place = Place(examine, lambda: capacity[0], "a growing cluster")
    parts = batches._parts(place, Task("leakage"), (), waiting)
    for _ in range(30):
        next(parts)
    assert most >= 7


def test_a_late_worker_of_another_version_ends_the_run_in_words() -> None:
    with pytest.raises(executors.OtherVersionError, match=r"a worker has Assay .*, and this is 0\.0"):
        executors._unpacked("0.0", b"")
    future: Future[Part] = Future()
    future.set_exception(executors.OtherVersionError("a worker has Assay 9.9"))
    with pytest.raises(InputError, match=r"a worker has Assay 9\.9.*give the same command again"):
        batches._result(future, [Subject(0, "s", "")], Task("leakage"), ())
