"""A certificate as a file: what is claimed to be impossible, with nothing of how it was found.

`certificate_checks` reads it and tries every case again, with code of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.certificate_checks import LEFT_OUT, OF_THE_CLASS
from assay.scores.check import Result
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix, Ratio
from assay.scores.experiment import Experiment, Reported
from assay.scores.readings import Pooled, Reading, readings

FORMAT = "assay score certificate 2"


def certificate_text(result: Result) -> str:
    """The certificate of an inconsistent experiment of two classes, as JSON."""
    experiment = result.experiment
    if result.verdict is not Verdict.INCONSISTENT:
        raise InputError(f"the scores are {result.verdict.value}", fix="A certificate is written for impossible ones.")
    if not isinstance(experiment, Experiment):
        raise InputError("no file describes this certificate", fix="Its sentence in the report can be checked by hand.")
    answers = {hypothesis.reading: hypothesis.answer for hypothesis in result.hypotheses}
    cases = [
        {**_case(reading), "reading": reading.words, "reason": answers[reading.words].reason}
        for reading in readings(experiment)
        if reading.words in answers
    ]
    figures = [figure for one in experiment.reported for figure in _figures(one, experiment.undefined)]
    further = any(one.spread_out for one in experiment.reported)
    document = {"certificate": FORMAT, "figures": figures, "further figures": further, "cases": cases}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _figures(one: Reported, policy: Undefined) -> Iterator[dict[str, Any]]:
    interval = one.interval
    if interval is None or interval.infinite:
        return
    left_out = {LEFT_OUT} if policy in (Undefined.ANY, Undefined.SKIP) else set()
    yield {
        "name": one.name,
        "printed": one.printed,
        "score": one.score.name,
        "at least": None if interval.lo is None else str(interval.lo),
        "at most": None if interval.hi is None else str(interval.hi),
        "ends included": [not interval.lo_open, not interval.hi_open],
        "0/0 counts as": sorted({_counted_as(way) for way in one.constraint(policy).substitutes} | left_out),
    }


def _counted_as(substitute: Ratio) -> str:
    """What a score counts where it is 0/0: a number, or what scikit-learn's balanced accuracy is."""
    top, bottom = substitute(*Matrix(0, 0, 0, 0))
    return f"{top}/{bottom}" if bottom else OF_THE_CLASS


def _case(reading: Reading) -> dict[str, Any]:
    """The test sets of a reading: one, or the parts of a mean; null where they are not listed."""
    if isinstance(reading, Pooled):
        return {"mean over": [[reading.p, reading.n]]}
    from assay.scores import means

    listed = all(model.count == 1 and not model.beyond_listing for model in reading.models)
    if not listed or reading.weighted or len(reading.models) > 1:
        return {"mean over": None}
    return {"mean over": [[part.p, part.n] for part in means.first_parts(reading.models)]}
