"""Could somebody run this code? One subject is a folder, an archive, a commit, or the address of a repository."""

from __future__ import annotations

from dataclasses import replace

from assay.corpus.clones import Beat, cloned
from assay.corpus.instruments import Instrument
from assay.corpus.subject import Examined, Subject, Task
from assay.corpus.tables import finding_cells
from assay.patterns import regex
from assay.repository.assessment_report import report_of
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.repository.profiles import Profile
from assay.repository.research.loos2022 import Factor
from assay.repository.rows import row_of
from assay.tree import Tree, open_tree

_TEXT = frozenset({"repository", "commit", "date", "profile"})
_COUNTS = regex(r"(rules_.*|files|python_files|errors|warnings|notes)")
_RULE = regex(r"[A-Z]+[0-9.]+")


def kind(column: str) -> type:
    """The type of a fact by its name: counts are integers, rules are text, all others are factors."""
    if column in _TEXT or _RULE.fullmatch(column):
        return str
    return int if _COUNTS.fullmatch(column) else float


def is_factor(column: str, task: Task) -> bool:
    """True for scores from 0 to 1; the profile loos2022 also has other measurements."""
    if task.option("profile") == Profile.LOOS2022.value:
        return column in {factor.value for factor in Factor}
    return kind(column) is float


def instrument(task: Task, beat: Beat) -> Instrument:
    """The repository instrument with the task's profile."""
    profile = Profile(task.option("profile", Profile.DEFAULT.value))

    def examine(subject: Subject) -> Examined:
        assessment = assess(read_repository(opened(subject, task, beat)), profile)
        report = report_of([assessment])
        return Examined(row_of(assessment), tuple(map(finding_cells, report.findings)), left_out=report.left_out)

    return Instrument(examine, kind)


def opened(subject: Subject, task: Task, beat: Beat) -> Tree:
    """The subject's files under its name in the list; an address is fetched first."""
    clone = cloned(subject.source, task, beat)
    if clone is None:
        return replace(open_tree(subject.source), name=subject.name)
    return replace(open_tree(clone.path), name=subject.name, tags=clone.tags)
