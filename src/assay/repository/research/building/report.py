"""Buildability as the report that every format is made from."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Evidence, Judgement, Report, Table, Value, Verdict, note, quote
from assay.report.wording import counted
from assay.repository.infrastructure import Binder, Buildpack
from assay.repository.research.building.attempts import Attempt, Buildability
from assay.repository.research.building.hub import Build, HubAnswer
from assay.repository.research.building.links import BinderLink, is_commit
from assay.repository.research.building.resolver import Outcome

_VERDICTS = dict.fromkeys(Outcome, Verdict.UNDECIDED) | {
    Outcome.SOLVABLE: Verdict.CONSISTENT,
    Outcome.EMPTY: Verdict.CONSISTENT,
    Outcome.UNSOLVABLE: Verdict.INCONSISTENT,
}
_BUILDS = {Build.READY: Verdict.CONSISTENT, Build.FAILED: Verdict.INCONSISTENT}


def report_of(found: Buildability, *, command: str = "") -> Report:
    """What was found out, table by table."""
    return Report(
        title=f"Buildability of {found.name}",
        question="Could the environment be built, now and when the code was published?",
        judgements=tuple(_judgements(found)),
        tables=tuple(_tables(found)),
        left_out=found.left_out,
        command=command,
    )


def _judgements(found: Buildability) -> Iterator[Judgement]:
    """A verdict for each thing that was tried: it works, it cannot work, or that was not decided."""
    for one in found.attempts:
        yield Judgement(f"{one.manifest}, {_when(one)}", _VERDICTS[one.solution.outcome], _sentence(one), _proof(one))
    if found.binder.both_folders:
        yield Judgement("binder", Verdict.INCONSISTENT, "binder and .binder exclude each other, and both are there.")
    for link in found.links:
        verdict = Verdict.INCONSISTENT if link.problem else Verdict.CONSISTENT
        proof = (quote(link.url, link.location),)
        yield Judgement(f"Binder link, {link.location}", verdict, f"The link {_verdict(link)}.", proof)
    if found.hub:
        told = tuple(note(message) for message in found.hub.messages)
        yield Judgement(found.spec, _BUILDS.get(found.hub.outcome, Verdict.UNDECIDED), _hub(found.hub), told)


def _sentence(one: Attempt) -> str:
    outcome = one.solution.outcome
    if outcome is Outcome.SOLVABLE:
        return f"The requirements can be met with Python {one.python}, by {counted(one.solution.packages, 'package')}."
    if outcome is Outcome.UNSOLVABLE:
        return f"The requirements cannot be met with Python {one.python}."
    return f"Whether the requirements can be met is {outcome.value}."


def _proof(one: Attempt) -> tuple[Evidence, ...]:
    said = (note(one.solution.said),) if one.solution.said else ()
    return (note(f"Python {one.python}: {one.because}."), *said)


def _hub(answer: HubAnswer) -> str:
    return f"The BinderHub's answer after {answer.seconds:g} s: {answer.outcome.value}."


def _tables(found: Buildability) -> Iterator[Table]:
    if found.attempts:
        columns = ("Manifest", "When", "Python", "Requirements", "Outcome", "Packages")
        yield Table("Are the requirements solvable?", columns, tuple(map(_attempt, found.attempts)))
    elif found.manifests:
        asked = tuple((wanted.path, len(wanted.requirements)) for wanted in found.manifests)
        yield Table("Requirements that could be tried", ("Manifest", "Requirements"), asked)
    yield Table("What repo2docker, and so Binder, would do", ("", ""), tuple(_binder(found.binder)))


def _attempt(one: Attempt) -> tuple[Value, ...]:
    solution = one.solution
    packages = solution.packages or None
    return (one.manifest, _when(one), one.python, one.requirements, solution.outcome.value, packages)


def _when(one: Attempt) -> str:
    return one.day.isoformat() if one.day else "now"


def _binder(binder: Binder) -> Iterator[tuple[Value, ...]]:
    if binder.buildpack is Buildpack.NONE:
        yield ("environment", "the plain default image: no file is recognised")
    else:
        yield ("environment", binder.buildpack.value)
        yield ("decided by", str(binder.winner) if binder.winner else "")
    if binder.folder:
        yield ("looks only in", binder.folder)
    if binder.also_read:
        yield ("also reads", ", ".join(binder.also_read))
    if binder.ignored:
        yield ("does not read", ", ".join(binder.ignored))


def _verdict(link: BinderLink) -> str:
    if link.problem:
        return link.problem
    if link.moving:
        return f'is well formed, but "{link.ref}" moves: it will build other code tomorrow'
    return "is well formed and names a commit" if is_commit(link.ref) else "is well formed"
