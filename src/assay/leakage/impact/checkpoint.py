"""Finished parts of a long experiment, kept in a file so that an interrupted run can go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from assay.errors import InputError

Pairs = dict[str, tuple[float, float]]
"""By model, the leaky and the clean score."""


class Checkpoint:
    """One line of JSON for each finished part; the first line says which experiment the file belongs to."""

    def __init__(self, path: Path | None, experiment: str) -> None:
        self.path = path
        self.done: dict[str, Pairs] = {}
        if path is None:
            return
        if path.exists():
            self._read(path, experiment)
        else:
            try:
                path.write_text(json.dumps({"experiment": experiment}) + "\n", encoding="utf-8")
            except OSError as error:
                raise InputError(f"cannot write the file ({error.strerror})", where=str(path)) from None

    def recorded(self, key: str, measure: Callable[[], Pairs]) -> Pairs:
        """The scores of this part, measured now or in an earlier run."""
        if self.path is None:
            return measure()
        if key not in self.done:
            self.done[key] = measure()
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"part": key, "scores": self.done[key]}) + "\n")
        return self.done[key]

    def _read(self, path: Path, experiment: str) -> None:
        try:
            head, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True) or [""]
            belongs = json.loads(head)["experiment"]
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(
                "this is not a file of finished repeats", where=str(path), fix="Name a new file."
            ) from None
        if belongs != experiment:
            raise InputError(
                "the file belongs to another experiment", where=str(path), fix=f"Name a new file, or run: {belongs}"
            )
        complete = [line for line in lines if line.endswith("\n")]
        if len(complete) < len(lines):  # the run ended while it wrote the last line
            path.write_text("".join([head, *complete]), encoding="utf-8")
        for line in complete:
            part = json.loads(line)
            self.done[part["part"]] = {name: (float(a), float(b)) for name, (a, b) in part["scores"].items()}


NOTHING_KEPT = Checkpoint(None, "")
