"""Many studies in one PostgreSQL database: none meets another, each is deleted and brought back by itself."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import Engine

from assay.database import open_database
from assay.errors import InputError
from assay.reproduction.folder import example_study
from assay.reproduction.store import clock, edits, side_by_side
from assay.reproduction.store.kinds import Kind
from assay.reproduction.store.studies import load_study, new_store, open_store
from assay.reproduction.study import Study

NOW = datetime.now(UTC)


@pytest.fixture
def engine(postgres: str) -> Iterator[Engine]:
    made = open_database(postgres, migrations="assay.web.migrations")
    yield made
    made.dispose()


def address(postgres: str, name: str) -> str:
    return f"{postgres}&schema=assay_study_{name}"


def test_studies_are_kept_side_by_side_under_their_own_addresses(engine: Engine, postgres: str):
    example = example_study()
    one = side_by_side.add_study(engine, "one", example)
    two = side_by_side.add_study(engine, "two", Study("Twin"))
    side_by_side.add_study(engine, "three", Study("Twin"))
    edits.add(two, Kind.PAPER, {"id": "p1"})
    assert side_by_side.names(engine) == ["one", "three", "two"]
    assert load_study(one) == example
    for name, papers in (("one", 30), ("two", 1), ("three", 0)):
        store = open_store(address(postgres, name))
        assert len(load_study(store).papers) == papers
        store.dispose()


def test_a_person_has_a_clock_in_each_study(engine: Engine):
    for name in ("one", "two"):
        store = side_by_side.add_study(engine, name, Study())
        edits.add(store, Kind.PAPER, {"id": "p1"})
        attempt = edits.add(store, Kind.ATTEMPT, {"people": "Ada"}, under=1)
        clock.start_timer(store, attempt.id, "ada", "reading")
    assert [len(clock.timers(side_by_side.store(engine, name))) for name in ("one", "two")] == [1, 1]


def test_a_deleted_study_comes_back_as_it_was(engine: Engine, postgres: str):
    store = side_by_side.add_study(engine, "one", example_study())
    before = load_study(store)
    assert side_by_side.mark(store, NOW)
    assert not side_by_side.is_there(store)
    assert not side_by_side.mark(store, NOW), "it is deleted already, and its time runs on"
    with pytest.raises(InputError, match="this study was deleted"):
        open_store(address(postgres, "one"))
    assert side_by_side.mark(store, None)
    assert not side_by_side.mark(store, None)
    assert load_study(store) == before


def test_a_study_is_taken_away_for_good_only_after_its_time(engine: Engine):
    stores = [side_by_side.add_study(engine, name, Study(name)) for name in ("fresh", "living", "old")]
    side_by_side.mark(stores[0], NOW)
    side_by_side.mark(stores[2], NOW - timedelta(minutes=20))
    assert [side_by_side.purge(store, NOW - timedelta(minutes=10)) for store in stores] == [False, False, True]
    assert side_by_side.names(engine) == ["fresh", "living"]
    assert not side_by_side.mark(stores[2], None)
    assert not side_by_side.purge(stores[2], NOW), "what is gone cannot go again"


def test_a_study_among_other_tables_goes_without_them(engine: Engine, postgres: str):
    new_store(postgres, Study("By an earlier version")).dispose()
    side_by_side.add_study(engine, "one", Study())
    assert side_by_side.is_there(engine)
    side_by_side.mark(engine, NOW - timedelta(minutes=20))
    assert side_by_side.purge(engine, NOW)
    assert not side_by_side.is_there(engine)
    assert side_by_side.names(engine) == ["one"]
    open_database(postgres, migrations="assay.web.migrations", create=False).dispose()


def test_a_name_leads_to_no_other_schema(engine: Engine, postgres: str):
    with psycopg.connect(postgres) as other:
        for schema in ("assay_study_", "assay_study_A b", "xassay_study_x", "assayxstudyxone"):
            other.execute(f'CREATE SCHEMA "{schema}"')
    assert side_by_side.names(engine) == []
    for name in ("", "..", "a b", 'a"', "A", "é", "x" * 41):
        assert not side_by_side.is_name(name)


def test_what_cannot_be_kept_leaves_no_schema_behind(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise InputError("too full")

    monkeypatch.setattr(side_by_side, "begin_study", fail)
    with pytest.raises(InputError, match="too full"):
        side_by_side.add_study(engine, "one", Study())
    assert side_by_side.names(engine) == []
