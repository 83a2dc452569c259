"""Slips of the pen in printed numbers: one wrong digit, or two neighbouring digits in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator


def differ_by_slip(one: str, other: str) -> bool:
    """Whether one slip turns these digits into the others."""
    off = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(off) not in {1, 2}:
        return False
    first, last = off[0], off[-1]
    return first == last or (last == first + 1 and one[first : last + 1] == other[first : last + 1][::-1])


def slips_of(digits: str) -> Iterator[str]:
    """Every number that one slip turns into this one; a point and a percent sign stay where they are."""
    for at, sign in enumerate(digits):
        if not sign.isdigit():
            continue
        yield from (digits[:at] + other + digits[at + 1 :] for other in "0123456789" if other != sign)
        follower = digits[at + 1 : at + 2]
        if follower.isdigit() and follower != sign:
            yield digits[:at] + follower + sign + digits[at + 2 :]
