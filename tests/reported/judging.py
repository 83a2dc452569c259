"""Whether a reading says what a form prints: every figure, size, model, and no number too many."""

from __future__ import annotations

from printed_forms import Expected, Form

from assay.reported.model import Averaging, Figure, Reading, Role, Row, SizeKind


def faults(form: Form, reading: Reading) -> list[str]:
    """What the reading misses or misreads; empty when it is right."""
    out = _unread_faults(form, reading)
    wanted = {key: dict(figures) for key, figures in form.figures.items()}
    found = [figure for row in reading.rows for figure in row.figures if figure.score != "nir"]
    for key, figures in wanted.items():
        rows = [row for row in reading.rows if _holds(row, figures)]
        if not rows:
            out.append(f"row {key!r}: {[e.score for e in figures.values()]} not read as one row")
            continue
        rows.sort(key=lambda row: len(_label_faults(form, key, row)))  # two rows may print the same numbers
        out += _label_faults(form, key, rows[0])
        out += [fault for expected in figures.values() if (fault := _figure_fault(expected, rows[0]))]
    surplus = len(found) - sum(map(len, wanted.values()))
    if surplus > 0:
        out.append(f"{surplus} figures too many: {[(f.score, str(f.number)) for f in found]}")
    return out + _size_faults(form, reading) + _other_faults(form, reading)


def _unread_faults(form: Form, reading: Reading) -> list[str]:
    left = sorted("".join(c for c in one.text if c.isdigit() or c == ".").strip(".") for one in reading.unread)
    return [f"unread {left}, expected {sorted(form.unknown)}"] if left != sorted(form.unknown) else []


def _matches(figure: Figure, expected: Expected) -> bool:
    averaging = {"macro": Averaging.MACRO, "micro": Averaging.MICRO, "weighted": Averaging.WEIGHTED}
    wanted = averaging.get(expected.averaging)
    same = figure.score == expected.score and (wanted is None or figure.name.averaging is wanted)
    printed = figure.number.digits if figure.number else ""
    return same and (printed == expected.digits)


def _holds(row: Row, figures: dict[tuple[str, str, str], Expected]) -> bool:
    return all(any(_matches(figure, expected) for figure in row.figures) for expected in figures.values())


def _figure_fault(expected: Expected, row: Row) -> str:
    figure = next(f for f in row.figures if _matches(f, expected))
    if (
        figure.number
        and figure.number.percent is not expected.percent
        and expected.score not in {"tp", "fp", "fn", "tn"}
    ):
        return f"{expected.score}: percent {figure.number.percent}"
    if (figure.spread.number.digits if figure.spread else "") != expected.spread:
        return f"{expected.score}: spread {figure.spread}"
    ends = (figure.interval.low.digits, figure.interval.high.digits) if figure.interval else ("", "")
    if expected.interval[0] and ends != expected.interval:
        return f"{expected.score}: interval {ends}"
    got = (figure.fraction.hits, figure.fraction.total) if figure.fraction else None
    return f"{expected.score}: fraction {got}" if got != expected.fraction and not _same_fraction(got, expected) else ""


def _same_fraction(got: tuple[int, int] | None, expected: Expected) -> bool:
    return expected.fraction is None and got is not None and expected.score in {"acc", "err"}


def _label_faults(form: Form, key: str, row: Row) -> list[str]:
    out = []
    if key in form.models and form.models[key] not in {row.model, *(f.name.label for f in row.figures)}:
        whole = " ".join([row.model, row.dataset, *(f.name.label for f in row.figures)])
        if form.models[key] not in whole:
            out.append(f"model {row.model!r} instead of {form.models[key]!r}")
    if key in form.datasets and form.datasets[key] not in f"{row.dataset} {row.model}":
        out.append(f"data set {row.dataset!r} instead of {form.datasets[key]!r}")
    return out


def _size_faults(form: Form, reading: Reading) -> list[str]:
    everywhere = [(s.kind.value, s.count, s.role, s.label) for s in reading.sizes]
    everywhere += [(s.kind.value, s.count, s.role, s.label) for row in reading.rows for s in row.sizes]
    out = []
    wanted = set().union(*form.sizes.values()) if form.sizes else set()
    for kind, count in wanted:
        if kind.startswith("class "):
            fits = any(k == "class" and c == count for k, c, _, _ in everywhere)
        elif kind == "train":
            fits = any(c == count and role is Role.TRAIN for _, c, role, _ in everywhere)
        else:
            fits = any(k == kind and c == count and role is not Role.TRAIN for k, c, role, _ in everywhere)
        if not fits and not (kind in {"correct", "wrong", "total"} and _in_fraction(reading, count)):
            out.append(f"size {kind}={count} not read: {everywhere}")
    items = {SizeKind.POSITIVES.value, SizeKind.NEGATIVES.value, SizeKind.TOTAL.value}
    for kind, count, role, _ in everywhere:
        if kind in items and (kind, count) not in wanted and role is not Role.TRAIN:
            out.append(f"no size: {kind}={count}")
    return out


def _in_fraction(reading: Reading, count: int) -> bool:
    fractions = [f.fraction for row in reading.rows for f in row.figures if f.fraction]
    return any(count in {fraction.hits, fraction.total} for fraction in fractions)


def _other_faults(form: Form, reading: Reading) -> list[str]:
    out = []
    overs = {reading.over.value, *(row.over.value for row in reading.rows)}
    if form.over and form.over not in overs:
        out.append(f"over {overs} instead of {form.over}")
    if form.matrix and not reading.matrices:
        out.append("matrix not read")
    return out
