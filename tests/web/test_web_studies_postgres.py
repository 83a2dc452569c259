"""All studies of a server live in its PostgreSQL database, and are there when it is started again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from served import served
from visitor import Visitor, words

from assay.cli import main
from assay.database import open_database
from assay.reproduction.store.studies import new_store
from assay.reproduction.study import Study
from assay.web.expiry import tidy
from assay.web.models import now
from assay.web.settings import Settings
from assay.web.study_stores import StudyStores


@pytest.fixture
def lab(tmp_path: Path, postgres: str) -> Settings:
    return Settings(tmp_path / "data", postgres)


@contextmanager
def visiting(settings: Settings) -> Iterator[Visitor]:
    """From the start of a server to its end."""
    with served(settings) as base, Visitor(base, settings) as visitor:
        yield visitor


def files(settings: Settings) -> set[str]:
    return {str(path.relative_to(settings.folder)) for path in settings.folder.rglob("*") if path.is_file()}


def test_two_studies_of_one_title_are_both_there_after_a_restart(lab: Settings) -> None:
    with visiting(lab) as visitor:
        first, _, attempt = visitor.study("Twin")
        second = visitor.post("/studies", {"title": "Twin"}).url.path
        assert first != second
        visitor.post(f"{attempt}/timer/start", {"person": "Ann"})
    with visiting(lab) as visitor:
        assert visitor.get("/studies").text.count(">Twin</a>") == 2
        assert "A &lt;b&gt;paper&lt;/b&gt;" in visitor.get(first).text
        assert "Running timers" in visitor.get(first).text
        assert "No paper yet" in visitor.get(second).text
        stopped = visitor.post(f"{attempt}/timer/stop", {"person": "Ann", "hours": "2"})
        assert "2 of 40 hours are logged." in stopped.text
    assert files(lab) == {"secret"}


def test_a_study_is_deleted_brought_back_and_gone_for_good_after_its_time(lab: Settings) -> None:
    with visiting(lab) as visitor:
        kept, gone = (visitor.study(title)[0] for title in ("Kept", "Gone"))
        for path in (kept, gone):
            assert "A study was deleted." in visitor.post(f"{path}/delete").text
            assert visitor.get(path).status_code == 404
            assert visitor.get(f"{path}/paper/1").status_code == 404
        assert "No studies yet" in visitor.get("/studies").text
        assert visitor.post(f"{kept}/restore").url.path == kept
    with visiting(lab) as visitor:
        assert "A &lt;b&gt;paper&lt;/b&gt;" in visitor.get(kept).text
        engine = open_database(lab.database, migrations="assay.web.migrations")
        tidy(engine, replace(lab, undo=timedelta(0)), StudyStores(lab, engine))
        engine.dispose()
        assert visitor.post(f"{gone}/restore").status_code == 400
        assert visitor.get(kept).status_code == 200


def test_many_studies_come_a_page_at_a_time(lab: Settings) -> None:
    engine = open_database(lab.database, migrations="assay.web.migrations")
    stores = StudyStores(lab, engine)
    for number in range(17):
        stores.add(Study(f"Study {number}"))
    engine.dispose()
    with visiting(lab) as visitor:
        pages = [visitor.get(f"/studies?page={number}").text for number in (1, 2)]
    shown = [{f">Study {number}</a>" in page for page in pages} for number in range(17)]
    assert shown == [{True, False}] * 17, "each on one page"
    assert "1–15 of 17" in pages[0]


def test_an_export_comes_back_beside_the_original(lab: Settings) -> None:
    with visiting(lab) as visitor:
        study, _, _ = visitor.study("Out and in")
        archive = visitor.get(f"{study}/export.zip").content
        again = visitor.upload(("study.zip", archive), to="/studies/import/upload", field="file").url.path
        assert again != study
        assert "A &lt;b&gt;paper&lt;/b&gt;" in visitor.get(again).text
        assert visitor.upload(("study.zip", b"no"), to="/studies/import/upload", field="file").status_code == 400
        assert visitor.get("/studies").text.count(">Out and in</a>") == 2


def test_the_command_line_reaches_a_study_by_what_its_board_says(lab: Settings) -> None:
    with visiting(lab) as visitor:
        study, _, _ = visitor.study("From both sides")
        [schema] = [word for word in words(visitor.get(study).text).split() if "schema=" in word]
        store = lab.database + schema.replace("?", "&")  # the address of the tests has a question mark already
        assert main(["study", "add", "paper", "--id", "p2", "--store", store]) == 0
        assert "p2" in visitor.get(study).text
        assert main(["study", "new", f"{lab.database}&schema=assay_study_mine", "--title", "Mine"]) == 0
        assert ">Mine</a>" in visitor.get("/studies").text
        assert visitor.get("/studies/mine").status_code == 200


def test_a_server_that_goes_over_to_postgresql_keeps_showing_its_files(lab: Settings) -> None:
    (lab.folder / "studies").mkdir(parents=True)
    new_store(lab.folder / "studies" / "0a1b.db", Study("Before")).dispose()
    with visiting(lab) as visitor:
        after = visitor.post("/studies", {"title": "After"}).url.path
        for path, title in (("/studies/0a1b", "Before"), (after, "After")):
            assert f"<h1>{title}</h1>" in visitor.get(path).text
            assert f">{title}</a>" in visitor.get("/studies").text
            visitor.post(f"{path}/delete")
            assert visitor.get(path).status_code == 404
            assert visitor.post(f"{path}/restore").url.path == path
    assert files(lab) == {"secret", "studies/0a1b.db"}


def test_names_in_addresses_lead_nowhere_else(lab: Settings) -> None:
    with visiting(lab) as visitor:
        for name in ("public", "pg_catalog", "information_schema", "a%22b", "x" * 64):
            assert visitor.get(f"/studies/{name}").status_code == 404
            assert visitor.post(f"/studies/{name}/delete").status_code == 404
            assert visitor.post(f"/studies/{name}/restore").status_code == 400


def test_a_study_that_cannot_be_read_does_not_hide_the_others(lab: Settings) -> None:
    (lab.folder / "studies").mkdir(parents=True)
    (lab.folder / "studies" / "broken.db").write_bytes(b"no database" * 100)
    with visiting(lab) as visitor:
        visitor.post("/studies", {"title": "Sound"})
        page = visitor.get("/studies")
        assert ">Sound</a>" in page.text
        assert "Study broken: is not a database" in words(page.text)


def test_a_deletion_does_not_wait_for_its_time_when_it_is_brought_back(lab: Settings) -> None:
    engine = open_database(lab.database, migrations="assay.web.migrations")
    stores = StudyStores(lab, engine)
    name = stores.add(Study("Back"))
    stores.delete(name)
    stores.restore(name)
    stores.purge(now() + timedelta(days=1))
    assert stores.get(name) is not None
    engine.dispose()


def test_what_the_database_cannot_hold_is_told_without_its_address(lab: Settings) -> None:
    with visiting(lab) as visitor:
        answers = [
            visitor.get("/audits/%00"),
            visitor.get("/checklists?deleted=%00"),
            visitor.post("/audits/%00/purge"),
        ]
        assert [answer.status_code for answer in answers] == [400] * 3
        for answer in answers:
            assert "the database cannot hold such a value" in words(answer.text)
            assert "postgresql" not in answer.text
