"""The licences that are known: a row for each text of the SPDX License List.

The table holds no texts, only fingerprints of them, and what the list says of each licence; `table_maker` makes it.
"""

from __future__ import annotations

import base64
import sys
from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.licence.fingerprint import Fingerprint

_VERSION_CHOICE = regex(r"-(?:only|or-later)$")


@dataclass(frozen=True, slots=True)
class Reference:
    """A known licence. The text does not tell "only" from "or later", so neither does the identifier."""

    spdx: str
    osi_approved: bool
    fsf_free: bool
    fingerprint: Fingerprint


@cache
def references() -> tuple[Reference, ...]:
    """Every row of the table."""
    text = Path(__file__).with_name("spdx.tsv").read_text(encoding="ascii")
    return tuple(_reference(line.split("\t")) for line in text.splitlines() if not line.startswith("#"))


@cache
def known_identifiers() -> dict[str, Reference]:
    """References by identifier in lower case."""
    return {r.spdx.lower(): r for r in references()}


@lru_cache(maxsize=2048)
def base_identifier(spdx: str) -> str:
    """The identifier without "-only", "-or-later" or "+", which a licence's text does not tell."""
    return _VERSION_CHOICE.sub("", spdx.strip().removesuffix("+"))


def pack(hashes: Iterable[int]) -> str:
    """Hashes as a cell of the table: 32 bits each, little end first, in base 64."""
    return base64.b64encode(_little(array("I", sorted(hashes))).tobytes()).decode("ascii")


def unpack(cell: str) -> frozenset[int]:
    """The hashes in a cell of the table."""
    return frozenset(_little(array("I", base64.b64decode(cell))))


def _little(hashes: array[int]) -> array[int]:
    if sys.byteorder == "big":
        hashes.byteswap()
    return hashes


def _reference(cells: list[str]) -> Reference:
    spdx, flags, length, packed = cells
    return Reference(spdx, "o" in flags, "f" in flags, Fingerprint(unpack(packed), int(length)))
