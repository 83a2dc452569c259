"""Certificates in words that a reader can re-check with a pocket calculator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.scores.answers import Answer, inconsistent
from assay.scores.exact import Interval, decimal
from assay.scores.folds import FoldModel
from assay.scores.means.problem import Part, Reported


def title(one: Reported) -> str:
    """The score and its printed mean: "accuracy .9447"."""
    return f"{one.name} {one.constraint.printed}".strip()


def rounded(x: Fraction, *, up: bool, digits: int = 4) -> str:
    """A decimal number on the safe side of x."""
    scaled = x * 10**digits
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return decimal(Fraction(whole, 10**digits))


def granularity(one: Reported, constant: Fraction, unit: Fraction, items: str) -> str:
    """No step of the mean falls into its interval."""
    low, high = _steps(one.mean, constant, unit)
    start = f"{decimal(constant)} plus " if constant else ""
    counted = f"a whole number of steps of {_fraction(unit)}"
    return (
        f"{items}: the mean {one.score.label} is {start}{counted}. "
        f"{title(one)} means {_between(low, high)} such steps: no whole number."
    )


def _steps(interval: Interval, constant: Fraction, unit: Fraction) -> tuple[Fraction | None, Fraction | None]:
    low = None if interval.lo is None else (interval.lo - constant) / unit
    high = None if interval.hi is None else (interval.hi - constant) / unit
    return low, high


def _between(low: Fraction | None, high: Fraction | None) -> str:
    if low is None or high is None:
        return (
            f"at most {rounded(high, up=True)}"
            if high is not None
            else f"at least {rounded(low or Fraction(0), up=False)}"
        )
    return f"between {rounded(low, up=False, digits=3)} and {rounded(high, up=True, digits=3)}"


def _fraction(x: Fraction) -> str:
    """Exact, and short where the decimals end."""
    return decimal(x) if x.denominator % 3 else str(x)


def out_of_reach(one: Reported, low: Fraction, high: Fraction) -> str:
    """The mean cannot get into its interval at all."""
    return (
        f"The mean {one.score.label} of these parts lies between {rounded(low, up=False)} and"
        f" {rounded(high, up=True)}; {title(one)} would need {one.mean}."
    )


EVERYTHING = "whatever the predictions"


def inequality(
    direction: Mapping[str, Fraction], most: Fraction, need: Fraction, peaks: Sequence[str], scope: str = EVERYTHING
) -> str:
    """A combination of the means cannot get as high as the reported figures put it, within a scope."""
    signed = (f"{'+' if w > 0 else '-'} {_fraction(abs(w))}·{name}" for name, w in direction.items())
    terms = " ".join(signed).removeprefix("+ ")
    digits = 4 if need - most > Fraction(1, 1000) else 9
    bound, wanted = rounded(most, up=True, digits=digits), rounded(need, up=False, digits=digits)
    where = f" (reached {'; '.join(peaks)})" if 0 < len(peaks) <= 3 else ""
    return (
        f"Take {terms} on every part: {scope}, its mean is at most {bound}{where},"
        f" but the reported figures need at least {wanted}."
    )


def describe(parts: Sequence[Part]) -> str:
    """The parts in a few words: "300 items in 5 parts"."""
    items = sum(part.count * (part.p + part.n) for part in parts)
    count = sum(part.count for part in parts)
    equal = "equal " if len({part.p + part.n for part in parts}) == 1 and count > 1 else ""
    return f"{items} items in {count} {equal}part{'s' if count > 1 else ''}"


def join(names: Sequence[str]) -> str:
    """Words in a row: "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


_RULED_OUT = {
    "totals": "because no whole numbers of true positives and true negatives fit",
    "directions": "because a combination of the scores stays out of reach",
    "search": "by exhaustive search",
}


def no_configuration(models: Sequence[FoldModel], reported: Sequence[Reported], fate: Mapping[str, int]) -> Answer:
    """None of the configurations gives the means, with how many were ruled out in which way."""
    names, count = tuple(one.name for one in reported), sum(fate.values())
    ways = "; ".join(f"{fate[key]:,} {words}" for key, words in _RULED_OUT.items() if fate.get(key))
    described = " and ".join(f"{model.p} + {model.n} items: {model.description}" for model in models)
    reason = f"{described}. None of the {count:,} ways to form the folds gives {join(names)}: {ways}."
    return inconsistent(reason, {"configurations": count, **{k: v for k, v in fate.items() if v}}, names)
