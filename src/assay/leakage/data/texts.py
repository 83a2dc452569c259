"""Texts that are nearly the same on both sides of the split: shingles, MinHash, and a comparison of what collides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Ints, Keys, share_difference
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy import duplicates_across_the_split
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.4"
_CHECK = "near-duplicate texts"
_SHINGLE = 8
"""Bytes in a shingle: about a word and a half."""
_LONGEST = 4_000
_MOST_TEXTS = 20_000
_HASHES, _BANDS = 32, 8
"""Eight bands of four hashes: texts that share 80 % of their shingles collide in 98 of 100 cases."""
_ALIKE = 0.8
_MOST_PAIRS = 200_000
_BATCH = 1_000


@dataclass(frozen=True)
class _Texts:
    """Texts as sets of hashed shingles, with their sketches; texts shorter than a shingle have no set."""

    shingles: list[Keys]
    sketches: Keys


def near_texts(split: Split) -> Outcome:
    """For each column of free text, test texts that share most shingles with a training text."""
    columns = [c.name for c in split.columns.values() if c.kind is Kind.TEXT and c.name != split.roles.target]
    if not columns or split.test is None:
        return Outcome(Line(_CHECK, _CODE, "no column of free text" if not columns else "not run: no split"))
    parts = [_in_column(split, split.test, name) for name in columns[:3]]
    return Outcome(
        Line(_CHECK, _CODE, "; ".join(p.line.result for p in parts)),
        [f for p in parts for f in p.findings],
        [r for p in parts for r in p.rows],
        left_out=[text for p in parts for text in p.left_out],
    )


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
    across = share_difference(tally, base)[1] > 0
    finding = duplicates_across_the_split.finding(
        f'{len(rows):,} test texts in "{name}" ({percent(tally[0] / tally[1])}) share at least {_ALIKE:.0%} of their '
        "shingles with a training text",
        subject=name,
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR if across else Severity.WARNING,
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
    clean = texts.fill_null("").str.slice(0, _LONGEST).str.to_lowercase().str.replace_all(r"\s+", " ").to_list()
    shingles: list[Keys] = []
    for start in range(0, len(clean), _BATCH):
        shingles += _shingled(clean[start : start + _BATCH])
    return _Texts(shingles, np.array([_minhash(s) for s in shingles], np.uint64).reshape(-1, _HASHES))


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


_FACTORS = np.random.default_rng(1).integers(1, 2**63, _HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def _minhash(shingles: Keys) -> Keys:
    if not len(shingles):
        return np.zeros(_HASHES, np.uint64)
    return np.asarray(((shingles[:, None] * _FACTORS) >> np.uint64(16)).min(axis=0), np.uint64)


def _alike(asked: _Texts, learnt: _Texts, *, same: bool) -> tuple[Ints, Ints]:
    """Texts of `asked` that are like one of `learnt`, and which; in the same list a text is not like itself."""
    partner = np.full(len(asked.shingles), -1, np.int64)
    width = _HASHES // _BANDS
    spent = 0
    for band in range(_BANDS):
        cells = slice(band * width, (band + 1) * width)
        buckets: dict[bytes, list[int]] = {}
        for index, sketch in enumerate(learnt.sketches[:, cells]):
            if len(learnt.shingles[index]):
                buckets.setdefault(sketch.tobytes(), []).append(index)
        for index, sketch in enumerate(asked.sketches[:, cells]):
            if partner[index] >= 0 or not len(asked.shingles[index]):
                continue
            for other in buckets.get(sketch.tobytes(), [])[:20]:
                spent += 1
                if spent > _MOST_PAIRS:
                    return _found(partner)
                if not (same and other == index) and _jaccard(asked.shingles[index], learnt.shingles[other]) >= _ALIKE:
                    partner[index] = other
                    break
    return _found(partner)


def _found(partner: Ints) -> tuple[Ints, Ints]:
    rows = (partner >= 0).nonzero()[0]
    return rows, partner[rows]


def _jaccard(first: Keys, second: Keys) -> float:
    common = len(np.intersect1d(first, second, assume_unique=True))
    return common / (len(first) + len(second) - common)
