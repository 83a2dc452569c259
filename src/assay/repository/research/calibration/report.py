"""A calibration as the report that every format is made from."""

from __future__ import annotations

from collections import Counter

from assay.findings import Report, Table, Value
from assay.repository.factors import Band
from assay.repository.research.calibration.estimates import SPANS, Calibration, Estimate
from assay.repository.research.calibration.separation import SIGNS
from assay.repository.research.loos2022 import LOOS2022

_SPAN_NAMES = {
    "readme_lines": "README lines",
    "readme_links": "README links",
    "comment_ratio": "code-comment ratio",
    "pylint": "pylint rating",
}
_WEIGHT_NAMES = {
    "readme_lines": "README: length",
    "readme_links": "README: links",
    "readme": "SCAD: README",
    "licence": "SCAD: licence",
    "comment_ratio": "SCAD: code-comment ratio",
    "pylint": "SCAD: pylint rating",
    "declared": "SE: imports declared",
    "strict": "SE: strict declarations",
    "public": "SE: public libraries",
}


def report_of(found: Calibration, *, command: str = "") -> Report:
    """The tables of a calibration."""
    sets = found.sets
    return Report(
        title="Calibration of the loos2022 scores",
        question=(
            f"Which values tell {len(sets.reproducible)} reproducible from {len(sets.irreproducible)} other "
            f"repositories, and how sure is that? Intervals hold 95 % of {found.draws} resamples of the repositories; "
            "how the repositories were chosen they do not know."
        ),
        tables=(
            _representative(found),
            _thresholds(found),
            _weights(found),
            _indicators(found),
            _separations(found),
            *_bands(found),
        ),
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


def _weights(found: Calibration) -> Table:
    """What the data suggest beside what the thesis chose by argument; the scale keeps the latter."""
    impurity = {sign.weight: share for sign, share in zip(SIGNS, found.impurity, strict=True) if sign.weight}
    rows = []
    for name, one in found.weights.items():
        share = impurity["readme_lines"] + impurity["readme_links"] if name == "readme" else impurity[name]
        rows.append((_WEIGHT_NAMES[name], getattr(LOOS2022.weights, name), *_cells(one, 2), round(share, 3)))
    columns = ("Weight", "Used", "By separation", "95 %", "Impurity")
    return Table("Weights: used (Loos 2022), and suggested by the data", columns, tuple(rows))


def _indicators(found: Calibration) -> Table:
    pairs = sorted(zip(SIGNS, found.indicators, strict=True), key=lambda pair: -pair[1].value)
    rows = tuple((sign.name, sign.group, *_cells(one, 2), _worth(one)) for sign, one in pairs)
    return Table("Single indicators", ("Indicator", "Factor", "AUC", "95 %", "Separates"), rows)


def _worth(one: Estimate) -> str:
    if one.interval[0] > 0.5:
        return "yes"
    return "the wrong way round" if one.interval[1] < 0.5 else "not shown"


def _separations(found: Calibration) -> Table:
    rows = tuple(
        (
            one.name,
            round(one.fitted, 3),
            "" if one.interval is None else _interval(one.interval, 2),
            None if one.left_out is None else round(one.left_out, 3),
            round(one.printed, 3),
        )
        for one in found.separations
    )
    columns = ("Score", "AUC", "95 %", "AUC, each left out", "AUC, printed scale")
    return Table("How well the scores separate", columns, rows)


def _bands(found: Calibration) -> tuple[Table, ...]:
    """Where repositories fall that the thresholds do not know."""
    if not found.bands:
        return ()
    kinds = (Band.GOOD, Band.FAIR, Band.WEAK, Band.POOR)
    rows: list[tuple[Value, ...]] = []
    for factor, (good, bad) in found.bands.items():
        for label, counted in (("reproducible", good), ("not reproducible", bad)):
            rows.append((factor.value, label, *_counts(counted, kinds)))
    columns = ("Factor", "Repositories", "from T", "A to T", "L to A", "up to L")
    return (Table("Bands of repositories, each left out of its thresholds", columns, tuple(rows)),)


def _counts(counted: Counter[Band], kinds: tuple[Band, ...]) -> tuple[int, ...]:
    return tuple(counted[kind] for kind in kinds)


def _cells(one: Estimate, digits: int) -> tuple[float, str]:
    return round(one.value, digits), _interval(one.interval, 2)


def _interval(ends: tuple[float, float], digits: int) -> str:
    return f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}"
