"""Claims proposed from a manuscript's own sentences: a number, what it counts, and which records are meant.

A share is bound to a unit by its noun and to selectors by phrases, outcomes, levels, years and categories in the same
clause. A phrase with several readings gives several proposals. A count without a selector is bound only if it is the
study's own total, and "11 of 22" only if 22 is. A clause that cites another work, sets a condition or states no exact
number is not bound. What is not bound is listed, never guessed. Nothing becomes a claim until a person adds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import product

from assay.bounded import load_toml
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.reported.shares import Share, ShareKind, find_shares
from assay.reproduction.categories import categories
from assay.reproduction.claims import Examined, examined_claim
from assay.reproduction.levels import Level, level_name
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Claim, Study

_CODE = regex(r"\b[PAE]\d{1,2}\b")
_LEVEL = regex(r"\bR\d(?:-[A-Z])?")
_REPRODUCIBLE = "reproducible"
_YEAR = regex(r"\b(?:19|20)\d{2}\b")
_CLAUSE = regex(r"[,;:](?=\s)|\b(?:while|whereas|but)\b|\band(?= \d)")
_CITED = regex(r"\[\d{1,3}\]|“|\"|\\cite")
_LACKS = regex(r"\b(?:without|did not|not meet|except|lack\w*)\b")
Pairs = tuple[tuple[str, str], ...]


class Unit(StrEnum):
    """What a sentence counts."""

    PAPERS = "papers"
    ATTEMPTS = "attempts"
    EXPERIMENTS = "experiments"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim that a sentence may make, and what the records say about it."""

    sentence: str
    found: Examined


@dataclass(frozen=True, slots=True)
class Proposals:
    """All proposals, and the sentences with a share of papers, attempts or experiments that were not bound."""

    proposals: tuple[Proposal, ...]
    unbound: tuple[str, ...]


def propose_claims(study: Study, sentences: Iterable[tuple[str, str]]) -> Proposals:
    """Claims in sentences, each given with its place."""
    proposals: list[Proposal] = []
    unbound: list[str] = []
    for place, sentence in sentences:
        unit: Unit | None = None
        for share in find_shares(sentence):
            unit = unit if _elliptic(share) else _unit(share)
            if unit is None:
                continue
            found = list(_examined(study, place, sentence, share, unit))
            proposals += found
            if not found:
                unbound.append(f"{place}: {sentence}")
    return Proposals(tuple(proposals), tuple(dict.fromkeys(unbound)))


def _examined(study: Study, place: str, sentence: str, share: Share, unit: Unit) -> Iterator[Proposal]:
    clause = _clause(sentence, share)
    if unit is Unit.PAPERS and share.whole == _total(study, Unit.ATTEMPTS):
        unit = Unit.ATTEMPTS  # "12 of the 22 papers" are those that somebody tried
    total = _total(study, unit)
    if share.whole not in {None, total} or (share.whole is None and _elsewhere(clause)):
        return
    for of in _readings(study, clause):
        measure = _measure(unit, share.kind, dict(of))
        if measure is None or (not of and share.value != str(total)):
            continue
        claim = Claim(place, " ".join(clause.split()), measure, of, share.value)
        try:
            yield Proposal(sentence, examined_claim(study, claim))
        except InputError:  # such as a measure that does not know one of the selectors
            continue


def _total(study: Study, unit: Unit) -> int:
    """How many there are in the whole study."""
    counted: dict[Unit, int] = {
        Unit.PAPERS: sum(not paper.excluded for paper in study.papers),
        Unit.ATTEMPTS: sum(1 for _ in study.attempts()),
        Unit.EXPERIMENTS: sum(attempt.tally.experiments for _, attempt in study.attempts()),
    }
    return counted[unit]


def _elsewhere(clause: str) -> bool:
    """Whether the clause is about another work, or states no exact number."""
    return _CITED.search(clause) is not None or any(f" {word} " in _plain(clause) for word in _table().other)


def _plain(clause: str) -> str:
    """The words in lower case, with one space around each."""
    return f" {' '.join(re.sub(r'[^a-z0-9-]+', ' ', clause.lower()).split())} "


def _unit(share: Share) -> Unit | None:
    words = share.noun.split()
    for length in (2, 1):
        found = _table().units.get(" ".join(words[:length]))
        if found:
            return found
    return _table().units.get(words[-1])


def _elliptic(share: Share) -> bool:
    """Whether a verb follows a count, which then counts what the number before it counts."""
    return share.kind is ShareKind.COUNT and share.noun.partition(" ")[0] in _table().verbs


def _clause(sentence: str, share: Share) -> str:
    """The part of the sentence around the number, up to the next comma or contrast on either side."""
    ends = [match.start() for match in _CLAUSE.finditer(sentence)]
    start = max((end + 1 for end in ends if end < share.span.start), default=0)
    stop = min((end for end in ends if end >= share.span.end), default=len(sentence))
    return sentence[start:stop]


def _readings(study: Study, clause: str) -> list[Pairs]:
    """Every way to read the selectors of a clause."""
    levels = _levels(study, clause)
    phrases = _phrases(_plain(clause), leveled=bool(levels))
    options = [[_pair(reading) for reading in readings] for readings in phrases]
    if levels:
        options.append([("level", ",".join(levels))])
    options += [[pair] for pair in (*_category(clause), *_year(study, clause))]
    if not any(key == "outcome" for option in options for key, _ in option):
        options += [[pair] for pair in _outcome(clause)]
    return [tuple(dict(chosen).items()) for chosen in product(*options)]


def _levels(study: Study, clause: str) -> list[str]:
    """The levels of reproducibility that the clause names, in full or by their first part."""
    words = _LEVEL.findall(clause)
    names = [level_name(level, study.naming) for level in Level]
    return [name for name in names if any(name == word or name.startswith(f"{word}-") for word in words)]


def _category(clause: str) -> Iterator[tuple[str, str]]:
    """The first category of discrepancies in the clause, and whether attempts have it or lack it."""
    codes = [code for code in _CODE.findall(clause) if code in categories()]
    key = "lacks" if _LACKS.search(_plain(clause)) else "has"
    yield from ((key, code) for code in codes[:1])


def _year(study: Study, clause: str) -> Iterator[tuple[str, str]]:
    """The first year in the clause, if a paper of the study is from it."""
    years = {str(paper.year) for paper in study.papers}
    yield from (("year", year) for year in _YEAR.findall(clause)[:1] if year in years)


def _outcome(clause: str) -> Iterator[tuple[str, str]]:
    """The longest name of an outcome in the clause."""
    ended = [outcome.value for outcome in AttemptOutcome if re.search(rf"\b{outcome.value}s?\b", clause)]
    if ended:
        yield "outcome", max(ended, key=len)


def _pair(reading: str) -> tuple[str, str]:
    key, _, value = reading.partition("=")
    return key, value


def _phrases(low: str, *, leveled: bool) -> Iterator[Sequence[str]]:
    """The readings of the first phrase of each kind in the clause; "R1 reproducible" names a level, not an outcome."""
    taken: set[str] = set()
    for words, readings in _table().phrases:
        key = readings[0].partition("=")[0]
        there = any(f" {word} " in low for word in words if not (leveled and word == _REPRODUCIBLE))
        if there and key not in taken:
            taken.add(key)
            yield readings


_EXPERIMENT_MEASURES = {(True, frozenset({"ended"})): "share", (False, frozenset[str]()): "experiments"}
"""The measure by whether it is a percentage and which selectors there are."""


def _measure(unit: Unit, kind: ShareKind, of: dict[str, str]) -> str | None:
    """The measure that counts the unit with these selectors; None if none does."""
    percent = kind is ShareKind.PERCENT
    if unit is Unit.EXPERIMENTS:
        return _EXPERIMENT_MEASURES.get((percent, frozenset(of)))
    if "ended" in of:
        return None
    if unit is Unit.PAPERS and not of.keys() - {"level", "year"}:
        return "percent of papers" if percent else "papers"
    if not percent:
        return "attempts"
    return "percent" if "outcome" in of else "percent of attempts"


@dataclass(frozen=True, slots=True)
class _Words:
    units: dict[str, Unit]
    phrases: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    other: tuple[str, ...]
    verbs: frozenset[str]


@cache
def _table() -> _Words:
    text = (resources.files("assay.reproduction") / "claim_words.toml").read_text(encoding="utf-8")
    table = load_toml(text)
    units = {word: Unit(unit) for unit, words in table["units"].items() for word in words}
    phrases = tuple((tuple(row["words"]), tuple(row["readings"])) for row in table["phrase"])
    return _Words(units, phrases, tuple(table["other"]), frozenset(table["verbs"]))
