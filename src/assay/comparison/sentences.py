"""What was found, in sentences fit for a paper."""

from __future__ import annotations

from collections.abc import Iterable

from assay.comparison.measures import Kind
from assay.comparison.multiplicity import Correction
from assay.comparison.results import Comparison, Difference, Estimate, Interval, Method

_FEW = 6
"""Up to this many differences are listed one by one."""
_STATISTIC = {
    Method.DELONG: "Z",
    Method.BOOTSTRAP: "Z",
    Method.CORRECTED_T: "t",
    Method.FIVE_BY_TWO_T: "t",
    Method.FIVE_BY_TWO_F: "F",
    Method.PLAIN_T: "t",
}
_TEST = {Method.DELONG: "DeLong's test", Method.BOOTSTRAP: "paired bootstrap"}


def sentences(comparison: Comparison) -> list[str]:
    """The scores, the differences, and how both were judged: a sentence or two for each."""
    told = comparison.decisive()
    return [_scores(comparison), *([_differences(comparison, told)] if told else []), _methods(comparison, told)]


def figure_of(value: float) -> str:
    """A score with three decimals, a small one with three digits."""
    return f"{value:.3f}" if abs(value) >= 0.01 or value == 0 else f"{value:.3g}"


def p_value(p: float) -> str:
    """A p-value as journals print it, with its sign of equality."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def interval_of(interval: Interval) -> str:
    """From where to where."""
    return f"{figure_of(interval.low)} to {figure_of(interval.high)}"


def statistic_name(method: Method) -> str:
    """The letter of the statistic: Z, t or F; nothing for exact tests."""
    return _STATISTIC.get(method, "")


def percent(level: float) -> str:
    """0.95 as "95 %"."""
    return f"{100 * level:g} %"


def _scores(comparison: Comparison) -> str:
    measure = comparison.primary
    firsts: dict[str, Estimate] = {}
    for one in comparison.estimates:
        if one.measure == measure:
            firsts.setdefault(one.model, one)
    level = percent(comparison.settings.level)
    parts = []
    for model, one in firsts.items():
        within = f" ({level} CI {interval_of(one.interval)})" if one.interval else ""
        parts.append(f"{figure_of(one.value)}{within} for {model}")
    return f"{comparison.source.subject}, the {measure.label} was {listed(parts)}."


def _differences(comparison: Comparison, told: tuple[Difference, ...]) -> str:
    alpha = round(comparison.settings.alpha, 10)
    seen = [d for d in told if d.adjusted < alpha]
    shown = told if len(told) <= _FEW else seen[:_FEW]
    parts = [f"{d.first} against {d.second} {_difference(d, comparison)}" for d in shown]
    if len(told) == 1:
        verdict = (
            f"the difference was {'' if seen else 'not '}larger than chance explains (at the level of {percent(alpha)})"
        )
    elif not seen:
        verdict = f"no difference was larger than chance explains (at the level of {percent(alpha)})"
    else:
        few = f", here the first {_FEW}" if len(seen) > len(shown) else ""
        verdict = f"{len(seen)} of {len(told)} differences were larger than chance explains{few}"
    return f"{_capital(verdict)}" + (f": {'; '.join(parts)}." if parts else ".")


def _difference(d: Difference, comparison: Comparison) -> str:
    settings = comparison.settings
    parts = [f"{percent(settings.level)} CI {interval_of(d.interval)}"] if d.interval else []
    if d.statistic is not None:
        parts.append(f"{statistic_name(d.method)} = {d.statistic:.2f}")
    parts.append(p_value(d.p))
    if settings.correction is not Correction.NONE and len(comparison.decisive()) > 1:
        parts.append(f"corrected {p_value(d.adjusted)}")
    value = f"{d.value:+.3f}" if abs(d.value) >= 0.001 else f"{d.value:+.2g}"
    return f"{value} ({', '.join(parts)})"


def _methods(comparison: Comparison, told: tuple[Difference, ...]) -> str:
    parts = _interval_methods(comparison)
    if told:
        parts.append(_test_method(comparison, told))
    return _capital("; ".join(parts)) + "." if parts else "No interval could be given."


def _interval_methods(comparison: Comparison) -> list[str]:
    settings = comparison.settings
    methods = {e.method for e in comparison.estimates if e.interval}
    unit = comparison.source.unit
    parts = []
    if Method.DELONG in methods:
        clustered = "" if unit == "rows" else ", summed by group"
        parts.append(f"the intervals of the AUC are DeLong's{clustered}")
    if Method.BOOTSTRAP in methods:
        which = "the other intervals" if parts else "the intervals"
        strata = "" if comparison.primary.kind is Kind.NUMBER else "stratified "
        parts.append(
            f"{which} are percentiles of {settings.resamples or 0:,} {strata}bootstrap resamples of {unit} "
            f"(seed {settings.seed})"
        )
    if Method.CORRECTED_T in methods:
        parts.append("the intervals allow for the overlap of training sets (Nadeau & Bengio)")
    return parts


def _test_method(comparison: Comparison, told: tuple[Difference, ...]) -> str:
    settings = comparison.settings
    sides = "one-sided" if settings.one_sided else "two-sided"
    test = _TEST.get(told[0].method, told[0].method.value)
    family = f"corrected for {len(told)} comparisons by {settings.correction.label}"
    uncorrected = settings.correction is Correction.NONE or len(told) == 1
    return f"p-values are {sides} ({test}), {'not corrected for their number' if uncorrected else family}"


def listed(parts: Iterable[str]) -> str:
    """Words in a row: a, b and c."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
