"""Policies as files: rules with conditions, named exemptions, and what an assumption does to a finding."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from assay.bounded import load_toml
from assay.errors import InputError
from assay.findings import Severity
from assay.leakage.code.policies.conditions import Condition, read_condition
from assay.records import dataclass

NAMES = ("kapoor", "yang", "strict", "kaggle")
DEFAULT = "kapoor"
_KEYS = frozenset({"name", "description", "extends", "assumed", "rule", "exemption"})
_RULE_KEYS = frozenset({"code", "name", "severity", "when", "despite"})
_EXEMPTION_KEYS = frozenset({"name", "rules", "when", "reason", "example"})


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """One row: which pairs, or which steps before them, count as which leak."""

    code: str
    name: str
    severity: Severity
    when: Condition
    despite: frozenset[str] = frozenset()
    """Assumptions that cannot change such a finding, and do not weaken it."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """A named reason to stay silent where a rule would report."""

    name: str
    rules: frozenset[str]
    when: Condition
    reason: str
    example: str


@dataclass(frozen=True, slots=True)
class Policy:
    """What counts as a leak."""

    name: str
    description: str
    rules: tuple[PolicyRule, ...]
    exemptions: tuple[Exemption, ...]
    assumed: Severity
    """The gravest that a finding can be whose pair rests on an assumption."""

    def without(self, exemption: str) -> Policy:
        """The same policy without one of its exemptions, to see what that changes."""
        kept = tuple(e for e in self.exemptions if e.name != exemption)
        return Policy(self.name, self.description, self.rules, kept, self.assumed)


def load_policy(name: str = DEFAULT) -> Policy:
    """A policy by its name, or from a TOML file."""
    if name in NAMES:
        return _shipped(name)
    path = Path(name)
    if path.suffix != ".toml" or not path.is_file():
        raise InputError(f'there is no policy "{name}"', fix=f"Give one of {', '.join(NAMES)}, or a TOML file.")
    return read_policy(path.read_text(encoding="utf-8"), str(path))


@lru_cache(maxsize=len(NAMES))
def _shipped(name: str) -> Policy:
    text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return read_policy(text, f"{name}.toml")


def read_policy(text: str, where: str) -> Policy:
    """A policy from the text of its file; `extends` takes rules and exemptions of another that are not given anew."""
    try:
        given = load_toml(text)
    except ValueError as error:
        raise InputError(f"{where} is not TOML: {error}", fix="Correct the line that it names.") from None
    _only(given, _KEYS, where)
    base = load_policy(str(given["extends"])) if "extends" in given else None
    rules = tuple(_rule(row, f"{where}, rule {n}") for n, row in enumerate(given.get("rule", ()), 1))
    exemptions = tuple(
        _exemption(row, f"{where}, exemption {n}") for n, row in enumerate(given.get("exemption", ()), 1)
    )
    if base is not None:
        named = {rule.name for rule in rules}
        rules = (*rules, *(rule for rule in base.rules if rule.name not in named))
        named = {exemption.name for exemption in exemptions}
        exemptions = (*exemptions, *(e for e in base.exemptions if e.name not in named))
    return Policy(
        str(given.get("name", Path(where).stem)),
        str(given.get("description", "")),
        rules,
        exemptions,
        _severity(given.get("assumed", base.assumed if base else "note"), where),
    )


def _rule(row: dict[str, Any], where: str) -> PolicyRule:
    _only(row, _RULE_KEYS, where, needed=("code", "name", "severity", "when"))
    despite = frozenset(row.get("despite", ()))
    if despite:
        read_condition({"assumptions": sorted(despite)}, where)
    severity, when = _severity(row["severity"], where), read_condition(row["when"], where)
    return PolicyRule(row["code"], row["name"], severity, when, despite)


def _exemption(row: dict[str, Any], where: str) -> Exemption:
    _only(row, _EXEMPTION_KEYS, where, needed=("name", "rules", "when", "reason", "example"))
    when = read_condition(row["when"], where)
    return Exemption(row["name"], frozenset(row["rules"]), when, row["reason"], row["example"])


def _only(row: dict[str, Any], keys: frozenset[str], where: str, needed: tuple[str, ...] = ()) -> None:
    for key in row:
        if key not in keys:
            raise InputError(f'{where}: there is no key "{key}"', fix=f"Keys are {', '.join(sorted(keys))}.")
    for key in needed:
        if key not in row:
            raise InputError(f'{where}: "{key}" is missing', fix=f"Every row needs {', '.join(needed)}.")


def _severity(value: object, where: str) -> Severity:
    try:
        return Severity(str(value))
    except ValueError:
        raise InputError(f'{where}: "{value}" is no severity', fix="Write error, warning or note.") from None
