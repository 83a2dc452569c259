"""The report on a terminal for a reader in a hurry: what to do first, the factors, then the findings by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from assay.findings import Confidence, Finding, Location, Report, Severity
from assay.report.sheet import Sheet
from assay.report.wording import counted, on_one_line
from assay.repository.check import Assessment, Result
from assay.repository.factors import Band, FactorScore
from assay.repository.priorities import by_first_stop, by_obstacle, is_usual_gap
from assay.repository.profiles import Profile
from assay.repository.profiles.default import QUESTIONS

_STYLE = {
    "error": "bold red", "warning": "bold yellow", "note": "bold cyan", "good": "green", "fair": "yellow",
    "weak": "bold yellow", "poor": "bold red", "not judged": "dim",
}  # fmt: skip
_BAR = 10
_PLACES = 3
_FIRST = 3
_SHORT = {
    "documentation": "docs", "hardware": "hard", "software": "soft", "build": "bld", "data": "data", "seeds": "seed",
    "tracking": "log", "models": "mod", "practice": "prac", "overfitting": "fit",
}  # fmt: skip


def summary(assessment: Assessment, report: Report, *, width: int, color: bool) -> str:
    """One repository on one screen or a few; `report` has the findings that were chosen and not suppressed."""
    sheet = Sheet(width, color=color)
    sheet.block((on_one_line(assessment.facts.name), "bold"))
    sheet.block((_size(assessment), "dim"))
    sheet.blank()
    sheet.block(_counts(assessment, report))
    _commands(sheet, assessment)
    _changes(sheet, report)
    _to_do(sheet, report)
    _factors(sheet, assessment)
    _findings(sheet, report)
    _rest(sheet, assessment, report)
    return sheet.text()


def overview(assessments: Sequence[Assessment], report: Report, *, width: int, color: bool) -> str:
    """Several repositories: one line each, the scores of the factors in columns."""
    sheet = Sheet(width, color=color)
    sheet.block((f"{len(assessments)} repositories", "bold"), "  E errors, W warnings, N notes; then the factors")
    sheet.blank()
    heads = ["E", "W", "N", *(_SHORT.get(f.key, f.key[:5]) for f in assessments[0].factors)]
    room = width - sum(map(_room, range(len(heads))))
    sheet.block((_line("repository", heads, room), "bold"))
    for one in assessments:
        cells = [sum(f.severity is level for f in one.findings) for level in Severity]
        sheet.block(_line(one.facts.name, [*map(str, cells), *(_cell(f.score) for f in one.factors)], room))
    sheet.blank()
    sheet.block(f"Findings: {len(report.findings)}. One repository at a time shows them; so do --format and --output.")
    return sheet.text()


def _line(name: str, cells: Sequence[str], room: int) -> str:
    """One row; of a long name the end, which tells it from others."""
    shown = on_one_line(name.rstrip("/"))
    shown = shown if len(shown) < room else "…" + shown[2 - room :]
    return f"{shown:<{room}}" + "".join(f"{cell:>{_room(i)}}" for i, cell in enumerate(cells))


def _room(column: int) -> int:
    """Counts are narrower than scores."""
    return 4 if column < len(Severity) else 6 if column == len(Severity) else 5


def _cell(score: float | None) -> str:
    return "—" if score is None else f"{score:.2f}"


def _size(assessment: Assessment) -> str:
    facts = assessment.facts
    commit = facts.tree.commit
    python = sum(s.notebook is None for s in facts.code.python)
    told = [counted(len(facts.tree.files), "file"), f"{python} Python", counted(len(facts.notebooks), "notebook")]
    if commit:
        told.append(f"commit {commit.id[:10]} of {commit.date[:10]}")
    return ", ".join(told)


def _counts(assessment: Assessment, report: Report) -> str:
    found = [counted(n, level.value) for level in Severity if (n := sum(f.severity is level for f in report.findings))]
    rules = ", ".join(f"{len(assessment.ended(result))} {_ended(result)}" for result in (Result.FAIL, Result.PASS))
    idle = len(assessment.ended(Result.NOT_APPLICABLE))
    return f"{', '.join(found) or 'No findings'}. Of {len(assessment.outcomes)} rules {rules}, {idle} do not apply."


def _commands(sheet: Sheet, assessment: Assessment) -> None:
    """How many commands were followed: of the others nothing is known."""
    commands = assessment.facts.commands
    if commands.commands:
        followed, broken = len(commands.followed), len(commands.broken)
        left = len(commands.commands) - followed
        said = f"{counted(followed, 'command')} followed, {broken} broken"
        sheet.block(f"Commands of the documentation: {said}" + (f"; {left} could not be followed." if left else "."))


def _ended(result: Result) -> str:
    return "failed" if result is Result.FAIL else "passed"


def _heading(sheet: Sheet, words: str) -> None:
    sheet.blank()
    sheet.block((words, "bold"))


def _changes(sheet: Sheet, report: Report) -> None:
    """What a baseline tells: the findings below are then the new ones alone."""
    for table in report.tables:
        if table.title.startswith("Since the baseline"):
            _heading(sheet, table.title)
            for change, code, where, what in table.rows:
                if change == "gone":
                    sheet.block(f"gone: {code} {where}  {on_one_line(str(what))}", first="  ", rest="    ")


def _to_do(sheet: Sheet, report: Report) -> None:
    """The remedies of the gravest findings, one for each rule, in the order in which a reader meets them."""
    grave = [f for f in report.findings if f.severity is not Severity.NOTE]
    firsts = [next(group) for _, group in groupby(sorted(grave, key=_by_rule), key=lambda f: f.code)]
    firsts.sort(key=by_first_stop)
    if firsts:
        _heading(sheet, "First")
    for number, finding in enumerate(firsts[:_FIRST], 1):
        said = f"{finding.title}. {finding.advice}"
        sheet.block((said, ""), f" [{finding.code}]", first=f"  {number}. ", rest="     ")


def _by_rule(finding: Finding) -> tuple[str, tuple[int, int, str, int, int, str, str]]:
    return finding.code, finding.sort_key


def _factors(sheet: Sheet, assessment: Assessment) -> None:
    _heading(sheet, f"Factors ({assessment.profile.value} profile, 0 to 1)")
    longest = max(len(f.name) for f in assessment.factors)
    for factor in assessment.factors:
        sheet.block(*_factor_line(factor, longest), first="  ")
    if assessment.profile is Profile.DEFAULT:
        asked = ", ".join(q.factor.lower() for q in QUESTIONS)
        sheet.block((f"For a person to judge: {asked}.", "dim"), first="  ")


def _factor_line(factor: FactorScore, longest: int) -> list[str | tuple[str, str]]:
    name = f"{factor.name:<{longest}}  "
    if factor.score is None:
        reason = next((p.said for p in factor.parts if p.score is None), "")
        return [name, (f"not judged: {reason}" if reason else "not judged", "dim")]
    full = round(factor.score * _BAR)
    bar = "█" * full + "░" * (_BAR - full)
    band = factor.band.value
    codes = "" if factor.band is Band.GOOD else ", ".join(factor.rules)
    return [name, (bar, _STYLE[band]), f" {factor.score:.2f} ", (f"{band:<5}", _STYLE[band]), f"  {codes}"]


def _findings(sheet: Sheet, report: Report) -> None:
    if report.findings:
        _heading(sheet, "Findings")
    groups: dict[str, list[Finding]] = {}
    for finding in sorted(report.findings, key=by_obstacle):
        if not is_usual_gap(finding):
            groups.setdefault(finding.code, []).append(finding)
    for members in groups.values():
        _of_one_rule(sheet, members)
    usual = {f.code: f.title for f in report.findings if is_usual_gap(f)}
    if usual:
        named = ", ".join(f"{title[0].lower()}{title[1:]} [{code}]" for code, title in sorted(usual.items()))
        sheet.block(("Usual gaps: ", "bold"), f"{named}.")
        sheet.blank()


def _of_one_rule(sheet: Sheet, members: Sequence[Finding]) -> None:
    worst = members[0]
    many = f" ({len(members)})" if len(members) > 1 else ""
    severity = worst.severity.value
    doubt = "" if worst.confidence.rank <= Confidence.HIGH.rank else f"  confidence {worst.confidence.value}"
    head = (f"{severity} {worst.code}", _STYLE[severity]), "  ", (f"{worst.title}{many}", "bold"), (doubt, "dim")
    sheet.block(*head, rest="  ")
    for finding in members[:_PLACES]:
        place = f"{_place(finding.location)}  " if finding.location else ""
        sheet.block((place, "dim"), on_one_line(finding.message), first="  ", rest="    ")
    if len(members) > _PLACES:
        sheet.block((f"and {len(members) - _PLACES} more", "dim"), first="  ")
    sheet.block(("→ ", "bold"), on_one_line(worst.advice), first="  ", rest="    ")
    sheet.blank()


def _place(location: Location) -> str:
    """The place without its column, which an editor needs and a reader does not."""
    return on_one_line(str(replace(location, column=None)))


def _rest(sheet: Sheet, assessment: Assessment, report: Report) -> None:
    """What passed, what did not apply, what was silenced, what was not looked at: a line or two each."""
    passed, idle = assessment.ended(Result.PASS), assessment.ended(Result.NOT_APPLICABLE)
    for heading, named, end in (
        ("Passed: ", [o.code for o in passed], "."),
        ("Not applicable: ", [o.code for o in idle], " (--format md says why)."),
        ("Suppressed: ", [f"{s.finding.code} ({s.reason})" for s in report.suppressed], ""),
    ):
        if named:
            sheet.block((heading, "bold"), ", ".join(named), end)
    if report.left_out:
        _left_out(sheet, report.left_out)
    sheet.block(("`assay explain CODE` tells more about a rule.", "dim"))


def _left_out(sheet: Sheet, things: Sequence[str]) -> None:
    sheet.block(("Not examined: ", "bold"), counted(len(things), "thing"), ":")
    for thing in things[:_PLACES]:
        sheet.block(on_one_line(thing), first="  - ", rest="    ")
    if len(things) > _PLACES:
        sheet.block(f"and {len(things) - _PLACES} more", first="  - ")
