"""The checks find in the shipped study what its authors printed wrongly, and reproduce what they printed rightly."""

from collections import defaultdict
from dataclasses import replace

import pytest

from assay.cli import main
from assay.errors import InputError
from assay.findings import Report, Severity, Verdict
from assay.reproduction.categories import categories, severities
from assay.reproduction.checking import check_study
from assay.reproduction.claims import Examined, Standing, examined
from assay.reproduction.folder import example_study, read_study, study_from_toml
from assay.reproduction.rules import reproduction
from assay.reproduction.study import Claim, Level, Naming, Study, level_name, level_named
from assay.reproduction.tables import report_study
from assay.rules import Rule, all_rules

STUDY = example_study()
RULES = [rule for rule in all_rules() if rule.instrument is reproduction]


@pytest.fixture(scope="module")
def report() -> Report:
    return check_study(STUDY)


def examine(study: Study, claim: Claim) -> Examined:
    [only] = examined(replace(study, claims=(claim,)))
    return only


def found(report: Report, code: str) -> set[tuple[str, str]]:
    return {(f.subject, f.message) for f in report.findings if f.code == code}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_failing_example_fails_and_the_passing_one_passes(rule: Rule):
    fired = list(rule.check(study_from_toml(rule.failing)))
    assert {f.code for f in fired} == {rule.code}
    assert all(f.message and f.evidence for f in fired)
    assert not list(rule.check(study_from_toml(rule.passing)))


# --- figures that are printed rightly --------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "statement"),
    [
        ("table 4.2", "110 of 110 claims follow from the records"),
        ("table 4.6", "3 of 3 claims follow from the records"),
        ("table 5.2", "4 of 4 claims follow from the records"),
        ("documentation", "30 of 30 metrics are the mean of their components"),
    ],
)
def test_printed_tables_are_reproduced(report: Report, place: str, statement: str):
    [judgement] = [j for j in report.judgements if j.subject == place]
    assert (judgement.verdict, judgement.statement) == (Verdict.CONSISTENT, statement)


def test_table_5_1_follows_from_the_outcomes_as_printed_but_not_from_the_rule(report: Report):
    [judgement] = [j for j in report.judgements if j.subject == "table 5.1"]
    assert judgement.verdict is Verdict.INCONSISTENT
    assert judgement.statement == "8 of 12 claims follow from the records, 4 more only with the outcomes as stated"


def test_a_changed_digit_in_any_printed_table_is_noticed():
    for claim in STUDY.claims:
        if claim.where in {"table 4.2", "table 4.6", "table 5.1"}:
            text = claim.value
            unit = 10 ** -len(text.partition(".")[2])
            wrong = replace(claim, value=f"{float(text) + 2 * unit:.{len(text.partition('.')[2])}f}")
            assert examine(STUDY, wrong).standing is Standing.FAILS, wrong


# --- what is wrong in print ------------------------------------------------------------------------


def test_paper_17_is_a_partial_success(report: Report):
    assert found(report, "D101") == {("paper 17", "stated as Failure, by the rule a Partial Success")}
    half = '"45.5 per cent succeeded at least in part" (45.5): by the rule it is 50.00'
    assert ("section 5.1.5", half) in found(report, "D113")
    assert len(found(report, "D113")) == 12


def test_the_score_of_paper_29_is_neither_in_range_nor_attainable(report: Report):
    assert {subject for subject, _ in found(report, "D105")} == {"paper 29"}
    assert {subject for subject, _ in found(report, "D106")} == {"paper 29"}


def test_time_is_no_reason_with_hours_left(report: Report):
    assert {subject for subject, _ in found(report, "D103")} == {"paper 19", "paper 20"}


def test_claims_of_the_text_are_held_against_the_matrices(report: Report):
    stated = "but with the outcomes that the study states"
    assert found(report, "D112") == {
        ("section 5.3", '"every R1 attempt but one met P1" (1): the records give 2'),
        ("section 5.3", '"paper 6 made three assumptions A8" (3): the records give 0'),
        ("section 5.3", '"P10 is the only discrepancy of paper 14" (P10): the records give A5, P10'),
        ("section 5.4", '"Success leads in partitioned-data" (yes): the records give no value'),
        (
            "section 5.2",
            f'"paper 17 is a Partial Success" (Partial Success): by the rule Partial Success, {stated} Failure',
        ),
        ("abstract", f'"10 attempts were partially successful" (10): by the rule 10, {stated} 9'),
    }


def test_the_scale_that_scores_nothing_like_everything(report: Report):
    assert {subject for subject, _ in found(report, "D108")} == {"partitioning method"}


def test_sums_off_by_rounding_are_only_noted(report: Report):
    noted = {(f.subject, f.severity) for f in report.findings if f.code == "D114"}
    assert noted == {("paper 9", Severity.NOTE), ("paper 17", Severity.NOTE)}


def test_broken_chains(report: Report):
    """The links found by hand, but for E2: papers 5 and 9 hold A6, which section 4.2.3 names as its cause."""
    chains = defaultdict(set)
    for code in ("D109", "D110"):
        for subject, message in found(report, code):
            chains[message.split()[0]].add(int(subject.split()[1]))
    assert chains == {
        "P13": {15, 21},
        "P17": {16},
        "P18": {11, 20},
        "A1": {12, 15, 21},
        "A4": {6},
        "A10": {1, 12, 22},
        "A13": {6, 15},
        "E3": {6, 18},
        "E4": {13},
        "E7": {6, 17},
        "E9": {1, 4},
        "E10": {8, 11},
        "E11": {17},
        "E12": {6},
        "E15": {10},
    }


def test_a_study_that_says_nothing_wrong_is_clean():
    report = check_study(study_from_toml('papers = [{ id = "1" }]'))
    assert report.clean
    assert report.left_out == ("documentation of 1 papers: not assessed",)


# --- tables ----------------------------------------------------------------------------------------


def table(title: str) -> list[tuple]:
    [found] = [t for t in report_study(STUDY).tables if t.title == title]
    return list(found.rows)


def test_table_5_1_is_that_of_the_rule():
    assert table("Outcomes") == [
        ("Success", 1, 4.55, 14.29, 0.0),
        ("Partial Success", 10, 45.45, 71.43, 33.33),
        ("Failure", 6, 27.27, 14.29, 33.33),
        ("No Result", 5, 22.73, 0.0, 33.33),
    ]


def test_table_4_6_comes_with_its_number_and_p_value():
    assert table("Rank correlations per attempt") == [
        ("problems", "assumptions", 17, 0.366, 0.1484),
        ("problems", "errors", 17, 0.737, 0.0007),
        ("assumptions", "errors", 17, 0.473, 0.0552),
    ]


def test_a_category_is_counted_by_level():
    assert ("P10", "implementation of the method missing or unclear", 12, 0, 12, 12) in table("Problems")


def test_the_tables_of_a_study_without_attempts_are_those_that_have_rows():
    empty = report_study(study_from_toml('papers = [{ id = "1" }]'))
    assert [t.title for t in empty.tables] == ["Papers"]


# --- claims ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "of", "told"),
    [
        ("atempts", (), 'there is no measure "atempts". Did you mean "attempts"?'),
        ("attempts", (("levle", "R1"),), '"attempts" knows no "levle". Did you mean "level"?'),
        ("percent", (), '"percent" needs outcome=…'),
        ("papers", (("outcome", "Success"),), '"papers" knows no "outcome"'),
        ("share", (("ended", "well"),), 'there is no "ended=well"'),
        ("correlation", (("between", "hours,luck"),), "is not understood"),
    ],
)
def test_a_claim_that_cannot_be_understood_is_told(measure: str, of: tuple[tuple[str, str], ...], told: str):
    with pytest.raises(InputError) as caught:
        examine(STUDY, Claim("section 9", "", measure, of, "1"))
    assert told in str(caught.value)
    assert caught.value.where == "claim in section 9"


def test_a_claim_with_a_value_that_is_no_number_is_told():
    with pytest.raises(InputError, match="is no number"):
        examine(STUDY, Claim("section 9", "", "attempts", (), "many"))


def test_a_claim_about_what_is_not_recorded_is_left_undecided():
    claim = Claim("section 9", "", "percent", (("outcome", "Success"), ("level", "R2-M")), "10")
    assert examine(STUDY, claim).standing is Standing.UNKNOWN
    report = check_study(replace(STUDY, claims=(claim,)))
    assert report.left_out == ("section 9: percent: the records do not hold it",)
    assert report.judgements[-1].verdict is Verdict.UNDECIDED


# --- levels and categories -------------------------------------------------------------------------


@pytest.mark.parametrize("naming", Naming)
def test_both_naming_schemes_name_every_level(naming: Naming):
    assert {level_named(level_name(level, naming), naming) for level in Level} == set(Level)


def test_the_schemes_count_in_opposite_directions():
    assert level_named("R1", Naming.THESIS) is Level.EXPERIMENT
    assert level_named("R1", Naming.ARTICLE) is Level.DESCRIPTION


def test_links_point_from_problems_to_assumptions_to_errors():
    known = categories()
    assert [len([c for c in known.values() if c.kind == kind]) for kind in "PAE"] == [20, 15, 15]
    assert len(severities()) == 5
    for category in known.values():
        assert all(known[code].kind == "A" for code in category.leads_to)
        assert all("PAE".index(known[code].kind) < "PAE".index(category.kind) for code in category.from_)
        for assumption in category.leads_to:
            assert category.code in known[assumption].from_


# --- at the command line ---------------------------------------------------------------------------


def test_the_example_can_be_written_and_checked(tmp_path, capsys):
    assert main(["study", "example", str(tmp_path / "thesis")]) == 0
    assert read_study(tmp_path / "thesis") == STUDY
    assert main(["study", "check", str(tmp_path / "thesis"), "--select", "D101"]) == 1
    out = capsys.readouterr().out
    assert "stated as Failure, by the rule a Partial Success" in out
    assert "D105" not in out
    assert main(["study", "report", str(tmp_path / "thesis"), "--format", "csv"]) == 0


def test_the_example_never_overwrites(tmp_path, capsys):
    assert main(["study", "example", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err


def test_a_folder_that_is_no_study_is_an_input_error(tmp_path, capsys):
    assert main(["study", "check", str(tmp_path / "nowhere")]) == 2
    assert "does not exist" in capsys.readouterr().err
