"""The examples of the rules: a command, then the file that it reads."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.comparison.results import Comparison


def read_example(text: str) -> Comparison:
    """The comparison that the example's command would make of the table below it."""
    import io

    import polars as pl

    from assay.comparison.analysis import compare
    from assay.comparison.folds import compare_folds
    from assay.comparison.prediction_files import Columns, folds_of, predictions_in
    from assay.comparison.results import Settings

    command, _, table_text = text.strip().partition("\n")
    words = shlex.split(command)
    options = {word: words[i + 1] for i, word in enumerate(words[:-1]) if word.startswith("--")}
    table = pl.read_csv(io.StringIO(table_text))
    settings = Settings(resamples=0, claim=options.get("--claim"))
    if "--fold" in options:
        return compare_folds(folds_of(table, fold=options["--fold"], where=words[2]), settings)
    columns = Columns(
        group=tuple(filter(None, [options.get("--group")])), time=tuple(filter(None, [options.get("--time")]))
    )
    return compare(predictions_in(table, columns, where=words[2], last_outcome="--last-outcome" in words), settings)
