"""A watch sees test rows in a fit, and raises no alarm about honest work."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2, f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score, train_test_split
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler
from sklearn.random_projection import GaussianRandomProjection
from sklearn.utils.parallel import Parallel

import assay
from assay.findings import Confidence, Finding, Report, Severity
from assay.leakage import LeakageWarning, watch, watched

RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(240, 12))
Y = (X[:, 0] + RANDOM.normal(size=240) > 0).astype(int)
X_TRAIN, X_TEST, Y_TRAIN, Y_TEST = train_test_split(X, Y, random_state=0)


class CopyMinority(BaseEstimator):
    """A sampler as imbalanced-learn has them: it copies the rarer class."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "CopyMinority":  # noqa: N803 - scikit-learn's names
        return self

    def fit_resample(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:  # noqa: N803
        rare = X[y == 1] + 1e-3
        return np.vstack([X, rare]), np.concatenate([y, np.ones(len(rare), dtype=int)])


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def only(report: Report) -> Finding:
    [finding] = report.findings
    return finding


# --- small tables are hashed at the report ------------------------------------------------------------


def test_rows_are_known_as_they_were_when_the_call_was_made() -> None:
    data = X.copy()
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(data)
        data[:] = 0
        model = LogisticRegression().fit(scaled[:180], Y[:180])
        model.score(scaled[180:], Y[180:])
        scaled[:] = 0
    assert (
        only(seen.report()).message
        == "StandardScaler was fitted on 60 of the 60 rows that LogisticRegression is tested on"
    )


def test_a_leak_in_a_loop_is_one_finding_with_its_count() -> None:
    with watch(warn=False) as seen:
        for _ in range(60):
            scaled = StandardScaler().fit_transform(X)
            LogisticRegression().fit(scaled[:180], Y[:180]).score(scaled[180:], Y[180:])
    found = only(seen.report())
    assert any("60 evaluations" in str(evidence) for evidence in found.evidence)


def test_copies_are_given_up_beyond_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.leakage.watching.journal.MOST_COPIED", 0)
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(X)
        LogisticRegression().fit(scaled[:180], Y[:180]).score(scaled[180:], Y[180:])
    assert [event.rows.copied for event in seen.journal.evaluations] == [0]
    assert codes(seen.report()) == ["L1.2"]


# --- what must be seen -----------------------------------------------------------------------------


def test_scaler_fitted_before_the_split_is_seen() -> None:
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(X)
        train, test, y_train, y_test = train_test_split(scaled, Y, random_state=0)
        LogisticRegression().fit(train, y_train).score(test, y_test)
    finding = only(seen.report())
    assert (finding.code, finding.severity, finding.confidence) == ("L1.2", Severity.WARNING, Confidence.HIGH)
    assert "60 of the 60 rows" in finding.message
    assert finding.location is not None
    assert finding.location.path.endswith("test_watch.py")
    assert "StandardScaler().fit_transform(X)" in finding.evidence[0].text


def test_fit_on_everything_then_transform_of_the_parts_is_seen() -> None:
    train, test = X_TRAIN.copy(), X_TEST.copy()
    train[::2, 3], test[::2, 3] = np.nan, np.nan
    with watch(warn=False) as seen:
        imputer = SimpleImputer().fit(np.vstack([train, test]))
        model = LogisticRegression().fit(imputer.transform(train), Y_TRAIN)
        model.predict(imputer.transform(test))
    assert codes(seen.report()) == ["L1.2"]


def test_selection_outside_cross_validation_is_seen_once() -> None:
    with watch(warn=False) as seen:
        chosen = SelectKBest(f_classif, k=3).fit_transform(X, Y)
        cross_val_score(LogisticRegression(), chosen, Y, cv=4)
    finding = only(seen.report())
    assert (finding.code, finding.severity) == ("L1.3", Severity.ERROR)
    assert any("4 evaluations" in e.text for e in finding.evidence)


def test_every_step_of_a_chain_is_seen() -> None:
    with watch(warn=False) as seen:
        made = PCA(5).fit_transform(StandardScaler().fit_transform(X))
        train, test, y_train, _ = train_test_split(made, Y, random_state=0)
        RandomForestClassifier(5).fit(train, y_train).predict_proba(test)
    assert sorted(f.message.split()[0] for f in seen.report().findings) == ["PCA", "StandardScaler"]


def test_worst_step_of_a_composed_transformer_decides() -> None:
    with watch(warn=False) as seen:
        prepare = make_pipeline(StandardScaler(), SelectKBest(f_classif, k=3))
        cross_val_score(LogisticRegression(), prepare.fit_transform(X, Y), Y, cv=3)
    assert only(seen.report()).code == "L1.3"


def test_vocabulary_of_all_texts_is_seen_in_sparse_rows() -> None:
    texts = [" ".join(RANDOM.choice(list("abcdefghij"), 6)) for _ in range(120)]
    with watch(warn=False) as seen:
        rows = TfidfVectorizer(analyzer="char").fit_transform(texts)
        assert scipy.sparse.issparse(rows)
        cross_val_score(LogisticRegression(), rows, Y[:120], cv=3)
    assert codes(seen.report()) == ["L1.2"]


def test_resampling_before_the_split_is_seen() -> None:
    with watch(warn=False) as seen:
        more, y_more = CopyMinority().fit_resample(X, Y)
        train, test, y_train, y_test = train_test_split(more, y_more, random_state=0)
        LogisticRegression().fit(train, y_train).score(test, y_test)
    finding = only(seen.report())
    assert finding.code == "L1.2"
    assert "CopyMinority made or resampled" in finding.message


def test_model_asked_about_its_own_rows_alone_is_seen() -> None:
    with watch(warn=False) as seen:
        LogisticRegression().fit(X, Y).score(X, Y)
    finding = only(seen.report())
    assert (finding.code, finding.severity, finding.confidence) == ("L1.1", Severity.ERROR, Confidence.HIGH)


def test_a_prediction_of_own_rows_is_less_sure_than_a_score() -> None:
    with watch(warn=False) as seen:
        LogisticRegression().fit(X, Y).predict(X)
    assert only(seen.report()).confidence is Confidence.MEDIUM


def test_test_rows_inside_the_search_are_seen() -> None:
    with watch(warn=False) as seen:
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=2).fit(X, Y).score(X_TEST, Y_TEST)
    assert codes(seen.report()) == ["L1.1"]


def test_later_batches_count_as_fitted_on() -> None:
    with watch(warn=False) as seen:
        model = SGDClassifier(random_state=0)
        model.partial_fit(X_TRAIN, Y_TRAIN, classes=[0, 1])
        model.partial_fit(X_TEST, Y_TEST)
        model.score(X_TEST, Y_TEST)
    assert codes(seen.report()) == ["L1.1"]


def test_some_test_rows_among_the_training_rows_are_called_copies() -> None:
    with watch(warn=False) as seen:
        mixed = np.vstack([X_TRAIN, X_TEST[:20]])
        LogisticRegression().fit(mixed, np.concatenate([Y_TRAIN, Y_TEST[:20]])).score(X_TEST, Y_TEST)
    finding = only(seen.report())
    assert (finding.code, finding.confidence) == ("L1.4", Confidence.MEDIUM)
    assert "20 of 60 rows" in finding.message


def test_frames_of_polars_are_watched() -> None:
    frame = pl.DataFrame(X, schema=[f"c{n}" for n in range(12)])
    with watch(warn=False) as seen:
        scaled = PCA(4).fit_transform(frame)
        cross_val_score(LogisticRegression(), scaled, Y, cv=3)
    assert codes(seen.report()) == ["L1.2"]


def test_estimators_defined_under_watch_are_watched() -> None:
    with watch(warn=False) as seen:

        class Centre(TransformerMixin, BaseEstimator):
            def fit(self, X: np.ndarray, y: object = None) -> "Centre":  # noqa: N803
                self.mean_ = X.mean(axis=0)
                return self

            def transform(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
                return X - self.mean_

            def get_feature_names_out(self, names: object = None) -> list[str]:
                return [f"c{n}" for n in range(len(self.mean_))]

        cross_val_score(LogisticRegression(), Centre().fit_transform(X), Y, cv=3)
    finding = only(seen.report())
    assert (finding.code, finding.confidence) == ("L1.2", Confidence.MEDIUM)
    assert isinstance(Centre().set_output(transform="polars").fit(X).transform(X), pl.DataFrame)


# --- what must not be said -------------------------------------------------------------------------


def test_honest_work_raises_no_alarm() -> None:
    with watch(warn=False) as seen:
        scaler = StandardScaler().fit(X_TRAIN)
        model = LogisticRegression().fit(scaler.transform(X_TRAIN), Y_TRAIN)
        model.score(scaler.transform(X_TRAIN), Y_TRAIN)
        model.score(scaler.transform(X_TEST), Y_TEST)
        pipeline = make_pipeline(StandardScaler(), SelectKBest(f_classif, k=3), LogisticRegression())
        cross_val_score(pipeline, X, Y, cv=3)
        cross_val_predict(pipeline, X, Y, cv=3)
        GridSearchCV(pipeline, {"selectkbest__k": [2, 4]}, cv=2).fit(X_TRAIN, Y_TRAIN).score(X_TEST, Y_TEST)
        more, y_more = CopyMinority().fit_resample(X_TRAIN, Y_TRAIN)
        LogisticRegression().fit(more, y_more).score(X_TEST, Y_TEST)
        for train, test in KFold(3).split(X):
            step = PCA(3).fit(X[train])
            clone(model).fit(step.transform(X[train]), Y[train]).score(step.transform(X[test]), Y[test])
    assert codes(seen.report()) == []
    assert seen.report().left_out == ()


def test_coarse_features_do_not_confuse_the_parts() -> None:
    coarse = RANDOM.integers(0, 3, size=(240, 12)).astype(float)
    train, test, y_train, y_test = train_test_split(coarse, Y, random_state=0)
    with watch(warn=False) as seen:
        chosen = SelectKBest(f_classif, k=1).fit(train, y_train)
        LogisticRegression().fit(chosen.transform(train), y_train).score(chosen.transform(test), y_test)
    assert {(f.code, f.severity, f.confidence) for f in seen.report().findings} <= {
        ("L1.4", Severity.NOTE, Confidence.LOW)
    }


def halves_of_repeated(rows: np.ndarray) -> Report:
    order = np.random.default_rng(1).permutation(480)
    train, test, y_train, y_test = train_test_split(
        np.vstack([rows, rows])[order], np.tile(Y, 2)[order], random_state=0
    )
    with watch(warn=False) as seen:
        LogisticRegression().fit(train, y_train).score(test, y_test)
    return seen.report()


def test_rows_repeated_before_the_split_are_a_warning() -> None:
    finding = only(halves_of_repeated(X))
    assert (finding.code, finding.severity, finding.confidence) == ("L1.4", Severity.WARNING, Confidence.MEDIUM)


def test_copies_that_coarse_data_hold_are_a_note() -> None:
    finding = only(halves_of_repeated(RANDOM.integers(0, 3, size=(240, 4)).astype(float)))
    assert (finding.code, finding.severity, finding.confidence) == ("L1.4", Severity.NOTE, Confidence.LOW)


def test_rows_that_are_all_alike_leave_it_undecided() -> None:
    alike = RANDOM.integers(0, 2, size=(240, 2)).astype(float)
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(alike)
        LogisticRegression().fit(scaled[:180], Y[:180]).score(scaled[180:], Y[180:])
    report = seen.report()
    assert (only(report).code, only(report).severity) == ("L1.4", Severity.NOTE)
    assert any("content cannot tell" in sentence for sentence in report.left_out)


@pytest.mark.parametrize("step", [Normalizer(), OneHotEncoder(handle_unknown="ignore"), KMeans(2, n_init=1)])
def test_what_learns_nothing_of_weight_is_no_leak(step: BaseEstimator) -> None:
    rounded = np.hstack([X.round(0), np.arange(240)[:, None] / 7])
    with watch(warn=False) as seen:
        made = clone(step).fit(rounded)
        rows = made.transform(rounded) if not isinstance(step, KMeans) else rounded
        cross_val_score(LogisticRegression(), rows, Y, cv=3)
    assert codes(seen.report()) == []


def test_encoders_count_when_asked_for() -> None:
    words = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), [0]), remainder="passthrough")
    table = np.hstack([RANDOM.integers(0, 4, size=(240, 1)), X])
    with watch(warn=False, policy="strict") as seen:
        cross_val_score(LogisticRegression(), words.fit_transform(table), Y, cv=3)
    assert codes(seen.report()) == ["L1.2"]


def test_a_comment_with_a_reason_silences_a_finding() -> None:
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(X)  # assay: ignore[L1.2] the scale is a constant of the instrument
        cross_val_score(LogisticRegression(), scaled, Y, cv=3)
    report = seen.report()
    assert codes(report) == []
    assert [s.reason for s in report.suppressed] == ["the scale is a constant of the instrument"]


class LogOfColumns(TransformerMixin, BaseEstimator):
    """Has a fit, as scikit-learn demands, and keeps nothing of the rows."""

    def fit(self, X: np.ndarray, y: object = None) -> "LogOfColumns":  # noqa: N803 - scikit-learn's names
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        return np.log1p(np.abs(X))


def test_a_step_that_keeps_nothing_has_learnt_nothing() -> None:
    with watch(warn=False) as seen:
        cross_val_score(LogisticRegression(), LogOfColumns().fit_transform(X), Y, cv=3)
    assert codes(seen.report()) == []


@pytest.mark.parametrize(("strategy", "expected"), [("constant", []), ("mean", ["L1.2"])])
def test_settings_decide_whether_a_step_learns(strategy: str, expected: list[str]) -> None:
    holes = X.copy()
    holes[RANDOM.random(X.shape) < 0.1] = np.nan
    with watch(warn=False) as seen:
        filled = SimpleImputer(strategy=strategy, fill_value=-9.0).fit_transform(holes)
        LogisticRegression().fit(filled[:180], Y[:180]).score(filled[180:], Y[180:])
    assert codes(seen.report()) == expected


PROGRAM = """
import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, PowerTransformer, StandardScaler

df = pd.read_csv("table.csv")
X, y = df.drop(columns="y"), df["y"]
made = {step}.fit_transform(X, y)
a, b, c, d = train_test_split(made, y, random_state=0)
print(RandomForestClassifier(5).fit(a, c).score(b, d))
"""


@pytest.mark.parametrize(
    "step",
    [
        "StandardScaler()",
        "PowerTransformer()",
        "SimpleImputer()",
        "PCA(3)",
        "KMeans(4)",
        "SelectKBest(k=3)",
        "VarianceThreshold(1.0)",
        "KBinsDiscretizer(5, encode='ordinal')",
        "OneHotEncoder(handle_unknown='ignore')",
    ],
)
def test_a_run_is_judged_as_the_code_is(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holes = np.where(RANDOM.random(X.shape) < 0.1, np.nan, X) if "Imputer" in step else X
    pd.DataFrame(holes, columns=[f"x{i}" for i in range(12)]).assign(y=Y).to_csv(tmp_path / "table.csv", index=False)
    program = PROGRAM.format(step=step)
    monkeypatch.chdir(tmp_path)
    with watch(warn=False) as seen:
        exec(compile(program, "program.py", "exec"), {})
    (tmp_path / "program.py").write_text(program)
    read = assay.scan_code(tmp_path / "program.py")
    found = [[(f.code, f.severity) for f in one.findings if f.code != "L1.4"] for one in (seen.report(), read.report)]
    assert found[0] == found[1]


# --- how it watches --------------------------------------------------------------------------------


def test_nothing_stays_behind() -> None:
    before = {
        name: vars(cls).get(name) for cls in (LogisticRegression, StandardScaler) for name in ("fit", "transform")
    }
    with watch(warn=False), watch(warn=False):
        assert vars(LogisticRegression)["fit"] is not before["fit"]
    after = {name: vars(cls).get(name) for cls in (LogisticRegression, StandardScaler) for name in ("fit", "transform")}
    assert before == after
    assert "__init_subclass__" not in vars(BaseEstimator)
    assert "__init_subclass__" not in vars(TransformerMixin)


def test_nothing_stays_behind_after_an_error_and_nothing_is_said() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"), watch():
        LogisticRegression().fit(X, Y).score(X, Y[:5])
    assert type(vars(LogisticRegression)["fit"]).__name__ == "function"


def test_results_are_those_without_a_watch() -> None:
    plain = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, Y, cv=3)
    with watch(warn=False):
        under = cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, Y, cv=3)
    assert plain.tolist() == under.tolist()


def test_leaks_are_warnings_on_leaving() -> None:
    with pytest.warns(LeakageWarning, match=r"L1\.1 LogisticRegression is asked"), watch():
        LogisticRegression().fit(X, Y).score(X, Y)


def test_watches_within_watches_see_their_own_part() -> None:
    with watch(warn=False) as outer:
        model = LogisticRegression().fit(X_TRAIN, Y_TRAIN)
        with watch(warn=False) as inner:
            model.score(X_TEST, Y_TEST)
    assert len(outer.journal.evaluations) == 1
    assert inner.report().left_out == (
        "models that were fitted outside the watch, or copied since, were asked for predictions",
    )


def test_work_in_threads_is_seen_and_work_in_processes_is_owned_up_to() -> None:
    chosen = SelectKBest(f_classif, k=3).fit_transform(X, Y)
    with watch(warn=False) as seen, joblib.parallel_config(backend="threading"):
        cross_val_score(LogisticRegression(), chosen, Y, cv=3, n_jobs=2)
    assert not any("processes" in sentence for sentence in seen.report().left_out)
    with watch(warn=False) as seen:
        Parallel(n_jobs=2)([])
    assert any("other processes" in sentence for sentence in seen.report().left_out)


def test_threads_that_a_fit_starts_are_part_of_it() -> None:
    with watch(warn=False) as seen:
        RandomForestClassifier(4, n_jobs=2).fit(X_TRAIN, Y_TRAIN).score(X_TEST, Y_TEST)
    assert (seen.journal.fits, len(seen.journal.evaluations)) == (1, 1)
    assert seen.report().left_out == ()


def test_a_new_thread_with_the_number_of_one_that_ended_is_new() -> None:
    class Ensemble(ClassifierMixin, BaseEstimator):
        """Fits its only member in a thread that it starts once an older one has ended."""

        def fit(self, rows: np.ndarray, labels: np.ndarray) -> "Ensemble":
            ended.set()
            older.join()
            member = threading.Thread(target=LogisticRegression().fit, args=(rows, labels))
            member.start()
            member.join()
            return self

    ended = threading.Event()
    older = threading.Thread(target=ended.wait)
    older.start()
    with watch(warn=False) as seen:
        Ensemble().fit(X_TRAIN, Y_TRAIN)
    assert seen.journal.fits == 1
    assert seen.report().left_out == ()


def test_calls_of_several_threads_do_not_disturb_each_other() -> None:
    gate = threading.Barrier(4)

    def work(_number: int) -> float:
        gate.wait()
        return float(LogisticRegression().fit(X_TRAIN, Y_TRAIN).score(X_TEST, Y_TEST))

    with watch(warn=False) as seen, ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(work, range(4)))) == 1
    assert codes(seen.report()) == []


def test_bound_methods_pickle_and_show_their_signature() -> None:
    import inspect

    with watch(warn=False):
        model = LogisticRegression()
        fit = pickle.loads(pickle.dumps(model.fit))
        assert fit(X, Y).predict(X).shape == Y.shape
        assert "sample_weight" in inspect.signature(model.fit).parameters
        assert not hasattr(GridSearchCV(KMeans(), {}), "predict_proba")


def test_input_that_cannot_be_followed_is_owned_up_to() -> None:
    class Odd(list):  # type: ignore[type-arg]
        def __iter__(self) -> None:  # type: ignore[override]
            raise RuntimeError

    class Taking(BaseEstimator):
        def fit(self, X: object) -> "Taking":  # noqa: N803
            return self

    with watch(warn=False) as seen:
        Taking().fit(Odd([1]))
    assert seen.report().left_out == ("a call could not be followed (RuntimeError)",)


def test_memory_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.leakage.watching.journal.MOST_ROWS", 100)
    with watch(warn=False) as seen:
        LogisticRegression().fit(X, Y).score(X, Y)
    assert any("limits" in sentence for sentence in seen.report().left_out)


def test_a_watch_shows_itself() -> None:
    with watch(warn=False) as seen:
        LogisticRegression().fit(X, Y).score(X, Y)
    assert repr(seen) == "<Watch: 1 fits, 1 evaluations, 1 findings>"
    assert "No separate test set" in seen._repr_html_()


# --- one estimator under watch ---------------------------------------------------------------------


def test_a_watched_estimator_tells_of_itself_and_its_clones() -> None:
    model = watched(LogisticRegression())
    assert is_classifier(model)
    assert cross_val_score(model, X, Y, cv=3).shape == (3,)
    assert codes(model.leakage()) == []
    assert model.fit(X, Y) is model
    model.score(X, Y)
    assert codes(model.leakage()) == ["L1.1"]
    assert model.coef_.shape == (1, 12)
    with pytest.raises(AttributeError):
        _ = model.transform


@pytest.mark.parametrize("seed", [0, 2])
def test_rows_that_a_choice_of_columns_made_alike_are_no_copies(seed: int) -> None:
    """Words chosen by training rows are frequent there, so that more test rows than training rows look like another."""
    draw = np.random.default_rng(seed)
    y = np.arange(300) % 2
    table = np.zeros((300, 300))
    for row, label in zip(table, y, strict=True):
        row[draw.integers(150 * label, 150 * label + (150 if label else 180), 12)] = 1

    train, test, of_train, of_test = train_test_split(table, y, random_state=0)

    def severities() -> set[Severity]:
        with watch(warn=False) as seen:
            best = SelectKBest(chi2, k=40).fit(train, of_train)
            BernoulliNB().fit(best.transform(train), of_train).score(best.transform(test), of_test)
        return {f.severity for f in seen.report().findings}

    assert severities() == {Severity.NOTE}
    test[:60] = train[:60]
    assert severities() == {Severity.ERROR}


def test_a_random_projection_learns_nothing() -> None:
    draw = np.random.default_rng(0)
    table, y = draw.normal(size=(200, 30)), np.arange(200) % 2
    with watch(warn=False) as seen:
        cross_val_score(LogisticRegression(), GaussianRandomProjection(5).fit_transform(table), y)
    assert seen.report().clean
