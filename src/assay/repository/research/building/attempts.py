"""All that can be told about building a repository: what its files say, and online what a resolver and a hub say."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime

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
    spec, answer = "", None
    if asked.online:
        now = today or datetime.now(UTC).date()
        day, reason = _day(tree, asked)
        left_out += [reason] if reason else []
        uv = _uv(asked, left_out)
        attempts = tuple(
            _attempt(wanted, environment, uv=uv, day=when, now=now, seconds=asked.solve_seconds)
            for wanted in (manifests if uv else ())
            for when in ([None, day] if day else [None])
        )
    else:
        left_out.append("whether the requirements can be met was not tried: that needs the network (--online)")
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


def _attempt(
    wanted: Wanted, environment: EnvironmentFacts, *, uv: str, day: date | None, now: date, seconds: float
) -> Attempt:
    here = [d for d in environment.pythons if d.location.path == wanted.path]
    pythons = candidates(here or environment.pythons, day or now)
    python, tried, solution = _solved(wanted, pythons, uv=uv, day=day, seconds=seconds)
    because = pythons.because if len(tried) == 1 else f"{pythons.because}; tried {', '.join(tried)}"
    return Attempt(wanted.path, day, python, because, len(wanted.requirements), solution)


def _solved(
    wanted: Wanted, pythons: Candidates, *, uv: str, day: date | None, seconds: float
) -> tuple[str, list[str], Solution]:
    """The first Python with a solution; without one, the likeliest Python of those that leave it undecided, or of all.

    An old set of pins has wheels for the Pythons of its time alone, so a failure with one says little about others.
    """
    ends = time.monotonic() + seconds
    found: list[tuple[str, Solution]] = []
    for python in pythons.versions:
        left = max(1.0, ends - time.monotonic())
        solution = solve(wanted.requirements, uv=uv, python=python, before=day, seconds=left)
        found.append((python, solution))
        if solution.outcome not in {Outcome.UNSOLVABLE, Outcome.NEEDS_BUILD} or time.monotonic() > ends:
            break
    tried = [python for python, _ in found]
    undecided = [pair for pair in found if pair[1].outcome is Outcome.NEEDS_BUILD]
    decided = [pair for pair in found if pair[1].outcome is Outcome.SOLVABLE]
    python, solution = (decided or undecided or found)[0]
    return python, tried, solution


def _spec_of(links: Sequence[BinderLink]) -> str:
    spec = next((link.spec for link in links if link.spec and link.ref), "")
    if not spec:
        told = "the README has no Binder link that says what to build"
        raise InputError(told, fix="Name it: --spec gh/owner/name/commit.")
    return spec
