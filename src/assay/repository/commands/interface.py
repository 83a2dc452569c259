"""What a program accepts on its command line, as far as its text tells."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import field
from difflib import get_close_matches

from assay.findings import Location
from assay.records import dataclass
from assay.repository.commands.facts import Fault, Problem
from assay.repository.commands.shell import is_placeholder

MANY = -1
REST = -2
_MOST = 10**6
"""All that follows, options included, belongs to it."""


_LAUNCHED = frozenset({"--local_rank", "--local-rank"})
"""Options that a launcher adds."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option with all its names, or a positional argument (whose name has no dash)."""

    names: tuple[str, ...]
    location: Location
    required: bool = False
    choices: tuple[str, ...] = ()
    values: int = 1
    """How many words follow it: 0 for a switch, `MANY` for any number."""
    unreached: str = ""
    """The function that declares it, if the program does not seem to call that."""


@dataclass(frozen=True)
class Interface:
    """All options. `open` says why there may be more; `exact` whether what is required is known."""

    options: tuple[Option, ...] = ()
    positional: tuple[Option, ...] = ()
    open: str = ""
    exact: bool = True
    single_dash: bool = False
    """Long options may be written with one dash (absl)."""
    any_case: bool = False
    """Underscores and hyphens are the same (fire, tyro)."""
    negated: tuple[str, ...] = ()
    """Prefixes that turn a switch off: `--no`."""
    closed: bool = False
    """A word that belongs to no option or argument stops the program (argparse)."""

    def problems(self, words: tuple[str, ...], *, complete: bool) -> Iterator[Problem]:
        """What is wrong with these arguments; requirements only if the command is meant to be complete."""
        read = _Arguments(self, words)
        yield from read.problems()
        if complete and not read.rest:
            yield from self._left_over(read)
            yield from self._left_out(read)

    def _left_over(self, read: _Arguments) -> Iterator[Problem]:
        """The first word that belongs to nothing."""
        takes_many = any(option.values == MANY for option in self.positional)
        over = read.free[len(self.positional) :][:1]
        passed_on = "--" in read.words  # what follows may be a command for the program to start
        if self.closed and not (takes_many or read.unknown or passed_on):
            yield from (Problem(Fault.SURPLUS, word) for word in over if not _is_filled_in(word, read.words))

    def _left_out(self, read: _Arguments) -> Iterator[Problem]:
        """What is required and not given."""
        if not self.exact or self.open or any(_is_help(w) for w in read.words):
            return
        for option in self.options:
            given = option in read.given or option.names[0] in _LAUNCHED
            if option.required and not option.unreached and not given:
                yield Problem(Fault.REQUIRED, option.names[0], declared=option.location)
        first = next((o for o in self.positional if o.required), None)
        if first is not None and not read.free and not read.unknown:
            yield Problem(Fault.REQUIRED, first.names[0], declared=first.location)

    def choices(self, option: Option) -> tuple[str, ...]:
        """All choices under this name: several functions may declare it, and which of them is called is not known."""
        alike = [o for o in self.options if not set(o.names).isdisjoint(option.names) and not o.unreached]
        return tuple(c for o in alike for c in o.choices) if all(o.choices for o in alike) else ()

    def find(self, written: str) -> Option | None:
        """The option of this name, or the first that it abbreviates."""
        name = self._plain(written)
        return self._called(name) or self._negated(name) or self._abbreviated(name) or self._attached(written)

    def _called(self, name: str) -> Option | None:
        reached_first = sorted(self.options, key=lambda o: bool(o.unreached))
        return next((o for o in reached_first if any(self._plain(known) == name for known in o.names)), None)

    def _negated(self, name: str) -> Option | None:
        """A switch that is turned off: `--nofast`."""
        positive = (f"--{name[len(p) :].lstrip('-')}" for p in self.negated if name.startswith(p))
        found = next((option for one in positive if (option := self._called(one)) is not None), None)
        return Option(found.names, found.location, values=0) if found else None

    def _abbreviated(self, name: str) -> Option | None:
        long = name.startswith("--") or (len(name) > 2 and not self.single_dash)
        longer = (o for o in self.options if any(self._plain(k).startswith(name) for k in o.names))
        return next(longer, None) if long else None

    def _attached(self, written: str) -> Option | None:
        """A short option with its value: `-b32`."""
        short = written[:1] == "-" and written[1:2] != "-"
        found = next((o for o in self.options if short and written[:2] in o.names), None)
        return Option(found.names, found.location, values=0) if found else None

    def _plain(self, name: str) -> str:
        plain = name.replace("_", "-") if self.any_case else name
        return "-" + plain if self.single_dash and plain.startswith("-") and not plain.startswith("--") else plain

    def unknown(self, name: str) -> Problem:
        """An option that nothing declares, with the one that is called most alike."""
        known = {n.lstrip("-").replace("_", "-"): n for o in self.options for n in o.names}
        close = get_close_matches(name.lstrip("-").replace("_", "-"), known, n=1, cutoff=0.7)
        near = [known[c] for c in close]
        place = next((o.location for o in self.options if near and near[0] in o.names), None)
        first = self.options[0].location if self.options else None
        return Problem(Fault.OPTION, name, near[0] if near else "", place or first)


@dataclass(slots=True)
class _Arguments:
    """The words of a command, read from left to right against an interface."""

    interface: Interface
    words: tuple[str, ...]
    given: set[Option] = field(default_factory=set)
    free: list[str] = field(default_factory=list)
    """Words that belong to no option."""
    unknown: bool = False
    """An option is not known: then whose values the words after it are is not known either."""
    rest: bool = False
    """From some word on, all belongs to one argument."""

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the options."""
        at = 0
        while at < len(self.words) and not self.rest:
            word = self.words[at]
            at += 1
            if word == "--":
                self.free += self.words[at:]
                return
            if _is_option(word):
                at = yield from self._option(word, at)
            else:
                self.free.append(word)
                self.rest = any(option.values == REST for option in self.interface.positional)

    def _option(self, word: str, at: int) -> Generator[Problem, None, int]:
        """One option with its values; where the words go on after them."""
        name, equals, value = word.partition("=")
        option = self.interface.find(name)
        if option is None:
            if not self.interface.open and not _is_help(name) and not _is_sketched(name):
                yield self.interface.unknown(name)
            self.unknown = True
            while at < len(self.words) and not self.words[at].startswith("-"):
                at += 1
            return at
        self.given.add(option)
        if option.unreached:
            doubt = f"Is it read by another program? {option.unreached} declares it, and nothing here calls that."
            yield Problem(Fault.OPTION, name, declared=option.location, doubt=doubt)
        if option.values == REST:
            self.rest = True
            return at
        values = [value] if equals else []
        most = 0 if values else _MOST if option.values == MANY else option.values
        while len(values) < most and at < len(self.words) and not _is_option(self.words[at]):
            values.append(self.words[at])
            at += 1
        if not any(is_placeholder(word) for word in self.words if "$" not in word):  # this may be one as well
            yield from _bad_choices(self.interface.choices(option), option, values)
        return at


def _is_filled_in(word: str, words: tuple[str, ...]) -> bool:
    """Whether a word, or the one before it, stands for another: `''your path''/data` comes apart in two."""
    at = words.index(word)
    return any(is_placeholder(near) for near in words[max(0, at - 1) : at + 1])


def _is_option(word: str) -> bool:
    return word.startswith("-") and len(word) > 1 and not _is_number(word)


def _bad_choices(choices: tuple[str, ...], option: Option, values: list[str]) -> Iterator[Problem]:
    for value in values if choices else ():
        if value and value not in choices and not is_placeholder(value) and not _equal(value, choices):
            near = get_close_matches(value, choices, n=1, cutoff=0.5)
            shown = f"{option.names[0]} {value}"
            yield Problem(Fault.CHOICE, shown, near[0] if near else ", ".join(choices[:8]), option.location)
            return


def _equal(value: str, choices: tuple[str, ...]) -> bool:
    """Numbers are equal however they are written."""
    try:
        return float(value) in {float(c) for c in choices}
    except ValueError:
        return False


def _is_sketched(name: str) -> bool:
    """Whether the name stands for any option: `--OPTION`, `--other-options`, `--a/--b`."""
    bare = name.lstrip("-")
    general = (bare.isupper() and len(bare) > 1) or bare.lower().endswith(("options", "arguments", "args", "optionarg"))
    return is_placeholder(name) or general or not set("/|],()").isdisjoint(name)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_help(word: str) -> bool:
    return word in {"-h", "-help", "--help", "--helpfull", "--helpshort", "--version"}
