"""Certificates as files: an independent enumeration confirms what is impossible, and refuses what is not."""

import json
from itertools import product
from pathlib import Path

import pytest

from assay.cli import main
from assay.findings import Verdict
from assay.scores.certificate_checks import NotCoveredError, verify
from assay.scores.certificate_files import certificate_text
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.reading import read_words


@pytest.mark.parametrize(
    "words",
    [
        "p=100 n=200 acc=0.90 sens=0.80 spec=0.80",
        "p=8 n=12 folds=2 fold_model=stratified aggregation=mean acc=0.85 f1=0.91",
        "p=9 n=6 acc=0.93 ppv=0.5",
        "p=3 n=4 ppv=0.0 sens=0.5",
    ],
)
def test_a_certificate_is_confirmed_by_enumeration(words):
    result = check(read_words(words.split()))
    assert result.verdict is Verdict.INCONSISTENT
    outcomes = list(verify(certificate_text(result)))
    assert outcomes
    assert all(empty for _, empty, _ in outcomes)


def test_every_verdict_on_small_folds_agrees_with_the_enumeration():
    for accuracy, f1 in product(range(50, 100, 7), range(40, 100, 9)):
        words = f"p=4 n=5 folds=2 fold_model=stratified aggregation=mean acc=0.{accuracy} f1=0.{f1}"
        result = check(read_words(words.split()))
        if result.verdict is Verdict.INCONSISTENT:
            assert all(empty for _, empty, _ in verify(certificate_text(result)))


def test_a_certificate_that_is_wrong_is_found_out():
    result = check(read_words(["p=10", "n=20", "acc=0.95"]))
    document = json.loads(certificate_text(result))
    document["figures"][0]["at most"] = "29/30"
    ((_, empty, _),) = verify(json.dumps(document))
    assert not empty


def test_what_is_too_large_to_enumerate_is_not_confirmed():
    result = check(read_words(["p=100000", "n=200000", "acc=0.90", "sens=0.80", "spec=0.80"]))
    with pytest.raises(NotCoveredError):
        list(verify(certificate_text(result)))


def test_the_commands_write_and_verify(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["p=100", "n=200", "acc=0.90", "sens=0.80", "spec=0.80"]
    assert main(["scores", "check", *words, "--certificate", "c.json"]) == 1
    assert main(["scores", "verify", "c.json"]) == 0
    assert "verified" in capsys.readouterr().out
    assert main(["scores", "check", "p=10", "n=20", "acc=0.90", "--certificate", "d.json"]) == 2
    Path("e.json").write_text("[]", encoding="utf-8")
    assert main(["scores", "verify", "e.json"]) == 2


def test_a_part_that_is_left_out_of_a_mean_is_enumerated():
    """Without the positives of one set the mean sensitivity is that of the other, unless 0/0 counts as something."""
    sets = {"sets": [{"p": 4, "n": 3}, {"p": 0, "n": 5}], "aggregation": "mean", "scores": {"sens": "0.60"}}
    result = check(experiment_of(sets, where=""))
    document = json.loads(certificate_text(result))
    assert "left out" in document["figures"][0]["0/0 counts as"]
    assert all(empty for _, empty, _ in verify(json.dumps(document)))
    document["figures"][0] |= {"at least": "0.74", "at most": "0.76"}  # 3/4, the other set left out
    assert not all(empty for _, empty, _ in verify(json.dumps(document)))
    document["figures"][0]["0/0 counts as"] = ["0/1"]
    assert all(empty for _, empty, _ in verify(json.dumps(document)))
