"""The files people write: experiments in TOML, YAML, JSON or CSV, and ``name=value`` words.

All five become the same `ExperimentModel`, so that one set of rules and one set of messages holds
for all. Numbers stay text until `printed` reads them: trailing zeros are precision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from assay.errors import InputError
from assay.files import validated
from assay.findings import Location
from assay.scores.constraints import Undefined
from assay.scores.definitions import SCORES, find_score
from assay.scores.experiment import Aggregation, Dataset, Experiment, Folding, FoldModel, Reported, TestSet, Wording
from assay.scores.printed import Rounding, read_eps
from assay.scores.wording import read_wording

if TYPE_CHECKING:
    from assay.scores.setups import Setup


def _as_text(value: object) -> object:
    """Numbers given as numbers count with the digits that Python shows."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return value
    return repr(float(value)) if isinstance(value, Fraction) else repr(value)


Text = Annotated[str, BeforeValidator(_as_text)]
Count = Annotated[int, Field(ge=0, le=10**15)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ScoreModel(_Strict):
    """A score with more than its value: spread and extremes over folds, or a precision of its own."""

    value: Text | None = Field(None, alias="mean", description="The score itself, or its mean over folds.")
    sd: Text | None = Field(None, description="Standard deviation over folds.")
    minimum: Text | None = Field(None, alias="min", description="Smallest value over folds.")
    maximum: Text | None = Field(None, alias="max", description="Largest value over folds.")
    rounding: Rounding | None = None
    eps: Text | None = Field(None, description="Uncertainty instead of rounding: value ± eps.")


class SetModel(_Strict):
    """A test set or a fold."""

    p: Count
    n: Count
    name: str = ""


class DatasetModel(_Strict):
    """A dataset, by its counts or by the name of a known setup, perhaps cut into folds."""

    name: str = ""
    p: Count | None = Field(None, description="Positives.")
    n: Count | None = Field(None, description="Negatives.")
    setup: str | None = Field(None, description="Name of a known setup instead of p and n.")
    folds: int | list[SetModel] | None = Field(None, description="Number of folds, or the folds themselves.")
    fold_model: FoldModel = FoldModel.UNKNOWN
    repeats: Annotated[int, Field(ge=1, le=10_000)] = 1
    aggregation: Aggregation = Aggregation.UNKNOWN

    @model_validator(mode="after")
    def _folds_fit(self) -> DatasetModel:
        if isinstance(self.folds, int) and self.folds < 2:
            raise ValueError(f"folds = {self.folds}: there are at least 2 folds")
        if isinstance(self.folds, list) and len(self.folds) < 2:
            raise ValueError("list at least 2 folds")
        if self.repeats > 1 and self.folds is None:
            raise ValueError("repeats without folds: add folds = k")
        return self


class ExperimentModel(DatasetModel):
    """One row of a paper's results table, with the experiment it comes from."""

    sets: list[SetModel] | None = Field(None, description="Several test sets instead of one dataset.")
    datasets: list[DatasetModel] | None = Field(None, description="Several datasets instead of one.")
    rounding: Rounding | None = None
    eps: Text | None = None
    percent: bool = Field(False, description="Read bare numbers as percentages.")
    undefined: Undefined | None = None
    scores: dict[str, Text | ScoreModel] = Field(description="Score name → printed figure.")


class StudyModel(_Strict):
    """A file of experiments; what is set at the top is the default for each."""

    rounding: Rounding | None = None
    undefined: Undefined | None = None
    percent: bool = False
    experiment: list[ExperimentModel] = Field(min_length=1)


def study_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, for editors and for other programs."""
    schema = TypeAdapter(StudyModel).json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Assay score study", **schema}


_FIELDS = frozenset(ExperimentModel.model_fields) - {"scores"}
_PART_OF_SCORE = re.compile(r"(?P<name>.+?)[_.](?P<part>sd|min|max|eps|rounding)", re.IGNORECASE)


def nested(pairs: Iterable[tuple[str, object]], *, where: str) -> dict[str, object]:
    """Flat names as the data that `ExperimentModel` takes: settings, scores, and parts of scores (``acc_sd``)."""
    fields: dict[str, object] = {}
    scores: dict[str, dict[str, object]] = {}
    for name, value in pairs:
        if name.lower() in _FIELDS:
            put_once(fields, name.lower(), value, where)
            continue
        match = _PART_OF_SCORE.fullmatch(name)
        score, part = (match["name"], match["part"].lower()) if match else (name, "mean")
        put_once(scores.setdefault(score, {}), part, value, f"{where}: {score}" if match else where)
    return {**fields, "scores": scores}


def put_once(target: dict[str, Any], name: str, value: object, where: str) -> None:
    """Enter a value under its name; a name that is there already is an error, not overwritten."""
    if name in target:
        raise InputError(f'"{name}" is given twice', where=where, fix="Keep one of them.")
    target[name] = value


def experiment_of(
    data: Mapping[str, object],
    *,
    where: str,
    location: Location | None = None,
    defaults: Mapping[str, object] | None = None,
) -> Experiment:
    """Plain data, from whatever file, as an `Experiment`."""
    model = validated(ExperimentModel, {**(defaults or {}), **data}, where=where)
    try:
        return _compile(model, location)
    except InputError as error:
        raise InputError(error.what, where=": ".join(filter(None, (where, error.where))), fix=error.fix) from None


def reported_of(model: ExperimentModel) -> tuple[Reported, ...]:
    """The reported scores alone, whatever is known of the experiment."""
    if not model.scores:
        raise InputError("no score is given", fix=f"Add at least one, such as acc=0.93; known: {', '.join(SCORES)}.")
    return tuple(_reported(name, entry, model) for name, entry in model.scores.items())


def _compile(model: ExperimentModel, location: Location | None) -> Experiment:
    reported = reported_of(model)
    described = _described(model)
    datasets, across = described[0][1], model.aggregation
    parts = sum(d.folding.k * d.folding.repeats if d.folding else 1 for d in datasets)
    for score in reported:
        if parts == 1 and (score.sd or score.minimum or score.maximum):
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
    )


def _described(model: ExperimentModel) -> list[tuple[str, tuple[Dataset, ...]]]:
    """The datasets; several times, under several names, when the description may mean several things."""
    ways = {
        "p and n": model.p is not None or model.n is not None,
        "setup": model.setup,
        "sets": model.sets,
        "datasets": model.datasets,
    }
    given = [way for way, there in ways.items() if there]
    if isinstance(model.folds, list) and not given:
        given = ["folds"]
    if len(given) != 1:
        if not given:
            raise InputError("the size of the test set is missing", fix="Give p= and n= (or setup=, sets, datasets).")
        raise InputError(f"{' and '.join(given)} are given together", fix="Keep one of them.")
    if model.sets:
        return [("", tuple(Dataset(_set(s)) for s in model.sets))]
    if model.datasets:
        return [("", tuple(d for part in model.datasets for d in _dataset(part)))]
    if model.setup:
        from assay.scores.setups import find_family

        family = find_family(model.setup)
        if family:
            return [(one.name, _parts_of(one, model)) for one in family]
    return [("", _dataset(model))]


def _set(model: SetModel) -> TestSet:
    if model.p + model.n == 0:
        raise InputError("a test set is empty (p = 0 and n = 0)", where=model.name, fix="Leave it out.")
    return TestSet(model.p, model.n, model.name)


def _dataset(model: DatasetModel) -> tuple[Dataset, ...]:
    if model.setup is not None:
        from assay.scores.setups import find_setup

        return _parts_of(find_setup(model.setup), model)
    listed = tuple(_set(f) for f in model.folds) if isinstance(model.folds, list) else ()
    if model.p is not None and model.n is not None:
        whole = _set(SetModel(p=model.p, n=model.n, name=model.name))
    elif listed:
        whole = TestSet(sum(f.p for f in listed), sum(f.n for f in listed), model.name)
    else:
        missing, what = ("n", "negatives") if model.n is None else ("p", "positives")
        raise InputError(f"{missing} is missing", fix=f"Give the number of {what}.")
    return (Dataset(whole, _folding(model, whole, listed), model.aggregation),)


def _parts_of(setup: Setup, model: DatasetModel) -> tuple[Dataset, ...]:
    """The test sets of a published setup."""
    if setup.classes:
        choices = ", ".join(f"{setup.name}#{name}" for name in setup.classes)
        raise InputError(f"{setup.name} has {len(setup.classes)} classes", fix=f"Choose what is positive: {choices}.")
    listed = tuple(_set(f) for f in model.folds) if isinstance(model.folds, list) else ()
    return tuple(Dataset(part, _folding(model, part, listed), model.aggregation) for part in setup.parts)


def _folding(model: DatasetModel, whole: TestSet, listed: tuple[TestSet, ...]) -> Folding | None:
    if model.folds is None:
        return None
    if listed:
        found = (sum(f.p for f in listed), sum(f.n for f in listed))
        if found != (whole.p * model.repeats, whole.n * model.repeats) and found != (whole.p, whole.n):
            raise InputError(
                f"the listed folds hold {found[0]} + {found[1]} items, the dataset {whole.p} + {whole.n}",
                fix="Correct one of them, or leave p and n out.",
            )
        return Folding(len(listed), model.fold_model, 1, listed)
    k = model.folds
    if not isinstance(k, int) or k > whole.p + whole.n:
        raise InputError(f"{k} folds of {whole.p + whole.n} items", fix="There cannot be more folds than items.")
    return Folding(k, model.fold_model, model.repeats)


def _reported(name: str, entry: str | ScoreModel, model: ExperimentModel) -> Reported:
    detail = entry if isinstance(entry, ScoreModel) else ScoreModel(value=entry)
    eps_text = detail.eps if detail.eps is not None else model.eps
    eps = None if eps_text is None else read_eps(eps_text, name=f"{name} eps" if detail.eps else "eps")
    rounding = detail.rounding or model.rounding or Rounding.NEAREST
    wording = Wording(detail.value, detail.sd, detail.minimum, detail.maximum, rounding, eps, model.percent)
    return read_wording(name, wording, find_score(name))
