"""All that is known about building a repository: what its files say, and online what a resolver and a hub say."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import chain

from assay.code import read_code
from assay.errors import InputError
from assay.records import dataclass
from assay.repository.environment import EnvironmentFacts, Kind, read_environment
from assay.repository.infrastructure import Binder, read_infrastructure
from assay.repository.research.building.hub import Build, HubAnswer, build_on_hub
from assay.repository.research.building.links import BinderLink, read_binder_links
from assay.repository.research.building.pythons import Candidates, candidates
from assay.repository.research.building.requirements import SOLVED, Wanted, wanted_by
from assay.repository.research.building.resolver import Outcome, Solution, find_uv, solve
from assay.tree import Tree

_MOST_MANIFESTS = 5
_LIKING = {Outcome.SOLVABLE: 0, Outcome.NEEDS_BUILD: 1}
"""Which of several outcomes is reported: a solution, else what is undecided, else the first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user allows and wants."""

    online: bool = False
    day: date | None = None
    """Instead of the commit's date."""
    hub: str | None = None
    spec: str | None = None
    """What to build on the hub; without it, what the first Binder link names."""
    solve_seconds: float = 300.0
    build_seconds: float = 1800.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One manifest put to the resolver. Without a `day` it is the index of today."""

    manifest: str
    day: date | None
    python: str
    because: str
    """Why this Python."""
    requirements: int
    solution: Solution


@dataclass(frozen=True, slots=True)
class Buildability:
    """What was found out, and in `left_out` what was not tried."""

    name: str
    manifests: tuple[Wanted, ...]
    binder: Binder
    links: tuple[BinderLink, ...]
    attempts: tuple[Attempt, ...] = ()
    spec: str = ""
    hub: HubAnswer | None = None
    left_out: tuple[str, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether something certainly does not work now, or a Binder link cannot."""
        unsolved = any(a.solution.outcome is Outcome.UNSOLVABLE and a.day is None for a in self.attempts)
        unbuilt = self.hub is not None and self.hub.outcome is Build.FAILED
        return unsolved or unbuilt or any(link.problem for link in self.links) or self.binder.both_folders


def try_building(tree: Tree, asked: Asked, *, today: date | None = None) -> Buildability:
    """Look at the files; with `asked.online`, also ask uv and the hub."""
    if asked.hub and not asked.online:
        raise InputError("asking a BinderHub needs the network", fix="Add --online.")
    code = read_code(tree)
    environment, infrastructure = read_environment(tree, code), read_infrastructure(tree, code)
    manifests, left_out = _manifests(environment, tree)
    links = read_binder_links(tree)
    attempts: tuple[Attempt, ...] = ()
    if asked.online:
        day, reason = _day(tree, asked)
        left_out += [reason] if reason else []
        trial = _Trial(environment, _uv(asked, left_out), day, today or datetime.now(UTC).date(), asked.solve_seconds)
        attempts = tuple(chain.from_iterable(map(trial.attempts, manifests)))
    else:
        left_out.append("whether the requirements can be met was not tried: that needs the network (--online)")
    spec, answer = "", None
    if asked.hub:
        spec = asked.spec or _spec_of(links)
        answer = build_on_hub(asked.hub, spec, seconds=asked.build_seconds)
    else:
        left_out.append("no BinderHub was asked to build it (--hub)")
    return Buildability(
        tree.name, tuple(manifests), infrastructure.binder, links, attempts, spec, answer, tuple(left_out)
    )


def _manifests(environment: EnvironmentFacts, tree: Tree) -> tuple[list[Wanted], list[str]]:
    """What each Python manifest asks for, nearest to the root first."""
    ranked = sorted(environment.manifests, key=lambda m: (m.path.count("/"), m.path))
    solvable = [m for m in ranked if m.kind in SOLVED]
    left_out = [f"{m.path}: conda's own solver was not asked" for m in ranked if m.kind is Kind.CONDA]
    left_out += [f"{m.path}: not tried, {_MOST_MANIFESTS} others come first" for m in solvable[_MOST_MANIFESTS:]]
    found = [wanted_by(m.path, environment, tree) for m in solvable[:_MOST_MANIFESTS]]
    left_out += [sentence for wanted in found for sentence in wanted.untried]
    return [wanted for wanted in found if wanted.requirements], left_out


def _day(tree: Tree, asked: Asked) -> tuple[date | None, str]:
    if asked.day:
        return asked.day, ""
    if tree.commit is None:
        return None, "the past was not tried: there is no commit with a date (--date gives one)"
    try:
        return datetime.fromisoformat(tree.commit.date).date(), ""
    except ValueError:
        return None, f"the past was not tried: the commit's date {tree.commit.date!r} is no date"


def _uv(asked: Asked, left_out: list[str]) -> str:
    """Where uv is; who asks a hub to build can do without it."""
    try:
        return find_uv()
    except InputError as error:
        if not asked.hub:
            raise
        left_out.append(f"whether the requirements can be met was not tried: {error}")
        return ""


@dataclass(frozen=True, slots=True)
class _Trial:
    """Puts manifests to uv, as the index is now and as it was when the code was published."""

    environment: EnvironmentFacts
    uv: str
    published: date | None
    now: date
    seconds: float

    def attempts(self, wanted: Wanted) -> Iterator[Attempt]:
        """One manifest, now and on the day."""
        here = [d for d in self.environment.pythons if d.location.path == wanted.path]
        days = [None, self.published] if self.published else [None]
        for day in days if self.uv else ():
            pythons = candidates(here or self.environment.pythons, day or self.now)
            tried = self._tried(wanted, pythons, day)
            python, solution = min(tried, key=lambda pair: _LIKING.get(pair[1].outcome, len(_LIKING)))
            also = f"; tried {', '.join(version for version, _ in tried)}" if len(tried) > 1 else ""
            yield Attempt(wanted.path, day, python, pythons.because + also, len(wanted.requirements), solution)

    def _tried(self, wanted: Wanted, pythons: Candidates, day: date | None) -> list[tuple[str, Solution]]:
        """Each Python up to the first with a solution.

        An old set of pins has wheels for the Pythons of its time alone, so a failure with one says little about others.
        """
        ends = time.monotonic() + self.seconds
        found: list[tuple[str, Solution]] = []
        for python in pythons.versions:
            left = max(1.0, ends - time.monotonic())
            solution = solve(wanted.requirements, uv=self.uv, python=python, before=day, seconds=left)
            found.append((python, solution))
            if solution.outcome not in {Outcome.UNSOLVABLE, Outcome.NEEDS_BUILD} or time.monotonic() > ends:
                break
        return found


def _spec_of(links: Sequence[BinderLink]) -> str:
    spec = next((link.spec for link in links if link.spec and link.ref), "")
    if not spec:
        told = "the README has no Binder link that says what to build"
        raise InputError(told, fix="Name it: --spec gh/owner/name/commit.")
    return spec
