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
from assay.tree import Tree, open_tree

_URL = re.compile(r"(?:https?|ssh|git)://\S+|[\w.-]+@[\w.-]+:\S+")
_PROTOCOLS = "https:http:ssh:git"
_SECONDS = 300
_TAG = re.compile(r"\trefs/tags/([^\s^]+)$", re.MULTILINE)


def is_url(source: str) -> bool:
    """Whether it names something on another machine."""
    return _URL.fullmatch(source) is not None and not Path(source).exists()


def fetch(source: str, folder: Path, *, seconds: int = _SECONDS, protocols: str = _PROTOCOLS) -> Tree:
    """The tree at `source` (a URL, perhaps with `@revision` at its end), kept in `folder` while it is read."""
    url, revision = split_revision(source)
    git = shutil.which("git")
    if git is None:
        raise InputError("git is not installed", where=source, fix="Install it, or give a folder or an archive.")
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }

    def run(*arguments: str) -> str:
        options = ["-c", f"core.hooksPath={os.devnull}", "-c", "credential.helper="]
        ended = subprocess.run(  # noqa: S603 - fixed words, a URL and a revision behind `--`, never a shell
            [git, f"--git-dir={folder}", *options, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=True,
        )
        return ended.stdout.decode("utf-8", "replace")

    try:
        run("init", "--quiet", "--bare", "--template=")
        run("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, revision)
        tags = tuple(_TAG.findall(run("ls-remote", "--quiet", "--tags", "--", url)))
    except subprocess.TimeoutExpired:
        raise InputError(
            f"took more than {seconds} s", where=url, fix="Clone it yourself and give the folder."
        ) from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise InputError(f"cannot be fetched ({said})", where=source, fix="Check the address.") from None
    return replace(open_tree(f"{folder}@FETCH_HEAD"), name=source, tags=tags)


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
