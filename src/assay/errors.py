"""Errors caused by the input, worded so that the user can correct it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Bad input: what is wrong, where, and what to do. The command line prints it and exits with 2."""

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(what, where, fix)

    def __str__(self) -> str:
        said = f"{self.where}: {self.what}" if self.where else self.what
        end = "" if said.endswith(("?", ".", "!")) else "."
        return f"{said}{end} {self.fix}" if self.fix else said

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.fix))


class UnavailableError(InputError):
    """Something that Assay needs is temporarily missing: a database does not answer, or the disk is full."""


def _rebuild(kind: type[InputError], what: str, where: str, fix: str) -> InputError:
    """Unpickle an `InputError` that comes back from a worker process."""
    return kind(what, where=where, fix=fix)


def suggestion(word: str, known: Iterable[str]) -> str:
    """'Did you mean "sens"?', or an empty string if no known word is similar."""
    choices = list(known)
    lowered = {c.lower(): c for c in choices}
    near = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f'Did you mean "{lowered[near[0]]}"?' if near else ""
