"""The path of a leak, step by step, with the quoted code."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from assay.findings import Confidence, Evidence, EvidenceKind, Severity, note, quote
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.places import code_at, location
from assay.leakage.code.leak import Leak
from assay.leakage.code.state.events import Split
from assay.leakage.code.state.in_order import origins_in_order, span
from assay.leakage.code.state.rows import Origin, Rows, Site, share_rows
from assay.leakage.code.state.values import UnknownCall

_MOST_STEPS = 2


def step(words: str, site: Site) -> Evidence:
    """One stage of the path."""
    code = code_at(site)
    return Evidence(EvidenceKind.STEP, f"{words}: {code}" if code else words, location(site))


def read_steps(rows: Rows, others: Rows) -> list[Evidence]:
    """Where the tables come from that two sets of rows have in common, in the order of the text."""
    common = origins_in_order(a.origin for a in rows if any(share_rows(a, b) for b in others))
    return [step(f"the rows come from here ({o.description})", o.site) for o in common[:_MOST_STEPS]]


def split_steps(facts: Observations, rows: Rows) -> list[Evidence]:
    """Where these rows were set apart; the same seed divides other tables elsewhere."""
    tables: dict[Hashable, set[Origin]] = {}
    for part in rows:
        for cut in part.cuts:
            tables.setdefault(cut.key, set()).add(part.origin)
    made = [e for e in facts.trace.events if isinstance(e, Split) and e.key in tables]
    theirs = [e for e in made if any(part.origin in tables[e.key] for part in e.rows)]
    ordered = sorted({e.key: e.site for e in theirs or made}.values(), key=span)
    return [step("the rows are split here", site) for site in ordered[:_MOST_STEPS]]


def leak_at(
    code: str,
    topic: str,
    message: str,
    site: Site,
    steps: Iterable[Evidence],
    *,
    severity: Severity,
    confidence: Confidence,
    advice: str = "",
    remarks: Iterable[str] = (),
) -> Leak:
    """A leak at a place: the quoted line, then the path."""
    here = location(site) or site.source.location(None)
    path = tuple(dict.fromkeys(steps))
    evidence = (quote(code_at(site), here), *path, *(note(r) for r in remarks))
    return Leak(code, topic, message, here, evidence, severity, confidence, advice)


def through_unknown_calls(
    via: Iterable[UnknownCall], start: Confidence = Confidence.HIGH
) -> tuple[Confidence, list[str]]:
    """Less confidence when the path leads through calls that are not described, and the sentence that says so."""
    names = sorted({call.name for call in via})
    if not names:
        return start, []
    listed = ", ".join(f"`{n}`" for n in names[:3])
    lower = Confidence.MEDIUM if start is Confidence.HIGH else Confidence.LOW
    return lower, [f"The path passes through {listed}, whose effect is not known; Assay assumes it keeps the rows."]
