"""Questions at the keyboard: one line each, with completion of what is known, asked only of a person."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import typer

from assay.reproduction.fields import Choices, Field

FEW = 8
"""Up to so many choices are listed with the question; more are left to the Tab key."""


def at_keyboard() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


Check = Callable[[Field, str, Mapping[str, str]], None]
"""Raises an `InputError` for an answer that a field cannot hold, after the answers before it."""


def ask(field: Field, answer: str = "", check: Check | None = None, before: Mapping[str, str] | None = None) -> str:
    """The answer to a field's question; Enter keeps the one that is shown, and a wrong answer is asked again."""
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
    """What is wrong with the words of an answer, or nothing."""
    if field.needed and not answer:
        return "It cannot be empty."
    if unknown := _unknown(answer, choices, several=field.several):
        return f'"{unknown}" is not known. {_near(unknown, choices)}'
    return ""


def _refusal(field: Field, answer: str, check: Check | None, before: Mapping[str, str]) -> str:
    """What the check says against an answer, or nothing."""
    from assay.errors import InputError

    try:
        if check:
            check(field, answer, before)
    except InputError as error:
        return str(error)
    return ""


def ask_all(fields: Iterable[Field], known: Mapping[str, str], check: Check | None = None) -> dict[str, str]:
    """Answers to all fields, with what is known as their defaults; each is checked before the next is asked."""
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
    """Known words in their own spelling, in whichever case they were typed."""
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
    """Words that begin so; if none does, those whose meaning has such a word."""
    low = begun.lower()
    starting = [word for word in choices if word.lower().startswith(low)]
    return starting or [word for word, meaning in choices.items() if low in meaning.lower()]


@contextmanager
def _completing(prompt: str, choices: Choices, between: str) -> Iterator[None]:
    """While a line is read, the Tab key completes it; where the terminal library is missing, it does not."""
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
    """The words that are possible, each with its meaning; then the line that was begun."""
    import readline

    typer.echo(f"{_choice_lines(found, choices)}\n{prompt}{readline.get_line_buffer()}", nl=False)
    readline.redisplay()


def _choice_lines(words: Iterable[str], choices: Choices) -> str:
    return "".join(f"\n  {word:12} {choices.get(word, '')}".rstrip() for word in words)
