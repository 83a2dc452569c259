"""Pasted scores as experiments: one a row, or the reason why it is not tested; and corrections of the reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assay.findings import Report, Table
from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported import read_text
from assay.reported.model import (
    Averaging,
    Figure,
    Matrix,
    Over,
    Reading,
    Relation,
    Role,
    RowKind,
    ScoreName,
    Size,
    SizeKind,
    Span,
    SpreadKind,
    Unread,
)
from assay.reported.model import Row as ReadRow
from assay.reported.numbers import read_cell
from assay.reported.prose import figure_of
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.definitions import COMPLEMENTS, SCORES
from assay.scores.definitions import Matrix as Confusion
from assay.scores.pasted_matrix import report_by_matrix
from assay.scores.reading import words_as_data
from assay.scores.reporting import report_of
from assay.scores.study import ExperimentModel
from assay.scores.tasks import AnyExperiment

MOST_ROWS = 40
LONGEST = 200_000
"""So many characters are read; what stands behind them is kept in the field and named as not read."""
_FIELDS = frozenset(ExperimentModel.model_fields) - {"scores"}
_REGRESSION = frozenset({"mae", "mse", "rmse", "r2", "medae"})
_TESTED = frozenset(SCORES) | frozenset(COMPLEMENTS) | {"auc", "gini", "f2", "f0.5"} | _REGRESSION
_WITHOUT_NEGATIVES = frozenset({"tp", "fp", "fn", "sens", "ppv", "f1", "ji", "fm", "fnr", "fdr", "f2", "f0.5"})
"""Scores in which true negatives do not occur."""
_OF_ALL_CLASSES = frozenset({"acc", "kappa", "mcc", "bacc"})
_AVERAGES = {Averaging.MACRO: "macro", Averaging.MICRO: "micro", Averaging.WEIGHTED: "weighted"}
_OF_SOME_LABELS = frozenset({Averaging.MICRO, Averaging.SAMPLES})
"""Averages that a report holds in place of the accuracy: items have several labels, or some labels are left out."""
_CLASS_SIZES = (SizeKind.POSITIVES, SizeKind.NEGATIVES, SizeKind.TOTAL)
_OVERLAP = regex(r"\b(?:dice|dsc|m?iou|jaccard|intersection)", re.IGNORECASE)
"""Names of F1 and of the Jaccard index where areas are compared."""
_COMMAND = regex(r"(?:[A-Za-z][\w.\[\]+-]*=\S+\s*)+")
_SETTING = regex(
    r"(?<!\S)(?P<name>classes|task|setup|aggregation|fold_model|repeats|rounding|undefined|eps|variance|ddof"
    r"|target_range|integer|percent)=(?P<value>\S+?)(?=[;,]?(?:\s|$))"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One experiment: Assay's words for it, the number of items where only that is known, or why it is not tested."""

    name: str = ""
    words: tuple[tuple[str, str], ...] = ()
    total: int | None = None
    obstacle: str = ""
    report: Report | None = None
    """The verdict of a printed confusion matrix, which needs no search."""

    @property
    def scores(self) -> tuple[tuple[str, str], ...]:
        """The words that are figures, without sizes and settings."""
        return tuple((name, value) for name, value in self.words if name not in _FIELDS)


@dataclass(frozen=True, slots=True)
class Pasted:
    """What was read of a text, as rows to test, with the reading that they come from."""

    rows: tuple[Row, ...] = ()
    reading: Reading = Reading()
    left_out: tuple[str, ...] = ()


def read_pasted(text: str, settings: Iterable[tuple[str, str]] = ()) -> Pasted:
    """The experiments in a text; `settings` hold for all of them and outweigh what the text says."""
    reading = read_text(without_settings(text[:LONGEST]))
    return rows_of(text, reading, settings)


def without_settings(text: str) -> str:
    """The text with words of the command line (``classes=50,50``) blanked out, at the same length."""
    return _SETTING.sub(lambda match: " " * len(match[0]), text)


def rows_of(text: str, reading: Reading, settings: Iterable[tuple[str, str]] = ()) -> Pasted:
    """The rows of a reading that may have been corrected by hand."""
    given = {match["name"]: match["value"] for match in _SETTING.finditer(text[:LONGEST])}
    given |= {name: value for name, value in settings if value}
    left = [f"everything after the first {LONGEST:,} characters"] if len(text) > LONGEST else []
    if given.keys() & {"classes", "setup", "task"} and _COMMAND.fullmatch(text.strip()):
        return Pasted((_command_row(text, given),), reading, tuple(left))
    rows = list(_rows(reading, given))
    if len(rows) > MOST_ROWS:
        left.append(f"{len(rows) - MOST_ROWS} further rows")
    return Pasted(tuple(rows[:MOST_ROWS]), reading, tuple(left))


def _command_row(text: str, given: dict[str, str]) -> Row:
    """Words that mean exactly what they mean on the command line."""
    words = dict(word.split("=", 1) for word in text.split())
    return Row("", _ordered(words | given))


def _ordered(words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(words.items(), key=lambda word: word[0] not in _FIELDS))


def _rows(reading: Reading, given: dict[str, str]) -> Iterator[Row]:
    classes = [row for row in reading.rows if row.figures and _is_class(row)]
    for name in dict.fromkeys(row.name for row in classes):
        yield from _report_rows(reading, [row for row in classes if row.name == name], given)
    for row in reading.rows:
        if row in classes or (classes and _is_average(row)) or row.kind is RowKind.DIFFERENCE:
            continue
        found = report_by_matrix(reading, row)
        yield (
            _row(reading, row, given) if found is None else Row(row.name, _ordered(_scores(row.figures)), report=found)
        )


def _is_class(row: ReadRow) -> bool:
    return all(figure.name.averaging is Averaging.CLASS for figure in row.figures)


def _is_average(row: ReadRow) -> bool:
    return not row.model and any(figure.name.averaging in _AVERAGES for figure in row.figures)


# --- one row --------------------------------------------------------------------------------------


def _row(reading: Reading, row: ReadRow, given: dict[str, str]) -> Row:
    obstacle = _unexplained(reading, row) or _repeated(row) or _sizes_disagree(reading, row, given)
    figures = [f for f in row.figures if _is_tested(f)]
    sizes = _sizes(reading, row, figures)
    figures, sizes = _apart_from_pixels(figures, sizes, given)
    if not figures:
        return Row(row.name, (), obstacle=obstacle or "None of these scores is tested.")
    words = _scores(figures) | _matrix(reading, row)
    averaged = [f for f in figures if f.name.averaging in _AVERAGES]
    if words.keys() & _REGRESSION:
        return _regression(row, words, sizes, given, obstacle)
    if averaged or reading.averaging in _AVERAGES or SizeKind.CLASSES in sizes:
        return _several_classes(row, words, sizes, given, obstacle)
    over = row.over if row.over is not Over.UNSTATED else reading.over
    return _two_classes(row, words, sizes, given, obstacle, over=over, spread=any(map(_spreads, figures)))


def _two_classes(
    row: ReadRow,
    words: dict[str, str],
    sizes: dict[SizeKind, int],
    given: dict[str, str],
    obstacle: str,
    *,
    over: Over,
    spread: bool,
) -> Row:
    """One test set, folds, or a mean over parts of unknown size."""
    settings = _setting(sizes, words, given)
    if over is Over.FOLDS and SizeKind.FOLDS in sizes:
        settings.setdefault("folds", str(sizes[SizeKind.FOLDS]))
    averaged_over = spread or over not in {Over.UNSTATED, Over.POOLED}
    if averaged_over and not {"folds", "p", "n"} <= settings.keys():
        kept = _settings_without(settings, "p", "n", "total", "folds")
        return Row(row.name, _ordered(_plain(words) | kept | {"aggregation": "mean"}), None, obstacle)
    if "folds" not in settings:
        words = _plain(words)
    total = settings.pop("total", None)
    return Row(row.name, _ordered(settings | words), int(total) if total else None, obstacle)


def _is_tested(figure: Figure) -> bool:
    plain = figure.score in _TESTED and figure.relation is Relation.EQUAL
    return plain and figure.name.averaging is not Averaging.SAMPLES


def _spreads(figure: Figure) -> bool:
    """Whether a standard deviation, or what looks like one, stands behind the figure."""
    return figure.spread is not None and figure.spread.kind in {SpreadKind.UNSTATED, SpreadKind.DEVIATION}


def _settings_without(settings: dict[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in settings.items() if name not in names}


def _apart_from_pixels(
    figures: list[Figure], sizes: dict[SizeKind, int], given: dict[str, str]
) -> tuple[list[Figure], dict[SizeKind, int]]:
    """Dice and IoU compare pixels or voxels, so counts of images or patients in a text say nothing about them.

    Beside other scores they are left out; alone they are compared with each other, without sizes. A visitor who fills
    in the classes decides.
    """
    pixels = [f for f in figures if _OVERLAP.search(f.name.printed)]
    if not pixels or not sizes or {"p", "n"} & given.keys():
        return figures, sizes
    others = [f for f in figures if f not in pixels]
    return (others, sizes) if others else (figures, {})


def _plain(words: dict[str, str]) -> dict[str, str]:
    """Without spreads, which mean something only over a known number of folds."""
    return {name: value.partition(" ± ")[0] for name, value in words.items()}


def _unexplained(reading: Reading, row: ReadRow) -> str:
    """A number that is not understood stands in the way of a verdict about the row, or the text, that it is in."""
    lines = {figure.span.row for figure in row.figures}
    near = [one for one in reading.unread if one.span.row is None or one.span.row in lines or None in lines]
    if not near:
        return ""
    if len(near) == 1:
        return f"One number is not explained ({near[0].text}). Say what it is, or dismiss it, to get a verdict."
    shown = ", ".join(one.text for one in near[:3]) + (", …" if len(near) > 3 else "")
    return f"{len(near)} numbers are not explained ({shown}). Say what they are, or dismiss them, to get a verdict."


def _repeated(row: ReadRow) -> str:
    """A score that a row gives twice with different values could be about two things."""
    seen: dict[str, str] = {}
    for figure in (figure for figure in row.figures if figure.number is not None):
        value = str(figure.number)
        if seen.setdefault(_word(figure), value) != value:
            return f"{_word(figure)} is given twice, as {seen[_word(figure)]} and {value}. Say which one is meant."
    return ""


def _are_ambiguous(sizes: Sequence[Size]) -> bool:
    """Whether both classes have a size, but there are several of one of them or a total that is not their sum."""
    counts = {kind: sorted({size.count for size in sizes if size.kind is kind}) for kind in _CLASS_SIZES}
    p, n, totals = (counts[kind] for kind in _CLASS_SIZES)
    if not (p and n):
        return False
    return not (len(p) == len(n) == 1 and all(total == p[0] + n[0] for total in totals))


def _sizes_disagree(reading: Reading, row: ReadRow, given: dict[str, str]) -> str:
    """Several numbers of items, or one that is not the sum of the classes: the text may be about several sets."""
    stated = [size for size in (row.sizes or reading.sizes) if size.role is not Role.TRAIN]
    if {"p", "n"} <= given.keys() or not _are_ambiguous(stated):
        return ""
    shown = ", ".join(f"{size.count} {size.unit or size.kind.value}" for size in stated if size.kind in _CLASS_SIZES)
    return f"The text gives several sizes ({shown}). Fill in the positives and negatives that were tested."


def _scores(figures: Sequence[Figure]) -> dict[str, str]:
    words: dict[str, str] = {}
    for figure in figures:
        if figure.number is not None:
            spread = f" ± {figure.spread.number}" if figure.spread else ""
            words.setdefault(_word(figure), f"{figure.number}{spread}")
        elif figure.fraction is not None and figure.score in {"sens", "spec"}:
            words.setdefault({"sens": "tp", "spec": "tn"}[figure.score], str(figure.fraction.hits))
    return words


def _word(figure: Figure) -> str:
    average = _AVERAGES.get(figure.name.averaging)
    return f"{figure.score}_{average}" if average else figure.score


def _sizes(reading: Reading, row: ReadRow, figures: Sequence[Figure]) -> dict[SizeKind, int]:
    """The counts of the row itself, else those of the text; a kind with two different counts is not used."""
    out: dict[SizeKind, int] = {}
    elsewhere = _settled(reading.sizes)
    for source in (_settled(row.sizes), _from_fractions(figures), elsewhere):
        out = source | out
    return out


def _settled(sizes: Sequence[Size]) -> dict[SizeKind, int]:
    tested = [size for size in sizes if size.role is not Role.TRAIN]
    if any(size.role in {Role.TEST, Role.EXTERNAL} for size in tested):
        tested = [size for size in tested if size.role is not Role.VALIDATION]
    counts: dict[SizeKind, set[int]] = {}
    for size in tested:
        counts.setdefault(size.kind, set()).add(size.count)
    return {kind: found.pop() for kind, found in counts.items() if len(found) == 1}


def _from_fractions(figures: Sequence[Figure]) -> dict[SizeKind, int]:
    kinds = {"sens": SizeKind.POSITIVES, "spec": SizeKind.NEGATIVES, "acc": SizeKind.TOTAL}
    return {kinds[f.score]: f.fraction.total for f in figures if f.fraction and f.score in kinds}


def _setting(sizes: dict[SizeKind, int], words: dict[str, str], given: dict[str, str]) -> dict[str, str]:
    """P and n as far as they are known: stated, left over from the total, or summed up from the matrix."""
    p, n = _class_counts(sizes, words)
    total = sizes.get(SizeKind.TOTAL)
    if total is not None and p is not None and n is None and total >= p:
        n = total - p
    elif total is not None and n is not None and p is None and total >= n:
        p = total - n
    known = {"p": p, "n": n} if p is not None and n is not None else {"total": total}
    return {name: str(value) for name, value in known.items() if value is not None} | given


def _class_counts(sizes: dict[SizeKind, int], words: dict[str, str]) -> tuple[int | None, int | None]:
    """Positives and negatives by the matrix, or as stated."""
    p, n = sizes.get(SizeKind.POSITIVES), sizes.get(SizeKind.NEGATIVES)
    counts = {name: int(words[name]) for name in ("tp", "fn", "fp", "tn") if name in words}
    p = counts["tp"] + counts["fn"] if {"tp", "fn"} <= counts.keys() else p
    n = counts["fp"] + counts["tn"] if {"fp", "tn"} <= counts.keys() else n
    if n is None and "fp" in counts and words.keys() <= _WITHOUT_NEGATIVES:
        n = max(1, counts["fp"])
    return p, n


def _matrix(reading: Reading, row: ReadRow) -> dict[str, str]:
    """The counts of a printed matrix of two classes, in the order in which they give the printed scores."""
    small = [matrix for matrix in reading.matrices if len(matrix.counts) == 2]
    if len(small) != 1 or len(reading.matrices) != 1 or len(reading.rows) != 1:
        return {}
    ways = list(_orders(small[0]))
    return next((way for way in ways if _gives(way, row.figures)), ways[0])


def _orders(matrix: Matrix) -> Iterator[dict[str, str]]:
    """scikit-learn's order first, then R's, then both with the classes exchanged."""
    (a, b), (c, d) = matrix.counts
    for tn, fp, fn, tp in ((a, b, c, d), (d, b, c, a), (d, c, b, a), (a, c, b, d)):
        yield {"tp": str(tp), "fn": str(fn), "fp": str(fp), "tn": str(tn)}


def _gives(way: dict[str, str], figures: Sequence[Figure]) -> bool:
    matrix = Confusion(*(int(way[name]) for name in ("tp", "fn", "fp", "tn")))
    plain = [f for f in figures if f.number is not None and f.score in SCORES and SCORES[f.score].shape.value == "r"]
    for figure in plain:
        ratio = SCORES[figure.score].ratio(*matrix)
        if figure.number is None or not ratio[1]:
            continue
        unit = 10 ** -(figure.number.decimals + (2 if figure.number.percent else 0))
        if abs(ratio[0] / ratio[1] - float(figure.number.value)) > unit:
            return False
    return True


# --- several classes, regression ------------------------------------------------------------------


def _regression(
    row: ReadRow, words: dict[str, str], sizes: dict[SizeKind, int], given: dict[str, str], obstacle: str
) -> Row:
    kept = _plain({name: value for name, value in words.items() if name in _REGRESSION})
    count = given.get("n") or sizes.get(SizeKind.TOTAL)
    settings = _settings_without(given, "p", "n", "folds")
    if count is None:
        return Row(row.name, _ordered(kept), obstacle=obstacle or "How many items were predicted? Give n = …")
    return Row(row.name, _ordered(settings | {"task": "regression", "n": str(count)} | kept), None, obstacle)


def _several_classes(
    row: ReadRow, words: dict[str, str], sizes: dict[SizeKind, int], given: dict[str, str], obstacle: str
) -> Row:
    counts = given.get("classes")
    if counts is None and SizeKind.POSITIVES in sizes and SizeKind.NEGATIVES in sizes:
        counts = f"{sizes[SizeKind.POSITIVES]},{sizes[SizeKind.NEGATIVES]}"
    kept = {
        name: value for name, value in _plain(words).items() if "_" in name or name in {"acc", "kappa", "mcc", "bacc"}
    }
    if counts is None:
        asked = "How many items of each class were tested? Give them as classes, for example 50, 50, 50."
        return Row(row.name, _ordered(_plain(words)), obstacle=obstacle or asked)
    if not kept:
        asked = "Are these macro, micro or weighted averages over the classes? Write, for example, macro F1."
        return Row(row.name, _ordered(_plain(words)), obstacle=obstacle or asked)
    settings = _settings_without(given, "p", "n", "folds")
    return Row(row.name, _ordered(settings | {"classes": counts.replace(" ", "")} | kept), None, obstacle)


def _report_scores(classes: Sequence[ReadRow], averages: Sequence[ReadRow]) -> dict[str, str]:
    words: dict[str, str] = {}
    for index, row in enumerate(classes):
        words |= {f"{f.score}[{index}]": str(f.number) for f in row.figures if f.number and f.score in _TESTED}
    for row in averages:
        words |= _plain(_scores([f for f in row.figures if f.score in _TESTED]))
    return words


def _report_rows(reading: Reading, classes: Sequence[ReadRow], given: dict[str, str]) -> Iterator[Row]:
    """A classification report: one experiment, or one for each class where the classes are not all there is."""
    beside = [row for row in reading.rows if row.name == classes[0].name and row not in classes]
    if "classes" in given or not any(f.name.averaging in _OF_SOME_LABELS for row in beside for f in row.figures):
        yield _report_row(reading, classes, [row for row in beside if _is_average(row)], given)
        return
    yield from (_class_row(reading, row) for row in classes)


def _class_row(reading: Reading, row: ReadRow) -> Row:
    """One class against the rest, whose items are not known."""
    count = _support(row)
    size = {"aggregation": "pooled"} | ({} if count is None else {"p": str(count)})
    words = _plain(_scores([figure for figure in row.figures if figure.score in _TESTED]))
    name = next((figure.name.label for figure in row.figures if figure.name.label), row.name)
    return Row(name, _ordered(size | words), None, _unexplained(reading, row))


def _support(row: ReadRow) -> int | None:
    return next((s.count for s in row.sizes if s.kind is SizeKind.CLASS), None)


def _report_row(reading: Reading, classes: Sequence[ReadRow], others: Sequence[ReadRow], given: dict[str, str]) -> Row:
    """All rows of a report as one experiment: every class, their averages, and the accuracy."""
    counts = [_support(row) for row in classes]
    obstacle = next((found for row in (*classes, *others) if (found := _unexplained(reading, row))), "")
    name = classes[0].name or "All classes"
    words = _report_scores(classes, others)
    stated = given.get("classes") or (",".join(map(str, counts)) if None not in counts else "")
    if not stated:
        return Row(name, _ordered(words), obstacle=obstacle or "How many items of each class were tested?")
    settings = _settings_without(given, "p", "n", "folds")
    return Row(name, _ordered(settings | {"classes": stated.replace(" ", "")} | words), None, obstacle)


# --- reports --------------------------------------------------------------------------------------


def report_of_pasted(pasted: Pasted, *, command: str = "", figures: bool = False) -> Report:
    """The verdicts on all rows that can be tested, how the text was read, and why other rows are not tested."""
    named = [(row.name or f"row {number}", row) for number, row in enumerate(pasted.rows, 1)]
    settled = [row.report for _, row in named if row.report is not None]
    open_rows = [f"{name}: {row.obstacle}" for name, row in named if row.obstacle]
    tested = [(name, row) for name, row in named if not row.obstacle and row.report is None]
    report = report_of([check(_experiment(*one)) for one in tested], command=command, figures=figures)
    tables = (_figures_table(pasted.reading), _unread_table(pasted.reading))
    shown = tuple(table for table in tables if table.rows)
    return replace(
        report,
        judgements=(*report.judgements, *(judgement for one in settled for judgement in one.judgements)),
        findings=(*report.findings, *(finding for one in settled for finding in one.findings)),
        tables=(*shown, *report.tables),
        left_out=(*report.left_out, *open_rows, *pasted.left_out),
    )


def _experiment(name: str, row: Row) -> AnyExperiment:
    data = words_as_data(f"{word}={value}" for word, value in row.words)
    return experiment_of({**data, "name": name}, where=name)


def _figures_table(reading: Reading) -> Table:
    rows = [
        (row.name or f"row {number}", figure.name.printed.strip(), _word(figure), str(figure.number or ""))
        for number, row in enumerate(reading.rows, 1)
        for figure in row.figures
    ]
    sizes = [*reading.sizes, *(size for row in reading.rows for size in row.sizes)]
    rows += [("", size.unit, size.kind.value, str(size.count)) for size in sizes]
    return Table("How the scores were read", ("row", "printed as", "read as", "value"), tuple(rows))


def _unread_table(reading: Reading) -> Table:
    rows = tuple((one.text, one.reason.value, one.context) for one in reading.unread)
    return Table("Numbers that are not explained", ("number", "reason", "context"), rows)


# --- corrections ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Correction:
    """What a visitor says that a number is: the key of a score, the kind of a size, or nothing ("ignore")."""

    start: int
    digits: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.start}:{self.digits}:{self.meaning}"


IGNORE = "ignore"
_MARKUP = regex(r"\\(?=%)|\\[A-Za-z]+|[{}$*]")


def corrections_of(given: Iterable[str]) -> list[Correction]:
    """Corrections as the form sends them; what is none is dropped."""
    found = (re.fullmatch(r"(\d{1,7}):(.{1,80}):([\w.]{1,20})", one, re.DOTALL) for one in given)
    return [Correction(int(match[1]), match[2], match[3]) for match in found if match]


def corrected(reading: Reading, text: str, corrections: Iterable[Correction], *, dismiss: bool = False) -> Reading:
    """The reading with corrections that still stand where they were made; all other unexplained numbers dismissed."""
    for correction in corrections:
        if text.startswith(correction.digits, correction.start):
            reading = _applied(reading, correction)
    return replace(reading, unread=()) if dismiss else reading


def _applied(reading: Reading, correction: Correction) -> Reading:
    at = next((span for span in _spans(reading) if span.start == correction.start), None)
    quantity = read_cell(_MARKUP.sub("", correction.digits))
    cleared = _without(reading, correction.start)
    if at is None or quantity is None or correction.meaning == IGNORE:
        return cleared
    kinds = {kind.value: kind for kind in SizeKind}
    if correction.meaning in kinds:
        count = quantity.whole
        if count is None:
            return reading
        size = Size(kinds[correction.meaning], count, at)
        others = tuple(one for one in cleared.sizes if one.kind is not size.kind)
        return replace(cleared, sizes=(*others, size))
    made = figure_of(ScoreName(correction.meaning, correction.meaning), quantity)
    if isinstance(made, Unread):
        return reading
    return _with_figure(cleared, replace(made, span=at))


def _spans(reading: Reading) -> Iterator[Span]:
    yield from (figure.span for row in reading.rows for figure in row.figures)
    yield from (size.span for row in reading.rows for size in row.sizes)
    for part in (reading.sizes, reading.asides, reading.unread):
        yield from (one.span for one in part)


def _without(reading: Reading, start: int) -> Reading:
    rows = (replace(row, figures=tuple(f for f in row.figures if f.span.start != start)) for row in reading.rows)
    return replace(
        reading,
        rows=tuple(row for row in rows if row.figures),
        sizes=tuple(one for one in reading.sizes if one.span.start != start),
        asides=tuple(one for one in reading.asides if one.span.start != start),
        unread=tuple(one for one in reading.unread if one.span.start != start),
    )


def _with_figure(reading: Reading, figure: Figure) -> Reading:
    """The figure joins the row of its table, else the latest row before it, else the first one."""
    rows = list(reading.rows)
    same = [
        i for i, row in enumerate(rows) if figure.span.row is not None and row.figures[0].span.row == figure.span.row
    ]
    before = [i for i, row in enumerate(rows) if row.figures[0].span.start <= figure.span.start]
    at = (same or before[-1:] or ([0] if rows else []))[:1]
    if not at or any(other.score == figure.score for other in rows[at[0]].figures):
        return replace(reading, rows=(*rows, ReadRow((figure,), figure.span)))
    row = rows[at[0]]
    rows[at[0]] = replace(row, figures=tuple(sorted((*row.figures, figure), key=lambda f: f.span.start)))
    return replace(reading, rows=tuple(rows))
