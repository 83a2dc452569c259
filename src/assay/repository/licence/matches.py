"""Which known licences a text consists of, and how nearly."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from assay.records import dataclass
from assay.repository.licence.fingerprint import triples, words
from assay.repository.licence.table import Reference, references

MOST_CHARACTERS = 300_000
NEAR = 0.75
"""Below this share of common wording a text is not that licence, even a changed one."""
SAME = 0.9
"""From here on the wording is the licence's own; names, years and layout make up the rest."""
_CONTAINED = 0.6
_OVERLAP = 10
_STRETCHED = (1.05, 1.3)
"""How much longer than the licence the passage may be that holds it: close-fitting first."""
_COMMON = 0.03
"""So much unlikeness is rather due to a careless copy of a common licence than to a rare twin of it."""
_ENOUGH = 60
"""Very short licences are contained in longer ones; they count less."""


@dataclass(frozen=True, slots=True)
class Match:
    """A licence found in a text, from one of its words to another."""

    reference: Reference
    similarity: float
    start: int
    end: int

    @property
    def spdx(self) -> str:
        """The identifier."""
        return self.reference.spdx

    @property
    def exact(self) -> bool:
        """Whether the wording is the licence's own, as opposed to a changed version of it."""
        return self.similarity >= SAME


def identify(text: str) -> tuple[Match, ...]:
    """The licences that a text consists of, in its order; a file may quote those of bundled software after its own."""
    return _identified(" ".join(words(text[:MOST_CHARACTERS])))


@lru_cache(maxsize=32)  # most repositories have one of three texts
def _identified(plain: str) -> tuple[Match, ...]:
    found = triples(plain.split(" "))
    first: dict[int, int] = {}
    for position, triple in enumerate(found):
        first.setdefault(triple, position)
    present, rising = set(first), sorted(first)
    likely = (r for r in references() if _may_hold(r, rising))
    candidates = [m for r in likely if (m := _match(r, found, first, present)) is not None]
    chosen: list[Match] = []
    for match in sorted(candidates, key=_weight, reverse=True):
        if all(min(match.end, o.end) - max(match.start, o.start) <= _OVERLAP for o in chosen):
            chosen.append(match)
    return tuple(sorted(chosen, key=lambda m: m.start))


def _may_hold(reference: Reference, rising: list[int]) -> bool:
    """Whether a text has enough triples at all, as far as the licence's sample goes; `rising` are its triples."""
    known = reference.fingerprint
    return bisect_right(rising, known.ceiling) >= _CONTAINED * len(known.sample)


def _weight(match: Match) -> float:
    """What decides between licences for the same passage: likeness, then size, and at last how common they are."""
    common = _COMMON if match.reference.osi_approved else 0.0
    return (match.similarity + common) * min(1.0, len(match.reference.fingerprint.sample) / _ENOUGH)


def _match(reference: Reference, found: list[int], first: dict[int, int], present: set[int]) -> Match | None:
    """Where the licence stands in the text, and how like it that passage is (Sørensen-Dice)."""
    sample = reference.fingerprint.sample
    common = sample & present
    if len(common) < _CONTAINED * len(sample):
        return None
    hits, ceiling = sorted(first[triple] for triple in common), reference.fingerprint.ceiling
    matches = []
    for stretch in _STRETCHED:
        start, end = _densest(hits, int(reference.fingerprint.length * stretch))
        passage = {triple for triple in found[start:end] if triple <= ceiling}
        similarity = 2 * len(passage & sample) / (len(sample) + len(passage))
        matches.append(Match(reference, similarity, start, end))
    best = max(matches, key=lambda m: m.similarity)
    return best if best.similarity >= NEAR else None


def _densest(positions: list[int], width: int) -> tuple[int, int]:
    """The first stretch of that width, from one position to another, with the most of them."""
    most = start = 0
    stretch = (0, 0)
    for end, position in enumerate(positions):
        while position - positions[start] > width:
            start += 1
        if end - start >= most:
            most, stretch = end - start + 1, (positions[start], position + 1)
    return stretch
