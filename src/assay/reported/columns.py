"""What the columns of a table hold, read off the headings above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported.model import AsideKind, Averaging, Cell, Role, ScoreName, SizeKind
from assay.reported.names import find_names, needs_company, read_name
from assay.reported.numbers import is_missing, like_score, read_cell


class ColumnKind(StrEnum):
    """What a column holds."""

    SCORE = "score"
    SIZE = "size"
    INTERVAL = "interval"
    SPREAD = "spread"
    ASIDE = "aside"
    LABEL = "label"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its meaning, and what stands above it besides."""

    kind: ColumnKind
    heading: str = ""
    name: ScoreName | None = None
    size: SizeKind | None = None
    aside: AsideKind | None = None
    group: str = ""


_SIZE_HEADINGS: tuple[tuple[SizeKind, str], ...] = (
    (SizeKind.CLASS, r"support|testing support|# ?support"),
    (SizeKind.POSITIVES, r"positives?|# ?pos\w*|pos|n[_ ]?pos\w*|p|malignant|cases"),
    (SizeKind.NEGATIVES, r"negatives?|# ?neg\w*|neg|n[_ ]?neg\w*|benign|controls|healthy"),
    (SizeKind.TOTAL, (r"n|n test|total|# ?(?:samples|images|items|test|cases|patients|n)?|size|count|test size"
     r"|(?:no\. of |number of |test )?(?:samples|images|patients|instances|examples|subjects|items|slides)")),
)  # fmt: skip
_SIZES = tuple((kind, regex(text, re.IGNORECASE)) for kind, text in _SIZE_HEADINGS)
_INTERVAL = regex(r"\(?\d{2}\s?\\?%\s?-?c\.?i\.?\)?|c\.?i\.?|(?:\d{2}\s?\\?% )?confidence interval", re.IGNORECASE)
_SPREAD = regex(r"sd|std\.?|s\.d\.|±|standard deviation|se|std\.? dev\.?|stdev", re.IGNORECASE)
_GAINS = (
    r"^[Δ∆δ].*|.*\b(?:delta|diff(?:erence)?|gain|improvement|change|impr\.|rel\.?|drop)\b.*|^[+]/?[-−].*"
    r"|(?:ratio|rank|variance|share|percentile) of .*|.* (?:ratio|rank)"
)
_ASIDES: tuple[tuple[AsideKind, re.Pattern[str]], ...] = (
    (AsideKind.P_VALUE, regex(r".*\bp(?:[- ]?values?)?$|.*\bsig(?:nificance)?\.?$", re.IGNORECASE)),
    (AsideKind.DIFFERENCE, regex(_GAINS, re.IGNORECASE)),
    (AsideKind.THRESHOLD, regex(r".*(?:threshold|cut-?off|criterion).*", re.IGNORECASE)),
    (AsideKind.YEAR, regex(r"year|date", re.IGNORECASE)),
    (AsideKind.REFERENCE, regex(r"ref\w*\.?|id|no\.?|#|rank|fold|split|seed|run|index", re.IGNORECASE)),
    (AsideKind.QUANTITY, regex(
        r".*(?:\btime\b|param|epoch|flops|macs|latency|memory|speed|fps|layers?\b|size \(|\(s\)|\(ms\)|\(m\)|\(mb\)"
        r"|\(gb\)"
        r"|\(h\)|features?\b|learning rate|\blr\b|batch|depth|\bk\b|ratio\b|age\b|dim\b|distance|hausdorff|\(mm\)|cost"
        r"|price|steps|iter|weight"
        r"|trees|units|length|width|dropout|samples per|shots?\b|tokens|gpu|carbon|volume).*|[ckγλα]", re.IGNORECASE)),
)  # fmt: skip
_DATASET = regex(
    r".*\b(?:data ?-?sets?|data|cohorts?|sets?|splits?|subsets?|domains?|tasks?|centers?|centres?|sites?|corpus"
    r"|benchmark|task|test|sample)\b.*",
    re.IGNORECASE,
)
_CLASS = regex(
    r"class(?:es)?|labels?|categor(?:y|ies)|class ?name|disease|emotion|entity|type|lesion type|species|structure"
    r"|organ",
    re.IGNORECASE,
)
_AVERAGE = regex(r"(?P<kind>macro|micro|weighted|samples)[- ]?(?:avg\.?|average[ds]?|averaging|mean)?", re.IGNORECASE)
_SMALL = regex(r"[\s*†‡§]+$|^[\s*]+")


def is_dataset_heading(text: str) -> bool:
    """Whether a column of labels holds data sets."""
    return _DATASET.fullmatch(text.strip()) is not None


def is_class_heading(text: str) -> bool:
    """Whether a column of labels holds the classes of one classifier."""
    return _CLASS.fullmatch(text.strip()) is not None


def average_of(text: str) -> Averaging | None:
    """The averaging that a label such as "macro avg" names."""
    match = _AVERAGE.fullmatch(text.strip())
    return Averaging(match["kind"].lower()) if match else None


def is_heading_row(row: Sequence[Cell]) -> bool:
    """Whether a row names scores or sizes above other rows, and holds no results itself."""
    cells = [cell for cell in row if not cell.spanned and not is_missing(cell.text)]
    named = sum(read_name(cell.text) is not None for cell in cells)
    figures = sum(like_score(read_cell(cell.text)) for cell in cells)
    dashes = sum(is_missing(cell.text) and bool(cell.text.strip()) for cell in row)
    return named > dashes and (figures == 0 or (named >= 2 and figures * 2 < named))


def columns_of(stack: Sequence[Sequence[Cell]], width: int) -> list[Column]:
    """The columns under a stack of heading rows, the lowest row last."""
    columns = [_column([row[at] for row in stack]) for at in range(width)]
    letters = {column.heading.strip().lower() for column in columns}
    others = {letter for letter in letters if len(letter) == 1 and letter.isalpha()} - _SCORE_LETTERS
    if len(others) >= _MOST_LETTERS or letters & _OF_TESTS:
        return [_unlettered(column) for column in columns]
    return [_settled(column, columns, letters) for column in columns]


_SCORE_LETTERS = frozenset("prfnktc")
_MOST_LETTERS = 3
"""So many other single letters above the columns: they are classes or symbols, P and R among them."""
_OF_TESTS = frozenset({"df", "sig", "sig.", "p-value", "p value", "r2", "r²", "χ2", "χ²"})
"""Headings beside which F, R and p are those of a statistical test."""


def _unlettered(column: Column) -> Column:
    letter = len(column.heading.strip()) == 1
    return replace(column, kind=ColumnKind.UNKNOWN, name=None, size=None) if letter else column


def _settled(column: Column, columns: Sequence[Column], letters: set[str]) -> Column:
    """P beside N counts positives; P beside R or F1 is precision; alone it is neither."""
    plain = column.heading.strip().lower()
    if plain == "p" and "n" in letters:
        return replace(column, kind=ColumnKind.SIZE, size=SizeKind.POSITIVES, name=None)
    if plain == "n" and "p" in letters and column.kind is ColumnKind.SIZE:
        return replace(column, size=SizeKind.NEGATIVES)
    if column.name is None or not needs_company(plain):
        return column
    return column if _has_company(column.name.score, columns) else replace(column, kind=ColumnKind.UNKNOWN, name=None)


def _has_company(score: str, columns: Sequence[Column]) -> bool:
    """Whether another heading names a score; short ones support each other only where recall is one of them."""
    named = [(one.name.score, needs_company(one.heading.strip().lower())) for one in columns if one.name is not None]
    short = {other for other, is_short in named if is_short}
    full = {other for other, is_short in named if not is_short}
    others = full | short if "sens" in short else full
    return bool((others - {score}) & _COMPANY)


_COMPANY = frozenset({"f1", "sens", "spec", "ppv", "npv", "acc", "bacc", "auc", "mcc", "kappa", "ji"})
"""Scores beside which a short heading means a score, too."""


def _column(cells: Sequence[Cell]) -> Column:
    texts = list(dict.fromkeys(_SMALL.sub("", cell.text).strip() for cell in cells))
    texts = [text for text in texts if text]
    if not texts:
        return Column(ColumnKind.UNKNOWN)
    for at in range(len(texts) - 1, -1, -1):
        name = read_name(texts[at])
        if name is None:
            continue
        others = [text for place, text in enumerate(texts) if place != at]
        return _score_column(name, texts[at], others)
    return replace(_other_column(texts[-1]), group=" ".join(texts[:-1]))


def _score_column(name: ScoreName, heading: str, others: Sequence[str]) -> Column:
    group = []
    for text in others:
        averaging = average_of(text)
        if averaging is not None and name.averaging is Averaging.UNSTATED:
            name = replace(name, averaging=averaging)
        elif re.fullmatch(r"[(\[]?\s*(?:in )?\\?%\s*[)\]]?", text):
            name = replace(name, percent=True)
        else:
            group.append(text)
    aside = next((kind for kind, pattern in _ASIDES[1:2] if pattern.fullmatch(heading.strip())), None)
    if aside is not None:
        return Column(ColumnKind.ASIDE, heading, aside=aside, group=" ".join(group))
    return Column(ColumnKind.SCORE, heading, name=name, group=" ".join(group))


def _other_column(heading: str) -> Column:
    plain = heading.strip().strip(".:")
    if _INTERVAL.fullmatch(plain):
        return Column(ColumnKind.INTERVAL, heading)
    if _SPREAD.fullmatch(plain):
        return Column(ColumnKind.SPREAD, heading)
    size = next((kind for kind, pattern in _SIZES if pattern.fullmatch(plain)), None)
    if size is not None:
        return Column(ColumnKind.SIZE, heading, size=size)
    aside = next((kind for kind, pattern in _ASIDES if pattern.fullmatch(plain)), None)
    if aside is not None:
        return Column(ColumnKind.ASIDE, heading, aside=aside)
    return Column(ColumnKind.UNKNOWN, heading)


def role_of(text: str) -> Role:
    """Which part of the data a heading or label names."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    table = (
        (Role.EXTERNAL, {"external"}),
        (Role.TEST, {"test", "testing"}),
        (Role.VALIDATION, {"validation", "val", "dev"}),
        (Role.TRAIN, {"train", "training"}),
    )
    return next((role for role, names in table if words & names), Role.UNSTATED)


def only_score_of(caption: str) -> ScoreName | None:
    """The one score that a caption names; None when it names none or several."""
    found = list(find_names(caption))
    return found[0].name if found and len({one.name.score for one in found}) == 1 else None
