"""The server's secret, and the token that visitors must know: made once, kept in its folder."""

from __future__ import annotations

import hashlib
import re
import secrets
from pathlib import Path

_SECRET = 32
"""Bytes."""


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


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
    token = secrets.token_urlsafe(24)
    path.touch(mode=0o600)
    path.write_text(fingerprint(token) + "\n", encoding="ascii")
    return fingerprint(token), token
