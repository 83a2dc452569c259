"""``assay study add results|papers``: whole tables and bibliographies in one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import tell
from assay.cli.study_store import DEFAULT_STORE, StoreOption, begin_default, opened, shown

if TYPE_CHECKING:
    from assay.reproduction.store.results import Added

TableArgument = Annotated[
    Path,
    typer.Argument(metavar="TABLE", help="CSV, spreadsheet, LaTeX, HTML, Markdown, pasted text; - for standard input."),
]

_QUESTIONS = 3
"""More of them would hide the other lines."""


def add_to(adding: typer.Typer) -> None:
    """Add the commands to `assay study add`."""
    adding.command("results")(results)
    adding.command("papers")(papers)


def results(
    table: TableArgument,
    reproduced: Annotated[
        Path | None, typer.Argument(metavar="[REPRODUCED]", help="The same table with your numbers.")
    ] = None,
    paper: Annotated[
        str, typer.Option(metavar="NAME", help="The paper; made if it is new. [default: that of the table]")
    ] = "",
    attempt: Annotated[
        str, typer.Option(metavar="NAME", help="The attempt, if there are several; it is made if it is new.")
    ] = "",
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="Columns are data sets, their cells values of this metric.")
    ] = "",
    by: Annotated[str, typer.Option(metavar="COLUMNS", help="Columns that name rows, as method,dataset.")] = "",
    number: Annotated[
        int | None, typer.Option("--table", metavar="N", min=1, help="Which table of the file.", show_default=False)
    ] = None,
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Add the results of a table, by method and data set.

    Each method on each data set is one experiment. Without --paper, the paper is that of a column "paper"; the first
    one of a study may also be called after the file.

    Reproduced numbers stand in REPRODUCED, in columns such as accuracy_reproduced, or come later: the same command
    with more numbers completes what is there.
    """
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.reproduction.result_files import read_raw
    from assay.reproduction.result_import import results_in
    from assay.reproduction.store.results import add_results, usual_paper

    columns = tuple(name.strip() for name in by.split(",") if name.strip())
    other = read_raw(reproduced, number) if reproduced else None
    found = results_in(read_raw(table, number), other, by=columns, metric=metric)
    named = paper.strip() or found.paper
    begin_default(store)
    with opened(store) as engine:
        about = named or usual_paper(engine, "" if str(table) == "-" else table.stem)
        if not about:
            fix = "Name it: --paper lecun98. It is made if it is new."
            raise InputError("which paper are the results from?", fix=fix)
        added = add_results(engine, about, attempt.strip(), found.experiments)
    if not named:
        tell(f'the paper is called "{about}" after the file; --paper gives it another name')
    for line in (*_sentences(added), *(f"left out: {note}" for note in found.left_out)):
        tell(line)
    tell(f"try `assay study report {shown(store)}`")
    return CLEAN


def papers(
    bibliography: Annotated[Path, typer.Argument(metavar="FILE.bib", help="A BibTeX file: one entry for each paper.")],
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Add the papers of a bibliography.

    Their titles, authors, venues, years and DOIs are kept.
    """
    from assay.cli import CLEAN
    from assay.files import read_text
    from assay.reproduction.bibliography import papers_in
    from assay.reproduction.store.edits import add_all
    from assay.reproduction.store.kinds import Kind

    found = papers_in(read_text(bibliography), str(bibliography))
    with opened(store) as engine:
        add_all(engine, Kind.PAPER, found)
    tell(
        f"{len(found)} papers added: {', '.join(cells['id'] for cells in found[:10])}{', …' if len(found) > 10 else ''}"
    )
    return CLEAN


def _sentences(added: Added) -> list[str]:
    names = [f'{entry.kind} "{entry.name}"{" (new)" if entry.kind in added.new else ""}' for entry in
             (added.paper, added.attempt)]  # fmt: skip
    counts = {"new": added.results, "completed": added.completed, "there already": added.unchanged}
    listed = ", ".join(f"{number} {how}" for how, number in counts.items() if number)
    lines = [f"{', '.join(names)}: {added.experiments} new experiments; results: {listed}"]
    if added.verdicts:
        verdicts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(added.verdicts.items()))
        lines.append(f"reproduced numbers: {verdicts}")
    lines += added.questions[:_QUESTIONS]
    if len(added.questions) > _QUESTIONS:
        lines.append(f"and {len(added.questions) - _QUESTIONS} more questions: see `assay study check`")
    return lines
