"""The process that checks scores: questions come in on lines, answers go out on lines, until there are no more."""

from __future__ import annotations

import json
import sys
from itertools import islice
from typing import Any

from assay.errors import InputError
from assay.findings import Evidence, Judgement, Report, Verdict, certificate, note, witness
from assay.scores.check import Result, check
from assay.scores.compiling import experiment_of, reported_of
from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.reading import words_as_data
from assay.scores.reporting import report_of
from assay.scores.sizes import fitting_sizes
from assay.scores.study import ExperimentModel
from assay.web.processes import confine, tell

LARGEST_SPLIT = 5_000
"""Of a test set of which only the size is known, every division into classes is tried up to this size."""
LARGEST_SEARCHED = 300
_SHOWN = 6


def main() -> None:
    """Answer until the questions end."""
    out = confine(int(sys.argv[1]))
    tell(out, "ready")
    for line in sys.stdin:
        tell(out, answer(json.loads(line)))


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """A report about one experiment, in short, in depth, or as a picture."""
    words = [f"{name}={value}" for name, value in question["words"]]
    try:
        report = _report(words, question["name"], question["total"], question["how"])
    except InputError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "This check needs more memory than the server gives it."}
    return {"report": report.to_dict()}


def _report(words: list[str], name: str, total: int | None, how: str) -> Report:
    data = words_as_data(words)
    given = data.keys() & {"p", "n", "setup", "sets", "datasets", "classes", "task", "folds"}
    if given - {"folds"}:
        result = _result({**data, "name": name} if name else data)
        return report_of([result], command=_command(words), in_depth=how == "depth", figures=how == "picture")
    constraints = _constraints(data)
    if total is not None:
        return Report("Score check", judgements=(_any_split(constraints, total, name),))
    return Report("Score check", judgements=(_smallest(constraints, name),))


def _command(words: list[str]) -> str:
    return " ".join(["assay scores check", *(f'"{word}"' if " " in word else word for word in words)])


def _result(data: dict[str, object]) -> Result:
    return check(experiment_of(data, where=""))


def _constraints(data: dict[str, object]) -> list[Constraint]:
    from assay.files import validated

    model = validated(ExperimentModel, data, where="")
    return [reported.constraint(Undefined.ANY) for reported in reported_of(model)]


def _any_split(constraints: list[Constraint], total: int, name: str) -> Judgement:
    """Whether some division of the items into two classes gives the scores."""
    subject = name or f"{total:,} items"
    if total > LARGEST_SPLIT:
        said = (
            f"How many of the {total:,} items are positive? Without it, only up to {LARGEST_SPLIT:,} items are tried."
        )
        return Judgement(subject, Verdict.UNDECIDED, said)
    fits = (
        (p, matrix) for p in range(total + 1) for _, _, matrix in fitting_sizes(constraints, total, p=p, n=total - p)
    )
    found = list(islice(fits, _SHOWN + 1))
    if not found:
        said = f"Every division of the {total:,} items into positives and negatives was tried; no matrix fits."
        return Judgement(
            subject,
            Verdict.INCONSISTENT,
            f"These scores cannot come from {total:,} items, however many of them are positive.",
            (certificate(said, {"items": total}),),
        )
    p, matrix = found[0]
    more = ", ".join(f"{p} + {total - p}" for p, _ in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    evidence: tuple[Evidence, ...] = (witness(matrix._asdict()), note(f"Positives and negatives that fit: {more}."))
    said = f"These scores can come from {total:,} items if, for example, {p} of them are positive."
    return Judgement(subject, Verdict.CONSISTENT, said, evidence)


def _smallest(constraints: list[Constraint], name: str) -> Judgement:
    """The smallest test sets that would give the scores: a fact for the reader to judge, and no verdict."""
    found = list(islice(fitting_sizes(constraints, LARGEST_SEARCHED), _SHOWN + 1))
    told = ", ".join(f"{p} + {n}" for p, n, _ in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    said = (
        f"The smallest test sets (positives + negatives) that would give these scores: {told}."
        if found
        else f"No test set of up to {LARGEST_SEARCHED} items gives these scores."
    )
    asked = "How many positives and negatives were tested? Without that no verdict is possible."
    return Judgement(name or "Size unknown", Verdict.UNDECIDED, asked, (note(said),))


if __name__ == "__main__":
    main()
