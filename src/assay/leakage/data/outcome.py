"""What a check gives back: findings, the rows they are about, a line for the summary, and what it left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from assay.findings import Finding, Table
from assay.leakage.data.measures import Ints
from assay.records import dataclass

_FIRST = 5


@dataclass(frozen=True)
class RowNumbers:
    """Where the rows of a part stand in their file, counted from 1 below the header."""

    file: str
    numbers: Ints

    def first(self, positions: Ints) -> str:
        """The first few of these rows, for a sentence: '3, 8, 12, …'."""
        shown = [str(int(n)) for n in self.numbers[positions[:_FIRST]]]
        return ", ".join(shown) + (", …" if len(positions) > _FIRST else "")


@dataclass(frozen=True)
class Rows:
    """All rows that a finding is about, with the training row that each belongs to where there is one."""

    code: str
    check: str
    columns: str
    file: str
    numbers: Ints
    partner_file: str = ""
    partners: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def lines(self) -> list[list[str]]:
        """One line for each row, as in the file of `--rows`."""
        partners = [str(int(p)) for p in self.partners] or [""] * len(self.numbers)
        return [
            [self.code, self.check, self.columns, self.file, str(int(number)), self.partner_file, partner]
            for number, partner in zip(self.numbers, partners, strict=True)
        ]


ROWS_HEADER = ("code", "check", "columns", "file", "row", "partner_file", "partner_row")


@dataclass(frozen=True)
class Line:
    """One line of the summary: what was looked for, and what came out, also when nothing did."""

    check: str
    code: str
    result: str
    ran: bool = True

    @classmethod
    def not_run(cls, check: str, code: str, why: str) -> Line:
        """The line of a check that could not look."""
        return cls(check, code, f"not run: {why}", ran=False)


@dataclass(frozen=True)
class Outcome:
    """All that one check has to say."""

    line: Line
    findings: Sequence[Finding] = ()
    rows: Sequence[Rows] = ()
    tables: Sequence[Table] = ()
    left_out: Sequence[str] = ()


def percent(share: float) -> str:
    """'2.0 %', with one digit more below one per cent."""
    return f"{100 * share:.2f} %" if 0 < share < 0.01 else f"{100 * share:.1f} %"


def listed(names: Sequence[str], most: int = 5) -> str:
    """'"a", "b" and 3 more'."""
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def joined(check: str, code: str, parts: Sequence[Outcome]) -> Outcome:
    """What one check found in several columns."""
    return Outcome(
        Line(check, code, "; ".join(part.line.result for part in parts)),
        [finding for part in parts for finding in part.findings],
        [rows for part in parts for rows in part.rows],
        left_out=[text for part in parts for text in part.left_out],
    )
