"""The last step of every command: choose findings, write the report, give the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import typer

from assay.cli import CLEAN, FINDINGS
from assay.cli.config import Config
from assay.findings import Report
from assay.report import Format, render, write
from assay.rules import all_rules, broken_plugins, codes_matching


def deliver(
    report: Report,
    config: Config,
    *,
    format_: Format | None,
    output: Path | None,
    force: bool,
    select: Iterable[str] | None,
    ignore: Iterable[str] | None,
) -> int:
    """Write the report where and how it is wanted; 1 when it has findings, 0 when it is clean."""
    chosen = report.only(_codes(select or config.select, ignore or config.ignore))
    how = chosen_format(format_, output, config)
    for sentence in broken_plugins():
        typer.echo(f"assay: {sentence}", err=True)
    if output is None:
        _show(chosen, how)
    else:
        write(render(chosen, how), output, force=force)
        typer.echo(f"assay: report written to {output}", err=True)
    return CLEAN if chosen.clean else FINDINGS


def chosen_format(format_: Format | None, output: Path | None, config: Config) -> Format:
    """What the option says, else the file's ending, else the configuration."""
    return format_ or _format_of(output) or config.format or Format.TEXT


def _codes(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    wanted, unwanted = codes_matching(_split(select)), codes_matching(_split(ignore))
    return (wanted or frozenset(rule.code for rule in all_rules())) - unwanted


def _split(selectors: Iterable[str]) -> list[str]:
    return [code.strip() for s in selectors for code in s.split(",") if code.strip()]


def _format_of(output: Path | None) -> Format | None:
    """The format that a file's ending asks for."""
    if output is None:
        return None
    endings = {".txt": Format.TEXT, ".htm": Format.HTML} | {f".{f.value}": f for f in Format}
    return endings.get(output.suffix.lower())


def _show(report: Report, how: Format) -> None:
    terminal = sys.stdout.isatty()
    width = typer.get_terminal_size().columns if terminal else 80
    color = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    text = render(report, how, width=max(40, min(width, 120)), color=color)
    typer.echo(text, nl=not text.endswith("\n"), color=color)
