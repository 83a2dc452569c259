"""Features that tell the outcome too well: copies and proxies of the target, missingness, row order, pairs (L2).

Predictive power alone is no leak: carats predict the price of a diamond. So a column that merely predicts well is a
note. A warning needs a second sign, a column that leaves every other far behind; an error needs the target itself
under other values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Evidence, Finding, Location, Severity, Value, numbers
from assay.leakage.data.columns import Column, Kind
from assay.leakage.data.measures import Auc, Floats, Ints, auc_of_scores, family_level
from assay.leakage.data.outcome import Line, Outcome, listed
from assay.leakage.data.split import Split
from assay.leakage.data.target import Question, Trial, levels, trial_of
from assay.leakage.rules.taxonomy import illegitimate_feature
from assay.records import dataclass
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_CODE = "L2"
_TOO_GOOD = 0.95
"""A single column that ranks this well is rarely known before the outcome."""
_FAR_AHEAD = 0.25
"""A column is far ahead when it leaves at most this share of the ranking errors of the next best column."""
_SAME_LEVELS = 0.98
"""Agreement with the target from which a column with as many values is the target with a few cells changed."""
_MOST_LEVELS = 20
"""Values of a column that may "determine" the target: a column with more names units, and each has its outcome."""
_EXPLAINED, _UNEXPLAINED_LEFT = 0.98, 0.2
"""A number explains a target of numbers nearly wholly, and leaves at most this share of what the next column leaves."""
_GAPS_TELL, _GAPS_DECIDE, _MOST_CONDITIONS = 0.65, 0.75, 20
"""Lower bounds of an AUC; values of a column that may decide which cells of another are filled in."""
_ALONE_WEAK = 0.75
_PAIR_CERTAIN = 0.99
_ORDER_TELLS = 0.65
_FALSE_ALARMS = 0.01
_PAIRED_COLUMNS = 25
_PAIR_LEVELS = 12
_PAIR_ROWS = 20_000
_FEWEST_PAIRS = 30


@dataclass(frozen=True)
class Powered:
    """How well one column ranks held-out rows for the question that it answers best."""

    column: Column
    question: Question
    auc: Auc


def proxies(split: Split) -> Outcome:
    """Single columns, their gaps, and pairs of columns, each judged on held-out rows against chance."""
    check = "proxies of the target"
    trial = trial_of(split)
    if trial is None:
        return Outcome(Line.not_run(check, _CODE, "no target, or too few rows of a class"))
    columns = [c for c in split.columns.values() if c.name != split.roles.target and _judged(c)]
    tests = len(columns) * len(trial.questions)
    powered = sorted((_best(trial, c) for c in columns), key=lambda p: -p.auc.strength)
    suspects = [p for p in powered if p.auc.p_value * tests < _FALSE_ALARMS]
    findings = list(_single(split, suspects, powered, tests))
    settled = {f.subject for f in findings if f.severity is not Severity.NOTE}
    findings += [f for f in _numbers_alike(split, columns) if f.subject not in settled]
    findings += _gaps(split, trial, columns)
    findings += _order(split, trial)
    pairs = list(_pairs(split, trial, powered))
    findings += pairs[:5]
    return Outcome(Line(check, _CODE, _result(powered)), findings, left_out=_unjudged(split, columns))


def _result(powered: list[Powered]) -> str:
    if not powered:
        return "no columns to judge"
    best = powered[0]
    return f'{len(powered)} columns, best single column "{best.column.name}": AUC {best.auc.strength:.3f}'


def _judged(column: Column) -> bool:
    return column.kind not in (Kind.TEXT, Kind.CONSTANT)


def _unjudged(split: Split, columns: list[Column]) -> list[str]:
    text = [c.name for c in split.columns.values() if c.kind is Kind.TEXT and c.name != split.roles.target]
    told = [f"proxies: columns of free text were not judged ({listed(text)})"] if text else []
    if len(columns) > _PAIRED_COLUMNS:
        told.append(f"proxies: pairs were judged among the {_PAIRED_COLUMNS} best of {len(columns)} columns only")
    return told


def _best(trial: Trial, column: Column) -> Powered:
    learn, held_out, size = levels(trial.learn.get_column(column.name), trial.held_out.get_column(column.name))
    aucs = [(q, trial.power(learn, held_out, size, q)) for q in trial.questions]
    question, auc = max(aucs, key=lambda pair: pair[1].value)
    return Powered(column, question, auc)


# --- single columns --------------------------------------------------------------------------------


def _single(split: Split, suspects: list[Powered], powered: list[Powered], tests: int) -> Iterator[Finding]:
    level = family_level(tests)
    for one in suspects:
        copy = _copy(split, one) or _changed_copy(split, one)
        runner_up = next((p.auc.strength for p in powered if p is not one), 0.5)
        certain = one.auc.lower(level) >= _TOO_GOOD
        if not (copy or certain):
            continue
        ahead = 1 - one.auc.strength <= _FAR_AHEAD * (1 - runner_up)
        # A class among several, or one good column among others, may well be that easy; one alone at the top is odd.
        odd = ahead and one.question.decides and not _numeric(split)
        yield illegitimate_feature.finding(
            f'column "{one.column.name}" {copy or f"ranks held-out rows with AUC {one.auc.strength:.3f} by itself"}',
            subject=one.column.name,
            location=Location(split.test_numbers.file),
            severity=Severity.ERROR if copy else Severity.WARNING if odd else Severity.NOTE,
            confidence=Confidence.HIGH if copy else Confidence.MEDIUM if odd else Confidence.LOW,
            evidence=[_figures(one, level, tests, runner_up)],
        )


def _numeric(split: Split) -> bool:
    """Whether the target is a number, for which `_numbers_alike` asks more than the side of the median."""
    target = split.train.get_column(split.roles.target or "")
    return target.dtype.is_numeric() and target.n_unique() > _MOST_LEVELS


def _changed_copy(split: Split, one: Powered) -> str:
    """Whether the column has the classes of the target, with a few cells changed."""
    target = split.roles.target
    both = split.whole[[one.column.name, target or ""]].drop_nulls()
    column, outcome = both.get_columns()
    classes = outcome.n_unique()
    if not (2 <= classes <= _MOST_LEVELS and column.n_unique() == classes and both.height):
        return ""
    best = dict[object, int]()
    for (value, _), number in Counter(both.iter_rows()).items():
        best[value] = max(best.get(value, 0), number)
    agreement = sum(best.values()) / both.height
    rarest = min(count for _, count in counted(outcome)) / both.height
    # Of a rare class a column that always says "no" agrees nearly always: the errors must be few among the rare rows.
    if agreement < _SAME_LEVELS or 1 - agreement > 0.2 * rarest:
        return ""
    return f"has the classes of the target and agrees with it in {100 * agreement:.1f} % of rows"


def _numbers_alike(split: Split, columns: list[Column]) -> Iterator[Finding]:
    """For a target of numbers: a column that explains it nearly wholly, while no other comes close."""
    if not _numeric(split):
        return
    target = split.roles.target or ""
    ranked = sorted(
        ((_explained(split, c.name, target), c) for c in columns if c.kind is Kind.NUMBER), key=lambda pair: -pair[0]
    )
    if not ranked or ranked[0][0] < _EXPLAINED:
        return
    best, column = ranked[0]
    following = ranked[1][0] if len(ranked) > 1 else 0.0
    ahead = 1 - best <= _UNEXPLAINED_LEFT * (1 - following)
    yield illegitimate_feature.finding(
        f'column "{column.name}" explains {100 * best:.2f} % of the variance of the target by itself',
        subject=column.name,
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING if ahead else Severity.NOTE,
        confidence=Confidence.MEDIUM if ahead else Confidence.LOW,
        evidence=[numbers({"explained": round(best, 5), "explained by the next column": round(following, 5)})],
    )


def _explained(split: Split, name: str, target: str) -> float:
    """The larger of the squared correlations of values and of ranks."""
    both = split.whole[[name, target]].drop_nulls()
    if both.height < _FEWEST_PAIRS:
        return 0.0
    a, b = (column.to_numpy().astype(float) for column in both.get_columns())
    ranked = (column.rank().to_numpy() for column in both.get_columns())
    return max(_squared_correlation(a, b), _squared_correlation(*ranked))


def _squared_correlation(a: Floats, b: Floats) -> float:
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1] ** 2)


def _figures(one: Powered, level: float, tests: int, runner_up: float) -> Evidence:
    auc = one.auc
    low, high = auc.interval(level)
    shown: dict[str, Value] = {
        "question": one.question.name,
        "AUC on held-out rows": round(auc.value, 4),
        "interval": f"{low:.3f} to {high:.3f} (holds for all {tests} tests together)",
        "held-out rows": f"{auc.positives:,} positive, {auc.negatives:,} negative",
        "probability by chance, times the tests": min(1.0, auc.p_value * tests),
        "best other column": round(runner_up, 4),
    }
    return numbers(shown)


def _copy(split: Split, one: Powered) -> str:
    """Whether the column is the target in other clothes: the same, monotone in it, or a relabelling of it."""
    target = split.roles.target
    if target is None or one.auc.strength < 0.99:
        return ""
    both = split.whole[[one.column.name, target]].drop_nulls()
    column, outcome = both.get_columns()
    if column.dtype == outcome.dtype and bool((column == outcome).all()):
        return "is the target itself"
    pairs = both.unique()
    values, outcomes = pairs.get_column(column.name).n_unique(), pairs.get_column(target).n_unique()
    if values != pairs.height:
        return ""
    repeats = both.height // 10  # values that occur once each pair off with anything: labels must repeat to be labels
    if values == outcomes:
        if _monotone(pairs.sort(column.name)) and values > 2:
            return "is a monotone copy of the target"
        return "is the target under other labels" if values <= repeats else ""
    few = values <= min(_MOST_LEVELS, repeats)
    return "determines the target: each of its values goes with one outcome only" if few else ""


def _monotone(ordered: pl.DataFrame) -> bool:
    """Whether the outcome rises or falls with a column of numbers, by which the pairs are sorted."""
    column, outcome = ordered.get_columns()
    return column.dtype.is_numeric() and bool(outcome.is_sorted() or outcome.is_sorted(descending=True))


# --- gaps, order, pairs ----------------------------------------------------------------------------


def _gaps(split: Split, trial: Trial, columns: list[Column]) -> Iterator[Finding]:
    """Gaps that predict the outcome; columns that are missing in the same rows are one finding."""
    patterns: dict[bytes, list[Column]] = {}
    for column in columns:
        if 0.001 < column.missing < 0.999:
            learn, held_out = _gaps_of(trial, column)
            patterns.setdefault(np.concatenate([learn, held_out]).tobytes(), []).append(column)
    tests = max(1, len(patterns) * len(trial.questions))
    for same in patterns.values():
        learn, held_out = _gaps_of(trial, same[0])
        question, auc = max(
            ((q, trial.power(learn, held_out, 2, q)) for q in trial.questions), key=lambda pair: pair[1].value
        )
        lower = auc.lower(family_level(tests))
        if auc.p_value * tests >= _FALSE_ALARMS or lower < _GAPS_TELL:
            continue
        decides = question.decides and lower >= _GAPS_DECIDE and not _follows_from_a_feature(trial, columns, learn)
        verb = "is" if len(same) == 1 else "are"
        yield illegitimate_feature.finding(
            f"whether {listed([c.name for c in same])} {verb} missing predicts the outcome: AUC {auc.strength:.3f}",
            subject=same[0].name,
            location=Location(split.test_numbers.file),
            severity=Severity.WARNING if decides else Severity.NOTE,
            confidence=Confidence.MEDIUM,
            evidence=[
                numbers({"question": question.name, "AUC": round(auc.value, 4), "missing": round(same[0].missing, 4)})
            ],
            advice="Ask when the cell is filled in: after the outcome, its absence is the outcome.",
        )


def _gaps_of(trial: Trial, column: Column) -> tuple[Ints, Ints]:
    learn, held_out = (part.get_column(column.name).is_null().to_numpy() for part in (trial.learn, trial.held_out))
    return learn.astype(np.int64), held_out.astype(np.int64)


def _follows_from_a_feature(trial: Trial, columns: list[Column], gaps: Ints) -> bool:
    """True if a feature says which cells are missing, as the first year does for changes from year to year.

    The gaps then add nothing to that feature, which is judged as a column of its own.
    """
    for column in columns:
        few = column.missing == 0 and column.distinct is not None and column.distinct <= _MOST_CONDITIONS
        if few and _decides(trial.learn.get_column(column.name).rank("dense").to_numpy().astype(np.int64), gaps):
            return True
    return False


def _decides(codes: Ints, flags: Ints) -> bool:
    """True if rows with equal codes have equal flags."""
    total, flagged = np.bincount(codes), np.bincount(codes, flags)
    return bool(((flagged == 0) | (flagged == total)).all())


def _order(split: Split, trial: Trial) -> Iterator[Finding]:
    """Files whose rows are sorted by outcome: an index or an unshuffled cut then carries it."""
    for question in trial.questions[:1]:
        for part, outcome, rows in (
            ("training", question.learn, split.train_numbers),
            ("test", question.held_out, split.test_numbers),
        ):
            auc = auc_of_scores(np.arange(len(outcome)).astype(float), outcome)
            if auc.p_value < _FALSE_ALARMS and auc.lower() >= _ORDER_TELLS:
                yield illegitimate_feature.finding(
                    f"the {part} rows stand in the order of the outcome: the row number has AUC {auc.strength:.3f}",
                    subject="row order",
                    location=Location(rows.file),
                    severity=Severity.NOTE,
                    confidence=Confidence.MEDIUM,
                    evidence=[numbers({"question": question.name, "AUC of the row number": round(auc.value, 4)})],
                    advice="Shuffle the rows; keep row numbers and what grows with them out of the features.",
                )
                break


def _pairs(split: Split, trial: Trial, powered: list[Powered]) -> Iterator[Finding]:
    """Two columns that together tell what neither tells alone, best first."""
    chosen = [p for p in powered if p.auc.strength < _TOO_GOOD][:_PAIRED_COLUMNS]
    question = trial.questions[0]
    every, other_every = (len(flags) // _PAIR_ROWS + 1 for flags in (question.learn, question.held_out))
    coarse: dict[str, tuple[Ints, Ints, int]] = {
        p.column.name: levels(
            trial.learn.get_column(p.column.name).gather_every(every),
            trial.held_out.get_column(p.column.name).gather_every(other_every),
            _PAIR_LEVELS,
        )
        for p in chosen
    }
    short = Question(question.name, question.learn[::every], question.held_out[::other_every])
    if not (0 < short.held_out.sum() < len(short.held_out)):
        return
    couples = list(combinations(chosen, 2))
    level = family_level(len(couples))
    found = []
    for one, other in couples:
        (a, b, size), (c, d, width) = coarse[one.column.name], coarse[other.column.name]
        if size * width > max(200, len(a) // 4):
            continue  # more cells than rows can fill: no power to learn
        auc = trial.power(a * width + c, b * width + d, size * width, short)
        if auc.p_value * len(couples) < _FALSE_ALARMS and auc.lower(level) >= _TOO_GOOD:
            found.append((auc, one, other))
    for auc, one, other in sorted(found, key=lambda f: -f[0].strength):
        yield illegitimate_feature.finding(
            f'columns "{one.column.name}" and "{other.column.name}" together rank held-out rows with AUC '
            f"{auc.strength:.3f}; alone {one.auc.strength:.3f} and {other.auc.strength:.3f}",
            subject=f"{one.column.name}, {other.column.name}",
            location=Location(split.test_numbers.file),
            severity=Severity.WARNING if _beyond_both(auc.lower(level), one, other) else Severity.NOTE,
            confidence=Confidence.MEDIUM,
            evidence=[numbers({"question": question.name, "AUC": round(auc.value, 4), "pairs judged": len(couples)})],
        )


def _beyond_both(lower: float, one: Powered, other: Powered) -> bool:
    """Whether two columns that say little alone decide the outcome together, as parts of a code or of a sum do."""
    return lower >= _PAIR_CERTAIN and max(one.auc.strength, other.auc.strength) < _ALONE_WEAK
