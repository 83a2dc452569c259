"""Where reproduction studies are kept: each in a store of its own, that `assay study` can open too.

With PostgreSQL each study has a schema of the server's database; otherwise it is a file in the server's folder. A
server that goes over to PostgreSQL goes on showing the files that it has.
"""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine

from assay.database import bring_up_to_date
from assay.errors import InputError
from assay.reproduction.store import side_by_side
from assay.reproduction.store.studies import MIGRATIONS, new_store, open_store
from assay.reproduction.study import Study
from assay.web.models import new_id, now
from assay.web.settings import Settings

ASIDE = ".deleted"
"""How the files of deleted studies end."""
_LONGEST_NAME = 64


class StudyStores:
    """The studies of a server, by the names in their addresses."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._files = StudyFiles(settings.folder / "studies")
        self._places: tuple[StudySchemas | StudyFiles, ...] = (self._files,)
        if engine.dialect.name == "postgresql":
            self._places = (StudySchemas(engine), self._files)

    def names(self) -> list[str]:
        """The studies that there may be; `get` knows."""
        return [name for place in self._places for name in place.names()]

    def get(self, name: str) -> Engine | None:
        """The store of a study, None if there is none or it was deleted."""
        found = self._found(name)
        return found and found[1]

    def whereabouts(self, name: str) -> str:
        """Where the command line finds a study, in words."""
        found = self._found(name)
        return found[0].whereabouts(name) if found else ""

    def add(self, study: Study) -> str:
        """Keep a new study; give its name."""
        return self._places[0].add(study)

    def delete(self, name: str) -> None:
        """Delete a study, so that `restore` brings it back."""
        if found := self._found(name):
            found[0].delete(name)

    def restore(self, name: str) -> None:
        """Bring a deleted study back."""
        if not any(place.restore(name) for place in self._places):
            raise InputError("there is no such deleted study", fix="It may have been taken away for good.")

    def purge(self, before: datetime) -> None:
        """Take away for good what was deleted before a moment."""
        for place in self._places:
            place.purge(before)

    def close(self) -> None:
        """Close the files; the connections to the database are the server's."""
        self._files.close()

    def _found(self, name: str) -> tuple[StudySchemas | StudyFiles, Engine] | None:
        for place in self._places:
            if engine := place.get(name):
                return place, engine
        return None


class StudyFiles:
    """Studies in files of a folder, each opened once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Engine] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The files that are not put aside."""
        return sorted(path.stem for path in self.folder.glob("*.db"))

    def get(self, name: str) -> Engine | None:
        """The store in a file."""
        path = self.folder / f"{name}.db"
        if not _is_name(name) or not path.is_file():
            return None
        with self._lock:
            if name not in self._open:
                self._open[name] = open_store(path)
            return self._open[name]

    def add(self, study: Study) -> str:
        """A new file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        name = new_id()
        path = self.folder / f"{name}.db"
        try:
            made = new_store(path, study)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        with self._lock:
            self._open[name] = made
        return name

    def delete(self, name: str) -> None:
        """Put the file aside."""
        with self._lock:
            engine = self._open.pop(name, None)
        if engine is not None:
            engine.dispose()
        aside = (self.folder / f"{name}.db").rename(self.folder / f"{name}{ASIDE}")
        aside.touch()  # from now on its time runs

    def restore(self, name: str) -> bool:
        """Take the file back."""
        aside = self.folder / f"{name}{ASIDE}"
        if not _is_name(name) or not aside.is_file():
            return False
        aside.rename(self.folder / f"{name}.db")
        return True

    def purge(self, before: datetime) -> None:
        """Delete the files that were put aside long enough ago."""
        for path in self.folder.glob(f"*{ASIDE}"):
            if path.stat().st_mtime < before.timestamp():
                path.unlink(missing_ok=True)

    def whereabouts(self, name: str) -> str:
        """The path in the folder."""
        return f"in the server's folder, studies/{name}.db"

    def close(self) -> None:
        """Close the files."""
        for engine in self._open.values():
            engine.dispose()


def _is_name(name: str) -> bool:
    """Whether a file may be called so: what stands in an address leads nowhere else, and is not too long."""
    return name.isascii() and name.isalnum() and len(name) <= _LONGEST_NAME


class StudySchemas:
    """Studies in schemas of the server's database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._current: set[str] = set()
        """The stores whose tables are known to be those of this version."""

    def names(self) -> list[str]:
        """The schemas there are."""
        return side_by_side.names(self.engine)

    def get(self, name: str) -> Engine | None:
        """The store in a schema."""
        place = self._place(name)
        if place is None or not side_by_side.is_there(place):
            return None
        if name not in self._current:
            bring_up_to_date(place, migrations=MIGRATIONS, create=False)
            self._current.add(name)
        return place

    def add(self, study: Study) -> str:
        """A new schema."""
        name = new_id()
        side_by_side.add_study(self.engine, name, study)
        return name

    def delete(self, name: str) -> None:
        """Mark the study as deleted."""
        if place := self._place(name):
            side_by_side.mark(place, now())

    def restore(self, name: str) -> bool:
        """Take the mark away."""
        place = self._place(name)
        return place is not None and side_by_side.mark(place, None)

    def purge(self, before: datetime) -> None:
        """Drop what was marked long enough ago."""
        for name in self.names():
            side_by_side.purge(side_by_side.store(self.engine, name), before)

    def whereabouts(self, name: str) -> str:
        """The end of the address."""
        return f"in the server's database, ?schema={side_by_side.PREFIX}{name}"

    def _place(self, name: str) -> Engine | None:
        return side_by_side.store(self.engine, name) if side_by_side.is_name(name) else None
