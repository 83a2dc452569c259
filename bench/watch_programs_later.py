"""A second lot of programs for `assay.leakage.watch`: 22 with a leak, 22 without, all written before any was tried.

    pip install imbalanced-learn lightgbm torch
    python bench/watch_programs_later.py [--show]

They are counted as in `watch_programs.py`.
"""

# ruff: noqa: N803, N806, PLC0415, ARG002 - programs as people write them

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn import datasets, metrics
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.cluster import FeatureAgglomeration, KMeans
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import NMF, PCA, FastICA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401 - makes the next import possible
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import RFECV, SelectFromModel, SelectKBest, VarianceThreshold, f_classif
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import ElasticNet, LinearRegression, LogisticRegression, Ridge, RidgeClassifier, SGDClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    RandomizedSearchCV,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    permutation_test_score,
    train_test_split,
)
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    SplineTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from watch_programs import CLEAN, LEAKS, MEASURED, clean, clinic, leak, main, numbers, series, texts

LEAKS.clear()
CLEAN.clear()


# --- leaks -------------------------------------------------------------------------------------------


@leak("L1.3", "L1.2")
def features_chosen_by_a_function_of_all_rows() -> None:
    X, y = numbers(columns=60)
    strength, _ = f_classif(X, y)
    X = X[:, np.argsort(strength)[-10:]]
    a, b, c, d = train_test_split(X, y, random_state=1)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.2")
def standardised_by_pandas() -> None:
    df = clinic().dropna()
    X = df[["age", "pressure", "glucose", "weight"]]
    X = (X - X.mean()) / X.std()
    a, b, c, d = train_test_split(X, df["ill"], random_state=1)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.2")
def scaled_then_cut_by_a_permutation() -> None:
    X, y = numbers()
    X = StandardScaler().fit_transform(X)
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:400], order[400:]
    model = KNeighborsClassifier().fit(np.take(X, train, axis=0), y[train])
    print(metrics.accuracy_score(y[test], model.predict(np.take(X, test, axis=0))))


@leak("L1.3", "L1.2")
def genes_chosen_then_left_out_one_by_one() -> None:
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(60, 2000)), np.arange(60) % 2
    X = SelectKBest(f_classif, k=20).fit_transform(X, y)
    right = 0
    for out in range(len(X)):
        kept = np.arange(len(X)) != out
        right += int(LinearDiscriminantAnalysis().fit(X[kept], y[kept]).predict(X[[out]])[0] == y[out])
    print(right / len(X))


@leak("L1.2")
def topics_of_all_documents() -> None:
    documents, y = texts()
    topics = NMF(8, max_iter=80, random_state=0).fit_transform(TfidfVectorizer().fit_transform(documents))
    print(cross_validate(ExtraTreesClassifier(20, random_state=0), topics, y, cv=4)["test_score"])


@leak("L1.2", "L1.4", needs="imblearn")
def adasyn_before_cross_validation() -> None:
    from imblearn.over_sampling import ADASYN

    df = clinic().dropna()
    X, y = ADASYN(random_state=0).fit_resample(df[MEASURED], df["ill"])
    print(cross_val_score(RandomForestClassifier(20, random_state=0), X, y, cv=5).mean())


@leak("L1.2")
def gaps_filled_in_both_parts_together() -> None:
    df = clinic()
    train, test = train_test_split(df, random_state=0)
    both = pd.concat([train[MEASURED], test[MEASURED]])
    filled = pd.DataFrame(KNNImputer().fit_transform(both), columns=MEASURED, index=both.index)
    model = HistGradientBoostingClassifier(max_iter=20).fit(filled.loc[train.index], train["ill"])
    print(metrics.f1_score(test["ill"], model.predict(filled.loc[test.index])))


@leak("L1.1")
def reported_on_what_it_learnt() -> None:
    df = clinic().dropna()
    model = make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=60, random_state=0))
    model.fit(df[MEASURED], df["ill"])
    print(metrics.classification_report(df["ill"], model.predict(df[MEASURED]), zero_division=0))


@leak("L1.1")
def trained_on_everything_tested_on_a_part() -> None:
    X, y = numbers()
    _, X_test, _, y_test = train_test_split(X, y, random_state=3)
    model = GradientBoostingRegressor(n_estimators=20).fit(X, y)
    print(metrics.r2_score(y_test, model.predict(X_test)))


@leak("L1.2")
def lags_of_a_scaled_series() -> None:
    y = MinMaxScaler().fit_transform(series().reshape(-1, 1)).ravel()
    table = pd.DataFrame({f"lag{k}": pd.Series(y).shift(k) for k in range(1, 6)}).assign(now=y).dropna()
    past, later = table.iloc[:500], table.iloc[500:]
    model = SVR().fit(past.drop(columns="now"), past["now"])
    print(metrics.mean_absolute_error(later["now"], model.predict(later.drop(columns="now"))))


@leak("L1.4")
def bootstrap_before_the_split() -> None:
    df = clinic().dropna()
    more = df.sample(2000, replace=True, random_state=0)
    a, b, c, d = train_test_split(more[MEASURED], more["ill"], random_state=0)
    print(DecisionTreeClassifier(random_state=0).fit(a, c).score(b, d))


@leak("L1.2", needs="torch")
def principal_components_into_a_network() -> None:
    import torch
    from torch.utils.data import DataLoader, TensorDataset, random_split

    X, y = numbers(400, 20)
    X = PCA(6, random_state=0).fit_transform(X)
    data = TensorDataset(torch.tensor(X, dtype=torch.float32), torch.tensor(y))
    train, test = random_split(data, [300, 100], generator=torch.Generator().manual_seed(0))
    net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    optimiser = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(3):
        net.train()
        for a, c in DataLoader(train, 32, shuffle=True):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(net(a), c).backward()
            optimiser.step()
    net.eval()
    with torch.no_grad():
        print(sum(int((net(b).argmax(1) == d).sum()) for b, d in DataLoader(test, 50)) / 100)


@leak("L1.3", "L1.2", needs="lightgbm")
def chosen_features_into_lightgbm() -> None:
    import lightgbm as lgb

    X, y = numbers(columns=40)
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(40)])
    chosen = frame.columns[SelectKBest(k=8).fit(frame, y).get_support()]
    a, b, c, d = train_test_split(frame[chosen], y, random_state=0)
    booster = lgb.train({"objective": "binary", "verbose": -1}, lgb.Dataset(a, c), num_boost_round=10)
    print(metrics.roc_auc_score(d, booster.predict(b)))


@leak("L1.2")
def clusters_as_a_feature() -> None:
    df = clinic().dropna()
    X = df[MEASURED].copy()
    X["cluster"] = KMeans(6, n_init=3, random_state=0).fit_predict(X)
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    print(RandomForestClassifier(20, random_state=0).fit(a, c).score(b, d))


@leak("L1.2")
def every_column_by_its_own_scaler() -> None:
    df = clinic().dropna()
    for name in MEASURED:
        df[name] = PowerTransformer().fit_transform(df[[name]]).ravel()
    first, second = df[df["ward"] < "e"], df[df["ward"] >= "e"]
    model = RidgeClassifier().fit(first[MEASURED], first["ill"])
    print(model.score(second[MEASURED], second["ill"]))


@leak("L1.2")
def sparse_parts_side_by_side() -> None:
    documents, y = texts()
    words = TfidfTransformer().fit_transform(CountVectorizer().fit_transform(documents))
    length = scipy.sparse.csr_matrix(np.array([[len(t)] for t in documents]) / 100)
    X = scipy.sparse.hstack([words, length]).tocsr()
    half = np.arange(len(y)) < 300
    print(SGDClassifier(random_state=0).fit(X[half], y[half]).score(X[~half], y[~half]))


@leak("L1.3", "L1.2")
def metric_learnt_from_all_labels() -> None:
    X, y = numbers(300, 10)
    X = NeighborhoodComponentsAnalysis(3, max_iter=10, random_state=0).fit_transform(X, y)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(KNeighborsClassifier().fit(a, c).score(b, d))


@leak("L1.3", "L1.2")
def encoder_given_the_test_rows_too() -> None:
    df = clinic().dropna()
    train, test = train_test_split(df, random_state=0)
    encoder = TargetEncoder().fit(df[["ward", "patient"]], df["ill"])
    model = LogisticRegression().fit(encoder.transform(train[["ward", "patient"]]), train["ill"])
    print(model.score(encoder.transform(test[["ward", "patient"]]), test["ill"]))


@leak("L1.2")
def imputed_with_the_outcome_among_the_columns() -> None:
    df = clinic()
    columns = [*MEASURED, "ill"]
    whole = pd.DataFrame(IterativeImputer(max_iter=3, random_state=0).fit_transform(df[columns]), columns=columns)
    y = whole.pop("ill")
    print(cross_val_score(AdaBoostClassifier(n_estimators=20), whole, y, cv=5).mean())


@leak("L1.2")
def composed_once_used_in_every_fold() -> None:
    df = clinic()
    prepare = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), MEASURED), (OneHotEncoder(), ["sex", "ward"])
    )
    X, y = prepare.fit_transform(df), df["ill"].to_numpy()
    scores = []
    for train, test in StratifiedKFold(4, shuffle=True, random_state=0).split(X, y):
        model = LogisticRegression(max_iter=300).fit(X[train], y[train])
        scores.append(metrics.roc_auc_score(y[test], model.predict_proba(X[test])[:, 1]))
    print(np.mean(scores))


@leak("L1.2")
def scaler_of_test_rows_for_test_rows_of_training_for_none() -> None:
    X, y = numbers()
    scaler = StandardScaler().fit(X)
    X_train, X_test = X[:350], X[350:]
    model = LinearSVC().fit(scaler.transform(X_train).astype(np.float32), y[:350])
    print(model.score(scaler.transform(X_test).astype(np.float32), y[350:]))


@leak("L1.2")
def independent_components_then_one_more_column() -> None:
    X, y = numbers(400, 12)
    sources = FastICA(5, random_state=0, max_iter=300).fit_transform(X)
    X = np.column_stack([sources, X[:, 0] * X[:, 1]])
    splitter = ShuffleSplit(3, test_size=0.3, random_state=0)
    print([clone(m).fit(X[a], y[a]).score(X[b], y[b]) for m in [Ridge()] for a, b in splitter.split(X)])


# --- no leaks ----------------------------------------------------------------------------------------


@clean()
def search_over_a_pipeline_then_the_held_out_part() -> None:
    df = clinic()
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], random_state=0)
    steps = Pipeline([("fill", SimpleImputer()), ("scale", MaxAbsScaler()), ("model", LogisticRegression())])
    search = GridSearchCV(steps, {"model__C": [0.1, 1, 10], "fill__strategy": ["mean", "median"]}, cv=3).fit(a, c)
    print(search.best_params_, search.score(b, d))


@clean()
def assigned_columns_scaled_by_training() -> None:
    df = clinic().dropna()
    train, test = train_test_split(df, random_state=0)
    train, test = train.copy(), test.copy()
    scaler = StandardScaler().fit(train[MEASURED])
    train[MEASURED], test[MEASURED] = scaler.transform(train[MEASURED]), scaler.transform(test[MEASURED])
    print(DecisionTreeClassifier(random_state=0).fit(train[MEASURED], train["ill"]).score(test[MEASURED], test["ill"]))


@clean()
def rolling_origin() -> None:
    y = series()
    X = np.column_stack([np.roll(y, k) for k in range(1, 5)])[5:]
    y = y[5:]
    for train, test in TimeSeriesSplit(4).split(X):
        scaler = MinMaxScaler().fit(X[train])
        model = ElasticNet().fit(scaler.transform(X[train]), y[train])
        print(metrics.mean_squared_error(y[test], model.predict(scaler.transform(X[test]))))


@clean()
def folds_of_patients_with_everything_inside() -> None:
    df = clinic()
    X, y, groups = df[MEASURED].to_numpy(), df["ill"].to_numpy(), df["patient"].to_numpy()
    for train, test in StratifiedGroupKFold(4).split(X, y, groups):
        filler, scaler = KNNImputer(), StandardScaler()
        own = scaler.fit_transform(filler.fit_transform(X[train]))
        model = LogisticRegression().fit(own, y[train])
        print(model.score(scaler.transform(filler.transform(X[test])), y[test]))


@clean(needs="imblearn")
def smote_inside_the_folds() -> None:
    from imblearn.over_sampling import SMOTE
    from imblearn.pipeline import Pipeline as SamplingPipeline

    df = clinic().dropna()
    model = SamplingPipeline([("more", SMOTE(random_state=0)), ("model", RandomForestClassifier(20, random_state=0))])
    print(cross_val_score(model, df[MEASURED], df["ill"], cv=4).mean())


@clean()
def picture_of_all_rows_afterwards() -> None:
    X, y = datasets.load_wine(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(RandomForestClassifier(20, random_state=0).fit(a, c).score(b, d))
    flat = PCA(2).fit_transform(StandardScaler().fit_transform(X))
    print(flat[:, 0].max(), KMeans(3, n_init=2, random_state=0).fit(flat).inertia_)


@clean()
def words_inside_the_folds() -> None:
    documents, y = texts()
    model = make_pipeline(CountVectorizer(), TfidfTransformer(), TruncatedSVD(10, random_state=0), LogisticRegression())
    print(metrics.classification_report(y, cross_val_predict(model, documents, y, cv=4)))


@clean(needs="xgboost")
def boosting_stopped_on_validation_rows() -> None:
    import xgboost as xgb

    X, y = numbers(800)
    a, rest, c, others = train_test_split(X, y, test_size=0.4, random_state=0)
    v, b, w, d = train_test_split(rest, others, test_size=0.5, random_state=0)
    booster = xgb.train(
        {"objective": "binary:logistic", "max_depth": 3},
        xgb.DMatrix(a, c),
        30,
        evals=[(xgb.DMatrix(v, w), "validation")],
        early_stopping_rounds=5,
        verbose_eval=False,
    )
    print(metrics.roc_auc_score(d, booster.predict(xgb.DMatrix(b))))


@clean(needs="torch")
def network_with_validation_and_test() -> None:
    import torch

    X, y = numbers(450, 6)
    scaler = StandardScaler().fit(X[:250])
    parts = [
        torch.tensor(scaler.transform(X[s]), dtype=torch.float32)
        for s in (slice(250), slice(250, 350), slice(350, None))
    ]
    labels = [torch.tensor(y[s]) for s in (slice(250), slice(250, 350), slice(350, None))]
    net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
    optimiser = torch.optim.SGD(net.parameters(), lr=0.1)
    best, kept = 1e9, None
    for _ in range(5):
        net.train()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(net(parts[0]), labels[0]).backward()
        optimiser.step()
        net.eval()
        with torch.no_grad():
            loss = float(torch.nn.functional.cross_entropy(net(parts[1]), labels[1]))
        if loss < best:
            best, kept = loss, {k: v.clone() for k, v in net.state_dict().items()}
    net.load_state_dict(kept)
    with torch.no_grad():
        print(float((net(parts[2]).argmax(1) == labels[2]).float().mean()))


@clean()
def refitted_on_training_and_validation() -> None:
    X, y = numbers(700)
    a, b, v, w, t, u = X[:400], y[:400], X[400:550], y[400:550], X[550:], y[550:]
    best = max((1, 3, 9), key=lambda k: KNeighborsClassifier(k).fit(a, b).score(v, w))
    final = KNeighborsClassifier(best).fit(np.vstack([a, v]), np.r_[b, w])
    print(final.score(t, u))


@clean()
def final_model_of_all_rows_for_new_patients() -> None:
    df = clinic().dropna()
    known, new = df.iloc[:400], df.iloc[400:]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    print(cross_val_score(model, known[MEASURED], known["ill"], cv=5).mean())
    print(model.fit(known[MEASURED], known["ill"]).predict(new[MEASURED])[:5])


@clean()
def selected_anew_in_each_fold() -> None:
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(90, 500)), np.arange(90) % 3
    for train, test in StratifiedKFold(3).split(X, y):
        chosen = np.argsort(f_classif(X[train], y[train])[0])[-15:]
        print(SGDClassifier(random_state=0).fit(X[train][:, chosen], y[train]).score(X[test][:, chosen], y[test]))


@clean()
def outliers_by_a_model_of_normal_rows() -> None:
    df = clinic().dropna()
    healthy, ill = df[df["ill"] == 0], df[df["ill"] == 1]
    model = IsolationForest(random_state=0).fit(healthy[MEASURED].iloc[:200])
    scores = model.decision_function(pd.concat([healthy[MEASURED].iloc[200:], ill[MEASURED]]))
    print(scores.mean())


@clean()
def clusters_of_training_rows_as_a_feature() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    clusters = KMeans(5, n_init=2, random_state=0).fit(a)
    more, more_test = np.c_[a, clusters.predict(a)], np.c_[b, clusters.predict(b)]
    print(DecisionTreeRegressor(max_depth=4).fit(more, c).score(more_test, d))


@clean(needs="polars")
def standardised_in_polars_by_training() -> None:
    import polars as pl

    X, y = numbers()
    frame = pl.DataFrame(X, schema=[f"f{i}" for i in range(8)])
    train, test = frame[:350], frame[350:]
    by = {n: (train[n].mean(), train[n].std()) for n in frame.columns}
    train, test = (p.select((pl.col(n) - m) / s for n, (m, s) in by.items()) for p in (train, test))
    print(LogisticRegression().fit(train.to_numpy(), y[:350]).score(test.to_numpy(), y[350:]))


@clean()
def several_models_one_final_test() -> None:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    a, b, c, d = train_test_split(X, y, stratify=y, random_state=0)
    models = [DummyClassifier(), make_pipeline(StandardScaler(), LogisticRegression()), ExtraTreesClassifier(20)]
    scores = [cross_val_score(m, a, c, cv=3).mean() for m in models]
    print(models[int(np.argmax(scores))].fit(a, c).score(b, d))


@clean()
def training_and_test_score_side_by_side() -> None:
    X, y = numbers()
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = DecisionTreeClassifier(random_state=0).fit(a, c)
    print("training", model.score(a, c), "test", model.score(b, d))


@clean()
def answers_of_a_questionnaire() -> None:
    draw = np.random.default_rng(0)
    X = draw.integers(1, 6, (900, 4))
    y = (X.sum(axis=1) + draw.normal(size=900) > 12).astype(int)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(MultinomialNB().fit(a, c).score(b, d))


@clean()
def one_hospital_left_out() -> None:
    df = clinic()
    model = make_pipeline(
        ColumnTransformer([("n", SimpleImputer(), MEASURED), ("c", OrdinalEncoder(), ["sex"])]),
        HistGradientBoostingClassifier(max_iter=10),
    )
    print(cross_val_score(model, df, df["ill"], groups=df["ward"], cv=LeaveOneGroupOut()))


@clean()
def significance_by_permutation() -> None:
    X, y = numbers(150)
    print(permutation_test_score(make_pipeline(SplineTransformer(4), Ridge()), X, y, cv=3, n_permutations=10)[2])


@clean()
def own_classifier_and_transformer() -> None:
    class Centred(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            self.mean_ = X.mean(axis=0)
            return self

        def transform(self, X):
            return X - self.mean_

    class Nearest(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.centres_ = np.array([X[y == k].mean(axis=0) for k in self.classes_])
            return self

        def predict(self, X):
            return self.classes_[((X[:, None] - self.centres_) ** 2).sum(axis=2).argmin(axis=1)]

    X, y = numbers()
    splitter = GroupShuffleSplit(2, test_size=0.3, random_state=0)
    for train, test in splitter.split(X, y, np.arange(len(y)) // 5):
        step = Centred().fit(X[train])
        print(Nearest().fit(step.transform(X[train]), y[train]).score(step.transform(X[test]), y[test]))


@clean()
def search_at_random_with_selection_inside() -> None:
    X, y = numbers(400, 15)
    a, b, c, d = train_test_split(X, y, random_state=0)
    inside = make_pipeline(
        VarianceThreshold(), FeatureAgglomeration(8), SelectFromModel(LinearRegression()), DecisionTreeClassifier()
    )
    search = RandomizedSearchCV(inside, {"decisiontreeclassifier__max_depth": [2, 4, 6]}, n_iter=2, random_state=0)
    print(search.fit(a, c).score(b, d), RFECV(LogisticRegression(), cv=3).fit(a, c).score(b, d))


if __name__ == "__main__":
    sys.exit(main())
