"""The files people write: experiments in TOML, YAML, JSON or CSV, and ``name=value`` words.

All five become the same `ExperimentModel`, so that one set of rules and one set of messages holds
for all. Numbers stay text until `printed` reads them: trailing zeros are precision.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from assay.errors import InputError
from assay.patterns import regex
from assay.scores.conventions import Rounding, Undefined
from assay.scores.experiment import Aggregation, FoldModel

_DIGITS_OF_A_FLOAT = 10
"""Beyond these a float holds the noise of its arithmetic, which nobody printed."""


def number_text(value: numbers.Real | Decimal) -> str:
    """A number of Python, numpy or pandas with the digits that it shows, as far as they mean something."""
    text = str(float(value)) if isinstance(value, Fraction) else str(value)
    digits = text.lower().partition("e")[0].lstrip("-0.").replace(".", "")
    noisy = len(digits) > _DIGITS_OF_A_FLOAT and not isinstance(value, numbers.Integral | Decimal)
    return f"{float(value):.{_DIGITS_OF_A_FLOAT}g}" if noisy else text


def is_gap(value: object) -> bool:
    """Whether nothing is reported: None, or the NaN of any library."""
    return value is None or (isinstance(value, numbers.Real | Decimal) and math.isnan(value))


def _as_text(value: object) -> object:
    """Numbers given as numbers count with the digits that they show."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real | Decimal):
        return value
    return number_text(value)


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
    at_least: Text | None = Field(None, description="No fold is below it; unlike min, no fold needs to attain it.")
    at_most: Text | None = Field(None, description="No fold is above it; unlike max, no fold needs to attain it.")
    median: Text | None = Field(None, description="Median over folds.")
    ci: Text | None = Field(None, description="Its 95 % confidence interval on one test set, such as 0.88-0.97.")
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
        if self.folds in (0, []) or (isinstance(self.folds, int) and self.folds < 0):
            raise ValueError("folds: there is at least 1 fold, the test set itself")
        if self.repeats > 1 and self.folds is None:
            raise ValueError("repeats without folds: add folds = k")
        return self


def _as_counts(value: object) -> object:
    """``50,50,50`` and ``setosa:50,other:100`` on the command line."""
    if not isinstance(value, str) or not value.split(",")[0].rpartition(":")[2].strip().isdigit():
        return value
    pairs = [part.rpartition(":") for part in value.split(",")]
    if any(name for name, _, _ in pairs):
        named = {name.strip(): count for name, _, count in pairs}
        if "" in named or len(named) < len(pairs):
            raise ValueError("each class needs a name of its own")
        return named
    return [count for _, _, count in pairs]


Classes = Annotated[dict[str, Count] | list[Count] | str, BeforeValidator(_as_counts)]


def _as_whole(value: object) -> object:
    """``1`` on the command line, and in files, whose numbers are text."""
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


def _as_pair(value: object) -> object:
    """``0,5`` and ``[0, 5]`` on the command line."""
    return value.strip().removeprefix("[").removesuffix("]").split(",") if isinstance(value, str) else value


Ddof = Annotated[Literal[0, 1], BeforeValidator(_as_whole)]
Ends = Annotated[tuple[Text, Text], BeforeValidator(_as_pair)]


class Task(StrEnum):
    """What was predicted."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"


class ExperimentModel(DatasetModel):
    """One row of a paper's results table, with the experiment it comes from."""

    total: Text | None = Field(None, description="Items of both classes, where no more is known; 200-300 for a range.")
    sets: list[SetModel] | None = Field(None, description="Several test sets instead of one dataset.")
    datasets: list[DatasetModel] | None = Field(None, description="Several datasets instead of one.")
    rounding: Rounding | None = None
    eps: Text | None = None
    percent: bool = Field(False, description="Read bare numbers as percentages.")
    undefined: Undefined | None = None
    classes: Classes | None = Field(None, description="Items of each class, for several classes; or a setup's name.")
    task: Task | None = Field(None, description="Needed for a regression; otherwise inferred from the other fields.")
    variance: Text | None = Field(None, description="Variance of the true values of a regression.")
    ddof: Ddof | None = Field(None, description="Whether that variance was divided by n (0) or n - 1 (1).")
    target_range: Ends | None = Field(None, description="Two numbers between which all true values lie, as on a scale.")
    range_attained: bool = Field(False, description="Whether these are the smallest and the largest true value.")
    integer: bool = Field(False, description="True values and predictions are whole numbers.")
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
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Assay score study"}


_FIELDS = frozenset(ExperimentModel.model_fields) - {"scores"}
_PART_OF_SCORE = regex(r"(?P<name>.+?)[_.](?P<part>sd|min|max|at_least|at_most|median|ci|eps|rounding)", re.IGNORECASE)


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
        entry = scores.setdefault(score, {})
        put_once(entry, part, value, where, spelled=name)
    return {**fields, "scores": scores}


def is_plain_score(name: str) -> bool:
    """Whether a flat name is that of a score, and not of a setting or of a part of a score."""
    return name.lower() not in _FIELDS and not _PART_OF_SCORE.fullmatch(name)


def put_once(target: dict[str, Any], name: str, value: object, where: str, *, spelled: str = "") -> None:
    """Enter a value under its name; a name that is there already is an error, not overwritten."""
    if name in target:
        raise InputError(f'"{spelled or name}" is given twice', where=where, fix="Keep one of them.")
    target[name] = value
