"""The instrument that every rule of the repository room hangs on, and how a rule says when it applies.

A rule of this room ends in one of three ways: it fails (with findings), it passes, or it does not apply, because
the repository has nothing that the rule speaks about. A repository without notebooks has not passed the rules about
notebooks. A rule says so beside its check::

    @repository.rule("R701", title=…, severity=…, failing=…, passing=…, source=…, advice=…)
    @applies_if(lambda facts: facts.notebooks, otherwise="there are no notebooks")
    def notebook_out_of_order(facts: Repository) -> Iterator[Finding]:
        '''Why it matters.'''

A check is called only where its rule applies. Rules without `applies_if` apply to every repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING

from assay.findings import Finding
from assay.records import dataclass
from assay.rules import Instrument, Source

if TYPE_CHECKING:
    from assay.repository.facts import Repository

Check = Callable[["Repository"], Iterable[Finding]]
_HEADER = ("==> ", " <==")

LOOS = "M. J. Loos, Classification of Machine Learning Reproducibility Factors, University of Passau, 2022"


def loos(section: str) -> Source:
    """The thesis that the factors and indicators come from."""
    return Source(LOOS, section)


def read_example(text: str) -> Repository:
    """The facts of a small repository written as one text; see `files_of`."""
    from assay.repository.facts import read_repository
    from assay.tree import tree_of

    return read_repository(tree_of(files_of(text)))


def files_of(text: str) -> dict[str, str]:
    """Path and content of each file of an example: a file begins with a line `==> path <==`; no text, no files."""
    files: dict[str, list[str]] = {}
    path = ""
    for line in text.strip("\n").split("\n"):
        if line.startswith(_HEADER[0]) and line.endswith(_HEADER[1]):
            path = line[len(_HEADER[0]) : -len(_HEADER[1])]
            files[path] = []
        elif path:
            files[path].append(line + "\n")
        elif line.strip():
            raise ValueError(f"an example must begin with '==> path <==', not with {line!r}")
    return {path: "".join(lines) for path, lines in files.items()}


repository = Instrument("repository", "Could somebody run this code and get the result?", read_example)


@dataclass(frozen=True, slots=True)
class Condition:
    """When a rule applies; `otherwise` completes the sentence "not applicable: …"."""

    holds: Callable[[Repository], object]
    otherwise: str


_CONDITIONS: dict[Check, Condition] = {}


def applies_if(holds: Callable[[Repository], object], *, otherwise: str) -> Callable[[Check], Check]:
    """Limit a check to the repositories for which `holds` gives something true."""

    def limit(check: Check) -> Check:
        @wraps(check)
        def limited(facts: Repository) -> Iterable[Finding]:
            return check(facts) if holds(facts) else ()

        _CONDITIONS[limited] = Condition(holds, otherwise)
        return limited

    return limit


def condition_of(check: Check) -> Condition | None:
    """The condition of a rule's check; None for one that always applies."""
    return _CONDITIONS.get(check)
