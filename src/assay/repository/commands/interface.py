"""What a program accepts on its command line, as far as its text tells."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from assay.findings import Location
from assay.records import dataclass
from assay.repository.commands.facts import Fault, Problem
from assay.repository.commands.shell import is_placeholder

MANY = -1
REST = -2
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

    def problems(self, words: tuple[str, ...], *, complete: bool) -> Iterator[Problem]:
        """What is wrong with these arguments; requirements only if the command is meant to be complete."""
        given: set[int] = set()
        free = 0
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "--":
                free += len(words) - at
                break
            if not word.startswith("-") or _is_number(word) or len(word) < 2:
                free += 1
                if any(option.values == REST for option in self.positional):
                    return
                continue
            name, _, value = word.partition("=")
            option = self._find(name)
            if option is None:
                if not self.open and not _is_help(name) and not _is_sketched(name):
                    yield self._unknown(name)
                while at < len(words) and not words[at].startswith("-"):
                    at += 1  # the values of an option that is not known
                continue
            given.add(id(option))
            if option.values == REST:
                return
            values = [value] if "=" in word else []
            most = 0 if values or option.values == 0 else (10**6 if option.values == MANY else option.values)
            while len(values) < most and at < len(words) and (not words[at].startswith("-") or _is_number(words[at])):
                values.append(words[at])
                at += 1
            yield from _bad_choices(option, values)
        if complete and self.exact and not self.open and not any(_is_help(w) for w in words):
            missing = [o for o in self.options if o.required and id(o) not in given and o.names[0] not in _LAUNCHED]
            yield from (Problem(Fault.REQUIRED, o.names[0], declared=o.location) for o in missing)
            if not free and (first := next((o for o in self.positional if o.required), None)):
                yield Problem(Fault.REQUIRED, first.names[0], declared=first.location)

    def _find(self, written: str) -> Option | None:
        """The option of this name, or the first that it abbreviates."""
        name = self._plain(written)
        for option in self.options:
            if any(self._plain(known) == name for known in option.names):
                return option
        for prefix in self.negated:
            if name.startswith(prefix):
                positive = "--" + name[len(prefix) :].lstrip("-")
                found = next((o for o in self.options if any(self._plain(k) == positive for k in o.names)), None)
                if found is not None:
                    return Option(found.names, found.location, values=0)
        if name.startswith("--") or (len(name) > 2 and not self.single_dash):
            longer = [o for o in self.options if any(self._plain(k).startswith(name) for k in o.names)]
            if longer:
                return longer[0]
        if written[:1] == "-" and written[1:2] != "-":
            attached = next((o for o in self.options if any(k == written[:2] for k in o.names)), None)
            return Option(attached.names, attached.location, values=0) if attached else None
        return None

    def _plain(self, name: str) -> str:
        plain = name.replace("_", "-") if self.any_case else name
        return "-" + plain if self.single_dash and plain.startswith("-") and not plain.startswith("--") else plain

    def _unknown(self, name: str) -> Problem:
        known = {n.lstrip("-").replace("_", "-"): n for o in self.options for n in o.names}
        close = get_close_matches(name.lstrip("-").replace("_", "-"), known, n=1, cutoff=0.7)
        near = [known[c] for c in close]
        place = next((o.location for o in self.options if near and near[0] in o.names), None)
        first = self.options[0].location if self.options else None
        return Problem(Fault.OPTION, name, near[0] if near else "", place or first)


def _bad_choices(option: Option, values: list[str]) -> Iterator[Problem]:
    if not option.choices:
        return
    for value in values:
        if value and value not in option.choices and not is_placeholder(value) and not _equal(value, option.choices):
            near = get_close_matches(value, option.choices, n=1, cutoff=0.5)
            shown = f"{option.names[0]} {value}"
            yield Problem(Fault.CHOICE, shown, near[0] if near else ", ".join(option.choices[:8]), option.location)
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
    return is_placeholder(name) or general or not set("/|],").isdisjoint(name)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_help(word: str) -> bool:
    return word in {"-h", "-help", "--help", "--helpfull", "--helpshort", "--version"}
