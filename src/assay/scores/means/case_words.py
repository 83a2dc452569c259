"""The short proofs of `case_lists` in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from assay.scores.answers import Answer, inconsistent
from assay.scores.exact import Interval
from assay.scores.means.case_lists import Branch, Gap, Miss, OutOfRange, Proof, Value, prove
from assay.scores.means.problem import Part, Reported, each
from assay.scores.means.sentences import join, rounded, title

_SHORT_FRACTION = 1_000
"""Fractions with a larger denominator are shown as decimals."""


def short_answer(parts: Sequence[Part], reported: Sequence[Reported]) -> Answer | None:
    """INCONSISTENT by a list of cases that a reader can re-check, if there is a short one."""
    proof = prove(parts, reported)
    if proof is None:
        return None
    names = _names(list(each(parts)))
    conflict = tuple(dict.fromkeys(_used(proof)))
    return inconsistent(" ".join(_sentences(proof, names)), {"cases": proof.lines}, conflict)


def _names(parts: Sequence[Part]) -> list[str]:
    """The parts by their sizes; equal ones are numbered."""
    sizes = [f"{part.p} + {part.n} items" for part in parts]
    seen: dict[str, int] = {}
    found = []
    for size in sizes:
        seen[size] = seen.get(size, 0) + 1
        found.append(f"{size} (no. {seen[size]})" if sizes.count(size) > 1 else size)
    return found


def _used(proof: Proof) -> Iterator[str]:
    yield proof.one.name
    for _, further in proof.cases if isinstance(proof, Branch) else ():
        yield from _used(further)


def _sentences(proof: Proof, names: Sequence[str]) -> Iterator[str]:
    if isinstance(proof, OutOfRange):
        yield _range(proof)
    elif isinstance(proof, Gap):
        yield from _gap(proof, names)
    else:
        yield from _branch(proof, names)


def _range(proof: OutOfRange) -> str:
    low, high = rounded(proof.low, up=False), rounded(proof.high, up=True)
    return f"The mean {proof.one.score.name} is between {low} and {high}, which excludes {title(proof.one)}."


def _gap(proof: Gap, names: Sequence[str]) -> Iterator[str]:
    score, last = proof.one.score.name, names[proof.last]
    others = [name for i, name in enumerate(names) if i != proof.last]
    if not others:
        for miss in proof.misses:
            yield f"{title(proof.one)} is no possible {score} of {last}; {_nearest(miss)}."
        return
    for miss in proof.misses:
        given = _values(score, miss.others, others)
        yield f"With {given}, {title(proof.one)} needs {_interval(miss.needed)} on {last}; {_nearest(miss)}."
    other = "Any other value there" if proof.misses else f"Whatever {score} is on {join(others)}, the mean"
    yield f"{other} needs more or less on {last} than is possible."


def _nearest(miss: Miss) -> str:
    beside = [_number(value) for value in (miss.below, miss.above) if value is not None]
    return f"the nearest possible {'is' if len(beside) == 1 else 'are'} {' and '.join(beside)}"


def _branch(proof: Branch, names: Sequence[str]) -> Iterator[str]:
    score = proof.one.score.name
    ways = [_values(score, chosen, names) for chosen, _ in proof.cases]
    yield f"{title(proof.one)} needs {', or '.join(ways)}."
    for at, (_, further) in enumerate(proof.cases, 1):
        first, *rest = _sentences(further, names)
        yield f"{_CASES[at - 1] if len(ways) > 1 else 'Then:'} {first}"
        yield from rest


_CASES = ("In the first case:", "In the second:", "In the third:", "In the fourth:")


def _values(score: str, values: Sequence[Value], names: Sequence[str]) -> str:
    """What a score is on each part: "ppv = 1/3 on 4 + 5 items and 1/2 on 6 + 2 items"."""
    return f"{score} = {join([f'{_number(v)} on {name}' for v, name in zip(values, names, strict=True)])}"


def _number(value: Value) -> str:
    """Exact where that is short."""
    if value is None:
        return "0/0 (left out)"
    return str(value) if value.denominator < _SHORT_FRACTION else f"about {rounded(value, up=False, digits=6)}"


def _interval(needed: Interval) -> str:
    low, high = needed.lo, needed.hi
    if low is None or high is None:
        end = low if low is not None else high or Fraction(0)
        return f"{'at most' if low is None else 'at least'} {rounded(end, up=low is None)}"
    digits = 4
    while digits < 10 and (high - low) * 10**digits < 10:
        digits += 1
    return f"between {rounded(low, up=False, digits=digits)} and {rounded(high, up=True, digits=digits)}"
