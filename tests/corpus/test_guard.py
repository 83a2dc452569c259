"""A subject that hangs, eats memory or kills its process costs itself alone."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scripts_corpus import MakeList

from assay.corpus.guard import Guard
from assay.corpus.subject import Outcome, Subject, Task
from assay.corpus.subject_list import read_listing


@pytest.fixture
def guards() -> Iterator[list[Guard]]:
    made: list[Guard] = []
    yield made
    for guard in made:
        guard.close()


def cell_pids() -> list[int]:
    """The cells that this process has started."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended while we look
            children = (task / "children").read_text().split()
            found += [int(pid) for pid in children if b"assay.corpus.cell" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return found


def outcomes(guard: Guard, subjects: list[Subject]) -> dict[int, Outcome]:
    records = guard.run(subjects)
    assert len(records) == len(subjects)
    assert [record.message for record in records if record.outcome is Outcome.FAULT] == []
    return {record.subject.row: record.outcome for record in records}


def test_only_the_subject_that_hangs_is_stopped(scripts: MakeList, guards: list[Guard]) -> None:
    subjects = list(read_listing(scripts(6, hanging=(2,), missing=(4,))).subjects())
    guards.append(Guard(Task("leakage", seconds=5.0)))
    found = outcomes(guards[0], subjects)
    assert found == {0: "done", 1: "done", 2: "time", 3: "done", 4: "input", 5: "done"}


def test_only_the_subject_that_eats_memory_is_refused_it(scripts: MakeList, guards: list[Guard]) -> None:
    subjects = list(read_listing(scripts(4)).subjects())
    large = Path(subjects[1].source).with_suffix(".ipynb")
    cell = {"cell_type": "code", "source": "x = 1\n" * 100, "outputs": []}
    large.write_text(json.dumps({"cells": [cell] * 40_000, "metadata": {}}))
    subjects[1] = replace(subjects[1], source=str(large))
    guards.append(Guard(Task("leakage", seconds=60.0, megabytes=80)))
    assert outcomes(guards[0], subjects) == {0: "done", 1: "memory", 2: "done", 3: "done"}


def test_a_killed_process_is_replaced_and_its_subject_tried_once_more(scripts: MakeList, guards: list[Guard]) -> None:
    subjects = list(read_listing(scripts(3, hanging=(1,))).subjects())
    guards.append(Guard(Task("leakage", seconds=60.0)))
    killed: set[int] = set()

    def kill() -> None:
        while len(killed) < 2:
            time.sleep(0.05)
            at = guards[0].at
            for pid in set(cell_pids()) - killed:
                if at is not None and at.row == 1:
                    killed.add(pid)
                    os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    records = guards[0].run(subjects)
    killer.join()
    found = {record.subject.row: record for record in records}
    assert {row: record.outcome for row, record in found.items()} == {0: "done", 1: "crash", 2: "done"}
    assert "signal 9" in found[1].message
    assert len(killed) == 2


def test_a_task_that_cannot_be_loaded_is_told_as_such(guards: list[Guard]) -> None:
    from assay.corpus.guard import StartError

    guards.append(Guard(Task("repo", options=(("profile", "nobody's"),))))
    with pytest.raises(StartError, match="nobody's"):
        guards[0].run([Subject(0, "a", "a")])
