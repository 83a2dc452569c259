"""The root command: which question each command answers."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from assay import __version__
from assay.cli import (
    ablate,
    audit,
    checklist,
    compare,
    corpus,
    leakage,
    metadata,
    paper,
    reference,
    repo,
    scores,
    serve,
    slides,
    study,
)

_EPILOG = "Exit codes: 0 clean, 1 findings, 2 bad input. No network unless asked."
_ORDER = (
    "audit", "scores", "leakage", "compare", "repo", "paper", "checklist", "study", "ablate", "slides", "corpus",
    "serve", "metadata", *reference.COMMANDS,
)  # fmt: skip
"""As a newcomer reads them: everything at once, then each question, then what looks things up."""


class QuestionsFirst(TyperGroup):
    """Help that starts with the commands, for each is the question a reader comes with."""

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of a newcomer's questions."""
        return sorted(super().list_commands(ctx), key=_ORDER.index)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Commands, then options (the base class has it the other way round)."""
        for option in self.params:  # one word on completion is enough: what installs it can also show it
            option.hidden = getattr(option, "hidden", False) or option.name == "show_completion"  # type: ignore[attr-defined]
        self.format_commands(ctx, formatter)
        commands, self.commands = self.commands, {}
        try:
            super().format_options(ctx, formatter)
        finally:
            self.commands = commands


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something goes wrong.")] = False,
) -> None:
    """Can a result be true, was it fairly measured, could somebody get it again?"""


def build() -> typer.Typer:
    """The whole application."""
    app = typer.Typer(
        name="assay",
        cls=QuestionsFirst,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog=_EPILOG)(_root)
    app.command("audit", short_help="All of this about one result: paper, code, data, scores.")(audit.audit)
    app.add_typer(scores.app, name="scores")
    app.add_typer(leakage.app, name="leakage")
    app.command("compare")(compare.compare)
    app.add_typer(repo.app, name="repo")
    app.command("paper", short_help="Does the paper say enough to judge and repeat its study?")(paper.paper)
    app.add_typer(checklist.app, name="checklist")
    app.add_typer(metadata.app, name="metadata")
    app.add_typer(study.app, name="study")
    app.add_typer(slides.app, name="slides")
    app.command("ablate")(ablate.ablate)
    app.add_typer(corpus.app, name="corpus")
    app.command("serve", short_help="The same in a browser, on this machine or for a group.")(serve.serve)
    reference.add_to(app)
    return app
