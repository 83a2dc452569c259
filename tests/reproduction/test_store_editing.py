"""Entries of a store, one at a time: filled in with text, refused with a reason, deleted and brought back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Engine
from test_folder import FULL

from assay.errors import InputError
from assay.reproduction import cells
from assay.reproduction.fields import FIELDS
from assay.reproduction.levels import Level
from assay.reproduction.rows import local_day
from assay.reproduction.store.clock import (
    cancel_timer,
    hours_in,
    hours_used,
    start_timer,
    stop_timer,
    timers,
)
from assay.reproduction.store.edits import (
    Entry,
    add,
    change,
    delete,
    deletions,
    entries,
    entry,
    named,
    undo,
)
from assay.reproduction.store.kinds import LAYOUTS, Kind
from assay.reproduction.store.studies import load_study, new_store
from assay.reproduction.study import Attempt, Experiment, Paper, Spent, Status, Study


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Engine]:
    engine = new_store(tmp_path / "study.db")
    yield engine
    engine.dispose()


@pytest.fixture
def attempt(store: Engine) -> Entry:
    paper = add(store, Kind.PAPER, {"id": "p1"})
    return add(store, Kind.ATTEMPT, {"people": "Ada; Grace"}, under=paper.id)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A store with a paper, an attempt and an experiment, for tests that change nothing."""
    study = Study(papers=(Paper("p1", attempts=(Attempt("1", experiments=(Experiment("1"),)),)),))
    engine = new_store(tmp_path_factory.mktemp("started") / "study.db", study)
    yield engine
    engine.dispose()


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Engine]:
    engine = new_store(tmp_path / "full.db", FULL)
    yield engine
    engine.dispose()


# --- adding and changing ---------------------------------------------------------------------------


def test_an_entry_is_filled_in_with_text_and_becomes_a_fact(store: Engine, attempt: Entry):
    change(store, Kind.PAPER, 1, 1, {"title": "A paper", "level": "R2-D", "component.Data": "0.5", "year": "2017"})
    experiment = add(store, Kind.EXPERIMENT, {"method": "CNN", "data": "MNIST"}, under=attempt.id)
    add(store, Kind.RESULT, {"metric": "accuracy", "original": "0.83", "reproduced": "0.8345"}, under=experiment.id)
    add(store, Kind.DISCREPANCY, {"category": "P13", "instances": "2", "severity": "3"}, under=attempt.id)
    [paper] = load_study(store).papers
    assert (paper.id, paper.title, paper.level, paper.year) == ("p1", "A paper", Level.DATA, 2017)
    assert paper.components == (("Data", "0.5"),)
    [made] = paper.attempts
    assert (made.id, made.people, made.budget) == ("1", ("Ada", "Grace"), Decimal(40))
    assert made.experiments[0].outcome.value == "identical"
    assert made.discrepancies[0].instances == 2


def test_an_experiment_with_a_reproduced_result_was_run(store: Engine, attempt: Entry):
    planned = add(store, Kind.EXPERIMENT, {}, under=attempt.id)
    add(store, Kind.RESULT, {"metric": "f1", "original": "0.5"}, under=planned.id)
    assert entry(store, Kind.EXPERIMENT, planned.id).cells["status"] == Status.PLANNED
    add(store, Kind.RESULT, {"metric": "f1", "original": "0.5", "reproduced": "0.5"}, under=planned.id)
    assert entry(store, Kind.EXPERIMENT, planned.id).cells["status"] == Status.RUN


def test_what_is_not_named_in_a_change_stays(full: Engine):
    before = load_study(full)
    for kind in set(Kind) - {Kind.PROTOCOL}:  # which the result locks
        for found in entries(full, kind):
            assert change(full, kind, found.id, found.version, {}).cells == found.cells
    assert load_study(full) == before


def test_attempts_and_experiments_without_a_name_get_the_next_number(store: Engine, attempt: Entry):
    assert attempt.name == "1"
    assert add(store, Kind.ATTEMPT, {}, under=1).name == "2"
    assert add(store, Kind.ATTEMPT, {"attempt": "4"}, under=1).name == "4"
    assert add(store, Kind.ATTEMPT, {}, under=1).name == "3"
    assert add(store, Kind.EXPERIMENT, {}, under=attempt.id).name == "1"


def test_components_take_the_order_of_the_papers_before(store: Engine):
    add(store, Kind.PAPER, {"id": "1", "component.Method": "1", "component.Data": "-"})
    add(store, Kind.PAPER, {"id": "2", "component.Extra": "0", "component.Data": "1", "component.Method": "1"})
    first, second = load_study(store).papers
    assert first.components == (("Method", "1"), ("Data", ""))
    assert [name for name, _ in second.components] == ["Method", "Data", "Extra"]


def test_a_paper_that_comes_back_takes_the_order_of_those_that_stayed(store: Engine):
    add(store, Kind.PAPER, {"id": "1", "component.Method": "1", "component.Data": "1"})
    delete(store, Kind.PAPER, 1, 1)
    add(store, Kind.PAPER, {"id": "2", "component.Data": "1", "component.Method": "1"})
    undo(store, Kind.PAPER, 1)
    assert {tuple(name for name, _ in paper.components) for paper in load_study(store).papers} == {("Data", "Method")}


def test_the_study_itself_is_an_entry(full: Engine):
    [study] = entries(full, Kind.STUDY)
    change(full, Kind.STUDY, study.id, study.version, {"title": "new", "levels": "2018"})
    after = load_study(full)
    assert (after.title, after.source, after.attainable) == ("new", FULL.source, FULL.attainable)
    assert after.papers == FULL.papers
    assert entries(full, Kind.PAPER)[0].cells["level"] == "R2-M"


@pytest.mark.parametrize(
    ("kind", "filled", "told"),
    [
        (Kind.DISCREPANCY, {"category": "P31"}, 'discrepancy: there is no category "P31". Did you mean "P'),
        (Kind.DISCREPANCY, {"category": "P1", "severity": "9"}, '"severity" = 9 is off the scale'),
        (Kind.DISCREPANCY, {"category": "A11", "because": "P13"}, "because of P13, which the attempt does not have"),
        (Kind.DISCREPANCY, {"categry": "P1"}, 'unknown column "categry". Did you mean "category"?'),
        (Kind.TIME, {"hours": "-2"}, 'time: "hours" = -2 is negative'),
        (Kind.TIME, {"hours": "2", "day": "9999-01-01"}, '"day" = 9999-01-01 is in the future'),
        (Kind.TIME, {"activity": "reading"}, '"hours" is empty'),
        (Kind.TIME, {"hours": "1", "activity": "a\0b"}, "\"activity\": 'a\\x00b' holds a null character"),
        (Kind.TIME, {"hours": "1", "activity": "\ud800"}, "is not text"),
        (Kind.RESULT, {"original": "0.9"}, '"metric" is empty. Name what was measured, as in accuracy.'),
        (Kind.RESULT, {"metric": "f1"}, '"original" is empty'),
        (Kind.RESULT, {"metric": "f1", "original": "high"}, "is no number. Write the figure as printed"),
        (Kind.EXPERIMENT, {"experiment": "1"}, 'the experiment "1" is there already'),
        (Kind.EXPERIMENT, {"status": "rnu"}, 'Did you mean "run"?'),
        (Kind.ATTEMPT, {"attempt": "1"}, 'the attempt "1" is there already'),
        (Kind.ATTEMPT, {"budget": "-1"}, '"budget" = -1 is negative'),
        (Kind.ATTEMPT, {"reasons": "tme"}, 'Did you mean "time"?'),
        (Kind.PAPER, {"id": "p1"}, 'the paper "p1" is there already'),
        (Kind.PAPER, {"id": "p2", "level": "R4"}, 'there is no level "R4"'),
        (Kind.PAPER, {"id": "p2", "level": "R2"}, "Did you mean R2-D or R2-M?"),
        (Kind.PAPER, {"id": "p2", "component.Data": "1.5x"}, "is no score"),
        (Kind.PAPER, {"title": "x"}, '"id" is empty'),
        (Kind.PAPER, {"id": "p2", "component.paper": "1"}, 'a component cannot be called "paper"'),
        (Kind.PAPER, {"id": "p2", "component.": "1"}, 'a component cannot be called ""'),
        (Kind.STUDY, {"title": "x"}, "a store holds one study"),
    ],
)
def test_a_wrong_entry_is_told_and_nothing_is_stored(started: Engine, kind: Kind, filled: dict[str, str], told: str):
    before = load_study(started)
    with pytest.raises(InputError) as caught:
        add(started, kind, filled, under=1)
    assert told in str(caught.value)
    assert load_study(started) == before


def test_an_attempt_has_counts_or_experiments(full: Engine):
    [listed, counted] = entries(full, Kind.ATTEMPT)
    with pytest.raises(InputError, match="has counts and experiments"):
        add(full, Kind.EXPERIMENT, {}, under=counted.id)
    numbers = dict.fromkeys(("experiments", "identical", "consistent", "different", "not_run"), "1")
    with pytest.raises(InputError, match="has counts and experiments"):
        change(full, Kind.ATTEMPT, listed.id, listed.version, numbers)
    assert load_study(full) == FULL


def test_an_entry_needs_a_place(store: Engine, attempt: Entry):
    with pytest.raises(InputError, match="to which attempt does the time belong"):
        add(store, Kind.TIME, {"hours": "1"})
    with pytest.raises(InputError, match="there is no attempt 99"):
        add(store, Kind.TIME, {"hours": "1"}, under=99)


def test_a_name_that_is_not_there_is_told_with_the_nearest(store: Engine, attempt: Entry):
    assert named(store, Kind.PAPER, "p1").id == 1
    with pytest.raises(InputError, match=r"There are: p1\."):
        named(store, Kind.PAPER, "p2")
    add(store, Kind.PAPER, {"id": "lecun98"})
    with pytest.raises(InputError, match=r'there is no paper "lecun89"\. Did you mean "lecun98"\?'):
        named(store, Kind.PAPER, "lecun89")


# --- two people ------------------------------------------------------------------------------------


def test_a_change_of_what_was_not_seen_is_refused(store: Engine, attempt: Entry):
    seen = entry(store, Kind.PAPER, 1)
    change(store, Kind.PAPER, 1, seen.version, {"title": "hers"})
    with pytest.raises(InputError, match="was changed by somebody else meanwhile; your change was not stored"):
        change(store, Kind.PAPER, 1, seen.version, {"title": "his"})
    with pytest.raises(InputError, match="by somebody else"):
        delete(store, Kind.PAPER, 1, seen.version)
    assert load_study(store).papers[0].title == "hers"


# --- deleting and bringing back --------------------------------------------------------------------


def test_what_is_deleted_comes_back_in_its_place(full: Engine):
    for kind in set(Kind) - {Kind.STUDY, Kind.DISCREPANCY, Kind.PROTOCOL}:
        first = entries(full, kind)[0]
        gone = delete(full, kind, first.id, first.version)
        assert gone.deleted is not None
        assert load_study(full) != FULL
        assert first.id not in [found.id for found in entries(full, kind)]
        assert [(found.kind, found.id) for found in deletions(full)] == [(kind, first.id)]
        undo(full, kind, first.id)
        assert load_study(full) == FULL
        assert deletions(full) == []


def test_a_problem_that_led_to_an_assumption_stays_until_the_link_is_cut(full: Engine):
    problem, assumption = entries(full, Kind.DISCREPANCY)
    with pytest.raises(InputError, match=r'A11 is there because of P13.*Keep P13, or take it out of "because"'):
        delete(full, Kind.DISCREPANCY, problem.id, problem.version)
    with pytest.raises(InputError, match="because of P13"):
        change(full, Kind.DISCREPANCY, problem.id, problem.version, {"category": "P14"})
    delete(full, Kind.DISCREPANCY, assumption.id, assumption.version)
    delete(full, Kind.DISCREPANCY, problem.id, problem.version)
    with pytest.raises(InputError, match="because of P13"):
        undo(full, Kind.DISCREPANCY, assumption.id)
    undo(full, Kind.DISCREPANCY, problem.id)
    undo(full, Kind.DISCREPANCY, assumption.id)
    assert load_study(full) == FULL


def test_a_name_that_was_taken_meanwhile_does_not_come_back_twice(store: Engine, attempt: Entry):
    delete(store, Kind.PAPER, 1, 1)
    add(store, Kind.PAPER, {"id": "p1", "title": "another"})
    with pytest.raises(InputError, match='the paper "p1" is there already'):
        undo(store, Kind.PAPER, 1)
    assert [paper.title for paper in load_study(store).papers] == ["another"]


def test_nothing_is_done_to_what_is_deleted(store: Engine, attempt: Entry):
    delete(store, Kind.PAPER, 1, 1)
    for work in (
        lambda: entry(store, Kind.PAPER, 1),
        lambda: change(store, Kind.ATTEMPT, attempt.id, attempt.version, {"people": "x"}),
        lambda: add(store, Kind.TIME, {"hours": "1"}, under=attempt.id),
        lambda: delete(store, Kind.PAPER, 1, 2),
    ):
        with pytest.raises(InputError, match="paper 1 was deleted"):
            work()
    with pytest.raises(InputError, match="is not deleted"):
        undo(store, Kind.ATTEMPT, attempt.id)


def test_the_study_cannot_be_deleted(store: Engine):
    with pytest.raises(InputError, match="a store without a study is none"):
        delete(store, Kind.STUDY, 1, 1)


def test_every_column_has_a_question_and_every_question_a_column():
    assert {Kind(kind): tuple(field.column for field in fields) for kind, fields in FIELDS.items()} == {
        kind: layout.columns for kind, layout in LAYOUTS.items()
    }
    assert FIELDS["discrepancy"][0].choices().keys() >= {"P1", "A15", "E15"}
    assert cells.DISCREPANCY[0] == "category"


# --- hours -----------------------------------------------------------------------------------------

NOON = datetime(2024, 5, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        *(("2h", "2"), ("1h30", "1.5"), ("1h 30m", "1.5"), ("90min", "1.5"), ("90m", "1.5"), ("1:30", "1.5")),
        *(("1.5", "1.5"), ("1.5h", "1.5"), ("2", "2"), ("20h", "20"), ("0:20", "0.33"), ("40 H", "40")),
    ],
)
def test_hours_are_read_as_people_write_them(said: str, hours: str):
    assert str(hours_in(said)) == hours


@pytest.mark.parametrize("said", ["", "h", "two", "-2h", "−1:30", "1:75", "99999999999h", "1h30h", "2 days", "nan"])
def test_what_is_no_time_is_told(said: str):
    with pytest.raises(InputError, match=r"is no time|is negative"):
        hours_in(said)


def test_a_timer_logs_what_it_counted(store: Engine, attempt: Entry):
    started = start_timer(store, attempt.id, "ada", "training", NOON)
    assert timers(store) == [started]
    assert (started.paper, started.attempt, started.ran(NOON + timedelta(hours=1))) == ("p1", "1", timedelta(hours=1))
    stop_timer(store, "ada", now=NOON + timedelta(hours=1, minutes=30))
    assert load_study(store).papers[0].attempts[0].log == (Spent(NOON.date(), Decimal("1.5"), "training", "ada"),)
    assert timers(store) == []
    assert hours_used(store, attempt.id) == (Decimal("1.5"), Decimal(40))


def test_a_timer_runs_on_when_its_process_is_gone(tmp_path: Path, store: Engine, attempt: Entry):
    import subprocess
    import sys

    from assay.reproduction.store.studies import open_store

    code = (
        "import os, sys; from assay.reproduction.store.studies import open_store\n"
        "from assay.reproduction.store.clock import start_timer\n"
        "start_timer(open_store(sys.argv[1]), 1, 'ada', 'training'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "study.db")], check=False)
    again = open_store(tmp_path / "study.db")
    [timer] = timers(again)
    assert (timer.person, timer.activity) == ("ada", "training")
    assert timedelta(0) <= timer.ran(datetime.now(UTC)) < timedelta(minutes=5)
    again.dispose()


def test_a_person_has_one_timer_and_others_their_own(store: Engine, attempt: Entry):
    start_timer(store, attempt.id, "ada", "reading", NOON)
    start_timer(store, attempt.id, "grace", "coding", NOON)
    with pytest.raises(InputError, match='the timer of ada runs already, for "reading"'):
        start_timer(store, attempt.id, "ada", "coding", NOON)
    assert cancel_timer(store, "ada").activity == "reading"
    with pytest.raises(InputError, match="no timer of ada runs"):
        stop_timer(store, "ada")
    assert [timer.person for timer in timers(store)] == ["grace"]


@pytest.mark.parametrize("later", [timedelta(days=3), timedelta(hours=-1)])
def test_a_timer_that_cannot_be_right_asks_for_the_hours(store: Engine, attempt: Entry, later: timedelta):
    start_timer(store, attempt.id, "ada", "training", NOON)
    with pytest.raises(InputError, match="Say how long you worked"):
        stop_timer(store, "ada", now=NOON + later)
    stop_timer(store, "ada", hours=Decimal(2), now=NOON + later)
    assert hours_used(store, attempt.id)[0] == 2


def test_the_day_of_an_entry_is_today_at_the_latest(store: Engine, attempt: Entry):
    add(store, Kind.TIME, {"day": str(local_day()), "hours": "1"}, under=attempt.id)
    with pytest.raises(InputError, match="in the future"):
        add(store, Kind.TIME, {"day": str(local_day() + timedelta(days=1)), "hours": "1"}, under=attempt.id)


def test_an_empty_paper_is_a_paper(store: Engine, attempt: Entry):
    assert load_study(store).papers == (Paper("p1", attempts=(Attempt("1", ("Ada", "Grace")),)),)


# --- protocols -------------------------------------------------------------------------------------


def planned(store: Engine) -> tuple[int, int]:
    """An attempt with one experiment: the numbers of both."""
    paper = add(store, Kind.PAPER, {"id": "planned"})
    attempt = add(store, Kind.ATTEMPT, {"budget": "20"}, under=paper.id)
    return attempt.id, add(store, Kind.EXPERIMENT, {"experiment": "MNIST"}, under=attempt.id).id


def test_a_protocol_fixes_the_budget_and_the_experiments_as_they_stand_today(store: Engine):
    attempt, _ = planned(store)
    made = add(store, Kind.PROTOCOL, {"margin": "0.01"}, under=attempt)
    assert made.cells == {"locked": str(local_day()), "budget": "20", "margin": "0.01", "experiments": "MNIST"}


def test_a_protocol_is_locked_by_the_first_result(store: Engine):
    attempt, experiment = planned(store)
    made = add(store, Kind.PROTOCOL, {}, under=attempt)
    add(store, Kind.RESULT, {"metric": "accuracy", "original": "0.9"}, under=experiment)
    made = change(store, Kind.PROTOCOL, made.id, made.version, {"margin": "0.01"})  # only an original number yet
    found = {"metric": "AUC", "original": "0.9", "reproduced": "0.8"}
    result = add(store, Kind.RESULT, found, under=experiment)
    with pytest.raises(InputError, match="locked"):
        change(store, Kind.PROTOCOL, made.id, made.version, {"margin": "0.2"})
    delete(store, Kind.RESULT, result.id, result.version)  # it was seen nevertheless
    with pytest.raises(InputError, match="locked"):
        change(store, Kind.PROTOCOL, made.id, made.version, {"margin": "0.2"})
    with pytest.raises(InputError, match="locked"):
        delete(store, Kind.PROTOCOL, made.id, made.version)
    assert entry(store, Kind.PROTOCOL, made.id).cells["margin"] == "0.01"


def test_no_protocol_is_written_after_the_first_result_and_no_attempt_has_two(store: Engine):
    attempt, experiment = planned(store)
    add(store, Kind.PROTOCOL, {}, under=attempt)
    with pytest.raises(InputError, match="has a protocol already"):
        add(store, Kind.PROTOCOL, {}, under=attempt)
    other = add(store, Kind.ATTEMPT, {}, under=entry(store, Kind.ATTEMPT, attempt).above)
    experiment = add(store, Kind.EXPERIMENT, {}, under=other.id).id
    add(store, Kind.RESULT, {"metric": "accuracy", "original": "0.9", "runs": "0.8; 0.7"}, under=experiment)
    with pytest.raises(InputError, match="locked"):
        add(store, Kind.PROTOCOL, {}, under=other.id)
