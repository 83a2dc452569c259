"""What a person wrote, as the experiment that is checked: sizes looked up, figures read, contradictions refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.files import validated
from assay.findings import Location
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, find_score
from assay.scores.entries import interval_ends, said, said_of_folds, with_interval, wording_of
from assay.scores.exact import Interval
from assay.scores.experiment import Aggregation, Dataset, Experiment, Folding, Reported, TestSet
from assay.scores.printed import Range, read_figure
from assay.scores.printed_scores import read_wording
from assay.scores.several_classes import is_class_average, names_class_averages, several_classes, two_classes
from assay.scores.study import DatasetModel, ExperimentModel, ScoreModel, SetModel, Task
from assay.scores.tasks import (
    AnyExperiment,
    KnownSizes,
    RankingExperiment,
    RegressionExperiment,
    Said,
    SizelessExperiment,
    is_area,
    is_gini,
)

if TYPE_CHECKING:
    from assay.scores.setups import Setup


def experiment_of(
    data: Mapping[str, object],
    *,
    where: str,
    location: Location | None = None,
    defaults: Mapping[str, object] | None = None,
) -> AnyExperiment:
    """Plain data from any file, as an experiment."""
    model = validated(ExperimentModel, {**(defaults or {}), **data}, where=where)
    try:
        return _compile(model, location)
    except InputError as error:
        raise InputError(error.what, where=": ".join(filter(None, (where, error.where))), fix=error.fix) from None


def reported_of(model: ExperimentModel) -> tuple[Reported, ...]:
    """The scores of a binary confusion matrix alone, whatever is known of the experiment."""
    _refuse_silence(model)
    return tuple(_reported(name, entry, model) for name, entry in model.scores.items() if not is_area(name))


_OF_ONE_SET = frozenset({"name", "p", "n", "rounding", "eps", "percent", "undefined", "scores"})


def reported_of_one_set(model: ExperimentModel) -> tuple[Reported, ...]:
    """The same where one test set of unknown size is meant: anything that implies more is refused."""
    reported = reported_of(model)
    spreads = [f"the spread of {r.name}" for r in reported if r.spread_out]
    further = [*sorted(model.model_fields_set - _OF_ONE_SET), *filter(is_area, model.scores), *spreads]
    if further:
        raise InputError(
            f"sizes are found for the scores of one test set only, without {', '.join(further)}",
            fix="Leave that out; with p and n, `assay scores check` takes it.",
        )
    return reported


def _refuse_silence(model: ExperimentModel) -> None:
    if not model.scores:
        raise InputError("no score is given", fix=f"Add at least one, such as acc=0.93; known: {', '.join(SCORES)}.")


_OF_SETS = frozenset({"sets", "datasets"})
_OF_PARTS = _OF_SETS | {"folds", "fold_model", "repeats", "aggregation"}
_OF_REGRESSION = frozenset({"variance", "ddof", "target_range", "range_attained", "integer"})


def _refuse_strangers(model: ExperimentModel, strangers: frozenset[str], what: str) -> None:
    """A setting that the task has no use for was meant to say something: it is not passed over."""
    found = sorted(model.model_fields_set & strangers)
    if found:
        raise InputError(f"{what} takes no {' and no '.join(found)}", fix="Leave that out, or check the task.")


def _compile(model: ExperimentModel, location: Location | None) -> AnyExperiment:
    _refuse_silence(model)
    if model.task is Task.REGRESSION:
        return _regression(model, location)
    if model.classes is not None or model.task is Task.MULTICLASS:
        strangers = _OF_PARTS if model.folds is None else _OF_SETS
        _refuse_strangers(model, strangers | _OF_REGRESSION, "a test of several classes")
        return several_classes(model, location)
    if names_class_averages(model):
        _refuse_strangers(model, _OF_SETS | _OF_REGRESSION | {"setup"}, "an average over two classes")
        complete = _completed(model)
        if complete.p is None or complete.n is None:
            raise InputError(
                "averages over the classes need their sizes", fix="Give p= and n=, or classes=60,40 for more classes."
            )
        return two_classes(complete, location)
    return _binary(model, location)


def _binary(model: ExperimentModel, location: Location | None) -> Experiment | RankingExperiment | SizelessExperiment:
    _refuse_strangers(model, _OF_REGRESSION, "a test of two classes")
    areas = _areas(model)
    model = _completed(model)
    if _has_no_sizes(model):
        return _sizeless(model, areas, location)
    one_dataset = not (model.sets or model.datasets)
    left_out = () if one_dataset else tuple(f"{a.name}: an area over several sets is not tested" for a in areas)
    experiment = _experiment(model, location, left_out)
    if areas and len(experiment.datasets) == 1 and not experiment.alternatives:
        return RankingExperiment(experiment, _plain(areas) if experiment.one_test_set else areas)
    if not experiment.reported:
        raise InputError("an area under the curve is tested on one test set only", fix="Give p, n and the area.")
    return experiment


def _areas(model: ExperimentModel) -> tuple[Said, ...]:
    return tuple(_area(name, with_interval(entry), model) for name, entry in model.scores.items() if is_area(name))


def _area(name: str, entry: ScoreModel, model: ExperimentModel) -> Said:
    allowed = Range(name, Fraction(-1 if is_gini(name) else 0), Fraction(1))
    return replace(said_of_folds(name, entry, model, allowed), ci=interval_ends(name, entry, model, allowed))


def _plain(areas: tuple[Said, ...]) -> tuple[Said, ...]:
    """Areas of one test set, which has no spread."""
    for area in areas:
        if area.spread_out:
            raise InputError(
                "a spread needs several folds or test sets", where=area.name, fix="Add folds = k, or drop the spread."
            )
    return areas


_OTHER_SIZES = ("setup", "sets", "datasets")


def _has_no_sizes(model: ExperimentModel) -> bool:
    """Whether the numbers of positives and of negatives do not both follow from what is given."""
    described = any(getattr(model, size) is not None for size in _OTHER_SIZES) or isinstance(model.folds, list)
    return not described and (model.p is None or model.n is None)


def _completed(model: ExperimentModel) -> ExperimentModel:
    """The class counts that follow from others: from the four cells, or from the total and one class."""
    cells = {find_score(name).score.name: entry for name, entry in model.scores.items() if _is_count(name)}
    p, n = model.p, model.n
    p = _sum_of(cells, "tp", "fn") if p is None else p
    n = _sum_of(cells, "fp", "tn") if n is None else n
    if model.total is not None:
        p, n = _with_total(p, n, model.total)
    return model.model_copy(update={"p": p, "n": n})


def _with_total(p: int | None, n: int | None, total: str) -> tuple[int | None, int | None]:
    """The class counts beside a total; a single missing one follows from it."""
    least, most = _totals(total)
    if p is not None and n is not None and not least <= p + n <= most:
        raise InputError(f"{p} + {n} items are not the total of {total}", fix="Correct one of them.")
    known = p if n is None else n
    if least < most or (p is None) == (n is None) or known is None:
        return p, n
    if known > least:
        raise InputError(f"one class has more items than the total of {total}", fix="Correct one of them.")
    return (known, least - known) if n is None else (least - known, known)


def _is_count(name: str) -> bool:
    return not is_area(name) and not is_class_average(name) and find_score(name).score.whole


def _sum_of(cells: Mapping[str, str | ScoreModel], one: str, other: str) -> int | None:
    entries = [entry.value if isinstance(entry, ScoreModel) else entry for entry in map(cells.get, (one, other))]
    whole = [int(text) for text in entries if text is not None and text.strip().isdecimal()]
    return sum(whole) if len(whole) == 2 else None


def _totals(text: str) -> tuple[int, int]:
    """``300``, or ``200-300`` for a range."""
    ends = [end.strip() for end in text.replace("..", "-").split("-")]
    if len(ends) not in (1, 2) or not all(end.isdecimal() and len(end) <= 15 for end in ends):
        raise InputError(f'total = "{text}" is not a number of items', fix="Write total=300, or total=200-300.")
    least, most = int(ends[0]), int(ends[-1])
    if not 0 < least <= most:
        raise InputError(f"the total {text} is empty", fix="Write the smaller number first, and at least 1.")
    return least, most


def _sizeless(model: ExperimentModel, areas: tuple[Said, ...], location: Location | None) -> SizelessExperiment:
    scores, undefined = reported_of(model), model.undefined or Undefined.ANY
    known = _known_sizes(model)
    counts = [one.name for one in scores if one.score.whole]
    if counts and known is None:
        raise InputError(
            f"{' and '.join(counts)}: counts need the sizes of the classes",
            fix="Give p= and n= too, or leave the counts out.",
        )
    if model.aggregation is Aggregation.WEIGHTED:
        raise InputError("a weighted mean needs the sizes of its parts", fix="Give them, or aggregation=mean.")
    in_parts = model.folds is not None or any(one.spread_out for one in scores)
    return SizelessExperiment(model.name, scores, areas, model.aggregation, undefined, location, known, in_parts)


def _known_sizes(model: ExperimentModel) -> KnownSizes | None:
    """What is said of one test set; sizes of parts are those of none of them."""
    if model.p is not None or model.n is not None:
        return KnownSizes(model.p, model.n)
    return None if model.total is None else KnownSizes(totals=_totals(model.total))


_ANY_NUMBER = Range("the figure")


def _regression(model: ExperimentModel, location: Location | None) -> RegressionExperiment:
    if not model.n or model.p is not None:
        raise InputError("a regression needs n, the number of predictions", fix="Give n = 100, and no p.")
    _refuse_strangers(model, _OF_PARTS | {"classes", "setup"}, "a regression on one test set")
    figures = tuple(said(name, entry, model, _ANY_NUMBER) for name, entry in model.scores.items())
    variance = None if model.variance is None else said("variance", model.variance, model, _ANY_NUMBER).interval
    return RegressionExperiment(
        model.name,
        model.n,
        figures,
        variance,
        model.ddof,
        _target_range(model),
        model.range_attained,
        model.integer,
        location,
    )


def _target_range(model: ExperimentModel) -> tuple[Interval, Interval] | None:
    """What the printed ends leave open; the ends of whole numbers are exact."""
    if model.target_range is None:
        return None
    exact = Fraction(0) if model.integer else None
    low, high = (read_figure(text, _ANY_NUMBER, name="target_range", eps=exact) for text in model.target_range)
    return low.interval, high.interval


def _experiment(model: ExperimentModel, location: Location | None, left_out: tuple[str, ...]) -> Experiment:
    reported = reported_of(model)
    described = _described(model)
    datasets, across = described[0][1], model.aggregation
    parts = sum(d.folding.k * d.folding.repeats if d.folding else 1 for d in datasets)
    for score in reported:
        if parts == 1 and score.spread_out:
            raise InputError(
                "a spread needs several folds or test sets", where=score.name, fix="Add folds = k, or drop the spread."
            )
    return Experiment(
        model.name,
        datasets,
        reported,
        across,
        model.undefined or Undefined.ANY,
        location,
        tuple(described) if len(described) > 1 else (),
        left_out,
    )


def _described(model: ExperimentModel) -> list[tuple[str, tuple[Dataset, ...]]]:
    """The datasets; several times, under several names, when the description may mean several things."""
    _require_one_size(model)
    if model.sets:
        return [("", tuple(Dataset(_set(s)) for s in model.sets))]
    if model.datasets:
        return [("", tuple(d for part in model.datasets for d in _dataset(part)))]
    return _members(model) or [("", _dataset(model))]


def _require_one_size(model: ExperimentModel) -> None:
    """The size of the test set is given in one way."""
    ways = {
        "p and n": model.p is not None or model.n is not None,
        "setup": model.setup,
        "sets": model.sets,
        "datasets": model.datasets,
    }
    given = [way for way, there in ways.items() if there]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given together", fix="Keep one of them.")
    if not given and not isinstance(model.folds, list):
        raise InputError("the size of the test set is missing", fix="Give p= and n= (or setup=, sets, datasets).")


def _members(model: ExperimentModel) -> list[tuple[str, tuple[Dataset, ...]]]:
    """Every setup of a family, where only the family is named."""
    if not model.setup:
        return []
    from assay.scores.setups import find_family

    return [(one.name, _parts_of(one, model)) for one in find_family(model.setup) or ()]


def _set(model: SetModel) -> TestSet:
    if model.p + model.n == 0:
        raise InputError("a test set is empty (p = 0 and n = 0)", where=model.name, fix="Leave it out.")
    return TestSet(model.p, model.n, model.name)


def _dataset(model: DatasetModel) -> tuple[Dataset, ...]:
    if model.setup is not None:
        from assay.scores.setups import find_setup

        return _parts_of(find_setup(model.setup), model)
    listed = tuple(_set(f) for f in model.folds) if isinstance(model.folds, list) else ()
    whole = _whole(model, listed)
    return (_tested(whole, _folding(model, whole, listed), model.aggregation),)


def _whole(model: DatasetModel, listed: tuple[TestSet, ...]) -> TestSet:
    """The dataset by its counts, or by those of its folds."""
    if model.p is not None and model.n is not None:
        return _set(SetModel(p=model.p, n=model.n, name=model.name))
    if listed:
        return TestSet(sum(f.p for f in listed), sum(f.n for f in listed), model.name)
    missing, what = ("n", "negatives") if model.n is None else ("p", "positives")
    raise InputError(f"{missing} is missing", fix=f"Give the number of {what}.")


def _tested(whole: TestSet, folding: Folding | None, aggregation: Aggregation) -> Dataset:
    """The dataset with all that was tested: listed folds may hold each item several times."""
    if folding is not None and folding.listed:
        whole = TestSet(sum(f.p for f in folding.listed), sum(f.n for f in folding.listed), whole.name)
    return Dataset(whole, folding, aggregation)


def _parts_of(setup: Setup, model: DatasetModel) -> tuple[Dataset, ...]:
    """The test sets of a published setup."""
    if setup.classes:
        choices = ", ".join(f"{setup.name}#{name}" for name in setup.classes)
        raise InputError(f"{setup.name} has {len(setup.classes)} classes", fix=f"Choose what is positive: {choices}.")
    listed = tuple(_set(f) for f in model.folds) if isinstance(model.folds, list) else ()
    return tuple(_tested(part, _folding(model, part, listed), model.aggregation) for part in setup.parts)


def _folding(model: DatasetModel, whole: TestSet, listed: tuple[TestSet, ...]) -> Folding | None:
    k = model.folds
    if k is None:
        return None
    if k == 1:  # the whole test set, as some setups describe it, perhaps tested several times
        listed = (whole,)
    if listed:
        every = _every_fold(listed, whole, model.repeats)
        return Folding(len(every), model.fold_model, 1, every) if len(every) > 1 else None
    if not isinstance(k, int) or k > whole.p + whole.n:
        raise InputError(f"{k} folds of {whole.p + whole.n} items", fix="There cannot be more folds than items.")
    return Folding(k, model.fold_model, model.repeats)


def _every_fold(listed: tuple[TestSet, ...], whole: TestSet, repeats: int) -> tuple[TestSet, ...]:
    """The folds of all repeats; where those of one are listed, the others are cut alike."""
    found = sum(f.p for f in listed), sum(f.n for f in listed)
    if found == (whole.p, whole.n):
        return listed * repeats
    if found == (whole.p * repeats, whole.n * repeats):
        return listed
    raise InputError(
        f"the listed folds hold {found[0]} + {found[1]} items, the dataset {whole.p} + {whole.n}",
        fix="Correct one of them, or leave p and n out.",
    )


def _reported(name: str, entry: str | ScoreModel, model: ExperimentModel) -> Reported:
    meant, detail = find_score(name), with_interval(entry)
    read = read_wording(name, wording_of(name, detail, model), meant)
    ci = interval_ends(name, detail, model, meant.score)
    return read if ci is None else replace(read, ci=ci)
