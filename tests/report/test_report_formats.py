"""What holds for all formats alike."""

import subprocess
import sys
from dataclasses import replace

import pytest
from example import CLEAN, EXAMPLE, INCONSISTENT, LEAK

from assay.findings import Report, Table
from assay.report import Format, render

READABLE = [Format.TEXT, Format.MD, Format.HTML]


@pytest.mark.parametrize("kind", [kind for kind in Format if not kind.is_binary])
def test_the_same_report_always_gives_the_same_text(kind: Format) -> None:
    assert render(EXAMPLE, kind) == render(replace(EXAMPLE), kind)


@pytest.mark.parametrize("kind", [kind for kind in Format if not kind.is_binary])
def test_every_finding_and_judgement_is_in_every_format(kind: Format) -> None:
    text = render(EXAMPLE, kind)
    for code in ["S101", "L1.2", "L1.4", "R205", "S104"]:
        assert code in text
    for judgement in EXAMPLE.judgements:
        assert judgement.verdict.value in text.lower()
    for thing in EXAMPLE.left_out:
        assert thing in text
    assert "misprint, corrected in the erratum of 2021" in text


@pytest.mark.parametrize("kind", READABLE)
def test_the_order_is_question_judgements_findings_gravest_first_then_the_rest(kind: Format) -> None:
    text = render(EXAMPLE, kind)
    body = text[text.index("Judgements") :] if kind is Format.HTML else text
    body = body[body.index("No confusion matrix") :]
    marks = [
        *("No confusion matrix", "17 are too few", "Errors (2)", "S101", "L1.2", "Warnings (1)", "L1.4"),
        *("Notes (1)", "R205", "Scores as reported", "Sensitivities that 20 positives allow", "S104", "weights.bin"),
    ]
    places = [body.index(mark) for mark in marks]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", READABLE)
def test_an_empty_report_says_what_silence_does_not_mean(kind: Format) -> None:
    text = " ".join(render(CLEAN, kind).split())
    assert "Nothing was found. That does not prove the result right" in text
    assert "not examined" not in text


@pytest.mark.parametrize("kind", READABLE)
def test_an_empty_report_that_left_things_out_says_so(kind: Format) -> None:
    text = " ".join(render(replace(CLEAN, left_out=("weights.bin",)), kind).split())
    assert "Some of the material was not examined; it is listed at the end." in text


@pytest.mark.parametrize("kind", READABLE)
def test_an_inconsistent_verdict_is_never_called_nothing(kind: Format) -> None:
    text = " ".join(render(replace(CLEAN, judgements=(INCONSISTENT,)), kind).split())
    assert "Nothing was found" not in text
    assert "No rule raised a finding beyond the judgements above." in text


@pytest.mark.parametrize(("kind", "shown"), [(Format.TEXT, 50), (Format.MD, 200), (Format.HTML, 1_000)])
def test_a_long_table_is_cut_and_says_how_much_is_missing(kind: Format, shown: int) -> None:
    table = Table("long", ("name",), tuple((f"row-{n}-",) for n in range(1_500)))
    text = render(Report("t", tables=(table,)), kind)
    assert f"row-{shown - 1}-" in text
    assert f"row-{shown}-" not in text
    assert f"{1_500 - shown:,} more rows" in text


@pytest.mark.parametrize("kind", READABLE)
def test_a_message_of_a_megabyte_is_cut_for_people_and_says_so(kind: Format) -> None:
    text = render(Report("t", findings=(replace(LEAK, message="long " * 200_000),)), kind)
    assert len(text) < 60_000
    assert "more characters; the JSON report has them all" in " ".join(text.split()).replace("\\", "")


@pytest.mark.parametrize("kind", [Format.JSON, Format.CSV, Format.SARIF])
def test_a_message_of_a_megabyte_is_no_trouble_to_programs(kind: Format) -> None:
    text = render(Report("t", findings=(replace(LEAK, message="long " * 200_000),)), kind)
    assert (len(text) > 1_000_000) is (kind is Format.JSON)


def test_a_quote_at_the_place_of_the_finding_does_not_repeat_the_place() -> None:
    text = render(Report("t", findings=(replace(LEAK, evidence=LEAK.evidence[:1]),)), Format.TEXT)
    assert text.count("src/train.py:41:5") == 1


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import assay.report", {"rich", "jinja2", "pydantic"}),
        ("assay.report.render(R, assay.report.Format.JSON)", {"rich", "jinja2", "pydantic"}),
        ("assay.report.render(R, assay.report.Format.CSV)", {"rich", "jinja2", "pydantic"}),
        ("assay.report.render(R, assay.report.Format.MD)", {"rich", "jinja2", "pydantic"}),
        ("assay.report.render(R, assay.report.Format.TEXT)", {"jinja2", "pydantic"}),
        ("assay.report.render(R, assay.report.Format.HTML)", {"rich", "pydantic"}),
    ],
)
def test_a_format_loads_only_what_it_needs(statement: str, unwanted: set[str]) -> None:
    program = (
        f"import assay.report, assay.findings, sys; R = assay.findings.Report('t'); {statement}; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert unwanted.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("how", [Format.TEXT, Format.MD, Format.HTML, Format.TEX])
def test_a_report_that_only_describes_says_nothing_about_findings(how: Format) -> None:
    tables = (Table("Counts", ("what", "number"), (("rows", 3),)),)
    told = render(Report("Tables", tables=tables, descriptive=True), how)
    assert "Counts" in told
    assert "Nothing was found" not in told
    assert "indings" not in told.partition("</style>")[2 if "</style>" in told else 0]
    assert "Nothing was found" in render(Report("Tables", tables=tables), how)
