"""Somebody who visits the pages: with a browser's cookies, and with the token that forms carry."""

from __future__ import annotations

import re
import time
from functools import cached_property
from typing import Any

import httpx
from sqlalchemy import Engine

from assay.database import open_database
from assay.findings import Report
from assay.web import shelf
from assay.web.models import Job, State, new_id
from assay.web.security import COOKIE
from assay.web.settings import Settings
from assay.web.uploads import keep_example


class Visitor:
    """Gets pages and fills in forms as the pages offer them."""

    def __init__(self, base: str, settings: Settings | None = None) -> None:
        self.base, self.settings = base, settings
        self.http = httpx.Client(base_url=base, follow_redirects=True, timeout=60, trust_env=False)
        self._csrf = ("unknown", "")

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        if "engine" in self.__dict__:
            self.engine.dispose()

    @cached_property
    def engine(self) -> Engine:
        """The application's database, from behind."""
        assert self.settings
        return open_database(self.settings.where, migrations="assay.web.migrations")

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def piece(self, path: str) -> httpx.Response:
        return self.http.get(path, headers={"HX-Request": "true"})

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return self.http.post(path, data={**(data or {}), "csrf": self.csrf}, **more)

    def post_escaped(self, path: str, data: dict[str, str]) -> httpx.Response:
        """A form in an encoding that no browser uses, and that can spell halves of characters."""
        fields = "".join(f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in data.items())
        kind = {"Content-Type": "multipart/form-data; boundary=b; charset=unicode_escape", "X-CSRF-Token": self.csrf}
        return self.http.post(path, content=f"{fields}--b--\r\n".encode(), headers=kind)

    @property
    def csrf(self) -> str:
        """The token in the forms of this visitor; a new session has a new one."""
        if self._csrf[0] != self.http.cookies.get(COOKIE, ""):
            found = re.search(r'name="csrf" value="(\w+)"', self.get("/login").text)
            assert found
            self._csrf = (self.http.cookies[COOKIE], found[1])
        return self._csrf[1]

    def upload(self, *files: tuple[str, bytes], to: str = "/audits/upload", field: str = "files") -> httpx.Response:
        return self.post(to, files=[(field, file) for file in files])

    def shelve(self, report: Report, name: str = "scores.toml", data: bytes = b"x") -> str:
        """Put an audit that is done on the shelf, without its process; give its path."""
        path = self.shelve_halfway(State.RUNNING, name, data)
        told = {"report": report.to_dict()}
        shelf.finish_audit(self.engine, path.rpartition("/")[2], told)
        return path

    def shelve_halfway(self, state: State, name: str = "scores.toml", data: bytes = b"x", **more: Any) -> str:
        """The same with one that runs or has failed."""
        assert self.settings
        job_id = new_id()
        kept = keep_example(self.settings, job_id, {name: data})
        shelf.add_job(self.engine, Job(id=job_id, kind="audit", title=name, files=kept, state=state, **more))
        return f"/audits/{job_id}"

    def study(self, title: str = "A study") -> tuple[str, str, str]:
        """The paths of a study, of its paper, and of an attempt at it that met a discrepancy."""
        study = self.post("/studies", {"title": title}).url.path
        paper = self.post(f"{study}/paper/add", {"id": "p1", "title": "A <b>paper</b>", "year": "2012"}).url.path
        under = paper.rpartition("/")[2]
        attempt = self.post(f"{study}/attempt/add?under={under}", {"people": "Ann", "budget": "40"}).url.path
        number = attempt.rpartition("/")[2]
        self.post(f"{study}/discrepancy/add?under={number}", {"category": "P1", "note": "no data"})
        return study, paper, attempt

    def wait(self, answer: httpx.Response, seconds: float = 60) -> httpx.Response:
        """The page of a job once the job is over."""
        until = time.monotonic() + seconds
        path = answer.url.path
        while "data-events" in answer.text or "Looking for answers" in answer.text:
            assert time.monotonic() < until, "the job does not end"
            time.sleep(0.1)
            answer = self.get(path)
        return answer


def words(html: str) -> str:
    """What a page says, without its markup."""
    inner = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", html)
    return " ".join(re.sub(r"<[^>]*>", " ", inner).split())
