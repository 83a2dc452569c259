"""An ablation as a report: sentences and ranking first, then every number, the menu and the runs behind them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from assay.ablation.effects import Estimate, MeasureEffects
from assay.ablation.plan import Plan
from assay.ablation.sentences import sentence
from assay.ablation.series import Ablation
from assay.findings import Figure, Report, Table, Value

SHOWN_FAILURES = 20


def report_of(ablation: Ablation, *, command: str = "", figures: bool = False, notes: Sequence[str] = ()) -> Report:
    """The report about one plan; `notes` are further things that a reader must not overlook."""
    return Report(
        ablation.plan.title,
        "How far does each choice that was not reported move the result, next to seeds alone?",
        tables=tuple(_tables(ablation)),
        figures=tuple(_figures(ablation)) if figures else (),
        left_out=(*notes, *_left_out(ablation)),
        command=command,
    )


def _figures(ablation: Ablation) -> Iterator[Figure]:
    from assay.ablation.plots import ranges

    for found in ablation.effects:
        if found.items:
            yield ranges(found)


def _tables(ablation: Ablation) -> Iterator[Table]:
    for found in ablation.effects:
        yield _in_words(found)
        yield _ranking(found)
    for found in ablation.effects:
        yield _alternatives(found)
        if found.interactions:
            yield _interactions(found)
        if found.joint:
            yield _joint(found)
    yield _menu(ablation)
    yield _runs(ablation)
    if ablation.failed:
        yield _failures(ablation)


def _in_words(found: MeasureEffects) -> Table:
    rows = tuple((item.label, sentence(item, found)) for item in found.items)
    return Table(f"{found.measure}, in words", ("item", "what not reporting it does"), rows)


def _ranking(found: MeasureEffects) -> Table:
    places = found.decimals
    sd = "" if found.seed_sd is None else f", ±{found.seed_sd:.{places}f} over {found.base.seeds} seeds"
    sd += "" if found.test_sd is None else f", ±{found.test_sd:.{places}f} over test cases"
    rows = tuple(
        (
            f"{item.rank[0]} ({item.rank[1]}–{item.rank[2]})",
            item.label,
            round(item.spread.value, places),
            _between(item.spread, places),
            None if item.by_chance is None else round(item.by_chance, places),
            None if item.adjusted is None else float(f"{item.adjusted:.2g}"),
        )
        for item in found.items
    )
    return Table(
        f"{found.measure}: items by spread; as stated {found.base.value:.{places}f}{sd}",
        ("rank", "item", "spread", "95 %", "chance", "p (Holm)"),
        rows,
    )


def _alternatives(found: MeasureEffects) -> Table:
    rows = tuple(
        (item.label, name, *_rounded(estimate, found.decimals), estimate.seeds)
        for item in found.items
        for name, estimate in item.alternatives
    )
    title = f"{found.measure}: change by each alternative against the base at the same seed"
    return Table(title, ("item", "alternative", "change", "95 % from", "to", "seeds"), rows)


def _interactions(found: MeasureEffects) -> Table:
    ordered = sorted(found.interactions, key=lambda one: -abs(one.excess.value))
    places = found.decimals
    rows = tuple(
        (one.settings, round(one.together, places), round(one.apart, places), *_rounded(one.excess, places))
        for one in ordered
    )
    title = f"{found.measure}: pairs, and what neither alternative alone explains"
    return Table(title, ("pair", "both", "sum of singles", "interaction", "95 % from", "to"), rows)


def _joint(found: MeasureEffects) -> Table:
    import numpy as np

    marks = np.quantile(found.joint, [0, 0.05, 0.5, 0.95, 1]).tolist()
    title = f"{found.measure}: change when every gap is filled at random, at the same seed"
    row = (len(found.joint), *(round(mark, found.decimals) for mark in marks))
    return Table(title, ("fill-ins", "lowest", "5 %", "middle", "95 %", "highest"), (row,))


def _menu(ablation: Ablation) -> Table:
    rows = tuple(
        (item.label, item.stated, "; ".join(one.name for one in item.alternatives)) for item in ablation.plan.items
    )
    return Table("The menu, fixed before the first run", ("item", "as stated", "alternatives"), rows)


def _runs(ablation: Ablation) -> Table:
    plan = ablation.plan
    seconds = sum(outcome.seconds for outcome in ablation.results.values())
    measured = sum(len(found.items) for found in ablation.effects)
    rows: tuple[tuple[Value, ...], ...] = (
        ("base configuration", plan.base.name),
        *([("command", shlex.join(plan.command))] if plan.command else []),
        ("seeds", ", ".join(map(str, plan.seeds))),
        ("design", _design(ablation)),
        ("runs", f"{len(ablation.results)}, {len(ablation.failed)} of them without metrics"),
        ("seconds of all runs", round(seconds, 1)),
        ("seeds alone", "± is the standard deviation of the base configuration over seeds"),
        ("intervals", "95 %: Student's t over seeds for a change, the spread ± chance for a spread"),
        ("within noise", "a spread no larger than the standard deviation over seeds or over test cases"),
        ("chance", "the spread that alternatives without any effect stay below in 95 of 100 cases"),
        ("p", f"for the spread, adjusted by Holm's method for {measured} comparisons (items × measures)"),
    )
    return Table("How it was measured", ("what", "value"), rows)


def _design(ablation: Ablation) -> str:
    plan = ablation.plan
    parts = [
        f"one at a time: {sum(len(item.alternatives) for item in plan.items)} alternatives for {len(plan.items)} items"
    ]
    if plan.pairs:
        named = ", ".join(f"{plan.items[a].label} × {plan.items[b].label}" for a, b in plan.pairs)
        parts.append(f"pairs in full: {named}" if len(plan.pairs) <= 6 else f"{len(plan.pairs)} pairs in full")
    if plan.joint:
        parts.append(f"{plan.joint} random fill-ins of all items, one seed each")
    return "; ".join(parts)


def _failures(ablation: Ablation) -> Table:
    rows = tuple(
        (run.setting.described(ablation.plan), run.seed, outcome.status.value, outcome.message)
        for run, outcome in ablation.failed[:SHOWN_FAILURES]
    )
    more = len(ablation.failed) - len(rows)
    title = "Runs without metrics" + (f" (the first {len(rows)} of {len(ablation.failed)})" if more else "")
    return Table(title, ("setting", "seed", "ended", "message"), rows)


def _left_out(ablation: Ablation) -> Iterator[str]:
    yield from ablation.left_out
    for found in ablation.effects:
        for item, lost in _unmeasured(ablation.plan, found):
            yield f"{found.measure}, {item}: too few runs gave it with: {'; '.join(lost)}"
    if ablation.failed:
        yield f"{len(ablation.failed)} of {len(ablation.results)} runs gave no metrics; --retry makes them again"


def _unmeasured(plan: Plan, found: MeasureEffects) -> Iterator[tuple[str, list[str]]]:
    """The alternatives of each item that have no effect to report."""
    known = {(item.label, name) for item in found.items for name, _ in item.alternatives}
    for item in plan.items:
        if lost := [one.name for one in item.alternatives if (item.label, one.name) not in known]:
            yield item.label, lost


def _rounded(estimate: Estimate, places: int) -> tuple[float | None, float | None, float | None]:
    value, low, high = (None if v is None else round(v, places) for v in (estimate.value, estimate.low, estimate.high))
    return value, low, high


def _between(estimate: Estimate, places: int) -> str:
    if estimate.low is None or estimate.high is None:
        return "—"
    return f"{estimate.low:.{places}f}–{estimate.high:.{places}f}"
