"""How long does the server take for a page? An audit with 10,000 findings, 1,000 audits, checklists, papers.

    python bench/web.py [RUNS]

The pages are asked for over HTTP from a server of its own, with SQLite in a temporary folder; the table shows the
median and the worst of RUNS requests (default 15).
"""

from __future__ import annotations

import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import httpx
import uvicorn

from assay.checklists.files import load
from assay.database import open_database
from assay.findings import Location, Report, quote
from assay.reproduction.study import Attempt, Paper, Study
from assay.rules import get_rule
from assay.web import assessments, shelf
from assay.web.app import create_app
from assay.web.assessments import Given
from assay.web.models import Job, Kind, State
from assay.web.settings import Settings
from assay.web.study_stores import StudyStores

TARGET = 0.2
FINDINGS = 10_000
ENTRIES = 1_000


def a_report(findings: int) -> Report:
    rule = get_rule("L1.1")
    places = (Location(f"src/module_{n % 97}.py", n) for n in range(findings))
    found = (
        rule.finding(f"finding {place.line}", location=place, evidence=[quote("x = 1", place)]) for place in places
    )
    return Report("A large audit", findings=tuple(found))


def fill(settings: Settings) -> tuple[str, str]:
    """A database as after years of use; the names of the large audit and of an assessment."""
    settings.folder.mkdir(exist_ok=True)
    engine = open_database(settings.where, migrations="assay.web.migrations")
    for number in range(ENTRIES):
        job = Job(kind=Kind.AUDIT.value, title=f"audit {number}", state=State.DONE, counts={"error": number})
        shelf.add_job(engine, job)
    large = shelf.add_job(engine, Job(kind=Kind.AUDIT.value, title="large", state=State.RUNNING))
    shelf.finish_audit(engine, large, {"report": a_report(FINDINGS).to_dict(), "verdict": [], "questions": []})
    checklist = load("reforms")
    given = {item.id: Given("an answer") for item in checklist}
    made = ""
    for _ in range(ENTRIES):
        made = assessments.add_assessment(engine, checklist, "a paper", "Ann", given)
    engine.dispose()
    return large, made


def a_study(settings: Settings) -> str:
    """A study of many papers, each tried once; its name."""
    papers = tuple(Paper(f"p{n}", f"Paper {n}", attempts=(Attempt("1", ("Ann",)),)) for n in range(ENTRIES))
    engine = open_database(settings.where, migrations="assay.web.migrations")
    stores = StudyStores(settings, engine)
    name = stores.add(Study("A large study", papers=papers))
    stores.close()
    engine.dispose()
    return name


def timed(work: Callable[[], httpx.Response], runs: int) -> tuple[float, float]:
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        answer = work()
        times.append(time.perf_counter() - start)
        answer.raise_for_status()
    return median(times), max(times)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "data")
        large, made = fill(settings)
        study = a_study(settings)
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="critical", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        pages = {
            f"report, {FINDINGS:,} findings": f"/audits/{large}",
            "its last page": f"/audits/{large}?page={FINDINGS // 50}",
            "its findings, searched": f"/audits/{large}?q=module_42+99",
            f"list of {ENTRIES:,} audits": "/audits",
            f"list of {ENTRIES:,} checklists": "/checklists?page=50",
            "a section of a checklist": f"/checklists/{made}?section=3",
            f"board of {ENTRIES:,} papers": f"/studies/{study}",
            "all rules": "/rules",
            "start": "/",
            "a verdict on scores": "/scores?text=acc+0.9+sens+0.8+spec+0.8&p=100&n=200",
        }
        with httpx.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=60) as client:
            print(f"{'page':32} {'median':>8} {'worst':>8}   (target {TARGET * 1000:.0f} ms)")
            for name, path in pages.items():
                middle, worst = timed(lambda path=path: client.get(path), runs)  # type: ignore[misc]
                print(f"{name:32} {middle * 1000:6.0f}ms {worst * 1000:6.0f}ms")
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
