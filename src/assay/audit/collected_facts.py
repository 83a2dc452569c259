"""From what the instruments read to the facts that cross-checks compare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.audit.claims import claims_in
from assay.audit.facts import Counted, Crossing, Origin, Row, Topic
from assay.findings import Location
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

    from assay.article.reading import Paper
    from assay.article.tables import ScoreRow
    from assay.checklists.filled import Filled
    from assay.leakage.data.split import Split
    from assay.repository.facts import Repository
    from assay.scores.tasks import AnyExperiment

_MOST_CLASSES = 20


def paper_facts(paper: Paper) -> Crossing:
    """What the paper claims in its own name, and the rows of its tables."""
    from assay.article.reading import Role
    from assay.article.tables import score_rows_of

    others = {Role.INTRODUCTION, Role.RELATED, Role.DISCUSSION}  # where papers describe what others did, or might do
    said = (*(s for s in paper.sentences if s.section.role not in others), *paper.captions)
    own = ((s.text, s.location) for s in said if not s.cites)
    rows = tuple(_paper_row(row) for row in score_rows_of(paper))
    return Crossing(claims=tuple(claims_in(own, Origin.PAPER)), rows=rows)


def _paper_row(row: ScoreRow) -> Row:
    """A row of the paper's tables, with the sizes that it or its caption states."""
    from assay.article.sets.bindings import Binding, bind

    found = bind(row, ())
    plain = Row(Origin.PAPER, row.name, row.scores, row.location, about=row.caption)
    if not isinstance(found, Binding):
        return plain
    counts = found.counted.counts
    return replace(plain, p=counts.positives, n=counts.negatives, total=counts.total, quote=found.counted.quote)


def repository_facts(facts: Repository) -> Crossing:
    """What the README claims and reports, and how the code divides rows."""
    from assay.audit.divisions import divisions_of
    from assay.audit.readme import readme_rows, readme_sentences

    topics = [topic for topic in Topic if topic not in {Topic.SEEDED, Topic.CODE}]  # R904 reports the first
    return Crossing(
        claims=tuple(claims_in(readme_sentences(facts.readme), Origin.README, topics)),
        rows=tuple(readme_rows(facts.readme)),
        divisions=tuple(divisions_of(facts.code)),
    )


def split_facts(split: Split) -> Crossing:
    """How many rows of each outcome the two tables have."""
    target = split.roles.target
    counted = [_counted(split.train, split.train_numbers.file, target)]
    if split.test is not None:
        counted.append(_counted(split.test, split.test_numbers.file, target, test=True))
    return Crossing(tables=tuple(counted))


def _counted(frame: pl.DataFrame, name: str, target: str | None, *, test: bool = False) -> Counted:
    classes: tuple[tuple[str, int], ...] = ()
    if target is not None:
        values = frame.get_column(target).drop_nulls()
        if values.n_unique() <= _MOST_CLASSES:
            classes = tuple(sorted((str(value), int(count)) for value, count in counted(values)))
    return Counted(name, frame.height, target or "", classes, test)


def scores_facts(experiments: Iterable[AnyExperiment]) -> Crossing:
    """The rows of a scores file: sizes, folds and printed figures of those with one dataset."""
    from assay.scores.experiment import Experiment

    rows = []
    for experiment in experiments:
        if isinstance(experiment, Experiment) and experiment.location and len(experiment.datasets) == 1:
            [dataset] = experiment.datasets
            printed = tuple((r.name, r.printed) for r in experiment.reported)
            folds = dataset.folding.k if dataset.folding else None
            p, n = dataset.whole.p, dataset.whole.n
            rows.append(Row(Origin.SCORES, experiment.name, printed, experiment.location, p, n, p + n, folds=folds))
    return Crossing(rows=tuple(rows))


def checklist_facts(filled: Filled) -> Crossing:
    """What the answers claim."""
    place = Location(filled.path)
    answers = ((a.text, a.location or place) for a in filled.answers if a.given and a.applies)
    return Crossing(claims=tuple(claims_in(answers, Origin.CHECKLIST)))
