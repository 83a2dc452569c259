"""A starter notebook: the report, its questions as queries, and a plot to modify."""

from __future__ import annotations

import json
from typing import Any

from assay.corpus.results import Results, column


def notebook_of(results: Results, group: str | None = None) -> str:
    """The source of a notebook about this run, without outputs."""
    chosen = group or next(iter(results.groups), None)
    cells = [
        _text(f"# A corpus of {results.rows:,} subjects\n\nMade by `assay corpus report`; change whatever you like."),
        _code(
            "from assay.corpus import open_results\n\n"
            f"results = open_results({str(results.folder)!r})\n"
            f"results.report(group={group!r})"
        ),
        _text("## How common is each finding?\n\n`query` gives columns and rows; polars makes a table of them."),
        _code(
            "import polars as pl\n\n"
            "def table(sql):\n"
            "    answer = results.query(sql)\n"
            "    return pl.DataFrame(list(answer.rows), schema=list(answer.columns), orient='row')\n\n"
            f"found = table('''\n{_prevalence(chosen)}\n''')\n"
            "found"
        ),
        _code(
            "import matplotlib.pyplot as plt\n\n"
            "top = found.head(15).reverse()\n"
            "plt.barh([str(label) for label in top['label']], top['share'])\n"
            "plt.xlabel('share of examined subjects')\n"
            "plt.tight_layout()"
        ),
        _text("## What failed, and what took long?"),
        _code("table('select outcome, count(*) as subjects from failures group by outcome')"),
        _code("table('select subject, seconds, peak_mb from timings order by seconds desc limit 10')"),
    ]
    notebook = {
        "cells": [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1) + "\n"


def _prevalence(group: str | None) -> str:
    return _PREVALENCE.replace("GROUP", column(group) if group else "'all'")


_PREVALENCE = """with members as (
    select row, GROUP as grp, count(*) over (partition by grp) as examined from subjects where outcome = 'done'
)
select grp || ': ' || code as label, any_value(title) as title, count(distinct row) as affected,
       any_value(examined) as examined, count(distinct row) / any_value(examined) as share
from findings join members using (row) group by grp, code order by share desc, label"""


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
