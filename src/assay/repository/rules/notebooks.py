"""R701 to R704: would each notebook run from top to bottom, and show what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, numbers, quote
from assay.repository.rules.instrument import applies_if, repository
from assay.repository.rules.wording import counted, listed
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.notebooks import NotebookRun
    from assay.repository.notebooks.state import Dependence

_PIMENTEL = Source(
    "J. F. Pimentel, L. Murta, V. Braganholo, J. Freire, A Large-scale Study about Quality and Reproducibility of "
    "Jupyter Notebooks, MSR 2019"
)
_NONE = "there are no notebooks"


def _notebook(*cells: tuple[str, int | None, str]) -> str:
    """A notebook as an example: code, number and error of each cell."""
    import json

    made: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "source": code,
            "execution_count": count,
            "metadata": {},
            "outputs": [{"output_type": "error", "ename": error, "evalue": "", "traceback": []}] if error else [],
        }
        for code, count, error in cells
    ]
    language = {"language_info": {"name": "python", "version": "3.11.2"}, "kernelspec": {"name": "python3"}}
    return f"==> analysis.ipynb <==\n{json.dumps({'cells': made, 'metadata': language, 'nbformat': 4}, indent=1)}\n"


_GOOD = _notebook(("x = 1", 1, ""), ("print(x)", 2, ""))


def _executed(facts: Repository) -> list[NotebookRun]:
    return [n for n in facts.notebooks if n.executed]


@repository.rule(
    "R701",
    title="Notebook executed out of order",
    severity=Severity.NOTE,
    failing=_notebook(("x = 1", 2, ""), ("print(x)", 1, "")),
    passing=_GOOD,
    source=_PIMENTEL,
    advice="Restart the kernel, run all cells, look whether the results are still the same, and save.",
)
@applies_if(_executed, otherwise="no notebook shows a run")
def out_of_order(facts: Repository) -> Iterator[Finding]:
    """Cells that ran in another order may have given results that the notebook as it stands does not give."""
    for notebook in _executed(facts):
        jumps = notebook.out_of_order
        if jumps:
            yield out_of_order.finding(
                f"{counted(len(jumps), 'cell')} ran before a cell above it",
                subject=notebook.path,
                location=jumps[0],
                evidence=[
                    facts.quote(jumps[0]),
                    numbers({"cells run": len(notebook.executed), "numbers missing": len(notebook.gaps)}),
                ],
            )


@repository.rule(
    "R702",
    title="Notebook with an error",
    severity=Severity.ERROR,
    failing=_notebook(("import nothing", 1, "ModuleNotFoundError")),
    passing=_GOOD,
    source=_PIMENTEL,
    advice="Fix the cell, restart the kernel and run all, or say beside it that the error is meant.",
)
@applies_if(_executed, otherwise="no notebook shows a run")
def saved_error(facts: Repository) -> Iterator[Finding]:
    """The authors' own last run failed there; nobody else's will get further."""
    for notebook in _executed(facts):
        if notebook.errors:
            place, message = notebook.errors[0]
            last = place.cell == max(p.cell or 0 for p, _ in notebook.executed)
            level = None if last else Severity.WARNING
            yield saved_error.finding(
                f"{counted(len(notebook.errors), 'cell')} ended with an exception: {message}",
                subject=notebook.path,
                location=place,
                evidence=[facts.quote(place), quote(message, place)],
                severity=Severity.NOTE if len(notebook.errors) > 1 else level,  # several are shown on purpose
            )


@repository.rule(
    "R703",
    title="Undefined name in a notebook",
    severity=Severity.WARNING,
    failing=_notebook(("print(threshold)", 1, "")),
    passing=_GOOD,
    source=_PIMENTEL,
    advice="Define the name in a cell above its first use, restart the kernel and run all.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.notebooks, otherwise=_NONE)
def hidden_state(facts: Repository) -> Iterator[Finding]:
    """The name was defined in a cell that was deleted or comes later; a fresh run stops with a NameError."""
    for notebook in facts.notebooks:
        failed = " ".join(message for _, message in notebook.errors)  # R702 reports these names
        hidden = sorted((d for d in notebook.hidden_state if f"'{d.name}'" not in failed), key=lambda d: d.deferred)
        for first in hidden[:1]:
            yield hidden_state.finding(
                _without_definition([d.name for d in hidden], first),
                subject=notebook.path,
                location=first.used,
                evidence=[facts.quote(first.used)],
                severity=Severity.NOTE if first.deferred else None,
            )


def _without_definition(names: list[str], first: Dependence) -> str:
    later = f"defined only later, at {first.defined}" if first.defined else "defined nowhere"
    inside = ", and used inside functions only" if first.deferred else ""
    return f"`{first.name}` is {later}{inside}" + (f"; likewise {listed(names[1:])}" if len(names) > 1 else "")


@repository.rule(
    "R704",
    title="Partly executed notebook",
    severity=Severity.NOTE,
    failing=_notebook(("x = 1", 1, ""), ("print(x)", None, "")),
    passing=_GOOD,
    source=_PIMENTEL,
    advice="Restart the kernel, run all cells and save, or remove the cells that are not needed.",
)
@applies_if(_executed, otherwise="no notebook shows a run")
def partly_run(facts: Repository) -> Iterator[Finding]:
    """Nobody knows whether the cells without a number work, or whether the results above needed them."""
    for notebook in _executed(facts):
        if notebook.never_run:
            first = notebook.never_run[0]
            yield partly_run.finding(
                f"{len(notebook.never_run)} of {counted(notebook.code_cells, 'cell')} never ran",
                subject=notebook.path,
                location=first,
                evidence=[facts.quote(first)],
            )
