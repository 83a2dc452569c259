"""The report on a paper's score tables: findings, what can be true, and an account of every table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.article.reading import Paper
from assay.audit.matrix_relations import MatrixScores
from assay.audit.paper_rows import Account, Outcome, Status, accounts_of, unread_tables
from assay.audit.paper_wording import conflict_of, evidence_of, items_of
from assay.findings import Confidence, Evidence, Finding, Judgement, Report, Table, Value, Verdict, quote, witness
from assay.rules import get_rule

_LONGEST_TITLE = 80


def check_scores(paper: Paper) -> Report:
    """Can the scores in the paper's tables be true? Each row against the set it is bound to; every table is listed."""
    from assay.audit.rules.paper import paper_scores

    accounts = accounts_of(paper)
    outcomes = [outcome for account in accounts for outcome in account.outcomes]
    impossible = [_finding(outcome) for outcome in outcomes if outcome.status is Status.IMPOSSIBLE]
    return Report(
        "Scores in the paper's tables",
        judgements=(*_judgements(outcomes), *_confirmed(accounts)),
        findings=(*impossible, *paper_scores.run(accounts)),
        tables=tuple(_tables(accounts)),
        left_out=tuple(unread_tables(paper, accounts)),
    )


def with_numbers(report: Report, papers: Sequence[Paper], *, scores: bool) -> Report:
    """The report with what the papers' numbers say of each other and, if wanted, whether their scores can be true."""
    from assay.article.numbers import clashes
    from assay.article.numbers.rules import numbers

    found = [finding for one in papers for finding in numbers.run(tuple(clashes(one)))]
    report = replace(report, findings=(*report.findings, *found))
    for checked in (check_scores(one) for one in papers if scores):
        report = replace(
            report,
            judgements=(*report.judgements, *checked.judgements),
            findings=(*report.findings, *checked.findings),
            tables=(*report.tables, *checked.tables),
            left_out=(*report.left_out, *checked.left_out),
        )
    return report


def _finding(outcome: Outcome) -> Finding:
    return get_rule("S101" if outcome.binding else "S107", "scores").finding(
        conflict_of(outcome),
        subject=outcome.row.name,
        location=outcome.row.location,
        evidence=evidence_of(outcome),
        confidence=Confidence.MEDIUM,
    )


def _judgements(outcomes: Sequence[Outcome]) -> Iterator[Judgement]:
    for outcome in outcomes:
        where = tuple(_quoted(outcome))
        if outcome.status is Status.POSSIBLE:
            [fits] = outcome.tried
            said = f"The scores are possible with {items_of(outcome.binding)}, read as {fits.reading}."
            yield Judgement(outcome.row.name, Verdict.CONSISTENT, said, (witness(dict(fits.witness)), *where))
        elif outcome.status is Status.IMPOSSIBLE:
            yield Judgement(outcome.row.name, Verdict.INCONSISTENT, conflict_of(outcome), where)
        elif outcome.status is Status.CONDITIONAL:
            yield Judgement(outcome.row.name, Verdict.CONDITIONAL, conflict_of(outcome), where)


def _quoted(outcome: Outcome) -> Iterator[Evidence]:
    if outcome.binding is not None:
        yield quote(outcome.binding.counted.quote, outcome.binding.counted.location)


def _confirmed(accounts: Sequence[Account]) -> Iterator[Judgement]:
    """Scores that follow from counts printed beside them, or from a confusion matrix of the paper."""
    for account in accounts:
        if account.derived and all(one.holds for one in account.derived):
            rows = {one.row.name for one in account.derived}
            said = f"{len(account.derived)} figures of {len(rows)} rows follow from the counts printed beside them."
            yield Judgement(account.table.grid.caption or f"table {account.table.number}", Verdict.CONSISTENT, said)
        yield from (_confirmed_by_matrix(one) for one in account.from_matrices if not one.contradicted)


def _confirmed_by_matrix(found: MatrixScores) -> Judgement:
    figures = ", ".join(f"{score} {figure}" for score, figure in found.following)
    place = found.matrix.grid.caption or f"table {found.matrix.number}"
    said = f"{figures} follow from the confusion matrix in “{place}”, read {found.reading}."
    return Judgement(found.row.name, Verdict.CONSISTENT, said)


def _tables(accounts: Sequence[Account]) -> Iterator[Table]:
    """One line for each table, and one for each row of scores."""
    tables = [account for account in accounts if account.table.grid.rows]
    if tables:
        columns = ("table", "place", "rows of scores", "possible", "impossible", "not checked")
        yield Table("Tables of the paper", columns, tuple(map(_line, tables)))
    rows: list[tuple[Value, ...]] = [
        (o.row.name, ", ".join(f"{name} {figure}" for name, figure in o.row.scores), o.status.value, o.reason)
        for account in accounts
        for o in account.outcomes
    ]
    if rows:
        yield Table("Rows of scores", ("row", "scores", "verdict", "reason"), tuple(rows))


def _line(account: Account) -> tuple[Value, ...]:
    statuses = [outcome.status for outcome in account.outcomes]
    grid = account.table.grid
    impossible = statuses.count(Status.IMPOSSIBLE) + statuses.count(Status.CONDITIONAL)
    return (
        grid.caption[:_LONGEST_TITLE] or f"table {account.table.number}",
        str(grid.location),
        len(statuses),
        statuses.count(Status.POSSIBLE),
        impossible,
        statuses.count(Status.UNCHECKED),
    )
