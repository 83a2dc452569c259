"""The table of words: every row finds its example and leaves its counter-example alone."""

import pytest

from assay.repository.readme.document import Document
from assay.repository.readme.markdown import read_markdown
from assay.repository.readme.sections import find_sections, heading_weight
from assay.repository.readme.words import Kind, Row, Where, pattern, rows


def name_of(row: Row) -> str:
    return f"{row.kind}-{row.where.value}-{row.example[:20]}"


@pytest.mark.parametrize("row", rows(), ids=name_of)
def test_a_row_finds_its_example_and_not_its_counter_example(row: Row) -> None:
    phrase = pattern([row.phrase], row.where)
    assert phrase.search(row.example)
    assert not phrase.search(row.counter)


def test_every_kind_has_a_heading_and_some_content() -> None:
    known = {(row.kind, row.where) for row in rows()}
    assert {kind.value for kind in Kind} <= {kind for kind, where in known if where is Where.HEADING}
    assert {kind.value for kind in Kind} <= {kind for kind, where in known if where is not Where.HEADING}


@pytest.mark.parametrize(
    ("heading", "kind", "weight"),
    [
        ("2. Installation", Kind.INSTALL, 2),
        ("Getting started", Kind.INSTALL, 1),
        ("Hardware requirements", Kind.INSTALL, 1),
        ("Licence", Kind.INSTALL, 0),
        ("How we train a very large model on images", Kind.TRAIN, 1),
    ],
)
def test_a_heading_weighs_what_its_words_weigh(heading: str, kind: Kind, weight: int) -> None:
    assert heading_weight(heading, kind) == weight


def kinds(text: str) -> set[str]:
    document: Document = read_markdown("README.md", text)
    return {section.kind.value for section in find_sections(document)}


def test_a_weak_heading_needs_support_below_it() -> None:
    assert "train" in kinds("# Model\n## Scripts\n```\npython train.py\n```\n")
    assert "train" not in kinds("# Model\n## Scripts\nSee the folder.\n")


def test_a_section_that_is_only_announced_is_none() -> None:
    assert "train" not in kinds("# Model\n## Training\nTBD\n## Evaluation\ncoming soon!\n")


def test_what_news_and_thanks_say_is_not_about_running_the_code() -> None:
    assert "train" not in kinds("# Model\n## News\nTo train the model, run `train.py` soon.\n")
