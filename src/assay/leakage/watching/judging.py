"""From the journal to leaks, in the words of the rules L1.1 to L1.4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from enum import Enum
from itertools import takewhile

import numpy as np

from assay.findings import Confidence, Evidence, EvidenceKind, Severity, note, numbers, quote
from assay.leakage.code.leak import Leak
from assay.leakage.code.policies.policy import Policy
from assay.leakage.watching.charges import Charge, charge_of
from assay.leakage.watching.journal import Evaluation, Fit, Journal
from assay.leakage.watching.lineage import Lineage, Met
from assay.leakage.watching.overlap import Overlap, among, overlap
from assay.leakage.watching.places import Place
from assay.leakage.watching.rows import Rows
from assay.records import dataclass

_GRAVE = 0.05
_WORTH_TELLING = 0.01
_SAMPLED = "The rows were changed on the way; they were followed by cells of single columns, which names some of them."
_LOST = (
    "What {name} at {place} made was not recognised in the rows that a model was tested on: "
    "where it went was not followed."
)
_MOST_LOST = 5
_ALIKE = (
    "Most rows of {name} at {place} are copies of each other: content cannot tell whether test rows were among them."
)


@dataclass(frozen=True, slots=True)
class Seen:
    """An evaluation with what its rows share with those that the model was fitted on."""

    event: Evaluation
    overlap: Overlap

    @property
    def apart(self) -> bool:
        """Whether the model met rows that it had not learnt from."""
        return not (self.overlap.beyond_chance or self.overlap.identical)


@dataclass(frozen=True, slots=True)
class Judged:
    """The leaks, and where content could not tell."""

    leaks: tuple[Leak, ...]
    undecided: tuple[str, ...]


def judge(journal: Journal, policy: Policy) -> Judged:
    """Every leak that the journal shows, each told once however often it was met."""
    seen = [Seen(event, overlap(event.rows, event.fit.rows)) for event in journal.evaluations]
    undecided: dict[str, None] = {}
    lineage = Lineage(journal)
    leaks = [*_models(seen, lineage), *_steps(lineage, seen, policy, undecided)]
    times: dict[tuple[str, str, str], list[Leak]] = {}
    for leak in leaks:
        times.setdefault((leak.code, str(leak.location), leak.topic), []).append(leak)
    told = tuple(_counted(same) for same in times.values())
    return Judged(told, tuple(undecided))


def _counted(same: list[Leak]) -> Leak:
    first = same[0]
    if len(same) == 1:
        return first
    return replace(
        first, evidence=(*first.evidence, note(f"It was seen in {len(same)} evaluations; this is the first."))
    )


# --- the model's own rows ------------------------------------------------------------------------------


def _models(seen: list[Seen], lineage: Lineage) -> Iterator[Leak]:
    by_fit: dict[int, list[Seen]] = {}
    for one in seen:
        by_fit.setdefault(id(one.event.fit), []).append(one)
    tested = {one.event.fit.step.name for one in seen if one.apart}
    for ones in by_fit.values():
        yield from (_copies(one, lineage) for one in ones if one.apart and one.overlap.share >= _WORTH_TELLING)
        yield from _own_rows(ones, tested, lineage)


def _own_rows(ones: list[Seen], tested: set[str], lineage: Lineage) -> Iterator[Leak]:
    """What a model was asked about rows that it was fitted on: some of them, or these alone."""
    among_own = [one for one in ones if not one.apart]
    partly = [one for one in among_own if one.overlap.minor or _made_alike(one, lineage)]
    if partly:
        yield from (_copies(one, lineage) for one in partly)
    elif len(among_own) == len(ones):
        scored = next((one for one in among_own if one.event.method == "score"), among_own[0])
        yield _no_test_set(scored, elsewhere=scored.event.fit.step.name in tested)


def _no_test_set(seen: Seen, *, elsewhere: bool) -> Leak:
    name, met = seen.event.fit.step.name, seen.overlap
    if met.complete:
        message = f"{name} is asked about the rows that it was fitted on, and about no others"
    else:
        message = f"{met.shared:,} of the {met.rows:,} rows that {name} is asked about are among those it was fitted on"
    sure = seen.event.method == "score" and not elsewhere
    remark = f"Another {name} was asked about rows that it had not seen." if elsewhere else ""
    return _tell(
        "L1.1",
        name,
        message,
        seen.event.place,
        steps=[
            _step(f"{name} is fitted here", seen.event.fit.place),
            _step("it meets them again here", seen.event.place),
        ],
        met=met,
        severity=Severity.WARNING if elsewhere else Severity.ERROR,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        remarks=[remark] if remark else [],
    )


class _Cause(Enum):
    """Why rows have the content of rows that a model was fitted on, with the words for it."""

    CHANCE = "As many as copies among the fitted rows give: the data hold few distinct rows, or copies."
    REPEATED = "As many as copies among the fitted rows give, and few rows miss each other by one column: rows were \
repeated before the split."
    OTHERS = "Their labels differ: they are other rows with the same content."
    MADE_ALIKE = "Before a step that both went through, they were different rows."
    BEYOND = "More than copies among the fitted rows give; copies or the same rows, content cannot tell."


def _cause(seen: Seen, lineage: Lineage) -> _Cause:
    met, learnt = seen.overlap, seen.event.fit.rows
    if met.beyond_chance and met.other_labels:
        return _Cause.OTHERS
    if met.beyond_chance:
        return _Cause.MADE_ALIKE if _made_alike(seen, lineage) else _Cause.BEYOND
    repeated = met.share >= _GRAVE and _holds_copies(learnt, seen.event.fit.order, lineage)
    return _Cause.REPEATED if repeated else _Cause.CHANCE


def _holds_copies(learnt: Rows, before: int, lineage: Lineage) -> bool:
    """Whether equal rows are copies, as learnt and as they were before every step: a step may mix coarse columns."""
    if learnt.sketch is None or not learnt.sketch.holds_copies:
        return False
    earlier = (met.origin.given.sketch for met in _behind(lineage, learnt, learnt, before) if met.origin)
    return all(sketch.holds_copies for sketch in earlier if sketch is not None)


def _made_alike(seen: Seen, lineage: Lineage) -> bool:
    """True if most were no copies before a step: columns chosen by training rows tell those apart better."""
    event = seen.event
    own = {id(met.fit): met for met in lineage.steps_behind(event.fit.rows, event.fit.order)}
    behind = (met for met in lineage.steps_behind(event.rows, event.order) if met.one_to_one and id(met.fit) in own)
    return any(overlap(met.given, own[id(met.fit)].given).shared < seen.overlap.shared / 2 for met in behind)


def _copies(seen: Seen, lineage: Lineage) -> Leak:
    name, met, cause = seen.event.fit.step.name, seen.overlap, _cause(seen, lineage)
    by_chance = cause in {_Cause.CHANCE, _Cause.MADE_ALIKE}
    grave = cause is not _Cause.REPEATED and met.share >= _GRAVE
    return _tell(
        "L1.4",
        name,
        f"{met.shared:,} of {met.rows:,} rows that {name} is asked about have the content of a row it was fitted on",
        seen.event.place,
        steps=[_step(f"{name} is fitted here", seen.event.fit.place), _step("it is asked here", seen.event.place)],
        met=met,
        severity=Severity.NOTE if by_chance else Severity.ERROR if grave else Severity.WARNING,
        confidence=Confidence.LOW if by_chance else Confidence.MEDIUM,
        remarks=[cause.value],
    )


# --- the steps before the model ------------------------------------------------------------------------


def _steps(lineage: Lineage, seen: Iterable[Seen], policy: Policy, undecided: dict[str, None]) -> Iterator[Leak]:
    following = _Following(lineage, policy, undecided)
    judged = list(seen)
    for one in judged:
        yield from following.leaks(one)
    if judged:
        undecided.update(dict.fromkeys(following.lost()))


@dataclass
class _Following:
    """Looks from what models were tested on back to the steps that made it."""

    lineage: Lineage
    policy: Policy
    undecided: dict[str, None]
    feeding: dict[int, set[int]] = field(default_factory=dict)
    """For each fit of a model the steps that made its own rows."""
    followed: set[int] = field(default_factory=set)

    def leaks(self, seen: Seen) -> Iterator[Leak]:
        """The steps that learnt from the rows of this evaluation, and made rows for the model's own fit."""
        event = seen.event
        if seen.apart and seen.overlap.undecidable:
            self._cannot_tell(event.fit)
        held_out = event.rows.only(~among(event.rows.keys, np.sort(event.fit.rows.keys)))
        behind = _behind(self.lineage, held_out, event.rows, event.order) if len(held_out) else []
        self.followed |= {id(met.fit) for met in behind}
        feeding = self._feeding(event.fit) if behind else set()
        for met in behind:
            charge = charge_of(met.fit.step, self.policy)
            if charge is not None and id(met.fit) in feeding:
                yield from self._leak(met, event, charge)

    def lost(self) -> Iterator[str]:
        """The steps whose rows were met in no model's test rows: what became of them nobody saw."""
        made_each = [
            made for made in self.lineage.made if made.one_to_one and not made.chosen
        ]  # samplers serve training
        unseen = (made.fit for made in made_each if id(made.fit) not in self.followed)
        lost = {id(fit): fit for fit in unseen if charge_of(fit.step, self.policy) is not None}
        for fit in list(lost.values())[:_MOST_LOST]:
            yield _LOST.format(name=fit.step.name, place=fit.place.location)

    def _feeding(self, fit: Fit) -> set[int]:
        if id(fit) not in self.feeding:
            self.feeding[id(fit)] = {id(met.fit) for met in _behind(self.lineage, fit.rows, fit.rows, fit.order)}
        return self.feeding[id(fit)]

    def _leak(self, met: Met, event: Evaluation, charge: Charge) -> Iterator[Leak]:
        learnt = _learnt(met)
        if learnt.beyond_chance:
            yield _learnt_from_test_rows(met, event, learnt, charge)
        elif learnt.undecidable and learnt.shared:
            self._cannot_tell(met.fit)

    def _cannot_tell(self, fit: Fit) -> None:
        self.undecided[_ALIKE.format(name=fit.step.name, place=fit.place.location)] = None


def _behind(lineage: Lineage, rows: Rows, whole: Rows, before: int) -> list[Met]:
    """The steps behind some rows: by whole rows, and by columns where rows were changed outside of any step."""
    steps = list(lineage.steps_behind(rows, before))
    for met in takewhile(lambda met: len(met.made) == len(rows), steps):
        if met.origin is None or len(met.origin.given) != len(whole):
            break
        whole, before = met.origin.given, met.origin.order  # the call made these rows with all their columns
    known = {id(met.fit) for met in steps}
    return steps + [met for met in lineage.columns_behind(whole, before) if id(met.fit) not in known]


def _learnt(met: Met) -> Overlap:
    """How many of the test rows a step had learnt from; what a sampler made counts as learnt from."""
    if met.one_to_one:
        return overlap(met.given, met.fit.rows)
    before = overlap(met.made, met.fit.rows)
    return replace(before, shared=len(met.made), same=None)


def _learnt_from_test_rows(step: Met, event: Evaluation, met: Overlap, charge: Charge) -> Leak:
    fit, name = step.fit, step.fit.step.name
    deed = "was fitted on" if step.one_to_one else "made or resampled"
    remarks = [_SAMPLED] if step.sampled else []
    remarks += (
        [] if charge.known else [f"What {name} learns from rows is not known here; it is taken to learn something."]
    )
    if met.other_labels:
        remarks.append("The labels of the shared rows differ: they may be other rows with the same content.")
    sure = charge.known and not met.other_labels and met.share > 0.5
    return _tell(
        charge.code,
        name,
        f"{name} {deed} {met.shared:,} of the {met.rows:,} rows that {event.fit.step.name} is tested on",
        fit.place,
        steps=[
            _step(f"{name} learns here: {charge.deed}", fit.place),
            _step(f"{event.fit.step.name} is fitted here", event.fit.place),
            _step("it is tested here, on rows that were known before", event.place),
        ],
        met=met,
        severity=charge.severity,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        advice=f"Split first:\n{charge.snippet.format(name=name)}",
        remarks=remarks,
    )


# --- words ---------------------------------------------------------------------------------------------


def _step(words: str, place: Place) -> Evidence:
    return Evidence(EvidenceKind.STEP, f"{words}: {place.code}" if place.code else words, place.location)


def _tell(
    code: str,
    topic: str,
    message: str,
    place: Place,
    *,
    steps: list[Evidence],
    met: Overlap,
    severity: Severity,
    confidence: Confidence,
    advice: str = "",
    remarks: Iterable[str] = (),
) -> Leak:
    counted = {"rows asked about": met.rows, "of them fitted on": met.shared, "rows fitted on": met.learnt}
    counted["rows fitted on that have a twin among them"] = met.copies
    if met.same is not None:
        counted["rows asked about whose index label was fitted on too"] = met.same
    evidence = (quote(place.code, place.location), *steps, numbers(counted), *(note(remark) for remark in remarks))
    return Leak(code, topic, message, place.location, evidence, severity, confidence, advice)
