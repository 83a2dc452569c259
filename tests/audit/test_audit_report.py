"""One report in the order a reviewer thinks, in every format."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from assay.audit.audit_report import report_of
from assay.audit.chapters import chapter_of, chapters
from assay.audit.execution import Audit, State, Step
from assay.audit.questions import question_for, with_questions
from assay.audit.submission import Submission
from assay.audit.submission_audit import audit_submission
from assay.findings import Confidence, Finding, Report, Severity
from assay.report import Format, render
from assay.report.chapters import verdict_of
from assay.report.page_one import headline_of, points_of
from assay.report.questions import questions_of
from assay.report.schema import report_schema
from assay.rules import all_rules, get_rule


def test_the_text_is_one_screen_that_leads_with_the_headline(report: Report) -> None:
    lines = render(report, Format.TEXT).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith("Two reported results are impossible")
    assert [line for line in lines if re.match(r" \d\. ", line)][4:] != []
    labels = ["Proven wrong", "Likely wrong", "Missing", "Minor points", "Fine", "Not checked"]
    assert [line.split("  ")[0] for line in lines if line.split("  ")[0] in labels] == labels


def test_chapters_come_after_page_one_in_the_order_a_reviewer_thinks(report: Report) -> None:
    titles = ["Questions for the authors", "Verdict", *(section.title for section in chapters())]
    for how, mark in ((Format.MD, r"\n## {}"), (Format.HTML, r"<h[23]>{}")):
        page = render(report, how)
        places = [m.start() for title in titles if (m := re.search(mark.format(re.escape(title)), page))]
        assert len(places) == len(titles)
        assert places == sorted(places)


def test_page_one_ranks_by_what_changes_the_result(report: Report) -> None:
    points = points_of(report)
    assert [point.section.key for point in points] == ["numbers", "numbers", "leakage", "leakage", "claims"]
    assert points[0].findings[0].confidence is Confidence.PROVEN
    assert len(points) == 5
    lead = headline_of(report)
    assert lead.count(".") == 1
    assert lead.endswith("; two documented commands cannot work as written.")
    assert not {"R101", "R105", "K105", "K101"} & {point.findings[0].code for point in points}


def test_page_one_follows_the_findings_that_are_chosen(report: Report) -> None:
    some = report.only({"L1.4", "R101", "R105"})
    assert headline_of(some) == "The training and test data share rows."
    assert [point.findings[0].code for point in points_of(some)] == ["L1.4"]
    none = headline_of(report.only({"R101"}))
    assert none.startswith("No serious problem was found in what was checked. 3 rows")


def test_the_page_has_an_anchor_for_every_chapter_and_a_card_for_every_link(report: Report) -> None:
    page = render(report, Format.HTML)
    for section in chapters():
        assert f'id="{section.key}"' in page
        assert f'href="#{section.key}"' in page
    links, cards = (re.findall(rf'{name}="#?(f-[0-9a-f-]+)"', page) for name in ("href", "id"))
    assert set(links) <= set(cards)
    assert len(links) == len(points_of(report))
    assert len(set(cards)) == len(cards) == len(report.findings)


def test_the_json_keeps_the_schema_and_tells_the_chapter(report: Report) -> None:
    data = json.loads(render(report, Format.JSON))
    Draft202012Validator(report_schema()).validate(data)
    assert {finding["section"] for finding in data["findings"]} == {section.key for section in chapters()}
    assert [section["key"] for section in data["sections"]] == [section.key for section in chapters()]


def test_every_other_format_has_every_finding(report: Report) -> None:
    for how in (Format.MD, Format.CSV, Format.SARIF):
        page = render(report, how)
        assert all(finding.code in page for finding in report.findings)


def test_every_finding_is_in_exactly_one_line_of_the_verdict(report: Report) -> None:
    lines = {line.key: line.count for line in verdict_of(report)}
    assert lines["proven"] + lines["likely"] + lines["missing"] + lines["minor"] == len(report.findings)
    assert lines["proven"] == 2
    assert lines["fine"] == len(report.fine)


def test_the_verdict_follows_the_findings_that_are_chosen(report: Report) -> None:
    some = report.only({"L1.4"})
    assert [line.count for line in verdict_of(some)][:3] == [0, 1, 0]
    assert len(questions_of(some)) == 1


@pytest.mark.parametrize(
    ("code", "chapter"),
    [
        ("S101", "numbers"),
        ("X201", "numbers"),
        ("A203", "numbers"),
        ("L1.4", "leakage"),
        ("LX3", "leakage"),
        ("R109", "leakage"),
        ("A109", "missing"),
        ("R203", "missing"),
        ("R401", "running"),
        ("ZZ9", "running"),
    ],
)
def test_a_rule_has_its_chapter(code: str, chapter: str) -> None:
    finding = Finding(code, "T", Severity.NOTE, get_rule("S101").confidence, "m")
    assert chapter_of(finding).key == chapter


NEVER_FIRST = {
    "K101", "K102", "K103", "K104", "K105", "X211",  # the authors' own checklist is not the result
    "A101", "A102", "A103", "A104", "A105", "A106", "A108",  # about an assessment, not about a paper
    "R101", "R103", "R104",  # licence
    "R207", "R502", "R601", "R701", "R801", "X101",  # style and convenience
    "R302", "R304", "R306",  # nearly every repository has them: true, and nobody's main point
    "R901",  # often a tool beside the experiments, or syntax of a newer Python
}  # fmt: skip


def test_every_grave_rule_leads_or_is_kept_off_page_one_on_purpose() -> None:
    leading = [code for section in chapters() for cause in section.causes for code in cause.rules]
    assert len(leading) == len(set(leading))
    grave = {rule.code for rule in all_rules() if rule.severity is not Severity.NOTE and rule.code[0] != "D"}
    assert grave - set(leading) <= NEVER_FIRST
    assert set(leading) <= {rule.code for rule in all_rules()}


def test_an_uncertain_finding_does_not_lead(report: Report) -> None:
    leak = get_rule("LX1").finding("the message")
    sure, unsure = replace(leak, confidence=Confidence.HIGH), replace(leak, confidence=Confidence.MEDIUM)
    assert [point.findings for point in points_of(replace(report, findings=(sure, unsure)))] == [(sure,)]
    assert points_of(replace(report, findings=(unsure,))) == ()


def test_findings_with_one_cause_are_one_point(report: Report) -> None:
    rules = (get_rule("R305"), get_rule("R307"), get_rule("R307"))
    findings = tuple(rule.finding(f"message {n}") for n, rule in enumerate(rules))
    [point] = points_of(replace(report, findings=findings))
    assert point.findings == findings
    assert point.evidence.endswith(f"also: {rules[-1].title.lower()}")
    assert point.clause == "the software environment is not specified"


def test_what_a_point_already_says_is_no_point_of_its_own(report: Report) -> None:
    promised, unseeded = get_rule("X208").finding("seeds are promised"), get_rule("R401").finding("no seed is set")
    assert [point.findings for point in points_of(replace(report, findings=(unseeded, promised)))] == [(promised,)]
    assert [point.findings for point in points_of(replace(report, findings=(unseeded,)))] == [(unseeded,)]
    assert "not fixed" not in headline_of(replace(report, findings=(unseeded, promised)))


def test_rows_that_no_exact_test_judged_are_counted(tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text(
        "# Results\n\n| Model | Accuracy | F1 |\n|---|---|---|\n| A | 0.91 | 0.90 |\n| B | 0.93 | 0.92 |\n"
    )
    report = audit_submission(tmp_path / "paper.md").report
    assert any(sentence.startswith("2 of 2 rows of scores (class counts unknown") for sentence in report.left_out)


_READS = """import pandas as pd
from sklearn.svm import SVC

rows = pd.read_csv("data/scans.csv")
SVC(random_state=1).fit(rows[["a"]], rows["b"])
"""


def _submission(folder: Path, paper: str, code: str) -> Report:
    sections = f"\\section{{Data}}\n{paper}\n"
    (folder / "paper.tex").write_text(f"\\documentclass{{article}}\n\\begin{{document}}\n{sections}\\end{{document}}\n")
    (folder / "train.py").write_text(code)
    (folder / "README.md").write_text("# Scans\n\nRun `python train.py`.\n")
    return audit_submission(folder).report


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("The data are provided by the clinic.", True),
        ("The data are provided at \\url{https://zenodo.org/records/4321}.", False),
    ],
)
def test_data_whose_address_the_paper_gives_are_not_asked_for(tmp_path: Path, sentence: str, asked: bool) -> None:
    report = _submission(tmp_path, sentence, _READS)
    [missing] = [finding for finding in report.findings if finding.code == "R501"]
    assert (missing.severity is Severity.WARNING) is asked
    assert any(finding.code == "X210" for finding in report.findings) is asked


def test_the_headline_names_what_could_not_be_checked(tmp_path: Path) -> None:
    report = _submission(tmp_path, "We study scans of the chest.", "print('no model here')\n")
    assert headline_of(report).endswith("Not checked: leaks in the code; the training and test tables.")


def test_licence_and_citation_come_last(report: Report) -> None:
    findings = with_questions([get_rule(code).finding("the message") for code in ("R101", "R304", "R301")])
    some = replace(report, findings=tuple(replace(f, section=chapter_of(f).key) for f in findings))
    assert "licence" in str(questions_of(some)[-1])
    missing = next(line for line in verdict_of(some) if line.key == "missing")
    assert missing.statement == f"{get_rule('R301').title}; {get_rule('R304').title}; and 1 more"


# --- questions ---------------------------------------------------------------------------------------


def test_every_error_raises_a_question() -> None:
    for rule in all_rules():
        finding = rule.finding("the message", subject="the row")
        if rule.severity is Severity.ERROR:
            assert question_for(finding)
        assert "{" not in question_for(finding)


def test_questions_are_asked_once_with_their_places(report: Report) -> None:
    asked = [str(question) for question in questions_of(report)]
    assert len(asked) == len(set(asked)) <= 30
    [checklist] = [text for text in asked if "answers in the checklist" in text]
    assert checklist.endswith("(checklist.yaml:12, checklist.yaml:19, checklist.yaml:24 and 7 other places)")


def test_what_another_finding_asks_better_is_not_asked_again(report: Report) -> None:
    asked = {f.code for f in report.findings if f.question}
    assert {"X208", "X207", "LX1"} <= asked
    assert not {"R401", "R904", "L3.2", "R109"} & asked
    [alone] = with_questions([get_rule("R401").finding("draws", subject="a")])
    assert alone.question


def test_braces_in_audited_text_are_left_as_they_are() -> None:
    assert "{0.x}" in question_for(get_rule("S101").finding("m", subject="{0.x}"))


# --- what could not be judged ------------------------------------------------------------------------


def test_an_audit_of_nothing_but_failures_says_so() -> None:
    step = Step("paper p.pdf", "?", State.FAILED, 1.0, "stopped after 300 seconds")
    report = report_of(Audit(Submission("p.pdf"), (), (step,)))
    assert report.left_out[0] == "paper p.pdf could not be judged: stopped after 300 seconds"
    assert [line.count for line in verdict_of(report)][:5] == [0, 0, 0, 0, 0]
    assert "Nothing could be checked; see below" in " ".join(render(report, Format.TEXT).split())


def test_hostile_words_do_no_harm(report: Report) -> None:
    evil = "<script>alert(1)</script>\x1b[31m\u202e](http://x)"
    finding = replace(report.findings[0], message=evil, question=f"{evil}?", subject=evil)
    hostile = replace(report, findings=(finding,), title=evil, fine=(evil,), left_out=(evil,))
    assert "<script>alert" not in render(hostile, Format.HTML)
    assert "\x1b" not in render(hostile, Format.TEXT)
    page = render(hostile, Format.MD)
    assert page.count("](http") == page.count("\\](http\\:") > 3, "no link is made"


def test_the_headline_names_what_is_likely_when_nothing_is_certain(report: Report) -> None:
    finding = replace(next(f for f in report.findings if f.code == "L1.4"), confidence=Confidence.MEDIUM)
    doubtful = replace(report, findings=(finding,))
    assert points_of(doubtful) == ()
    assert headline_of(doubtful) == (
        "Nothing serious is certain, but one likely problem needs your judgement:"
        " duplicate rows in training and test sets."
    )


DRAFT = r"""\documentclass{article}
\title{Predicting sepsis}
\begin{document}
\section{Data}
The test set has 60 positives and 180 negatives. All random seeds were fixed.
\section{Results}
\begin{table}\caption{Results on the test set}
\begin{tabular}{lccc}
Model & Accuracy & Sensitivity & Specificity \\
Logistic regression & 0.871 & 0.783 & 0.900 \\
Random forest & 0.942 & 0.917 & 0.925 \\
\end{tabular}\end{table}
\end{document}
"""


def test_an_impossible_row_comes_before_a_promise_of_seeds_and_counts_as_checked(tmp_path: Path) -> None:
    (tmp_path / "draft.tex").write_text(DRAFT)
    (tmp_path / "train.py").write_text(
        "from sklearn.ensemble import RandomForestClassifier\nRandomForestClassifier().fit(rows, labels)\n"
    )
    report = audit_submission(tmp_path).report
    assert [point.findings[0].code for point in points_of(report)][:2] == ["S120", "X208"]
    assert not any("class counts unknown" in sentence for sentence in report.left_out)
