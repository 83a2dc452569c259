"""From verdicts to leaks: one for each cause, with all its places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path

from assay.bounded import load_toml
from assay.findings import Confidence, Evidence, Severity
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Assumption, AssumptionKind, ChoiceKind, LearntFrom, Pair, Relation
from assay.leakage.code.facts.places import place
from assay.leakage.code.facts.unseen_models import NAME as UNSEEN_MODEL
from assay.leakage.code.leak import Leak
from assay.leakage.code.learnt.kinds import COSTS, snippet_for
from assay.leakage.code.policies.confidence import confidence_of
from assay.leakage.code.policies.judgement import Verdict
from assay.leakage.code.policies.path import leak_at, read_steps, split_steps, step
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.values import Kind, Mark
from assay.records import replace

_MOST_PLACES = 8
_MOST_NAMES = 4

_SENTENCES = load_toml(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
_ADVICE: dict[str, str] = _SENTENCES["advice"]
_CHOSEN: dict[ChoiceKind, str] = {ChoiceKind(kind): text for kind, text in _SENTENCES["chosen"].items()}
_ASSUMED: dict[AssumptionKind, str] = {AssumptionKind(kind): text for kind, text in _SENTENCES["assumed"].items()}
TOPICS: dict[Kind, str] = {Kind(kind): topic for kind, topic in _SENTENCES["topics"].items()}
_ABOUT_ROWS = frozenset({Kind.OVERSAMPLE, Kind.UNDERSAMPLE, Kind.AUGMENT, Kind.COPY, Kind.EXPLODE})
"""Steps that choose, copy or make rows, and learn nothing that others would be changed by."""


def leaks_of(facts: Observations, verdicts: Iterable[Verdict]) -> Iterator[Leak]:
    """One leak for each cause, in the order in which causes are met."""
    causes: dict[Hashable, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.exemption is None:
            causes.setdefault(_cause(verdict), []).append(verdict)
    for same in causes.values():
        gravest = min(v.severity.rank for v in same)
        yield _TELLERS[_teller(same[0])](facts, [v for v in same if v.severity.rank == gravest])


def _cause(verdict: Verdict) -> Hashable:
    """What findings have in common that one correction would end."""
    code, row = verdict.rule.code, verdict.row
    if verdict.mark is not None:
        return code, verdict.mark.kind, verdict.mark.rows
    if row.choice is not None and code == "LX1":
        return code, row.choice.site
    return code, row.evaluation.rows


def _teller(verdict: Verdict) -> str:
    if verdict.learnt is not None:
        return "step"
    return {"LX1": "choice", "LX10": "reuse"}.get(verdict.rule.code, "overlap")


_Teller = Callable[[Observations, list[Verdict]], Leak]


def _overlap(facts: Observations, same: list[Verdict]) -> Leak:
    """Models that are scored on rows that they were trained on."""
    first = same[0]
    row, pair = first.row, first.row.pair
    who, are = _models(same)
    if pair.because:
        message = f"{who} {are} scored on rows seen in training: {pair.because}"
    elif pair.without_outcome:
        message = f"{who} {are} fitted without the outcome and scored on the same rows: that says nothing of new ones"
    elif pair.relation is Relation.SAME and not pair.tested:
        message = f"{who} {are} scored on training rows, and no model is scored on other rows"
    elif pair.relation is Relation.SAME:
        message = f"{who} {are} scored on the rows used for training"
    else:
        message = f"{who} {are} scored on rows some of which were used for training"
    steps = [
        *read_steps(row.fit.rows, row.evaluation.rows),
        *split_steps(facts, row.evaluation.rows),
        step(f"{pair.model} is trained here", row.fit.site),
        *_scores(same, "it is scored here, on rows that it has seen"),
    ]
    everything = not any(part.cuts for part in row.evaluation.rows)
    topic = "no test set" if everything else "overlap"
    return _leak(first, topic, message, site=row.evaluation.site, steps=steps, advice=_ADVICE["hold_out"])


def _step(facts: Observations, same: list[Verdict]) -> Leak:
    """Steps that learnt from rows of an evaluation."""
    first = same[0]
    row, mark, learnt = first.row, first.mark, first.learnt
    if mark is None or learnt is None:
        raise TypeError("a verdict about a step has its mark")
    cost = COSTS[mark.kind]
    names = list(dict.fromkeys(v.mark.name for v in same if v.mark is not None and v.mark.name))
    tool = f" ({', '.join(names[:_MOST_NAMES])}{'…' if len(names) > _MOST_NAMES else ''})" if names else ""
    own = learnt.source is LearntFrom.EVALUATED
    verb = "used" if mark.kind in _ABOUT_ROWS else "learnt from"
    message = f"{cost.deed}{tool} {_from_which(row.pair, verb, own=own)}"
    sites = list(dict.fromkeys(v.mark.site for v in same if v.mark is not None))
    steps = [
        *read_steps(mark.rows, row.evaluation.rows),
        *(step("this is where it learns", site) for site in sites[:_MOST_PLACES]),
        *split_steps(facts, row.evaluation.rows),
        step("the model is trained here", row.fit.site),
        step("it is evaluated here", row.evaluation.site),
    ]
    advice = (_ADVICE["by_training"] if own else _ADVICE["split_first"]) + snippet_for(mark).format(name=_class(mark))
    topic = "own statistics" if own else TOPICS.get(mark.kind, "pre-processing")
    more = len(sites) - _MOST_PLACES
    again = f"The same happens at {more} more places." if more > 0 else ""
    remarks = filter(None, (cost.size, again))
    leak = _leak(first, topic, message, site=mark.site, steps=steps, advice=advice, remarks=remarks)
    return replace(leak, kind=learnt.kind, places=tuple(place(site) for site in sites))


def _from_which(pair: Pair, verb: str, *, own: bool) -> str:
    """Which rows a step learnt from or used, in words."""
    if own:
        return f"of the test part {verb} that part itself"
    if pair.model == UNSEEN_MODEL:
        return f"{verb} all rows before they were split"
    if pair.folds:
        return f"{verb} the rows before cross-validation split them"
    return f"{verb} rows that {pair.model} is later evaluated on"


def _choice(facts: Observations, same: list[Verdict]) -> Leak:
    """A choice by scores on a part."""
    first = same[0]
    row = first.row
    if row.choice is None:
        raise TypeError("a verdict about a choice has its choice")
    who, _ = _models(same)
    rows = "the test rows" if first.severity is not Severity.NOTE else "the rows that are scored"
    message = _CHOSEN[row.choice.kind].format(models=who, name=row.choice.name, rows=rows)
    steps = [
        *read_steps(row.evaluation.rows, row.evaluation.rows),
        *split_steps(facts, row.evaluation.rows),
        *_scores(same, "scored on this part"),
        step("the choice is made here", row.choice.site),
    ]
    return _leak(first, "reuse", message, site=row.choice.site, steps=steps, advice=_ADVICE["choose_elsewhere"])


def _reuse(facts: Observations, same: list[Verdict]) -> Leak:
    """A part that is used several times, and nothing untouched is left."""
    first = same[0]
    row, pair = first.row, first.row.pair
    models = f"{pair.models} models" if pair.models > 1 else "one model"
    names = list(dict.fromkeys(e.model.name for e in row.use.evaluations))
    listed = f"{', '.join(names[:_MOST_NAMES])}{'…' if len(names) > _MOST_NAMES else ''}"
    times = f"{pair.uses} times" if pair.uses > 1 else "once in a loop"
    message = f"this part is used {times} by {models} ({listed}), and no untouched part is left to test on"
    sites = dict.fromkeys(e.site for e in row.use.evaluations)
    steps = [
        *read_steps(row.evaluation.rows, row.evaluation.rows),
        *split_steps(facts, row.evaluation.rows),
        *(step("used here", site) for site in list(sites)[:_MOST_PLACES]),
    ]
    return _leak(first, "reuse", message, site=row.evaluation.site, steps=steps, advice=_ADVICE["choose_elsewhere"])


_TELLERS: dict[str, _Teller] = {"overlap": _overlap, "step": _step, "choice": _choice, "reuse": _reuse}


def _leak(
    verdict: Verdict,
    topic: str,
    message: str,
    *,
    site: Site,
    steps: list[Evidence],
    advice: str,
    remarks: Iterable[str] = (),
) -> Leak:
    remarks = [*(_remark(a) for a in verdict.assumptions), *remarks]
    rate = confidence_of(verdict)
    confidence = Confidence.LOW if verdict.assumptions else rate.confidence
    if rate.sentence and not verdict.assumptions:
        remarks.append(rate.sentence)
    return leak_at(
        verdict.rule.code,
        topic,
        message,
        site,
        steps,
        severity=verdict.severity,
        confidence=confidence,
        advice=advice,
        remarks=remarks,
    )


def _remark(assumption: Assumption) -> str:
    return _ASSUMED[assumption.kind].format(assumption.about)


def _models(verdicts: list[Verdict]) -> tuple[str, str]:
    """The models of several verdicts in words, and the verb that goes with them."""
    names = list(dict.fromkeys(v.row.pair.model for v in verdicts))
    if len(names) == 1:
        return names[0], "is"
    listed = ", ".join(names[:_MOST_NAMES]) + ("…" if len(names) > _MOST_NAMES else "")
    return f"{len(names)} models ({listed})", "are"


def _scores(verdicts: list[Verdict], words: str) -> Iterator[Evidence]:
    sites = dict.fromkeys(v.row.evaluation.site for v in verdicts)
    return (step(words, site) for site in list(sites)[:_MOST_PLACES])


def _class(mark: Mark) -> str:
    last = mark.name.rpartition(".")[2]
    return last if last[:1].isupper() else _INSTEAD.get(mark.kind, "StandardScaler")


_INSTEAD = {Kind.UNDERSAMPLE: "RandomUnderSampler", Kind.OVERSAMPLE: "SMOTE"}
"""What does to training rows alone what the code did by hand to all."""
