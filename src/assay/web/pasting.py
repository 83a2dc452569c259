"""Scores as people paste them: a sentence, a row, a table, or ``name=value`` words, read as experiments.

A reader without opinion: what stands there, under which name, and what could not be read. Digits are kept as
printed, because trailing zeros are precision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.scores.definitions import find_score
from assay.scores.study import ExperimentModel
from assay.scores.tasks import is_area

LONGEST = 20_000
MOST_ROWS = 40
_FIELDS = frozenset(ExperimentModel.model_fields) - {"scores"}
_REGRESSION = frozenset({"mae", "mse", "rmse", "r2", "medae"})

_WORD = r"[A-Za-zκβ][\w²'+-]*(?:\.\d+)?"
_DIGITS = r"(?:[1-9]\d{0,2}(?:,\d{3})+(?![\d.])|\d+(?:[.,]\d+)?|\.\d+)"
_NUMBER = rf"[-+]?{_DIGITS}\s?%?(?:\s?(?:±|\+/-|\+-)\s?{_DIGITS}\s?%?)?"
_TOKEN = regex(rf"(?P<number>(?<![\w.]){_NUMBER}(?![\w]))|(?P<word>{_WORD})|(?P<stop>[,;|()\[\]/])")
_EQUATION = regex(r"(?<![\w.])(?P<name>[A-Za-z][\w.\[\]-]*)=(?P<value>[^\s;,]+(?:,[^\s;,A-Za-z][^\s;,]*|,\w+:\d+)*)")
_LINKING = regex(r"of|is|was|were|are|at|and|reached|achieved|values?|with|an?|the|in|to|equals?", re.IGNORECASE)
_LATEX = regex(r"\\(?:textbf|textit|emph|mathbf|underline|bf|it)\b\s*\{?|[${}~]|\\\\|\\hline|\\(?:top|mid|bottom)rule")
_COUNT = r"(?<![\w.,])(?P<count>\d{1,3}(?:,\d{3})+|\d{1,12})[ \t]+(?:[A-Za-z]+[ \t]+)?"
_SIZES = {
    "p": regex(rf"{_COUNT}(?:positives?|malignant|diseased|abnormal|events)\b", re.IGNORECASE),
    "n": regex(rf"{_COUNT}(?:negatives?|benign|healthy|normals?|controls)\b", re.IGNORECASE),
    "folds": regex(r"(?<![\w.,])(?P<count>\d{1,3})[ -]folds?\b", re.IGNORECASE),
    "total": regex(
        rf"{_COUNT}(?:items|images|patients|samples|cases|slides|instances|examples|subjects|scans|records)\b",
        re.IGNORECASE,
    ),
}
_CASES = regex(rf"{_COUNT}cases\b(?=.*\bcontrols\b)", re.IGNORECASE | re.DOTALL)
_SIZE_NAMES = {
    "p": "p", "positives": "p", "pos": "p", "n": "n", "negatives": "n", "neg": "n", "total": "total", "folds": "folds",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One experiment: Assay's words for it, and the number of items where only that is known."""

    name: str = ""
    words: tuple[tuple[str, str], ...] = ()
    total: int | None = None

    @property
    def scores(self) -> tuple[tuple[str, str], ...]:
        """The words that are figures, without sizes and settings."""
        return tuple((name, value) for name, value in self.words if name not in _FIELDS)


@dataclass(frozen=True, slots=True)
class Pasted:
    """All that was read, and what could not be."""

    rows: tuple[Row, ...]
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sheet:
    """What has been read so far."""

    shared: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def put(self, name: str, scores: dict[str, str]) -> None:
        """Scores of a line: they join the row before when that has none of them, else they are a row of their own."""
        if not scores:
            return
        if self.rows and not name and not self.rows[-1][1].keys() & scores.keys():
            self.rows[-1][1].update(scores)
        else:
            self.rows.append((name, scores))


def read_pasted(text: str, settings: Iterable[tuple[str, str]] = ()) -> Pasted:
    """The experiments in a text; `settings` are words that hold for all of them and outweigh what the text says."""
    if len(text) > LONGEST:
        raise InputError(f"{len(text):,} characters are too much to paste", fix="Paste one table, or audit the file.")
    sheet = _Sheet()
    rest = _LATEX.sub(" ", text.replace("\\%", "%").replace("**", "").translate(_PLAIN))
    rest = _equations(rest, sheet)
    rest = _sizes(rest, sheet)
    lines = rest.splitlines()
    taken = _table(lines, sheet)
    for at, line in enumerate(lines):
        if at not in taken:
            _running(line, sheet)
    shared = sheet.shared | {name: value for name, value in settings if value}
    if len(sheet.rows) > MOST_ROWS:
        sheet.unread.append(f"{len(sheet.rows) - MOST_ROWS} further rows")
    return Pasted(tuple(_row(*row, shared) for row in sheet.rows[:MOST_ROWS]), tuple(dict.fromkeys(sheet.unread)))


_PLAIN = str.maketrans({"\N{MINUS SIGN}": "-", "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})


def _row(name: str, scores: dict[str, str], shared: dict[str, str]) -> Row:
    words = shared | scores
    total = words.pop("total", None)
    alone = "n" in words and "p" not in words and not words.keys() & {"classes", "task", "setup"}
    if total is None and alone:  # "n = 300" beside no p is how papers give the size of a test set
        total = words.pop("n")
    ordered = sorted(words.items(), key=lambda word: word[0] not in _FIELDS)
    return Row(name, tuple(ordered), int(total) if total and total.isdigit() else None)


def _equations(text: str, sheet: _Sheet) -> str:
    """Take out ``name=value`` words, which mean exactly what they mean on the command line."""
    for line in text.splitlines():
        scores = {}
        for found in _EQUATION.finditer(line):
            name, value = found["name"], found["value"].rstrip(".,)")
            if name.lower() in _FIELDS:
                sheet.shared[name.lower()] = value
            elif name == "N":
                sheet.shared["total"] = value
            else:
                scores[name] = value
        sheet.put("", scores)
    return _EQUATION.sub(" ", text)


def _sizes(text: str, sheet: _Sheet) -> str:
    """Take out the sizes of the test set that are told in words."""
    patterns = [("p", _CASES), *_SIZES.items()]
    for name, pattern in patterns:
        if name not in sheet.shared and (found := pattern.search(text)):
            sheet.shared[name] = found["count"].replace(",", "")
            text = text[: found.start()] + " " * len(found[0]) + text[found.end() :]
    if "p" in sheet.shared and "n" in sheet.shared:
        sheet.shared.pop("total", None)
    return text


# --- running text ----------------------------------------------------------------------------------


def _running(line: str, sheet: _Sheet) -> None:
    """The scores of a line of words: a figure belongs to the name before it."""
    label, colon, rest = line.partition(":")
    named = colon and _is_label(label.strip())
    scores: dict[str, str] = {}
    before: list[str] = []
    for token in _TOKEN.finditer(rest if named else line):
        if token["word"]:
            before.append(token["word"])
        elif token["stop"]:
            before = []
        else:
            _enter(before, token["number"], scores, sheet)
            before = []
    sheet.put(label.strip() if named and scores else "", scores)


def _is_label(words: str) -> bool:
    """Whether what stands before a colon says whose scores follow."""
    told = 0 < len(words) <= 80 and not re.search(r"[,;=%]|\d\.\d", words)
    return told and known_name(words) is None and words.lower() not in _SIZE_NAMES


def _enter(before: list[str], figure: str, scores: dict[str, str], sheet: _Sheet) -> None:
    while before and _LINKING.fullmatch(before[-1]):
        before.pop()
    size = _SIZE_NAMES.get(before[-1].lower()) if before else None
    if before and before[-1] == "N":
        size = "total"
    name = next((found for start in range(len(before)) if (found := known_name(" ".join(before[start:])))), None)
    if size and figure.replace(",", "").isdigit():
        sheet.shared.setdefault(size, figure.replace(",", ""))
    elif name and name not in scores:
        scores[name] = printed(name, figure)
    else:
        sheet.unread.append(" ".join([*before[-3:], figure]))


def known_name(words: str) -> str | None:
    """Assay's name for a score that a paper names in words; None when it is none."""
    told = re.sub(r"\(.*?\)|[%↑↓*:]", " ", words).strip()
    if not told or len(told) > 60:
        return None
    plain = told.lower().replace("²", "2").replace("-", "").replace(" ", "")
    if is_area(told):
        return "auc"
    if plain in _REGRESSION:
        return plain
    try:
        named = find_score(told)
    except InputError:
        return None
    return plain if named.complement else named.score.name


def printed(name: str, figure: str, *, percent: bool = False) -> str:
    """The figure as it is printed, with the percent sign that it lacks when it can be nothing else."""
    value = re.sub(r"\s?(?:±|\+/-|\+-)\s?", " ± ", figure.strip()).replace(" %", "%")
    if re.match(r"[-+]?0,\d|[-+]?[1-9]\d?,\d{1,2}(?!\d)", value):
        value = value.replace(",", ".")
    if "%" in value or not _is_share(name):
        return value
    first = value.split(" ")[0].replace(",", "")
    above_one = abs(float(first)) > 1 if re.fullmatch(r"[-+]?\d*\.?\d+", first) else False
    return " ± ".join(f"{part}%" for part in value.split(" ± ")) if percent or above_one else value


def _is_share(name: str) -> bool:
    """Whether figures of this name never exceed 1."""
    if name in _REGRESSION:
        return name == "r2"
    return name == "auc" or (not find_score(name).score.whole and find_score(name).score.high == 1)


# --- tables ----------------------------------------------------------------------------------------


def _table(lines: list[str], sheet: _Sheet) -> set[int]:
    """Read the rows below each line of headings; give the lines that were taken."""
    taken: set[int] = set()
    columns: dict[int, tuple[str, bool]] = {}
    cut = ""
    for at, line in enumerate(lines):
        heading = _heading(line)
        if heading:
            cut, columns = heading
            taken.add(at)
        elif columns and line.strip():
            cells = _cells(line, cut)
            if len(cells) <= max(columns):
                columns = {} if len(cells) < 2 else columns
                continue
            figures = {name: (cells[i], percent) for i, (name, percent) in columns.items() if _is_figure(cells[i])}
            if figures:
                taken.add(at)
                label = next((cell for i, cell in enumerate(cells) if i not in columns and not _is_figure(cell)), "")
                sheet.rows.append((label.strip()[:80], dict(_figures(figures))))
            elif re.fullmatch(r"[\s|:+-]+", line):
                taken.add(at)
    return taken


def _figures(cells: dict[str, tuple[str, bool]]) -> Iterator[tuple[str, str]]:
    for name, (figure, percent) in cells.items():
        if name in _SIZE_NAMES.values():
            yield name, figure.strip().replace(",", "")
        else:
            yield name, printed(name, figure, percent=percent)


def _heading(line: str) -> tuple[str, dict[int, tuple[str, bool]]] | None:
    """How a line of headings is cut, and which of its columns are scores or sizes, and in percent."""
    for cut in ("\t", "|", "&", ";", ",", r"\s{2,}", r"\s+"):
        cells = _cells(line, cut)
        named = {i: (name, "%" in cell) for i, cell in enumerate(cells) if (name := _column(cell))}
        scores = [name for name, _ in named.values() if name not in _SIZE_NAMES.values()]
        if len(scores) >= 2 and len(set(scores)) == len(scores) and not any(_is_figure(cell) for cell in cells):
            return cut, named
    return None


def _column(cell: str) -> str | None:
    told = cell.strip()
    return "total" if told == "N" else _SIZE_NAMES.get(told.lower()) or known_name(told)


def _cells(line: str, cut: str) -> list[str]:
    inside = line.strip().strip("|") if cut == "|" else line.rstrip("\r\n")
    return [cell.strip() for cell in (re.split(cut, inside.strip()) if cut.startswith("\\") else inside.split(cut))]


def _is_figure(cell: str) -> bool:
    return bool(re.fullmatch(_NUMBER, cell.strip().rstrip("*†‡").strip()))
