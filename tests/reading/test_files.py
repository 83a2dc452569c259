"""What `assay.files` makes of paths that lead to no ordinary file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files import is_there, read_bytes, read_text


def test_a_pipe_that_nobody_writes_to_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(InputError, match="nothing was written to it"):
        read_text(tmp_path / "pipe.toml")


def test_what_a_program_writes_into_a_pipe_is_read() -> None:
    ours, theirs = os.pipe()
    try:
        with os.fdopen(theirs, "w") as stream:
            stream.write("p = 10\n")
        assert read_text(Path(f"/dev/fd/{ours}")) == "p = 10\n"
    finally:
        os.close(ours)


def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="larger than 1,000 bytes"):
        read_bytes(Path("/dev/zero"), 1_000)


def test_a_folder_is_told_from_a_file_and_leaves_nothing_open(tmp_path: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path)
    assert len(list(Path("/dev/fd").iterdir())) == before


def _loop(folder: Path) -> Path:
    (folder / "loop").symlink_to("loop")
    return folder / "loop"


def test_what_cannot_be_looked_at_is_not_taken_for_missing(tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 300), _loop(tmp_path), Path("null\0byte")):
        for look in (is_there, read_bytes):
            with pytest.raises(InputError, match="Check the path"):
                look(path)


def test_what_is_there_is_told_from_what_is_not(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "broken").symlink_to("nowhere")
    assert is_there(tmp_path)
    assert is_there(tmp_path / "file")
    assert not is_there(tmp_path / "file" / "below")
    assert not is_there(tmp_path / "broken")
    assert not is_there(tmp_path / "missing")
