"""A third lot of programs for `assay.leakage.watch`: 22 with a leak, 44 without, all written before any was tried.

    pip install imbalanced-learn lightgbm torch xgboost
    python bench/watch_programs_last.py [--show]

They are counted as in `watch_programs.py`.
"""

# ruff: noqa: N803, N806, PLC0415, ARG002 - programs as people write them

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn import datasets, metrics
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.cluster import DBSCAN, MiniBatchKMeans
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.covariance import EllipticEnvelope
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA, IncrementalPCA, KernelPCA, LatentDirichletAllocation
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingRegressor,
    VotingClassifier,
)
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import (
    GenericUnivariateSelect,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    chi2,
    mutual_info_classif,
)
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.isotonic import IsotonicRegression
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import (
    BayesianRidge,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    PoissonRegressor,
    Ridge,
    RidgeCV,
    SGDRegressor,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeavePGroupsOut,
    RandomizedSearchCV,
    RepeatedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    LabelBinarizer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
)
from sklearn.random_projection import GaussianRandomProjection
from sklearn.svm import SVC, SVR, LinearSVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from watch_programs import CLEAN, LEAKS, MEASURED, clean, clinic, leak, main, numbers, series, texts

LEAKS.clear()
CLEAN.clear()


# --- leaks -------------------------------------------------------------------------------------------


@leak("L1.2")
def robust_scaling_of_the_wine_table() -> None:
    X, y = datasets.load_wine(return_X_y=True, as_frame=True)
    X = pd.DataFrame(RobustScaler().fit_transform(X), columns=X.columns)
    a, b, c, d = train_test_split(X, y, stratify=y, random_state=5)
    print(metrics.accuracy_score(d, SVC().fit(a, c).predict(b)))


@leak("L1.3")
def mutual_information_on_all_tumours() -> None:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    X = SelectPercentile(mutual_info_classif, percentile=30).fit(X, y).transform(X)
    scores = [
        GaussianNB().fit(X[a], y[a]).score(X[b], y[b]) for a, b in KFold(5, shuffle=True, random_state=0).split(X)
    ]
    print(np.mean(scores))


@leak("L1.3", "L1.2")
def partial_least_squares_before_the_split() -> None:
    X, y = numbers(200, 40)
    parts = PLSRegression(3).fit(X, y).transform(X)
    a, b, c, d = train_test_split(parts, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@leak("L1.3", "L1.2")
def discriminants_of_all_digits() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    X = LinearDiscriminantAnalysis(n_components=5).fit_transform(X, y)
    print(cross_val_score(KNeighborsClassifier(3), X, y, cv=3).mean())


@leak("L1.2")
def test_rows_scaled_by_their_own_scaler_with_training() -> None:
    df = clinic().dropna().astype({"age": float})
    train, test = df.iloc[:300].copy(), df.iloc[300:].copy()
    scaler = MinMaxScaler()
    scaler.fit(pd.concat([train, test])[MEASURED])
    train.loc[:, MEASURED] = scaler.transform(train[MEASURED])
    test.loc[:, MEASURED] = scaler.transform(test[MEASURED])
    model = RandomForestClassifier(15, random_state=0).fit(train[MEASURED].values, train["ill"].values)
    print(metrics.roc_auc_score(test["ill"].values, model.predict_proba(test[MEASURED].values)[:, 1]))


@leak("L1.2")
def kernel_components_of_everything() -> None:
    X, y = numbers(250, 12)
    X = KernelPCA(4, kernel="rbf").fit_transform(StandardScaler().fit_transform(X))
    for train, test in RepeatedKFold(n_splits=3, n_repeats=2, random_state=0).split(X):
        print(Perceptron().fit(X[train], y[train]).score(X[test], y[test]))


@leak("L1.2")
def topics_from_all_documents_then_boosting() -> None:
    said, y = texts(200)
    counts = CountVectorizer(max_features=100).fit_transform(said)
    topics = LatentDirichletAllocation(5, max_iter=3, random_state=0).fit_transform(counts)
    a, b, c, d = train_test_split(topics, y, test_size=60, random_state=0)
    print(GradientBoostingClassifier(n_estimators=10).fit(a, c).score(b, d))


@leak("L1.2")
def gaps_of_all_rows_filled_column_by_column() -> None:
    df = clinic()
    df["glucose"] = SimpleImputer(strategy="mean").fit_transform(df[["glucose"]]).ravel()
    a, b = train_test_split(df, test_size=0.25, random_state=7, stratify=df["ill"])
    model = ExtraTreesClassifier(20, random_state=0).fit(a[MEASURED], a["ill"])
    print(metrics.balanced_accuracy_score(b["ill"], model.predict(b[MEASURED])))


@leak("L1.2", "L1.4", needs="imblearn")
def borderline_smote_before_a_search() -> None:
    from imblearn.over_sampling import BorderlineSMOTE

    df = clinic().dropna()
    X, y = BorderlineSMOTE(random_state=1).fit_resample(df[MEASURED], df["ill"])
    a, b, c, d = train_test_split(X, y, random_state=1)
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 5]}, cv=3).fit(a, c)
    print(search.score(b, d))


@leak("L1.2", "L1.4", needs="imblearn")
def minority_repeated_before_the_folds() -> None:
    from imblearn.over_sampling import RandomOverSampler

    X, y = datasets.make_classification(300, weights=[0.9], random_state=0)
    X, y = RandomOverSampler(random_state=0).fit_resample(X, y)
    print(cross_validate(KNeighborsClassifier(), X, y, cv=StratifiedKFold(4, shuffle=True, random_state=0)))


@leak("L1.1")
def folds_scored_by_the_model_of_all_rows() -> None:
    X, y = numbers(300)
    model = GradientBoostingClassifier(n_estimators=15).fit(X, y)
    print([metrics.accuracy_score(y[b], model.predict(X[b])) for _, b in KFold(3).split(X)])


@leak("L1.1")
def sorted_split_that_overlaps() -> None:
    X, y = numbers(400)
    train, test = slice(0, 320), slice(280, 400)
    model = LogisticRegression().fit(X[train], y[train])
    print(model.score(X[test], y[test]))


@leak("L1.4")
def doubled_table_with_new_index() -> None:
    df = clinic().dropna()
    df = pd.concat([df, df], ignore_index=True).sample(frac=1, random_state=0)
    X, y = df[MEASURED].to_numpy(), df["ill"].to_numpy()
    cut = int(len(X) * 0.7)
    print(BaggingClassifier(random_state=0).fit(X[:cut], y[:cut]).score(X[cut:], y[cut:]))


@leak("L1.2", needs="xgboost")
def scaled_table_in_a_matrix_of_xgboost() -> None:
    import xgboost as xgb

    X, y = numbers(600)
    X = QuantileTransformer(n_quantiles=50).fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(a, label=c), num_boost_round=5)
    print(metrics.log_loss(d, booster.predict(xgb.DMatrix(b))))


@leak("L1.2", needs="xgboost")
def imputed_and_given_to_the_estimator_of_xgboost() -> None:
    import xgboost as xgb

    df = clinic()
    X = pd.DataFrame(KNNImputer(n_neighbors=3).fit_transform(df[MEASURED]), columns=MEASURED)
    a, b, c, d = train_test_split(X, df["ill"], test_size=0.2, random_state=2)
    print(xgb.XGBClassifier(n_estimators=5).fit(a, c).score(b, d))


@leak("L1.2", needs="torch")
def standardised_images_into_batches() -> None:
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    X, y = datasets.load_digits(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    net = torch.nn.Sequential(torch.nn.Linear(64, 16), torch.nn.ReLU(), torch.nn.Linear(16, 10))
    optimiser = torch.optim.SGD(net.parameters(), lr=0.05)
    loader = DataLoader(TensorDataset(torch.from_numpy(a).float(), torch.from_numpy(c)), batch_size=64, shuffle=True)
    for _ in range(2):
        for images, labels in loader:
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(net(images), labels).backward()
            optimiser.step()
    net.eval()
    with torch.no_grad():
        print((net(torch.from_numpy(b).float()).argmax(1) == torch.from_numpy(d)).float().mean().item())


@leak("L1.2")
def windows_of_a_normalised_series_for_a_forest() -> None:
    values = StandardScaler().fit_transform(series(400).reshape(-1, 1)).flatten()
    X = np.lib.stride_tricks.sliding_window_view(values, 8)[:-1]
    y = values[8:]
    model = RandomForestRegressor(10, random_state=0).fit(X[:300], y[:300])
    print(metrics.r2_score(y[300:], model.predict(X[300:])))


@leak("L1.3", "L1.2")
def columns_chosen_by_a_forest_of_all_rows() -> None:
    X, y = numbers(300, 30)
    frame = pd.DataFrame(X).add_prefix("gene")
    chosen = SelectFromModel(ExtraTreesClassifier(30, random_state=0), max_features=6).fit(frame, y)
    kept = frame.loc[:, chosen.get_support()]
    a, b, c, d = train_test_split(kept, y, random_state=0)
    print(LogisticRegression(max_iter=500).fit(a, c).score(b, d))


@leak("L1.2")
def union_of_steps_fitted_once() -> None:
    X, y = numbers(300, 10)
    made = FeatureUnion([("parts", PCA(3)), ("bins", KBinsDiscretizer(4, encode="ordinal"))]).fit_transform(X)
    splitter = StratifiedShuffleSplit(3, test_size=0.25, random_state=0)
    print([clone(LinearSVC()).fit(made[a], y[a]).score(made[b], y[b]) for a, b in splitter.split(made, y)])


@leak("L1.2")
def weights_of_words_from_all_mails() -> None:
    said, y = texts(300)
    X = TfidfVectorizer(sublinear_tf=True).fit_transform(said)
    order = np.random.default_rng(1).permutation(len(y))
    train, test = order[:200], order[200:]
    print(ComplementNB().fit(X[train], y[train]).score(X[test], y[test]))


@leak("L1.2")
def polynomials_of_scaled_columns() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    X = PolynomialFeatures(2).fit_transform(MaxAbsScaler().fit_transform(X + np.arange(10)))
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(RidgeCV().fit(a, c).score(b, d))


@leak("L1.2")
def outliers_removed_by_all_rows_then_scaled_by_all() -> None:
    X, y = numbers(400)
    kept = LocalOutlierFactor().fit_predict(X) == 1
    X, y = StandardScaler().fit_transform(X[kept]), y[kept]
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(MLPClassifier((8,), max_iter=50, random_state=0).fit(a, c).score(b, d))


# --- no leaks ----------------------------------------------------------------------------------------


@clean()
def pipeline_on_wine() -> None:
    X, y = datasets.load_wine(return_X_y=True, as_frame=True)
    a, b, c, d = train_test_split(X, y, stratify=y, random_state=5)
    print(make_pipeline(RobustScaler(), SVC()).fit(a, c).score(b, d))


@clean()
def selection_inside_a_pipeline() -> None:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    model = make_pipeline(SelectPercentile(mutual_info_classif, percentile=30), GaussianNB())
    print(cross_val_score(model, X, y, cv=3).mean())


@clean()
def chosen_words_by_training() -> None:
    said, y = texts(300)
    a, b, c, d = train_test_split(said, y, random_state=0)
    vectors = CountVectorizer()
    train, test = vectors.fit_transform(a), vectors.transform(b)
    best = SelectKBest(chi2, k=50).fit(train, c)
    print(BernoulliNB().fit(best.transform(train), c).score(best.transform(test), d))


@clean()
def hashed_words_learn_nothing() -> None:
    said, y = texts(300)
    X = HashingVectorizer(n_features=256).fit_transform(said)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@clean()
def labels_encoded_before_the_split() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    y = LabelEncoder().fit_transform(names)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(OneVsRestClassifier(LinearSVC()).fit(a, c).score(b, d))


@clean()
def binarised_labels_for_the_area() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=1)
    said = LogisticRegression(max_iter=300).fit(a, c).predict_proba(b)
    print(metrics.roc_auc_score(LabelBinarizer().fit(y).transform(d), said))


@clean()
def categories_of_all_rows_one_hot() -> None:
    df = clinic().dropna()
    X = np.hstack([OneHotEncoder(sparse_output=False).fit_transform(df[["sex", "ward"]]), df[MEASURED]])
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    print(DecisionTreeClassifier(max_depth=3).fit(a, c).score(b, d))


@clean()
def polynomials_before_the_split() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    X = PolynomialFeatures(2).fit_transform(X)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(Ridge().fit(a, c).score(b, d))


@clean()
def projection_that_sees_no_values() -> None:
    X, y = numbers(300, 40)
    X = GaussianRandomProjection(10, random_state=0).fit_transform(X)
    print(cross_val_score(LogisticRegression(), X, y, cv=3))


@clean()
def search_with_nested_folds() -> None:
    X, y = numbers(250)
    inner = GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 1]}, cv=3)
    print(cross_val_score(inner, X, y, cv=KFold(3, shuffle=True, random_state=1)))


@clean()
def random_search_then_the_test_part() -> None:
    X, y = numbers(500)
    a, b, c, d = train_test_split(X, y, random_state=0)
    search = RandomizedSearchCV(RandomForestClassifier(10), {"max_depth": [2, 4, 8]}, n_iter=3, random_state=0)
    print(search.fit(a, c).score(b, d))


@clean()
def time_series_with_a_pipeline() -> None:
    y = series(400)
    X = np.column_stack([y[3:-1], y[2:-2], y[1:-3], y[:-4]])
    model = make_pipeline(StandardScaler(), SVR())
    print(cross_val_score(model, X, y[4:], cv=TimeSeriesSplit(4)))


@clean()
def walk_forward_with_a_growing_past() -> None:
    y = series(260)
    X = np.column_stack([y[1:-1], y[:-2]])
    goal = y[2:]
    errors = []
    for now in range(200, 250, 10):
        scaler = StandardScaler().fit(X[:now])
        model = BayesianRidge().fit(scaler.transform(X[:now]), goal[:now])
        errors.append(abs(model.predict(scaler.transform(X[now : now + 10])) - goal[now : now + 10]).mean())
    print(np.mean(errors))


@clean()
def patients_kept_together() -> None:
    df = clinic()
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    print(cross_validate(model, df[MEASURED], df["ill"], groups=df["patient"], cv=GroupKFold(4))["test_score"])


@clean()
def wards_left_out_in_pairs() -> None:
    df = clinic().dropna()
    for a, b in LeavePGroupsOut(2).split(df, groups=df["ward"]):
        train, test = df.iloc[a], df.iloc[b]
        model = HuberRegressor(max_iter=300).fit(train[["age", "weight"]], train["pressure"])
        print(model.score(test[["age", "weight"]], test["pressure"]))


@clean(needs="imblearn")
def resampled_training_part() -> None:
    from imblearn.over_sampling import SMOTE
    from imblearn.under_sampling import RandomUnderSampler

    df = clinic().dropna()
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], stratify=df["ill"], random_state=0)
    more, labels = SMOTE(random_state=0).fit_resample(a, c)
    fewer, others = RandomUnderSampler(random_state=0).fit_resample(a, c)
    print(SVC().fit(more, labels).score(b, d), SVC().fit(fewer, others).score(b, d))


@clean()
def stacked_regressors() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=3)
    model = StackingRegressor([("lasso", Lasso(0.1)), ("tree", DecisionTreeRegressor(max_depth=3))], LinearRegression())
    print(model.fit(a, c).score(b, d))


@clean()
def voting_by_three_models() -> None:
    X, y = numbers(300)
    vote = VotingClassifier([("a", GaussianNB()), ("b", LogisticRegression()), ("c", KNeighborsClassifier())])
    print(cross_val_score(vote, X, y, cv=4).mean())


@clean()
def calibrated_on_rows_of_its_own() -> None:
    X, y = numbers(900)
    model = GradientBoostingClassifier(n_estimators=10).fit(X[:400], y[:400])
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(model.predict_proba(X[400:600])[:, 1], y[400:600])
    said = isotonic.predict(model.predict_proba(X[600:])[:, 1])
    print(metrics.brier_score_loss(y[600:], said), calibration_curve(y[600:], said, n_bins=4))


@clean()
def calibrated_by_cross_validation() -> None:
    X, y = numbers(400)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = CalibratedClassifierCV(LinearSVC(), cv=3).fit(a, c)
    print(metrics.log_loss(d, model.predict_proba(b)))


@clean()
def threshold_chosen_on_validation() -> None:
    X, y = numbers(600)
    model = LogisticRegression().fit(X[:300], y[:300])
    said = model.predict_proba(X[300:450])[:, 1]
    cut = max(np.linspace(0.2, 0.8, 13), key=lambda t: metrics.f1_score(y[300:450], said > t))
    print(metrics.f1_score(y[450:], model.predict_proba(X[450:])[:, 1] > cut))


@clean()
def importances_on_the_test_part() -> None:
    X, y = numbers(300)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = RandomForestClassifier(10, random_state=0).fit(a, c)
    print(permutation_importance(model, b, d, n_repeats=2, random_state=0).importances_mean)
    print(partial_dependence(model, a, [0])["average"].shape)


@clean()
def learning_curve_of_a_pipeline() -> None:
    X, y = numbers(250)
    print(learning_curve(make_pipeline(MinMaxScaler(), GaussianNB()), X, y, cv=3, train_sizes=[0.5, 1.0])[2])


@clean()
def transformed_outcome() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = TransformedTargetRegressor(Ridge(), transformer=QuantileTransformer(n_quantiles=50))
    print(model.fit(a, c).score(b, d))


@clean()
def several_outcomes() -> None:
    X, _ = numbers(300, 10)
    a, b, c, _ = train_test_split(X[:, :7], X[:, 7:], random_state=0)
    print(MultiOutputRegressor(SGDRegressor(max_iter=50)).fit(StandardScaler().fit_transform(a), c).predict(b[:1]))


@clean()
def spikes_of_counts() -> None:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(400, 3))
    y = draw.poisson(np.exp(0.3 * X[:, 0]))
    model = make_pipeline(SplineTransformer(5), PoissonRegressor()).fit(X[:300], y[:300])
    print(metrics.mean_poisson_deviance(y[300:], model.predict(X[300:])))


@clean()
def columns_by_their_types() -> None:
    df = clinic()
    numeric = Pipeline([("fill", SimpleImputer(add_indicator=True)), ("scale", StandardScaler())])
    prepare = ColumnTransformer(
        [
            ("n", numeric, make_column_selector(dtype_include="number")),
            ("c", OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        ]
    )
    X = df.drop(columns="ill")
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    model = Pipeline([("prepare", prepare), ("model", LogisticRegression(max_iter=300))]).fit(a, c)
    print(model.score(b, d))


@clean()
def missing_cells_marked_then_filled_by_training() -> None:
    df = clinic()
    marks = MissingIndicator(features="all").fit_transform(df[MEASURED])
    train = np.arange(len(df)) < 400
    filler = KNNImputer().fit(df.loc[train, MEASURED])
    own = np.hstack([filler.transform(df.loc[train, MEASURED]), marks[train]])
    other = np.hstack([filler.transform(df.loc[~train, MEASURED]), marks[~train]])
    print(DecisionTreeClassifier(max_depth=4).fit(own, df["ill"][train]).score(other, df["ill"][~train]))


@clean()
def batches_of_a_growing_projection() -> None:
    X, y = numbers(600, 10)
    parts = IncrementalPCA(3)
    for start in range(0, 400, 100):
        parts.partial_fit(X[start : start + 100])
    model = KNeighborsClassifier().fit(parts.transform(X[:400]), y[:400])
    print(model.score(parts.transform(X[400:]), y[400:]))


@clean()
def clusters_of_all_rows_for_their_own_sake() -> None:
    X, _ = datasets.make_blobs(200, random_state=0)
    print(metrics.silhouette_score(X, MiniBatchKMeans(3, n_init=1, random_state=0).fit_predict(X)))
    print(DBSCAN().fit(X).labels_.max())


@clean()
def anomalies_against_healthy_rows() -> None:
    X, y = numbers(500)
    healthy = X[y == 0]
    model = OneClassSVM(nu=0.1).fit(healthy[:150])
    envelope = EllipticEnvelope(random_state=0).fit(healthy[:150])
    print(model.score_samples(X[y == 1]).mean(), envelope.predict(healthy[150:]).mean())


@clean()
def gaussian_process_on_a_grid() -> None:
    draw = np.random.default_rng(0)
    x = draw.uniform(0, 10, (80, 1))
    model = GaussianProcessRegressor(alpha=0.1).fit(x, np.sin(x).ravel())
    print(model.predict(np.linspace(0, 10, 50)[:, None], return_std=True)[1].max())


@clean(needs="torch")
def network_with_dropout_and_a_scaler_of_training() -> None:
    import torch

    X, y = numbers(500, 6)
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler().fit(a)
    net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Dropout(0.2), torch.nn.ReLU(), torch.nn.Linear(16, 1))
    optimiser = torch.optim.AdamW(net.parameters())
    own, labels = torch.tensor(scaler.transform(a)).float(), torch.tensor(c).float()
    net.train()
    for batch in torch.randperm(len(own)).split(50):
        optimiser.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(net(own[batch])[:, 0], labels[batch]).backward()
        optimiser.step()
    net.eval()
    with torch.inference_mode():
        said = net(torch.tensor(scaler.transform(b)).float())[:, 0]
    print(metrics.roc_auc_score(d, said.numpy()))


@clean(needs="torch")
def frozen_features_then_a_linear_model() -> None:
    import torch

    images, y = datasets.load_digits(return_X_y=True)
    net = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU()).eval()
    with torch.no_grad():
        features = net(torch.from_numpy(images).float()).numpy()
    a, b, c, d = train_test_split(features, y, random_state=0)
    print(LogisticRegression(max_iter=200).fit(a, c).score(b, d))


@clean(needs="xgboost")
def estimator_of_xgboost_with_a_validation_set() -> None:
    import xgboost as xgb

    X, y = numbers(700)
    a, rest, c, others = train_test_split(X, y, test_size=0.5, random_state=0)
    v, b, w, d = train_test_split(rest, others, test_size=0.5, random_state=0)
    model = xgb.XGBClassifier(n_estimators=20, early_stopping_rounds=3)
    print(model.fit(a, c, eval_set=[(v, w)], verbose=False).score(b, d))


@clean(needs="lightgbm")
def folds_of_lightgbm() -> None:
    import lightgbm as lgb

    X, y = numbers(400)
    for a, b in KFold(3, shuffle=True, random_state=0).split(X):
        booster = lgb.train({"objective": "binary", "verbose": -1}, lgb.Dataset(X[a], y[a]), 5)
        print(metrics.roc_auc_score(y[b], booster.predict(X[b])))


@clean()
def description_of_all_rows_beside_an_honest_model() -> None:
    df = clinic().dropna()
    a, b, c, d = train_test_split(df[MEASURED], df["ill"], random_state=0)
    print(StandardScaler().fit(df[MEASURED]).mean_, PCA(2).fit(df[MEASURED]).explained_variance_ratio_)
    model = make_pipeline(StandardScaler(), Nystroem(n_components=20, random_state=0), LogisticRegression())
    print(model.fit(a, c).score(b, d))


@clean()
def rounded_measurements_that_repeat() -> None:
    draw = np.random.default_rng(4)
    X = np.column_stack([draw.integers(18, 25, 800), draw.integers(0, 2, 800), draw.integers(0, 3, 800)])
    y = (X[:, 0] + draw.normal(0, 2, 800) > 21).astype(int)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(DecisionTreeClassifier(max_depth=3).fit(a, c).score(b, d), KNeighborsRegressor().fit(a, c).score(b, d))


@clean()
def predictions_of_folds_for_a_second_model() -> None:
    X, y = numbers(500)
    a, b, c, d = train_test_split(X, y, random_state=0)
    first = make_pipeline(StandardScaler(), SVC(probability=False))
    made = cross_val_predict(first, a, c, cv=3, method="decision_function")
    second = LogisticRegression().fit(made[:, None], c)
    print(second.score(first.fit(a, c).decision_function(b)[:, None], d))


@clean()
def own_transformer_with_training_statistics() -> None:
    class Clipped(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            self.low_, self.high_ = np.quantile(X, [0.01, 0.99], axis=0)
            return self

        def transform(self, X):
            return np.clip(X, self.low_, self.high_)

    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = make_pipeline(Clipped(), HistGradientBoostingRegressor(max_iter=10))
    print(model.fit(a, c).score(b, d))


@clean()
def regularisation_chosen_inside() -> None:
    X, y = numbers(400)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(LogisticRegressionCV(Cs=3, cv=3).fit(a, c).score(b, d))


@clean()
def sparse_words_of_training_beside_numbers() -> None:
    said, y = texts(300)
    X = numbers(300)[0]
    train, test = np.arange(200), np.arange(200, 300)
    words, scaler = TfidfVectorizer().fit([said[i] for i in train]), StandardScaler().fit(X[train])
    parts = [
        scipy.sparse.hstack([words.transform([said[i] for i in part]), scaler.transform(X[part])]).tocsr()
        for part in (train, test)
    ]
    model = GenericUnivariateSelect(mode="k_best", param=40).fit(parts[0], y[train])
    chosen = [model.transform(part) for part in parts]
    print(LogisticRegression().fit(chosen[0], y[train]).score(chosen[1], y[test]))


@clean()
def seeds_compared_by_their_folds() -> None:
    X, y = numbers(200)
    for seed in range(3):
        folds = StratifiedKFold(3, shuffle=True, random_state=seed)
        print(seed, cross_val_score(MLPClassifier((4,), max_iter=30, random_state=seed), X, y, cv=folds).mean())


@clean()
def new_hospital_scored_by_the_old_model() -> None:
    df = clinic().dropna()
    old, new = df[df["ward"] < "d"], df[df["ward"] >= "d"]
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(old[MEASURED], old["ill"])
    print(model.score(new[MEASURED], new["ill"]))
    model.fit(df[MEASURED], df["ill"])


if __name__ == "__main__":
    sys.exit(main())
