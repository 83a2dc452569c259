"""Sentences that give several scores of one decision: impossible ones are reported under their reading."""

import pytest

from assay.article.reading.markup import read_markdown
from assay.audit.paper_scores import check_scores
from assay.findings import Report


def report(text: str) -> Report:
    return check_scores(read_markdown(f"# A study\n\n## Results\n\n{text}\n", "p.md"))


@pytest.mark.parametrize(
    "text",
    [
        "On 49 positive and 80 negative slides, the accuracy was 0.455, the recall 0.450 and the specificity 0.557.",
        "Our model has a precision of 0.81, a recall of 0.79 and an F1 score of 0.85.",
    ],
)
def test_a_sentence_that_contradicts_itself_is_impossible_as_read(text: str) -> None:
    [finding] = report(text).findings
    assert finding.code == "S120"
    assert finding.location is not None
    assert finding.location.line == 5
    assert "table" not in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "On 49 positive and 80 negative slides, the accuracy was 0.853, the recall 0.816 and the specificity 0.875.",
        "Our model has a precision of 0.81, a recall of 0.79 and an F1 score of 0.80.",
        "Averaged over five folds, precision was 0.81, recall 0.79 and the F1 score 0.85.",
        "At a threshold of 0.3 the precision is 0.81 and the recall 0.79; at 0.5 the F1 score is 0.85.",
        "Jones et al. report a precision of 0.81, a recall of 0.79 and an F1 score of 0.85 in their work.",
        "Forest has a precision of 0.81 and a recall of 0.79, whereas the F1 score of Boosting is 0.85.",
        "The macro precision is 0.81, the recall of the rare class 0.79 and the F1 score 0.85.",
    ],
)
def test_true_sentences_and_those_about_several_things_are_left_alone(text: str) -> None:
    assert not report(text).findings


def test_a_sentence_that_is_possible_gives_its_matrix() -> None:
    text = "On 49 positive and 80 negative slides, the accuracy was 0.853, the recall 0.816 and the specificity 0.875."
    [judgement] = report(text).judgements
    assert "49 positives" in judgement.statement
