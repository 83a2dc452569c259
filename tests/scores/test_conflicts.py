"""The sentence that states a conflict: full score names, printed values, and the test set in words."""

import pytest

from assay.scores import check_scores
from assay.scores.conflicts import class_counts, conflict_sentence, score_phrase
from assay.scores.definitions import COMPLEMENTS, SCORES
from assay.scores.rules import scores


def message(**described: object) -> str:
    [finding] = scores.run(check_scores(**described))
    return finding.message


@pytest.mark.parametrize(
    ("described", "sentence"),
    [
        ({"p": 284, "n": 1016, "sens": "0.931"}, "A sensitivity of 0.931 is impossible with 284 positives."),
        ({"p": 284, "n": 7, "spec": "0.5"}, "A specificity of 0.5 is impossible with 7 negatives."),
        (
            {"p": 100, "n": 200, "acc": "0.90", "sens": "0.80", "spec": "0.80"},
            "An accuracy of 0.90 and a specificity of 0.80 cannot both be true with 100 positives and 200 negatives.",
        ),
        (
            {"ppv": "0.91", "sens": "0.89", "f1": "0.95"},
            "A sensitivity of 0.89 and an F1 score of 0.95 cannot both be true for any test set, pooled or averaged.",
        ),
        (
            {"p": 50, "n": 50, "folds": 5, "fold_model": "stratified", "aggregation": "mean", "sens": "0.911"},
            "A sensitivity of 0.911 is impossible as the mean over 5 stratified folds (scikit-learn 0.22 or later).",
        ),
        (
            {"classes": [50, 50, 50], "acc": "0.9400", "recall_macro": "0.9467"},
            (
                "An accuracy of 0.9400 and a macro-averaged recall of 0.9467 cannot both be true "
                "for one test set of 3 classes with 50, 50 and 50 items."
            ),
        ),
    ],
)
def test_the_finding_names_scores_values_and_test_set(described: dict[str, object], sentence: str):
    assert message(**described) == sentence


def test_readings_that_fail_by_different_scores_name_them_all():
    # Pooled, the accuracy alone is impossible; as means over folds it takes the sensitivity too.
    said = message(p=38, n=262, folds=5, acc="0.9447", sens="0.9139", spec="0.9733")
    assert said == (
        "An accuracy of 0.9447 and a sensitivity of 0.9139 cannot both be true "
        "with 38 positives and 262 negatives, under any of 4 readings of the experiment."
    )


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("er", "an error rate of 0.9"),
        ("recall", "a recall of 0.9"),
        ("TPR", "a sensitivity of 0.9"),
        ("F2", "an F2 of 0.9"),
        ("fm", "a Fowlkes-Mallows index of 0.9"),
        ("r2", "an R² of 0.9"),
        ("f1[setosa]", "an F1 score for class setosa of 0.9"),
    ],
)
def test_a_name_is_written_out_with_its_article(name: str, phrase: str):
    assert score_phrase(name, "0.9") == phrase


@pytest.mark.parametrize(("short", "label"), [(short, label) for short, (_, label, _) in COMPLEMENTS.items()])
def test_a_complement_is_never_called_by_the_score_it_completes(short: str, label: str):
    base, _, synonyms = COMPLEMENTS[short]
    phrases = [score_phrase(name, "0.1") for name in (short, *synonyms)]
    assert phrases[0].endswith(f" {label} of 0.1")
    assert not any(SCORES[base].label == phrase.split(maxsplit=1)[1].removesuffix(" of 0.1") for phrase in phrases)


def test_counts_are_named_as_counts():
    said = conflict_sentence([("acc", "0.927"), ("tp", "30")], class_counts(40, 70, ["acc", "tp"]))
    assert said == (
        "An accuracy of 0.927 and 30 true positives cannot both be true with 40 positives and 70 negatives."
    )
    assert conflict_sentence([("tp", "41")], class_counts(40, 70, ["tp"])) == (
        "41 true positives are impossible with 40 positives."
    )
