"""Reports of every shape, and reports filled with what an attacker would write."""

from __future__ import annotations

from hypothesis import strategies as st

from assay.findings import (
    Confidence,
    Evidence,
    EvidenceKind,
    Figure,
    Finding,
    Judgement,
    Location,
    Report,
    Severity,
    Suppressed,
    Table,
    Verdict,
)

HOSTILE = {
    "script": "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>",
    "terminal": "\x1b[31mred\x1b]0;title\x07\x9b2J\x08\x7f",
    "direction": "invoice\u202etxt.exe\u2066\u200e",
    "lines": "one\r\ntwo\rthree\x0bfour\x85five\u2028six\n\n\nseven",
    "null": "a\x00b",
    "half a character": "\udcff\ud800",
    "rich markup": "[red]not red[/red] [link=http://evil.example]x[/link] :boom: [/]",
    "template": "{{ 7 * 7 }}{% for x in y %}{# c #}",
    "markdown": "`a` ``b`` *c* __d__ | e | [f](http://evil.example) ![g](//evil.example) <h> &lt; http://evil.example "
    "www.evil.example @someone #1 ~~i~~ $x$\n# j\n- k\n1. l\n> m\n---\n```\nn",
    "formula": '=HYPERLINK("http://evil.example")',
    "formula, disguised": "\t\uff1dcmd|' /C calc'!A0",
    "long": "x y" * 7_000,
    "unbroken": "z" * 5_000,
    "wide": "漢字" * 200,
    "emoji": "👩\u200d🔬 e\u0301",
}


def filled_with(text: str) -> Report:
    """A report that has this text wherever audited material can get into one."""
    place = Location(text, 1, 1)
    evidence = tuple(Evidence(kind, text, place, ((text, text), (text, 1))) for kind in EvidenceKind)
    finding = Finding(text, text, Severity.ERROR, Confidence.LOW, text, text, place, evidence, text)
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>x</text></svg>'
    return Report(
        title=text,
        question=text,
        judgements=tuple(Judgement(text, verdict, text, evidence) for verdict in Verdict),
        findings=(finding, Finding(text, text, Severity.NOTE, Confidence.PROVEN, text)),
        tables=(Table(text, (text, "n"), ((text, 1), (text, 2))), Table(text, tuple("abcdefghijklm"), ((text,) * 13,))),
        figures=(Figure(text, drawing, text), Figure(text, text, text)),
        suppressed=(Suppressed(finding, text),),
        left_out=(text,),
        command=text,
    )


def _tuples(of: st.SearchStrategy[object], size: int = 3) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, max_size=size).map(tuple)


words = st.text(max_size=12)
values = st.none() | st.booleans() | st.integers() | st.floats() | words
counts = st.none() | st.integers(-2, 50)
locations = st.builds(Location, words, counts, counts, counts, counts, counts)
evidence = st.builds(
    Evidence, st.sampled_from(EvidenceKind), words, st.none() | locations, _tuples(st.tuples(words, values))
)
findings = st.builds(
    Finding,
    code=words | st.just("X101"),
    title=words,
    severity=st.sampled_from(Severity),
    confidence=st.sampled_from(Confidence),
    message=words,
    subject=words,
    location=st.none() | locations,
    evidence=_tuples(evidence),
    advice=words,
)
tables = st.integers(0, 3).flatmap(
    lambda n: st.builds(Table, words, st.tuples(*[words] * n), _tuples(st.tuples(*[values] * n)))
)
reports = st.builds(
    Report,
    title=words,
    question=words,
    judgements=_tuples(st.builds(Judgement, words, st.sampled_from(Verdict), words, _tuples(evidence))),
    findings=_tuples(findings),
    tables=_tuples(tables, 2),
    figures=_tuples(st.builds(Figure, words, words, words), 2),
    suppressed=_tuples(st.builds(Suppressed, findings, words), 2),
    left_out=_tuples(words),
    command=words,
)
