"""From the wording of one reported score to what it leaves open.

The same wording can be read as another score, or as rounded in another way: to ask "what if",
change the wording and read it again.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.errors import InputError
from assay.patterns import regex
from assay.scores.definitions import Named
from assay.scores.exact import Interval
from assay.scores.experiment import Reported, Wording
from assay.scores.printed import Printed, read_figure, read_spread

_BOUND = regex(r"(?P<sign>≥|>=|≤|<=)\s*(?P<figure>.+)")


def read_extreme(text: str, read: Callable[[str], Printed]) -> Interval:
    """A smallest or largest value: a figure, or a bound such as ``≥0.8``, which need not be attained."""
    bound = _BOUND.fullmatch(text.strip())
    found = read(bound["figure"] if bound else text).interval
    if bound is None:
        return found
    if bound["sign"] in ("≥", ">="):
        return Interval(found.lo, None, lo_open=found.lo_open)
    return Interval(None, found.hi, hi_open=found.hi_open)


def _spread(name: str, wording: Wording) -> Interval | None:
    """The standard deviation that is given beside the score."""
    if wording.sd is None:
        return None
    how = {"rounding": wording.rounding, "eps": wording.eps, "percent": wording.percent}
    return read_spread(wording.sd, name=f"{name} sd", **how)  # type: ignore[arg-type]


def read_wording(name: str, wording: Wording, meant: Named, *, bounded: bool = False) -> Reported:
    """The figures under `name` read as figures of the score that is `meant`; `bounded` refuses what it never is."""
    score, complement = meant

    def read(text: str) -> Printed:
        return read_figure(
            text,
            score,
            name=name,
            rounding=wording.rounding,
            eps=wording.eps,
            percent=wording.percent,
            complement=complement,
            bounded=bounded,
        )

    value, median = (None if text is None else read(text) for text in (wording.value, wording.median))
    low, high = (None if text is None else read_extreme(text, read) for text in (wording.minimum, wording.maximum))
    if not any((value, low, high, median)):
        raise InputError("no value is given", where=name, fix="Give its value or mean.")
    middle = median.interval if median else None
    mean, sd, printed = (value.interval, value.sd, value.text) if value else (None, None, "")
    sd = _spread(name, wording) or sd
    if complement:
        mean, middle, low, high = _one_minus(mean), _one_minus(middle), _one_minus(high), _one_minus(low)
    return Reported(name, printed, score, mean, sd, low, high, middle, complement, wording)


def _one_minus(interval: Interval | None) -> Interval | None:
    return interval and interval.one_minus()
