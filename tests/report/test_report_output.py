"""A report file is there whole or not at all, and nobody's file is lost."""

import os
import stat
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.report import write


def test_the_text_arrives_as_utf8_with_its_own_line_ends(tmp_path: Path) -> None:
    target = tmp_path / "report.csv"
    write("é\r\nb\n\udcff", target, force=False)
    assert target.read_bytes() == b"\xc3\xa9\r\nb\n\\udcff"
    assert list(tmp_path.iterdir()) == [target]


def test_an_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_text("mine")
    with pytest.raises(InputError, match="exists already") as caught:
        write("new", target, force=False)
    assert caught.value.where == str(target)
    assert "--force" in caught.value.fix
    assert target.read_text() == "mine"
    write("new", target, force=True)
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_permissions_are_those_the_user_would_expect(tmp_path: Path) -> None:
    fresh, kept = tmp_path / "fresh", tmp_path / "kept"
    plain = tmp_path / "plain"
    plain.touch()
    kept.touch()
    kept.chmod(0o640)
    write("x", fresh, force=False)
    write("x", kept, force=True)
    assert stat.S_IMODE(fresh.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_a_link_keeps_pointing_to_the_file_that_changes(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write("new", link, force=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize("force", [False, True])
def test_what_cannot_be_a_report_file_is_refused_in_words(tmp_path: Path, force: bool) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe")
    unfit = {
        tmp_path: "is a folder",
        tmp_path / "none" / "report.md": "there is no folder",
        tmp_path / "file" / "report.md": "there is no folder|cannot be written",
        tmp_path / "pipe": "is not a regular file",
        tmp_path / ("n" * 300): "cannot be written",
        tmp_path / "null\0": "is not a path",
        tmp_path / "a": "is not a path|cannot be written",
    }
    before = sorted(tmp_path.iterdir())
    for path, complaint in unfit.items():
        with pytest.raises(InputError, match=complaint) as caught:
            write("x", path, force=force)
        assert caught.value.fix
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(("owner", "step"), [(os, "fsync"), (Path, "chmod"), (Path, "replace")])
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "No space left on device")])
def test_a_failure_half_way_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, step: str, error: OSError
) -> None:
    target = tmp_path / "report.md"
    target.write_text("mine")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(InputError, match=error.strerror):
        write("new", target, force=True)
    assert target.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [target]
