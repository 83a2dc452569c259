"""Columns that tell the outcome too well are found; chance and honest signal are not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_splits import cut, honest, split_from, table_from

from assay.findings import Confidence, Severity
from assay.leakage.data.proxies import proxies


def with_column(make, rows=600, name="extra"):
    whole = honest(rows)
    whole[name] = make(whole["y"], np.random.default_rng(9))
    return cut(whole)


def subjects(outcome):
    return {f.subject for f in outcome.findings}


def test_honest_features_raise_nothing():
    assert not proxies(split_from(*cut(honest(600)))).findings
    assert not proxies(table_from(honest(600))).findings


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda y, draw: y, "is the target itself"),
        (lambda y, draw: 5 - 3 * y, "is the target under other labels"),
        (lambda y, draw: np.where(y == 1, "ill", "well"), "is the target under other labels"),
        (lambda y, draw: 10 * y + draw.integers(0, 5, len(y)), "determines the target"),
    ],
)
def test_copies_of_the_target_are_called_so(make, said):
    [finding] = proxies(split_from(*with_column(make))).findings
    assert finding.code == "L2"
    assert said in finding.message
    assert finding.confidence is Confidence.HIGH


def test_a_monotone_copy_of_a_number_is_found():
    whole = honest(600)
    whole["y"] = np.round(np.random.default_rng(0).gamma(2, 10, 600), 3)
    whole["log_y"] = np.log1p(whole["y"])
    [finding] = proxies(split_from(*cut(whole))).findings
    assert "monotone copy" in finding.message


def test_a_noisy_proxy_is_found_with_its_area():
    split = split_from(*with_column(lambda y, draw: np.where(draw.random(len(y)) < 0.01, 1 - y, y) * 1.0, 2000))
    [finding] = proxies(split).findings
    assert finding.subject == "extra"
    assert finding.severity is Severity.ERROR
    assert "agrees with it in 9" in finding.message


def test_a_strong_measurement_among_others_is_a_note():
    """As the size of a diamond and its price: it predicts well, and so does what goes with it."""
    draw = np.random.default_rng(0)
    carat = draw.gamma(3, 0.3, 900)
    sizes = {name: carat ** (1 / 3) * (1 + 0.01 * draw.normal(size=900)) for name in ("x_mm", "y_mm", "z_mm")}
    price = 4000 * carat**1.5 * np.exp(0.1 * draw.normal(size=900))
    for outcome in (price, (price > np.median(price)).astype(int)):
        findings = proxies(split_from(*cut(honest(900) | sizes | {"carat": carat, "y": outcome}))).findings
        assert {f.severity for f in findings} <= {Severity.NOTE}


def test_a_proxy_of_a_number_is_found():
    draw = np.random.default_rng(0)
    whole = honest(600) | {"y": draw.normal(size=600)}
    whole["settled"] = 3 * whole["y"] + 0.3 * draw.normal(size=600)  # a correlation of 0.995
    [finding] = [f for f in proxies(split_from(*cut(whole))).findings if f.severity is not Severity.NOTE]
    assert finding.subject == "settled"


def test_the_unit_of_a_row_does_not_determine_its_outcome():
    unit = np.repeat(np.arange(60), 10)
    whole = honest(600) | {"site": unit + 100, "y": unit % 2}
    order = np.random.default_rng(0).permutation(600)
    split = split_from(*cut({k: v[order] for k, v in whole.items()}))
    assert not [f for f in proxies(split).findings if f.severity is Severity.ERROR]


def test_gaps_that_tell_the_outcome_are_found():
    split = split_from(
        *with_column(lambda y, draw: np.where(draw.random(len(y)) < 0.1 + 0.7 * y, np.nan, draw.normal(size=len(y))))
    )
    assert any("is missing predicts the outcome" in f.message for f in proxies(split).findings)


def test_columns_that_are_missing_together_are_one_finding():
    whole = honest(800)
    gap = np.random.default_rng(1).random(800) < 0.1 + 0.8 * whole["y"]
    for name in ("a", "b", "c"):
        whole[name] = np.where(gap, np.nan, np.random.default_rng(2).normal(size=800))
    [finding] = [f for f in proxies(split_from(*cut(whole))).findings if "missing" in f.message]
    assert '"a", "b", "c" are missing' in finding.message
    assert finding.severity is Severity.WARNING


def test_gaps_that_a_feature_explains_are_a_note():
    """Changes from year to year are missing in the first year, and the outcome rises with the years."""
    draw = np.random.default_rng(0)
    year = np.tile([1980, 1990], 400)
    whole = {"year": year, "x": draw.normal(size=800), "y": 100 * (year - 1980) + draw.normal(0, 300, 800)}
    whole["change"] = np.where(year == 1980, np.nan, draw.normal(size=800))
    findings = [f for f in proxies(split_from(*cut(whole))).findings if "missing" in f.message]
    assert [f.severity for f in findings] == [Severity.NOTE]


def test_rows_sorted_by_outcome_are_noted():
    whole = honest(600)
    order = np.argsort(whole["y"], kind="stable")
    [finding] = proxies(table_from({k: v[order] for k, v in whole.items()})).findings
    assert finding.subject == "row order"
    assert finding.severity is Severity.NOTE


def test_two_columns_that_tell_together_what_neither_tells_alone_are_found():
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 2, 4000), draw.integers(0, 2, 4000)
    whole = honest(4000) | {"a": a, "b": b, "y": a ^ b}
    found = [f for f in proxies(split_from(*cut(whole))).findings if f.subject in {"a, b", "b, a"}]
    assert len(found) == 1


def test_several_classes_are_judged_one_by_one():
    draw = np.random.default_rng(0)
    kind = np.array(["a", "b", "c"])[draw.integers(0, 3, 900)]
    whole = honest(900) | {"y": kind, "mark": (kind == "b").astype(int)}
    assert "mark" in subjects(proxies(split_from(*cut(whole))))


def test_an_easy_class_among_several_is_a_question_and_no_error():
    draw = np.random.default_rng(0)
    kind = draw.integers(0, 3, 600)
    petals = {"length": draw.normal(size=600) + 8 * (kind > 0), "width": draw.normal(size=600) + 8 * (kind > 0)}
    findings = proxies(split_from(*cut(honest(600) | petals | {"y": kind}))).findings
    assert {f.severity for f in findings} == {Severity.NOTE}
    assert {f.confidence for f in findings} == {Confidence.LOW}


@settings(max_examples=8)
@given(st.integers(0, 10_000))
def test_many_columns_of_noise_on_few_rows_raise_no_alarm(seed):
    draw = np.random.default_rng(seed)
    noise = {f"n{i}": draw.integers(0, 2, 40) for i in range(60)}
    assert not proxies(split_from(*cut(noise | {"y": draw.integers(0, 2, 40)}))).findings


def test_without_a_target_the_check_says_that_it_was_not_run():
    outcome = proxies(split_from(*cut(honest()), target=None))
    assert "not run" in outcome.line.result
