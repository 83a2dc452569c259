"""No report contradicts itself: one question has one answer, whichever instrument gives it.

The whole audit runs on every bundled example, on the examples of every rule that reads files, and on submissions that
put them together. Two statements of one report that cannot both be true are a contradiction.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from assay.audit.audit_report import report_of
from assay.audit.execution import Audit, run_audit
from assay.audit.facts import Origin, Topic
from assay.audit.recognition import recognise
from assay.audit.submission import Submission
from assay.findings import Report, Severity, Verdict
from assay.report.page_one import headline_of, points_of
from assay.rules import all_rules, get_rule

EXAMPLES = Path(__file__).parents[2] / "examples"

EXCLUDING = {
    "R101": "R102 R103 R104",  # no licence at all: nothing can be said about it
    "R201": "R202 R203 R204 R205 R206 R207 R208 R209 R210 R904 X205",  # no README
    "R301": "R302 R304 R306 R307 R309 X209",  # nothing declared: neither pinned nor unpinned
    "R108": "L1.2 L1.3 L1.4 L3.1 L3.2 L3.3 LX1 LX5 LX9 X203 X204 X206 X207",  # no test data: nothing to leak from them
    "R804": "R805",  # no tests: none that a service could run
    "R203": "R504 R505",  # not a word about the data: not a link to them either
}
"""Findings that say that something does not exist, and findings that describe it."""

DENYING = {
    "LX1": "R109",  # the test set chose the model
    "X208": "R401&R402&R403&R404",
    "R904": "R401&R402&R403&R404",
    "X209": "R301&R304",
}
"""Findings, and rules of the repository that cannot be kept where they hold; `&` joins rules of which one is broken."""


class Statements:
    """What one report says, as codes that are found and codes that are kept."""

    def __init__(self, audit: Audit) -> None:
        self.report = report_of(audit)
        self.audit = audit
        self.found = {finding.code for finding in self.report.findings}
        rules = [table for table in self.report.tables if ": Rules: " in table.title]
        self.kept = {str(row[0]) for table in rules for row in table.rows if row[2] == "pass"}
        self.one_repository = len(rules) == 1

    def contradictions(self) -> Iterator[str]:
        yield from (f"{code} is found and kept" for code in self.found & self.kept if self.one_repository)
        for absent, described in EXCLUDING.items():
            yield from (f"{absent} and {code}" for code in described.split() if {absent, code} <= self.found)
        for found, rules in DENYING.items():
            for group in rules.split():
                if found in self.found and self.one_repository and set(group.split("&")) <= self.kept:
                    yield f"{found}, although {group} is kept"
        yield from self._of_leaks()
        yield from self._of_rows()
        yield from self._of_the_paper()
        yield from self._of_page_one()

    def _of_leaks(self) -> Iterator[str]:
        leaks = {code for code in self.found if code.startswith("L")}
        for name, outcome in self.audit.outcomes:
            own = {finding.code for finding in outcome.report.findings}
            if any("no leak found" in sentence for sentence in outcome.fine) and own & leaks:
                yield f"{name} is called free of leaks and has {own & leaks}"

    def _of_rows(self) -> Iterator[str]:
        possible = {j.subject for j in self.report.judgements if j.verdict is Verdict.CONSISTENT}
        for finding in self.report.findings:
            if finding.code in {"S101", "S102", "S103", "S107"} and finding.subject in possible:
                yield f"{finding.subject} is possible and impossible"

    def _of_the_paper(self) -> Iterator[str]:
        """What a claim of the paper rests on, the paper documents."""
        absent = {f.message.partition(":")[0] for f in self.report.findings if f.code == "A109"}
        topics = {claim.topic for claim in self.audit.facts.claims if claim.origin is Origin.PAPER}
        if topics & {Topic.FOLDS, Topic.SHARE, Topic.STRATIFIED, Topic.GROUPED}:
            yield from (f"the split is read and {subject} is missing" for subject in absent if "partition" in subject)
        if any(
            name.startswith(("repository", "leakage in the code", "leakage in scripts"))
            for name, _ in self.audit.outcomes
        ):
            yield from (f"code is given and {subject} is missing" for subject in absent if subject.endswith("-code"))

    def _of_page_one(self) -> Iterator[str]:
        grave = [finding for finding in self.report.findings if finding.severity is Severity.ERROR]
        if points_of(self.report) and headline_of(self.report).startswith("No "):
            yield "the headline says that nothing is wrong above a point that is"
        leading = {code for section in self.report.sections for cause in section.causes for code in cause.rules}
        if any(finding.code in leading for finding in grave) and not points_of(self.report):
            yield "an error is on no point of page one"


def put(folder: Path, text: str) -> Path:
    """The files of an example: ``==> name <==`` before each."""
    _, *pieces = re.split(r"^==> (\S+) <==\n", text, flags=re.MULTILINE)
    for name, content in zip(pieces[::2], pieces[1::2], strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def contradictions_in(submission: Submission) -> list[str]:
    return list(Statements(run_audit(submission, workers=0)).contradictions())


@pytest.mark.parametrize("name", ["submission", "submission/code", "corpus", "corpus/code", "ablation"])
def test_no_bundled_example_is_contradicted(name: str) -> None:
    assert contradictions_in(recognise([EXAMPLES / name])) == []


FILES = [rule for rule in all_rules() if rule.instrument.name in {"repository", "audit"}]


@pytest.mark.parametrize("code", [rule.code for rule in FILES])
def test_no_example_of_a_rule_is_contradicted(code: str, tmp_path: Path) -> None:
    rule = get_rule(code)
    for name in ("failing", "passing"):
        text = getattr(rule, name)
        folder = put(tmp_path / name, text)
        if folder.is_dir():  # an example about an empty repository has no file
            whole = recognise([], repositories=[folder]) if code.startswith("R") else recognise([folder])
            assert contradictions_in(whole) == []


PAPERS = {
    "folds": "# Method\n\nWe used stratified 5-fold cross-validation. All random seeds were fixed.\n",
    "patients": "# Method\n\nWe used a patient-wise split and held out 20% of the images for testing.\n",
    "promises": "# Code\n\nThe code is available. The exact versions of all packages are in requirements.txt.\n",
    "silent": "# Results\n\nThe accuracy was 0.95.\n",
}
CODE = {
    rule.code: rule.failing
    for rule in all_rules()
    if rule.instrument.name == "leakage" and "import" not in rule.failing
}
README = {
    "none": "",
    "bare": "==> README.md <==\n# Model\n",
    "full": "==> README.md <==\n# Model\n\nAll seeds are fixed. Data: data/patients.csv\n\n```\npython train.py\n```\n",
}


@pytest.mark.parametrize(("paper", "readme"), list(product(PAPERS, README)))
def test_no_composed_submission_is_contradicted(paper: str, readme: str, tmp_path: Path) -> None:
    imports = "import pandas as pd\nfrom sklearn.model_selection import *\nfrom sklearn.linear_model import *\n"
    for number, (code, text) in enumerate(CODE.items()):
        if number % len(PAPERS) != list(PAPERS).index(paper):
            continue
        folder = put(tmp_path / code, f"==> train.py <==\n{imports}{text}\n{README[readme]}")
        (folder / "paper.md").write_text(PAPERS[paper])
        assert contradictions_in(recognise([folder])) == [], code


def test_the_test_sees_a_contradiction(audited: Audit) -> None:
    statements = Statements(audited)
    statements.found |= {"R101", "R301", "LX1"}
    statements.kept |= {"R109"}
    assert "R301 and R304" in (told := list(statements.contradictions()))
    assert "LX1, although R109 is kept" in told
    assert isinstance(statements.report, Report)
