"""Numbers in one piece against numbers in another: scores, sizes, folds, shares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from assay.audit.facts import Counted, Crossing, Origin, Row, Topic
from assay.audit.rules.instrument import ASSUMED, CAPPELEN, FAZEKAS, claims_about, crossing, listed, quoted
from assay.findings import Confidence, Evidence, Finding, Severity, note, numbers, quote
from assay.patterns import regex

_OTHER_SET = regex(r"train|valid|fold|cross|external|cohort|average|mean|\bcv\b", re.IGNORECASE)
_SAME_SHARE = 0.015
"""Tables hold whole rows, and papers round: shares that are nearer than this are the same."""

_TEST_TABLE = "==> test.csv <==\nx,label\n" + "".join(f"{i},{int(i < 4)}\n" for i in range(20))
_TRAIN_TABLE = "==> train.csv <==\nx,label\n" + "".join(f"{i},{int(i < 16)}\n" for i in range(20, 100))
_RESULT = """==> paper.md <==
# Results

| Method | Accuracy | Sensitivity |
|---|---|---|
| DeepThing | {} | 0.75 |
"""


@crossing.rule(
    "X201",
    title="Scores impossible on the supplied test table",
    severity=Severity.ERROR,
    failing=_RESULT.format("0.937") + _TRAIN_TABLE + _TEST_TABLE,
    passing=_RESULT.format("0.950") + _TRAIN_TABLE + _TEST_TABLE,
    source=FAZEKAS,
    advice="Say on which rows the scores were computed, and give the confusion matrix.",
    confidence=Confidence.MEDIUM,
)
def scores_off_the_table(facts: Crossing) -> Iterator[Finding]:
    """The supplied table has a certain number of rows of each class, and only certain scores are possible with them.

    Any other score was measured on other rows. Not tested are rows of scores whose caption names another set
    (validation, folds, an external cohort), and rows that fit the sizes stated in the text: X202 reports that those
    differ from the table.
    """
    from assay.audit.sizes import impossible

    table = facts.test_table
    if table is None or len(table.classes) != 2:
        return
    (first, a), (second, b) = table.classes
    stated = {(row.p, row.n) for row in facts.rows if row.p and row.n and row.folds is None}
    for row in filter(partial(_may_be_about, table), facts.rows):
        why = [impossible(row, p, n) for p, n in ((b, a), (a, b))]
        if all(why) and all(impossible(row, p, n) for p, n in stated):
            yield scores_off_the_table.finding(
                f"the {_score_names(row)} of {row.name} cannot come from the {table.rows:,} rows of {table.name}, "
                "whichever class is positive",
                subject=row.name,
                location=row.location,
                evidence=[
                    numbers(dict(row.scores), "the scores as printed"),
                    numbers({first: a, second: b}, f'rows of {table.name} by "{table.target}"'),
                    *(note(sentence) for sentence in dict.fromkeys(why) if sentence),
                    note(ASSUMED),
                ],
            )


@crossing.rule(
    "X202",
    title="Test set size contradicts the supplied table",
    severity=Severity.WARNING,
    failing="==> scores.toml <==\np = 5\nn = 16\nscores = { acc = '0.9', sens = '0.8' }\n" + _TRAIN_TABLE + _TEST_TABLE,
    passing="==> scores.toml <==\np = 4\nn = 16\nscores = { acc = '0.9', sens = '0.8' }\n" + _TRAIN_TABLE + _TEST_TABLE,
    source=CAPPELEN,
    advice="Say which rows were left out or added.",
    confidence=Confidence.MEDIUM,
)
def sizes_off_the_table(facts: Crossing) -> Iterator[Finding]:
    """Scores are fractions of the counted rows.

    If the counts differ from the data, so do the scores. Reported only if no row of the same source has the sizes of
    the test table, because papers test on several sets.
    """
    table = facts.test_table
    if table is None:
        return
    counts = [count for _, count in table.classes]
    has = " + ".join(map(str, counts)) if len(counts) == 2 else str(table.rows)
    for origin in (Origin.PAPER, Origin.SCORES):
        rows = [row for row in facts.rows if row.origin is origin and _states_size(row)]
        if not rows or any(_fits(row, sorted(counts), table.rows) for row in rows):
            continue
        row = rows[0]
        yield sizes_off_the_table.finding(
            f"{origin.value} reports a test set of {_sizes(row)} rows, but {table.name} has {has}",
            location=row.location,
            evidence=[
                *([quote(row.quote, row.location)] if row.quote else []),
                numbers({"rows": table.rows, **dict(table.classes)}, f"counted in {table.name}"),
                note(ASSUMED),
            ],
        )


def _may_be_about(table: Counted, row: Row) -> bool:
    """Whether a row of scores may be about the table: neither its sizes nor its caption say otherwise."""
    other_size = row.p is not None or (row.total or table.rows) != table.rows
    return not other_size and not _names_other_set(row)


def _states_size(row: Row) -> bool:
    """Whether a row says how large the one test set is that it was measured on."""
    return row.folds is None and bool(_sizes(row)) and not _names_other_set(row)


def _names_other_set(row: Row) -> bool:
    return bool(_OTHER_SET.search(f"{row.name} {row.about}"))


def _score_names(row: Row) -> str:
    """The names of a row's scores, for a sentence."""
    names = [_label(name) for name, _ in row.scores]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _label(score: str) -> str:
    from assay.scores.definitions import SCORES

    return SCORES[score].label if score in SCORES else score


def _sizes(row: Row) -> str:
    if row.p is not None and row.n is not None:
        return f"{row.p} + {row.n}"
    return str(row.total) if row.total is not None else ""


def _fits(row: Row, counts: list[int], rows: int) -> bool:
    if row.p is not None and row.n is not None:
        return sorted((row.p, row.n)) == counts if len(counts) == 2 else row.p + row.n == rows
    return row.total == rows


_FOLDS = """==> paper.md <==
# Method

We used {}-fold cross-validation.
==> train.py <==
from sklearn.model_selection import KFold
folds = KFold(n_splits=10, shuffle=True, random_state=1)
"""


@crossing.rule(
    "X203",
    title="Number of folds differs between paper and code",
    severity=Severity.WARNING,
    failing=_FOLDS.format("5"),
    passing=_FOLDS.format("10"),
    source=CAPPELEN,
    advice="State the number of folds that gave the printed scores, in the paper and in the code.",
    confidence=Confidence.MEDIUM,
)
def folds_off_the_code(facts: Crossing) -> Iterator[Finding]:
    """With a different number of folds, models train on other shares of the data, and the scores differ.

    Where the code has one of the numbers that a text states, the others may belong to another experiment. Where it
    makes folds of a number that only a run decides, that may be the stated one.
    """
    made = [d for d in facts.divisions if d.folds is not None]
    known = {d.folds for d in made}
    if not facts.divisions or _folds_unknown(facts) or (not made and any(d.in_folds for d in facts.divisions)):
        return
    does = f"uses {listed(sorted(k for k in known if k))}" if known else "uses none"
    stated: dict[int, tuple[Evidence, Origin]] = {}
    for k, words, origin in _stated_folds(facts):
        stated.setdefault(k, (words, origin))
    refuted = {origin for _, origin in stated.values()} - {origin for k, (_, origin) in stated.items() if k in known}
    for k, (words, origin) in stated.items():
        if origin in refuted:
            yield folds_off_the_code.finding(
                f"{origin.value} reports {k} folds, but the code {does}",
                location=words.location,
                evidence=[words, *quoted(made or list(facts.divisions)), note(ASSUMED)],
            )


def _folds_unknown(facts: Crossing) -> bool:
    """Whether the code makes folds of a number that only a run decides; `cross_val_score` may be given such folds."""
    unknown = (d for d in facts.divisions if d.in_folds and d.folds is None)
    return any(not d.call.startswith("cross_val") for d in unknown)


def _stated_folds(facts: Crossing) -> Iterator[tuple[int, Evidence, Origin]]:
    """Every number of folds that a sentence or a row of scores states."""
    for claim in claims_about(facts, Topic.FOLDS):
        if claim.value is not None:
            yield int(claim.value), quote(claim.text, claim.location), claim.origin
    for row in facts.rows:
        if row.folds is not None:
            yield row.folds, quote(f"{row.name}: {row.folds} folds", row.location), row.origin


_SHARES = """==> paper.md <==
# Method

We kept aside {} % of the images for testing.
==> train.py <==
from sklearn.model_selection import train_test_split
train, test = train_test_split(images, test_size=0.2, stratify=labels, random_state=1)
"""


@crossing.rule(
    "X204",
    title="Share of test data contradicts the code or tables",
    severity=Severity.WARNING,
    failing=_SHARES.format("30"),
    passing=_SHARES.format("20"),
    source=CAPPELEN,
    advice="State which share was held out for the printed scores.",
    confidence=Confidence.MEDIUM,
)
def share_off_the_code(facts: Crossing) -> Iterator[Finding]:
    """The share of held-out data determines how precise a score is, and how much the model could learn.

    Where one stated share is that of the code, the others may be about another split.
    """
    claims = [(claim, float(claim.value)) for claim in claims_about(facts, Topic.SHARE) if claim.value is not None]
    for truth, evidence in _other_shares([share for _, share in claims], facts):
        for claim, share in claims:
            yield share_off_the_code.finding(
                f"{claim.origin.value} holds out {share:.0%} of the rows, but {truth}",
                location=claim.location,
                evidence=[quote(claim.text, claim.location), *evidence, note(ASSUMED)],
            )


def _other_shares(stated: Sequence[float], facts: Crossing) -> Iterator[tuple[str, list[Evidence]]]:
    """What the code and the tables hold out, where it is none of the stated shares."""
    made = {d: float(d.share) for d in facts.divisions if d.share is not None}
    folds = [1 / d.folds for d in facts.divisions if d.folds]
    of_the_rest = [first * second for first in made.values() for second in made.values()]
    if made and not _folds_unknown(facts) and not _agree([*made.values(), *folds, *of_the_rest], stated):
        yield f"the code {', '.join(f'{share:.0%}' for share in sorted(set(made.values())))}", quoted(list(made))
    table, rows = facts.test_table, sum(t.rows for t in facts.tables)
    if table and rows > table.rows and not _agree([table.rows / rows], stated):
        truth = f"{table.name} has {table.rows:,} of {rows:,} ({table.rows / rows:.1%})"
        yield truth, [numbers({t.name: t.rows for t in facts.tables}, "rows")]


def _agree(shares: Iterable[float], others: Sequence[float]) -> bool:
    return any(abs(share - other) <= _SAME_SHARE for share in shares for other in others)


_README = """==> README.md <==
# DeepThing

## Results

| Method | Accuracy | Sensitivity |
|---|---|---|
| DeepThing | {} | 0.75 |
"""


@crossing.rule(
    "X205",
    title="README contradicts the paper's scores",
    severity=Severity.WARNING,
    failing=_RESULT.format("0.95") + _README.format("0.93"),
    passing=_RESULT.format("0.95") + _README.format("0.95"),
    source=CAPPELEN,
    advice="Say which of the two the code gives, and correct the other.",
    confidence=Confidence.MEDIUM,
)
def readme_off_the_paper(facts: Crossing) -> Iterator[Finding]:
    """If the README and the paper give different figures for one score, one of them is not from the published version.

    Tables in which most figures differ describe different experiments and are not reported.
    """
    from assay.audit.sizes import differs

    printed = {
        (_key(r.name), name): (r, figure) for r in facts.rows if r.origin is Origin.PAPER for name, figure in r.scores
    }
    compared = [
        (row, name, figure, *printed[_key(row.name), name])
        for row in facts.rows
        if row.origin is Origin.README
        for name, figure in row.scores
        if (_key(row.name), name) in printed
    ]
    different = [pair for pair in compared if differs(pair[2], pair[4])]
    if 2 * len(different) > len(compared):
        return
    for row, name, figure, other, in_paper in different:
        yield readme_off_the_paper.finding(
            f"the README reports {_label(name)} {figure} for {row.name}, but the paper reports {in_paper}",
            subject=row.name,
            location=row.location,
            evidence=[
                quote(f"{row.name}: {name} {figure}", row.location),
                quote(f"{other.name}: {name} {in_paper}", other.location),
                note("Found by comparing the names of rows and columns."),
            ],
        )


def _key(name: str) -> str:
    """A method's name without what authors add in one place and not in the other."""
    return re.sub(r"\(ours?\)|\[\d+\]|[^a-z0-9]+", "", name.lower().replace("(ours)", "").replace("(our)", ""))
