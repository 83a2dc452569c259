"""Entry points are found as the standard library finds them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from assay.entry_points import EntryPoint, entry_points

GROUPS = sorted(metadata.entry_points().groups)


def _installed(folder: Path, name: str, text: str) -> None:
    info = folder / f"{name}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.partition('-')[0]}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(text)


def _theirs(group: str) -> set[tuple[str, str]]:
    return {(entry.name, entry.value) for entry in metadata.entry_points(group=group)}


def _ours(group: str) -> set[tuple[str, str]]:
    return {(entry.name, entry.value) for entry in entry_points(group)}


def test_there_are_groups_to_compare():
    assert {"assay.rules", "console_scripts", "pytest11"} <= set(GROUPS)


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_of_this_environment_is_as_the_standard_library_finds_it(group: str):
    assert _ours(group) == _theirs(group)


def test_of_a_package_that_is_there_twice_the_first_on_the_path_counts(tmp_path, monkeypatch):
    _installed(tmp_path / "one", "my_tool-1.0", "[group.x]\na = first:go\n")
    _installed(tmp_path / "two", "My.Tool-2.0", "[group.x]\na = second\nb = second\n")
    _installed(
        tmp_path / "two", "other-2.0", "[group.x.more]\nc = no\n[group.x]\n# d = no\n e = some.where:here [extra]\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path / "one"), str(tmp_path / "two"), str(tmp_path / "not there")])
    assert _ours("group.x") == _theirs("group.x") == {("a", "first:go"), ("e", "some.where:here [extra]")}


def test_what_is_offered_is_loaded_wherever_it_is_in_its_module():
    assert EntryPoint("a", "zipfile:ZipFile.open [extra]").load() is zipfile.ZipFile.open
    assert EntryPoint("a", "zipfile").load() is zipfile
    assert EntryPoint("a", "zipfile:ZipFile.open [extra]").module == "zipfile"


def test_a_plug_in_that_is_installed_as_an_archive_is_found_too(tmp_path):
    archive = tmp_path / "plugged.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("plugged-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
        made.writestr("plugged-1.0.dist-info/entry_points.txt", "[assay.rules]\nplugged = plugged\n")
    program = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "from assay.entry_points import entry_points\n"
        "print(sorted(entry.name for entry in entry_points('assay.rules')))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "'plugged'" in ended.stdout
    assert "'scores'" in ended.stdout


def test_metadata_that_cannot_be_read_offers_nothing(tmp_path, monkeypatch):
    (tmp_path / "odd-1.0.dist-info" / "entry_points.txt").mkdir(parents=True)
    (tmp_path / "file-1.0.egg-info").write_text("Name: file\n")
    _installed(tmp_path, "binary-1.0", "")
    (tmp_path / "binary-1.0.dist-info" / "entry_points.txt").write_bytes(b"[group.x]\n\xff\xfe = \x00\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert [entry.value for entry in entry_points("group.x")] == ["\x00"]


def test_the_backport_of_the_standard_reader_changes_nothing(tmp_path, monkeypatch):
    _installed(tmp_path, "plain-1.0", "")
    (tmp_path / "plain-1.0.dist-info" / "entry_points.txt").write_bytes(b"[group.y]\none = plain\n\xff = odd\n")
    backport = type("MetadataPathFinder", (), {"__module__": "importlib_metadata", "find_distributions": None})
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, backport()])
    assert [entry.value for entry in entry_points("group.y")] == ["plain", "odd"]
