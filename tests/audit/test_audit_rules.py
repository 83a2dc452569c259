"""The cross-checks fire on their own examples and stay silent where two pieces need not agree."""

import pytest

from assay.audit.examples import crossing_of
from assay.audit.facts import Crossing
from assay.audit.questions import question_for
from assay.audit.rules import crossing
from assay.audit.rules.numbers import _RESULT, _TEST_TABLE, _TRAIN_TABLE
from assay.audit.sizes import differs
from assay.findings import Confidence, Finding
from assay.rules import Rule, all_rules, get_rule

RULES = [rule for rule in all_rules() if rule.instrument is crossing]


def found(text: str) -> list[Finding]:
    return crossing.run(crossing_of(text))


def test_there_are_eleven_of_them() -> None:
    assert [rule.code for rule in RULES] == [f"X{number}" for number in range(201, 212)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_finds_its_failing_example_and_nothing_in_the_passing_one(rule: Rule[Crossing]) -> None:
    assert rule.code in {f.code for f in found(rule.failing)}
    assert rule.code not in {f.code for f in found(rule.passing)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_no_rule_about_words_claims_to_be_proof(rule: Rule[Crossing]) -> None:
    for finding in found(rule.failing):
        assert finding.confidence is not Confidence.PROVEN
        assert finding.evidence


def test_nothing_is_crossed_where_there_is_nothing() -> None:
    assert crossing.run(Crossing()) == []


def test_a_row_about_another_set_is_not_held_against_the_test_table() -> None:
    paper = _RESULT.format("0.937").replace("DeepThing", "DeepThing, external cohort")
    assert found(paper + _TRAIN_TABLE + _TEST_TABLE) == []


def test_sizes_are_not_told_when_one_row_has_those_of_the_table() -> None:
    both = "p = 4\nn = 16\nscores = { acc = '0.9', sens = '0.75' }\n"
    facts = crossing_of(f"==> scores.toml <==\n{both}{_TRAIN_TABLE}{_TEST_TABLE}")
    other = crossing_of("==> scores.toml <==\np = 40\nn = 160\nscores = { acc = '0.9', sens = '0.75' }\n")
    assert crossing.run(facts | other) == []
    assert [f.code for f in crossing.run(other | Crossing(tables=facts.tables))] == ["X202"]


def test_folds_are_not_told_when_the_code_hides_their_number() -> None:
    text = get_rule("X203").failing.replace("n_splits=10", "n_splits=options.folds")
    assert "X203" not in {f.code for f in found(text.replace("KFold", "cross_val_score"))}


@pytest.mark.parametrize(
    ("code", "stated", "other"),
    [
        ("X203", "We used 5-fold cross-validation.", "Earlier, we used 10-fold cross-validation."),
        ("X204", "We kept aside 30 % of the images for testing.", "Later, 20 % of the images were used for testing."),
    ],
)
def test_a_second_number_that_the_code_has_leaves_the_first_to_another_experiment(
    code: str, stated: str, other: str
) -> None:
    text = get_rule(code).failing
    assert stated in text
    assert code not in {f.code for f in found(text.replace(stated, f"{stated} {other}"))}


def test_one_stratified_split_among_several_keeps_the_promise() -> None:
    text = get_rule("X206").failing + "again = train_test_split(images, stratify=labels)\n"
    assert "X206" not in {f.code for f in found(text)}


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("0.95", "0.95", False),
        ("0.95", "95%", False),
        ("0.95", "0.949", False),
        ("0.95", "94.6", False),
        ("0.95", "0.93", True),
        ("0.950 ± 0.01", "0.95", False),
        ("0.9501", "0.9472", True),
        ("high", "0.9", False),
    ],
)
def test_figures_differ_when_rounding_does_not_explain_it(one: str, other: str, different: bool) -> None:
    assert differs(one, other) is different
    assert differs(other, one) is different


@pytest.mark.parametrize("code", ["S120", "S121", "S122", "S123", "S124"])
def test_every_finding_about_printed_scores_has_a_question_for_the_authors(code: str) -> None:
    finding = get_rule(code).finding("the printed acc is 0.934", subject="Final")
    assert question_for(finding).endswith("?")
    assert "the printed acc is 0.934" in question_for(finding)


SPLITS = """==> paper.md <==
# Method

{}
==> train.py <==
import argparse
from sklearn.model_selection import KFold, train_test_split
options = argparse.ArgumentParser().parse_args()
{}
"""


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("We used ten-fold cross-validation.", "KFold(n_splits=options.folds)\ntrain_test_split(rows, test_size=0.2)"),
        ("10% of the rows were held out for testing.", "KFold(n_splits=10)\ntrain_test_split(rows, test_size=0.3)"),
        ("10% of the rows were held out for testing.", "KFold(options.folds)\ntrain_test_split(rows, test_size=0.3)"),
        (
            "15% of the rows were held out for testing.",
            "a, b = train_test_split(rows, test_size=0.3)\nb, c = train_test_split(b, test_size=0.5)",
        ),
    ],
)
def test_a_division_that_may_be_the_stated_one_is_no_contradiction(sentence: str, code: str) -> None:
    facts = crossing_of(SPLITS.format(sentence, code))
    assert facts.claims
    assert not {"X203", "X204"} & {finding.code for finding in crossing.run(facts)}
