"""The examples of the cross-checks: several small files in one text become the facts that an audit would gather."""

from __future__ import annotations

import re

from assay.audit.facts import Crossing
from assay.patterns import regex

_FILE = regex(r"^==> (?P<name>\S+) <==\n", re.MULTILINE)


def crossing_of(text: str) -> Crossing:
    """Facts of ``==> name <==`` sections: paper.md, train.csv with test.csv, scores.toml, sheet.yaml, and code."""
    from assay.article.reading.markup import read_markdown
    from assay.audit import collected_facts
    from assay.checklists.filled import filled_of

    _, *pieces = _FILE.split(text)
    files = dict(zip(pieces[::2], pieces[1::2], strict=True))
    found = Crossing()
    if "paper.md" in files:
        found |= collected_facts.paper_facts(read_markdown(files.pop("paper.md"), "paper.md"))
    if "sheet.yaml" in files:
        found |= collected_facts.checklist_facts(filled_of(files.pop("sheet.yaml"), "sheet.yaml"))
    if "scores.toml" in files:
        found |= _scores(files.pop("scores.toml"))
    if "test.csv" in files:
        found |= _tables(files.pop("train.csv"), files.pop("test.csv"))
    return found | _repository(files) if files else found


def _scores(text: str) -> Crossing:
    import tomllib

    from assay.audit.collected_facts import scores_facts
    from assay.findings import Location
    from assay.scores.compilation import experiment_of

    return scores_facts([experiment_of(tomllib.loads(text), where="scores.toml", location=Location("scores.toml", 1))])


def _tables(train: str, test: str) -> Crossing:
    from assay.audit.collected_facts import split_facts
    from assay.leakage.data.split import Roles, split_of_tables
    from assay.tables import read_csv_text

    return split_facts(
        split_of_tables(read_csv_text(train, "train.csv"), read_csv_text(test, "test.csv"), Roles("label"))
    )


def _repository(files: dict[str, str]) -> Crossing:
    from assay.audit.collected_facts import repository_facts
    from assay.repository.check import assess
    from assay.repository.facts import read_repository
    from assay.tree import tree_of

    facts = read_repository(tree_of(files))
    return repository_facts(facts) | Crossing(findings=assess(facts).findings)
