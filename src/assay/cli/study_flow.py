"""``assay study assess|capture|effect|propose|letter``: what goes into a study from elsewhere, and out of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, FileOption, ForceOption, reporting, tell
from assay.cli.study_entries import located
from assay.cli.study_reports import StudyArgument
from assay.cli.study_store import DEFAULT_STORE, StoreOption, opened, shown, study_at

if TYPE_CHECKING:
    from assay.ablation.effects import ItemEffect, MeasureEffects
    from assay.article.model import Record
    from assay.reproduction.claim_proposals import Proposals

PaperOption = Annotated[str, typer.Option(metavar="NAME", help="The paper, if there are several.")]
AttemptOption = Annotated[str, typer.Option(metavar="NAME", help="The attempt, if there are several.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("assess")(assess)
    app.command("capture")(capture)
    app.command("effect")(effect)
    app.command("propose")(propose)
    app.command("letter")(letter)


# --- assessments -----------------------------------------------------------------------------------


def assess(
    assessment: Annotated[
        Path, typer.Argument(metavar="FILE.yaml", help="An assessment that a person edited (see `assay paper`).")
    ],
    paper: PaperOption = "",
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who assessed, if the file does not say.")] = "",
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Use its scores for the paper although it has scores already.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Put an assessment of a paper into the study.

    Its components of the Article Model become the paper's scores.

    The first assessment of a paper gives the paper its scores. Later ones are kept beside it: `assay study report`
    shows how far assessors agree.
    """
    from assay.article.assessment import read_assessment
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.reproduction.rows import local_day
    from assay.reproduction.store.assessments import add_assessment

    record = _confirmed(read_assessment(assessment).record, str(assessment))
    person = assessor.strip() or record.by.strip()
    if not person:
        raise InputError("who assessed the paper?", where=str(assessment), fix='Fill in "by", or use --assessor.')
    scores = {name: _decimal(grade.value) for name, grade in record.grades.items()}
    with opened(store) as engine:
        entry = located(engine, paper=paper or None)
        adopted = add_assessment(
            engine,
            entry.id,
            {"assessor": person, "day": str(local_day()), "scores": "; ".join(f"{k}={v}" for k, v in scores.items())},
            _paper_cells(record),
            adopt=adopt,
        )
    used = "its components are the paper's scores" if adopted else "the paper keeps the scores that it has"
    tell(f'assessment of paper "{entry.name}" by {person} added: {len(scores)} sub-components; {used}')
    if record.missing:
        tell(f"not assessed or not confirmed: {', '.join(part.id for part in record.missing)}")
    return CLEAN


def _confirmed(record: Record, where: str) -> Record:
    """The record without proposals that nobody confirmed."""
    from dataclasses import replace

    from assay.errors import InputError

    kept = {name: grade for name, grade in record.grades.items() if not grade.proposed}
    if not kept:
        fix = 'Read each quote, correct the value, and remove the line "proposed": that confirms it.'
        raise InputError("nothing in it is confirmed by a person", where=where, fix=fix)
    return replace(record, grades=kept)


def _paper_cells(record: Record) -> dict[str, str]:
    """The component scores and Gundersen & Kjensmo's metric, as a paper's cells."""
    from assay.article.model import article_model, degrees

    cells = {f"component.{c.id}": _decimal(record.component(c), 2) for c in article_model()}
    metric = degrees(record)["R1"]
    return cells | ({"degree": _decimal(metric, 2)} if metric is not None else {})


def _decimal(value: object, digits: int = 4) -> str:
    """A score with the digits that the thesis prints; a dash if it does not apply."""
    from fractions import Fraction

    if not isinstance(value, Fraction):
        return "-"
    return str(value.numerator) if value.denominator == 1 and digits > 2 else f"{float(value):.{digits}f}"


# --- environments ----------------------------------------------------------------------------------


def capture(
    paper: PaperOption = "",
    attempt: AttemptOption = "",
    code: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The code that was run, a work tree of git.", show_default=".")
    ] = None,
    environment: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="A virtual environment.", show_default="the active one"),
    ] = None,
    packages: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What `pip freeze` printed, instead of an environment.")
    ] = None,
    container: Annotated[str, typer.Option(metavar="IMAGE", help="The container image that was used.")] = "",
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Record commit, packages and hardware of an attempt.

    Run it on the machine and in the environment of the attempt. Nothing is executed: everything is read from files.
    """
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.files import read_text
    from assay.report.wording import counted
    from assay.reproduction import environment as machine
    from assay.reproduction.rows import joined
    from assay.reproduction.store.edits import change
    from assay.reproduction.store.kinds import Kind

    listed = (
        machine.packages_listed(read_text(packages), str(packages)) if packages else machine.packages_in(environment)
    )
    cells = {
        "hardware": machine.hardware(),
        "packages": joined(listed),
        "container": container or machine.container(),
    }
    try:
        cells["commit"] = machine.commit_of(code or Path())
    except InputError:
        if code is not None:
            raise
    with opened(store) as engine:
        seen = located(engine, paper=paper or None, attempt=attempt or None)
        change(engine, Kind.ATTEMPT, seen.id, seen.version, cells)
    named = [f"{name} {value}" for name, value in cells.items() if value and name != "packages"]
    tell(f'attempt "{seen.name}": {"; ".join((*named, counted(len(listed), "package")))}')
    if "commit" not in cells:
        tell("no commit: this folder is no work tree of git; name the code with --code")
    return CLEAN


# --- measured effects ------------------------------------------------------------------------------


def effect(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of `assay study list discrepancies`.")],
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan of `assay ablate` whose runs are finished.")],
    item: Annotated[str, typer.Option(metavar="LABEL", help="The item of the plan.", show_default="the only one")] = "",
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="The measure.", show_default="the first of the plan")
    ] = "",
    runs: Annotated[
        Path | None, typer.Option("--runs", metavar="DIR", help="Finished runs.", show_default="beside the plan")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Link a discrepancy to an effect that was measured.

    The finished runs of `assay ablate` are read; nothing is run.
    """
    from assay.ablation.plan import read_plan
    from assay.ablation.series import stored_effects
    from assay.cli import CLEAN
    from assay.reproduction.store.edits import change, entry
    from assay.reproduction.store.kinds import Kind

    found = stored_effects(read_plan(plan), runs or plan.with_suffix(".runs"))
    of = _measure_effects(found, measure, str(plan))
    chosen = _item_effect(of, item, str(plan))
    name, largest = max(chosen.alternatives, key=lambda one: abs(one[1].value))
    places = of.decimals
    interval = "" if largest.low is None or largest.high is None else (
        f", 95 % interval {largest.low:.{places}f} to {largest.high:.{places}f}"
    )  # fmt: skip
    cells = {
        "effect": f"{largest.value:+.{places}f}",
        "effect_on": of.measure,
        "effect_source": f"{plan.name}: {chosen.label}: {name}, {largest.seeds} seeds{interval}",
    }
    with opened(store) as engine:
        seen = entry(engine, Kind.DISCREPANCY, number)
        change(engine, Kind.DISCREPANCY, number, seen.version, cells)
    tell(
        f"discrepancy {number} ({seen.cells['category']}): {cells['effect']} on {of.measure} ({cells['effect_source']})"
    )
    return CLEAN


def _measure_effects(found: tuple[MeasureEffects, ...], measure: str, where: str) -> MeasureEffects:
    """Effects on the requested measure, or on the first one."""
    from assay.errors import InputError, suggestion

    if not found:
        raise InputError("no item has enough finished runs", where=where, fix="Make the runs that are missing.")
    measures = {one.measure: one for one in found}
    if measure and measure not in measures:
        fix = suggestion(measure, measures) or f"The runs gave {', '.join(list(measures)[:12])}."
        raise InputError(f'there is no measure "{measure}"', where=where, fix=fix)
    return measures[measure] if measure else found[0]


def _item_effect(effects: MeasureEffects, item: str, where: str) -> ItemEffect:
    """The effect of the requested item, or of the only one."""
    from assay.errors import InputError, suggestion

    items = {one.label: one for one in effects.items}
    if item not in items and (item or len(items) != 1):
        fix = suggestion(item, items) or f"The items are {', '.join(items)}."
        raise InputError(f'there is no item "{item}"' if item else "which item?", where=where, fix=fix)
    return items[item] if item else next(iter(items.values()))


# --- claims of a manuscript --------------------------------------------------------------------------


@reporting(findings=False)
def propose(
    manuscript: Annotated[
        Path, typer.Argument(metavar="MANUSCRIPT", help="The report on the study: .tex, .docx, .md …")
    ],
    store: StoreOption = DEFAULT_STORE,
    add: Annotated[
        str, typer.Option("--add", metavar="NUMBERS", help="Keep these proposals as claims: 1,3 or all.")
    ] = "",
    *,
    delivery: Delivery,
) -> int:
    """What does a manuscript claim about the study?

    Its sentences with counts and shares are computed again.

    Proposals are not claims of the study until you add them with --add.
    """
    from assay.article.reading import read_paper
    from assay.findings import Report, Table
    from assay.reproduction.claim_proposals import propose_claims

    sentences = [(str(sentence.location), sentence.text) for sentence in read_paper(manuscript).sentences]
    found = propose_claims(study_at(store), sentences)
    if add:
        _keep(store, found, add)
    rows = tuple(
        (number, one.found.claim.where, one.found.claim.says, one.found.claim.measure, _selectors(one.found.claim.of),
         one.found.claim.value, one.found.by_rule, one.found.standing.value)
        for number, one in enumerate(found.proposals, 1)
    )  # fmt: skip
    columns = ("number", "where", "sentence", "measure", "of", "says", "records", "it")
    unbound = tuple(f"not bound to the records: {sentence}" for sentence in found.unbound)
    title = f"Claims that {manuscript.name} may make about {shown(store)}"
    table = Table("Proposed claims", columns, rows)
    made = Report(title=title, question="Do a text and its records agree?", tables=(table,) if rows else (),
                  left_out=unbound)  # fmt: skip
    return delivery.send(made)


def _selectors(of: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{key}={value}" for key, value in of)


def _keep(store: str, found: Proposals, chosen: str) -> None:
    from assay.errors import InputError
    from assay.reproduction.cells import CLAIM, claim_cells
    from assay.reproduction.store.edits import add
    from assay.reproduction.store.kinds import Kind

    last = len(found.proposals)
    words = [word.strip() for word in chosen.split(",") if word.strip()]
    if words == ["all"]:
        words = [str(number) for number in range(1, last + 1)]
    for word in words:
        if not word.isdecimal() or not 1 <= int(word) <= last:
            raise InputError(
                f'there is no proposal "{word[:20]}"', where="--add", fix=f"Choose from 1 to {last}, or all."
            )
    with opened(store) as engine:
        for word in words:
            cells = claim_cells(found.proposals[int(word) - 1].found.claim)
            add(engine, Kind.CLAIM, dict(zip(CLAIM, cells, strict=True)))
    tell(f"{len(words)} claims added")


# --- letters -----------------------------------------------------------------------------------------


def letter(
    study: StudyArgument,
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="The id of a paper of the study.")],
    attempt: AttemptOption = "",
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """Write a letter to the authors of a paper.

    It says what went well and what was missing. A draft in Markdown: read it before you send it.
    """
    from assay.cli import CLEAN
    from assay.report import write
    from assay.reproduction.attempted import chosen
    from assay.reproduction.letter import letter as written

    whole = study_at(study)
    text = written(whole, chosen(whole, paper, attempt))
    if output:
        write(text, output, force=force)
        tell(f"letter written to {output}")
    else:
        typer.echo(text, nl=False)
    return CLEAN
