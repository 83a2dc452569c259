"""The decision table: every word has a meaning, every answer can be given, and the last row always holds."""

from assay.repository.availability import _EVIDENCE, _rows, answer_of
from assay.repository.data import Availability, DataFacts


def test_every_word_of_the_table_is_defined_and_used() -> None:
    used = {word for row in _rows() for word in (*row.all, *row.none)}
    assert used == set(_EVIDENCE)


def test_every_answer_can_be_given() -> None:
    assert {row.answer for row in _rows()} == set(Availability)


def test_the_last_row_needs_no_evidence() -> None:
    assert (_rows()[-1].all, _rows()[-1].none) == ((), ())


def test_without_any_fact_nothing_is_needed() -> None:
    assert answer_of(DataFacts()).availability is Availability.NOT_NEEDED
