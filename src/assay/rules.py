"""Rules document themselves, register by being defined, and run on facts.

A room makes one `Instrument` and hangs its rules on it::

    repository = Instrument("repository", "Could somebody run this code?", read_example)

    @repository.rule("R101", title=…, severity=…, failing=…, passing=…, source=Source(…))
    def no_licence(facts: Repository) -> Iterator[Finding]:
        '''Without a licence nobody may lawfully run or change the code.'''
        if facts.licence is None:
            yield no_licence.finding("no licence file")

The docstring says why the rule matters. `failing` and `passing` are inputs as a user would give
them: the tests, the documentation and ``assay explain`` all use these very strings.

Built-in rooms and third parties register alike, through the entry-point group ``assay.rules``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from assay.errors import InputError, suggestion
from assay.findings import Confidence, Evidence, Finding, Fix, Location, Severity
from assay.patterns import regex
from assay.records import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

F = TypeVar("F")
ENTRY_POINT_GROUP = "assay.rules"
_CODE = regex(r"[A-Z][A-Z0-9]*(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a rule: a reference and the place in it."""

    reference: str
    section: str = ""

    def __str__(self) -> str:
        return f"{self.reference}, {self.section}" if self.section else self.reference


@dataclass(frozen=True)
class Rule(Generic[F]):
    """A documented test of facts. `check` gives a finding for each violation."""

    code: str
    title: str
    severity: Severity
    why: str
    failing: str
    passing: str
    source: Source
    advice: str
    confidence: Confidence
    instrument: Instrument[F]
    check: Callable[[F], Iterable[Finding]]

    def finding(
        self,
        message: str,
        *,
        subject: str = "",
        location: Location | None = None,
        evidence: Iterable[Evidence] = (),
        advice: str = "",
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding of this rule; values that are not given come from the rule."""
        return Finding(
            code=self.code,
            title=self.title,
            severity=severity or self.severity,
            confidence=confidence or self.confidence,
            message=message,
            subject=subject,
            location=location,
            evidence=tuple(evidence),
            advice=advice or self.advice,
            fix=fix,
        )


@dataclass(frozen=True)
class Instrument(Generic[F]):
    """The question of a room, and how the examples of its rules become facts."""

    name: str
    question: str
    read_example: Callable[[str], F]
    example_language: str = "text"

    def rule(
        self,
        code: str,
        *,
        title: str,
        severity: Severity,
        failing: str,
        passing: str,
        source: Source,
        advice: str = "",
        confidence: Confidence = Confidence.HIGH,
    ) -> Callable[[Callable[[F], Iterable[Finding]]], Rule[F]]:
        """Decorate a check to register it as a `Rule`; its docstring is the rule's reason."""

        def define(check: Callable[[F], Iterable[Finding]]) -> Rule[F]:
            why = inspect.cleandoc(check.__doc__ or "")
            if not why:
                raise TypeError(f"rule {code}: the check needs a docstring that says why the rule matters")
            made = Rule(code, title, severity, why, failing, passing, source, advice, confidence, self, check)
            _register(made)
            return made

        return define

    def run(self, facts: F) -> list[Finding]:
        """Run every registered rule of this instrument, built-in or plugged in."""
        return [finding for rule in self.rules() for finding in rule.check(facts)]

    def rules(self) -> list[Rule[F]]:
        """Every registered rule of this instrument, built-in or plugged in, by code."""
        load_rules(self.name.partition("-")[0])
        return _sorted(rule for rule in _RULES.values() if rule.instrument.name == self.name)


_RULES: dict[str, Rule[Any]] = {}
_BROKEN: list[str] = []
_HERE = __name__.partition(".")[0]


def _register(rule: Rule[Any]) -> None:
    if not _CODE.fullmatch(rule.code):
        raise ValueError(f"rule code {rule.code!r} is malformed: capitals, then digits, as in S101 or L1.2")
    if rule.code in _RULES:
        other = _RULES[rule.code]
        raise ValueError(f"rule code {rule.code} is taken twice: by {other.title!r} and by {rule.title!r}")
    _RULES[rule.code] = rule


@cache
def _doors() -> tuple[tuple[EntryPoint, ...], tuple[EntryPoint, ...]]:
    """The modules that register rules: our rooms and third-party plug-ins."""
    from importlib.metadata import entry_points

    entries = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda e: e.name)
    ours = tuple(entry for entry in entries if entry.module.partition(".")[0] == _HERE)
    return ours, tuple(entry for entry in entries if entry not in ours)


@cache
def load_rules(room: str = "") -> None:
    """Import the rule modules once: all of them, or those of one room if there are no plug-ins.

    A plug-in may hang its rules on any room, so with one there everything is loaded. One that does not load is noted,
    not fatal.
    """
    ours, plugged = _doors()
    if plugged and room:
        load_rules()
        return
    for entry in ours:
        if entry.name.startswith(room):
            entry.load()
    for entry in plugged:
        before = dict(_RULES)
        try:
            entry.load()
        except Exception as error:  # noqa: BLE001 - a third party's code may fail in any way
            _RULES.clear()
            _RULES.update(before)
            _BROKEN.append(f"plug-in {entry.name!r} ({entry.value}) was left out: {type(error).__name__}: {error}")


def all_rules() -> list[Rule[Any]]:
    """Every rule, by code."""
    load_rules()
    return _sorted(_RULES.values())


def _sorted(rules: Iterable[Rule[F]]) -> list[Rule[F]]:
    return sorted(rules, key=lambda r: _natural(r.code))


def broken_plugins() -> list[str]:
    """A sentence for each plug-in that could not be loaded."""
    if _doors()[1]:
        load_rules()
    return list(_BROKEN)


def get_rule(code: str, room: str = "") -> Rule[Any]:
    """The rule with this code; an unknown code is an error that names the nearest.

    A room that looks up its own rules names itself: then only its modules are imported, which is several times faster.
    """
    load_rules(room)
    try:
        return _RULES[code.upper()]
    except KeyError:
        hint = suggestion(code, _RULES) or "`assay rules` lists them all."
        raise InputError(f'there is no rule "{code}"', fix=hint) from None


def codes_matching(selectors: Iterable[str]) -> frozenset[str]:
    """Expand selectors to codes: a full code means itself, a prefix means all codes that begin with it."""
    load_rules()
    chosen: set[str] = set()
    for selector in selectors:
        wanted = selector.strip().upper()
        matching = {wanted} & _RULES.keys() or {c for c in _RULES if wanted and c.startswith(wanted)}
        if not matching:
            get_rule(selector)  # raises the error with the suggestion
        chosen |= matching
    return frozenset(chosen)


def _natural(code: str) -> list[tuple[int, str]]:
    """Sort key that puts R2 before R10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", code)]
