"""A study in a store is the study that was put in: with either database, through folders and back."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine, event, text
from test_folder import FULL

from assay.database import open_database
from assay.database.migration import scripts
from assay.errors import InputError
from assay.reproduction.categories import categories
from assay.reproduction.folder import example_study, read_study, study_files, write_study
from assay.reproduction.levels import Level, Naming
from assay.reproduction.outcomes import AttemptOutcome, Direction, Measured
from assay.reproduction.store.edits import Kind, add, delete, entries
from assay.reproduction.store.schema import Base
from assay.reproduction.store.studies import MIGRATIONS, load_study, new_store, open_store, replace_study
from assay.reproduction.study import (
    Affiliation,
    Assessment,
    Attempt,
    Claim,
    Counts,
    Discrepancy,
    Experiment,
    Paper,
    PaperType,
    Protocol,
    Reason,
    Result,
    Scale,
    Spent,
    Status,
    Study,
)
from assay.reproduction.study_check import check_study

VERSIONS = "assay_reproduction_store_version"


@pytest.fixture
def store(database: str) -> Iterator[Engine]:
    engine = new_store(database)
    yield engine
    engine.dispose()


# --- in and out ------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
names = words.map(str.strip).filter(lambda name: name and ";" not in name)
several = st.lists(names, max_size=2).map(tuple)
hours = st.decimals(0, 200, places=2)
days = st.none() | st.dates(date(1990, 1, 1), date(2024, 1, 1))
counts = st.none() | st.integers(0, 10**6)
printed = st.decimals(-100, 100, places=3).map(str)
spreads = st.none() | st.floats(0, 1000, allow_subnormal=False)
measured = st.builds(Measured, printed, spreads, counts, counts)
codes = st.sampled_from(sorted(categories()))
results = st.builds(
    Result,
    metric=names,
    original=measured,
    reproduced=st.none() | measured,
    baselines=st.lists(printed.map(Measured), max_size=2).map(tuple),
    direction=st.none() | st.sampled_from(Direction),
    runs=st.lists(printed, max_size=3).map(tuple),
    margin=spreads,
)


def listed(part: st.SearchStrategy, **unique: object) -> st.SearchStrategy:
    return st.lists(part, max_size=2, **unique).map(tuple)


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    found = draw(listed(results))
    status = draw(st.sampled_from(Status))
    reason = None if status is Status.RUN else draw(st.none() | st.sampled_from(Reason))
    level = draw(st.none() | st.sampled_from(Level))
    return Experiment(draw(names), draw(words), draw(words), status, reason, found, level)


@st.composite
def discrepancies(draw: st.DrawFn) -> tuple[Discrepancy, ...]:
    """A problem, and what it led to."""
    first, second = draw(codes), draw(codes)
    cause = Discrepancy(
        first, draw(st.integers(1, 99)), draw(st.none() | st.integers(0, 4)), draw(printed), draw(words)
    )
    return draw(st.sampled_from([(), (cause,), (cause, Discrepancy(second, because=(first,), together=draw(words)))]))


@st.composite
def attempts(draw: st.DrawFn) -> Attempt:
    listed_ones = draw(listed(experiments(), unique_by=lambda e: e.id))
    given_counts = None if listed_ones else draw(st.none() | st.builds(Counts, *[st.integers(0, 99)] * 5))
    return Attempt(
        id=draw(names),
        people=draw(several),
        budget=draw(hours),
        stated_hours=draw(st.none() | hours),
        started=draw(days),
        ended=draw(days),
        environment=draw(words),
        reasons=draw(listed(st.sampled_from(Reason))),
        stated_outcome=draw(st.none() | st.sampled_from(AttemptOutcome)),
        counts=given_counts,
        log=draw(listed(st.builds(Spent, days, hours, words, st.just("") | names))),
        experiments=listed_ones,
        discrepancies=draw(discrepancies()),
        protocol=draw(st.none() | st.builds(Protocol, days, hours, spreads, several)),
        commit=draw(words),
        hardware=draw(words),
        packages=draw(several),
        container=draw(words),
    )


papers = st.builds(
    Paper,
    id=names,
    title=words,
    year=counts,
    stated_level=st.none() | st.sampled_from(Level),
    components=st.sampled_from([(), (("Method", "0.50"),), (("Method", ""), ("Data", "1"))]),
    stated_metric=st.just("") | printed,
    attempts=listed(attempts(), unique_by=lambda a: a.id),
    doi=st.sampled_from(["", "10.1109/5.726791", "https://doi.org/10.1371/journal.pdig.0000145"]),
    authors=several,
    venue=words,
    type=st.none() | st.sampled_from(PaperType),
    affiliation=st.none() | st.sampled_from(Affiliation),
    rank=counts,
    excluded=words,
    degree=st.just("") | printed,
    assessments=listed(st.builds(Assessment, names, st.sampled_from([(), (("Data", ""), ("Goal", "1"))]), days)),
)
studies = st.builds(
    Study,
    title=words,
    source=words,
    naming=st.sampled_from(Naming),
    papers=listed(papers, unique_by=lambda p: p.id),
    claims=listed(st.builds(Claim, words, words, names, st.just((("level", "R1"),)), names)),
    scales=listed(st.builds(Scale, words, names, listed(printed))),
    attainable=st.sampled_from([(), (("Data", ("0", "5/6")),)]),
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(study=studies)
def test_any_study_comes_back_from_the_store_and_from_its_export_as_it_was(store: Engine, study: Study):
    replace_study(store, study)
    stored = load_study(store)
    assert stored == study
    assert study_files(stored) == study_files(study)


@pytest.mark.parametrize("study", [FULL, example_study()], ids=["every field", "the shipped example"])
def test_folder_to_store_to_folder_changes_no_byte(tmp_path: Path, database: str, study: Study):
    write_study(study, tmp_path / "before")
    engine = new_store(database, read_study(tmp_path / "before"))
    write_study(load_study(engine), tmp_path / "after")
    engine.dispose()
    files = [{file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("before", "after")]
    assert files[0] == files[1]


def test_components_keep_their_order_whoever_comes_first(tmp_path: Path):
    """The first paper has fewer components than the second, which has one of them in the middle."""
    study = Study(
        papers=(
            Paper("1", components=(("Method", "1"), ("Results", "1"))),
            Paper("2", components=(("Method", "1"), ("Data", "1"), ("Results", "0"))),
        )
    )
    write_study(study, tmp_path)
    assert read_study(tmp_path) == study
    assert (tmp_path / "components.csv").read_text().startswith("paper,Method,Data,Results\n")


def test_a_study_that_is_replaced_can_be_looked_at_no_more_but_is_kept(store: Engine):
    replace_study(store, FULL)
    replace_study(store, Study("another", papers=(Paper("p1"),)))
    assert load_study(store) == Study("another", papers=(Paper("p1"),))
    assert [entry.name for entry in entries(store, Kind.PAPER)] == ["p1"]
    with store.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM paper")) == 3


def test_what_would_not_read_back_is_not_stored(store: Engine):
    replace_study(store, FULL)
    for wrong in (
        replace(FULL, papers=(Paper(" spaced "),)),
        replace(FULL, papers=(Paper("1"), Paper("1"))),
        replace(FULL, title="null \0"),
        replace(FULL, papers=(Paper("1", attempts=(Attempt("1", budget=Decimal(-1)),)),)),
        replace(FULL, papers=(Paper("1", attempts=(Attempt("1", started=date(9999, 1, 1)),)),)),
    ):
        with pytest.raises(InputError):
            replace_study(store, wrong)
    assert load_study(store) == FULL


# --- opening ---------------------------------------------------------------------------------------


def test_a_store_is_made_once(database: str, store: Engine):
    with pytest.raises(InputError, match="holds a study already"):
        new_store(database)


def test_a_store_that_was_left_without_its_study_can_still_be_begun(database: str):
    """As when the process died between making the tables and writing the study."""
    open_database(database, migrations=MIGRATIONS).dispose()
    with pytest.raises(InputError, match=r"holds no study yet\. Make one"):
        open_store(database)
    engine = new_store(database, FULL)
    assert load_study(engine) == FULL
    engine.dispose()


def test_the_scripts_make_the_tables_that_the_code_uses(store: Engine):
    with store.connect() as connection:
        options = {"version_table": VERSIONS, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []


def test_a_store_of_the_first_version_is_brought_up_to_date(database: str):
    """Made by the first script alone, with a row as that version wrote it."""
    url = database if "://" in database else f"sqlite:///{database}"
    old = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    folder = str(Path(scripts(MIGRATIONS).dir))
    script = ScriptDirectory(folder, version_locations=[folder])
    with old.begin() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSIONS})
        with Operations.context(context):
            script.get_revision("0001").module.upgrade()
        context.stamp(script, "0001")
        connection.execute(
            text("INSERT INTO study (version, title, source, naming, attainable) VALUES (1, 'old', '', '2018', '[]')")
        )
        connection.execute(
            text("INSERT INTO paper (version, name, title, components, stated_metric) VALUES (1, 'p', '', '[]', '')")
        )
        connection.execute(
            text(
                "INSERT INTO attempt (version, paper_id, name, people, budget, environment, reasons)"
                " VALUES (1, 1, 'a', '[]', '40', '', '[]')"
            )
        )
        connection.execute(
            text("INSERT INTO spent (version, attempt_id, hours, activity) VALUES (1, 1, '2.5', 'reading')")
        )
    old.dispose()
    engine = open_store(database)
    attempt = Attempt("a", log=(Spent(None, Decimal("2.5"), "reading"),))
    assert load_study(engine) == Study("old", papers=(Paper("p", attempts=(attempt,)),))
    assert [heads(engine), script.get_current_head()] == ["0003", "0003"]
    engine.dispose()


def heads(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return MigrationContext.configure(connection, opts={"version_table": VERSIONS}).get_current_revision()


def test_a_store_of_a_later_version_is_refused_and_left_alone(database: str, store: Engine):
    replace_study(store, FULL)
    with store.begin() as connection:
        connection.execute(text(f"UPDATE {VERSIONS} SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"newer version of Assay \(tables 9999\)"):
        open_store(database)
    assert load_study(store) == FULL


# --- several writers, and one that dies ------------------------------------------------------------

KILLED = """
import sys
from assay.reproduction.store.edits import Kind, add
from assay.reproduction.store.studies import open_store

engine = open_store(sys.argv[1])
number = 0
while True:
    number += 1
    made = add(engine, Kind.PAPER, {"id": f"k{number}", "title": "x" * 20000})
    add(engine, Kind.ATTEMPT, {}, under=made.id)
    print(number, flush=True)
"""


def test_a_writer_that_is_killed_loses_nothing_that_it_was_told_is_stored(database: str, store: Engine):
    writer = subprocess.Popen([sys.executable, "-c", KILLED, database], stdout=subprocess.PIPE, text=True)
    assert writer.stdout
    told = [int(writer.stdout.readline()) for _ in range(10)]
    os.kill(writer.pid, signal.SIGKILL)
    told += [int(line) for line in writer.stdout]
    assert writer.wait() == -signal.SIGKILL
    writer.stdout.close()
    found = {paper.id: paper for paper in load_study(store).papers}
    assert all(len(found[f"k{number}"].attempts) == 1 for number in told)
    assert len(found) <= told[-1] + 1
    add(store, Kind.PAPER, {"id": "after"})


WRITER = """
import sys
from assay.errors import InputError
from assay.reproduction.store.edits import Kind, add, change, entry
from assay.reproduction.store.studies import open_store

engine = open_store(sys.argv[1])
for number in range(6):
    add(engine, Kind.TIME, {"hours": "1", "activity": sys.argv[2]}, under=1)
    while True:
        seen = entry(engine, Kind.PAPER, 1)
        try:
            change(engine, Kind.PAPER, 1, seen.version, {"year": str(int(seen.cells["year"]) + 1)})
            break
        except InputError as error:
            assert "by somebody else" in str(error)
"""


def test_two_writers_lose_none_of_each_others_changes(database: str, store: Engine):
    """Each adds one to a number that it has read: with a lost update the sum would fall short."""
    add(store, Kind.PAPER, {"id": "p", "year": "2000"})
    add(store, Kind.ATTEMPT, {}, under=1)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, database, who]) for who in ("ada", "grace")]
    assert [writer.wait() for writer in writers] == [0, 0]
    [paper] = load_study(store).papers
    assert paper.year == 2012
    assert sorted(spent.activity for spent in paper.attempts[0].log) == ["ada"] * 6 + ["grace"] * 6


def test_a_full_disk_leaves_the_study_as_it_was(tmp_path: Path):
    engine = new_store(tmp_path / "study.db", FULL)

    def limit(connection: object, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    with engine.connect() as connection:
        pages = connection.scalar(text("PRAGMA page_count"))
    engine.dispose()
    event.listen(engine, "connect", limit)
    many = replace(FULL, papers=tuple(Paper(str(n), "x" * 500) for n in range(200)))
    with pytest.raises(InputError, match="the disk is full; nothing was changed"):
        replace_study(engine, many)
    assert load_study(engine) == FULL
    engine.dispose()


def test_what_belongs_to_something_deleted_is_not_in_the_study(store: Engine):
    replace_study(store, FULL)
    [attempt, _] = entries(store, Kind.ATTEMPT)
    delete(store, Kind.ATTEMPT, attempt.id, attempt.version)
    [paper, other] = load_study(store).papers
    assert (paper.attempts, other) == (FULL.papers[0].attempts[1:], FULL.papers[1])
    assert entries(store, Kind.RESULT) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE discrepancy SET category = 'P99'",
        "UPDATE attempt SET budget = 'forty'",
        "UPDATE attempt SET people = '{'",
        "UPDATE attempt SET started = 'soon'",
        "UPDATE experiment SET status = 'done'",
        "UPDATE paper SET components = '[[1]]'",
        'UPDATE paper SET components = \'[["Data", "0.%0"]]\'',
        "UPDATE claim SET of = '[\"level\"]'",
    ],
)
def test_what_somebody_wrote_into_the_tables_by_hand_is_told(tmp_path: Path, statement: str):
    engine = new_store(tmp_path / "study.db", FULL)
    with engine.begin() as connection:
        connection.execute(text(statement))
    with pytest.raises(InputError, match=r"holds what Assay did not write|there is no category"):
        check_study(load_study(engine))
    with pytest.raises(InputError, match=r"holds what Assay did not write|there is no category"):
        [entries(engine, kind) for kind in Kind]
    engine.dispose()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE paper SET title = CAST(X'ff41' AS TEXT)", "is damaged"),
        ("UPDATE study SET attainable = '['", "holds what Assay did not write"),
    ],
)
def test_a_store_that_was_damaged_inside_is_told(tmp_path: Path, statement: str, told: str):
    path = tmp_path / "study.db"
    engine = new_store(path, FULL)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
    with pytest.raises(InputError, match=told):
        _loaded(path)


def _loaded(path: Path) -> Study:
    engine = open_store(path)
    try:
        return load_study(engine)
    finally:
        engine.dispose()
