"""The collection of ways in which people write scores, and what the reader makes of it."""

import pytest
from judging import faults
from printed_forms import Form, forms

from assay.reported import read_text

PARTS = {"development": 230, "frozen": 100, "later": 40, "copied": 40, "fresh": 60, "printed": 40}
READ = {"development": 0.99, "frozen": 0.95, "later": 0.92, "copied": 0.95, "fresh": 0.95, "printed": 0.95}


@pytest.mark.parametrize("part", PARTS)
def test_the_collection_is_complete(part: str) -> None:
    assert len(list(forms(part))) == PARTS[part]


@pytest.mark.parametrize("part", PARTS)
def test_forms_are_read_in_full(part: str) -> None:
    wrong = {form.name: found for form in forms(part) if (found := faults(form, read_text(form.text)))}
    assert len(wrong) <= (1 - READ[part]) * PARTS[part], wrong


@pytest.mark.no_cover
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("most", [12, 400, 5_000])
def test_other_numbers_in_the_same_words_are_read_as_well(part: str, most: int) -> None:
    """Sizes from few to many: 1,250 and 2019 are counts here as well."""
    wrong = {
        form.name: found
        for form in forms(part, seed=most, least=min(9, most), most=min(most, 900))
        if (found := faults(form, read_text(form.text)))
    }
    assert len(wrong) <= 0.05 * PARTS[part], wrong


def spans(form: Form) -> list[tuple[int, int]]:
    reading = read_text(form.text)
    places = [f.span for row in reading.rows for f in row.figures]
    places += [s.span for row in reading.rows for s in row.sizes] + [s.span for s in reading.sizes]
    places += [a.span for a in reading.asides] + [u.span for u in reading.unread] + [m.span for m in reading.matrices]
    return [(place.start, place.end) for place in places]


def test_every_part_of_a_reading_points_at_its_digits() -> None:
    for form in forms("development"):
        for start, end in spans(form):
            assert any(sign.isalnum() for sign in form.text[start:end]), (form.name, form.text[start:end])
