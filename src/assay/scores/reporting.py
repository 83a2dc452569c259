"""Results of score checks as the report that every format is made from."""

from __future__ import annotations

from collections.abc import Sequence

from assay.findings import Evidence, Judgement, Report, Verdict, note, witness
from assay.scores.answers import Answer
from assay.scores.check import Hypothesis, Result
from assay.scores.rules import scores


def report_of(results: Sequence[Result], *, title: str = "Score check", command: str = "") -> Report:
    """One report about all the checked experiments."""
    return Report(
        title=title,
        question=scores.question,
        judgements=tuple(judgement_of(result) for result in results),
        findings=tuple(finding for result in results for finding in scores.run(result)),
        command=command,
    )


def judgement_of(result: Result) -> Judgement:
    """The verdict on one experiment, with the evidence for each reading."""
    shown = result.decisive
    evidence = [*_evidence(shown), *(note(_in_short(h)) for h in result.hypotheses if h is not shown)]
    return Judgement(result.experiment.name or _sizes(result), result.verdict, _statement(shown), tuple(evidence))


def _sizes(result: Result) -> str:
    printed = ", ".join(f"{r.name} {r.printed}" for r in result.experiment.reported)
    return f"{result.hypotheses[0].reading}: {printed}"


def _statement(shown: Hypothesis) -> str:
    answer = shown.answer
    if answer.verdict is Verdict.CONSISTENT:
        if answer.count is None:
            return f"These scores can come from {shown.reading}."
        many = (
            "Exactly one confusion matrix gives" if answer.count == 1 else f"{answer.count:,} confusion matrices give"
        )
        return f"{many} these scores on {shown.reading}."
    if answer.verdict is Verdict.INCONSISTENT:
        return f"These scores cannot come from {shown.reading}."
    return f"Not decided for {shown.reading}: {answer.reason}"


def _evidence(shown: Hypothesis) -> list[Evidence]:
    """The witness; a certificate stands with the finding, which is about nothing else."""
    return [_witness(shown.answer)] if shown.answer.verdict is Verdict.CONSISTENT else []


def _witness(answer: Answer) -> Evidence:
    if len(answer.witness) == 1:
        return witness(answer.witness[0]._asdict())
    cells = {f"fold {i}": " ".join(f"{k}={v}" for k, v in m._asdict().items()) for i, m in enumerate(answer.witness, 1)}
    return witness(cells)


def _in_short(hypothesis: Hypothesis) -> str:
    return f"{hypothesis.reading}: {hypothesis.answer.verdict.value}. {hypothesis.answer.reason}".strip()
