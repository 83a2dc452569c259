"""Reports of studies, made in a process of their own and remembered until the study changes."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict

from sqlalchemy import Engine

from assay.errors import InputError
from assay.findings import Report
from assay.reproduction.folder import study_files
from assay.reproduction.store.studies import load_study
from assay.web.processes import Child, Ended
from assay.web.settings import Limits
from assay.web.stored import report_from

_REMEMBERED = 8


class StudyReports:
    """The latest reports, by what the studies held."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._made: OrderedDict[str, Report] = OrderedDict()
        self._lock = threading.Lock()

    def report(self, engine: Engine) -> tuple[str, Report]:
        """The report of a study as it is now, and a mark that changes with the study."""
        files = study_files(load_study(engine))
        mark = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]
        with self._lock:  # requests for a figure wait until the report is ready
            if mark not in self._made:
                self._made[mark] = self._make(files)
                while len(self._made) > _REMEMBERED:
                    self._made.popitem(last=False)
            return mark, self._made[mark]

    def _make(self, files: dict[str, str]) -> Report:
        child = Child("assay.web.study_process", memory=self.limits.check_bytes)
        try:
            child.send(files)
            told = child.receive(time.monotonic() + 4 * self.limits.depth_seconds)
        except Ended as ended:
            why = "took too long" if ended.late else "failed"
            raise InputError(f"the report of this study {why}", fix="`assay study report` has no limits.") from None
        finally:
            child.end()
        if "error" in told:
            raise InputError(str(told["error"]))
        return report_from(told["report"])
