"""Audits: from the upload to the report, whatever is uploaded, and away again when they are not wanted."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from served import served
from submissions import CODE, PAPER, SCORES, bomb, links, script_tags, zipped
from visitor import Visitor, words

from assay.audit.chapters import chapters
from assay.findings import Location, Report
from assay.rules import get_rule
from assay.web.models import State
from assay.web.processes import short_of_memory
from assay.web.settings import Limits, Settings
from assay.web.uploads import safe_name

IMPOSSIBLE = ("scores.toml", SCORES)


@pytest.fixture(scope="module")
def told(house: Visitor) -> tuple[str, str]:
    """The path of an audit, and all that was told of its progress until it was done."""
    page = house.upload(("paper.tex", PAPER), ("train.py", CODE), IMPOSSIBLE).url.path
    with house.http.stream("GET", f"{page}/events") as stream:
        return page, "".join(stream.iter_text())


@pytest.fixture(scope="module")
def audited(told: tuple[str, str]) -> str:
    """The path of an audit that is done."""
    return told[0]


def test_progress_is_told_as_it_happens_and_ends(told: tuple[str, str]) -> None:
    assert told[1].endswith("event: done\ndata: \n\n")
    assert "event: progress" in told[1]
    assert "<progress" in told[1]


def test_the_report_begins_with_the_verdict_and_ends_with_the_files(house: Visitor, audited: str) -> None:
    said = words(house.get(audited).text)
    assert said.index("Proven wrong") < said.index("Questions for the authors") < said.index("Findings")
    assert "S101" in said
    assert "train.py" in said
    assert "paper.tex and 2 more" in said


def test_reports_name_files_as_they_were_uploaded(house: Visitor, audited: str) -> None:
    assert "/upload" not in house.get(f"{audited}/report.txt").text


def test_findings_are_filtered_in_the_page_and_in_place(house: Visitor, audited: str) -> None:
    every, errors = house.get(audited).text, house.get(f"{audited}?severity=error").text
    assert 0 < errors.count('class="card error"') == every.count('class="card error"')
    assert 'class="card warning"' not in errors
    piece = house.piece(f"{audited}?q=s101+scores.toml").text
    assert "<html" not in piece
    assert piece.count("<article") == 1
    assert "No finding fits" in house.piece(f"{audited}?q=zebra").text
    assert "No finding fits" in house.piece(f"{audited}?q=100%25_").text


@pytest.mark.parametrize("ending", ["txt", "md", "html", "tex", "json", "csv", "sarif"])
def test_the_report_is_downloaded_in_every_format(house: Visitor, audited: str, ending: str) -> None:
    assert f'href="{audited}/report.{ending}"' in house.get(audited).text
    answer = house.get(f"{audited}/report.{ending}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "S101" in answer.text


@pytest.mark.parametrize(("ending", "begins"), [("pdf", b"%PDF"), ("docx", b"PK\x03\x04")])
def test_the_report_is_downloaded_as_a_document(house: Visitor, audited: str, ending: str, begins: bytes) -> None:
    answer = house.get(f"{audited}/report.{ending}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.content.startswith(begins)


def test_there_are_no_other_downloads(house: Visitor, audited: str) -> None:
    for ending in ("exe", "..", "%2e%2e%2fupload%2fscores.toml"):
        assert house.get(f"{audited}/report.{ending}").status_code == 404


def test_pictures_are_served_apart_and_cannot_act(house: Visitor, audited: str) -> None:
    answer = house.get(f"{audited}/figures/0.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert house.get(f"{audited}/figures/99.svg").status_code == 404


def a_report(*messages: str) -> Report:
    rule = get_rule("S101")
    return Report("A report", findings=tuple(rule.finding(text, location=Location("a.py", 1)) for text in messages))


def test_two_audits_are_compared_and_what_changed_is_told(house: Visitor) -> None:
    old, new = house.shelve(a_report("stays", "goes")), house.shelve(a_report("stays", "comes", "comes too"))
    chosen = [page.split("/")[-1] for page in (old, new)]
    said = words(house.get("/audits/compare", params={"audit": chosen}).text)
    assert "2 new, 1 gone, 1 as before" in said
    assert said == words(house.get("/audits/compare", params={"audit": chosen[::-1]}).text)
    assert house.get("/audits/compare", params={"audit": chosen[0]}).status_code == 400


def test_a_deletion_can_be_undone_or_made_final(house: Visitor) -> None:
    page = house.shelve(a_report("one"))
    assert house.settings
    folder = house.settings.folder / "jobs" / page.split("/")[-1]
    notice = house.post(f"{page}/delete")
    assert "Undo" in notice.text
    assert house.get(page).status_code == 404
    assert house.post(f"{page}/restore").url.path == page
    house.post(f"{page}/purge")
    assert house.get(page).status_code == 200, "only what was deleted is taken away for good"
    house.post(f"{page}/delete")
    house.post(f"{page}/purge")
    assert not folder.exists()
    assert house.get(page).status_code == 404


def test_files_are_deleted_on_request_and_the_report_stays(house: Visitor) -> None:
    page = house.shelve(a_report("one"))
    answer = house.post(f"{page}/files/delete")
    assert "1 uploaded file was deleted" in words(answer.text)
    assert house.settings
    assert not (house.settings.folder / "jobs" / page.split("/")[-1] / "upload").exists()
    assert "S101" in answer.text
    assert house.post(f"{page}/again").status_code == 400


def test_long_lists_come_a_page_at_a_time(house: Visitor) -> None:
    page = house.shelve(a_report(*(f"finding {n}" for n in range(120))))
    numbers = [len(re.findall(r"<article", house.get(f"{page}?page={n}").text)) for n in (1, 2, 3, 4)]
    assert numbers == [50, 50, 20, 0]
    assert "51–100 of 120" in house.get(f"{page}?page=2").text


def test_an_audit_without_findings_does_not_claim_too_much(house: Visitor) -> None:
    assert "That does not prove the result right" in house.get(house.shelve(a_report())).text


def test_the_same_files_are_audited_again(tmp_path: Path) -> None:
    settings = Settings(tmp_path, limits=Limits(jobs_at_once=0))
    with served(settings) as base, Visitor(base, settings) as visitor:
        before = visitor.shelve(a_report("one"), data=SCORES)
        again = visitor.post(f"{before}/again")
        assert again.url.path != before
        assert "It waits for its turn." in again.text
        assert (tmp_path / "jobs" / again.url.path.split("/")[-1] / "upload" / "scores.toml").read_bytes() == SCORES


def test_what_waits_when_the_server_stops_is_done_when_it_starts_again(tmp_path: Path) -> None:
    none = Limits(jobs_at_once=0)
    with served(Settings(tmp_path, limits=none)) as base, Visitor(base) as visitor:
        begun = visitor.upload(("noise.bin", b"\x00\xff" * 500))
        assert "It waits for its turn." in begun.text
    with served(Settings(tmp_path)) as base, Visitor(base) as visitor:
        said = words(visitor.wait(visitor.get(begun.url.path)).text)
        assert "This audit did not come to an end" in said
        assert "noise.bin" in said


# --- what a reader decides ---------------------------------------------------------------------------


def test_a_finding_marked_as_not_relevant_leaves_page_one_and_the_exports(house: Visitor) -> None:
    rule = get_rule("L1.4")
    findings = tuple(rule.finding(f"{n} rows are shared") for n in (3, 7))
    page = house.shelve(Report("An audit", findings=findings, sections=chapters()))
    assert "3 rows are shared" in house.get(f"{page}/report.md").text
    house.post(f"{page}/findings/0", {"decision": "irrelevant", "reason": "a public benchmark"})
    shown, exported = words(house.get(page).text), house.get(f"{page}/report.md").text
    assert "7 rows are shared. L1.4" in shown
    assert "Not relevant: a public benchmark." in shown
    assert "Suppressed findings" in exported
    assert "a public benchmark" in exported
    house.post(f"{page}/findings/0", {"decision": "relevant"})
    assert "Suppressed" not in house.get(f"{page}/report.md").text


def test_a_finding_is_exported_in_the_words_of_its_reader(house: Visitor) -> None:
    page = house.shelve(
        Report("An audit", findings=(get_rule("L1.4").finding("rows are shared"),), sections=chapters())
    )
    house.post(f"{page}/findings/0", {"decision": "relevant", "message": "48 <b>patients</b> recur."})
    for ending in ("md", "html", "docx", "json"):
        assert house.get(f"{page}/report.{ending}").status_code == 200
    assert "rows are shared" not in house.get(f"{page}/report.json").text
    assert "48 <b>patients</b> recur." in house.get(f"{page}/report.json").text
    assert "48 &lt;b&gt;patients&lt;/b&gt; recur." in house.get(page).text
    house.post(f"{page}/findings/0", {"decision": "reset"})
    assert "rows are shared" in house.get(f"{page}/report.json").text
    assert house.post(f"{page}/findings/9", {"decision": "relevant", "message": "x"}).status_code == 404


# --- addresses ---------------------------------------------------------------------------------------


def test_a_server_downloads_nothing_unless_it_is_allowed_to(house: Visitor) -> None:
    assert 'name="address"' not in house.get("/audits").text
    assert house.post("/audits/upload", {"address": "2005.14165"}).status_code == 403


def test_an_address_is_audited_where_the_server_allows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(zipped({"name-main/train.py": CODE.decode()}))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
            pass

    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "127.0.0.1")
    with (
        HTTPServer(("127.0.0.1", 0), Handler) as web,
        served(Settings(tmp_path, online=True)) as base,
        Visitor(base) as visitor,
    ):
        Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        assert 'name="address"' in visitor.get("/audits").text
        address = f"http://127.0.0.1:{web.server_port}/repo"
        said = words(visitor.wait(visitor.post("/audits/upload", {"address": address})).text)
        assert f"Audit of {address}" in said
        refused = words(visitor.post("/audits/upload", {"address": "my paper"}).text)
        assert "“my paper” is not an address. Paste a link" in refused
        web.shutdown()


# --- what goes wrong -------------------------------------------------------------------------------


def test_an_upload_without_files_says_what_to_do(house: Visitor) -> None:
    assert "the file is empty" in words(house.upload(("a.csv", b"")).text)
    assert "no file was chosen" in words(house.post("/audits/upload").text)


def test_too_many_files_and_too_many_audits_are_refused(tmp_path: Path) -> None:
    limits = Limits(upload_files=2, jobs_waiting=1, jobs_at_once=0)
    with served(Settings(tmp_path, limits=limits)) as base, Visitor(base) as visitor:
        assert "3 files are too many" in words(visitor.upload(*[IMPOSSIBLE] * 3).text)
        assert visitor.upload(*[IMPOSSIBLE] * 2).status_code == 200
        assert visitor.upload(IMPOSSIBLE).status_code == 429
        assert len(list((tmp_path / "jobs").iterdir())) == 1


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(job_seconds=0.3), "It took longer than 0 seconds and was ended."),
        (Limits(job_bytes=48 * 2**20), "memory"),
    ],
    ids=["too long", "too much memory"],
)
def test_an_audit_that_takes_too_much_is_a_recorded_failure_and_the_server_lives(
    tmp_path: Path, limits: Limits, said: str
) -> None:
    with served(Settings(tmp_path, limits=limits)) as base, Visitor(base) as visitor:
        page = visitor.wait(visitor.upload(IMPOSSIBLE))
        assert said in words(page.text)
        assert visitor.get("/audits").text.count('class="chip failed"') == 1


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("libopenblas.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
        OSError(12, "Cannot allocate memory"),
    ],
    ids=["Python", "loader", "thread", "kernel"],
)
def test_memory_that_runs_out_is_told_as_such_whoever_notices(error: Exception) -> None:
    assert short_of_memory(error)
    assert not short_of_memory(ValueError("the memory of 1998"))


def test_memory_that_runs_out_is_told_as_such_if_nobody_says_so() -> None:
    silent = SystemError("error return without exception set")
    assert not short_of_memory(silent), "there is room here"
    script = (
        "import resource\n"
        "from assay.web.processes import short_of_memory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (48 * 2**20,) * 2)\n"
        "print(short_of_memory(SystemError('error return without exception set')))\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True"


def test_an_audit_whose_process_cannot_be_started_is_a_recorded_failure(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as patched:
        patched.setattr("assay.web.jobs.Child", full)
        page = visitor.wait(visitor.upload(IMPOSSIBLE))
    assert "Its process could not be started (Resource temporarily unavailable)." in words(page.text)
    assert "This audit did not come to an end" in visitor.wait(visitor.upload(("noise.bin", b"\x00\xff" * 500))).text


def test_a_target_that_no_process_can_be_told_is_a_recorded_failure(visitor: Visitor) -> None:
    begun = visitor.post("/audits/upload", {"target": "a\0b"}, files=[("files", IMPOSSIBLE)])
    assert "Its process could not be started (embedded null byte)." in words(visitor.wait(begun).text)


def test_steps_of_a_failed_audit_are_not_said_to_run(house: Visitor) -> None:
    steps = [
        {"name": n, "about": "", "state": n, "seconds": 0.0, "message": ""} for n in ("running", "waiting", "done")
    ]
    said = words(house.get(house.shelve_halfway(State.FAILED, steps=steps, message="It ended.")).text)
    assert "running not finished waiting not begun done done" in said


def test_an_audit_can_be_stopped(visitor: Visitor) -> None:
    begun = visitor.upload(("repo.zip", zipped({f"repo/train{n}.py": CODE for n in range(50)})), ("p.tex", PAPER))
    assert "It was stopped." in visitor.wait(visitor.post(f"{begun.url.path}/stop")).text


def test_hostile_uploads_leave_nothing_behind_and_are_shown_as_text(house: Visitor) -> None:
    archives = {"bomb.zip": bomb, "links.tar.gz": links, "<script>tags.zip": script_tags}
    begun = house.upload(*((name, made()) for name, made in archives.items()))
    page = house.wait(begun, 120)
    assert "This audit did not come to an end" not in page.text
    assert "&lt;script&gt;" in page.text
    shown = (begun.text, page.text, house.get("/audits").text, house.get(f"{page.url.path}/report.html").text)
    for text in shown:
        assert not re.search(r"<script(?! src=\"/static|>\"use strict\";)|<img src=x", text)
    assert "root:" not in house.get(f"{page.url.path}/report.json").text
    assert house.settings
    assert {p.name for p in house.settings.folder.parent.rglob("*escaped*")} == set()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.csv", "a.csv"),
        ("..", "file"),
        (".bashrc", "bashrc"),
        ("a\x00b\n.py", "a_b_.py"),
        ("", "file"),
        ("x" * 500 + ".csv", "x" * 100 + ".csv"),
        ("\u6587" * 500 + ".csv", "\u6587" * 33 + ".csv"),
        ("\u6587" * 500, "\u6587" * 33),
        ("a." + "\u6587" * 500, "a." + "\u6587" * 4),
    ],
)
def test_names_of_uploads_lead_nowhere(given: str, kept: str) -> None:
    assert safe_name(given) == kept


def test_files_of_the_same_name_are_all_kept(tmp_path: Path) -> None:
    with served(Settings(tmp_path, limits=Limits(jobs_at_once=0))) as base, Visitor(base) as visitor:
        page = visitor.upload(IMPOSSIBLE, IMPOSSIBLE)
        folder = tmp_path / "jobs" / page.url.path.split("/")[-1] / "upload"
        assert sorted(path.name for path in folder.iterdir()) == ["scores-2.toml", "scores.toml"]
        assert "It was stopped." in visitor.post(f"{page.url.path}/stop").text


def test_the_report_in_the_page_is_the_report_in_the_file(house: Visitor, audited: str) -> None:
    report = json.loads(house.get(f"{audited}/report.json").text)
    page = house.get(audited).text
    assert page.count('<article class="card') - page.count("<details><summary>Evidence") == min(
        50, len(report["findings"])
    )


def test_times_are_as_stated(tmp_path: Path) -> None:
    settings = replace(Settings(tmp_path), retention=timedelta(days=3))
    with served(settings) as base, Visitor(base) as visitor:
        assert "They are deleted after 3 days" in visitor.get("/audits").text
