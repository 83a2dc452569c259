"""Results of score checks as the report that every format is made from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from assay.findings import Evidence, Figure, Judgement, Report, Table, Verdict, note, witness
from assay.records import dataclass
from assay.scores import zero_by_zero
from assay.scores.answers import Answer
from assay.scores.check import Hypothesis, Result, check
from assay.scores.definitions import Matrix
from assay.scores.experiment import Experiment
from assay.scores.parts import by_name
from assay.scores.rules import scores

if TYPE_CHECKING:
    from assay.scores.diagnosis import Diagnosis, Repair


def report_of(results: Sequence[Result], *, command: str = "", in_depth: bool = False, figures: bool = False) -> Report:
    """One report about all the checked experiments.

    `in_depth` adds what a verdict alone does not say: for an inconsistent experiment which single slips
    would explain it, for a consistent one how many misprints would have been noticed.
    """
    depths = [_depth(result) if in_depth else _SHALLOW for result in results]
    return Report(
        title="Score check",
        question=scores.question,
        judgements=tuple(judgement_of(r, depth.note) for r, depth in zip(results, depths, strict=True)),
        findings=tuple(finding for result in results for finding in scores.run(result)),
        tables=tuple(table for depth in depths for table in depth.tables),
        figures=tuple(f for result in results for f in _figures(result)) if figures else (),
        left_out=tuple(f"{_name(r)}: {left}" for r in results for left in _left_out(r)),
        command=command,
    )


def judgement_of(result: Result, remark: str = "") -> Judgement:
    """The verdict on one experiment, with the evidence for each reading and perhaps a closing remark."""
    shown = result.decisive
    evidence = [*_evidence(result), *(note(_in_short(h)) for h in result.hypotheses if h is not shown)]
    evidence += [note(words) for words in (zero_by_zero.in_words(result), remark) if words]
    return Judgement(_name(result), result.verdict, _statement(shown), tuple(evidence))


@dataclass(frozen=True, slots=True)
class _Depth:
    """What a verdict alone does not say: a remark, and perhaps a table of repairs."""

    note: str = ""
    tables: tuple[Table, ...] = ()


_SHALLOW = _Depth()
_hasty = partial(check, hasty=True)


def _misprints(result: Result) -> int:
    """How many misprints are tried: means over folds take longer."""
    return 500 if isinstance(result.experiment, Experiment) and result.experiment.one_test_set else 20


def _name(result: Result) -> str:
    if result.experiment.name:
        return result.experiment.name
    printed = ", ".join(f"{r.name} {r.printed}" for r in result.experiment.reported)
    return f"{result.decisive.reading}: {printed}"


def _statement(shown: Hypothesis) -> str:
    answer = shown.answer
    if answer.verdict is Verdict.CONSISTENT:
        if answer.count is None:
            return f"These scores can come from {shown.reading}."
        many = "Exactly one confusion matrix gives"
        if answer.count != 1:
            many = f"{answer.count:,} confusion matrices give"
        return f"{many} these scores on {shown.reading}."
    if answer.verdict is Verdict.INCONSISTENT:
        return f"These scores cannot come from {shown.reading}."
    return f"Not decided for {shown.reading}: {answer.reason}"


def _evidence(result: Result) -> list[Evidence]:
    """The witness; a certificate stands with the finding, which is about nothing else."""
    return [_witness(result)] if result.possible else []


def _left_out(result: Result) -> tuple[str, ...]:
    return result.experiment.left_out if isinstance(result.experiment, Experiment) else ()


def _witness(result: Result) -> Evidence:
    experiment, answer = result.experiment, result.decisive.answer
    if answer.figures:
        return witness(dict(answer.figures), answer.reason)
    if len(answer.witness) == 1 or not isinstance(experiment, Experiment):
        return witness(answer.witness[0]._asdict())
    named = by_name(experiment, result.decisive.reading, answer.witness)
    return witness({name: _in_words(matrix) for name, matrix in named.items()}, answer.reason)


def _in_words(matrix: Matrix) -> str:
    return " ".join(f"{name}={count}" for name, count in matrix._asdict().items())


def _in_short(hypothesis: Hypothesis) -> str:
    words = hypothesis.reading
    if words.split()[0].isalpha():  # a sentence begins with a capital letter, but not with the name of a setup
        words = f"{words[:1].upper()}{words[1:]}"
    return f"{words}: {hypothesis.answer.verdict.value}. {hypothesis.answer.reason}".strip()


def _depth(result: Result) -> _Depth:
    """The power of the test where scores are possible, a diagnosis where they are not."""
    if not isinstance(result.experiment, Experiment):
        return _SHALLOW
    if result.possible:
        from assay.scores.power import power

        return _Depth(power(result.experiment, _hasty, limit=_misprints(result)).sentence)
    return _diagnosis(result, result.experiment) if result.verdict is Verdict.INCONSISTENT else _SHALLOW


def _diagnosis(result: Result, experiment: Experiment) -> _Depth:
    """Which single slips would explain an inconsistent experiment."""
    from assay.scores.diagnosis import diagnose

    found = diagnose(experiment, _hasty)
    remark = " ".join([f"Diagnosis: {found.sentence}", *(f"{left[:1].upper()}{left[1:]}." for left in found.left_out)])
    rows = tuple(
        (repair.what, _weight(repair, found), f"{repair.fitted:,} of {repair.tried:,}", _first(repair.answer))
        for repair in found.repairs
    )
    columns = ("it would be consistent if", "weight", "of this kind fit", "for example")
    return _Depth(remark, (Table(f"Diagnosis of {_name(result)}", columns, rows),) if rows else ())


def _weight(repair: Repair, found: Diagnosis) -> str:
    """The plausibility among all repairs that were found, which says nothing when there is but one."""
    return "only fit" if found.fitted == 1 else f"{repair.plausibility:.0%}"


def _first(answer: Answer) -> str:
    more = f" and {len(answer.witness) - 1} more" if len(answer.witness) > 1 else ""
    return _in_words(answer.witness[0]) + more


def _figures(result: Result) -> list[Figure]:
    """The feasible region of one test set; the fold scores of a witness."""
    from assay.scores import plots

    experiment, answer = result.experiment, result.decisive.answer
    if not isinstance(experiment, Experiment):
        return []
    plain = find_spec("numpy") is None or find_spec("matplotlib") is None
    if experiment.one_test_set:
        whole = experiment.datasets[0].whole
        constraints = [r.constraint(experiment.undefined) for r in experiment.reported]
        draw = plots.plain_region_figure if plain else plots.region_figure
        drawn = draw(whole.p, whole.n, constraints, answer)
        return [drawn] if drawn else []
    if answer.verdict is Verdict.CONSISTENT and len(answer.witness) > 1 and not plain:
        return [plots.folds_figure(experiment.reported, answer)]
    return []
