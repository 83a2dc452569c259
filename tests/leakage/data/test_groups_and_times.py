"""Groups and times on both sides of the split."""

import numpy as np
import pytest
from made_splits import cut, honest, split_from, table_from

from assay.findings import Confidence, Severity
from assay.leakage.data.drawing import Drawing, DrawnBy
from assay.leakage.data.groups import group_overlap
from assay.leakage.data.panel import Panel
from assay.leakage.data.split import Split
from assay.leakage.data.times import temporal_overlap


def patients(name="code", by_patient=False, rows=600, seed=0):
    """Visits of 100 patients whose measurements hardly change, split by rows or by patient."""
    draw = np.random.default_rng(seed)
    patient = np.repeat(np.arange(rows // 6), 6)
    marks = draw.normal(size=(rows // 6, 4))[patient]
    made = {f"x{i}": marks[:, i] + 0.2 * draw.normal(size=rows) for i in range(4)}
    made[name] = draw.permutation(rows // 6)[patient] + 1000
    made["y"] = (made["x0"] + draw.normal(size=rows) > 0).astype(int)
    order = np.arange(rows) if by_patient else draw.permutation(rows)
    return cut({k: v[order] for k, v in made.items()}, 0.7 if by_patient else 0.75)


def test_a_group_is_found_by_the_resemblance_of_its_rows():
    outcome = group_overlap(split_from(*patients()))
    [finding] = outcome.findings
    assert finding.code == "L3.2"
    assert '"code"' in finding.message
    assert "confirm it with --group" in finding.message
    assert finding.confidence is Confidence.LOW
    assert finding.severity is Severity.NOTE


def test_the_name_of_a_unit_adds_to_the_confidence():
    [finding] = group_overlap(split_from(*patients("patient_id"))).findings
    assert finding.confidence is Confidence.MEDIUM
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("family", lambda draw: np.array(["no", "yes"])[draw.integers(0, 2, 800)]),
        ("school", lambda draw: draw.normal(11, 3, 800).round().clip(0, 18).astype(int)),
        ("visits", lambda draw: draw.poisson(4, 800)),
        ("country", lambda draw: np.array([f"c{i}" for i in range(25)])[draw.integers(0, 25, 800)]),
    ],
)
def test_a_name_alone_never_raises_a_warning(name, values):
    whole = honest(800) | {name: values(np.random.default_rng(1))}
    assert not [f for f in group_overlap(split_from(*cut(whole))).findings if f.severity is not Severity.NOTE]


def test_a_forecast_for_the_same_units_shares_them_on_purpose():
    draw = np.random.default_rng(0)
    country, year = np.repeat(np.arange(40), 20), np.tile(np.arange(1990, 2010), 40)
    level = draw.normal(size=40)[country]
    whole = {"country": country + 100, "year": year, "a": level + draw.normal(0, 0.1, 800), "b": level * 2 + year / 100}
    whole |= {"c": level - draw.normal(0, 0.1, 800), "y": level + draw.normal(0, 0.2, 800)}
    later = year > 2004
    split = split_from({k: v[~later] for k, v in whole.items()}, {k: v[later] for k, v in whole.items()})
    assert split.drawing == Drawing(DrawnBy.TIME, "year")
    assert {f.severity for f in group_overlap(split).findings} <= {Severity.NOTE}
    assert not temporal_overlap(split).findings


def test_a_named_group_is_taken_for_one():
    train, test = patients()
    outcome = group_overlap(split_from(train, test, groups=("code",)))
    [finding] = outcome.findings
    assert finding.confidence is Confidence.HIGH
    shared = int(np.isin(test["code"], train["code"]).sum())
    assert [len(r.numbers) for r in outcome.rows] == [shared]


def test_a_split_by_group_is_clean():
    assert not group_overlap(split_from(*patients("patient_id", by_patient=True))).findings


def test_a_measurement_is_not_taken_for_a_group():
    draw = np.random.default_rng(0)
    age = draw.integers(18, 90, 800)
    made = {
        "age": age,
        "height": draw.normal(size=800) + age / 30,
        "pressure": draw.normal(size=800) + age / 20,
        "retired": (age > 65).astype(int),
        "y": draw.integers(0, 2, 800),
    }
    assert not group_overlap(split_from(*cut(made))).findings


def test_a_trait_of_the_group_is_not_a_second_group():
    train, test = patients("patient_id")
    ages = np.random.default_rng(0).integers(20, 60, 2000)
    train["age"], test["age"] = ages[train["patient_id"]], ages[test["patient_id"]]
    [finding] = group_overlap(split_from(train, test)).findings
    assert finding.subject == "patient_id"


def test_the_candidates_of_a_table_without_a_split_are_listed():
    train, _ = patients("patient_id")
    outcome = group_overlap(table_from(train))
    assert not outcome.findings
    assert outcome.tables[0].rows[0][0] == "patient_id"


def dated(train_days, test_days, name="date"):
    days = np.datetime64("2020-01-01") + np.r_[train_days, test_days].astype("timedelta64[D]")
    whole = honest(len(days)) | {name: days.astype("datetime64[us]")}
    return cut(whole, len(train_days) / len(days))


def test_a_clean_cut_in_time_is_clean():
    assert not temporal_overlap(split_from(*dated(np.arange(300), np.arange(300, 400)))).findings


def test_a_random_split_in_time_is_called_so():
    days = np.random.default_rng(0).permutation(400)
    [finding] = temporal_overlap(split_from(*dated(days[:300], days[300:]))).findings
    assert finding.code == "L3.1"
    assert "as good as random" in finding.message
    assert "confirm it with --time" in finding.message
    assert finding.confidence is Confidence.MEDIUM
    assert finding.severity is Severity.NOTE


def test_a_random_split_in_time_is_a_warning_where_the_outcome_carries_over():
    days = np.random.default_rng(0).permutation(400)
    train, test = dated(days[:300], days[300:])
    train["y"], test["y"] = np.sin(days[:300] / 30), np.sin(days[300:] / 30)
    [finding] = temporal_overlap(split_from(train, test)).findings
    assert finding.severity is Severity.WARNING


def test_a_random_split_in_time_is_a_warning_where_the_user_names_the_column():
    days = np.random.default_rng(0).permutation(400)
    [finding] = temporal_overlap(split_from(*dated(days[:300], days[300:]), times=("date",))).findings
    assert finding.severity is Severity.WARNING


def test_training_after_the_test_is_found_though_nothing_overlaps():
    [finding] = temporal_overlap(split_from(*dated(np.arange(100, 400), np.arange(100)))).findings
    assert "100.0 % of test rows" in finding.message


def test_the_rows_that_are_too_early_are_named():
    outcome = temporal_overlap(split_from(*dated(np.arange(300), np.r_[100:110, 310:400]), times=("date",)))
    assert outcome.findings[0].confidence is Confidence.HIGH
    assert outcome.rows[0].numbers.tolist() == list(range(1, 11))


@pytest.mark.parametrize("name", ["birth_date", "dob"])
def test_dates_of_birth_are_not_compared(name):
    days = np.random.default_rng(0).permutation(400)
    assert not temporal_overlap(split_from(*dated(days[:300], days[300:], name))).findings


def test_a_panel_is_known_by_its_pairs_whatever_its_columns_are_called():
    draw = np.random.default_rng(0)
    unit, wave = np.repeat(np.arange(60), 8), np.tile(np.arange(8), 60)
    whole = {"c1": draw.permutation(60)[unit] * 7, "c2": wave, "x": draw.normal(size=480), "y": draw.normal(size=480)}
    order = draw.permutation(480)
    split = split_from(*cut({k: v[order] for k, v in whole.items()}))
    assert split.panel == Panel("c1", "c2")
    [finding] = group_overlap(split).findings
    assert finding.severity is Severity.WARNING


def test_coarse_columns_are_no_panel():
    draw = np.random.default_rng(0)
    whole = honest(800) | {"county": draw.integers(0, 40, 800), "rooms": draw.integers(1, 9, 800)}
    assert split_from(*cut(whole)).panel is None


def test_a_unit_without_a_column_is_known_by_its_traits():
    """Each person has one height to the millimetre, one sex, one region and one age."""
    draw = np.random.default_rng(0)
    person = np.repeat(np.arange(100), 6)
    traits = {
        "height": draw.normal(1.7, 0.1, 100).round(5)[person],
        "sex": draw.integers(0, 2, 100)[person],
        "region": draw.integers(0, 6, 100)[person],
        "age": draw.integers(20, 70, 100)[person],
    }
    whole = traits | {"x": draw.normal(size=600), "y": draw.normal(size=600)}
    order = draw.permutation(600)
    findings = group_overlap(split_from(*cut({k: v[order] for k, v in whole.items()}))).findings
    assert [f.subject for f in findings if f.severity is Severity.WARNING] == ["height"]


def drawn_at_random(table: dict[str, np.ndarray], target: str) -> Split:
    order = np.random.default_rng(1).permutation(len(table[target]))
    return split_from(*cut({name: values[order] for name, values in table.items()}), target=target)


def test_columns_that_follow_from_one_another_are_no_units() -> None:
    draw = np.random.default_rng(0)
    carat = np.round(draw.gamma(2, 0.4, 800) + 0.2, 2)
    table = {
        "carat": carat,
        "log_carat": np.log(carat),
        "root": np.sqrt(carat),
        "class": np.digitize(carat, [0.5, 1, 2]),
        "x": draw.normal(size=800),
        "price": carat * 4000 + draw.normal(0, 300, 800),
    }
    assert all(f.severity is Severity.NOTE for f in group_overlap(drawn_at_random(table, "price")).findings)


def test_two_names_of_one_trait_are_one_sign() -> None:
    """A county fixes its state and a dummy of that state: one trait, which no claim about counties follows from."""
    draw = np.random.default_rng(0)
    county = draw.integers(0, 30, 600)
    state = (county < 18).astype(int)
    table = honest(600) | {"county": county + 100, "state": state, "coast": 1 - state}
    assert all(f.severity is Severity.NOTE for f in group_overlap(split_from(*cut(table))).findings)


def test_rows_of_a_city_resemble_each_other_without_being_one_unit() -> None:
    draw = np.random.default_rng(0)
    city = draw.integers(0, 25, 600)
    levels = draw.normal(size=(25, 4))[city]
    table = {f"x{i}": levels[:, i] + 0.7 * draw.normal(size=600) for i in range(4)}
    table |= {"city": np.array([f"c{i}" for i in range(25)])[city], "y": draw.integers(0, 2, 600)}
    [finding] = group_overlap(split_from(*cut(table))).findings
    assert finding.severity is Severity.NOTE


def test_the_few_traits_of_a_city_identify_no_person() -> None:
    draw = np.random.default_rng(0)
    city = draw.integers(0, 40, 600)
    table = honest(600) | {f"z{i}": draw.normal(size=600).round(2) for i in range(9)}
    table |= {"percent": draw.normal(60, 20, 40)[city]}
    table |= {f"trait{i}": draw.integers(0, 5, 40)[city] for i in range(3)}
    assert all(f.severity is Severity.NOTE for f in group_overlap(split_from(*cut(table))).findings)


def test_years_shared_by_new_groups_are_a_note() -> None:
    """A split by district is about new districts; that both parts have the same years follows from the panel."""
    draw = np.random.default_rng(0)
    district, year = np.repeat(np.arange(60), 10), np.tile(np.arange(2000, 2010), 60)
    table = {"district": district + 100, "year": year, "x": draw.normal(size=600), "y": year + draw.normal(0, 0.1, 600)}
    split = split_from(*cut(table))
    assert split.drawing.by is DrawnBy.GROUPS
    assert {f.severity for f in temporal_overlap(split).findings} == {Severity.NOTE}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("ordinal_date", 736_000 + np.arange(400)),
        ("doy", 1 + np.arange(400) // 2),
        ("t", 1 + np.arange(400)),
        ("year", 60 + np.arange(400) // 10),
        ("quarter", np.array([f"{1980 + i // 4} Q{i % 4 + 1}" for i in range(400)])),
    ],
)
def test_a_cut_along_days_years_and_quarters_is_a_cut_in_time(name, values) -> None:
    split = split_from(*cut(honest(400) | {name: values}))
    assert split.drawing == Drawing(DrawnBy.TIME, name)


def test_the_coarsest_unit_that_was_kept_apart_was_drawn() -> None:
    """A split by school keeps the classes of each school apart, too."""
    draw = np.random.default_rng(0)
    lesson = np.repeat(np.arange(120), 5)
    table = honest(600) | {"lesson": lesson + 1000, "school": lesson // 6 + 10, "x0": draw.normal(size=600)}
    assert split_from(*cut(table)).drawing == Drawing(DrawnBy.GROUPS, "school")
