"""Finished runs on disk, each under the hash of all that decides its result, so that a killed series goes on."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path

from assay.ablation.design import Run
from assay.ablation.plan import Plan
from assay.ablation.watched import WatchedFiles
from assay.errors import InputError
from assay.records import dataclass

_VERSION = 1
"""Goes into every hash; changes when results must not be reused by a newer Assay."""


class Status(StrEnum):
    """How a run ended."""

    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    NO_METRICS = "no metrics"


@dataclass(frozen=True)
class Outcome:
    """What came of a run: its metrics, or why there are none."""

    status: Status
    metrics: Mapping[str, float]
    seconds: float
    message: str = ""


class Store:
    """A folder with a small file for each finished run; a file is written whole or not at all."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self._plan = plan
        self._watched = WatchedFiles(plan)

    def make(self) -> None:
        """Make the folder if there is none."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot be made ({error.strerror})", where=str(self.folder), fix="Name another."
            ) from None

    def key(self, run: Run) -> str:
        """The hash of configuration, seed, command and the files that the plan lists or its command names."""
        decides = {
            "version": _VERSION,
            "configuration": self._plan.base.changed(run.setting.changes(self._plan)).values,
            "format": self._plan.base.format,
            "seed": run.seed,
            "seed_key": self._plan.seed_key,
            "command": self._plan.command,
            "metrics_file": self._plan.metrics_file,
            "depends": self._watched.hashes,
            "salt": self._plan.salt,
        }
        return hashlib.sha256(json.dumps(decides, sort_keys=True, default=str).encode()).hexdigest()[:32]

    def get(self, key: str) -> Outcome | None:
        """The outcome of a finished run; None when there is none, or its file is damaged."""
        try:
            kept = json.loads(self._file(key).read_text(encoding="utf-8"))
            metrics = {str(name): float(value) for name, value in kept["metrics"].items()}
            return Outcome(Status(kept["status"]), metrics, float(kept["seconds"]), str(kept["message"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome: beside its place first, then moved there in one step."""
        self._watched.check_unchanged()
        place = self._file(key)
        try:
            place.parent.mkdir(exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=place.parent, prefix=".", suffix=".part", delete=False, encoding="utf-8"
            ) as part:
                json.dump(asdict(outcome), part, indent=1, allow_nan=False)
                part.flush()
                os.fsync(part.fileno())
            Path(part.name).replace(place)
        except OSError as error:
            fix = "Make room or name another folder; the runs finished so far are kept."
            raise InputError(f"cannot be written ({error.strerror})", where=str(place), fix=fix) from None

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
