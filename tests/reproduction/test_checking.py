"""The checks find in the shipped study what its authors printed wrongly, and reproduce what they printed rightly."""

from collections import defaultdict
from dataclasses import replace

import pytest

from assay.cli import main
from assay.errors import InputError
from assay.findings import Report, Severity, Verdict
from assay.reproduction.categories import categories, severities
from assay.reproduction.claims import Examined, Standing, examined, examined_claim
from assay.reproduction.folder import example_study, read_study, study_from_toml
from assay.reproduction.levels import Level, Naming, level_name, level_named
from assay.reproduction.rules import reproduction
from assay.reproduction.study import Claim, Study
from assay.reproduction.study_check import check_study
from assay.reproduction.summary import summarised
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
    assert found(report, "D101") == {("paper 17", "the stated outcome is Failure, but the rule gives Partial Success")}
    half = 'the claim "45.5 per cent succeeded at least in part" states 45.5, but by the rule it is 50.00'
    assert ("section 5.1.5", half) in found(report, "D113")
    assert len(found(report, "D113")) == 13


def test_the_score_of_paper_29_is_neither_in_range_nor_attainable(report: Report):
    assert {subject for subject, _ in found(report, "D105")} == {"paper 29"}
    assert {subject for subject, _ in found(report, "D106")} == {"paper 29"}


def test_time_is_no_reason_with_hours_left(report: Report):
    assert {subject for subject, _ in found(report, "D103")} == {"paper 19", "paper 20"}


def test_claims_of_the_text_are_held_against_the_matrices(report: Report):
    stated = "as the rule gives, but the outcomes that the study states give"
    assert found(report, "D112") == {
        ("section 5.3", 'the claim "every R1 attempt but one met P1" states 1, but the records give 2'),
        ("section 5.3", 'the claim "paper 6 made three assumptions A8" states 3, but the records give 0'),
        ("section 5.3", 'the claim "P10 is the only discrepancy of paper 14" states P10, but the records give A5, P10'),
        ("section 5.4", 'the claim "Success leads in partitioned-data" states yes, but the records give no value'),
        (
            "section 5.2",
            f'the claim "paper 17 is a Partial Success" states Partial Success, {stated} Failure',
        ),
        ("abstract", f'the claim "10 attempts were partially successful" states 10, {stated} 9'),
        (
            "section 4.2.3",
            (
                'the claim "hardware is the only difference in the attempt at paper 12" states E14, '
                "but the records give E14, E8"
            ),
        ),
        ("section 5.1.5", 'the claim "23 per cent of the reproductions were R1" states 23, but the records give 31.8'),
        (
            "section 5.1.5",
            'the claim "50 per cent of the reproductions were R2-D" states 50, but the records give 68.2',
        ),
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


def test_assuming_that_shared_weights_are_those_used_needs_no_problem(report: Report):
    """P12 says that they are not those used: the opposite of A10, and no source of it (section 4.2.2, paper 1)."""
    assert not [message for _, message in found(report, "D110") if message.startswith("A10 ")]


def test_the_figure_that_turns_round_with_one_outcome(report: Report):
    turned = 'the claim "the middle half of all discrepancies is larger for Failure than for Partial Success"'
    assert ("figure 4.7", f"{turned} states Failure, but by the rule it is Partial Success") in found(report, "D113")


def test_records_that_do_not_go_together(report: Report):
    assert {subject for subject, _ in found(report, "D116")} == {"paper 21"}
    assert {subject for subject, _ in found(report, "D118")} == {"paper 10"}
    sure = {f.subject for f in report.findings if f.code == "D117" and f.severity is Severity.WARNING}
    unsure = {f.subject for f in report.findings if f.code == "D117" and f.severity is Severity.NOTE}
    assert sure == {"paper 4", "paper 16", "paper 29"}
    assert unsure == {"paper 5", "paper 9", "paper 18"}


def test_errors_that_a_problem_opens_are_asked_for_where_results_differ(report: Report):
    asked = {(subject, message.split()[1]) for subject, message in found(report, "D119")}
    assert asked == {
        *(("paper 1", "P7"), ("paper 4", "P7"), ("paper 5", "P7")),
        *(("paper 9", "P13"), ("paper 18", "P18"), ("paper 22", "P8")),
    }


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("severity = 3", "every experiment was run"),
        ('severity = 1, effect = "-0.02", effect_on = "accuracy"', "its effect is -0.02"),
        ('because = "E9"', "which can only come after it"),
    ],
)
def test_weights_and_links_are_held_against_the_attempt(given: str, told: str):
    about = 'paper = "1", attempt = "1"'
    counts = "experiments = 2, identical = 1, consistent = 1, different = 0, not_run = 0"
    text = f"""
papers = [{{ id = "1" }}]
attempts = [{{ {about}, {counts} }}]
discrepancies = [{{ {about}, category = "P8", {given} }}, {{ {about}, category = "E9" }}]
"""
    messages = [f.message for f in check_study(study_from_toml(text)).findings if f.code in {"D120", "D121"}]
    assert len(messages) == 1
    assert told in messages[0]


def test_weights_and_links_of_the_thesis_hold(report: Report):
    assert not found(report, "D120") | found(report, "D121")


def test_all_reasons_of_the_thesis_go_with_its_counts(report: Report):
    assert not found(report, "D115")


BY_HAND = [
    ("D114", "paper 9", "the percentages sum to 99, which rounding explains"),
    ("D114", "paper 17", "the percentages sum to 101, which rounding explains"),
    ("D101", "paper 17", "the stated outcome is Failure, but the rule gives Partial Success"),
    ("D106", "paper 29", "the component implementation has the score 1.17, which no answers can produce"),
    ("D105", "paper 29", "the component implementation has the score 1.17, outside 0 to 1"),
    ("D112", "section 5.3", 'the claim "every R1 attempt but one met P1" states 1, but the records give 2'),
    ("D112", "section 5.3", 'the claim "paper 6 made three assumptions A8" states 3, but the records give 0'),
    (
        "D112",
        "section 5.3",
        'the claim "P10 is the only discrepancy of paper 14" states P10, but the records give A5, P10',
    ),
    *(("D109", f"paper {paper}", "P13 (") for paper in (15, 21)),
    *(("D110", f"paper {paper}", "E9 (") for paper in (1, 4)),
    ("D109", "paper 16", "P17 ("),
    ("D110", "paper 17", "E11 ("),
    *(("D109", f"paper {paper}", "P18 (") for paper in (11, 20)),
    *(("D110", f"paper {paper}", "A13 (") for paper in (6, 15)),
    ("D110", "paper 6", "E12 ("),
    *(("D110", f"paper {paper}", "E10 (") for paper in (8, 11)),
    *(("D110", f"paper {paper}", "A1 (") for paper in (12, 15, 21)),
    *(("D110", f"paper {paper}", "E7 (") for paper in (6, 17)),
    ("D103", "paper 19", 'the reason is "time", but 22 of 40 hours were used'),
    ("D103", "paper 20", 'the reason is "time", but 8 of 40 hours were used'),
    ("D108", "partitioning method", "from best to worst, the answers score 1, 0.5, 1: scores must decrease"),
    ("D112", "section 5.2", 'the claim "paper 17 is a Partial Success"'),
    ("D112", "section 5.4", 'the claim "Success leads in partitioned-data" states yes, but the records give no value'),
    ("D112", "abstract", 'the claim "10 attempts were partially successful" states 10'),
]
"""What a reader found by hand in the thesis' tables and text."""


@pytest.mark.parametrize(("code", "subject", "begins"), BY_HAND)
def test_what_was_found_by_hand_is_found(report: Report, code: str, subject: str, begins: str):
    assert any(s == subject and message.startswith(begins) for s, message in found(report, code))


def test_an_error_with_the_assumption_that_explains_it_is_not_called_broken(report: Report):
    """By hand E2 of papers 5 and 9 was listed too, but both hold A6, which section 4.2.3 names as its cause."""
    assert not [message for _, message in found(report, "D110") if message.startswith("E2 ")]


def test_every_example_that_the_categories_are_explained_by_is_in_the_matrices(report: Report):
    for claim in STUDY.claims:
        if " is the example of " in claim.says:
            assert examine(STUDY, claim).standing is Standing.HOLDS, claim


def test_a_study_that_says_nothing_wrong_is_clean():
    report = check_study(study_from_toml('papers = [{ id = "1" }]'))
    assert report.clean
    assert report.left_out == ("documentation of 1 paper: not assessed",)


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
        ("categories", (("paper", "1"), ("knid", "errors")), 'Did you mean "kind"?'),
        ("median gap", (("kind", "all"),), '"median gap" needs among=…'),
    ],
)
def test_a_claim_that_cannot_be_understood_is_told(measure: str, of: tuple[tuple[str, str], ...], told: str):
    with pytest.raises(InputError) as caught:
        examined_claim(STUDY, Claim("section 9", "", measure, of, "1"))
    assert told in str(caught.value)


def test_a_claim_with_a_value_that_is_no_number_is_told():
    with pytest.raises(InputError, match="is no number"):
        examined_claim(STUDY, Claim("section 9", "", "attempts", (), "many"))


@pytest.mark.parametrize(
    ("measure", "of", "value"),
    [
        ("percent of papers", (("level", "R1,R2-D"),), "73"),
        ("hours", (("person", "NN"),), "168"),
        ("reasons", (("level", "R1"),), "code, presentation, time"),
        ("met", (("paper", "18"), ("kind", "all")), "19"),
        ("largest group", (("level", "R1"),), "Partial Success"),
        ("same whiskers", (("kind", "errors"), ("among", "R1,R2-D")), "no"),
        ("widest", (("kind", "problems"), ("among", "R1,R2-D")), "R1"),
        ("leads", (("outcome", "No Result"), ("component", "metric")), "no"),
    ],
)
def test_more_can_be_counted_again(measure: str, of: tuple[tuple[str, str], ...], value: str):
    assert examine(STUDY, Claim("section 9", "", measure, of, value)).standing is Standing.HOLDS


def test_a_claim_about_what_is_not_recorded_is_left_undecided():
    claim = Claim("section 9", "", "percent", (("outcome", "Success"), ("level", "R2-M")), "10")
    assert examine(STUDY, claim).standing is Standing.UNKNOWN
    report = check_study(replace(STUDY, claims=(claim,)))
    assert report.left_out == ("section 9: percent: the records do not say",)
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
        assert all(known[code].kind == "E" and category.code in known[code].from_ for code in category.opens)
        for assumption in category.leads_to:
            assert category.code in known[assumption].from_


# --- at the command line ---------------------------------------------------------------------------


def test_the_example_can_be_written_and_checked(tmp_path, capsys):
    assert main(["study", "example", str(tmp_path / "thesis")]) == 0
    assert read_study(tmp_path / "thesis") == STUDY
    assert main(["study", "check", str(tmp_path / "thesis"), "--select", "D101"]) == 1
    out = capsys.readouterr().out
    assert "the stated outcome is Failure, but the rule gives Partial Success" in out
    assert "D105" not in out
    assert main(["study", "report", str(tmp_path / "thesis"), "--format", "csv"]) == 0


def test_the_example_never_overwrites(tmp_path, capsys):
    assert main(["study", "example", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err


def test_a_folder_that_is_no_study_is_an_input_error(tmp_path, capsys):
    assert main(["study", "check", str(tmp_path / "nowhere")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_bad_claim_is_reported_and_breaks_neither_check_nor_summary():
    bad = Claim("section 5", "half of them", "percentage", (("author", "Ada"),), "50")
    study = replace(example_study(), claims=(bad,))
    report = check_study(study)
    assert [f.subject for f in report.findings if f.code == "D122"] == ["section 5"]
    assert summarised(study).parts
