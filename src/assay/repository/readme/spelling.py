"""Words of headings that are meant though a letter is wrong."""

from __future__ import annotations

from functools import lru_cache

_NO_MISSPELLING = frozenset(
    {
        "evolution", "valuation", "elevation", "revolution", "raining", "trailing", "straining", "draining", "texting",
        "resting", "nesting", "listing", "tasting", "situation", "mitigation", "consults", "instal", "installment",
        "activation", "motivation", "variation", "initiation", "examined", "sampled", "samples", "datasheet",
        "imitation", "dictation", "notation", "mutation", "rotation", "limitation", "limitations", "visitation",
        "validating", "dependence", "retirements",
    }
)  # fmt: skip
"""English words that are near to one in the table and mean something else."""


@lru_cache(maxsize=8192)
def is_misspelt(word: str, known: tuple[str, ...]) -> bool:
    """Whether a word is one of the known ones with a slip: one, or two in a word of ten letters or more."""
    if len(word) < 6 or word in _NO_MISSPELLING:
        return False
    return any(_distance(word, right, 2 if len(right) >= 10 else 1) for right in known if len(right) >= 6)


def _distance(word: str, right: str, most: int) -> bool:
    """Whether so few letters changed, left out, added or swapped lie between two words."""
    if abs(len(word) - len(right)) > most or word[0] != right[0]:
        return False
    before, last = list(range(len(right) + 1)), list(range(len(right) + 1))
    for i, a in enumerate(word, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and word[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return 0 < last[-1] <= most
