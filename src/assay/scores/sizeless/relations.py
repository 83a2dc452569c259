"""How scores hang together whatever the size of the test set, in words that a reader can check by hand."""

from __future__ import annotations

from collections.abc import Iterable

_HARMONIC = "F1 is the harmonic mean of precision and recall, 2·ppv·sens / (ppv + sens)"

_SENTENCES: dict[frozenset[str], str] = {
    frozenset(names.split()): sentence
    for names, sentence in {
        "f1 ppv sens": _HARMONIC,
        "f1 ppv": f"{_HARMONIC}, so it is at most 2·ppv / (ppv + 1)",
        "f1 sens": f"{_HARMONIC}, so it is at most 2·sens / (1 + sens)",
        "f1n npv spec": "F1 of the negative class is the harmonic mean of NPV and specificity",
        "f1 ji": "The Jaccard index (IoU) is F1 / (2 - F1), F1 being the Dice coefficient",
        "ji ppv sens": "1 / IoU is 1 / precision + 1 / recall - 1",
        "ji ppv": "The Jaccard index (IoU) is at most the precision",
        "ji sens": "The Jaccard index (IoU) is at most the recall",
        "acc sens spec": "Accuracy is a weighted mean of sensitivity and specificity, so it lies between them",
        "bacc sens spec": "Balanced accuracy is the mean of sensitivity and specificity",
        "bm sens spec": "Informedness is sensitivity + specificity - 1",
        "bacc bm": "Informedness is 2 · balanced accuracy - 1",
        "gm sens spec": "The geometric mean is √(sensitivity · specificity)",
        "bacc gm": "A geometric mean is at most the arithmetic mean of the same two numbers",
        "fm ppv sens": "The Fowlkes-Mallows index is √(precision · recall)",
        "f1 fm": "F1 is the harmonic mean of precision and recall, at most their geometric mean",
        "mk npv ppv": "Markedness is PPV + NPV - 1",
        "bm mcc mk": "The square of MCC is informedness · markedness",
        "acc kappa": "Kappa is (accuracy - chance) / (1 - chance), at most the accuracy",
        "lrp sens spec": "LR+ is sensitivity / (1 - specificity)",
        "lrn sens spec": "LR- is (1 - sensitivity) / specificity",
        "dor lrn lrp": "The diagnostic odds ratio is LR+ / LR-",
        "dor sens spec": "The diagnostic odds ratio is sens·spec / ((1 - sens)·(1 - spec))",
        "auc sens spec": "A ROC curve through this point has an area from sens·spec to 1 - (1 - sens)·(1 - spec)",
        "acc ppr prevalence": "Accuracy is at most 1 - |prevalence - share of predicted positives|",
        "npv ppv prevalence": "The prevalence lies between 1 - NPV and PPV",
        "acc npv ppv": "Accuracy is a weighted mean of PPV and NPV, so it lies between them",
    }.items()
}


def relation(scores: Iterable[str]) -> str:
    """The sentence about these scores (short names); empty where there is no short one."""
    return _SENTENCES.get(frozenset(scores), "")
