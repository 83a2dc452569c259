"""The models of an experiment: three by name, any other by the import path that the user writes out."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np

from assay.errors import InputError, suggestion
from assay.leakage.data.measures import Floats
from assay.patterns import regex
from assay.records import dataclass

KINDS = {
    "logistic": "logistic regression, or ridge regression for a target of numbers",
    "forest": "random forest of 100 trees",
    "boosting": "gradient boosting of histograms",
    "repeat": "the value of its one column, unchanged",
}
_TEXT = regex(r"(?:(?P<name>[^=@:]+)=)?(?P<kind>[\w.]+(?::\w+)?)(?:@(?P<columns>.+))?")


@dataclass(frozen=True, slots=True)
class Model:
    """A model by name, of which kind, on which columns (all when none is named)."""

    name: str
    kind: str
    columns: tuple[str, ...] = ()


def model_of(text: str) -> Model:
    """[NAME=]KIND[@COLUMN,COLUMN…]; KIND is a known name or package.module:Class."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{text!r} is not a model", fix="Write forest, or name=logistic@column,column.")
    kind = found["kind"]
    if kind not in KINDS and ":" not in kind:
        fix = suggestion(kind, KINDS) or f"Known: {', '.join(KINDS)}; or an import path package.module:Class."
        raise InputError(f'there is no model "{kind}"', fix=fix)
    columns = tuple(c.strip() for c in (found["columns"] or "").split(",") if c.strip())
    return Model((found["name"] or kind).strip(), kind, columns)


class _Repeat:
    """A forecast that is its first feature: last year's outcome, a score of somebody else."""

    def fit(self, _x: Floats, _y: Floats) -> _Repeat:
        return self

    def predict(self, x: Floats) -> Floats:
        return np.nan_to_num(x[:, 0])


def estimator_of(model: Model, *, classes: bool, seed: int) -> Any:
    """A fresh scikit-learn estimator; gaps that an experiment leaves are filled with medians of the training rows."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    if model.kind == "repeat":
        return _Repeat()
    if model.kind == "forest":
        return make_pipeline(filled, _forest(classes, seed))
    return make_pipeline(filled, StandardScaler(), _plain(model, classes, seed))


def _forest(classes: bool, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    if classes:
        return RandomForestClassifier(
            100, class_weight="balanced_subsample", min_samples_leaf=2, random_state=seed, n_jobs=1
        )
    return RandomForestRegressor(100, min_samples_leaf=2, random_state=seed, n_jobs=1)


def _plain(model: Model, classes: bool, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.linear_model import LogisticRegression, Ridge

    if model.kind == "logistic":
        return LogisticRegression(max_iter=2_000) if classes else Ridge()
    if model.kind == "boosting":
        kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
        return kind(max_iter=100, early_stopping=False, random_state=seed)
    return _imported(model.kind, seed)


def _imported(path: str, seed: int) -> Any:
    """The class that the user named; importing it runs its code, which is why nothing but the option asks for it."""
    module, _, name = path.partition(":")
    try:
        found: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{path} cannot be imported ({error})", fix="Write package.module:Class.") from None
    if not (inspect.isclass(found) and hasattr(found, "fit")):
        raise InputError(f"{path} is not an estimator", fix="Name a class with fit and predict.")
    options: dict[str, Any] = {"random_state": seed} if "random_state" in inspect.signature(found).parameters else {}
    return found(**options)
