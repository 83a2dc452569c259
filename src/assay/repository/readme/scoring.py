"""Whether a file that a README names scores or applies a model: its code says it, whatever the README calls it."""

from __future__ import annotations

from assay.code import Code, Source
from assay.patterns import regex
from assay.repository.readme.fitting import FITTING, called, imported_by, mentions_any, runs

_SCORING = (
    ".predict(", "predict_proba(", ".evaluate(", "accuracy_score(", "classification_report(", "confusion_matrix(",
    "f1_score(", "precision_score(", "recall_score(", "roc_auc_score(", "roc_curve(", "average_precision_score(",
    "mean_squared_error(", "mean_absolute_error(", "r2_score(",
)  # fmt: skip
_RESTORING = ("load_state_dict(", "load_model(", "load_weights(", "load_from_checkpoint(")
"""A script that trains loads what it goes on with, so that these tell only of one that does not."""
_SOMETHING_ELSE = regex(
    r"(?:^|[/_.-])(?:plot|draw|vis|download|pre_?process|prepare|convert|setup|build|create|extract|app|api|server|"
    r"gui|web|dashboard|streamlit|flask|gradio|util|metric|loss)[^/]{0,60}$|(?:^|/)tests?[/_]|_test\.py$"
)
"""Names that say what else a file is for: pictures, data, web pages, parts for others, tests of the code."""


def scores_itself(name: str, code: Code) -> bool:
    """Whether a file that is named is something to run and scores a model, or applies one that was trained before."""
    if _SOMETHING_ELSE.search(name.lower()):
        return False
    return any(mentions_any([s], _SCORING) or _only_applies(s) for s in called(name, code) if runs(s))


def scores(name: str, code: Code) -> bool:
    """Whether what is told to run does, in its own code or in what it imports."""
    if _SOMETHING_ELSE.search(name.lower()):
        return False
    return scores_itself(name, code) or mentions_any(imported_by(called(name, code), code), _SCORING)


def _only_applies(source: Source) -> bool:
    return mentions_any([source], _RESTORING) and not mentions_any([source], FITTING)
