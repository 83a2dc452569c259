"""The server's secret, and the token that visitors must know: made once, kept in its folder."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def read_secret(folder: Path) -> bytes:
    """The secret of this server, made when it first starts, so that a restart keeps everybody's session."""
    path = folder / "secret"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()


def read_token(folder: Path, *, anew: bool = False) -> tuple[str, str]:
    """The fingerprint of this server's token, and the token itself if it was made just now (else empty)."""
    path = folder / "token.sha256"
    if path.exists() and not anew:
        return path.read_text(encoding="ascii").strip(), ""
    token = secrets.token_urlsafe(24)
    path.touch(mode=0o600)
    path.write_text(fingerprint(token) + "\n", encoding="ascii")
    return fingerprint(token), token
