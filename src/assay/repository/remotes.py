"""A repository from the network: one commit, fetched into a bare repository and read there without a checkout.

So nothing of it ever runs: no hook, no filter (git LFS), no submodule. The user's own settings of git stay out of it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree, open_tree

_URL = regex(r"(?:https?|ssh|git)://\S+|[\w.-]+@[\w.-]+:\S+")
_PROTOCOLS = "https:http:ssh:git"
_SECONDS = 300
_TAG = regex(r"\trefs/tags/([^\s^]+)$", re.MULTILINE)


class FetchError(InputError):
    """A repository that could not be fetched; `log` is all that git said, for those who look for the reason."""

    def __init__(self, what: str, *, where: str = "", fix: str = "", log: str = "") -> None:
        super().__init__(what, where=where, fix=fix)
        self.log = log


def is_url(source: str) -> bool:
    """Whether it names something on another machine."""
    return _URL.fullmatch(source) is not None and not Path(source).exists()


def fetch(
    source: str, folder: Path, *, seconds: int = _SECONDS, protocols: str = _PROTOCOLS, headers: bool = False
) -> Tree:
    """The tree at `source` (a URL, perhaps with `@revision` at its end), kept in `folder` while it is read.

    With `headers`, the log of a `FetchError` has the headers of the server's answers.
    """
    url, revision = split_revision(source)
    git = _Git(source, folder, seconds, protocols, headers)
    git("init", "--quiet", "--bare", "--template=")
    git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, revision)
    tags = tuple(_TAG.findall(git("ls-remote", "--quiet", "--tags", "--", url)))
    return replace(open_tree(f"{folder}@FETCH_HEAD"), name=source, tags=tags)


def commit_at(source: str, folder: Path, *, seconds: int = _SECONDS, headers: bool = False) -> str | None:
    """The commit that an address stands for now, in one small question to the host; None if it does not say."""
    url, revision = split_revision(source)
    git = _Git(source, folder, seconds, _PROTOCOLS, headers)
    git("init", "--quiet", "--bare", "--template=")
    told = git("ls-remote", "--quiet", "--", url, revision).split()
    return told[0] if told else None


@dataclass(frozen=True, slots=True)
class _Git:
    """git on a bare repository, without the user's settings, hooks or helpers; what goes wrong is a `FetchError`."""

    source: str
    folder: Path
    seconds: int
    protocols: str
    headers: bool

    def __call__(self, *arguments: str) -> str:
        git = shutil.which("git")
        if git is None:
            fix = "Install it, or give a folder or an archive."
            raise InputError("git is not installed", where=self.source, fix=fix)
        options = ["-c", f"core.hooksPath={os.devnull}", "-c", "credential.helper="]
        try:
            ended = subprocess.run(  # noqa: S603 - fixed words, a URL and a revision behind `--`, never a shell
                [git, f"--git-dir={self.folder}", *options, *arguments],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.seconds,
                check=True,
            )
        except subprocess.TimeoutExpired:
            fix = "Clone it yourself and give the folder."
            raise FetchError(f"took more than {self.seconds} s", where=self.source, fix=fix) from None
        except subprocess.CalledProcessError as error:
            log = error.stderr.decode("utf-8", "replace").strip()
            told = f"cannot be fetched ({log.split(chr(10))[-1]})"
            raise FetchError(told, where=self.source, fix="Check the address.", log=log) from None
        return ended.stdout.decode("utf-8", "replace")

    def _environment(self) -> dict[str, str]:
        return {name: os.environ[name] for name in _KEPT if name in os.environ} | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ALLOW_PROTOCOL": self.protocols,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "LC_ALL": "C",
            **({"GIT_TRACE_CURL": "1", "GIT_TRACE_CURL_NO_DATA": "1"} if self.headers else {}),
        }


_KEPT = ("PATH", "HOME", "SYSTEMROOT", "SSH_AUTH_SOCK", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy",
         "http_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO")  # fmt: skip
"""What the connection needs of the user's environment."""


def split_revision(source: str) -> tuple[str, str]:
    """URL and revision: `https://host/a/b@v1.0`; without one, the default branch."""
    before, at, revision = source.rpartition("@")
    if at and "/" not in revision.partition(":")[0] and ":" not in revision and before.count("/") >= 3:
        if revision.startswith("-") or not revision:
            raise InputError(f'"{revision}" is not a revision', where=before, fix="Name a commit, tag or branch.")
        return before, revision
    return source, "HEAD"
