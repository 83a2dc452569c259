"""Can these numbers be true? One subject is a row: the sizes of a test set and the scores as printed."""

from __future__ import annotations

from collections.abc import Sequence

from assay.corpus.clones import Beat
from assay.corpus.instruments import Instrument
from assay.corpus.subject import Examined, Subject, Task
from assay.corpus.tables import finding_cells, verdict_cells
from assay.errors import InputError
from assay.findings import Location, Value, Verdict
from assay.scores.check import Result, check
from assay.scores.definitions import find_score
from assay.scores.reporting import judgement_of
from assay.scores.rules import scores
from assay.scores.study import is_plain_score
from assay.scores.table_rows import read_row
from assay.scores.tasks import is_area

_LARGEST = 2**63 - 1
_OTHER_TASKS = frozenset({"classes", "task", "setup"})


def kind(column: str) -> type:
    """Counts are integers."""
    return int if column in {"scores", "readings", "matrices"} else str


def refuse_unknown(columns: Sequence[str], where: str) -> None:
    """Refuse an unknown column once, before the run, instead of failing for every row."""
    if not _OTHER_TASKS.isdisjoint(c.lower() for c in columns):  # each task has score names of its own
        return
    for column in columns:
        if not is_plain_score(column) or is_area(column):
            continue
        try:
            find_score(column)
        except InputError as error:
            fix = f"If it is a group, add --group {column}. {error.fix}"
            raise InputError(
                f'the column "{column}" is neither a setting nor a known score', where=where, fix=fix
            ) from None


def is_factor(column: str, task: Task) -> bool:  # noqa: ARG001 - every instrument is asked alike
    """Nothing is scored."""
    return False


def instrument(task: Task, beat: Beat) -> Instrument:  # noqa: ARG001 - every instrument is opened alike
    """The score check without diagnosis, which suits only a few rows."""

    def examine(subject: Subject) -> Examined:
        place = Location(subject.source, subject.line)
        return _examined(check(read_row(subject.cells, name=subject.name, where=str(place), location=place)))

    return Instrument(examine, kind)


def _examined(result: Result) -> Examined:
    answer = result.decisive.answer
    facts: dict[str, Value] = {
        "verdict": result.verdict.value,
        "reading": result.decisive.reading,
        "readings": len(result.hypotheses),
        "matrices": answer.count if answer.count is not None and answer.count <= _LARGEST else None,
        "scores": len(result.experiment.reported),
        "conflict": " ".join(answer.conflict) or None,
    }
    found = scores.run(result) if result.verdict in (Verdict.INCONSISTENT, Verdict.CONDITIONAL) else ()
    left_out = getattr(result.experiment, "left_out", ())
    return Examined(facts, tuple(map(finding_cells, found)), (verdict_cells(judgement_of(result)),), left_out)
