"""What every reporting command shares: its options, and the last step that they decide.

A command says ``@reporting()`` and takes a `Delivery`; the options read and behave the same everywhere.
"""

from __future__ import annotations

import inspect
import math
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from datetime import datetime
from enum import Enum
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from assay.findings import Severity
from assay.records import dataclass
from assay.report import Format

if TYPE_CHECKING:
    from assay.cli.config import Config
    from assay.findings import Report, Severity

FormatOption = Annotated[
    Format | None, typer.Option("--format", "-f", help="How to write the report.", show_default="text")
]
OutputOption = Annotated[
    list[Path] | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the report there, not on the screen (-); repeatable."),
]
FileOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]
SelectOption = Annotated[
    list[str] | None, typer.Option("--select", metavar="CODES", help="Report only these rules (S, S1, S101,S102).")
]
IgnoreOption = Annotated[list[str] | None, typer.Option("--ignore", metavar="CODES", help="Leave these rules out.")]
FailOption = Annotated[
    Severity | None,
    typer.Option("--fail-on", help="End with 1 from this severity on.", show_default="what the command says"),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="An earlier run's JSON report: report only what changed since."),
]


def a_number(value: Any) -> Any:
    """Parse an option that takes a number; NaN, which passes typer's bounds, is refused."""
    if any(isinstance(given, float) and math.isnan(given) for given in (value if isinstance(value, list) else [value])):
        raise typer.BadParameter("nan is not a number to reckon with.")
    return value


class TextRenderer(Protocol):
    """A command's own text rendering of a report."""

    def __call__(self, report: Report, *, width: int, color: bool) -> str:
        """The text, ending with a line break."""
        ...


@dataclass(frozen=True)
class Delivery:
    """Which findings are wanted, in which formats, and where they are written."""

    format_: FormatOption = None
    output: OutputOption = None
    force: ForceOption = False
    select: SelectOption = None
    ignore: IgnoreOption = None
    baseline: BaselineOption = None
    fail_on: FailOption = None
    findings: bool = True
    """False for a command that only shows tables: it looks for no faults, so it never says "nothing found"."""
    context: typer.Context | None = None
    """The invocation of the command."""

    @cached_property
    def config(self) -> Config:
        """The user's configuration."""
        from assay.cli.config import find_config

        config = find_config()
        if config.libraries or os.environ.get("ASSAY_LIBRARIES"):  # else most commands need none of it
            from assay.libraries.catalogue import use_tables

            use_tables(map(Path, config.libraries))
        return config

    @cached_property
    def targets(self) -> list[tuple[Path | None, Format]]:
        """Output files (None is the screen) with their formats: from the option, the ending, or the configuration."""
        paths = [None if path == Path("-") else path for path in self.output or [Path("-")]]
        if self.format_ and len(paths) == 1:
            return [(paths[0], self.format_)]
        return [(path, _format_of(path) or self.format_ or self.config.format or Format.TEXT) for path in paths]

    def wants(self, how: Format) -> bool:
        """True if an output uses this format."""
        return any(wanted is how for _, wanted in self.targets)

    def refuse_taken(self) -> None:
        """Refuse an output that would not be overwritten before the work starts, which may take long."""
        from assay.report.output import refuse_taken

        for path in self.output or ():
            if path != Path("-"):
                refuse_taken(path, force=self.force)

    def send(self, report: Report, *, text: TextRenderer | None = None, least: Severity = Severity.NOTE) -> int:
        """Write the report to every output; 1 if a finding is at least as grave as --fail-on (or `least`)."""
        from assay.cli import CLEAN, FINDINGS
        from assay.report import write
        from assay.rules import broken_plugins

        chosen = self._chosen(replace(report, command=_with_options(report.command, self.context)))
        for sentence in broken_plugins():
            tell(sentence)
        for path, how in self.targets:
            if path is None:
                _show(chosen, how, text)
            else:
                write(_content(chosen, how, text), path, force=self.force)
                tell(f"report written to {path}")
        worst = min((f.severity.rank for f in chosen.findings), default=None)
        return CLEAN if worst is None or worst > (self.fail_on or least).rank else FINDINGS

    def _chosen(self, report: Report) -> Report:
        from assay.baseline import read_baseline, since

        codes = self._codes()
        chosen = replace(report if codes is None else report.only(codes), descriptive=not self.findings)
        if not self.baseline:
            return chosen
        before = read_baseline(self.baseline)
        return since(chosen, before if codes is None else before.only(codes))

    def _codes(self) -> frozenset[str] | None:
        """The selected rules; None if the user selected none."""
        from assay.rules import all_rules, codes_matching

        select, ignore = _split(self.select or self.config.select), _split(self.ignore or self.config.ignore)
        if not select and not ignore:
            return None
        wanted, unwanted = codes_matching(select), codes_matching(ignore)
        return (wanted or frozenset(rule.code for rule in all_rules())) - unwanted


_WHERE_IT_GOES = frozenset({"format_", "output", "force", "numbers", "badge", "feedback", "rows", "each"})
"""Options that decide where and how a report is written, not what it says."""


def _with_options(command: str, context: typer.Context | None) -> str:
    """The command of a report with its options, so that repeating it gives the same report."""
    if context is None or not command:
        return command
    words = [command]
    for option in context.command.params:
        name = option.name or ""
        given = getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
        if given and name not in _WHERE_IT_GOES:
            words += _option_words(option, context.params[name], command)
    return " ".join(words)


def _option_words(option: Any, value: object, command: str) -> Iterator[str]:
    """An option and its value as a user would type them; empty for arguments and for defaults."""
    flags = [flag for flag in option.opts if flag.startswith("-")]
    if not flags or any(f" {flag}" in command for flag in flags):
        return
    for one in value if isinstance(value, list | tuple) else [value]:
        yield option.secondary_opts[0] if one is False else max(flags, key=len)
        if not isinstance(one, bool):
            yield shlex.quote(_written(one))


def _written(value: object) -> str:
    """An option's value as a user would type it."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value.value) if isinstance(value, Enum) else str(value)


DELIVERY_OPTIONS = tuple(field.name for field in fields(Delivery) if field.name not in {"findings", "context"})
"""Names of the options that decide only where and how a report appears."""


def reporting(*, findings: bool = True) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of a report, as its argument ``delivery``.

    A report without findings (tables only) leaves out the options that choose among them.
    """
    names = DELIVERY_OPTIONS if findings else DELIVERY_OPTIONS[:3]

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        options = inspect.signature(Delivery, eval_str=True).parameters
        signature = inspect.signature(command, eval_str=True)
        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        own = [context, *(p for p in signature.parameters.values() if p.name not in {"delivery", "context"})]
        shown = [p.replace(kind=p.KEYWORD_ONLY) for p in (*own, *(options[name] for name in names))]

        @wraps(command)
        def run(**given: Any) -> int:
            delivery = Delivery(
                **{name: given.pop(name) for name in names}, findings=findings, context=given.pop("context", None)
            )
            delivery.refuse_taken()
            _ = delivery.config  # tables of libraries that it names are for all that follows
            return command(**given, delivery=delivery)

        run.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined] # what typer reads
        run.__annotations__ = {p.name: p.annotation for p in shown} | {"return": int}
        return run

    return decorate


def tell(sentence: str) -> None:
    """Print one line beside the report; quoted file names cannot act on the terminal or break the line."""
    from assay.report.wording import on_one_line

    typer.echo(f"assay: {on_one_line(sentence)}", err=True)


def _split(selectors: Iterable[str]) -> list[str]:
    return [code.strip() for s in selectors for code in s.split(",") if code.strip()]


def _format_of(output: Path | None) -> Format | None:
    """The format that a file's ending selects."""
    if output is None or not output.suffix:
        return None
    endings = {".txt": Format.TEXT, ".htm": Format.HTML} | {f".{f.value}": f for f in Format}
    if output.suffix.lower() not in endings:
        from assay.errors import InputError

        fix = f"End it in {', '.join(f'.{f.value}' for f in Format if f is not Format.TEXT)} or .txt, or add --format."
        raise InputError(f'no format is known for the ending "{output.suffix}"', where=str(output), fix=fix)
    return endings[output.suffix.lower()]


def _content(report: Report, how: Format, text: TextRenderer | None) -> str | bytes:
    """The content of an output file."""
    from assay.report import encoded

    return encoded(report, how) if how.is_binary else _rendered(report, how, text, width=80, color=False)


def _rendered(report: Report, how: Format, text: TextRenderer | None, *, width: int, color: bool) -> str:
    from assay.report import render

    if how is Format.TEXT and text:
        return text(report, width=width, color=color)
    told = report if how is Format.HTML else replace(report, figures=())  # pictures are for the browser
    return render(told, how, width=width, color=color)


def _show(report: Report, how: Format, text: TextRenderer | None) -> None:
    from assay.errors import InputError

    terminal = sys.stdout.isatty()
    if how.is_binary:
        raise InputError(f"{how.value} is a file and not for a screen", fix=f"Add -o report.{how.value}.")
    width = typer.get_terminal_size().columns if terminal else 80
    color = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    shown = _rendered(report, how, text, width=max(40, min(width, 120)), color=color)
    typer.echo(shown, nl=not shown.endswith("\n"), color=color)
