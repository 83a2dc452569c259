"""The last step of every command: choose findings, write the report, give the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from assay.baseline import read_baseline, since
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
    output: Sequence[Path] | None,
    force: bool,
    select: Iterable[str] | None,
    ignore: Iterable[str] | None,
    baseline: Path | None = None,
) -> int:
    """Write the report wherever and however it is wanted; 1 when it has findings, 0 when it is clean."""
    codes = _codes(select or config.select, ignore or config.ignore)
    chosen = report.only(codes)
    if baseline:
        chosen = since(chosen, read_baseline(baseline).only(codes))
    for sentence in broken_plugins():
        typer.echo(f"assay: {sentence}", err=True)
    for path, how in targets(format_, output, config):
        told = chosen if how is Format.HTML else replace(chosen, figures=())  # pictures are for the browser
        if path is None:
            _show(told, how)
        else:
            write(render(told, how), path, force=force)
            typer.echo(f"assay: report written to {path}", err=True)
    return CLEAN if chosen.clean else FINDINGS


def targets(format_: Format | None, output: Sequence[Path] | None, config: Config) -> list[tuple[Path | None, Format]]:
    """Where to write, None being the screen, and in which format: the option's, the file ending's, the configured."""
    paths = [None if path == Path("-") else path for path in output or [Path("-")]]
    return [(path, format_ or _format_of(path) or config.format or Format.TEXT) for path in paths]


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
