"""All checks of a split in one go, and the report that they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from assay.findings import Finding, Report, Table
from assay.leakage.data.duplicates import exact_copies, near_copies
from assay.leakage.data.encoding import target_encoding
from assay.leakage.data.groups import group_overlap
from assay.leakage.data.imputation import imputation
from assay.leakage.data.interpolation import interpolated_rows
from assay.leakage.data.noise import noisy_copies
from assay.leakage.data.outcome import Line, Outcome, Rows
from assay.leakage.data.oversampling import oversampled
from assay.leakage.data.proxies import proxies
from assay.leakage.data.scaling import scaling
from assay.leakage.data.sizes import resolution_of
from assay.leakage.data.split import Split
from assay.leakage.data.texts import near_texts
from assay.leakage.data.times import temporal_overlap
from assay.leakage.data.unnamed_units import unnamed_units
from assay.leakage.rules.data import leakage_data

QUESTION = "Did the test set leak into training?"
_MOST_COLUMNS_SHOWN = 100


Check = Callable[[Split], Outcome]
Track = Callable[[Sequence[Check]], Iterable[Check]]
"""Shows how far the checks have got; `iter` shows nothing."""


def check_split(
    split: Split, *, tolerance: float = 1e-3, extra: Sequence[Outcome] = (), track: Track = iter
) -> tuple[Report, list[Rows]]:
    """The report on one split, and all the rows that its findings are about."""
    outcomes = [*outcomes_of(split, tolerance, track), *extra]
    report = Report(
        title=f"Leakage in {_named(split)}",
        question=QUESTION,
        findings=tuple(f for o in outcomes for f in o.findings),
        tables=(_lines("What was looked for", outcomes), _columns(split), *(t for o in outcomes for t in o.tables)),
        left_out=tuple(dict.fromkeys([*split.left_out, *(text for o in outcomes for text in o.left_out)])),
    )
    return report, [r for o in outcomes for r in o.rows if len(r.numbers)]


def check_folds(
    splits: Sequence[Split], *, tolerance: float = 1e-3, extra: Sequence[Outcome] = (), track: Track = iter
) -> tuple[Report, list[Rows]]:
    """Each fold in turn as the test part; what several folds show is reported once, for the gravest fold."""
    examined = [(split, outcomes_of(split, tolerance, track)) for split in splits]
    same: dict[tuple[str, str, str], list[tuple[Finding, str]]] = {}
    for split, outcomes in examined:
        for outcome in outcomes:
            for finding in outcome.findings:
                same.setdefault((outcome.line.check, finding.code, finding.subject), []).append((finding, split.label))
    everything = [*(outcome for _, outcomes in examined for outcome in outcomes), *extra]
    report = Report(
        title=f"Leakage in {_named(splits[0])}, {len(splits)} folds",
        question=QUESTION,
        findings=(*(_gravest(found, len(splits)) for found in same.values()), *(f for o in extra for f in o.findings)),
        tables=(*(_lines(f"What was looked for, {s.label}", o) for s, o in examined), _columns(splits[0])),
        left_out=tuple(dict.fromkeys([*splits[0].left_out, *(text for o in everything for text in o.left_out)])),
    )
    return report, [r for o in everything for r in o.rows if len(r.numbers)]


def outcomes_of(split: Split, tolerance: float = 1e-3, track: Track = iter) -> list[Outcome]:
    """What each check found in one split, in their order."""
    checks: tuple[Check, ...] = (
        exact_copies,
        lambda s: near_copies(s, tolerance),
        noisy_copies,
        near_texts,
        interpolated_rows,
        oversampled,
        scaling,
        target_encoding,
        group_overlap,
        unnamed_units,
        temporal_overlap,
        proxies,
        imputation,
        _beyond_the_taxonomy,
    )
    return [check(split) for check in track(checks)]


def _gravest(found: Sequence[tuple[Finding, str]], folds: int) -> Finding:
    finding, label = min(found, key=lambda pair: pair[0].sort_key[:2])
    return replace(finding, message=f"{label}: {finding.message} (found in {len(found)} of {folds} folds)")


def _beyond_the_taxonomy(split: Split) -> Outcome:
    """The rules of the data instrument, built in and plugged in."""
    found = leakage_data.run(split)
    size = resolution_of(split)
    told = f"test part resolves differences of {size.auc:.3f} in AUC; " if size else ""
    codes = ", ".join(sorted({f.code for f in found}))
    return Outcome(Line("shift, labels, size, identifiers", "LX3-LX6", told + (codes or "nothing found")), found)


def _named(split: Split) -> str:
    files = dict.fromkeys([split.train_numbers.file, split.test_numbers.file])
    return " and ".join(files)


def _lines(title: str, outcomes: Sequence[Outcome]) -> Table:
    return Table(
        title,
        ("check", "code", "result"),
        tuple((o.line.check, o.line.code, o.line.result) for o in outcomes),
    )


def _columns(split: Split) -> Table:
    shown = list(split.columns.values())[:_MOST_COLUMNS_SHOWN]
    more = len(split.columns) - len(shown)
    title = "Columns, as they were understood" + (f" (the first {len(shown)} of {len(split.columns)})" if more else "")
    return Table(
        title,
        ("column", "taken for", "values", "missing"),
        tuple((c.name, _role(split, c.name) or c.kind.value, c.distinct, round(c.missing, 4)) for c in shown),
    )


def _role(split: Split, name: str) -> str:
    if name == split.roles.target:
        return "target"
    return "group" if name in split.roles.groups else ""
