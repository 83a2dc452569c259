"""Questions at the keyboard, one line each, with Tab completion of known values. Asked only at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import typer

from assay.reproduction.fields import Choices, Field

FEW = 8
"""Up to this many choices are listed with the question; longer lists are left to the Tab key."""


def at_keyboard() -> bool:
    """True if standard input is a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


Check = Callable[[Field, str, Mapping[str, str]], None]
"""Raises an `InputError` for an answer that a field cannot hold, after the answers before it."""


def ask(field: Field, answer: str = "", check: Check | None = None, before: Mapping[str, str] | None = None) -> str:
    """Ask for a field; Enter keeps the shown value, and an invalid answer is asked again."""
    choices = field.choices() if field.choices else {}
    if any(choices.values()) and len(choices) <= FEW:
        typer.echo(_choice_lines(choices, choices).lstrip("\n"))
    while True:
        given = _line(field, answer, choices)
        settled = _settled(given, choices, several=field.several)
        if trouble := _trouble(field, settled, choices) or _refusal(field, settled, check, before or {}):
            typer.echo(f"  {trouble}")
        else:
            return settled


def _trouble(field: Field, answer: str, choices: Choices) -> str:
    """What is wrong with the words of an answer; empty if nothing is."""
    if field.needed and not answer:
        return "It cannot be empty."
    if unknown := _unknown(answer, choices, several=field.several):
        return f'"{unknown}" is not known. {_near(unknown, choices)}'
    return ""


def _refusal(field: Field, answer: str, check: Check | None, before: Mapping[str, str]) -> str:
    """What the check has against an answer; empty if it passes."""
    from assay.errors import InputError

    try:
        if check:
            check(field, answer, before)
    except InputError as error:
        return str(error)
    return ""


def ask_all(fields: Iterable[Field], known: Mapping[str, str], check: Check | None = None) -> dict[str, str]:
    """Ask for all fields, with known values as defaults; each answer is checked before the next question."""
    answers = dict(known)
    for field in fields:
        answers[field.column] = ask(field, answers.get(field.column, ""), check, answers)
    return answers


def _line(field: Field, answer: str, choices: Choices) -> str:
    listed_here = 0 < len(choices) <= FEW and not any(choices.values())
    known = f" ({', '.join(choices)})" if listed_here else ""
    prompt = f"{field.question}{known}{f' [{answer}]' if answer else ''}: "
    words = field.hints() if field.hints else choices
    with _completing(prompt, words, between="; " if field.several else ";"):
        try:
            given = input(prompt).strip()
        except EOFError:
            raise typer.Abort from None
    return given or answer


def _settled(given: str, choices: Choices, *, several: bool) -> str:
    """Known words in their canonical spelling, whatever case was typed."""
    spelt = {word.lower(): word for word in choices}
    words = given.split(";") if several else [given]
    return "; ".join(spelt.get(word.strip().lower(), word.strip()) for word in words if word.strip())


def _unknown(said: str, choices: Choices, *, several: bool) -> str:
    words = said.split("; ") if several else [said]
    return next((word for word in words if choices and word and word not in choices), "")


def _near(word: str, choices: Choices) -> str:
    from assay.errors import suggestion

    return suggestion(word, choices) or f"Known are: {', '.join(choices)}."


# --- completion ------------------------------------------------------------------------------------


def matches(begun: str, choices: Choices) -> list[str]:
    """Words with this beginning; if there are none, words whose meaning contains such a word."""
    low = begun.lower()
    starting = [word for word in choices if word.lower().startswith(low)]
    return starting or [word for word, meaning in choices.items() if low in meaning.lower()]


@contextmanager
def _completing(prompt: str, choices: Choices, between: str) -> Iterator[None]:
    """Let the Tab key complete while a line is read, if the terminal library is available."""
    try:
        import readline
    except ImportError:
        yield
        return
    before = readline.get_completer()
    readline.set_completer(lambda begun, at: (matches(begun, choices) + [None] * (at + 1))[at])
    readline.set_completer_delims(between)
    readline.set_completion_display_matches_hook(lambda _, found, __: _show(prompt, found, choices))
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completion_display_matches_hook(None)


def _show(prompt: str, found: Iterable[str], choices: Choices) -> None:
    """List the possible words with their meanings, then repeat the partial line."""
    import readline

    typer.echo(f"{_choice_lines(found, choices)}\n{prompt}{readline.get_line_buffer()}", nl=False)
    readline.redisplay()


def _choice_lines(words: Iterable[str], choices: Choices) -> str:
    return "".join(f"\n  {word:12} {choices.get(word, '')}".rstrip() for word in words)
