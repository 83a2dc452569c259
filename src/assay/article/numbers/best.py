"""Sentences that call one row of a table the best in a score, against the tables that print that score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, printed
from assay.article.reading.paper import Sentence
from assay.article.tables import ScoreRow
from assay.bounded import load_toml
from assay.patterns import regex
from assay.records import dataclass
from assay.reported.names import find_names, lower_is_better

_SHORTEST_NAME = 4
_FEWEST_ROWS = 3
_LOWEST = regex(r"the\s+(?:overall\s+)?(?:lowest|smallest)\b", re.IGNORECASE)
_HIGHEST = regex(r"the\s+(?:overall\s+)?highest\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Words:
    superlative: re.Pattern[str]
    claim: re.Pattern[str]
    """A superlative that a score follows, up to the end of its name."""
    hedges: re.Pattern[str]
    bounds: re.Pattern[str]


@cache
def _words() -> _Words:
    table = load_toml(files("assay.article.numbers").joinpath("claims.toml").read_text(encoding="utf-8"))
    hedges, bounds = ("|".join(map(re.escape, table[name])) for name in ("hedges", "bounds"))
    superlative = rf"\bthe\s+(?:overall\s+)?(?:{table['superlative']})\s+"
    return _Words(
        re.compile(superlative, re.IGNORECASE),
        re.compile(superlative + r"[\w\s.()-]{1,40}$", re.IGNORECASE),
        re.compile(rf"\b(?:{hedges})\b", re.IGNORECASE),
        re.compile(rf"\b(?:{bounds})\b", re.IGNORECASE),
    )


def best_clashes(sentences: Iterable[Sentence], tables: Sequence[Sequence[ScoreRow]]) -> Iterator[Clash]:
    """Claims to be best that every table with this row and score contradicts."""
    names = {row.model for rows in tables for row in rows if len(row.model) >= _SHORTEST_NAME}
    for sentence in sentences:
        if sentence.cites or not _is_plain_claim(sentence.text):
            continue
        named = _named_in(sentence.text, names)
        if len(named) == 1:
            yield from _against(sentence, named[0], next(find_names(sentence.text)).name.score, tables)


def _named_in(text: str, names: Iterable[str]) -> list[str]:
    there = [name for name in names if name in text]
    return [name for name in there if re.search(rf"(?<!\w){re.escape(name)}(?![\w-])", text)]


def _is_plain_claim(text: str) -> bool:
    """Whether a sentence calls something the best in the one score that it names: "the highest accuracy"."""
    words = _words()
    if not words.superlative.search(text) or words.hedges.search(text):
        return False
    found = list(find_names(text))
    if len({one.name.score for one in found}) != 1:
        return False
    claim = words.claim.search(text[: found[0].end])
    opposite = _HIGHEST if lower_is_better(found[0].name.score) else _LOWEST
    return claim is not None and not opposite.search(claim[0])


def _against(sentence: Sentence, model: str, score: str, tables: Sequence[Sequence[ScoreRow]]) -> Iterator[Clash]:
    groups = [group for rows in tables for group in _groups(rows, score) if any(row.model == model for row in group)]
    rivals = [rival for group in groups if (rival := _rival(model, group, score)) is not None]
    if rivals and len(rivals) == len(groups):
        first, better = rivals[0]
        yield Clash(
            ClashKind.BEST,
            sentence.text,
            sentence.location,
            f"{model} is best in {score} ({dict(first.scores)[score]})",
            f"{better.name}: {score} {dict(better.scores)[score]}",
            better.location,
            better.name,
        )


def _rival(model: str, group: Sequence[ScoreRow], score: str) -> tuple[ScoreRow, ScoreRow] | None:
    """The model's first row and one that beats all of its rows; None where it is best or has too few competitors."""
    if len(group) < _FEWEST_ROWS:
        return None
    own = [row for row in group if row.model == model]
    better = _better(own, group, score)
    return None if better is None else (own[0], better)


def _groups(rows: Sequence[ScoreRow], score: str) -> Iterator[list[ScoreRow]]:
    """Rows that compete: those of one data set with the score, without bounds that nobody competes with."""
    plain = [row for row in rows if score in dict(row.scores) and "±" not in dict(row.scores)[score]]
    for dataset in dict.fromkeys(row.dataset for row in plain):
        yield [row for row in plain if row.dataset == dataset and not _words().bounds.search(row.name)]


def _better(own: Sequence[ScoreRow], group: Sequence[ScoreRow], score: str) -> ScoreRow | None:
    """A row that beats every row of the model by more than its last digit; None where one of them is best."""
    sign = -1 if lower_is_better(score) else 1

    def value(row: ScoreRow) -> Printed:
        return printed(dict(row.scores)[score])

    first = max(own, key=lambda row: sign * value(row).value)
    winner = max(group, key=lambda row: sign * value(row).value)
    ahead = sign * (value(winner).value - value(first).value)
    return winner if ahead > max(value(winner).unit, value(first).unit) else None
