"""What a server is started with: where it keeps things, who may come in, and how much it takes on."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from assay.records import dataclass

MIB = 1024 * 1024
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names under which only this machine reaches the server."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a visitor may ask for. Times are in seconds."""

    upload_bytes: int = 200_000_000
    upload_files: int = 40
    field_bytes: int = 2 * MIB
    """All that a form without files may weigh."""
    job_seconds: float = 900.0
    job_bytes: int = 4096 * MIB
    """Address space of a process that audits; each of its helpers has the same."""
    jobs_at_once: int = 1
    jobs_waiting: int = 50
    check_seconds: float = 2.0
    """How long a verdict may take while somebody types."""
    depth_seconds: float = 30.0
    """How long a diagnosis or a picture may take."""
    check_bytes: int = 3072 * MIB


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that `create_app` needs to know."""

    folder: Path
    """Where uploads, reports, keys and (unless `database` says otherwise) the database are kept."""
    database: str = ""
    """A database URL; empty for SQLite in the folder."""
    token: str = ""
    """SHA-256 of the token that visitors must know, in hexadecimal; empty where nobody is asked for one."""
    loopback: bool = True
    """Whether the server answers only to the names of this machine."""
    session: timedelta = timedelta(days=1)
    """For so long a visitor stays logged in."""
    limits: Limits = Limits()
    online: bool = False
    """Whether visitors may give an address from which the server downloads a paper or a repository."""
    retention: timedelta = timedelta(days=7)
    """After so long uploaded files are deleted; the reports about them stay."""
    undo: timedelta = timedelta(minutes=10)
    """For so long a deletion can be undone."""

    @property
    def where(self) -> str:
        """The database, as its URL."""
        return self.database or f"sqlite:///{self.folder / 'assay.sqlite'}"
