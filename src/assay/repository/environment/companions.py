"""Modules that are missing together: a folder of the authors' own that was not committed takes several away.

Nearly every word is the name of something on PyPI, so that a name alone does not tell that a file is missing. What
stands beside it does: a file that asks for modules which nobody has was written among files that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.repository.environment.distributions import table
from assay.repository.environment.imports import Role
from assay.repository.environment.matching import Undeclared

_BESIDE_LISTED = 2
"""So many missing modules make one that few install missing too; one is enough if no table knows it."""


def judged_by_company(uncovered: Iterable[Undeclared]) -> Iterator[Undeclared]:
    """The same modules; those that hardly anybody installs are the authors' own if their company is missing."""
    several = list(uncovered)
    missing = _missing_by_path(several)
    for one in several:
        outside = one.outside
        if not outside.public or outside.platform or one.mentioned or one.elsewhere or _is_known(outside.distributions):
            yield one
            continue
        enough = _BESIDE_LISTED if outside.distributions else 1
        paths = {use.location.path for use in outside.uses}
        own = all(len(missing.get(path, ())) >= enough for path in paths)
        yield replace(one, outside=replace(outside, public=False, generic=True)) if own else one


def _missing_by_path(uncovered: Iterable[Undeclared]) -> dict[str, set[str]]:
    """Modules that every file cannot do without, and that nobody has."""
    found: dict[str, set[str]] = {}
    for one in uncovered:
        if one.outside.public or one.outside.platform or one.mentioned:
            continue
        for use in one.outside.uses:
            if use.role is Role.REQUIRED:
                found.setdefault(use.location.path, set()).add(one.outside.module)
    return found


def _is_known(distributions: Iterable[str]) -> bool:
    return any(map(table().is_downloaded, distributions))
