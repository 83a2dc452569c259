"""Each instrument on its part of a submission: a report, the facts that meet those of others, and what is fine.

A job reads its material once and may have several parts: the code of a repository is parsed for its rules and
followed for leaks. Parts are performed one by one, so that what is done is kept when a later part fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from assay.audit.facts import Crossing
from assay.audit.places import placed
from assay.audit.submission import Kind, Piece, Submission
from assay.errors import InputError
from assay.extras import require
from assay.findings import Finding, Report, Severity, Verdict
from assay.records import dataclass
from assay.report.wording import counted

if TYPE_CHECKING:
    from assay.article.model import Record
    from assay.code import Code, Source
    from assay.leakage.code.analysis import Analysis
    from assay.repository.facts import Repository
    from assay.repository.selection import Choice
    from assay.suppressions import Suppression
    from assay.tree import Tree

_FEW_ROWS = 20
_TARGETS = ("target", "label", "y", "outcome", "class", "diagnosis", "labels", "response")
"""Columns that are taken for the outcome when nobody names one, in this order."""
_UNCONFIRMED = "what it documents was read off its words by a program; no person has confirmed it"
_CODE = ("method-code", "experiment-code")
"""Sub-components that a submission with code documents, whatever its paper says."""
_NOTHING_FOLLOWED = "leaks in the code (no evaluation of a model was found to follow)"
_NOT_HERE = frozenset({"A107"})
"""An audit reads the paper itself: there is no assessment in which a person could confirm proposals."""


@dataclass(frozen=True)
class Outcome:
    """What one part of a job gives."""

    report: Report
    facts: Crossing = field(default_factory=Crossing)
    fine: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Code that could not be read or followed: the headline names it when nothing serious was found."""


@dataclass(frozen=True)
class Job:
    """What one process does: some pieces, and the names of its parts in order."""

    kind: Kind
    pieces: tuple[Piece, ...]
    parts: tuple[tuple[str, str], ...]
    """Name and question of each part."""
    target: str | None = None
    known: tuple[Finding, ...] = ()
    figures: bool = False
    with_code: bool = False
    """For a paper: its code is part of the submission."""


def jobs_of(submission: Submission, *, figures: bool = False) -> list[Job]:
    """What can be done at once; checklists wait for the others, see `checklist_jobs`."""
    code = bool(submission.pieces_of(Kind.REPOSITORY) or submission.pieces_of(Kind.CODE))
    question = "Does the paper say enough, and do its numbers add up?"
    jobs = [
        Job(Kind.PAPER, (p,), ((f"paper {p}", question),), with_code=code) for p in submission.pieces_of(Kind.PAPER)
    ]
    for piece in submission.pieces_of(Kind.REPOSITORY):
        parts = (
            (f"repository {piece}", "Could somebody run this code?"),
            (f"leakage in the code of {piece}", "Does the code let test rows into training?"),
        )
        jobs.append(Job(Kind.REPOSITORY, (piece,), parts))
    loose = submission.pieces_of(Kind.CODE)
    if loose:
        jobs.append(Job(Kind.CODE, loose, (("leakage in scripts", "Does the code let test rows into training?"),)))
    tables = (*submission.pieces_of(Kind.TRAIN), *submission.pieces_of(Kind.TEST))
    if tables:
        part = ("leakage in tables", "Did the test set leak into training, as far as the tables show?")
        jobs.append(Job(Kind.TEST, tables, (part,), submission.target))
    jobs += [
        Job(Kind.SCORES, (p,), ((f"scores {p}", "Can these numbers be true?"),))
        for p in submission.pieces_of(Kind.SCORES)
    ]
    return [replace(job, figures=figures) for job in jobs]


def checklist_jobs(submission: Submission, known: Iterable[Finding]) -> list[Job]:
    """Checklists are compared with the other findings."""
    found = tuple(known)
    return [
        Job(Kind.CHECKLIST, (p,), ((f"checklist {p}", "Is everything answered, and truly?"),), known=found)
        for p in submission.pieces_of(Kind.CHECKLIST)
    ]


def parts_of(job: Job) -> list[Callable[[], Outcome]]:
    """The work of each part, in order; nothing is done until one is called."""
    match job.kind:
        case Kind.PAPER:
            return [lambda: _paper(job)]
        case Kind.REPOSITORY:
            opened = _Opened(job.pieces[0])
            return [lambda: _repository(job, opened), lambda: _code(job, opened)]
        case Kind.CODE:
            return [lambda: _scripts(job)]
        case Kind.TEST:
            return [lambda: _tables(job)]
        case Kind.SCORES:
            return [lambda: _scores(job)]
        case _:
            return [lambda: _checklist(job)]


@dataclass
class _Opened:
    """A repository whose tree and code are read when a part first needs them."""

    piece: Piece

    @cached_property
    def tree(self) -> Tree:
        from assay.tree import open_tree

        tree = open_tree(str(self.piece.path))
        if not tree.files:  # all its rules would be "kept"
            raise InputError("contains no files", where=self.piece.name, fix="Name the folder that holds the code.")
        return tree

    @cached_property
    def facts(self) -> Repository:
        from assay.repository.facts import read_repository

        return read_repository(self.tree)

    @cached_property
    def code(self) -> Code:
        """That of the facts, if they could be read."""
        from assay.code import read_code

        return self.facts.code if "facts" in self.__dict__ else read_code(self.tree)

    @cached_property
    def followed(self) -> tuple[Analysis, list[Source], str]:
        """Its code, followed for leaks."""
        from assay.audit.training_files import followed

        return followed(self.code)


# --- papers ------------------------------------------------------------------------------------------


def _paper(job: Job) -> Outcome:
    from assay.article.assessment import Assessment
    from assay.article.numbers import clashes
    from assay.article.numbers.rules import numbers
    from assay.article.proposals import propose, record_of, unsearched
    from assay.article.reading import read_paper
    from assay.article.report import report_of
    from assay.audit.collected_facts import paper_facts
    from assay.audit.paper_scores import check_scores

    [piece] = job.pieces
    paper = read_paper(piece.path, piece.member)
    proposals = propose(paper)
    record = record_of(paper, proposals)
    documented = report_of([Assessment(_with_code(record) if job.with_code else record)])
    scores = check_scores(paper)
    found = [f for f in (*documented.findings, *numbers.run(tuple(clashes(paper)))) if f.code not in _NOT_HERE]
    report = replace(
        documented,
        judgements=scores.judgements,
        findings=(*found, *scores.findings),
        tables=(*documented.tables, *scores.tables),
        left_out=(*paper.left_out, *unsearched(paper), *scores.left_out, f"{piece.path}: {_UNCONFIRMED}"),
    )
    return placed(Outcome(report, paper_facts(paper), tuple(_consistent(report))), piece)


def _with_code(record: Record) -> Record:
    """The record with full credit for code: the submission contains it, whatever the paper says about it."""
    from assay.article.model import Grade

    there = Grade(Fraction(1), quote="the code is part of this submission", proposed="assay, from what was submitted")
    grades = {**record.grades, **{part: there for part in _CODE if (record.grades[part].value or 0) < 1}}
    return replace(record, grades=grades)


def _consistent(report: Report) -> Iterator[str]:
    """How many rows of scores can be true, if any was examined."""
    good = [j.subject for j in report.judgements if j.verdict is Verdict.CONSISTENT]
    if good:
        yield f"{counted(len(good), 'row')} of scores recomputed and possible ({', '.join(good[:3])})"


# --- code --------------------------------------------------------------------------------------------


def _repository(job: Job, opened: _Opened) -> Outcome:
    from assay.audit.collected_facts import repository_facts
    from assay.project_suppressions import silenced
    from assay.repository.assessment_report import report_of
    from assay.repository.check import Result, assess

    facts = replace(opened.facts, selection=(*opened.facts.selection, *_choices_followed(opened)))
    assessment = assess(facts)
    report = silenced(report_of([assessment], figures=job.figures), opened.tree)
    report = replace(report, findings=tuple(f for f in report.findings if not _is_of_leakage(f)))
    passed = len(assessment.ended(Result.PASS))
    fine = (f"{counted(passed, 'repository rule')} checked and kept",) if passed else ()
    unread = (*facts.environment.unread, *facts.code.left_out)
    return placed(Outcome(report, repository_facts(facts), fine, unread), opened.piece)


def _is_of_leakage(finding: Finding) -> bool:
    """Whether a finding only repeats what the chapter on leakage says."""
    return finding.code == "R109" and finding.severity is Severity.NOTE


def _choices_followed(opened: _Opened) -> Iterator[Choice]:
    """Where the leakage analysis of the same audit sees test data choose the model: both chapters say the same."""
    from assay.repository.selection import Choice, ChoiceKind

    try:
        leaks = opened.followed[0].leaks
    except (InputError, RecursionError):
        return  # the part that follows the code says why
    for leak in leaks:
        if leak.code == "LX1":
            yield Choice(ChoiceKind.FOLLOWED, leak.message, leak.location)


def _code(job: Job, opened: _Opened) -> Outcome:
    from assay.leakage.code.leak_report import with_imported
    from assay.project_suppressions import silenced

    analysis, sources, skipped = opened.followed
    outcome = _leaks(job, analysis, with_imported(analysis, sources, opened.code.python), [str(opened.piece)], skipped)
    return placed(replace(outcome, report=silenced(outcome.report, opened.tree)), opened.piece)


def _scripts(job: Job) -> Outcome:
    from assay.audit.divisions import divisions_of
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.leak_report import with_imported
    from assay.leakage.code.reading.opened_code import open_code

    opened = [(piece, open_code(piece.path)) for piece in job.pieces]
    sources = [(one.code, source) for _, one in opened for source in one.sources]
    analysis = gathered(analyse_source(code, source) for code, source in sources)
    beside = (source for _, one in opened for source in one.code.python)
    examined = with_imported(analysis, (source for _, source in sources), beside)
    outcome = _leaks(job, analysis, examined, [str(piece) for piece, _ in opened])
    named = {source.path for _, source in sources}
    divisions = chain.from_iterable(divisions_of(one.code) for _, one in opened)
    found = filter(lambda division: division.location.path in named, divisions)
    outcome = replace(outcome, facts=Crossing(divisions=tuple(found)))
    for piece in job.pieces:
        outcome = placed(outcome, piece)
    return outcome


def _leaks(job: Job, analysis: Analysis, sources: Iterable[Source], named: list[str], skipped: str = "") -> Outcome:
    from assay.leakage.code.leak_report import report_of, suppressions_in
    from assay.suppressions import apply_suppressions

    report = report_of(analysis, named, pictures=job.figures)
    report = apply_suppressions(report, _of_leakage(suppressions_in(sources)))
    fine: tuple[str, ...] = ()
    if not report.findings and analysis.evaluations:
        followed = f"{counted(analysis.evaluations, 'evaluation')} of {counted(analysis.models, 'model')} followed"
        fine = (f"{followed}: no leak found",)
    unread = () if analysis.evaluations or report.findings else (_NOTHING_FOLLOWED,)
    report = replace(report, left_out=(*report.left_out, *([skipped] if skipped else [])))
    return Outcome(report, fine=fine, unread=unread)


def _of_leakage(comments: Iterable[Suppression]) -> list[Suppression]:
    """Those about leaks: the rules of repositories answer for the others."""
    return [c for c in comments if any(code.startswith("L") for code in c.codes)]


# --- tables, scores, checklists ----------------------------------------------------------------------


def _tables(job: Job) -> Outcome:
    require("polars")  # the first import that fails would name a smaller extra, which is not enough
    from assay.audit.collected_facts import split_facts
    from assay.leakage.data.checking import check_split
    from assay.leakage.data.split import Roles, split_of_tables
    from assay.tables import read_table

    train, test = job.pieces
    first, second = read_table(train.path), read_table(test.path)
    guessed = next((name for name in _TARGETS if name in first.frame.columns and name in second.frame.columns), None)
    target = job.target or guessed
    split = split_of_tables(first, second, Roles(target))
    report, _ = check_split(split)
    if target is None:
        told = "no column was recognised as the outcome, so checks that need one were left out; name the target column"
        report = replace(report, left_out=(*report.left_out, f"{train} and {test}: {told}"))
    checks = [str(row[0]) for row in report.tables[0].rows if str(row[1]) not in {f.code for f in report.findings}]
    fine = (f"nothing was found in {train} and {test} by these checks: {', '.join(checks)}",) if checks else ()
    outcome = Outcome(report, split_facts(split), fine)
    return placed(placed(outcome, train), test)


def _scores(job: Job) -> Outcome:
    from assay.audit.collected_facts import scores_facts
    from assay.files import read_text
    from assay.scores.batch import check_all
    from assay.scores.reading import read_file
    from assay.scores.reporting import report_of
    from assay.suppressions import apply_suppressions, read_suppressions

    [piece] = job.pieces
    experiments = list(read_file(piece.path))
    results = list(check_all(experiments))
    deep = len(results) <= _FEW_ROWS
    report = report_of(results, in_depth=deep, figures=deep and job.figures)
    if piece.path.suffix.lower() != ".csv":
        report = apply_suppressions(report, read_suppressions(read_text(piece.path), str(piece.path)))
    return placed(Outcome(report, scores_facts(experiments), tuple(_consistent(report))), piece)


def _checklist(job: Job) -> Outcome:
    from assay.audit.collected_facts import checklist_facts
    from assay.checklists.filled import read_filled
    from assay.checklists.report import report_of
    from assay.checklists.rules import Known

    [piece] = job.pieces
    filled = read_filled(piece.path)
    report = report_of([filled], [Known(f.code, f.message, f.location) for f in job.known])
    answered = sum(a.given for a in filled.answers)
    fine = (f"all {answered} items of {piece} are answered",) if answered == len(filled.answers) else ()
    return placed(Outcome(report, checklist_facts(filled), fine), piece)
