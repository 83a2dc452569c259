"""The command line: one module per command group, each light to import.

`main` is the door: it turns every foreseeable failure into one line on stderr and a documented exit
code (0 clean, 1 findings, 2 usage or input error, 3 a fault of our own).
"""

from __future__ import annotations

import errno
import io
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from assay.garbage import look_no_more, look_rarely
from assay.memory import limit_memory

if TYPE_CHECKING:
    import typer

CLEAN, FINDINGS, BAD_INPUT, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit codes; typer gives the last one when the user presses Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code. ``--debug``, anywhere, lets tracebacks through."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    look_rarely()
    if arguments is not None:
        return _guarded(given)
    _keep_output_clean()
    try:
        return _guarded(given, first=limit_memory)
    finally:
        look_no_more()


def _guarded(given: list[str], first: Callable[[], None] = lambda: None) -> int:
    """Run a command; every exception becomes one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a sign gets a stand-in, not a crash
            stream.reconfigure(errors="replace")
    try:
        first()
        code = _run([a for a in given if a != "--debug"])
        return _complain("interrupted; what was finished before is kept", code) if code == INTERRUPTED else code
    except BrokenPipeError:  # the reader of our output (head, less) has gone: not an error
        _write_no_more()
        return CLEAN
    except Exception as error:
        if "--debug" in given:
            raise
        return _explain(error, given)


def _keep_output_clean() -> None:
    """Send only the report to standard output when a program reads it.

    What libraries print by themselves (HiGHS does, whatever its options say) goes where errors go. At a terminal
    nothing moves: line editing needs the real one. A stream that the parent process has closed leads nowhere.
    """
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    if not sys.stdout.isatty():
        ours = os.dup(sys.stdout.fileno())
        os.dup2(sys.stderr.fileno(), 1)
        sys.stdout = os.fdopen(ours, "w", encoding=sys.stdout.encoding)


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _write_no_more() -> None:
    """Do not retry failed writes when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    from assay.cli.app import build, names_a_command, outline

    completes = "_ASSAY_COMPLETE" in os.environ  # the shell asks for words of any command
    app = build(next(iter(arguments), "")) if completes or names_a_command(arguments) else outline()
    # Outside standalone mode typer returns what the command returned, or the code of an early exit.
    code = app(args=arguments, prog_name="assay", standalone_mode=False)
    return code if isinstance(code, int) else CLEAN


_USUAL_COMMAND = {"assay scores": "check", "assay leakage": "code", "assay checklist": "check", "assay corpus": "run"}
"""The subcommand meant when the second word is left out."""


def _full_command(message: str, group: str, given: Sequence[str]) -> str:
    """The full command, when a group was given a target but no subcommand."""
    usual = _USUAL_COMMAND.get(group)
    words = list(given)
    if usual is None or not message.startswith("No such command") or len(words) < 2:
        return ""
    target = words[1]
    if "=" not in target and not os.access(target, os.F_OK):
        return ""
    if group == "assay leakage" and target.lower().endswith((".csv", ".parquet", ".xlsx", ".tsv")):
        return f"Did you mean: assay leakage data --train {target} --test ...?"
    return f"Did you mean: assay {words[0]} {usual} {shlex.join(words[1:])}?"


def _explain(error: Exception, given: Sequence[str] = ()) -> int:
    import typer

    from assay.errors import InputError
    from assay.extras import missing_package

    match error:
        case typer.Abort():
            message = "stopped; what was finished before is kept"
        case typer.TyperException():
            return _explain_usage(error, given)
        case InputError():
            message = str(error)
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            _write_no_more()
            message = "there is no space left on the device. Free some, or write elsewhere."
        case OSError(filename=str() | bytes()):
            what = (error.strerror or type(error).__name__).lower()
            message = f"{os.fsdecode(error.filename)}: {what}. Check that it exists and that you may use it."
        case MemoryError():
            message = "not enough memory for this input"
        case ImportError() if missing := missing_package(error, given):
            message = str(missing)
        case _:
            what = f"{type(error).__name__}: {error}"
            return _complain(f"internal error ({what}). Please report it with the output of `--debug`.", OUR_FAULT)
    return _complain(message, BAD_INPUT)


def _explain_usage(error: typer.TyperException, given: Sequence[str]) -> int:
    """Explain a usage error and name the next step."""
    import typer

    message, context = error.format_message(), getattr(error, "ctx", None)
    if message.startswith("Usage:"):  # a bare command group: its help is the message
        typer.echo(message, err=True)
        return BAD_INPUT
    hint = f" Try `{context.command_path} --help`." if context else ""
    if context and (full := _full_command(message, context.command_path, given)):
        hint = f" {full}"
    end = "" if message.endswith(("?", ".")) else "."
    return _complain(f"{message}{end}{hint}", BAD_INPUT)


def _complain(message: str, code: int) -> int:
    """Print one line to stderr; control characters are escaped, because messages may quote hostile input."""
    line = " ".join(message.split())
    printable = "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
    print(f"assay: {printable}", file=sys.stderr)  # noqa: T201 - the one place that writes to stderr
    return code
