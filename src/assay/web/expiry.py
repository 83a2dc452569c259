"""What must go, goes: uploads after the stated time, and what was deleted once it cannot be undone any more."""

from __future__ import annotations

import logging
import threading

from sqlalchemy import Engine

from assay.errors import InputError
from assay.web import shelf
from assay.web.models import Assessment, Job, now
from assay.web.settings import Settings
from assay.web.study_stores import StudyStores
from assay.web.uploads import delete_folder, delete_uploads

_EVERY = 60.0
_LOG = logging.getLogger("assay.web")


class Housekeeping:
    """A thread that tidies once a minute."""

    def __init__(self, engine: Engine, settings: Settings, studies: StudyStores) -> None:
        self.engine, self.settings, self.studies = engine, settings, studies
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
            try:
                tidy(self.engine, self.settings, self.studies)
            except InputError:
                pass  # a database that does not answer now is asked again later
            except Exception:  # noqa: BLE001 - whatever it was, what is due next minute must go all the same
                _LOG.exception("what is due could not be deleted")
            if self._closing.wait(_EVERY):
                return


def tidy(engine: Engine, settings: Settings, studies: StudyStores) -> None:
    """Delete what is due."""
    for job_id in shelf.outlived_files(engine, now() - settings.retention):
        delete_uploads(settings, job_id)
        shelf.mark_files_gone(engine, job_id)
    for job_id in shelf.purge(engine, Job, now() - settings.undo):
        delete_folder(settings, job_id)
    shelf.purge(engine, Assessment, now() - settings.undo)
    studies.purge(now() - settings.undo)
