"""A fourth lot of programs for `assay.leakage.watch`: 22 with a leak, 42 without, all written before any was tried.

    pip install imbalanced-learn lightgbm torch xgboost
    python bench/watch_programs_fresh.py [--show]

They are counted as in `watch_programs.py`.
"""

# ruff: noqa: N806, PLC0415 - programs as people write them

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn import datasets, metrics
from sklearn.base import clone
from sklearn.cluster import FeatureAgglomeration, KMeans
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import NMF, PCA, FactorAnalysis, FastICA, SparsePCA, TruncatedSVD
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
)
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import RFECV, SelectFdr, SelectFromModel, SelectKBest, VarianceThreshold, f_regression
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import (
    ElasticNetCV,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    PassiveAggressiveClassifier,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    permutation_test_score,
    train_test_split,
    validation_curve,
)
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid, RadiusNeighborsRegressor
from sklearn.neural_network import BernoulliRBM, MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    MultiLabelBinarizer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.semi_supervised import LabelPropagation
from sklearn.svm import SVC, SVR, LinearSVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from watch_programs import CLEAN, LEAKS, MEASURED, clean, clinic, leak, main, numbers, series, texts

LEAKS.clear()
CLEAN.clear()


# --- leaks -------------------------------------------------------------------------------------------


@leak("L1.2")
def power_transform_of_two_columns_by_name() -> None:
    df = clinic().dropna()
    power = PowerTransformer()
    df[["pressure", "glucose"]] = power.fit_transform(df[["pressure", "glucose"]])
    train = df.sample(frac=0.7, random_state=3)
    test = df.drop(train.index)
    model = QuadraticDiscriminantAnalysis().fit(train[MEASURED], train["ill"])
    print(metrics.roc_auc_score(test["ill"], model.predict_proba(test[MEASURED])[:, 1]))


@leak("L1.2")
def column_transformer_fitted_before_the_split() -> None:
    df = clinic()
    made = make_column_transformer(
        (make_pipeline(SimpleImputer(), MinMaxScaler()), MEASURED), (OneHotEncoder(), ["sex", "ward"])
    ).fit_transform(df)
    X_train, X_test, y_train, y_test = train_test_split(made, df["ill"], test_size=0.2, random_state=11)
    print(RidgeClassifier().fit(X_train, y_train).score(X_test, y_test))


@leak("L1.3")
def false_discovery_rate_on_all_genes() -> None:
    X, y = numbers(150, 300)
    keep = SelectFdr(alpha=0.5).fit(X, y).get_support(indices=True)
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    print(cross_val_score(SVC(), X[:, keep], y, cv=folds).mean())


@leak("L1.3")
def recursive_elimination_with_its_own_folds_then_scored_again() -> None:
    X, y = numbers(200, 15)
    search = RFECV(DecisionTreeClassifier(max_depth=3, random_state=0), cv=3).fit(X, y)
    X = search.transform(X)
    print(cross_validate(RandomForestClassifier(10, random_state=0), X, y, cv=5)["test_score"].mean())


@leak("L1.2")
def frequencies_of_all_documents_in_two_steps() -> None:
    said, y = texts(240)
    counts = CountVectorizer().fit_transform(said)
    weighed = TfidfTransformer().fit_transform(counts)
    a, b, c, d = train_test_split(weighed, y, random_state=4)
    print(MultinomialNB().fit(a, c).score(b, d))


@leak("L1.2")
def factors_of_all_answers_for_a_regression() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    factors = FactorAnalysis(4, random_state=0).fit(X)
    a, b, c, d = train_test_split(factors.transform(X), y, random_state=0)
    print(KNeighborsRegressor(9).fit(a, c).score(b, d))


@leak("L1.2")
def matrix_factors_beside_the_first_columns() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    parts = NMF(6, init="random", max_iter=60, random_state=0).fit_transform(X)
    X = np.concatenate([X[:, :20], parts], axis=1)
    a, b, c, d = train_test_split(X, y, test_size=400, random_state=0, stratify=y)
    print(RandomForestClassifier(10, random_state=0).fit(a, c).score(b, d))


@leak("L1.2")
def scaled_then_saved_and_loaded() -> None:
    import io as files

    X, y = numbers(300)
    held = files.BytesIO()
    np.save(held, StandardScaler().fit_transform(X))
    held.seek(0)
    X = np.load(held)
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(MLPClassifier((6,), max_iter=40, random_state=0).fit(a, c).score(b, d))


@leak("L1.2")
def scaled_frame_written_as_csv_and_read_again() -> None:
    import io as files

    df = clinic().dropna()
    df[MEASURED] = RobustScaler().fit_transform(df[MEASURED])
    df = pd.read_csv(files.StringIO(df.to_csv(index=False)))
    train, test = df[df["patient"] % 4 > 0], df[df["patient"] % 4 == 0]
    model = LogisticRegression().fit(train[MEASURED], train["ill"])
    print(metrics.accuracy_score(test["ill"], model.predict(test[MEASURED])))


@leak("L1.2", "L1.3")
def target_encoder_on_the_whole_table() -> None:
    df = clinic().dropna()
    coded = TargetEncoder(cv=2, random_state=0).fit(df[["ward", "sex"]], df["ill"]).transform(df[["ward", "sex"]])
    X = np.column_stack([coded, df[MEASURED]])
    a, b, c, d = train_test_split(X, df["ill"].to_numpy(), random_state=9)
    print(HistGradientBoostingClassifier(max_iter=15).fit(a, c).score(b, d))


@leak("L1.2", "L1.4", needs="imblearn")
def svm_smote_then_stratified_folds() -> None:
    from imblearn.over_sampling import SVMSMOTE

    X, y = datasets.make_classification(400, 6, weights=[0.85], random_state=3)
    X, y = SVMSMOTE(random_state=0).fit_resample(X, y)
    for a, b in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        print(metrics.f1_score(y[b], AdaBoostClassifier(n_estimators=10).fit(X[a], y[a]).predict(X[b])))


@leak("L1.2", "L1.4", needs="imblearn")
def combined_resampling_of_a_frame() -> None:
    from imblearn.combine import SMOTETomek

    df = clinic().dropna()
    X, y = SMOTETomek(random_state=0).fit_resample(df[MEASURED], df["ill"])
    X["ratio"] = X["pressure"] / X["weight"]
    a, b, c, d = train_test_split(X, y, test_size=0.25, random_state=0)
    print(metrics.recall_score(d, DecisionTreeClassifier(random_state=0).fit(a, c).predict(b)))


@leak("L1.1")
def regressor_scored_on_the_rows_it_learnt() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(n_estimators=20).fit(X, y)
    print("R2 of our model:", metrics.r2_score(y, model.predict(X)))


@leak("L1.1", "L1.4")
def training_rows_appended_to_the_test_part() -> None:
    X, y = numbers(300)
    a, b, c, d = train_test_split(X, y, random_state=2)
    b, d = np.vstack([b, a[:60]]), np.hstack([d, c[:60]])
    print(KNeighborsClassifier(1).fit(a, c).score(b, d))


@leak("L1.4")
def every_patient_entered_twice() -> None:
    df = clinic(300).dropna()
    again = df.sample(60, random_state=0)
    df = pd.concat([df, again]).reset_index(drop=True)
    a, b = train_test_split(df, test_size=0.3, random_state=0)
    model = ExtraTreesRegressor(15, random_state=0).fit(a[["age", "weight", "glucose"]], a["pressure"])
    print(metrics.mean_absolute_error(b["pressure"], model.predict(b[["age", "weight", "glucose"]])))


@leak("L1.2", needs="lightgbm")
def scaled_floats_into_lightgbm() -> None:
    import lightgbm as lgb

    X, y = numbers(500)
    X = StandardScaler().fit_transform(X).astype(np.float32)
    a, b, c, d = train_test_split(X, y, random_state=0)
    data = lgb.Dataset(a, label=c)
    booster = lgb.train({"objective": "binary", "verbosity": -1}, data, num_boost_round=8)
    print(metrics.roc_auc_score(d, booster.predict(b)))


@leak("L1.2", needs="xgboost")
def components_into_a_regressor_of_xgboost() -> None:
    import xgboost as xgb

    X, y = datasets.load_diabetes(return_X_y=True, as_frame=True)
    parts = pd.DataFrame(FastICA(5, random_state=0, whiten="unit-variance").fit_transform(X), index=X.index)
    a, b, c, d = train_test_split(parts, y, random_state=0)
    print(metrics.mean_squared_error(d, xgb.XGBRegressor(n_estimators=10).fit(a, c).predict(b)))


@leak("L1.2", needs="torch")
def min_max_series_into_a_recurrent_network() -> None:
    import torch

    values = MinMaxScaler((-1, 1)).fit_transform(series(300)[:, None])
    X = torch.tensor(np.stack([values[i : i + 10] for i in range(280)]), dtype=torch.float32)
    y = torch.tensor(values[10:290], dtype=torch.float32)
    net, last = torch.nn.GRU(1, 6, batch_first=True), torch.nn.Linear(6, 1)
    optimiser = torch.optim.Adam([*net.parameters(), *last.parameters()], lr=0.01)
    for _ in range(3):
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(last(net(X[:220])[0][:, -1]), y[:220]).backward()
        optimiser.step()
    net.eval(), last.eval()
    with torch.no_grad():
        print(torch.nn.functional.l1_loss(last(net(X[220:])[0][:, -1]), y[220:]).item())


@leak("L1.2")
def groups_split_after_scaling_all() -> None:
    df = clinic().dropna()
    X = PowerTransformer().fit_transform(df[MEASURED])
    cv = StratifiedGroupKFold(3)
    print(cross_val_score(GaussianNB(), X, df["ill"], groups=df["patient"], cv=cv))


@leak("L1.2")
def bins_learnt_from_the_union_of_both_files() -> None:
    train, test = clinic(400, seed=4).dropna(), clinic(150, seed=5).dropna()
    both = pd.concat([train, test], keys=["train", "test"])
    both[MEASURED] = KBinsDiscretizer(6, encode="ordinal", strategy="quantile").fit_transform(both[MEASURED])
    train, test = both.loc["train"], both.loc["test"]
    print(DecisionTreeClassifier(max_depth=4).fit(train[MEASURED], train["ill"]).score(test[MEASURED], test["ill"]))


@leak("L1.2")
def imputer_and_scaler_fitted_one_after_the_other_on_all() -> None:
    df = clinic()
    X = df[MEASURED].to_numpy()
    for step in (KNNImputer(n_neighbors=4), StandardScaler()):
        X = step.fit_transform(X)
    for a, b in TimeSeriesSplit(3).split(X):
        print(LogisticRegression().fit(X[a], df["ill"].iloc[a]).score(X[b], df["ill"].iloc[b]))


@leak("L1.3", "L1.2")
def lasso_picks_columns_for_a_neural_network() -> None:
    X, y = datasets.load_diabetes(return_X_y=True, as_frame=True)
    weights = LassoCV(cv=3, random_state=0).fit(X, y).coef_
    chosen = list(X.columns[np.abs(weights) > 1])
    a, b, c, d = train_test_split(X[chosen], y, test_size=0.25, random_state=0)
    print(MLPRegressor(hidden_layer_sizes=(5,), max_iter=60, random_state=0).fit(a, c).score(b, d))


# --- no leaks ----------------------------------------------------------------------------------------


@clean()
def everything_in_one_pipeline_with_a_grid() -> None:
    df = clinic()
    prepare = ColumnTransformer(
        [
            ("n", make_pipeline(KNNImputer(), PowerTransformer()), MEASURED),
            ("c", OneHotEncoder(handle_unknown="ignore"), ["sex", "ward"]),
        ]
    )
    pipe = Pipeline([("p", prepare), ("m", RidgeClassifier())])
    a, b, c, d = train_test_split(df, df["ill"], random_state=0, stratify=df["ill"])
    print(GridSearchCV(pipe, {"m__alpha": [0.1, 1]}, cv=3).fit(a, c).score(b, d))


@clean()
def leave_one_out_on_a_small_table() -> None:
    X, y = numbers(60)
    print(cross_val_score(make_pipeline(StandardScaler(), NearestCentroid()), X, y, cv=LeaveOneOut()).mean())


@clean()
def patient_left_out_by_hand() -> None:
    df = clinic(200).dropna()
    errors = []
    for ward, rows in df.groupby("ward"):
        others = df[df["ward"] != ward]
        scaler = StandardScaler().fit(others[["age", "weight"]])
        model = LinearRegression().fit(scaler.transform(others[["age", "weight"]]), others["pressure"])
        errors.append(
            metrics.mean_absolute_error(rows["pressure"], model.predict(scaler.transform(rows[["age", "weight"]])))
        )
    print(np.mean(errors))


@clean()
def centres_left_out_with_a_pipeline() -> None:
    df = clinic().dropna()
    model = make_pipeline(RobustScaler(), LogisticRegression())
    print(cross_val_score(model, df[MEASURED], df["ill"], groups=df["ward"], cv=LeaveOneGroupOut()))


@clean()
def group_shuffle_then_scaling() -> None:
    df = clinic().dropna().reset_index(drop=True)
    a, b = next(GroupShuffleSplit(1, test_size=0.3, random_state=0).split(df, groups=df["patient"]))
    scaler = MinMaxScaler().fit(df.loc[a, MEASURED])
    model = SGDClassifier(random_state=0).fit(scaler.transform(df.loc[a, MEASURED]), df.loc[a, "ill"])
    print(model.score(scaler.transform(df.loc[b, MEASURED]), df.loc[b, "ill"]))


@clean()
def predefined_split_for_tuning() -> None:
    X, y = numbers(600)
    fold = np.r_[np.full(300, -1), np.zeros(150)]
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [3, 9]}, cv=PredefinedSplit(fold))
    search.fit(X[:450], y[:450])
    print(search.score(X[450:], y[450:]))


@clean()
def threshold_tuned_inside_training() -> None:
    X, y = numbers(500)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = TunedThresholdClassifierCV(LogisticRegression(), scoring="f1", cv=3).fit(a, c)
    print(metrics.f1_score(d, model.predict(b)))


@clean()
def stacking_with_scaled_parts() -> None:
    X, y = numbers(400)
    a, b, c, d = train_test_split(X, y, random_state=0)
    parts = [("s", make_pipeline(StandardScaler(), SVC())), ("t", DecisionTreeClassifier(max_depth=3))]
    print(StackingClassifier(parts, LogisticRegression(), cv=3).fit(a, c).score(b, d))


@clean()
def out_of_fold_means_of_wards() -> None:
    df = clinic().dropna().reset_index(drop=True)
    train, test = df.iloc[:350].copy(), df.iloc[350:].copy()
    encoder = TargetEncoder(random_state=0)
    made = encoder.fit_transform(train[["ward"]], train["ill"])
    model = LogisticRegression().fit(np.column_stack([made, train[MEASURED]]), train["ill"])
    print(model.score(np.column_stack([encoder.transform(test[["ward"]]), test[MEASURED]]), test["ill"]))


@clean()
def normalised_row_by_row() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    X = Normalizer().fit_transform(Binarizer(threshold=7).fit_transform(X))
    a, b, c, d = train_test_split(X, y, random_state=0)
    print(PassiveAggressiveClassifier(random_state=0).fit(a, c).score(b, d))


@clean()
def ordinal_codes_of_all_categories() -> None:
    df = clinic().dropna()
    df[["sex", "ward"]] = OrdinalEncoder().fit_transform(df[["sex", "ward"]])
    a, b, c, d = train_test_split(df[["sex", "ward", "age"]], df["ill"], random_state=0)
    print(HistGradientBoostingClassifier(max_iter=10).fit(a, c).score(b, d))


@clean()
def dictionaries_as_rows() -> None:
    df = clinic().dropna()
    X = DictVectorizer(sparse=False).fit_transform(df[["sex", "ward", "age"]].to_dict("records"))
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    print(GaussianNB().fit(a, c).score(b, d))


@clean()
def logarithms_by_a_function_transformer() -> None:
    df = clinic().dropna()
    X = FunctionTransformer(np.log1p).fit_transform(df[MEASURED])
    a, b, c, d = train_test_split(X, df["ill"], random_state=0)
    print(make_pipeline(StandardScaler(), SVC()).fit(a, c).score(b, d))


@clean()
def labels_of_several_kinds_binarised() -> None:
    X, y = numbers(200, 5)
    tags = MultiLabelBinarizer().fit_transform([{"a", "b"} if one else {"c"} for one in y])
    a, b, c, d = train_test_split(X, tags, random_state=0)
    print(metrics.f1_score(d, ClassifierChain(LogisticRegression()).fit(a, c).predict(b), average="micro"))


@clean()
def discrete_outcome_before_the_split() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    classes = KBinsDiscretizer(3, encode="ordinal", strategy="uniform").fit_transform(y[:, None]).ravel()
    a, b, c, d = train_test_split(X, classes, random_state=0)
    print(LogisticRegression().fit(a, c).score(b, d))


@clean()
def outcome_scaled_by_training() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    scaler = StandardScaler().fit(c[:, None])
    model = SVR().fit(a, scaler.transform(c[:, None]).ravel())
    print(metrics.mean_absolute_error(d, scaler.inverse_transform(model.predict(b)[:, None]).ravel()))


@clean()
def lags_then_a_cut_in_time() -> None:
    frame = pd.DataFrame({"y": series(500)})
    for lag in (1, 2, 7):
        frame[f"lag{lag}"] = frame["y"].shift(lag)
    frame = frame.dropna()
    train, test = frame.iloc[:400], frame.iloc[400:]
    model = make_pipeline(StandardScaler(), ElasticNetCV(cv=TimeSeriesSplit(3))).fit(
        train.drop(columns="y"), train["y"]
    )
    print(metrics.mean_absolute_error(test["y"], model.predict(test.drop(columns="y"))))


@clean()
def expanding_windows_with_a_forest() -> None:
    values = series(320)
    X, y = np.lib.stride_tricks.sliding_window_view(values, 6)[:-1], values[6:]
    for a, b in TimeSeriesSplit(3, gap=6).split(X):
        print(RandomForestRegressor(8, random_state=0).fit(X[a], y[a]).score(X[b], y[b]))


@clean()
def baseline_beside_the_model() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    for model in (DummyRegressor(), QuantileRegressor(alpha=0.01, solver="highs"), LinearSVR(max_iter=3000)):
        print(metrics.mean_absolute_error(d, model.fit(a, c).predict(b)))


@clean()
def ablation_of_columns_by_folds() -> None:
    X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    for name in X.columns:
        print(name, cross_val_score(LogisticRegression(max_iter=300), X.drop(columns=name), y, cv=5).mean())


@clean()
def curve_over_the_depth() -> None:
    X, y = numbers(200)
    a, b, c, d = train_test_split(X, y, random_state=0)
    _, scores = validation_curve(
        DecisionTreeClassifier(random_state=0), a, c, param_name="max_depth", param_range=[1, 3, 5], cv=3
    )
    best = [1, 3, 5][int(scores.mean(axis=1).argmax())]
    print(DecisionTreeClassifier(max_depth=best, random_state=0).fit(a, c).score(b, d))


@clean()
def permutation_test_of_a_pipeline() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    print(permutation_test_score(make_pipeline(StandardScaler(), GaussianNB()), X, y, cv=3, n_permutations=5)[2])


@clean()
def selection_inside_every_fold_by_hand() -> None:
    X, y = numbers(160, 60)
    for a, b in ShuffleSplit(3, test_size=0.25, random_state=0).split(X):
        chosen = SelectKBest(f_regression, k=5).fit(X[a], y[a])
        print(LogisticRegression().fit(chosen.transform(X[a]), y[a]).score(chosen.transform(X[b]), y[b]))


@clean()
def important_columns_of_training_rows() -> None:
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    a, b, c, d = train_test_split(X, y, random_state=1)
    keep = a.columns[SelectFromModel(RandomForestClassifier(20, random_state=0)).fit(a, c).get_support()]
    print(LogisticRegression(max_iter=5000).fit(a[keep], c).score(b[keep], d))


@clean()
def constant_columns_dropped_by_training() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=1)
    kept = VarianceThreshold(0.5).fit(a)
    parts = SparsePCA(4, max_iter=5, random_state=0).fit(kept.transform(a)[:200])
    model = KNeighborsClassifier().fit(parts.transform(kept.transform(a)), c)
    print(model.score(parts.transform(kept.transform(b)), d))


@clean()
def clusters_of_columns_by_training() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=1)
    model = make_pipeline(FeatureAgglomeration(10), LogisticRegression(max_iter=300))
    print(model.fit(a, c).score(b, d))


@clean()
def random_features_of_a_kernel() -> None:
    X, y = numbers(300)
    a, b, c, d = train_test_split(X, y, random_state=1)
    model = make_pipeline(StandardScaler(), RBFSampler(random_state=0), SGDClassifier(random_state=0))
    print(model.fit(a, c).score(b, d))


@clean()
def words_of_training_with_a_decomposition() -> None:
    said, y = texts(260)
    a, b, c, d = train_test_split(said, y, random_state=0)
    model = make_pipeline(TfidfVectorizer(), TruncatedSVD(8, random_state=0), StandardScaler(), SVC())
    print(model.fit(a, c).score(b, d))


@clean()
def two_sorts_of_words_inside_a_union() -> None:
    said, y = texts(200)
    union = make_union(TfidfVectorizer(), CountVectorizer(binary=True))
    print(cross_val_score(make_pipeline(union, LogisticRegression(max_iter=300)), said, y, cv=3).mean())


@clean(needs="imblearn")
def smote_in_a_pipeline_of_imblearn() -> None:
    from imblearn.over_sampling import SMOTE
    from imblearn.pipeline import make_pipeline as imbalanced_pipeline

    X, y = datasets.make_classification(400, 6, weights=[0.85], random_state=3)
    model = imbalanced_pipeline(StandardScaler(), SMOTE(random_state=0), DecisionTreeClassifier(random_state=0))
    print(cross_val_score(model, X, y, cv=3, scoring="f1"))


@clean(needs="imblearn")
def undersampling_before_the_split_removes_rows_only() -> None:
    from imblearn.under_sampling import RandomUnderSampler

    X, y = datasets.make_classification(600, 6, weights=[0.7], random_state=3)
    a, b, c, d = train_test_split(X, y, random_state=0)
    a, c = RandomUnderSampler(random_state=0).fit_resample(a, c)
    print(KNeighborsClassifier().fit(a, c).score(b, d))


@clean()
def semi_supervised_with_unknown_labels() -> None:
    X, y = datasets.load_iris(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    known = np.where(np.random.default_rng(0).random(len(c)) < 0.4, c, -1)
    print(LabelPropagation().fit(a, known).score(b, d))


@clean()
def features_learnt_by_a_machine_of_training_rows() -> None:
    X, y = datasets.load_digits(return_X_y=True)
    X = X / 16
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = Pipeline([("rbm", BernoulliRBM(12, n_iter=2, random_state=0)), ("m", LogisticRegression(max_iter=200))])
    print(model.fit(a, c).score(b, d))


@clean()
def outliers_of_training_rows_removed() -> None:
    X, y = numbers(500)
    a, b, c, d = train_test_split(X, y, random_state=0)
    kept = IsolationForest(n_estimators=20, random_state=0).fit_predict(a) == 1
    print(LogisticRegression().fit(a[kept], c[kept]).score(b, d))


@clean()
def clusters_then_reported_not_scored() -> None:
    X, y = datasets.load_wine(return_X_y=True)
    scaled = StandardScaler().fit_transform(X)
    print(metrics.adjusted_rand_score(y, KMeans(3, n_init=2, random_state=0).fit_predict(scaled)))
    print(PCA(2).fit_transform(scaled)[:3])


@clean()
def residuals_of_a_model_of_training() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    a, b, c, d = train_test_split(X, y, random_state=0)
    first = Ridge().fit(a, c)
    inside = cross_val_predict(Ridge(), a, c, cv=4)
    second = DecisionTreeRegressor(max_depth=2).fit(a, c - inside)
    print(metrics.r2_score(d, first.predict(b) + second.predict(b)))


@clean()
def test_rows_weighted_and_scored_twice() -> None:
    X, y = numbers(400)
    a, b, c, d = train_test_split(X, y, random_state=0)
    model = clone(make_pipeline(StandardScaler(), LogisticRegression())).fit(a, c)
    print(
        model.score(b, d),
        metrics.confusion_matrix(d, model.predict(b)),
        metrics.roc_auc_score(d, model.predict_proba(b)[:, 1]),
    )


@clean()
def neighbours_within_a_radius() -> None:
    X, y = numbers(300, 3)
    train, test = np.arange(0, 300) % 3 != 0, np.arange(0, 300) % 3 == 0
    scaler = StandardScaler().fit(X[train])
    model = RadiusNeighborsRegressor(radius=2.5).fit(scaler.transform(X[train]), y[train])
    print(metrics.mean_squared_error(y[test], np.nan_to_num(model.predict(scaler.transform(X[test])))))


@clean()
def sparse_codes_cut_by_a_mask() -> None:
    df = clinic().dropna().reset_index(drop=True)
    X = scipy.sparse.csr_matrix(OneHotEncoder().fit_transform(df[["sex", "ward", "age"]]))
    mask = np.random.default_rng(0).random(len(df)) < 0.7
    print(LogisticRegression().fit(X[mask], df["ill"][mask]).score(X[~mask], df["ill"][~mask]))


@clean(needs="xgboost")
def folds_of_xgboost_with_matrices() -> None:
    import xgboost as xgb

    X, y = numbers(400)
    for a, b in KFold(3).split(X):
        scaler = StandardScaler().fit(X[a])
        booster = xgb.train({}, xgb.DMatrix(scaler.transform(X[a]), label=y[a]), num_boost_round=4)
        print(metrics.mean_squared_error(y[b], booster.predict(xgb.DMatrix(scaler.transform(X[b])))))


@clean(needs="lightgbm")
def classifier_of_lightgbm_with_categories() -> None:
    import lightgbm as lgb

    df = clinic()
    df[["sex", "ward"]] = df[["sex", "ward"]].astype("category")
    a, b, c, d = train_test_split(df.drop(columns=["ill", "patient"]), df["ill"], random_state=0)
    print(lgb.LGBMClassifier(n_estimators=8, verbose=-1).fit(a, c).score(b, d))


@clean(needs="torch")
def network_in_batches_with_early_stopping() -> None:
    import torch
    from torch.utils.data import DataLoader, TensorDataset, random_split

    X, y = numbers(600, 5)
    made = TensorDataset(torch.tensor(X).float(), torch.tensor(y))
    train, val, test = random_split(made, [400, 100, 100], generator=torch.Generator().manual_seed(0))
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(5), torch.nn.Linear(5, 2))
    optimiser, best = torch.optim.Adam(net.parameters(), lr=0.05), 9.0
    for _ in range(4):
        net.train()
        for rows, labels in DataLoader(train, batch_size=50, shuffle=True):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(net(rows), labels).backward()
            optimiser.step()
        net.eval()
        with torch.no_grad():
            rows, labels = next(iter(DataLoader(val, batch_size=100)))
            loss = torch.nn.functional.cross_entropy(net(rows), labels).item()
        if loss > best:
            break
        best = loss
    with torch.no_grad():
        rows, labels = next(iter(DataLoader(test, batch_size=100)))
        print((net(rows).argmax(1) == labels).float().mean().item())


if __name__ == "__main__":
    sys.exit(main())
