"""Long lists, a page at a time."""

from __future__ import annotations

from starlette.datastructures import URL

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Pages:
    """Which page of a list this is, and the addresses of the others."""

    url: URL
    number: int
    size: int
    every: int

    @property
    def last(self) -> int:
        """The number of the last page; an empty list has one."""
        return max(1, -(-self.every // self.size))

    @property
    def first_shown(self) -> int:
        """Which entry is the first on this page."""
        return min(self.every, (self.number - 1) * self.size + 1)

    @property
    def last_shown(self) -> int:
        """Which entry is the last on this page."""
        return min(self.every, self.number * self.size)

    def link(self, number: int) -> str:
        """The address of another page."""
        there = self.url.include_query_params(page=number)
        return f"{there.path}?{there.query}"
