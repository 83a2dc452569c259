"""``assay compare`` as a person meets it: reports in every format, findings, exit codes, pictures."""

import csv
import io
import json
import re

import numpy as np
import polars as pl
import pytest
from made_predictions import binormal

from assay.cli import main
from assay.comparison import compare_fold_scores, compare_models
from assay.comparison.results import Method
from assay.comparison.rules import comparison
from assay.report import Format, render
from assay.rules import all_rules

RULES = [rule for rule in all_rules() if rule.instrument is comparison]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def go(*arguments):
        code = main(["compare", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return go


@pytest.fixture
def predictions(tmp_path):
    y, scores = binormal(15, 40, {"new": 1.0, "old": 0.9, "odd name, with comma": 0.5}, seed=1)
    table = pl.DataFrame({"y": y.astype(int), **{name: 1 / (1 + np.exp(-s)) for name, s in scores.items()}})
    table.write_csv(tmp_path / "p.csv")
    return "p.csv"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_examples_of_the_rules_do_what_they_show(rule):
    fired = list(rule.check(comparison.read_example(rule.failing)))
    assert {f.code for f in fired} == {rule.code}
    assert all(f.evidence for f in fired)
    assert not list(rule.check(comparison.read_example(rule.passing)))


def test_there_are_rules():
    assert [rule.code for rule in RULES] == ["CX1", "CX2", "CX3", "CX4", "CX5", "CX6"]


def written(path, y, scores):
    pl.DataFrame({"y": y.astype(int), **scores}).write_csv(path)
    return path.name


def test_no_claim_and_no_disagreement_is_clean(run, tmp_path):
    many = written(tmp_path / "many.csv", *binormal(40, 60, {"new": 1.0, "old": 0.9}, seed=1))
    code, out, _ = run(many, "--measure", "auc", "--resamples", 100)
    assert code == 0
    assert "Difference in AUC: DeLong" in out
    assert "For the paper" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_claim_that_the_data_do_not_carry_is_a_finding(run, predictions):
    code, out, _ = run(predictions, "--measure", "auc", "--resamples", 0, "--claim", "new", "--one-sided")
    assert code == 1
    assert "CX1" in out
    assert "new against old" in " ".join(out.split())
    assert "assay compare p.csv --claim new --one-sided --measure auc --resamples 0" in " ".join(out.split())


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_every_format_renders(how, predictions, run):
    code, out, _ = run(predictions, "--claim", "new", "--resamples", 100, "--format", how.value)
    assert code == 1
    assert "CX1" in out
    if how is Format.JSON:
        assert "AUC" in json.dumps(json.loads(out)["tables"])
    if how is Format.HTML:
        assert out.count("<svg") == 4


def test_numbers_have_all_their_digits(run, predictions, tmp_path):
    assert run(predictions, "--resamples", 100, "--numbers", "all.csv")[0] in {0, 1}
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text())))
    [auc] = [r for r in rows if (r["model"], r["score"], r["method"], r["against"]) == ("new", "auc", "DeLong", "")]
    assert len(auc["value"]) > 8
    assert run(predictions, "--resamples", 100, "--numbers", "all.csv")[0] == 2


def test_folds_are_compared_by_tests_that_know_of_the_overlap(run, tmp_path):
    rng = np.random.default_rng(1)
    rows = [(r, f, 0.8 + rng.normal(0, 0.01), 0.79) for r in range(5) for f in range(2)]
    pl.DataFrame(rows, schema=["repeat", "fold", "new", "old"], orient="row").write_csv(tmp_path / "f.csv")
    code, out, _ = run("f.csv", "--fold", "fold", "--repeat", "repeat", "--measure", "auc")
    assert code in {0, 1}
    for words in ("corrected resampled t", "5x2cv paired t", "5x2cv combined F", "Over 5 x 2 folds, the AUC was"):
        assert words in " ".join(out.split())


def test_last_outcome_joins_the_models(run, tmp_path):
    rng = np.random.default_rng(2)
    units = np.repeat(np.arange(30), 6)
    y = np.repeat(rng.random(30) < 0.4, 6) ^ (rng.random(180) < 0.05)
    table = {"u": units, "t": np.tile(np.arange(6), 30), "y": y.astype(int), "m": rng.random(180)}
    pl.DataFrame(table).write_csv(tmp_path / "p.csv")
    code, out, _ = run("p.csv", "--group", "u", "--time", "t", "--last-outcome", "--resamples", 100)
    assert code == 1
    assert "CX3" in out
    assert "bootstrap resamples of groups" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.csv"], "cannot be read"),
        (["p.csv", "--y", "outcome"], 'no column "outcome"'),
        (["p.csv", "--threshold", "high"], "is no threshold"),
        (["p.csv", "--scores", "new,y"], "is the outcome, so it is no model"),
        (["p.csv", "--claim", "nwe"], 'Did you mean "new"'),
        (["p.csv", "p.csv", "--fold", "y"], "several tables of folds"),
        (["p.csv", "--correction", "bonferroni"], "correction"),
    ],
)
def test_bad_input_ends_with_2_and_a_reason(run, predictions, arguments, said):
    code, _, err = run(*arguments)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_thresholds_may_differ_by_model(run, predictions):
    words = ("--measure", "sens", "--resamples", 0, "--scores", "new,old")
    _, out, _ = run(predictions, *words, "--threshold", "0.0", "--threshold", "old=1.1")
    assert re.search(r"sensitivity +new +1\.000", out)
    assert re.search(r"sensitivity +old +0\.000", out)


def test_smoothing_can_turn_the_ranking_round_however_many_rows_there_are():
    """Positives of two kinds, most of them easy and some hopeless, make a curve that is not binormal."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [2000, 4000])
    negatives = rng.normal(size=4000)
    even = np.concatenate([rng.normal(1.15, 1, 2000), negatives])
    split = np.concatenate([rng.normal(2, 0.5, 1700), rng.normal(-2, 0.5, 300), negatives])
    found = compare_models(y, {"even": even, "split": split}, resamples=200, measures=("auc", "auc_smooth"))
    [empirical], [smoothed] = (found.between(name, Method.BOOTSTRAP) for name in ("auc", "auc_smooth"))
    assert empirical.value < -0.01
    assert empirical.p < 0.05
    assert smoothed.value > 0.01
    assert [f.code for f in found.report(figures=False).findings] == ["CX2"]


# --- in a notebook ---------------------------------------------------------------------------------


def test_a_comparison_shows_itself_in_words_and_in_html():
    y, scores = binormal(20, 30, {"a": 1.0, "<b>": 0.5}, seed=3)
    found = compare_models(y, scores, resamples=100)
    assert repr(found).startswith("On 50 rows (20 of them positive), the AUC was ")
    page = found._repr_html_()
    assert page.count("<svg") == 3
    assert "<b>" not in page.replace("<b>Advice", "")
    assert found.report(figures=False).figures == ()


def test_pictures_are_the_same_for_the_same_input_and_say_what_they_show():
    y, scores = binormal(20, 30, {f"model {i}": 1.0 - i / 10 for i in range(8)}, seed=4)
    first, again = (compare_models(y, scores, resamples=100, claim="model 7").report().figures for _ in range(2))
    assert first == again
    curves, forest, differences = first
    assert "model 7, model 0" in curves.alt
    assert "6 (of 8) models" in curves.title
    assert "model 3 0." in forest.alt
    assert "model 7 - model 0: " in differences.alt


def test_folds_have_a_picture_too():
    report = compare_fold_scores({"a": [0.8, 0.9, 0.7], "b": [0.6, 0.7, 0.6]}).report()
    forest, differences = report.figures
    assert forest.title.startswith("score of each model")
    assert "ticks are single folds" in differences.title
    assert "3 folds" in render(report, Format.TEXT)


def test_many_pairs_are_summed_up():
    y, scores = binormal(200, 200, {"good": 2.0, **{f"m{i}": 0.5 for i in range(5)}}, seed=5)
    told = repr(compare_models(y, scores, resamples=0))
    assert "5 of 15 differences were larger than chance explains: good against m0" in told
    assert "corrected for 15 comparisons by Holm" in told


def test_years_and_identifiers_are_no_models(run, tmp_path):
    y, scores = binormal(40, 60, {"new": 1.0, "old": 0.9}, seed=1)
    beside = {"year": 1990 + np.arange(100) % 20, "month": 1 + np.arange(100) % 12, "patient_id": np.arange(100) + 7}
    table = written(tmp_path / "beside.csv", y, scores | beside)
    _, out, _ = run(table, "--measure", "auc", "--resamples", 0, "-f", "json")
    report = json.loads(out)
    assert "year - " not in out
    assert sum("is no model: it is called" in text for text in report["left_out"]) == 3
    _, out, _ = run(table, "--measure", "auc", "--resamples", 0, "--scores", "new,year", "-f", "json")
    assert "0.500 (95 % CI" in out  # the year, taken for a model on demand


def test_a_reversed_score_is_asked_about(run, tmp_path):
    y, scores = binormal(40, 60, {"risk": 1.0}, seed=1)
    table = written(tmp_path / "turned.csv", y, {"safety": -scores["risk"]})
    _, out, _ = run(table, "--measure", "auc", "--resamples", 0)
    assert "CX5" in out
    assert "are its scores reversed?" in out
