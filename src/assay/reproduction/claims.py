"""What a study claims about its own records, computed again from these records."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from assay.errors import InputError
from assay.records import dataclass
from assay.reproduction import outcomes
from assay.reproduction.measures import Between, Measured, measured
from assay.reproduction.records import Records
from assay.reproduction.study import Claim, Study


class Standing(StrEnum):
    """Whether a claim follows from the records."""

    HOLDS = "holds"
    AS_STATED = "only with the outcomes as stated"
    """It follows from outcomes that the study's own rule does not give."""
    BY_RULE = "only with the outcomes by the rule"
    """It is true, but contradicts the outcomes that the study states elsewhere."""
    FAILS = "does not hold"
    UNKNOWN = "cannot be computed"
    """The records do not hold what it needs."""
    NOT_UNDERSTOOD = "not understood"
    """It asks for a measure or a selector that does not exist."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A claim with what the records give for it."""

    claim: Claim
    standing: Standing
    by_rule: str = ""
    as_stated: str = ""
    trouble: InputError | None = None
    """Why it is not understood."""


def examined(study: Study) -> list[Examined]:
    """All claims of a study, each computed with outcomes by the rule and with outcomes as stated."""
    bases = _bases(study)
    return [_examine(bases, claim) for claim in study.claims]


def examined_claim(study: Study, claim: Claim) -> Examined:
    """One claim against the records of a study; one that is not understood is an `InputError`."""
    found = _examine(_bases(study), claim)
    if found.trouble:
        raise found.trouble
    return found


def _bases(study: Study) -> tuple[Records, Records]:
    return Records(study), Records(study, as_stated=True)


def _examine(bases: tuple[Records, Records], claim: Claim) -> Examined:
    try:
        found = [measured(records, claim.measure, dict(claim.of)) for records in bases]
        agrees = [None if value is None else _agrees(value, claim.value) for value in found]
    except InputError as error:
        return Examined(claim, Standing.NOT_UNDERSTOOD, trouble=error)
    by_rule, as_stated = (_as_printed(value, claim.value) for value in found)
    return Examined(claim, _standing(*agrees), by_rule, as_stated)


def _standing(by_rule: bool | None, as_stated: bool | None) -> Standing:
    if by_rule is None or as_stated is None:
        return Standing.UNKNOWN
    if by_rule:
        return Standing.HOLDS if as_stated else Standing.BY_RULE
    return Standing.AS_STATED if as_stated else Standing.FAILS


def _agrees(value: Fraction | Between | str | tuple[str, ...], printed: str) -> bool:
    if isinstance(value, str):
        return value == printed
    if isinstance(value, tuple):
        return set(value) == {word.strip() for word in printed.split(",")}
    low, high = (value.low, value.high) if isinstance(value, Between) else (value, value)
    figure = outcomes.Measured(printed.lstrip("<>"))
    if printed.startswith(">"):
        return high > figure.exact
    if printed.startswith("<"):
        return low < figure.exact
    half = figure.unit / 2
    return low - half <= figure.exact <= high + half


def _as_printed(value: Measured, printed: str) -> str:
    """The computed value with one digit more than the claim prints."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    middle = (value.low + value.high) / 2 if isinstance(value, Between) else value
    if middle.denominator == 1 and "." not in printed:
        return str(middle.numerator)
    digits = len(printed.rstrip("%").partition(".")[2])
    return f"{float(middle):.{digits + 1}f}"
