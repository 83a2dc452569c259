"""Columns are followed where rows change between the steps: selections, assignments, stacks, casts."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.preprocessing import (
    KBinsDiscretizer,
    LabelEncoder,
    MinMaxScaler,
    OneHotEncoder,
    PowerTransformer,
    QuantileTransformer,
    StandardScaler,
)

from assay.leakage import watch

DRAW = np.random.default_rng(3)
ROWS = 400
X = DRAW.normal(size=(ROWS, 6))
Y = (X[:, 0] + DRAW.normal(size=ROWS) > 0).astype(int)
KIND = DRAW.integers(0, 3, ROWS).astype(float)
TEXTS = [" ".join(DRAW.choice([f"word{i}" for i in range(60)], 12)) for _ in range(ROWS)]


def frame():
    return pd.DataFrame(X, columns=list("abcdef")).assign(kind=KIND)


def score(made, y=Y, model=None):
    train, test, y_train, y_test = train_test_split(made, y, random_state=0)
    (LogisticRegression() if model is None else model).fit(train, y_train).score(test, y_test)


def selected_columns(step):
    score(step.fit_transform(X)[:, [0, 2, 3]])


def beside_raw_columns(step):
    score(np.hstack([step.fit_transform(X[:, :3]), X[:, 3:], KIND[:, None]]))


def assigned_columns(step):
    table = frame()
    table[["a", "b"]] = step.fit_transform(table[["a", "b"]])
    score(table)


def concatenated_frames(step):
    made = pd.DataFrame(step.fit_transform(frame()[["a", "b"]]), columns=["p", "q"])
    score(pd.concat([made, frame()[["c", "kind"]]], axis=1))


def cast_to_single(step):
    score(step.fit_transform(X).astype(np.float32))


def new_column(step):
    made = step.fit_transform(X)
    score(np.column_stack([made, made[:, 0] * made[:, 1]]))


def reordered(step):
    score(step.fit_transform(X)[:, ::-1])


def two_steps_apart(step):
    first = step.fit_transform(X)
    score(PCA(2, random_state=0).fit_transform(np.column_stack([first[:, :3], KIND])))


def to_sparse(step):
    score(scipy.sparse.hstack([scipy.sparse.csr_matrix(step.fit_transform(X)), scipy.sparse.csr_matrix(KIND[:, None])]))


def in_cross_validation(step):
    cross_val_score(LogisticRegression(), np.column_stack([step.fit_transform(X), KIND]), Y, cv=3)


def dropped_rows(step):
    made = np.column_stack([step.fit_transform(X), KIND])
    kept = np.abs(made[:, 0]) < 2.5
    score(made[kept], Y[kept])


def transformed_parts(step):
    step.fit(X)
    train, test, y_train, _ = train_test_split(X, Y, random_state=0)
    model = LogisticRegression().fit(np.column_stack([step.transform(train), train[:, 0]]), y_train)
    model.predict(np.column_stack([step.transform(test), test[:, 0]]))


def beside_yes_and_no(step):
    table = pd.DataFrame(X, columns=list("abcdef")).assign(old=KIND > 1)
    table[["a", "b"]] = step.fit_transform(table[["a", "b"]])
    score(table)


WAYS = (
    beside_yes_and_no,
    selected_columns,
    beside_raw_columns,
    assigned_columns,
    concatenated_frames,
    cast_to_single,
    new_column,
    reordered,
    two_steps_apart,
    to_sparse,
    in_cross_validation,
    dropped_rows,
    transformed_parts,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_step_fitted_on_all_rows_is_seen_through(way):
    with watch(warn=False) as seen:
        way(PowerTransformer())
    assert any("PowerTransformer" in f.message for f in seen.report().findings)


def test_a_vocabulary_is_seen_beside_other_columns():
    with watch(warn=False) as seen:
        words = TfidfVectorizer().fit_transform(TEXTS)
        score(scipy.sparse.hstack([words, scipy.sparse.csr_matrix(X)]).tocsr())
    assert any("TfidfVectorizer" in f.message for f in seen.report().findings)


def places_taken(chooser):
    score(X[:, chooser.get_support(indices=True)])


def names_taken(chooser):
    score(frame()[list("abcdef")].loc[:, chooser.get_support()])


@pytest.mark.parametrize("way", [places_taken, names_taken], ids=lambda way: way.__name__)
def test_columns_that_a_selector_chose_are_seen_where_the_program_takes_them_itself(way):
    with watch(warn=False) as seen:
        way(SelectKBest(k=3).fit(X, Y))
    assert [f.code for f in seen.report().findings if f.severity.value != "note"] == ["L1.3"]


def test_columns_that_a_selector_chose_on_training_rows_are_no_leak_however_coarse_they_are():
    coarse = np.column_stack([DRAW.integers(0, 2, (ROWS, 2)) ^ Y[:, None], X[:, 1:]])
    train, test, y_train, y_test = train_test_split(coarse, Y, random_state=0)
    with watch(warn=False) as seen:
        chosen = SelectKBest(k=2).fit(train, y_train).get_support()
        LogisticRegression().fit(train[:, chosen], y_train).score(test[:, chosen], y_test)
    assert not [f.message for f in seen.report().findings if f.code == "L1.3"]


def test_codes_of_labels_that_a_score_makes_are_no_lost_trail():
    train, test, y_train, y_test = train_test_split(X, Y, random_state=0)
    with watch(warn=False) as seen:
        said = LogisticRegression().fit(train, y_train).predict(test)
        recall_score(y_test.astype(str), said.astype(str), pos_label="1")
        LabelEncoder().fit_transform(y_test)
    assert not seen.report().left_out


def test_filled_gaps_are_seen_beside_other_columns():
    holes = X.copy()
    holes[DRAW.random(X.shape) < 0.2] = np.nan
    with watch(warn=False) as seen:
        score(np.column_stack([KNNImputer().fit_transform(holes), KIND]), model=RandomForestClassifier(5))
    assert any("KNNImputer" in f.message for f in seen.report().findings)


def test_a_trail_that_ends_is_reported():
    with watch(warn=False) as seen:
        made = PowerTransformer().fit_transform(X)
        score(np.tanh(made) ** 3)
    report = seen.report()
    assert not report.findings
    assert any("PowerTransformer" in text and "was not followed" in text for text in report.left_out)


def test_a_watch_that_saw_no_model_tested_says_so():
    with watch(warn=False) as seen:
        PowerTransformer().fit_transform(X)
    assert any("no model was tested under the watch" in text for text in seen.report().left_out)


def test_one_value_in_all_gaps_is_seen_beside_other_columns():
    holes = np.where(DRAW.random(X.shape) < 0.15, np.nan, X)
    for seed in range(5):
        filled = SimpleImputer().fit_transform(holes[:, [seed]])
        with watch(warn=False) as seen:
            filled = SimpleImputer().fit_transform(holes[:, [seed]])
            score(np.column_stack([filled, KIND]))
        assert any("SimpleImputer" in f.message for f in seen.report().findings)


# --- honest programs -------------------------------------------------------------------------------


def parts():
    return train_test_split(np.column_stack([X, KIND]), Y, random_state=0)


def scaled_in_training(step):
    train, test, y_train, y_test = parts()
    step.fit(train[:, :6])
    model = LogisticRegression().fit(np.column_stack([step.transform(train[:, :6]), train[:, 6]]), y_train)
    model.score(np.column_stack([step.transform(test[:, :6]), test[:, 6]]), y_test)


def plotted_only(step):
    PCA(2).fit_transform(step.fit_transform(X))
    score(np.column_stack([X, KIND]))


def described_only(step):
    step.fit_transform(X)
    score(X[:, :4])


def each_fold_by_itself(step):
    for start in range(3):
        held_out = np.arange(ROWS) % 3 == start
        step.fit(X[~held_out])
        train, test = (np.column_stack([step.transform(X[rows]), KIND[rows]]) for rows in (~held_out, held_out))
        LogisticRegression().fit(train, Y[~held_out]).score(test, Y[held_out])


def cast_training(step):
    train, test, y_train, _ = parts()
    step.fit(train)
    model = RandomForestClassifier(5).fit(step.transform(train).astype(np.float32), y_train)
    model.predict(step.transform(test).astype(np.float32))


def coarse_beside_yes_and_no(step):
    train, test, y_train, y_test = train_test_split(np.round(X), Y, random_state=0)
    step.fit(train)
    kinds = (pd.Series(DRAW.random(len(part)) < 0.5, name="old") for part in (train, test))
    train, test = (
        pd.concat([pd.DataFrame(step.transform(part)), kind], axis=1)
        for part, kind in zip((train, test), kinds, strict=True)
    )
    train.columns = test.columns = [str(name) for name in train.columns]
    LogisticRegression().fit(train, y_train).score(test, y_test)


def coarse_and_scaled_by_hand(step):
    train, test, y_train, y_test = train_test_split(np.round(10 * X), Y, random_state=0)
    made = StandardScaler().fit(train)
    by_hand = np.column_stack([(test - train.mean(axis=0)) / train.std(axis=0), np.zeros(len(test))])
    model = LogisticRegression().fit(np.column_stack([made.transform(train), np.zeros(len(train))]), y_train)
    model.score(by_hand, y_test)


def same_range_for_a_picture(step):
    whole = np.vstack([X, X.min(axis=0), X.max(axis=0)])
    MinMaxScaler().fit_transform(whole)
    train, test = np.vstack([X[:300], whole[-2:]]), X[300:]
    made = MinMaxScaler().fit(train)
    model = LogisticRegression().fit(np.column_stack([made.transform(train), train[:, 0]]), [*Y[:300], 0, 1])
    model.score(np.column_stack([made.transform(test), test[:, 0]]), Y[300:])


def imputed_for_a_picture(step):
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    SimpleImputer().fit_transform(holes)
    KNNImputer().fit_transform(holes)
    complete = ~np.isnan(holes).any(axis=1)
    score(np.column_stack([holes, KIND]), model=HistGradientBoostingClassifier(max_iter=5))
    scaled_in_training(step)
    score(holes[complete], Y[complete])


def rounded_and_imputed_in_each_fold(step):
    holes = X.round(2)
    holes[np.random.default_rng(0).random(len(X)) < 0.15, 1] = np.nan
    for train, test in KFold(4, shuffle=True, random_state=0).split(holes):
        filler, scaler = KNNImputer(), StandardScaler()
        model = LogisticRegression().fit(scaler.fit_transform(filler.fit_transform(holes[train])), Y[train])
        model.score(scaler.transform(filler.transform(holes[test])), Y[test])


STEPS = (
    StandardScaler,
    PowerTransformer,
    QuantileTransformer,
    SimpleImputer,
    lambda: PCA(3, random_state=0),
    lambda: OneHotEncoder(handle_unknown="ignore", max_categories=5, sparse_output=False),
    lambda: KNNImputer(n_neighbors=3),
    lambda: KBinsDiscretizer(5, encode="ordinal"),
)
HONEST = (
    scaled_in_training,
    plotted_only,
    described_only,
    each_fold_by_itself,
    cast_training,
    imputed_for_a_picture,
    coarse_beside_yes_and_no,
    coarse_and_scaled_by_hand,
    same_range_for_a_picture,
    rounded_and_imputed_in_each_fold,
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", HONEST, ids=lambda way: way.__name__)
@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_honest_programs_raise_nothing(way, step):
    with watch(warn=False) as seen:
        way(step())
    assert not [f.message for f in seen.report().findings if f.severity.value != "note"]


@pytest.mark.parametrize("seed", range(12))
def test_coarse_rows_whose_columns_a_step_mixed_are_no_copies(seed):
    draw = np.random.default_rng(seed)
    train, test, y_train, y_test = train_test_split(np.round(X), Y, random_state=0)
    with watch(warn=False) as seen:
        parts = PCA(3, random_state=0).fit(train)
        train, test = (np.column_stack([parts.transform(part), draw.random(len(part)) < 0.5]) for part in (train, test))
        LogisticRegression().fit(train, y_train).score(test, y_test)
    assert not [f.message for f in seen.report().findings if f.severity.value != "note"]


def test_where_labels_of_clusters_went_is_said_to_be_unknown():
    with watch(warn=False) as seen:
        KMeans(6, n_init=1, random_state=0).fit_predict(X)
        scaled_in_training(StandardScaler())
    assert any("What KMeans" in sentence for sentence in seen.report().left_out)
