"""Leaks that `assay.leakage.watch` finds and false alarms that it raises, on programs written before they were tried.

    pip install imbalanced-learn lightgbm torch
    python bench/watch_programs.py [--show]

Each function is one program. A leak counts as found if a warning or error of an expected rule is raised; a clean
program must raise neither. Programs whose package is missing are left out and counted.
"""

# ruff: noqa: N803, N806, PLC0415, D102, ARG002 - programs as people write them

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn import datasets, metrics
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401 - makes the next import possible
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SequentialFeatureSelector
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.manifold import TSNE
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
    validation_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    LabelEncoder,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from assay.findings import Severity
from assay.leakage import watch

Program = Callable[[], object]
LEAKS: dict[Program, tuple[set[str], str]] = {}
CLEAN: dict[Program, str] = {}
TO_REACH = 16 / 19


def leak(*codes: str, needs: str = "sklearn") -> Callable[[Program], Program]:
    def listed(program: Program) -> Program:
        LEAKS[program] = (set(codes), needs)
        return program

    return listed


def clean(needs: str = "sklearn") -> Callable[[Program], Program]:
    def listed(program: Program) -> Program:
        CLEAN[program] = needs
        return program

    return listed


# --- data --------------------------------------------------------------------------------------------


def numbers(rows: int = 500, columns: int = 8, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    table = draw.normal(size=(rows, columns)) * draw.uniform(0.5, 20, columns) + draw.normal(size=columns)
    return table, (table[:, 0] / table[:, 0].std() + draw.normal(size=rows) > 0).astype(int)


def clinic(rows: int = 600, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    ill = (draw.random(rows) < 0.25).astype(int)
    table = pd.DataFrame(
        {
            "age": draw.integers(18, 90, rows),
            "pressure": (draw.normal(125, 15, rows) + 8 * ill).round(1),
            "glucose": (draw.normal(5.5, 1, rows) + 0.6 * ill).round(2),
            "weight": draw.normal(75, 12, rows).round(1),
            "sex": draw.choice(["f", "m"], rows),
            "ward": draw.choice(list("abcdef"), rows),
            "patient": draw.integers(0, rows // 4, rows),
            "ill": ill,
        }
    )
    table.loc[draw.random(rows) < 0.15, "glucose"] = np.nan
    return table


def texts(rows: int = 400, seed: int = 2) -> tuple[list[str], np.ndarray]:
    draw = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(300)])
    y = np.arange(rows) % 2
    return [" ".join(draw.choice(words[150 * label :][:180], 15)) for label in y], y


def series(length: int = 700) -> np.ndarray:
    draw = np.random.default_rng(3)
    return 20 + np.cumsum(draw.normal(size=length)) + 5 * np.sin(np.arange(length) / 7)


MEASURED = ["age", "pressure", "glucose", "weight"]


# --- leaks -------------------------------------------------------------------------------------------


@leak("L1.2")
def scaled_before_the_split() -> None:
    X, y = numbers()
    X = StandardScaler().fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.2")
def scaled_columns_assigned() -> None:
    df = clinic().dropna()
    df[MEASURED] = MinMaxScaler().fit_transform(df[MEASURED])
    df = pd.get_dummies(df, columns=["sex", "ward"])
    a, b, c, d = train_test_split(df.drop(columns=["ill", "patient"]), df["ill"], test_size=0.3, random_state=1)
    model = RandomForestClassifier(20).fit(a, c)
    print(metrics.accuracy_score(d, model.predict(b)))


@leak("L1.2")
def imputed_and_joined_to_dummies() -> None:
    df = clinic()
    filled = pd.DataFrame(SimpleImputer(strategy="median").fit_transform(df[MEASURED]), columns=MEASURED)
    made = pd.concat([filled, pd.get_dummies(df[["sex", "ward"]], dtype=float)], axis=1)
    a, b, c, d = train_test_split(made, df["ill"], random_state=0)
    print(metrics.roc_auc_score(d, LogisticRegression(max_iter=500).fit(a, c).predict_proba(b)[:, 1]))


@leak("L1.2")
def projected_before_cross_validation() -> None:
    X, y = numbers(columns=30)
    print(cross_val_score(SVC(), PCA(5).fit_transform(X), y, cv=5).mean())


@leak("L1.3")
def selected_before_cross_validation() -> None:
    X, y = numbers(120, 500)
    print(cross_val_score(GaussianNB(), SelectKBest(k=10).fit_transform(X, y), y, cv=5).mean())


@leak("L1.3")
def eliminated_before_the_split() -> None:
    X, y = numbers(200, 40)
    chosen = RFE(LogisticRegression(), n_features_to_select=5).fit(X, y).support_
    a, b, c, d = train_test_split(X[:, chosen], y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.2", "L1.4", needs="imblearn")
def smote_before_the_split() -> None:
    from imblearn.over_sampling import SMOTE

    df = clinic().dropna()
    X, y = SMOTE(random_state=0).fit_resample(df[MEASURED], df["ill"])
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(metrics.f1_score(d, RandomForestClassifier(20).fit(a, c).predict(b)))


@leak("L1.2", "L1.4", needs="imblearn")
def oversampled_then_scaled_in_training() -> None:
    from imblearn.over_sampling import RandomOverSampler

    df = clinic().dropna()
    X, y = RandomOverSampler(random_state=0).fit_resample(df[MEASURED], df["ill"])
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler().fit(a)
    print(metrics.f1_score(d, SVC().fit(scaler.transform(a), c).predict(scaler.transform(b))))


@leak("L1.2")
def vocabulary_of_all_texts_beside_numbers() -> None:
    said, y = texts()
    X = scipy.sparse.hstack([TfidfVectorizer().fit_transform(said), scipy.sparse.csr_matrix(numbers(400)[0])]).tocsr()
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(LogisticRegression(max_iter=300).fit(a, c).score(b, d))


@leak("L1.3")
def target_encoded_before_the_split() -> None:
    df = clinic().dropna()
    df["ward"] = TargetEncoder(cv=5).fit(df[["ward"]], df["ill"]).transform(df[["ward"]])[:, 0]
    df["sex"] = (df["sex"] == "f").astype(int)
    a, b, c, d = train_test_split(df.drop(columns=["ill", "patient"]), df["ill"], random_state=0)
    print(RandomForestClassifier(20).fit(a, c).score(b, d))


@leak("L1.2", needs="torch")
def scaled_then_tensors() -> None:
    import torch

    X, y = numbers()
    X = StandardScaler().fit_transform(X).astype(np.float32)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    steps = torch.optim.Adam(model.parameters())
    for _ in range(5):
        steps.zero_grad()
        torch.nn.functional.cross_entropy(model(torch.from_numpy(a)), torch.from_numpy(c)).backward()
        steps.step()
    model.eval()
    with torch.no_grad():
        print((model(torch.tensor(b)).argmax(1).numpy() == d).mean())


@leak("L1.2", needs="lightgbm")
def imputed_then_boosted() -> None:
    import lightgbm

    df = clinic()
    X = KNNImputer().fit_transform(df[MEASURED])
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    booster = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(a, c), 10)
    print(metrics.roc_auc_score(d, booster.predict(b)))


@leak("L1.1")
def scored_on_training_rows() -> None:
    X, y = numbers()
    print(RandomForestClassifier(20).fit(X, y).score(X, y))


@leak("L1.1", "L1.4")
def searched_on_all_rows() -> None:
    X, y = numbers()
    _, b, _, d = train_test_split(X, y, random_state=0)
    search = GridSearchCV(SVC(), {"C": [0.1, 1, 10]}).fit(X, y)
    print(search.score(b, d))


@leak("L1.1", "L1.4")
def repeated_rows_before_the_split() -> None:
    df = clinic().dropna()
    df = pd.concat([df, df.sample(frac=0.5, random_state=0)])
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], random_state=0)
    print(KNeighborsClassifier(1).fit(a, c).score(b, d))


@leak("L1.2")
def windows_of_a_scaled_series() -> None:
    scaled = MinMaxScaler().fit_transform(series()[:, None])[:, 0]
    X = np.array([scaled[i : i + 10] for i in range(len(scaled) - 10)])
    y = scaled[10:]
    cut = int(0.8 * len(X))
    model = MLPRegressor(hidden_layer_sizes=(16,), max_iter=30, random_state=0).fit(X[:cut], y[:cut])
    print(metrics.mean_squared_error(y[cut:], model.predict(X[cut:])))


@leak("L1.2")
def projected_words() -> None:
    said, y = texts()
    topics = TruncatedSVD(20, random_state=0).fit_transform(CountVectorizer().fit_transform(said))
    print(cross_val_score(LogisticRegression(), topics, y).mean())


@leak("L1.2")
def fitted_on_all_and_applied_to_parts() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = PowerTransformer().fit(X)
    print(Ridge().fit(scaler.transform(a), c).score(scaler.transform(b), d))


@leak("L1.2")
def composed_before_the_split() -> None:
    df = clinic()
    prepare = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), MEASURED),
            ("words", OneHotEncoder(), ["sex", "ward"]),
        ]
    )
    X = prepare.fit_transform(df)
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    print(HistGradientBoostingClassifier(max_iter=20).fit(a, c).score(b, d))


@leak("L1.2")
def imputed_with_the_outcome() -> None:
    df = clinic()[[*MEASURED, "ill"]]
    whole = pd.DataFrame(IterativeImputer(random_state=0).fit_transform(df), columns=df.columns)
    a, b, c, d = train_test_split(whole[MEASURED], whole["ill"].astype(int), random_state=0)
    print(RandomForestClassifier(20).fit(a, c).score(b, d))


@leak("L1.2")
def scaled_then_log() -> None:
    X, y = numbers()
    made = np.log1p(MinMaxScaler().fit_transform(X))
    a, b, c, d = train_test_split(made, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.2", needs="polars")
def scaled_in_polars() -> None:
    import polars as pl

    df = pl.from_pandas(clinic().dropna()[[*MEASURED, "ill"]])
    scaled = pl.DataFrame(RobustScaler().fit_transform(df[MEASURED].to_numpy()), MEASURED)
    df = df.with_columns(scaled)
    train, test = df[:400], df[400:]
    model = LogisticRegression().fit(train[MEASURED], train["ill"])
    print(model.score(test[MEASURED], test["ill"]))


@leak("L1.2")
def quantiles_by_fold_of_scaled_rows() -> None:
    X, y = numbers()
    X = np.nan_to_num(QuantileTransformer(n_quantiles=100).fit_transform(X))
    for train, test in StratifiedKFold(4).split(X, y):
        print(metrics.f1_score(y[test], DecisionTreeClassifier().fit(X[train], y[train]).predict(X[test])))


@leak("L1.3")
def forward_selection_before_nested_search() -> None:
    X, y = numbers(200, 12)
    chosen = SequentialFeatureSelector(GaussianNB(), n_features_to_select=3, cv=3).fit(X, y).transform(X)
    print(cross_val_score(GridSearchCV(SVC(), {"C": [1, 10]}, cv=3), chosen, y, cv=4).mean())


# --- clean programs ----------------------------------------------------------------------------------


class LogOfColumns(TransformerMixin, BaseEstimator):
    """Learns nothing, as many steps of people's own."""

    def fit(self, X: object, y: object = None) -> LogOfColumns:
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return np.log1p(np.abs(X))


@clean()
def pipeline_in_cross_validation() -> None:
    X, y = numbers()
    print(cross_val_score(make_pipeline(StandardScaler(), PCA(4), SVC()), X, y).mean())


@clean()
def scaler_of_training_rows() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler()
    a, b = scaler.fit_transform(a), scaler.transform(b)
    model = LogisticRegression().fit(a, c)
    print(model.score(a, c), model.score(b, d))


@clean()
def composed_in_a_pipeline() -> None:
    df = clinic()
    prepare = ColumnTransformer([("n", SimpleImputer(), MEASURED), ("w", OneHotEncoder(), ["sex", "ward"])])
    a, b = train_test_split(df, random_state=0)
    model = make_pipeline(prepare, RandomForestClassifier(20)).fit(a, a["ill"])
    print(metrics.classification_report(b["ill"], model.predict(b)))


@clean()
def searched_on_training_rows() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    search = GridSearchCV(make_pipeline(MinMaxScaler(), SVC()), {"svc__C": [1, 10]}).fit(a, c)
    print(search.best_score_, search.score(b, d))


@clean()
def nested_cross_validation() -> None:
    X, y = numbers(300)
    print(cross_val_score(GridSearchCV(SVC(), {"C": [1, 10]}, cv=3), X, y, cv=4).mean())


@clean()
def folds_by_hand() -> None:
    df = clinic().fillna({"glucose": 5.5})
    X, y = df[MEASURED], df["ill"]
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        scaler = StandardScaler().fit(X.iloc[train])
        model = LogisticRegression().fit(scaler.transform(X.iloc[train]), y.iloc[train])
        print(metrics.roc_auc_score(y.iloc[test], model.predict_proba(scaler.transform(X.iloc[test]))[:, 1]))


@clean()
def folds_of_patients() -> None:
    df = clinic().dropna()
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    print(cross_val_score(model, df[MEASURED], df["ill"], groups=df["patient"], cv=GroupKFold(5)).mean())


@clean()
def later_parts_of_a_series() -> None:
    s = series()
    X, y = np.array([s[i : i + 10] for i in range(len(s) - 10)]), s[10:]
    for train, test in TimeSeriesSplit(4).split(X):
        scaler = StandardScaler().fit(X[train])
        print(Ridge().fit(scaler.transform(X[train]), y[train]).score(scaler.transform(X[test]), y[test]))


@clean("imblearn")
def oversampled_training_rows() -> None:
    from imblearn.over_sampling import SMOTE

    df = clinic().dropna()
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], stratify=df["ill"], random_state=0)
    a, c = SMOTE(random_state=0).fit_resample(a, c)
    print(metrics.f1_score(d, RandomForestClassifier(20).fit(a, c).predict(b)))


@clean("imblearn")
def undersampled_in_a_pipeline() -> None:
    from imblearn.pipeline import make_pipeline as with_samplers
    from imblearn.under_sampling import RandomUnderSampler

    df = clinic().dropna()
    model = with_samplers(RandomUnderSampler(random_state=0), StandardScaler(), LogisticRegression())
    print(cross_validate(model, df[MEASURED], df["ill"], scoring=["f1", "roc_auc"]))


@clean()
def vocabulary_of_training_texts() -> None:
    said, y = texts()
    a, b, c, d = train_test_split(said, y, random_state=0)
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2)
    print(LogisticRegression().fit(words.fit_transform(a), c).score(words.transform(b), d))


@clean()
def hashed_texts() -> None:
    said, y = texts()
    X = HashingVectorizer(n_features=256).transform(said)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(SGDClassifier().fit(a, c).score(b, d))


@clean()
def hashed_texts_fitted() -> None:
    said, y = texts()
    print(cross_val_score(SGDClassifier(), HashingVectorizer(n_features=256).fit_transform(said), y).mean())


@clean()
def encoded_labels() -> None:
    X, y = numbers()
    y = LabelEncoder().fit_transform(np.where(y, "ill", "well"))
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(DecisionTreeClassifier(max_depth=3).fit(a, c).score(b, d))


@clean()
def categories_of_all_rows() -> None:
    df = clinic().dropna()
    df[["sex", "ward"]] = OrdinalEncoder().fit_transform(df[["sex", "ward"]])
    a, b = train_test_split(df.drop(columns="patient"), random_state=0)
    model = RandomForestClassifier(20).fit(a.drop(columns="ill"), a["ill"])
    print(model.score(b.drop(columns="ill"), b["ill"]))


@clean()
def own_step_without_memory() -> None:
    X, y = numbers()
    X = LogOfColumns().fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@clean()
def function_of_all_rows() -> None:
    X, y = numbers()
    X = FunctionTransformer(np.arctan).fit_transform(X)
    print(cross_val_score(LogisticRegression(), X, y).mean())


@clean()
def products_of_columns() -> None:
    X, y = numbers()
    X = PolynomialFeatures(2).fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)).fit(a, c)
    print(model.score(b, d))


@clean()
def rows_of_length_one() -> None:
    X, y = numbers()
    X = Normalizer().fit_transform(X)
    print(cross_val_score(KNeighborsClassifier(), X, y).mean())


@clean()
def constant_in_gaps() -> None:
    df = clinic()
    df[MEASURED] = SimpleImputer(strategy="constant", fill_value=-1).fit_transform(df[MEASURED])
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], random_state=0)
    print(RandomForestClassifier(20).fit(a, c).score(b, d))


@clean()
def clusters_for_a_picture() -> None:
    X, y = numbers()
    KMeans(3, n_init=2).fit_predict(StandardScaler().fit_transform(X))
    print(cross_val_score(DecisionTreeClassifier(), X, y).mean())


@clean()
def projection_for_a_picture() -> None:
    X, y = numbers(200)
    PCA(2).fit_transform(X)
    TSNE(2, perplexity=10, max_iter=250).fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(RandomForestClassifier(20).fit(a, c).score(b, d))


@clean()
def predictions_of_folds() -> None:
    X, y = numbers()
    print(metrics.confusion_matrix(y, cross_val_predict(LogisticRegression(), X, y)))


@clean()
def curves() -> None:
    X, y = numbers(300)
    learning_curve(GaussianNB(), X, y, cv=3)
    validation_curve(SVC(), X, y, param_name="C", param_range=[0.1, 1], cv=3)


@clean()
def importance_on_test_rows() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = RandomForestClassifier(20, random_state=0).fit(a, c)
    print(permutation_importance(model, b, d, n_repeats=3).importances_mean, model.score(b, d))


@clean()
def calibrated() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = CalibratedClassifierCV(SVC(), cv=3).fit(a, c)
    print(metrics.brier_score_loss(d, model.predict_proba(b)[:, 1]))


@clean()
def stacked_and_voted() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    both = [("t", DecisionTreeClassifier()), ("g", GaussianNB())]
    for model in (StackingClassifier(both), VotingClassifier(both)):
        print(model.fit(a, c).score(b, d))


@clean()
def batches_of_a_stream() -> None:
    X, y = numbers(800)
    model = SGDClassifier(random_state=0)
    for start in range(0, 600, 100):
        model.partial_fit(X[start : start + 100], y[start : start + 100], classes=[0, 1])
    print(model.score(X[600:], y[600:]))


@clean()
def refitted_for_use() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    print(model.fit(a, c).score(b, d))
    final = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    print(final.predict(numbers(50, seed=9)[0])[:5])


@clean()
def dummies_before_the_split() -> None:
    df = pd.get_dummies(clinic().dropna(), columns=["sex", "ward"], drop_first=True)
    X, y = df.drop(columns=["ill", "patient"]), df["ill"]
    a, b, c, d = train_test_split(X, y, test_size=0.2, random_state=4)
    scaler = StandardScaler().fit(a[MEASURED])
    a, b = a.copy(), b.copy()
    a[MEASURED], b[MEASURED] = scaler.transform(a[MEASURED]), scaler.transform(b[MEASURED])
    print(LogisticRegression().fit(a, c).score(b, d))


@clean()
def coarse_measurements() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(KNeighborsClassifier().fit(a, c).score(b, d))


@clean()
def survey_of_few_answers() -> None:
    draw = np.random.default_rng(5)
    X = pd.DataFrame(draw.integers(1, 5, size=(900, 4)), columns=list("abcd"))
    y = (X["a"] + draw.normal(size=900) > 3).astype(int)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(DecisionTreeClassifier().fit(a, c).score(b, d))


@clean("torch")
def network_with_its_own_test_rows() -> None:
    import torch

    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler().fit(a)
    rows = [torch.tensor(scaler.transform(part), dtype=torch.float32) for part in (a, b)]
    data = torch.utils.data.TensorDataset(rows[0], torch.tensor(c))
    model = torch.nn.Linear(8, 2)
    steps = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model.train()
        for inputs, labels in torch.utils.data.DataLoader(data, batch_size=32, shuffle=True):
            steps.zero_grad()
            torch.nn.functional.cross_entropy(model(inputs), labels).backward()
            steps.step()
        model.eval()
        with torch.no_grad():
            print((model(rows[1]).argmax(1).numpy() == d).mean())


@clean("torch")
def frozen_embedding() -> None:
    import torch

    X, y = numbers()
    encoder = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh()).eval()
    with torch.no_grad():
        made = encoder(torch.tensor(X, dtype=torch.float32)).numpy()
    a, b, c, d = train_test_split(made, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@clean("lightgbm")
def boosted_on_training_rows() -> None:
    import lightgbm

    X, y = numbers(900)
    a, b, c, d = train_test_split(X, y, random_state=0)
    a, valid, c, y_valid = train_test_split(a, c, random_state=0)
    data = lightgbm.Dataset(a, c)
    booster = lightgbm.train(
        {"objective": "binary", "verbose": -1},
        data,
        50,
        valid_sets=[lightgbm.Dataset(valid, y_valid, reference=data)],
        callbacks=[lightgbm.early_stopping(5, verbose=False)],
    )
    print(metrics.roc_auc_score(d, booster.predict(b)))


@clean("lightgbm")
def boosted_estimator_in_folds() -> None:
    import lightgbm

    X, y = numbers()
    print(cross_val_score(lightgbm.LGBMClassifier(n_estimators=10, verbose=-1), X, y, cv=3).mean())


@clean()
def chosen_on_validation_rows() -> None:
    X, y = numbers(900)
    a, rest, c, y_rest = train_test_split(X, y, test_size=0.4, random_state=0)
    valid, test, y_valid, y_test = train_test_split(rest, y_rest, test_size=0.5, random_state=0)
    models = [DecisionTreeClassifier(max_depth=depth).fit(a, c) for depth in (2, 4, 8)]
    best = max(models, key=lambda model: model.score(valid, y_valid))
    print(best.score(test, y_test))


@clean()
def baseline_beside_it() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    for model in (DummyClassifier(), LogisticRegression()):
        print(model.fit(a, c).score(b, d))


@clean()
def transformed_outcome() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = TransformedTargetRegressor(Ridge(), transformer=QuantileTransformer(n_quantiles=50))
    print(model.fit(a, c).score(b, d))


@clean()
def outcome_scaled_by_training() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler().fit(c[:, None])
    model = Lasso(0.01).fit(a, scaler.transform(c[:, None])[:, 0])
    print(metrics.r2_score(d, scaler.inverse_transform(model.predict(b)[:, None])[:, 0]))


@clean()
def outliers_of_training_rows() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    kept = IsolationForest(random_state=0).fit_predict(a) == 1
    print(SVC().fit(a[kept], c[kept]).score(b, d))


@clean()
def each_row_left_out() -> None:
    X, y = numbers(60, 3)
    print(cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y, cv=LeaveOneOut()).mean())


@clean()
def union_and_selection_in_a_pipeline() -> None:
    X, y = numbers(200, 30)
    model = make_pipeline(
        FeatureUnion([("pca", PCA(3)), ("best", SelectKBest(k=3))]),
        SelectFromModel(RandomForestClassifier(10)),
        LogisticRegression(),
    )
    print(cross_val_score(model, X, y, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2)).mean())


@clean()
def bootstrap() -> None:
    X, y = numbers()
    draw = np.random.default_rng(0)
    for _ in range(10):
        chosen = draw.integers(0, len(X), len(X))
        left = np.setdiff1d(np.arange(len(X)), chosen)
        print(GaussianNB().fit(X[chosen], y[chosen]).score(X[left], y[left]))


@clean()
def two_studies() -> None:
    for seed in (0, 1):
        X, y = numbers(seed=seed)
        X = KBinsDiscretizer(4, encode="ordinal").fit(X[:350]).transform(X)
        print(DecisionTreeClassifier().fit(X[:350], y[:350]).score(X[350:], y[350:]))


@clean()
def half_labelled() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    partly = np.where(np.random.default_rng(0).random(len(c)) < 0.5, -1, c)
    print(SelfTrainingClassifier(LogisticRegression()).fit(a, partly).score(b, d))


@clean()
def residuals_and_test() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = RandomForestRegressor(20, random_state=0).fit(a, c)
    print((c - model.predict(a)).std(), metrics.mean_absolute_error(d, model.predict(b)))


@clean()
def test_file_of_its_own() -> None:
    train, test = clinic(seed=1), clinic(300, seed=2)
    means = SimpleImputer().fit(train[MEASURED])
    model = HistGradientBoostingClassifier(max_iter=20).fit(means.transform(train[MEASURED]), train["ill"])
    print(model.score(means.transform(test[MEASURED]), test["ill"]))


@clean("polars")
def frames_of_polars() -> None:
    import polars as pl

    df = pl.from_pandas(clinic().dropna()[[*MEASURED, "ill"]])
    train, test = df[:400], df[400:]
    scaler = StandardScaler().fit(train[MEASURED])
    model = LogisticRegression().fit(scaler.transform(train[MEASURED]), train["ill"])
    print(model.score(scaler.transform(test[MEASURED]), test["ill"]))


@clean()
def sparse_rows() -> None:
    X = scipy.sparse.random(500, 40, density=0.1, random_state=0, format="csr")
    y = np.asarray(X.sum(axis=1)).ravel() > 2
    a, b, c, d = train_test_split(X, y, random_state=0)
    svd = TruncatedSVD(5, random_state=0).fit(a)
    print(LogisticRegression().fit(svd.transform(a), c).score(svd.transform(b), d))


@clean()
def digits_in_parts() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    a, b, c, d = train_test_split(X / 16, y, random_state=0)
    pca = PCA(20).fit(a)
    print(KNeighborsClassifier().fit(pca.transform(a), c).score(pca.transform(b), d))


@clean()
def logarithm_then_scaled_training() -> None:
    df = clinic().dropna()
    df["pressure"] = np.log(df["pressure"])
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], random_state=0)
    scaler = RobustScaler()
    model = SVC(probability=False).fit(scaler.fit_transform(a), c)
    print(metrics.roc_auc_score(d, model.decision_function(scaler.transform(b))))


# --- the count ---------------------------------------------------------------------------------------


def is_loaded(package: str) -> bool:
    """Whether there is such a package; it is loaded before the watch begins, as the first lines of a program do."""
    return find_spec(package) is not None and import_module(package) is not None


def raised(program: Program) -> list[str]:
    """The codes of warnings and errors, each with its message."""
    with watch(warn=False) as seen, redirect_stdout(io.StringIO()):
        program()
    return [f"{f.code} {f.severity} {f.message}" for f in seen.report().findings if f.severity is not Severity.NOTE]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    warnings.simplefilter("ignore")
    found = alarms = 0
    leaks = {program: codes for program, (codes, needs) in LEAKS.items() if is_loaded(needs)}
    honest = [program for program, needs in CLEAN.items() if is_loaded(needs)]
    for program, codes in leaks.items():
        said = raised(program)
        hit = any(line.split()[0] in codes for line in said)
        found += hit
        if show and not hit:
            print(f"  missed: {program.__name__} {said}")
    for program in honest:
        said = raised(program)
        alarms += bool(said)
        if show and said:
            print(f"  false alarm: {program.__name__} {said}")
    left_out = len(LEAKS) + len(CLEAN) - len(leaks) - len(honest)
    print(f"leaks at warning or above: {found} of {len(leaks)}; false alarms: {alarms} of {len(honest)} clean programs")
    print(f"left out, for a package is missing: {left_out}")
    return int(found < TO_REACH * len(leaks) or alarms > 0)


if __name__ == "__main__":
    sys.exit(main())
