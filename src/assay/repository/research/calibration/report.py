"""A calibration as the report that every format is made from."""

from __future__ import annotations

from assay.findings import Report, Table, Value
from assay.repository.research.calibration.estimates import SPANS, Calibration, Estimate, Interval
from assay.repository.research.calibration.separation import SIGNS
from assay.repository.research.loos2022 import LOOS2022

_SPAN_NAMES = dict(zip(SPANS, ("README lines", "README links", "code-comment ratio", "pylint rating"), strict=True))


def report_of(found: Calibration, *, command: str = "") -> Report:
    """The tables of a calibration."""
    sets = found.sets
    return Report(
        title="Calibration of the loos2022 scores",
        question=(
            f"Which values separate {len(sets.reproducible)} reproducible from {len(sets.irreproducible)} other "
            f"repositories, and how sure is that? Intervals hold 95 % of {found.draws} resamples of the repositories; "
            "they do not know how the repositories were chosen."
        ),
        tables=(_representative(found), _thresholds(found), _indicators(found), _separations(found)),
        left_out=found.left_out,
        command=command,
    )


def _representative(found: Calibration) -> Table:
    rows: list[tuple[Value, ...]] = []
    for name in SPANS:
        low, high = found.representative[name]
        printed = getattr(LOOS2022, name)
        rows.append((_SPAN_NAMES[name], "min(d)", *_cells(low, 2), printed.low))
        rows.append((_SPAN_NAMES[name], "max(d)", *_cells(high, 2), printed.high))
    return Table("Representative values", ("Indicator", "End", "Value", "95 %", "Loos 2022"), tuple(rows))


def _thresholds(found: Calibration) -> Table:
    rows: list[tuple[Value, ...]] = []
    for factor, (top, average, lower) in found.thresholds.items():
        printed = LOOS2022.thresholds_of(factor)
        pairs = (("T", top, printed.top), ("A", average, printed.average), ("L", lower, printed.lower))
        rows += [(factor.value, letter, *_cells(one, 4), value) for letter, one, value in pairs]
    return Table("Thresholds", ("Factor", "Threshold", "Value", "95 %", "Loos 2022"), tuple(rows))


def _indicators(found: Calibration) -> Table:
    pairs = sorted(zip(SIGNS, found.indicators, strict=True), key=lambda pair: -pair[1].value)
    rows = tuple((sign.name, sign.factor, *_cells(one, 2), _worth(one)) for sign, one in pairs)
    return Table("Single indicators", ("Indicator", "Factor", "AUC", "95 %", "Separates"), rows)


def _worth(one: Estimate) -> str:
    if one.interval[0] > 0.5:
        return "yes"
    return "the wrong way round" if one.interval[1] < 0.5 else "not shown"


def _separations(found: Calibration) -> Table:
    rows = tuple(
        (s.name, *_cells(s.fitted, 3), None if s.left_out is None else round(s.left_out, 3), round(s.printed, 3))
        for s in found.separations
    )
    columns = ("Score", "AUC", "95 %", "AUC, each left out", "AUC, printed scale")
    return Table("How well the scores separate", columns, rows)


def _cells(one: Estimate, digits: int) -> tuple[float, str]:
    return round(one.value, digits), _interval(one.interval)


def _interval(ends: Interval) -> str:
    return f"{ends[0]:.2f} to {ends[1]:.2f}"
