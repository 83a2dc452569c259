"""A repository is fetched as one commit, without running anything of it."""

import subprocess

import pytest

from assay.errors import InputError
from assay.repository.remotes import fetch, is_url, split_revision


@pytest.fixture
def origin(tmp_path):
    """A repository with two commits and a tag on the first."""
    folder = tmp_path / "origin"
    folder.mkdir()
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]

    def git(*arguments):
        subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    (folder / "a.py").write_text("print(1)\n")
    (folder / ".gitattributes").write_text("*.py filter=lfs\n")
    git("add", ".")
    git("commit", "-qm", "one")
    git("tag", "v1.0")
    (folder / "a.py").write_text("print(2)\n")
    git("commit", "-qam", "two")
    return f"file://{folder}"


def test_the_default_branch_or_the_named_revision_is_read(origin, tmp_path):
    newest = fetch(origin, tmp_path / "x", protocols="file")
    assert newest.get("a.py").text() == "print(2)\n"
    assert newest.tags == ("v1.0",)
    assert newest.name == origin
    older = fetch(f"{origin}@v1.0", tmp_path / "y", protocols="file")
    assert older.get("a.py").text() == "print(1)\n"


def test_only_protocols_of_the_network_are_allowed(origin, tmp_path):
    with pytest.raises(InputError, match="cannot be fetched"):
        fetch(origin, tmp_path / "x")


def test_an_unknown_revision_and_an_option_in_disguise_are_refused(origin, tmp_path):
    with pytest.raises(InputError, match="cannot be fetched"):
        fetch(f"{origin}@nothing", tmp_path / "x", protocols="file")
    with pytest.raises(InputError, match="not a revision"):
        fetch(f"{origin}@--upload-pack=touch", tmp_path / "y", protocols="file")


@pytest.mark.parametrize(
    ("source", "url", "revision"),
    [
        ("https://host/a/b", "https://host/a/b", "HEAD"),
        ("https://host/a/b@v1", "https://host/a/b", "v1"),
        ("https://user@host/a/b", "https://user@host/a/b", "HEAD"),
        ("git@host:a/b.git", "git@host:a/b.git", "HEAD"),
    ],
)
def test_a_revision_follows_the_address_after_an_at_sign(source, url, revision):
    assert is_url(source)
    assert split_revision(source) == (url, revision)


def test_paths_are_no_addresses():
    assert not any(map(is_url, ["model", "./a@b", "C:/x", "/tmp/x.zip", "model@v1.0"]))
