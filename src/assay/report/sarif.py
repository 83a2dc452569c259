"""The report as SARIF 2.1.0, the format that code-scanning services and editors show beside the code.

Section numbers are those of the OASIS standard. Judgements are not results here: services show every
result as an alert, also one that says "consistent". They stand in the run's property bag (3.8).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay import __version__
from assay.findings import (
    Confidence,
    Evidence,
    EvidenceKind,
    Finding,
    Location,
    Report,
    Severity,
    Suppressed,
    plain,
)
from assay.patterns import regex
from assay.report import markdown
from assay.report.json import dumped
from assay.report.sarif_rules import descriptor
from assay.report.sarif_uri import SOURCE_ROOT, artifact_location, named_file
from assay.report.wording import clipped, visible
from assay.rules import Rule, all_rules

Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
RANK = {Confidence.PROVEN: 100.0, Confidence.HIGH: 80.0, Confidence.MEDIUM: 50.0, Confidence.LOW: 20.0}
LONGEST_TEXT = 4_000

_SEMANTIC_VERSION = regex(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
_LINK_END = regex(r"\](?=\()")


def render(report: Report) -> str:
    """The report as a SARIF log of one run."""
    known = {rule.code: rule for rule in all_rules()}
    return dumped({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, known)]})


def _run(report: Report, known: dict[str, Rule[Any]]) -> Json:
    results = [*report.findings, *(one.finding for one in report.suppressed)]
    fired = {finding.code: finding for finding in reversed(results)}
    order = {code: index for index, code in enumerate(sorted(fired))}
    audited = named_file(report)
    return {
        "tool": {"driver": _driver([descriptor(fired[code], known.get(code)) for code in order])},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {SOURCE_ROOT: {"description": {"text": "The root of the audited material."}}},
        "columnKind": "unicodeCodePoints",
        "results": [
            *(_result(f, order[f.code], audited) | {"suppressions": []} for f in report.findings),
            *(_suppressed(one, order[one.finding.code], audited) for one in report.suppressed),
        ],
        "properties": {
            "title": visible(report.title),
            "question": visible(report.question),
            "judgements": plain(report.judgements),
        },
    }


def _driver(rules: list[Json]) -> Json:
    semantic = {"semanticVersion": __version__} if _SEMANTIC_VERSION.fullmatch(__version__) else {}
    return {"name": "assay", "version": __version__, **semantic, "rules": rules}


def _invocation(report: Report) -> Json:
    """One that succeeded; what it did not examine becomes notifications, where services show them."""
    command = {"commandLine": visible(report.command)} if report.command else {}
    notes = [{"level": "warning", "message": {"text": f"Not examined: {visible(x)}"}} for x in report.left_out]
    return {"executionSuccessful": True, **command, "toolExecutionNotifications": notes}


def _result(finding: Finding, rule_index: int, audited: str) -> Json:
    return {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": LEVEL[finding.severity],
        "rank": RANK[finding.confidence],
        "message": {"text": _plain_text(finding), "markdown": _marked_up(finding)},
        "locations": [_primary_location(finding, audited)],
        "partialFingerprints": {"assay/v1": finding.fingerprint},
        **_related(finding),
        **_code_flows(finding),
        **_fixes(finding),
        "properties": {"confidence": finding.confidence.value, **({"section": s} if (s := finding.section) else {})},
    }


def _suppressed(one: Suppressed, rule_index: int, audited: str) -> Json:
    """Every other result says ``suppressions: []``, because one run must state it for all or for none (3.27.23)."""
    reason = {"kind": "inSource", "justification": visible(one.reason)}
    return _result(one.finding, rule_index, audited) | {"suppressions": [reason]}


def _plain_text(finding: Finding) -> str:
    """The message; brackets followed by parentheses would be a link (3.11.6), and audited text must not make one."""
    said = "\n\n".join(clipped(part, LONGEST_TEXT) for part in [finding.message, finding.advice] if part)
    return _LINK_END.sub(r"\\]", said) or visible(finding.title) or finding.code or "finding"


def _marked_up(finding: Finding) -> str:
    message, advice = (markdown.escaped(clipped(part, LONGEST_TEXT)) for part in (finding.message, finding.advice))
    evidence = markdown.evidence_blocks(finding.evidence, finding.location)
    return "\n\n".join([message, *evidence, *([f"**Advice:** {advice}"] if advice else [])])


def _primary_location(finding: Finding, audited: str) -> Json:
    """Where services hang the alert: they refuse a result without a file and a line.

    So a finding about no place of its own is shown at its first evidence, else at the file that was
    audited, else at the root; and one about a whole file, a notebook's cell, or a page, at the first line.
    """
    places = [finding.location, *(e.location for e in finding.evidence)]
    place = next((p for p in places if p and p.path), None) or Location(audited)
    location = _location(place, _quoted_at(place, finding.evidence))
    location["physicalLocation"].setdefault("region", {"startLine": 1})
    names = location.get("logicalLocations", [])
    if finding.subject:
        names = [*names, {"fullyQualifiedName": visible(finding.subject)}]
    return location | ({"logicalLocations": names} if names else {})


def _location(place: Location, snippet: str = "") -> Json:
    location: Json = {"physicalLocation": {"artifactLocation": artifact_location(place.path)}}
    if place.cell is not None or place.page is not None:
        within = f"cell {place.cell}" if place.cell is not None else f"page {place.page}"
        location["logicalLocations"] = [{"name": within, "fullyQualifiedName": visible(f"{place.path}/{within}")}]
    elif region := _region(place, snippet):
        location["physicalLocation"]["region"] = region
    return location


def _region(place: Location, snippet: str) -> Json:
    """Lines and columns from 1, the end column one past the last character (3.30); no line, no region."""
    if place.line is None or place.line < 1:
        return {}
    region: Json = {"startLine": place.line}
    if place.column is not None and place.column >= 1:
        region["startColumn"] = place.column
    if place.end_line is not None and place.end_line >= place.line:
        region["endLine"] = place.end_line
        one_line = place.end_line == place.line
        if place.end_column is not None and place.end_column >= (place.column or 1 if one_line else 1):
            region["endColumn"] = place.end_column
    return region | ({"snippet": {"text": snippet}} if snippet else {})


def _quoted_at(place: Location, evidence: Iterable[Evidence]) -> str:
    quotes = ((e.text, e.location) for e in evidence if e.kind is EvidenceKind.QUOTE and e.location)
    return next((text for text, at in quotes if (at.path, at.line) == (place.path, place.line)), "")


def _related(finding: Finding) -> Json:
    """The other places in the evidence."""
    quotes = [e for e in finding.evidence if e.kind is not EvidenceKind.STEP and e.location and e.location.path]
    related = [
        {"id": number, **_location(e.location, e.text), "message": {"text": _remark(e)}}
        for number, e in enumerate(quotes, 1)
        if e.location and e.location != finding.location
    ]
    return {"relatedLocations": related} if related else {}


def _remark(piece: Evidence) -> str:
    return clipped(piece.text, LONGEST_TEXT) or piece.kind.value


def _code_flows(finding: Finding) -> Json:
    """The steps that lead to the finding, as a path to click through."""
    steps = [e for e in finding.evidence if e.kind is EvidenceKind.STEP and e.location and e.location.path]
    if not steps:
        return {}
    path = [{"location": _location(e.location) | {"message": {"text": _remark(e)}}} for e in steps if e.location]
    return {"codeFlows": [{"threadFlows": [{"locations": path}]}]}


def _fixes(finding: Finding) -> Json:
    """The patch (3.55). A region of a notebook's cell has no place in its file, so a notebook's patch is left out."""
    edits = finding.fix.edits if finding.fix is not None else ()
    if not edits or finding.fix is None or any(edit.location.cell is not None for edit in edits):
        return {}
    changes: dict[str, list[Json]] = {}
    for edit in edits:
        replacement = {"deletedRegion": _region(edit.location, ""), "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.location.path, []).append(replacement)
    files = [{"artifactLocation": artifact_location(path), "replacements": made} for path, made in changes.items()]
    return {"fixes": [{"description": {"text": finding.fix.description}, "artifactChanges": files}]}
