"""Is there anything on PyPI that installs a module of this name? A Bloom filter of half a million names.

The answer "no" is certain as of the day the filter was made; "yes" is wrong for about one name in fifty, and says
nothing about whether that distribution is the one that is meant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

FILE = "public_names.bloom"
_PROBES = 6
_BITS_PER_NAME = 8


def is_public(module: str) -> bool:
    """Whether some distribution on PyPI, however obscure, has a top-level module of this name; all are in ASCII."""
    bits = _filter()
    return module.isascii() and all(bits[spot >> 3] >> (spot & 7) & 1 for spot in _spots(module, len(bits) * 8))


def made_of(names: Iterable[str]) -> bytes:
    """The filter for these names."""
    unique = set(names)
    bits = bytearray(max(1, len(unique) * _BITS_PER_NAME // 8))
    for name in unique:
        for spot in _spots(name, len(bits) * 8):
            bits[spot >> 3] |= 1 << (spot & 7)
    return bytes(bits)


def _spots(name: str, size: int) -> Iterator[int]:
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    start, step = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big") | 1
    return ((start + i * step) % size for i in range(_PROBES))


@cache
def _filter() -> bytes:
    return Path(__file__).with_name("tables").joinpath(FILE).read_bytes()
