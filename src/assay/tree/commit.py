"""A git repository at a commit, read from its object store without a checkout.

The repository's own configuration is hostile until proven otherwise. Only plumbing commands run, with no
hooks, filters or text conversion in their way; a clean environment keeps out everything of the user's; and
no transport is allowed, so that a "partial clone" cannot make git run the upload command its configuration
names.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from weakref import finalize

from assay.errors import InputError
from assay.records import dataclass
from assay.tree.files import MIB, Commit, Limits
from assay.tree.listing import Entry, Gate, Listing, without_environments
from assay.tree.text import readable

_SECONDS = 60
_CHEAP_TO_SKIP = MIB
_LONGEST_LINK = 4096
_LINK, _SUBMODULE = b"120000", b"160000"


def is_bare(path: Path) -> bool:
    """True if the folder is a git directory itself."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def is_git(path: Path) -> bool:
    """True if the folder is a git repository, bare or not."""
    return (path / ".git").exists() or is_bare(path)


def list_commit(path: Path, revision: str, limits: Limits) -> Listing:
    """All files of the commit that `revision` names."""
    git = Git(path if is_bare(path) else path / ".git")
    where = f"{path}@{revision}"
    if revision.startswith("-") or not revision.isprintable():
        raise InputError(
            f'"{readable(revision)}" is not a revision', where=str(path), fix="Name a commit, tag or branch."
        )
    try:
        found = git.run("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except OSError:
        known = "Check the path and the name of the commit, tag or branch."
        raise InputError("there is no such commit", where=where, fix=known) from None
    try:
        listing = Listing(BlobStore(git), commit=_commit(git, found), tags=_tags(git))
        _list_tree(git, found, limits, listing)
    except OSError as error:
        raise InputError(f"git cannot read this commit ({error})", where=where, fix="Check it with git fsck.") from None
    without_environments(listing)
    return listing


def describe_checkout(path: Path, listing: Listing) -> None:
    """Add the checked-out commit to the listing of a working copy, if git can determine it."""
    git = Git(path / ".git")
    with contextlib.suppress(OSError, InputError):
        listing.commit = _commit(git, "HEAD")
        listing.tags = _tags(git)


def _commit(git: Git, revision: str) -> Commit:
    name, date = git.run("rev-list", "--max-count=1", "--format=%H %cI", revision).decode().splitlines()[-1].split()
    return Commit(name, date)


def _tags(git: Git) -> tuple[str, ...]:
    found = git.run("for-each-ref", "--format=%(refname:strip=2)", "--count=10000", "refs/tags")
    return tuple(readable(tag) for tag in os.fsdecode(found).splitlines())


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, restricted to one git directory."""

    directory: Path

    def command(self, *arguments: str) -> list[str]:
        """The command line; every feature that could run a program or read the user's settings is disabled."""
        program = shutil.which("git")
        if program is None:
            raise InputError("git is not installed", where=str(self.directory), fix="Install it, or give a folder.")
        settings = (
            f"core.hooksPath={os.devnull}", f"core.attributesFile={os.devnull}", "core.fsmonitor=false",
            "core.commitGraph=false", "core.bigFileThreshold=8m", "core.quotePath=false",
        )  # fmt: skip
        options = [part for setting in settings for part in ("-c", setting)]
        return [program, "--no-pager", "--no-replace-objects", f"--git-dir={self.directory}", *options, *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """A clean environment that keeps only the search path for programs."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return kept | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }

    def run(self, *arguments: str) -> bytes:
        """The output of the command; a failure is an OSError with git's first line."""
        try:
            ended = subprocess.run(  # noqa: S603 - arguments are fixed words and object names, never a shell
                self.command(*arguments),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
            )
        except subprocess.TimeoutExpired:
            raise OSError(f"git needed more than {_SECONDS} s") from None
        except subprocess.CalledProcessError as error:
            said: str = error.stderr.decode("utf-8", "replace").partition("\n")[0]
            raise OSError(said or f"git ended with {error.returncode}") from None
        return ended.stdout

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start the command with pipes to it."""
        return subprocess.Popen(  # noqa: S603 - as above
            self.command(*arguments),
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


@dataclass(slots=True, weakref_slot=True)
class BlobStore:
    """Reads blobs through one `git cat-file --batch`, started on first use."""

    git: Git
    _running: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def read(self, key: str, limit: int) -> bytes:
        """The first bytes of the blob with this object name."""
        process = self._process()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise OSError("git is not listening")
        stdin.write(key.encode() + b"\n")
        stdin.flush()
        answer = stdout.readline().split()
        if len(answer) != 3 or answer[1] != b"blob":
            self._stop()
            raise OSError("the object is missing")
        size = int(answer[2])
        data = stdout.read(min(size, limit))
        rest = size - len(data)
        if rest > _CHEAP_TO_SKIP:
            self._stop()  # starting anew is quicker than hearing it out
        else:
            stdout.read(rest + 1)
        return data

    def _process(self) -> subprocess.Popen[bytes]:
        if self._running is None:
            self._running = self.git.start("cat-file", "--batch")
            finalize(self, _end, self._running)
        return self._running

    def _stop(self) -> None:
        if self._running is not None:
            _end(self._running)
            self._running = None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()


def _list_tree(git: Git, commit: str, limits: Limits, listing: Listing) -> None:
    """Read `ls-tree` up to the limits; its output may be endless, because trees can share subtrees."""
    gate = Gate(listing, limits)
    missing: list[str] = []
    with git.start("ls-tree", "-r", "-z", "-l", "--full-tree", commit) as process:
        try:
            for record in _records(process):
                if gate.closed:
                    break
                about, _, raw = record.partition(b"\t")
                mode, _, name, size = about.split()
                path, key = os.fsdecode(raw), name.decode()
                if mode == _SUBMODULE:
                    listing.submodules.append(path)
                elif not gate.admits(path):
                    continue
                elif mode == _LINK:
                    listing.links.append((path, key))
                elif size.isdigit():
                    listing.entries.append(Entry(path, int(size), key))
                else:
                    listing.entries.append(Entry(path, 0, key))
                    missing.append(path)
        finally:
            process.kill()
    if missing:
        what = f" and {len(missing) - 1} more: the repository lacks their content"
        listing.notes.append(readable(missing[0]) + (what if missing[1:] else ": the repository lacks its content"))
    listing.links = [(path, os.fsdecode(listing.store.read(key, _LONGEST_LINK))) for path, key in listing.links]


def _records(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """The process's output, split at null bytes."""
    rest = b""
    while process.stdout is not None and (block := process.stdout.read(65536)):
        *whole, rest = (rest + block).split(b"\0")
        yield from whole
