"""``assay study log`` and ``assay study timer``: hours spent, written down or counted."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options import tell
from assay.cli.study_entries import located
from assay.cli.study_store import DEFAULT_STORE, StoreOption, opened

PaperOption = Annotated[str | None, typer.Option(metavar="NAME", help="The paper, if there are several.")]
AttemptOption = Annotated[str | None, typer.Option(metavar="NAME", help="The attempt, if the paper has several.")]
PersonOption = Annotated[
    str, typer.Option("--person", metavar="NAME", envvar="ASSAY_PERSON", help="Who works.", show_default="you")
]

_DAY = 24


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("log")(log)
    timer = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Count the hours while somebody works.")
    timer.command("start")(start)
    timer.command("stop")(stop)
    timer.command("cancel")(cancel)
    timer.command("status")(status)
    app.add_typer(timer, name="timer")


def log(
    time: Annotated[str, typer.Argument(metavar="TIME", help="2h, 1h30, 90min, 1:30 or 1.5.")],
    activity: Annotated[str, typer.Argument(metavar="ACTIVITY", help="What was done.")],
    paper: PaperOption = None,
    attempt: AttemptOption = None,
    day: Annotated[str, typer.Option(metavar="DATE", help="When, as 2018-06-18.", show_default="today")] = "",
    person: PersonOption = "",
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Record hours spent on an attempt."""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.reproduction.rows import local_day
    from assay.reproduction.store.clock import hours_in, hours_used
    from assay.reproduction.store.edits import add
    from assay.reproduction.store.kinds import Kind

    hours = hours_in(time)
    if hours > _DAY:
        raise InputError(f"{hours} h are more than a day has", fix="Log each day with --day.")
    cells = {"day": day or str(local_day()), "hours": str(hours), "activity": activity, "person": person or _me()}
    with opened(store) as engine:
        under = located(engine, paper=paper, attempt=attempt).id
        add(engine, Kind.TIME, cells, under=under)
        spent, budget = hours_used(engine, under)
    tell(f"{hours} h of {activity} logged; {spent} of {budget} h used")
    return CLEAN


def start(
    activity: Annotated[str, typer.Argument(metavar="ACTIVITY", help="What is done.")],
    paper: PaperOption = None,
    attempt: AttemptOption = None,
    person: PersonOption = "",
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Start the clock. It keeps running if this machine stops."""
    from assay.cli import CLEAN
    from assay.reproduction.store.clock import start_timer

    with opened(store) as engine:
        start_timer(engine, located(engine, paper=paper, attempt=attempt).id, person or _me(), activity)
    tell(f"the clock runs for {activity}")
    return CLEAN


def stop(
    hours: Annotated[str, typer.Option(metavar="TIME", help="Log this instead of what the clock shows.")] = "",
    person: PersonOption = "",
    store: StoreOption = DEFAULT_STORE,
) -> int:
    """Stop the clock and log its hours."""
    from assay.cli import CLEAN
    from assay.reproduction.store.clock import hours_in, hours_used, stop_timer

    given = hours_in(hours) if hours else None
    with opened(store) as engine:
        logged = stop_timer(engine, person or _me(), hours=given)
        spent, budget = hours_used(engine, logged.above or 0)
    said = f"{logged.cells['hours']} h of {logged.cells['activity']} logged"
    tell(f"{said}; {spent} of {budget} h used")
    return CLEAN


def cancel(person: PersonOption = "", store: StoreOption = DEFAULT_STORE) -> int:
    """Stop the clock and log nothing."""
    from assay.cli import CLEAN
    from assay.reproduction.store.clock import cancel_timer

    with opened(store) as engine:
        gone = cancel_timer(engine, person or _me())
    tell(f"the clock for {gone.activity} is stopped, and nothing logged")
    return CLEAN


def status(store: StoreOption = DEFAULT_STORE) -> int:
    """Which clocks are running?"""
    from datetime import UTC, datetime

    from assay.cli import CLEAN
    from assay.report.wording import on_one_line
    from assay.reproduction.store.clock import timers

    now = datetime.now(UTC)
    with opened(store) as engine:
        running = timers(engine)
    for timer in running:
        minutes = int(timer.ran(now).total_seconds()) // 60
        ran = f"{minutes // 60}:{minutes % 60:02}"
        given = f"{timer.person}: {timer.activity} (paper {timer.paper}, attempt {timer.attempt})"
        typer.echo(f"{ran:>6} h  {on_one_line(given)}")
    return CLEAN


def _me() -> str:
    import getpass

    from assay.errors import InputError

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise InputError("who works?", fix="Name the person with --person.") from None
