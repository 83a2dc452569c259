"""One flow: assessments, environments, measured effects and letters of a study."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from assay.article.assessment import assessment_form
from assay.cli import main
from assay.findings import Table
from assay.reproduction.assessors import agreements
from assay.reproduction.attempted import tried
from assay.reproduction.bibliography import papers_in
from assay.reproduction.component_effects import component_tables
from assay.reproduction.environment import commit_of, packages_in, packages_listed
from assay.reproduction.folder import example_study, study_from_toml
from assay.reproduction.levels import Level
from assay.reproduction.store.studies import load_study, open_store
from assay.reproduction.study import Assessment, Attempt, Discrepancy, Experiment, Paper, Spent, Study
from assay.reproduction.tables import report_study

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_STUDY", raising=False)

    def run(*words: str) -> tuple[int, str]:
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out + said.err

    run("study", "new")
    run("study", "add", "paper", "--id", "p1", "--title", "A paper")
    run("study", "add", "attempt", "--people", "Ada; Grace")
    return run


def stored() -> Study:
    engine = open_store("study.db")
    try:
        return load_study(engine)
    finally:
        engine.dispose()


def table(study: Study, title: str) -> Table:
    return next(t for t in report_study(study).tables if t.title.startswith(title))


# --- assessments -----------------------------------------------------------------------------------


def write_assessment(path: str, by: str, problem: int) -> None:
    form = assessment_form("A paper", ()).replace("by:      # who assesses", f"by: {by}")
    for part, value in (("problem", problem), ("goal", 1), ("hardware", 0)):
        form = form.replace(f"  {part}:\n    value:", f"  {part}:\n    value: {value}")
    lines = form.splitlines(keepends=True)
    Path(path).write_text("".join(lines))


def test_an_assessment_goes_into_the_study_with_its_components(assay: Run):
    write_assessment("ada.yaml", "Ada", 1)
    code, said = assay("study", "assess", "ada.yaml")
    assert (code, 'assessment of paper "p1" by Ada added: 3 sub-components' in said) == (0, True), said
    [paper] = stored().papers
    assert dict(paper.components)["research"] == "1.00"
    assert dict(paper.assessments[0].scores) == {"problem": "1", "goal": "1", "hardware": "0"}


def test_a_second_assessor_is_kept_beside_the_first_and_compared(assay: Run):
    write_assessment("ada.yaml", "Ada", 1)
    write_assessment("grace.yaml", "Grace", 0)
    assay("study", "assess", "ada.yaml")
    said = assay("study", "assess", "grace.yaml")[1]
    assert "the paper keeps the scores that it has" in said
    [found] = agreements(stored())
    assert (found.one, found.other, found.answers, found.equal) == ("Ada", "Grace", 3, 2)
    assert ("problem", 1, 0, 1.0) in table(stored(), "Questions on which assessors differ").rows


def test_an_assessor_assesses_a_paper_once(assay: Run):
    write_assessment("ada.yaml", "Ada", 1)
    assert assay("study", "assess", "ada.yaml")[0] == 0
    code, said = assay("study", "assess", "ada.yaml")
    assert (code, "Ada has assessed the paper already. Change it: assay study change assessment 1" in said) == (2, True)
    assert len(stored().papers[0].assessments) == 1


def test_a_protocol_sets_the_budget_and_names_experiments_as_people_do(assay: Run):
    planned = "rf on mnist; SVM; 3"
    assert assay("study", "add", "protocol", "--budget", "20", "--experiments", planned)[0] == 0
    for method in ("RF", "SVM", "CNN"):
        assay("study", "add", "experiment", "--method", method, "--data", "MNIST")
    assert stored().papers[0].attempts[0].budget == 20
    assert "D123" not in assay("study", "check", "study.db")[1]
    assay("study", "add", "experiment", "--method", "k-NN", "--data", "MNIST")
    assert "not planned: k-NN on MNIST" in " ".join(assay("study", "check", "study.db")[1].split())


def test_a_protocol_without_experiments_leaves_them_open(assay: Run):
    assay("study", "add", "protocol", "--margin", "0.01")
    assay("study", "add", "experiment", "--method", "RF")
    assert "D123" not in assay("study", "check", "study.db")[1]


def test_hours_are_logged_for_a_person_and_fit_into_a_day(assay: Run):
    code, said = assay("study", "log", "30h", "reading")
    assert (code, "more than a day has. Log each day with --day." in said) == (2, True)
    assert assay("study", "log", "2h", "reading")[0] == 0
    assert stored().papers[0].attempts[0].log[0].person


def test_what_nobody_confirmed_does_not_go_into_the_study(assay: Run):
    Path("paper.md").write_text("# Title\n\nThe aim of this paper is to improve accuracy.\n")
    assay("paper", "paper.md", "--assessment", "new.yaml")
    code, said = assay("study", "assess", "new.yaml", "--assessor", "Ada")
    assert (code, "nothing in it is confirmed by a person" in said) == (2, True)
    assert stored().papers[0].assessments == ()


def test_kappa_is_cohens_and_its_interval_leaves_out_one_paper_at_a_time():
    scores = [("1", "1"), ("1", "0"), ("0", "0"), ("0", "0"), ("1", "1")]
    papers = tuple(
        Paper(str(n), assessments=tuple(Assessment(who, (("q", pair[at]),)) for at, who in enumerate(("A", "B"))))
        for n, pair in enumerate(scores)
    )
    [found] = agreements(Study(papers=papers))
    # observed 4/5; by chance 3/5 * 2/5 + 2/5 * 3/5 = 12/25
    assert found.kappa == pytest.approx((0.8 - 0.48) / (1 - 0.48))
    assert found.interval is not None
    assert found.interval.low < found.kappa < found.interval.high


# --- environments ----------------------------------------------------------------------------------


def test_an_attempt_captures_commit_packages_and_hardware(assay: Run, tmp_path: Path):
    code = tmp_path / "code"
    (code / ".git" / "refs" / "heads").mkdir(parents=True)
    (code / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (code / ".git" / "packed-refs").write_text(f"# pack-refs\n{'0a' * 20} refs/heads/main\n")
    Path("freeze.txt").write_text("# by pip\nnumpy==1.26.4\n-e git+https://x/y\ntorch==2.1  # cpu\n")
    assert assay("study", "capture", "--code", "code", "--packages", "freeze.txt", "--container", "img:1")[0] == 0
    attempt = stored().papers[0].attempts[0]
    assert (attempt.commit, attempt.packages, attempt.container) == (
        "0a" * 20,
        ("numpy==1.26.4", "git+https://x/y", "torch==2.1"),
        "img:1",
    )
    assert "cores" in attempt.hardware


def test_a_folder_that_is_no_work_tree_is_refused_when_it_is_named(assay: Run):
    Path("plain").mkdir()
    code, said = assay("study", "capture", "--code", "plain")
    assert (code, "is no work tree of git" in said) == (2, True)


def test_packages_are_those_of_the_environment(tmp_path: Path):
    made = tmp_path / "env" / "lib" / "python3.11" / "site-packages" / "numpy-1.26.4.dist-info"
    made.mkdir(parents=True)
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n")
    assert packages_in(tmp_path / "env") == ("numpy==1.26.4",)
    assert any(line.lower().startswith("sqlalchemy==") for line in packages_in(None))
    assert packages_listed('a==1; python_version < "3"\n', "f") == ('a==1, python_version < "3"',)


def test_a_detached_head_is_the_commit_itself(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ab" * 20 + "\n")
    (tmp_path / "inner").mkdir()
    assert commit_of(tmp_path / "inner") == "ab" * 20


# --- papers ----------------------------------------------------------------------------------------

BIB = """
@comment{nothing}
@article{lecun98, title={Gradient-based {Learning}}, author={LeCun, Yann and L{\\'e}on Bottou}, year=1998,
  journal="Proceedings, of the IEEE", doi={10.1109/5.726791}}
@inproceedings{other, title="Another", booktitle={NIPS}, date={2012-05-01}}
"""


def test_a_bibliography_becomes_papers(assay: Run):
    Path("refs.bib").write_text(BIB)
    assert assay("study", "add", "papers", "refs.bib")[0] == 0
    _, first, second = stored().papers
    assert (first.title, first.year, first.doi) == ("Gradient-based Learning", 1998, "10.1109/5.726791")
    assert (first.authors, first.venue) == (("Yann LeCun", "Léon Bottou"), "Proceedings, of the IEEE")
    assert (second.id, second.year, second.venue) == ("other", 2012, "NIPS")
    assert assay("study", "add", "papers", "refs.bib")[0] == 2
    assert len(stored().papers) == 3


@pytest.mark.parametrize("text", ["", "# nothing\n", "@article{a, title = {A}}\n", "Dear all,\n"])
def test_a_file_that_lists_no_packages_is_refused(assay: Run, text: str):
    Path("freeze.txt").write_text(text)
    code, said = assay("study", "capture", "--packages", "freeze.txt")
    assert (code, "freeze.txt: lists " in said) == (2, True)


def test_a_doi_is_checked_when_it_is_entered(assay: Run):
    code, said = assay("study", "add", "paper", "--id", "p2", "--doi", "hello")
    assert (code, "is no DOI. Write it as 10." in said) == (2, True)
    assert assay("study", "add", "paper", "--id", "p2", "--doi", "https://doi.org/10.1109/5.726791")[0] == 0


def test_accents_of_latex_stay_on_their_letters():
    authors = r"M{\o}lna, A and Erd{\H{o}}s and \v{S}ar\'{i}n and H\"uber"
    entry = rf"@article{{a, title={{{{\'E}}cole \& \cite{{x}}}}, author={{{authors}}}}}"
    [paper] = papers_in(entry, "x.bib")
    assert (paper["title"], paper["authors"]) == ("École & x", "A Mølna; Erdős; Šarín; Hüber")


def test_broken_bibtex_is_read_as_far_as_it_goes():
    assert papers_in("@article{a, title={Open", "x")[0]["id"] == "a"


def test_excluded_papers_are_listed_with_their_reason_and_counted_nowhere_else():
    study = study_from_toml(
        """
papers = [{ id = "1", rank = 2 }, { id = "2", rank = 1, excluded = "not empirical" }]
claims = [{ where = "text", measure = "papers", value = 1 }]
"""
    )
    assert table(study, "Selection").rows[0] == (1, "2", None, None, "not empirical")
    assert [row[0] for row in table(study, "Papers").rows] == ["1"]


def test_the_level_of_a_paper_is_that_of_its_best_experiment():
    levels = (Level.DESCRIPTION, Level.DATA, Level.CODE)
    experiments = tuple(Experiment(str(n), level=level) for n, level in enumerate(levels))
    assert Paper("1", attempts=(Attempt("1", experiments=experiments),)).level is Level.DATA


# --- tables ----------------------------------------------------------------------------------------


def test_hours_count_for_the_person_who_worked_and_only_once():
    log = (Spent(None, Decimal(2), person="Ada"), Spent(None, Decimal("2.5")))
    study = Study(papers=(Paper("1", attempts=(Attempt("1", ("Ada", "Grace"), log=log),)),))
    assert table(study, "Work by person").rows == (
        ("Ada", 1, 0, 2.0),
        ("Grace", 1, 0, None),
        ("not attributed", None, None, 2.5),
    )


def test_tables_of_categories_show_severity_and_effect_where_they_are_known():
    found = (Discrepancy("P13", severity=2), Discrepancy("P13", severity=3, effect="-0.05", effect_on="accuracy"))
    study = Study(papers=(Paper("1", attempts=(Attempt("1", discrepancies=found),)),))
    problems = table(study, "Problems")
    row = next(row for row in problems.rows if row[0] == "P13")
    assert dict(zip(problems.columns, row, strict=True))["worst"] == "3: blocks an experiment"
    assert row[-1] == "-0.05 on accuracy"
    titles = [figure.title for figure in report_study(study, figures=True).figures]
    assert "Discrepancies by severity" in titles


def test_the_metric_of_gundersen_and_kjensmo_is_a_column_of_table_5_2():
    degrees = ("0.10", "0.30", "0.50")
    papers = tuple(
        replace(paper, degree=degree) for paper, degree in zip(example_study().papers, degrees, strict=False)
    )
    made = table(Study(papers=papers), "Documentation by outcome")
    assert made.columns[-1] == "Gundersen & Kjensmo"
    assert "Gundersen & Kjensmo" not in table(example_study(), "Documentation by outcome").columns


def test_single_components_and_pairs_are_set_against_the_outcome_with_intervals():
    singles, pairs = component_tables(tried(example_study()))
    assert (len(singles.rows), len(pairs.rows)) == (11, 42)  # the product of the other 13 pairs does not vary
    for row in (*singles.rows, *pairs.rows):
        _, _, value, low, high, p, adjusted = row
        assert low <= value <= high
        assert p <= adjusted
    # after correction nothing in 22 attempts stands out, and the report must not pretend it does
    assert min(row[-1] for row in pairs.rows) > 0.05


# --- letters ---------------------------------------------------------------------------------------


def test_a_letter_says_what_went_well_and_what_was_missing(assay: Run):
    Path("t.csv").write_text("method,data,accuracy,accuracy_reproduced\nCNN,MNIST,0.93,0.93\nSVM,MNIST,0.90,0.80\n")
    assay("study", "add", "results", "t.csv", "--paper", "p1")
    assay("study", "add", "discrepancy", "--category", "P13", "--severity", "2", "--note", "no learning rate")
    code, said = assay("study", "letter", "study.db", "p1")
    assert code == 0
    well, missing = said.index("## What went well"), said.index("## What was missing or unclear")
    assert well < said.index("CNN on MNIST") < missing < said.index("no learning rate")
    assert "SVM on MNIST, accuracy: you report 0.90, we obtained 0.80." in said
    assert said.rstrip().endswith("Ada, Grace")


# --- measured effects --------------------------------------------------------------------------------

PIPELINE = """
import json, sys, tomllib
rate = tomllib.load(open(sys.argv[1], "rb"))["rate"]
print(json.dumps({"accuracy": 0.9 - rate + 0.001 * int(sys.argv[2])}))
"""
PLAN = """
base = "config.toml"
command = ["{python}", "-IS", "pipeline.py", "{config}", "{seed}"]
seeds = 3
[[item]]
label = "rate"
key = "rate"
values = [0.2]
"""


def test_a_discrepancy_is_linked_to_the_effect_that_was_measured(assay: Run):
    Path("config.toml").write_text("rate = 0.1\n")
    Path("pipeline.py").write_text(PIPELINE)
    Path("plan.toml").write_text(PLAN)
    assay("study", "add", "discrepancy", "--category", "P13")
    code, said = assay("study", "effect", "1", "plan.toml")
    assert (code, "holds no finished run of this plan" in said) == (2, True)
    assay("ablate", "plan.toml", "--workers", "1")
    assert assay("study", "effect", "1", "plan.toml", "--item", "rat")[0] == 2
    assert assay("study", "effect", "1", "plan.toml")[0] == 0
    [made] = stored().papers[0].attempts[0].discrepancies
    assert (float(made.effect), made.effect_on) == (pytest.approx(-0.1), "accuracy")
    assert made.effect_source.startswith("plan.toml: rate: 0.2, 3 seeds, 95 % interval")
