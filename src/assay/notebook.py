"""``%load_ext assay`` in a notebook: ``%assay`` scans the cells that have been run for leakage.

The cells are read, never run again. A cell that was run several times counts as it was run last, where the notebook
tells which cell it is (Jupyter does); its place in the order is that of its last run, for that is what the variables
now hold.
"""

from __future__ import annotations

import json
from typing import Any

from assay.errors import InputError
from assay.findings import Report

_NAME = "notebook.ipynb"
_MAGIC = "assay"
_LARGEST = 16 * 1024 * 1024


class Scanner:
    """The magic; it remembers the last run of each cell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.last_run: dict[str, int] = {}
        self.superseded: set[int] = set()

    def ran(self, result: Any) -> None:
        """Record that a cell has run; its earlier runs no longer count."""
        cell = getattr(getattr(result, "info", None), "cell_id", None)
        count = getattr(result, "execution_count", None)
        if cell and count:
            if cell in self.last_run:
                self.superseded.add(self.last_run[cell])
            self.last_run[cell] = count

    def scan(self, line: str = "") -> Report | None:
        """Report leakage in the cells run so far, by all rules or by some, as in ``%assay L1.2 L1.3``."""
        from assay.rules import codes_matching

        try:
            wanted = codes_matching(line.replace(",", " ").split())
            report = scan_cells(self.cells(), pictures=not wanted)
            return report.only(wanted) if wanted else report
        except InputError as error:
            print(f"assay: {error}")  # noqa: T201 - a notebook shows a traceback for anything raised
            return None

    def cells(self) -> list[str]:
        """The runs in order: each cell at its execution count, outdated runs empty."""
        history = self.shell.history_manager.input_hist_raw[1:]
        kept = ["" if number in self.superseded else text for number, text in enumerate(history, 1)]
        return ["" if text.lstrip().startswith((f"%{_MAGIC}", "%load_ext")) else text for text in kept]


def scan_cells(cells: list[str], *, pictures: bool = False) -> Report:
    """Report leakage in cells that ran in this order; findings name them by position."""
    from assay.code import read_code
    from assay.leakage.code.analysis import analyse
    from assay.leakage.code.leak_report import report_of, suppressions_in
    from assay.suppressions import apply_suppressions
    from assay.tree.opening import tree_of

    if sum(len(text) for text in cells) > _LARGEST:
        raise InputError(f"the cells hold more than {_LARGEST:,} characters", fix="Scan the saved notebook's parts.")
    held = [
        {"cell_type": "code", "execution_count": number, "source": text, "outputs": [], "metadata": {}}
        for number, text in enumerate(cells, 1)
    ]
    language = {"language_info": {"name": "python"}}
    document = {"cells": held, "metadata": language, "nbformat": 4, "nbformat_minor": 5}
    code = read_code(tree_of({_NAME: json.dumps(document)}))
    report = report_of(analyse(code), ["the cells run so far"], command="%assay", pictures=pictures)
    return apply_suppressions(report, suppressions_in(code.sources))


def load(shell: Any) -> None:
    """Register ``%assay`` in the shell."""
    scanner = Scanner(shell)
    shell.register_magic_function(scanner.scan, "line", _MAGIC)
    shell.events.register("post_run_cell", scanner.ran)
    shell.user_ns_hidden[f"_{_MAGIC}"] = scanner


def unload(shell: Any) -> None:
    """Remove it."""
    scanner = shell.user_ns_hidden.pop(f"_{_MAGIC}", None)
    if scanner is not None:
        shell.events.unregister("post_run_cell", scanner.ran)
        del shell.magics_manager.magics["line"][_MAGIC]
