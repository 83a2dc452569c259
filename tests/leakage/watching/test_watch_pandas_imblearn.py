"""A watch over frames of pandas and the samplers of imbalanced-learn, as they really are."""

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import make_pipeline as make_sampling_pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from assay.findings import Finding, Report
from assay.leakage import watch
from assay.leakage.watching.rows import rows_of

RANDOM = np.random.default_rng(11)
NUMBERS = pd.DataFrame(RANDOM.normal(size=(200, 4)), columns=list("abcd"))
LABELS = pd.Series((NUMBERS["a"] + RANDOM.normal(size=200) > 0.8).astype(int), name="ill")
MIXED = NUMBERS.assign(
    town=RANDOM.choice(["Bergen", "Oslo", "Tromsø"], size=200),
    seen=pd.date_range("2020-01-01", periods=200),
    score=pd.array(RANDOM.integers(0, 9, size=200), dtype="Int64"),
    kind=pd.Categorical(RANDOM.choice(["x", "y"], size=200)),
)


def only(report: Report) -> Finding:
    [finding] = report.findings
    return finding


@pytest.mark.parametrize("table", [NUMBERS, MIXED], ids=["numbers", "mixed"])
def test_rows_of_a_frame_keep_their_keys_in_every_part(table: pd.DataFrame) -> None:
    chosen = RANDOM.permutation(len(table))[:50]
    whole, part = rows_of(table), rows_of(table.iloc[chosen])
    assert whole is not None
    assert part is not None
    assert part.keys.tolist() == whole.keys[chosen].tolist()
    assert len(set(whole.keys.tolist())) == len(table)


def test_rows_of_a_frame_and_of_its_array_are_the_same() -> None:
    frame, array = rows_of(NUMBERS), rows_of(NUMBERS.to_numpy())
    assert frame is not None
    assert array is not None
    assert frame.keys.tolist() == array.keys.tolist()


def test_missing_values_of_every_kind_are_alike() -> None:
    holed = pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "t": ["x", None], "f": [0.5, np.nan]})
    again = pd.DataFrame({"n": [1.0, np.nan], "t": ["x", np.nan], "f": [0.5, None]})
    first, second = rows_of(holed), rows_of(again)
    assert first is not None
    assert second is not None
    assert first.keys.tolist() == second.keys.tolist()


def test_imputer_fitted_on_a_whole_frame_is_seen() -> None:
    holed = NUMBERS.mask(np.random.default_rng(0).random(NUMBERS.shape) < 0.1)
    with watch(warn=False) as seen:
        whole = pd.DataFrame(SimpleImputer().fit_transform(holed), columns=NUMBERS.columns, index=NUMBERS.index)
        train, test, y_train, y_test = train_test_split(whole, LABELS, random_state=0)
        LogisticRegression().fit(train, y_train).score(test, y_test)
    finding = only(seen.report())
    assert finding.code == "L1.2"
    assert "SimpleImputer was fitted on 50 of the 50 rows" in finding.message


def test_honest_work_on_a_mixed_frame_raises_no_alarm() -> None:
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["town", "kind"]), (StandardScaler(), ["a", "b", "score"])
    )
    train, test, y_train, y_test = train_test_split(MIXED, LABELS, random_state=0)
    with watch(warn=False) as seen:
        make_pipeline(columns, LogisticRegression()).fit(train, y_train).score(test, y_test)
    assert seen.report().findings == ()
    assert seen.report().left_out == ()


@pytest.mark.parametrize("sampler", [SMOTE(random_state=1), RandomOverSampler(random_state=1)], ids=["smote", "copies"])
@pytest.mark.parametrize("frame", [True, False], ids=["frame", "array"])
def test_oversampling_before_the_split_is_seen(sampler: SMOTE | RandomOverSampler, frame: bool) -> None:
    rows, labels = (NUMBERS, LABELS) if frame else (NUMBERS.to_numpy(), LABELS.to_numpy())
    with watch(warn=False) as seen:
        more, y_more = sampler.fit_resample(rows, labels)
        train, test, y_train, y_test = train_test_split(more, y_more, random_state=0)
        LogisticRegression().fit(train, y_train).score(test, y_test)
    code = "L1.2" if isinstance(sampler, SMOTE) else "L1.4"
    told = [finding.message for finding in seen.report().findings if finding.code == code]
    assert any(f"{type(sampler).__name__} made or resampled" in message for message in told)


def test_made_rows_are_seen_beside_a_new_column() -> None:
    with watch(warn=False) as seen:
        more, y_more = SMOTE(random_state=1).fit_resample(NUMBERS, LABELS)
        more = more.assign(new=more.iloc[:, 0] * more.iloc[:, 1])
        train, test, y_train, y_test = train_test_split(more, y_more, random_state=0)
        LogisticRegression().fit(train, y_train).score(test, y_test)
    assert "L1.2" in [finding.code for finding in seen.report().findings]


def test_rows_made_for_training_alone_are_no_leak_beside_a_new_column() -> None:
    train, test, y_train, y_test = train_test_split(NUMBERS, LABELS, stratify=LABELS, random_state=0)
    with watch(warn=False) as seen:
        more, y_more = SMOTE(random_state=1).fit_resample(train, y_train)
        model = LogisticRegression().fit(more.assign(new=more.iloc[:, 0] * more.iloc[:, 1]), y_more)
        model.score(test.assign(new=test.iloc[:, 0] * test.iloc[:, 1]), y_test)
    assert seen.report().findings == ()


def test_sampling_the_training_rows_alone_raises_no_alarm() -> None:
    train, test, y_train, y_test = train_test_split(NUMBERS, LABELS, stratify=LABELS, random_state=0)
    with watch(warn=False) as seen:
        for sampler in (SMOTE(random_state=1), RandomUnderSampler(random_state=1)):
            more, y_more = sampler.fit_resample(train, y_train)
            LogisticRegression().fit(more, y_more).score(test, y_test)
    assert seen.report().findings == ()


def test_a_sampler_inside_a_pipeline_raises_no_alarm() -> None:
    pipeline = make_sampling_pipeline(StandardScaler(), SMOTE(random_state=1), LogisticRegression())
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    with watch(warn=False) as seen:
        cross_val_score(pipeline, NUMBERS, LABELS, cv=folds)
        train, test, y_train, y_test = train_test_split(NUMBERS, LABELS, stratify=LABELS, random_state=0)
        search = GridSearchCV(pipeline, {"smote__k_neighbors": [3, 5]}, cv=folds)
        search.fit(train, y_train).score(test, y_test)
    assert seen.report().findings == ()
    assert seen.report().left_out == ()
