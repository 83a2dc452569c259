"""Any instrument over thousands of subjects, on this machine or on a cluster, and a report on all results.

One run is a folder: a manifest and a Parquet dataset that only ever grows by whole parts. See `assay.corpus.batches`
for how subjects are examined and `assay.corpus.store` for what a crash cannot harm.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.corpus.results import Results

__all__ = ["open_results"]


def open_results(folder: Path | str) -> Results:
    """The results of a run, to query and to report: ``open_results("out").query("select * from findings")``."""
    from assay.corpus.results import Results

    return Results.of(Path(folder))
