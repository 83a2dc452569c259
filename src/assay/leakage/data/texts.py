"""Texts that are nearly the same on both sides of the split, or parts of each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Ints, Keys, share_difference
from assay.leakage.data.outcome import Line, Outcome, Rows, joined, percent
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy import duplicates_across_the_split
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.4"
_CHECK = "near-duplicate texts"
_SHINGLE = 7
"""Letters in a shingle: about a word and a half."""
_LONGEST = 4_000
_MOST_TEXTS = 20_000
_SMALLEST, _FEWEST_SHARED = 24, 3
"""Hashes by which candidates are found, and how many of them they must share (bottom-k sketches, Broder 1997)."""
_COMMON = 50
"""A shingle of more texts than this is a phrase of the field and names no candidate."""
_MOST_CANDIDATES = 5
_ALIKE, _FEWEST_COMMON = 0.8, 34
"""Names and headings have fewer shingles than 34: two of them are alike because they name the same thing."""
_CONTAINED, _SHORTEST_PART, _LONG_ENOUGH = 0.9, 0.25, 50
"""A part has 90 % of its shingles in the other text, is a quarter of it or more, and has 50 shingles: a sentence."""
_BATCH = 1_000
_CERTAIN = 0.999
"""Level at which alike texts across the split must be more frequent than within training to be an error."""
_NEGLIGIBLE = 0.01
"""Share of test texts below which copies move no score by more than 0.01."""


@dataclass(frozen=True)
class _Texts:
    """Texts as sorted sets of hashed shingles, with the smallest of each; short texts have none."""

    shingles: list[Keys]
    smallest: list[Keys]


def near_texts(split: Split) -> Outcome:
    """For each column of free text, test texts that share most shingles with a training text."""
    columns = [c.name for c in split.columns.values() if c.kind is Kind.TEXT and c.name != split.roles.target]
    if not columns:
        return Outcome(Line(_CHECK, _CODE, "no column of free text"))
    if split.test is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "no split"))
    return joined(_CHECK, _CODE, [_in_column(split, split.test, name) for name in columns[:3]])


def _in_column(split: Split, test: pl.DataFrame, name: str) -> Outcome:
    train_rows, test_rows = split.sample("train", _MOST_TEXTS), split.sample("test", _MOST_TEXTS)
    learnt = _sketched(split.train.get_column(name).gather(train_rows))
    asked = _sketched(test.get_column(name).gather(test_rows))
    rows, partners = _alike(asked, learnt, same=False)
    within, _ = _alike(learnt, learnt, same=True)
    skipped = split.train.height + test.height - len(train_rows) - len(test_rows)
    left_out = [f'near-duplicate texts: {skipped:,} rows of "{name}" were not compared'] if skipped else []
    tally, base = (float(len(rows)), float(len(test_rows))), (float(len(within)), float(len(train_rows)))
    told = f'"{name}": {len(rows):,} test texts ({percent(tally[0] / max(tally[1], 1))})'
    if not len(rows):
        return Outcome(Line(_CHECK, _CODE, f'"{name}": none'), left_out=left_out)
    across = share_difference(tally, base, _CERTAIN)[1] > 0
    grave = Severity.ERROR if across else Severity.WARNING
    finding = duplicates_across_the_split.finding(
        f'{len(rows):,} test texts in "{name}" ({percent(tally[0] / tally[1])}) are nearly the same as a training text '
        "or part of one",
        subject=name,
        location=Location(split.test_numbers.file),
        severity=Severity.NOTE if tally[0] < _NEGLIGIBLE * tally[1] else grave,
        confidence=Confidence.HIGH if across else Confidence.MEDIUM,
        evidence=[
            numbers(
                {
                    "test texts": len(rows),
                    "share": round(tally[0] / tally[1], 4),
                    "share among training texts themselves": round(base[0] / base[1], 4),
                    "first test rows": split.test_numbers.first(test_rows[rows]),
                    "their training rows": split.train_numbers.first(train_rows[partners]),
                }
            )
        ],
    )
    pairs = Rows(
        _CODE,
        "near-duplicate text",
        name,
        split.test_numbers.file,
        split.test_numbers.numbers[test_rows[rows]],
        split.train_numbers.file,
        split.train_numbers.numbers[train_rows[partners]],
    )
    return Outcome(Line(_CHECK, _CODE, told), [finding], [pairs], left_out=left_out)


def _sketched(texts: pl.Series) -> _Texts:
    """Texts as sets of shingles; case, punctuation and white space do not count, so "co-operate" is "cooperate"."""
    letters = texts.fill_null("").str.slice(0, _LONGEST).str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]+", "")
    clean = letters.to_list()
    shingles: list[Keys] = []
    for start in range(0, len(clean), _BATCH):
        shingles += _shingled(clean[start : start + _BATCH])
    return _Texts(shingles, [some[:_SMALLEST] for some in shingles])


def _shingled(texts: list[str]) -> list[Keys]:
    """The distinct hashed shingles of each text."""
    encoded = [text.encode() for text in texts]
    values = np.frombuffer(b"".join(encoded), np.uint8).astype(np.uint64)
    rolled = np.zeros(max(len(values) - _SHINGLE + 1, 0), np.uint64)
    for offset in range(_SHINGLE):
        rolled = rolled * np.uint64(257) + values[offset : offset + len(rolled)]
    rolled = _mixed(rolled)
    ends = np.cumsum([len(e) for e in encoded])
    return [
        np.unique(rolled[end - len(e) : max(end - _SHINGLE + 1, end - len(e))])
        for e, end in zip(encoded, ends.tolist(), strict=True)
    ]


def _mixed(keys: Keys) -> Keys:
    """A finaliser that spreads every bit over the whole word (after Stafford's variant of MurmurHash3)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _alike(asked: _Texts, learnt: _Texts, *, same: bool) -> tuple[Ints, Ints]:
    """Texts of `asked` that are like one of `learnt`, and which; in the same list a text is not like itself.

    A text and its half share many of their smallest hashes: those of the whole that lie in the half are among the
    smallest of the half too.
    """
    holders: dict[int, list[int]] = {}
    for index, smallest in enumerate(learnt.smallest):
        for key in smallest.tolist():
            holders.setdefault(key, []).append(index)
    partner = np.full(len(asked.shingles), -1, np.int64)
    for index, smallest in enumerate(asked.smallest):
        itself = index if same else -1
        likely = _likely_partners(holders, smallest, itself)
        alike = (other for other in likely if _share_most(asked.shingles[index], learnt.shingles[other]))
        partner[index] = next(alike, -1)
    rows = (partner >= 0).nonzero()[0]
    return rows, partner[rows]


def _likely_partners(holders: dict[int, list[int]], smallest: Keys, itself: int) -> list[int]:
    """The texts that share the most of the smallest hashes, apart from hashes that many texts have."""
    rare = (held for key in smallest.tolist() if len(held := holders.get(key, [])) <= _COMMON)
    shared = Counter(other for held in rare for other in held if other != itself)
    return [other for other, number in shared.most_common(_MOST_CANDIDATES) if number >= _FEWEST_SHARED]


def _share_most(first: Keys, second: Keys) -> bool:
    """Whether both have most of their shingles in common, or a long text holds most of another."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    shorter, longer = sorted((len(first), len(second)))
    alike = common >= max(_FEWEST_COMMON, _ALIKE * (shorter + longer - common))
    part_of_the_other = shorter >= max(_LONG_ENOUGH, _SHORTEST_PART * longer) and common >= _CONTAINED * shorter
    return alike or part_of_the_other
