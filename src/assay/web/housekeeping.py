"""What must go, goes: uploads after the stated time, and what was deleted once it cannot be undone any more."""

from __future__ import annotations

import contextlib
import threading

from sqlalchemy import Engine

from assay.web import shelf
from assay.web.models import Assessment, Job, now
from assay.web.settings import Settings
from assay.web.study_stores import purge_studies
from assay.web.uploads import delete_folder, delete_uploads

_EVERY = 60.0


class Housekeeping:
    """A thread that tidies once a minute."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine, self.settings = engine, settings
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            with contextlib.suppress(ValueError):  # a database that does not answer now is asked again later
                tidy(self.engine, self.settings)
            if self._closing.wait(_EVERY):
                return


def tidy(engine: Engine, settings: Settings) -> None:
    """Delete what is due."""
    for job_id in shelf.outlived_files(engine, now() - settings.retention):
        delete_uploads(settings, job_id)
        shelf.mark_files_gone(engine, job_id)
    for job_id in shelf.purge(engine, Job, now() - settings.undo):
        delete_folder(settings, job_id)
    shelf.purge(engine, Assessment, now() - settings.undo)
    purge_studies(settings)
