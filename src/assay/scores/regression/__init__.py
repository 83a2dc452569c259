"""Can these errors of a regression be true.

`solve` takes the number of test items and what the reported figures leave open. For mean, root mean
square and largest error, and R² with a known variance of the targets, the answer is exact: the relations
in `relations` are all there are, and residuals that attain the figures are built and verified. With the
median error, the mean error or explained variance in the report a few cases stay UNDECIDED.

The witness does not fit `Answer.witness`, which is for binary matrices; it stands in `Answer.figures` as
levels of residuals: ``("residuals of 0.75", 12)``, twelve of them. Residuals can be anything whatever the
targets are, so a list of residuals is a witness for the whole regression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from assay.errors import InputError
from assay.findings import Value, Verdict
from assay.scores.answers import Answer, inconsistent, undecided
from assay.scores.exact import Interval, decimal
from assay.scores.regression.figures import (
    ANYTHING,
    Figures,
    Known,
    out_of_range,
    plain_key,
    read_figures,
    within_range,
)
from assay.scores.regression.relations import Conflict, Sizes, conflicts, sizes
from assay.scores.regression.whole import conflicts_of_whole
from assay.scores.regression.witness import build

Number = Fraction | int


def solve(
    n: int,
    reported: Mapping[str, Interval],
    *,
    variance: Interval | Number | None = None,
    ddof: int | None = None,
    target_range: tuple[Interval | Number, Interval | Number] | None = None,
    range_attained: bool = False,
    integer: bool = False,
) -> Answer:
    """Whether residuals of `n` items exist that give every reported figure.

    `variance` is that of the test targets; `ddof` says whether it was divided by n (0) or by n - 1 (1), and
    both are tried when it is not given. `target_range` holds two numbers between which all targets lie, such as
    the ends of a scale; with `range_attained` they are the smallest and the largest target. `integer` says that
    targets and predictions are whole numbers.
    """
    figures = read_figures(reported)
    ends = None if target_range is None else (_as_interval(target_range[0]), _as_interval(target_range[1]))
    _check(n, variance, ddof, ends, range_attained)
    broken = out_of_range(figures)
    if broken:
        return _impossible(broken)
    figures = within_range(figures)
    spread = _from_range(n, ends, range_attained)
    answers = []
    for used in (0, 1) if ddof is None and variance is not None and n > 1 else (ddof or 0,):
        known = _variance(n, variance, used)
        if known.interval.intersect(spread.interval).empty:
            answers.append(_impossible((f"{known.words}, but {spread.words}.", known.names)))
        else:
            answers.append(_with_equal_targets(n, figures, known.met(spread), integer))
    return _combined(answers)


def _as_interval(said: Interval | Number) -> Interval:
    return said if isinstance(said, Interval) else Interval(Fraction(said), Fraction(said))


Range = tuple[Interval, Interval]
"""What the two ends of a range leave open."""


def _check(n: int, variance: Interval | Number | None, ddof: int | None, ends: Range | None, attained: bool) -> None:
    if n < 1:
        raise InputError(f"{n} test items", where="n", fix="Give the number of predictions that were scored.")
    if ddof not in (None, 0, 1):
        raise InputError(f"ddof = {ddof}", where="ddof", fix="0 divides the variance by n, 1 by n - 1.")
    if variance is not None and (_as_interval(variance).hi or 0) <= 0:
        raise InputError("the variance of the targets must be positive", where="variance", fix="R² needs it.")
    if ends is None:
        return
    widest, narrowest = _widths(ends)
    if widest < 0:
        raise InputError("the smallest target exceeds the largest", where="target_range", fix="Swap them.")
    if attained and n == 1 and narrowest > 0:
        raise InputError("one target cannot span a range", where="target_range", fix="Check n.")


def _widths(ends: Range) -> tuple[Fraction, Fraction]:
    """The greatest and the least distance that two printed ends leave open; the least is never negative."""
    low, high = ends
    zero = Fraction(0)
    return (high.hi or zero) - (low.lo or zero), max(zero, (high.lo or zero) - (low.hi or zero))


def _variance(n: int, variance: Interval | Number | None, ddof: int) -> Known:
    """The variance of the targets, divided by n."""
    if variance is None:
        return ANYTHING
    said = _as_interval(variance)
    used = said.times(Fraction(n - ddof, n)) if ddof and n > 1 else said
    words = f"variance in {said}"
    return Known(used, ("variance",), f"{words} divided by n - 1, so in {used} divided by n" if ddof else words)


def _from_range(n: int, ends: Range | None, attained: bool) -> Known:
    """A range bounds the variance: half the items at each end at most, all but two in the middle at least."""
    if ends is None:
        return ANYTHING
    widest, narrowest = _widths(ends)
    half = n // 2
    least = narrowest**2 / (2 * n) if attained else Fraction(0)
    interval = Interval(least, widest**2 * half * (n - half) / n**2)
    words = f"{n} targets between {decimal(ends[0].lo or Fraction(0))} and {decimal(ends[1].hi or Fraction(0))}"
    return Known(interval, ("target_range",), f"{words} have a variance in {interval}")


def _with_equal_targets(n: int, figures: Figures, variance: Known, integer: bool) -> Answer:
    """The answer; where all targets may be equal, also for what scikit-learn prints then."""
    answer = _under(n, figures, variance, integer)
    shares = {short: figures[short].interval for short in ("r2", "ev") if short in figures}
    if answer.verdict is Verdict.CONSISTENT or not shares or Fraction(0) not in variance.interval:
        return answer
    rest = Figures({short: said for short, said in figures.known.items() if short not in shares})
    others = [
        errors(n, rest, integer)
        for printed, errors in _OF_EQUAL_TARGETS
        if all(Fraction(printed[short]) in interval for short, interval in shares.items())
    ]
    return _most_lenient([answer, *others]) or answer


def _no_errors(n: int, figures: Figures, _integer: bool) -> Answer:
    if not all(Fraction(0) in said.interval for said in figures.known.values()):
        return inconsistent("without any error, every other figure is 0")
    return Answer(Verdict.CONSISTENT, reason=_EQUAL, figures=(("residuals of 0", n),))


def _equal_errors(n: int, figures: Figures, integer: bool) -> Answer:
    """Errors that are all the same are like a single one."""
    answer = _under(1, figures, ANYTHING, integer)
    if answer.verdict is not Verdict.CONSISTENT:
        return answer
    ((level, _),) = answer.figures
    return undecided(_EQUAL) if level == "residuals of 0" else replace(answer, reason=_EQUAL, figures=((level, n),))


def _different_errors(n: int, figures: Figures, integer: bool) -> Answer:
    answer = _under(n, figures, ANYTHING, integer)
    if answer.verdict is not Verdict.CONSISTENT:
        return answer
    return replace(answer, reason=_EQUAL) if len(answer.figures) > 1 else undecided(_EQUAL)


_EQUAL = "Possible if all targets are equal: R² and explained variance are 0/0 then, and libraries print 0 or 1."
_OF_EQUAL_TARGETS = (
    ({"r2": 0, "ev": 0}, _different_errors),
    ({"r2": 0, "ev": 1}, _equal_errors),
    ({"r2": 1, "ev": 1}, _no_errors),
)
"""What scikit-learn prints for equal targets."""


def _under(n: int, figures: Figures, variance: Known, integer: bool) -> Answer:
    """The answer for one meaning of the variance."""
    known = sizes(n, figures, variance)
    if not isinstance(known, Sizes):
        return _impossible(known)
    broken = min(_broken(known, figures, integer), key=lambda c: len(c[1]), default=None)
    if broken:
        return _impossible(broken)
    found = build(known, figures, integer=integer)
    if found.none_exists:
        names = tuple(name for said in figures.known.values() for name in said.names)
        listed = " and ".join(said.words for said in figures.known.values())
        words = f"{listed} with {n} items: of all lists of whole errors none gives these figures together."
        return _impossible((words, (*names, *variance.names)))
    witness = found.witness
    if witness is None:
        return undecided("No relation between these figures is broken, but no residuals that give them were found.")
    levels = {f"residuals of {decimal(x)}": count for x, count in witness.residuals}
    spread = {} if witness.variance is None else {"variance of the targets (divided by n)": float(witness.variance)}
    reason = "Residuals of these sizes give every reported figure."
    return Answer(Verdict.CONSISTENT, reason=reason, figures=(*levels.items(), *spread.items()))


def _broken(known: Sizes, figures: Figures, integer: bool) -> Iterator[Conflict]:
    yield from conflicts(known, figures)
    if integer:
        yield from conflicts_of_whole(known)


def _impossible(conflict: Conflict) -> Answer:
    reason, names = conflict
    return inconsistent(reason, conflict=names)


def _combined(answers: list[Answer]) -> Answer:
    """Consistent if the variance can be meant either way, inconsistent only if neither."""
    lenient = _most_lenient(answers)
    if lenient is not None:
        return lenient
    first, *others = answers
    names = tuple(dict.fromkeys(name for answer in answers for name in answer.conflict))
    figures: dict[str, Value] = {"if the variance was divided by n - 1": others[0].reason} if others else {}
    return inconsistent(first.reason, figures, names)


def _most_lenient(answers: list[Answer]) -> Answer | None:
    """A consistent answer, else an undecided one, if there is one."""
    verdicts = (Verdict.CONSISTENT, Verdict.UNDECIDED)
    return next((answer for verdict in verdicts for answer in answers if answer.verdict is verdict), None)


def as_squared_correlation(
    n: int, reported: Mapping[str, Interval], *, variance: Interval | Number | None = None, ddof: int | None = None
) -> Answer | None:
    """The answer if R² is the squared correlation of targets and predictions, which many papers print under that name.

    The best straight line through the predictions misses the targets by (1 - r²) times their variance, and no other
    predictions miss them by less: so r² is at least 1 minus mean square over variance, and nothing else binds it.
    None when no figure is called so, or when its name says that it is the coefficient of determination.
    """
    figures = read_figures(reported)
    if "r2" not in figures or not all(plain_key(name) in _MAY_BE_SQUARED for name in figures["r2"].names):
        return None
    rest = Figures({short: said for short, said in figures.known.items() if short != "r2"})
    alone = sizes(n, within_range(rest), ANYTHING)
    if not isinstance(alone, Sizes) or out_of_range(rest) or next(conflicts(alone, rest), None):
        return None  # the other figures conflict without R²
    said = figures["r2"].interval
    if said.intersect(Interval(Fraction(0), Fraction(1))).empty:
        return inconsistent(f"A squared correlation is between 0 and 1, but {figures['r2'].words}.", conflict=("r2",))
    spread = _variance(n, variance, 1 if ddof is None else ddof)  # unless it is given: the smaller of the two
    square, least, highest = alone.square.interval.hi, spread.interval.lo, said.hi
    if square is None or least is None or highest is None or least * (1 - highest) <= square:
        return undecided("Nothing excludes these figures when R² is the squared correlation.")
    reason = (
        f"{spread.words} and a mean square of at most {decimal(square)} leave a squared correlation of at least "
        f"{decimal(1 - square / least)}, but {figures['r2'].words}."
    )
    return inconsistent(reason, conflict=tuple(dict.fromkeys((*alone.square.names, *figures["r2"].names))))


_MAY_BE_SQUARED = frozenset({"r2", "rsquared"})
