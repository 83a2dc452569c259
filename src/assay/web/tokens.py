"""The server's secret, and the token that visitors must know: made once, kept in its folder."""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import time
from pathlib import Path

_SECRET = 32
"""Bytes."""


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class EndedSessions:
    """The names of sessions whose visitors logged out, kept until their cookies would have expired anyway."""

    def __init__(self, folder: Path, lifetime: float) -> None:
        self._path = folder / "ended-sessions"
        now = time.time()
        kept = self._path.read_text(encoding="ascii", errors="replace") if self._path.exists() else ""
        ended = (line.partition(" ") for line in kept.splitlines())
        self._names = {name for name, _, at in ended if at.isdecimal() and now - int(at) < lifetime}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str) -> None:
        """End a session for good. It has ended in memory even where the disk is full."""
        self._names.add(name)
        with self._path.open("a", encoding="ascii") as stream:
            stream.write(f"{name} {int(time.time())}\n")


def read_secret(folder: Path) -> bytes:
    """The secret of this server, made when it first starts, so that a restart keeps everybody's session."""
    path = folder / "secret"
    kept = path.read_bytes() if path.exists() else b""
    if len(kept) < _SECRET:  # a full disk may have left an empty file, with which anybody could sign
        kept = secrets.token_bytes(_SECRET)
        path.touch(mode=0o600)
        path.write_bytes(kept)
    return kept


def read_token(folder: Path, *, anew: bool = False) -> tuple[str, str]:
    """The fingerprint of this server's token, and the token itself if it was made just now (else empty)."""
    path = folder / "token.sha256"
    kept = path.read_bytes().decode("ascii", "replace").strip() if path.exists() else ""
    if re.fullmatch(r"[0-9a-f]{64}", kept) and not anew:  # an empty one would let everybody in
        return kept, ""
    kept, token = new_token_pair()
    path.touch(mode=0o600)
    path.write_text(kept + "\n", encoding="ascii")
    return kept, token


def new_token_pair() -> tuple[str, str]:
    """The fingerprint of a new token, and the token itself."""
    token = secrets.token_urlsafe(24)
    return fingerprint(token), token


def make_private(folder: Path) -> None:
    """Close a data folder, and the databases in it, to other accounts of this machine."""
    with contextlib.suppress(PermissionError):  # it belongs to somebody else, who decides
        folder.chmod(0o700)
        for file in folder.glob("*.sqlite*"):
            file.chmod(0o600)
