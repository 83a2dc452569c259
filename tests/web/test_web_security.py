"""Only those who may come in do, and no other site can make a browser act here."""

import errno
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from served import served
from visitor import Visitor, words

import database_server
from assay.web.doors import inside
from assay.web.processes import Child, Ended
from assay.web.security import COOKIE, Keys, Session, cookie_line, session_of
from assay.web.settings import Limits, Settings
from assay.web.tokens import fingerprint, read_secret, read_token
from patience import until

TOKEN = "a-token-that-is-long-enough"
CHANGES = [
    "/theme", "/scores", "/logout", "/login", "/audits/upload", "/audits/example", "/audits/x/delete",
    "/audits/x/restore", "/audits/x/findings/x",
    "/audits/x/purge", "/audits/x/stop", "/audits/x/again", "/audits/x/files/delete", "/checklists",
    "/checklists/import/upload", "/checklists/x", "/checklists/x/delete", "/checklists/x/restore",
    "/checklists/x/propose/upload", "/checklists/x/propose/audit", "/studies", "/studies/example",
    "/studies/import/upload", "/studies/x/delete", "/studies/x/restore", "/studies/x/paper/add", "/studies/x/paper/1",
    "/studies/x/paper/1/delete", "/studies/x/paper/1/undo", "/studies/x/attempt/1/timer/start",
    "/studies/x/attempt/1/timer/stop",
]  # fmt: skip


def test_every_change_is_in_the_list_of_these_tests(house: Visitor) -> None:
    from assay.web import audits, checklists, doors, rules, scores, start, studies

    routes = [r for part in (audits, checklists, doors, rules, scores, start, studies) for r in part.router.routes]
    posts = {r.path for r in routes if "POST" in r.methods}  # type: ignore[attr-defined]
    known = {"{kind}": "paper", "{number}": "1"}
    paths = {re.sub(r"\{\w+\}", lambda found: known.get(found[0], "x"), path) for path in posts}
    assert paths == set(CHANGES)


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_without_the_visitors_token_is_refused(house: Visitor, path: str) -> None:
    assert house.http.post(path, follow_redirects=False).status_code == 403
    assert house.http.post(path, data={"csrf": "0" * 64}, follow_redirects=False).status_code == 403


@pytest.mark.parametrize("given", ["", "0", "ü", "null"])
def test_a_made_up_token_is_refused(house: Visitor, given: str) -> None:
    assert house.http.post("/audits/example", data={"csrf": given}).status_code == 403


def test_the_token_of_another_visitor_is_refused(house: Visitor) -> None:
    with Visitor(house.base) as other:
        token = other.csrf
    house.get("/")
    assert house.http.post("/audits/example", data={"csrf": token}).status_code == 403


def test_the_token_may_come_as_a_header(house: Visitor) -> None:
    answer = house.http.post("/theme", headers={"X-CSRF-Token": house.csrf}, follow_redirects=False)
    assert answer.status_code == 303


def test_half_a_character_is_no_token(house: Visitor) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\\ud800\r\n--b--\r\n'
    kind = {"Content-Type": "multipart/form-data; boundary=b; charset=unicode_escape"}
    assert house.http.post("/audits/example", content=body, headers=kind).status_code == 403


@pytest.mark.parametrize("theme", ["€", "; Secure", "<script>", "\0"])
def test_colours_that_there_are_not_are_not_kept(house: Visitor, theme: str) -> None:
    answer = house.http.post("/theme", data={"theme": theme, "csrf": house.csrf}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["set-cookie"].startswith('assay_theme="";')


def test_a_head_request_gets_the_headers_of_the_page_alone(visitor: Visitor) -> None:
    """In an application of its own: pages of a shared one change as audits of other tests grow older."""
    for path in ("/", "/health", "/audits", "/rules/L1.1", "/static/assay.css"):
        head, page = visitor.http.head(path), visitor.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == page.headers["content-length"]
    assert visitor.http.head("/audits/upload").status_code == 404


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_from_other_sites_are_refused(house: Visitor, site: str) -> None:
    answer = house.post("/theme", headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "0.0.0.0", "localhost.evil:80"])
def test_a_server_for_this_machine_answers_to_no_other_name(house: Visitor, host: str) -> None:
    assert house.get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765", "[::1]"])
def test_it_answers_to_the_names_of_this_machine(house: Visitor, host: str) -> None:
    assert house.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/scores", "/audits", "/checklists", "/rules", "/nowhere", "/static/assay.js"])
def test_every_answer_has_a_strict_policy(house: Visitor, path: str) -> None:
    headers = house.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/scores", "/audits", "/checklists", "/rules", "/rules/S101"])
def test_pages_ask_nothing_of_other_hosts_and_hold_no_inline_script(house: Visitor, path: str) -> None:
    page = house.get(path).text
    assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|javascript:", page)


def test_the_session_is_not_for_scripts_nor_for_other_sites(house: Visitor) -> None:
    with Visitor(house.base) as fresh:
        cookie = fresh.get("/").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))


def test_too_large_a_form_is_refused_before_it_is_read(tmp_path: Path) -> None:
    limits = Limits(field_bytes=10_000, upload_bytes=50_000)
    with served(Settings(tmp_path, limits=limits)) as base, Visitor(base) as visitor:
        assert visitor.post("/theme", {"theme": "x" * 20_000}).status_code == 413
        assert visitor.upload(("a.csv", b"x" * 60_000)).status_code == 413

        def chunks() -> Iterator[bytes]:
            yield from [b"x" * 10_000] * 5

        csrf = visitor.csrf
        answer = visitor.http.post(
            "/theme", content=chunks(), headers={"Content-Type": "application/x-www-form-urlencoded"}
        )
        assert answer.status_code == 413
        assert csrf
        assert visitor.get("/").status_code == 200


# --- login -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that others can reach."""
    with served(Settings(tmp_path_factory.mktemp("lab"), token=fingerprint(TOKEN), loopback=False)) as base:
        yield base


def test_strangers_are_asked_for_the_token_and_come_back_to_their_page(lab: str) -> None:
    with Visitor(lab) as visitor:
        asked = visitor.get("/rules?q=leak")
        assert asked.url.path == "/login"
        answer = visitor.post("/login", {"token": f" {TOKEN} ", "next": asked.url.params["next"]})
        assert str(answer.url).endswith("/rules?q=leak")
        assert visitor.get("/audits").url.path == "/audits"
        visitor.post("/logout")
        assert visitor.get("/audits").url.path == "/login"


@pytest.mark.parametrize(
    "path", ["/", "/scores?text=acc", "/audits", "/audits/x/report.json", "/checklists/x/export.pdf"]
)
def test_strangers_see_nothing(lab: str, path: str) -> None:
    with httpx.Client(base_url=lab) as stranger:
        assert stranger.get(path).status_code == 303
        assert stranger.get(path, headers={"HX-Request": "true"}).status_code == 401
        assert stranger.post(path).status_code == 401


def test_a_wrong_token_is_told_beside_the_field(lab: str) -> None:
    with Visitor(lab) as visitor:
        answer = visitor.post("/login", {"token": "guess"})
        assert answer.status_code == 403
        assert 'aria-describedby="token-error"' in answer.text


def test_the_host_name_does_not_matter_where_a_token_does(lab: str) -> None:
    with Visitor(lab) as visitor:
        assert visitor.get("/", headers={"Host": "assay.lab.example"}).status_code == 200


def test_login_gives_a_new_session(lab: str) -> None:
    with Visitor(lab) as visitor:
        visitor.get("/")
        before = visitor.http.cookies[COOKIE]
        visitor.post("/login", {"token": TOKEN})
        assert visitor.http.cookies[COOKIE].split(".")[0] != before.split(".")[0]


# --- keys ------------------------------------------------------------------------------------------

KEYS = Keys(b"secret", fingerprint(TOKEN))


def test_a_session_survives_a_restart_and_ends_with_the_token(tmp_path: Path) -> None:
    assert read_secret(tmp_path) == read_secret(tmp_path)
    cookie = Session("name", 2_000_000_000, True, KEYS).cookie
    assert session_of(cookie, KEYS) is not None
    assert session_of(cookie, Keys(b"secret", fingerprint("another"))) is None
    assert session_of(cookie, Keys(b"other", KEYS.token)) is None


@pytest.mark.parametrize("cookie", ["", "a", "a.b.c.d", "a.1.in." + "0" * 64, "ü.1.in.x", "...", "a.b.in.\u2603"])
def test_a_made_up_session_is_none(cookie: str) -> None:
    assert session_of(cookie, KEYS) is None


def test_an_old_session_is_over() -> None:
    assert session_of(Session("name", 1_000_000_000, True, KEYS).cookie, KEYS) is None


def test_nobody_promotes_himself() -> None:
    name, since, _, signature = Session("name", 2_000_000_000, False, KEYS).cookie.split(".")
    assert session_of(f"{name}.{since}.in.{signature}", KEYS) is None


@pytest.mark.parametrize("left", [b"", b"\n", b"0" * 63, b"\xff" * 64, b"Z" * 64])
def test_what_a_full_disk_left_of_the_token_lets_nobody_in(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "token.sha256").write_bytes(left)
    kept, shown = read_token(tmp_path)
    assert kept == fingerprint(shown)
    assert read_token(tmp_path) == (kept, "")


@pytest.mark.parametrize("left", [b"", b"short"])
def test_what_a_full_disk_left_of_the_secret_signs_nothing(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "secret").write_bytes(left)
    kept = read_secret(tmp_path)
    assert len(kept) == 32
    assert read_secret(tmp_path) == kept


def test_the_token_is_shown_once_and_kept_as_a_fingerprint(tmp_path: Path) -> None:
    kept, shown = read_token(tmp_path)
    assert kept == fingerprint(shown)
    assert read_token(tmp_path) == (kept, "")
    assert shown not in (tmp_path / "token.sha256").read_text()
    assert (tmp_path / "token.sha256").stat().st_mode & 0o077 == 0
    assert read_token(tmp_path, anew=True)[0] != kept


@pytest.mark.parametrize(
    "address", ["https://evil.example", "//evil.example", "/\\evil", "", "rules", "/a\nb", "javascript:x"]
)
def test_nobody_is_sent_elsewhere(address: str) -> None:
    assert inside(address) == "/"


def test_addresses_of_this_server_are_kept() -> None:
    assert inside("/rules?q=a%2Fb") == "/rules?q=a%2Fb"


# --- processes -------------------------------------------------------------------------------------


def test_a_child_learns_no_secret_of_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_DATABASE", "postgresql://user:password@host/db")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "prying.py").write_text(
        "import os, sys\nfrom assay.web.processes import confine, tell\n"
        "out = confine(int(sys.argv[1]))\nprint('noise')\ntell(out, dict(os.environ))\n"
    )
    child = Child("prying", memory=2**32)
    told = child.receive(time.monotonic() + 60)
    child.end()
    assert "password" not in json.dumps(told)
    assert told["PYTHONPATH"] == str(tmp_path)


def test_a_child_that_takes_too_much_memory_ends_and_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "greedy.py").write_text(
        "import sys\nfrom assay.web.processes import confine, tell\n"
        "out = confine(int(sys.argv[1]))\nheap = bytearray(2**30)\ntell(out, 'enough')\n"
    )
    child = Child("greedy", memory=2**29)
    with pytest.raises(Ended) as ended:
        child.receive(time.monotonic() + 60)
    child.end()
    assert not ended.value.late


def test_a_child_that_has_used_up_its_memory_and_loops_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "starving.py").write_text(
        "import mmap, sys\nfrom assay.web.processes import confine\n"
        "out = confine(int(sys.argv[1]))\nheap = []\n"
        "try:\n    while True:\n        heap.append(mmap.mmap(-1, 2**16))\n"
        "except OSError:\n    while True:\n        pass\n"
    )
    child = Child("starving", memory=2**29)
    with pytest.raises(Ended) as ended:
        child.receive(time.monotonic() + 60)
    child.end()
    assert ended.value.starved


def test_the_children_of_a_child_end_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "parent.py").write_text(
        "import subprocess, sys, time\nfrom assay.web.processes import confine, tell\n"
        "out = confine(int(sys.argv[1]))\n"
        "grand = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "tell(out, grand.pid)\ntime.sleep(600)\n"
    )
    child = Child("parent", memory=2**32)
    grandchild = child.receive(time.monotonic() + 60)
    assert os.path.exists(f"/proc/{grandchild}")  # noqa: PTH110 - a process, not a file of ours
    child.end()
    until(lambda: state_of(grandchild) in {"", "Z"})


def state_of(process: int) -> str:
    """The letter by which Linux says what a process does; "Z" for one that ended, nothing for one that is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2]
    except (FileNotFoundError, ProcessLookupError):
        return ""


# --- one machine, several accounts ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for this machine alone, as `assay serve` starts it."""
    with served(Settings(tmp_path_factory.mktemp("desk"), token=fingerprint(TOKEN))) as base:
        yield base


def test_the_printed_address_lets_its_reader_in_and_drops_the_token(desk: str) -> None:
    with Visitor(desk) as visitor:
        page = visitor.get(f"/audits?token={TOKEN}")
        assert (page.status_code, str(page.url)) == (200, f"{desk}/audits")
        assert visitor.get("/studies").url.path == "/studies"


def test_another_account_of_the_machine_sees_nothing(desk: str) -> None:
    with httpx.Client(base_url=desk) as stranger:
        for path in ("/", "/audits", "/audits?token=", "/audits?token=guess"):
            assert stranger.get(path).status_code == 303
        assert stranger.post(f"/audits/example?token={TOKEN}").status_code == 401
        assert stranger.get(f"/?token={TOKEN}", headers={"Host": "evil.example"}).status_code == 421


def test_an_address_with_the_token_leads_to_no_other_server(desk: str) -> None:
    with httpx.Client(base_url=desk) as visitor:
        answer = visitor.get(f"{desk}//evil.example/?token={TOKEN}")
        assert answer.headers["location"] == "/"


def test_a_cookie_is_worth_nothing_after_logout_nor_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(tmp_path, token=fingerprint(TOKEN))
    with served(settings) as base, Visitor(base) as visitor:
        visitor.get(f"/?token={TOKEN}")
        cookie = visitor.http.cookies[COOKIE]
        assert httpx.get(f"{base}/audits", cookies={COOKIE: cookie}).status_code == 200
        visitor.post("/logout")
        assert httpx.get(f"{base}/audits", cookies={COOKIE: cookie}).status_code == 303
    with served(settings) as base:
        assert httpx.get(f"{base}/audits", cookies={COOKIE: cookie}).status_code == 303


def test_a_session_lasts_as_long_as_the_settings_say() -> None:
    since = int(time.time()) - 3600
    short, long = Keys(b"secret", lifetime=3000), Keys(b"secret", lifetime=4000)
    assert session_of(Session("name", since, True, short).cookie, short) is None
    assert session_of(Session("name", since, True, long).cookie, long) is not None
    assert "Max-Age=3000;" in cookie_line(Session("name", since, True, short), secure=False)


# --- what a server depends on ----------------------------------------------------------------------------


def test_a_full_disk_is_said_in_words(visitor: Visitor, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    for answer in (visitor.upload(("a.csv", b"1,2")), visitor.post("/audits/example")):
        assert answer.status_code == 503
        assert "The disk is full; nothing was changed." in words(answer.text)
    assert list((settings.folder / "jobs").iterdir()) == []


def test_a_lost_database_is_said_without_its_address_and_is_found_again(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
    data = folder / "data"
    try:
        database_server.start(folder)
        settings = Settings(tmp_path, f"postgresql://assay@/postgres?host={folder}")
        with served(settings) as base, Visitor(base) as visitor:
            assert visitor.get("/health").text == "ok"
            database_server.run("pg_ctl", "stop", "--wait", "--mode=immediate", f"--pgdata={data}")
            page = visitor.get("/audits")
            assert page.status_code == 503
            assert "does not answer" in words(page.text)
            assert str(folder) not in page.text
            assert "postgresql" not in page.text
            assert visitor.get("/health").status_code == 503
            database_server.resume(folder)
            assert visitor.get("/health").text == "ok"
            assert visitor.get("/audits").status_code == 200
            database_server.run("pg_ctl", "stop", "--wait", "--mode=immediate", f"--pgdata={data}")
    finally:
        shutil.rmtree(folder)
