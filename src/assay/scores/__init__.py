"""Can these numbers be true? Exact consistency tests for reported performance scores.

>>> from assay.scores import check_scores
>>> check_scores(p=1000, n=6000, acc="0.6821", npv="0.9401", f1="0.4004", eps="0.0001").verdict
<Verdict.CONSISTENT: 'consistent'>

Give scores as text where you can: the printed digits are their precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.findings import Location
    from assay.scores.check import Result

__all__ = ["check_file", "check_scores", "check_table", "check_without_sizes"]


def check_scores(**words: object) -> Result:
    """Check one experiment, with the same names as on the command line: ``check_scores(p=9, n=6, acc="0.93")``.

    None and NaN stand for what is not reported.
    """
    from assay.scores.check import check
    from assay.scores.compilation import experiment_of
    from assay.scores.study import is_gap, nested

    given = [(name, value) for name, value in words.items() if not is_gap(value)]
    return check(experiment_of(nested(given, where="check_scores"), where=""))


def check_without_sizes(
    scores: Mapping[str, object], *, name: str = "", location: Location | None = None, **settings: object
) -> Result:
    """Check scores of which nobody knows the test set: ``check_without_sizes({"ppv": "0.91", "f1": "0.95"})``.

    Decided over all class counts. `settings` are those of the command line: ``aggregation="pooled"`` for one test
    set, ``"mean"`` for means over folds or classes (default: either), ``rounding``, ``eps``, ``percent``,
    ``undefined``.
    """
    from assay.scores.check import check
    from assay.scores.compilation import experiment_of
    from assay.scores.study import nested

    data = {**nested(scores.items(), where="check_without_sizes"), **settings, "name": name}
    return check(experiment_of(data, where="", location=location))


def check_table(frame: Any, *, diagnose: bool = False, workers: int | None = None, **settings: object) -> Any:
    """Check every row of a pandas or polars DataFrame; the frame comes back with columns ``assay_verdict`` and so on.

    Columns are found by their headings; those that hold no score are kept. `settings` hold for all rows.
    """
    from assay.scores.sheets.frames import check_frame

    return check_frame(frame, diagnose=diagnose, workers=workers, **settings)


def check_file(path: Path | str) -> list[Result]:
    """Check every experiment of a study file (TOML, YAML, JSON) or table; a cell that cannot be read is an error."""
    from assay.scores.batch import check_all
    from assay.scores.reading import read_file

    return list(check_all(list(read_file(Path(path)))))
