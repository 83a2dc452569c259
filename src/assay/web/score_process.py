"""The process that checks scores: questions come in on lines, answers go out on lines, until there are no more."""

from __future__ import annotations

import json
import sys
from itertools import islice
from typing import Any

from assay.errors import InputError
from assay.findings import Evidence, Judgement, Report, Verdict, note, witness
from assay.scores.check import check
from assay.scores.compilation import experiment_of, reported_of
from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.reading import words_as_data
from assay.scores.reporting import report_of
from assay.scores.sizes import fitting_sizes
from assay.scores.study import ExperimentModel
from assay.web.processes import confine, tell

LARGEST_SPLIT = 5_000
"""Of a test set of which only the size is known, every division into classes is tried up to this size."""
_SHOWN = 6
_SIZES = frozenset({"p", "n", "setup", "sets", "datasets", "classes", "task", "folds"})


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
    if total is not None and not data.keys() & _SIZES:
        free = check(experiment_of(data, where=""))
        if free.verdict is not Verdict.INCONSISTENT:
            return Report("Score check", judgements=(_any_split(_constraints(data), total, name),))
    result = check(experiment_of({**data, "name": name} if name else data, where=""))
    return report_of([result], command=_command(words), in_depth=how == "depth", figures=how == "picture")


def _command(words: list[str]) -> str:
    return " ".join(["assay scores check", *(f'"{word}"' if " " in word else word for word in words)])


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
        tried = f"Every division of the {total:,} items into positives and negatives was tried; no matrix fits."
        said = (
            f"As scores of two classes these cannot come from {total:,} items, however many of them are positive. As "
            "averages over several classes or folds they may be possible: say which they are to get a verdict."
        )
        return Judgement(subject, Verdict.UNDECIDED, said, (note(tried),))
    p, matrix = found[0]
    more = ", ".join(f"{p} + {total - p}" for p, _ in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    evidence: tuple[Evidence, ...] = (witness(matrix._asdict()), note(f"Positives and negatives that fit: {more}."))
    said = f"These scores can come from {total:,} items if, for example, {p} of them are positive."
    return Judgement(subject, Verdict.CONSISTENT, said, evidence)


if __name__ == "__main__":
    main()
