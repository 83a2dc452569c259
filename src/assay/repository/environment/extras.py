"""What a requirement consists of besides itself: `fastapi[all]` brings uvicorn by definition, not by chance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from packaging.utils import canonicalize_name

from assay.repository.environment.declared import Declared
from assay.repository.environment.distributions import lines_of, table
from assay.repository.environment.own_names import is_everyday


def parts_of(one: Declared) -> Iterator[str]:
    """Distributions that the extras of a declaration stand for: by the table, and by being called like one.

    Some name a part of what they bring: `kedro[pandas.CSVDataSet]`.
    """
    for extra in one.extras:
        yield from _known().get(f"{one.name}[{canonicalize_name(extra)}]", ())
        yield from _known().get(f"{one.name}[*]", ())
        called = extra.partition(".")[0]
        if not is_everyday(called):
            yield from (d for d in (canonicalize_name(called), *table().providing(called)) if table().is_downloaded(d))


@cache
def _known() -> dict[str, tuple[str, ...]]:
    rows = (line.split() for line in lines_of("extras.txt"))
    return {requirement: tuple(names) for requirement, *names in rows}
