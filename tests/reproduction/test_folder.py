"""A study is a folder of tables that reads back exactly, and whose faults are told with file and line."""

from contextlib import suppress
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.reproduction.categories import categories
from assay.reproduction.folder import (
    example_study,
    read_study,
    study_files,
    study_from_files,
    study_from_toml,
    write_study,
)
from assay.reproduction.levels import Level, Naming
from assay.reproduction.outcomes import AttemptOutcome, Direction, Measured, Outcome
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

FULL = Study(
    title='A "study"',
    source="somebody, 2020",
    naming=Naming.ARTICLE,
    papers=(
        Paper(
            "p1",
            "Title, with a comma",
            2019,
            Level.CODE,
            (("research", "0.20"), ("data", "")),
            "0.20",
            (
                Attempt(
                    "1",
                    ("Ada", "Grace"),
                    Decimal("20.5"),
                    None,
                    date(2020, 1, 2),
                    date(2020, 1, 9),
                    "one GPU\nand a half",
                    (Reason.TIME, Reason.DATA),
                    AttemptOutcome.PARTIAL,
                    log=(
                        Spent(date(2020, 1, 2), Decimal("2.50"), "patch extraction"),
                        Spent(None, Decimal(3), person="Ada"),
                    ),
                    experiments=(
                        Experiment(
                            "e1",
                            "CNN",
                            "MNIST",
                            Status.RUN,
                            level=Level.DATA,
                            results=(
                                Result(
                                    "accuracy",
                                    Measured("0.8304", 0.01, 5),
                                    Measured("0.8323", None, None, 10000),
                                    (Measured("0.8224"), Measured("80%")),
                                    Direction.HIGHER,
                                    ("0.83", "0.84"),
                                    0.005,
                                ),
                            ),
                        ),
                        Experiment("e2", status=Status.NOT_RUN, reason=Reason.HARDWARE),
                    ),
                    discrepancies=(
                        Discrepancy("P13", 2, 3, note="two rates"),
                        Discrepancy(
                            "A11", 1, None, "-0.012", "accuracy", ("P13",), "rates", effect_source="rates.json: rate"
                        ),
                    ),
                    protocol=Protocol(date(2020, 1, 1), Decimal("20.5"), 0.01, ("e1", "e2")),
                    commit="0a1b2c",
                    hardware="two cores",
                    packages=("numpy==1.26.4", "torch==2.1"),
                    container="python:3.11",
                ),
                Attempt("2", counts=Counts(4, 1, 1, 1, 1)),
            ),
        ),
        Paper(
            "p2",
            doi="10.1000/1",
            authors=("Ada Lovelace", "Grace Hopper"),
            venue="Journal, of tables",
            type=PaperType.EXPERIMENTAL,
            affiliation=Affiliation.BOTH,
            rank=3,
            excluded="not empirical",
            degree="0.32",
            assessments=(Assessment("Ada", (("Problem", "1"), ("Goal", "")), date(2020, 1, 5)), Assessment("Al", ())),
        ),
    ),
    claims=(Claim("abstract", "two papers", "papers", (), "2"),),
    scales=(Scale("section 1", "training set", ("1", "0.5", "0")),),
    attainable=(("data", ("0", "5/6")),),
)


def test_every_fact_reads_back_as_it_was_written(tmp_path: Path):
    write_study(FULL, tmp_path / "study")
    assert read_study(tmp_path / "study") == FULL


def test_writing_twice_changes_no_byte(tmp_path: Path):
    write_study(FULL, tmp_path / "one")
    write_study(read_study(tmp_path / "one"), tmp_path / "two")
    assert [f.read_bytes() for f in sorted((tmp_path / "one").iterdir())] == [
        f.read_bytes() for f in sorted((tmp_path / "two").iterdir())
    ]


def test_a_fact_that_is_added_is_a_line_that_is_added(tmp_path: Path):
    write_study(FULL, tmp_path)
    before = (tmp_path / "discrepancies.csv").read_text().splitlines()
    paper = FULL.papers[0]
    more = replace(paper.attempts[0], discrepancies=(*paper.attempts[0].discrepancies, Discrepancy("E9")))
    write_study(replace(FULL, papers=(replace(paper, attempts=(more, paper.attempts[1])), FULL.papers[1])), tmp_path)
    after = (tmp_path / "discrepancies.csv").read_text().splitlines()
    assert [line for line in after if line not in before] == ["p1,1,E9,1,,,,,,,"]
    assert [line for line in before if line not in after] == []


words = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
names = words.map(str.strip).filter(lambda name: name and ";" not in name)
hours = st.decimals(0, 200, places=2)
discrepancies = st.builds(
    Discrepancy,
    category=st.sampled_from(sorted(categories())),
    instances=st.integers(1, 9),
    severity=st.none() | st.integers(0, 4),
    together=words,
    note=words,
)
attempts = st.builds(
    Attempt,
    id=names,
    people=st.lists(names, max_size=2).map(tuple),
    budget=hours,
    stated_hours=st.none() | hours,
    started=st.none() | st.dates(date(1990, 1, 1), date(2024, 1, 1)),
    environment=words,
    reasons=st.lists(st.sampled_from(Reason), max_size=2).map(tuple),
    stated_outcome=st.none() | st.sampled_from(AttemptOutcome),
    counts=st.none() | st.builds(Counts, *[st.integers(0, 99)] * 5),
    log=st.lists(st.builds(Spent, st.none(), hours, words), max_size=2).map(tuple),
    discrepancies=st.lists(discrepancies, max_size=3).map(tuple),
)
papers = st.builds(
    Paper,
    id=names,
    title=words,
    stated_level=st.none() | st.sampled_from(Level),
    attempts=st.lists(attempts, max_size=2, unique_by=lambda a: a.id).map(tuple),
)
studies = st.builds(
    Study,
    title=words,
    source=words,
    naming=st.sampled_from(Naming),
    papers=st.lists(papers, max_size=2, unique_by=lambda p: p.id).map(tuple),
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(studies)
def test_any_study_reads_back_exactly(study: Study):
    assert study_from_files(study_files(study)) == study


def test_a_study_that_would_not_read_back_is_not_written(tmp_path: Path):
    with pytest.raises(InputError, match="would not read back"):
        write_study(Study(papers=(Paper(" spaced "),)), tmp_path / "new")
    to_come = Study(papers=(Paper("1", attempts=(Attempt("1", started=date(9999, 1, 1)),)),))
    with pytest.raises(InputError, match="in the future"):
        write_study(to_come, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_writing_leaves_other_files_alone(tmp_path: Path):
    (tmp_path / "README.md").write_text("mine")
    write_study(FULL, tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"


# --- what is computed from the facts ---------------------------------------------------------------


def test_an_experiment_is_as_good_as_its_worst_result():
    [experiment, _] = FULL.papers[0].attempts[0].experiments
    assert experiment.outcome is Outcome.CONSISTENT
    different = Result("accuracy", Measured("0.83"), Measured("0.70"), (Measured("0.80"),))
    assert replace(experiment, results=(*experiment.results, different)).outcome is Outcome.DIFFERENT
    assert replace(experiment, results=()).outcome is Outcome.UNDECIDABLE


def test_an_attempt_is_counted_from_its_experiments_and_its_log():
    attempt = FULL.papers[0].attempts[0]
    assert attempt.tally == Counts(2, 0, 1, 0, 1)
    assert attempt.outcome is AttemptOutcome.PARTIAL
    assert attempt.hours == Decimal("5.50")


# --- faults ----------------------------------------------------------------------------------------

ATTEMPT = 'papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1" }]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'papers = [{ id = "1", level = "R4" }]',
            'papers 1: there is no level "R4". The levels of 2018 are R1, R2-D, R2-M, R3.',
        ),
        ('papers = [{ id = "1" }, { id = "1" }]', 'papers 2: "1" is there twice. It stands at papers 1 too.'),
        ('papers = [{ titel = "x" }]', 'papers: unknown column "titel". Did you mean "title"?'),
        ('papers = [{ title = "x" }]', 'papers 1: "id" is empty. Fill in the column id.'),
        ('attempts = [{ paper = "1", attempt = "1" }]', 'attempts 1: there is no paper "1". Add it to papers.csv.'),
        ('levels = "2020"', 'example: "levels" = \'2020\' is not known. Did you mean "2024"?'),
        ("title = 3", 'example: "title" = 3 should be text. Put it in quotes.'),
        ('titel = "x"', 'example: unknown key "titel". Did you mean "title"?'),
        ('[attainable]\ndata = ["x"]', "example: \"attainable.data\": 'x' is no fraction"),
        ('[attainable]\ndata = ["1/0"]', "is no fraction"),
        (ATTEMPT + 'log = [{ paper = "1", attempt = "1", hours = -2 }]', 'log 1: "hours" = -2 is negative'),
        (ATTEMPT + 'log = [{ paper = "1", attempt = "1", hours = "nan" }]', "is not a number"),
        (ATTEMPT + 'log = [{ paper = "1", attempt = "1", hours = "1e999999" }]', "is not a number"),
        (ATTEMPT + 'log = [{ paper = "1", attempt = "2", hours = 2 }]', 'log 1: there is no attempt "2" of paper "1"'),
        (
            ATTEMPT + 'discrepancies = [{ paper = "1", attempt = "1", category = "P21" }]',
            'discrepancies 1: there is no category "P21". Did you mean "P2',
        ),
        (ATTEMPT + 'discrepancies = [{ paper = "1", attempt = "1", category = "P1", severity = 5 }]', "off the scale"),
        (ATTEMPT + 'discrepancies = [{ paper = "1", attempt = "1", category = "P1", instances = 0 }]', "did not occur"),
        (
            ATTEMPT + 'discrepancies = [{ paper = "1", attempt = "1", category = "A11", because = "P13" }]',
            "of P13, which",
        ),
        (
            ATTEMPT + 'experiments = [{ paper = "1", attempt = "1", experiment = "e" }]\n'
            'results = [{ paper = "1", attempt = "1", experiment = "e", original = "0.9" }]',
            'results 1: "metric" is empty. Name what was measured, as in accuracy.',
        ),
        (
            ATTEMPT + 'experiments = [{ paper = "1", attempt = "1", experiment = "e" }]\n'
            'results = [{ paper = "1", attempt = "1", experiment = "e", metric = "acc", original = "high" }]',
            "results 1: \"original\" = 'high' is no number. Write the figure as printed",
        ),
        (
            ATTEMPT + 'results = [{ paper = "1", attempt = "1", experiment = "e", metric = "a", original = "1" }]',
            'results 1: there is no experiment "e" of paper "1"',
        ),
        (
            ATTEMPT
            + 'experiments = [{ paper = "1", attempt = "1", experiment = "e", status = "run", reason = "time" }]',
            "was run and has a reason why it was not",
        ),
        (
            'papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1", reasons = "tme" }]',
            'Did you mean "time"?',
        ),
        ('papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1", outcome = "Win" }]', "Known are: Success"),
        (
            'papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1", identical = 1 }]',
            '"experiments" is empty',
        ),
        ('papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1", started = "soon" }]', "is not a date"),
        (
            'papers = [{ id = "1" }]\nattempts = [{ paper = "1", attempt = "1", started = "9999-01-01" }]',
            "in the future",
        ),
        ('papers = [{ id = "1" }]\ncomponents = [{ paper = "1", data = "-0.5" }]', "is no score"),
        ('claims = [{ measure = "papers", of = "level", value = 1 }]', "has no value"),
        ('scales = [{ question = "q", scores = "1; none" }]', "is no number"),
    ],
)
def test_a_fault_is_told_with_its_place_and_a_way_out(text: str, told: str):
    with pytest.raises(InputError) as caught:
        study_from_toml(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "study.toml",
            'title = "a"\nsource = b\n',
            "study.toml: is broken TOML (Invalid value (at line 2, column 10))",
        ),
        ("study.toml", "a = " + "[" * 5000, "study.toml: is broken TOML (it is nested too deeply)"),
        ("papers.csv", "id,title\n1,a,b\n", "papers.csv:2: 3 cells for 2 columns"),
        ("papers.csv", 'id,title\n1,"a\n', "papers.csv:2: is broken CSV"),
        ("papers.csv", "id,id\n", 'papers.csv:1: column "id" is there twice'),
        ("papers.csv", "id,yeer\n", 'papers.csv:1: unknown column "yeer". Did you mean "year"?'),
        ("papers.csv", 'id,title\n1,"two\nlines"\n2,x\n,y\n', 'papers.csv:5: "id" is empty'),
        ("papers.csv", b"id\n\xff\n", "papers.csv:2: is not UTF-8 text"),
        ("log.csv", "paper,attempt,hours\n1,1,2\n", 'log.csv:2: there is no attempt "1" of paper "1"'),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, name: str, content: str | bytes, told: str):
    (tmp_path / "study.toml").write_text('title = "a"')
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_study(tmp_path)
    assert told in str(caught.value)


def test_a_folder_without_a_study_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="does not exist"):
        read_study(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"study\.toml: cannot be read"):
        read_study(tmp_path)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["papers", "attempts", "discrepancies", "components", "claims"]), st.text(max_size=100))
def test_no_text_whatever_breaks_the_reader(table: str, content: str):
    files = study_files(FULL)
    header = files[f"{table}.csv"].partition("\n")[0]
    with suppress(InputError):
        study_from_files(files | {f"{table}.csv": f"{header}\n{content}"})


def test_the_example_is_the_thesis():
    study = example_study()
    counts = [attempt.tally for _, attempt in study.attempts()]
    assert (len(study.papers), len(counts)) == (30, 22)
    assert sum(c.experiments for c in counts) == 345
    assert [sum(getattr(c, kind) for c in counts) for kind in ("identical", "consistent", "different")] == [27, 34, 58]
    assert sum(a.hours or 0 for _, a in study.attempts()) == 708
    kinds = [code[0] for _, a in study.attempts() for code in a.categories]
    assert [kinds.count(kind) for kind in "PAE"] == [69, 55, 56]
