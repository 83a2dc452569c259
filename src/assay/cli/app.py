"""The root command: which question each command answers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from assay import __version__

_HELP = """\b
Can a result be true, was it fairly measured, could somebody get it again?
Exit codes: 0 clean, 1 findings, 2 bad input. No network unless asked."""
_COMMANDS = {
    "audit": "All of this about one result: paper, code, data, scores.",
    "scores": "Can these numbers be true?",
    "leakage": "Did the test set leak into training?",
    "compare": "How sure are these scores, and is one model really better?",
    "repo": "Could somebody run this code and get the result?",
    "paper": "Does the paper say enough to judge and repeat its study?",
    "checklist": "What must be reported?",
    "study": "What happened when somebody tried?",
    "ablate": "How far does each choice that was not reported move the result?",
    "slides": "What does an unreported choice in a slide pipeline cost?",
    "corpus": "What do thousands of subjects add up to?",
    "serve": "The same in a browser, on this machine or for a group.",
    "lsp": "Findings in the editor, as you type.",
    "site": "The same core as static files, for a browser without a server.",
    "metadata": "What do metadata files say?",
}
"""As a newcomer reads them: everything at once, then each question; what looks things up comes last. Each with its line
in the help."""
_LOOK_UPS = {
    "explain": "What does this rule mean, why does it matter, what to do?",
    "rules": "Which rules are there?",
    "schema": "Which JSON Schema do reports and input files follow?",
}


class QuestionsFirst(TyperGroup):
    """Help that lists the commands first."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse an empty word: as a path it would mean the current folder, usually from an unset "$VARIABLE"."""
        if "" in args:
            from assay.errors import InputError

            fix = 'Was a variable not set? For this folder, write ".".'
            raise InputError(f"word {args.index('') + 1} of the command line is empty", fix=fix)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, in the order of a newcomer's questions."""
        order = [*_COMMANDS, *_LOOK_UPS]
        return sorted(super().list_commands(ctx), key=order.index)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Commands before options (the base class does the reverse)."""
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
    """Options that every command has."""


def build(wanted: str = "") -> typer.Typer:
    """The application, or the part that one command needs: importing every command is slow."""
    app = _empty()
    for name in [wanted] if wanted in _COMMANDS else _COMMANDS:
        module = import_module(f"assay.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name, short_help=_COMMANDS[name])(getattr(module, name))
    if wanted not in _COMMANDS:
        reference = import_module("assay.cli.reference")
        for name in _LOOK_UPS:
            app.command(name)(getattr(reference, name))
    return app


def outline() -> typer.Typer:
    """The commands with their help lines only: enough for the root's own help."""
    app = _empty()
    for name, line in (_COMMANDS | _LOOK_UPS).items():
        app.command(name, short_help=line)(lambda: None)
    return app


def names_a_command(words: Sequence[str]) -> bool:
    """True if the command line needs more than the root's help, its version or an unknown-word message."""
    return not {*_COMMANDS, *_LOOK_UPS}.isdisjoint(words)


def _empty() -> typer.Typer:
    app = typer.Typer(
        name="assay",
        cls=QuestionsFirst,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=_HELP)(_root)
    return app
