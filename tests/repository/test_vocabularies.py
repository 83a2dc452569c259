"""The vocabularies of the room: every row finds its example and leaves its counter-example alone."""

from pathlib import Path

import pytest

import assay.repository
from assay.repository.vocabulary import Row, Vocabulary, vocabulary

ROOM = Path(assay.repository.__file__).parent


def vocabularies() -> list[tuple[str, Vocabulary]]:
    """Every TOML file of the room in which each entry says what it is about."""
    found = []
    for file in sorted(ROOM.rglob("*.toml")):
        package = ".".join(("assay.repository", *file.parent.relative_to(ROOM).parts))
        if file.read_text("utf-8").count("\nabout = "):
            found.append((f"{package}/{file.name}", vocabulary(package, file.name)))
    return found


ROWS = [
    pytest.param(table, name, row, id=f"{path}:{name}")
    for path, table in vocabularies()
    for name, row in table.rows.items()
]


@pytest.mark.parametrize(("table", "name", "row"), ROWS)
def test_a_row_finds_its_example_and_not_its_counter_example(table: Vocabulary, name: str, row: Row) -> None:
    if row.phrases:
        assert table.finds(name, row.example)
        assert not row.counter or not table.finds(name, row.counter)
    else:
        words = table.listed(name)
        assert all(words)
        assert len(set(words)) == len(words)


@pytest.mark.parametrize(("table", "name", "row"), ROWS)
def test_no_line_of_a_row_ends_in_a_blank_that_an_editor_would_remove(table: Vocabulary, name: str, row: Row) -> None:
    assert not any(line.endswith(" ") for line in f"{row.words}\n{row.phrases}".split("\n"))


@pytest.mark.parametrize(
    "row",
    [{"about": "nothing"}, {"about": "no example", "phrases": "a"}, {"about": "both", "words": "a", "phrases": "b"}],
)
def test_a_row_without_words_or_example_is_refused(row: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="needs either words"):
        Row(**row)  # type: ignore[arg-type]
