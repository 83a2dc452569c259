"""A corpus of small scripts, of which some leak, some are missing, and some never end."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts_corpus import HONEST, LEAKING, MakeList


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[MakeList]:
    """Makes a list of scripts, every third of which leaks, in two groups."""
    writers: list[int] = []

    def make(many: int, *, hanging: tuple[int, ...] = (), missing: tuple[int, ...] = ()) -> Path:
        rows = []
        for number in range(many):
            folder = tmp_path / "code" / f"s{number}"
            folder.mkdir(parents=True)
            script = folder / "train.py"
            if number in hanging:
                os.mkfifo(script)  # whoever reads it waits for a writer that never writes
                writers.append(os.open(script, os.O_RDWR))
            elif number not in missing:
                script.write_text(LEAKING if number % 3 == 0 else HONEST)
            rows.append((f"code/s{number}/train.py", "even" if number % 2 == 0 else "odd"))
        path = tmp_path / "list.csv"
        with path.open("w", newline="") as stream:
            csv.writer(stream).writerows([("path", "parity"), *rows])
        return path

    yield make
    for writer in writers:
        os.close(writer)
