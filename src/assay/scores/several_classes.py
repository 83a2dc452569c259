"""What a person wrote about several classes, as the experiment that is checked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assay.errors import InputError
from assay.findings import Location
from assay.scores.conventions import Undefined
from assay.scores.definitions import find_score
from assay.scores.entries import said_of_folds
from assay.scores.experiment import Aggregation
from assay.scores.printed import Range
from assay.scores.study import ExperimentModel, ScoreModel
from assay.scores.tasks import ClassFolding, MulticlassExperiment

_SHARE = Range("the score", Fraction(-1), Fraction(1))
_ANY_NUMBER = Range("the score", Fraction(0))
_AVERAGES = ("macro", "micro", "weighted")


def several_classes(model: ExperimentModel, location: Location | None) -> MulticlassExperiment:
    """An experiment with the items of each class."""
    if model.p is not None or model.n is not None:
        raise InputError("p and n are for two classes", fix="Give classes = [items of each class] alone.")
    classes = model.classes if model.classes is not None else model.setup
    if classes is None:
        raise InputError("the class counts are missing", fix="Give classes = [50, 50, 50], or a setup with classes.")
    if isinstance(classes, str):
        from assay.scores.setups import find_setup

        found = find_setup(classes)
        if not found.classes:
            raise InputError(f"{found.name} has two classes", fix="Give it as setup, without classes.")
        classes = dict(found.classes)
    named = classes if isinstance(classes, dict) else {str(i): count for i, count in enumerate(classes)}
    return _experiment(model, named, dict(model.scores), location)


def names_class_averages(model: ExperimentModel) -> bool:
    """Whether a score of two classes is said to be an average over both: macro, micro or weighted."""
    return any(map(is_class_average, model.scores))


def is_class_average(name: str) -> bool:
    """Whether a name says macro, micro or weighted."""
    return any(word in name.lower() for word in _AVERAGES)


def two_classes(model: ExperimentModel, location: Location | None) -> MulticlassExperiment:
    """Scores of two classes of which some are averages over both; the others are those of the positive class."""
    named = {"positive": model.p or 0, "negative": model.n or 0}
    return _experiment(model, named, dict(_of_classes(model)), location)


def _of_classes(model: ExperimentModel) -> Iterator[tuple[str, str | ScoreModel]]:
    symmetric = {"acc", "bacc", "kappa", "mcc"}
    for name, entry in model.scores.items():
        plain = is_class_average(name) or find_score(name).score.name in symmetric
        yield (name if plain else f"{name}[positive]"), entry


def _experiment(
    model: ExperimentModel, named: dict[str, int], scores: dict[str, str | ScoreModel], location: Location | None
) -> MulticlassExperiment:
    said = tuple(said_of_folds(name, entry, model, _range(name)) for name, entry in scores.items())
    folding = _folding(model, sum(named.values()))
    for one in said:
        if folding is None and one.spread_out:
            raise InputError("a spread needs several folds", where=one.name, fix="Add folds = k, or drop the spread.")
    if model.aggregation is Aggregation.WEIGHTED:
        raise InputError("weighted means over folds of several classes are not tested", fix="Give aggregation=mean.")
    undefined = model.undefined or Undefined.ANY
    return MulticlassExperiment(
        model.name, tuple(named), tuple(named.values()), said, undefined, location, folding, model.aggregation
    )


def _range(name: str) -> Range:
    """Odds and counts of a class may be any number; all else is between -1 and 1."""
    score, bracket, _ = name.partition("[")
    return _ANY_NUMBER if bracket and find_score(score).score.high is None else _SHARE


def _folding(model: ExperimentModel, items: int) -> ClassFolding | None:
    if model.folds is None or model.folds == 1:
        return None
    if isinstance(model.folds, list):
        raise InputError("listed folds are for two classes", fix="Give the number of folds, such as folds=5.")
    if model.folds > items:
        raise InputError(f"{model.folds} folds of {items} items", fix="There cannot be more folds than items.")
    return ClassFolding(model.folds, model.fold_model, model.repeats)
