"""The pair table says of generated programs what their runs show: rows are shared, or they are not.

`make hunt` tries two thousand new programs; `bench/leakage_oracle.py` gives the rates.
"""

import os
import random

import pytest

from comparison import Answer, answers

pytestmark = pytest.mark.no_cover  # hundreds of generated programs; the analysis has tests of its own

HUNT = os.environ.get("HYPOTHESIS_PROFILE") == "hunt"
PROGRAMS = 2000 if HUNT else 240


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    first = random.SystemRandom().randrange(10**6, 10**8) if HUNT else 0
    return list(answers(range(first, first + PROGRAMS), tmp_path_factory.mktemp("oracle")))


def test_every_pair_of_a_run_is_in_the_table(found: list[Answer]) -> None:
    assert len(found) > PROGRAMS * 0.9
    assert [a for a in found if a.said == "missing"] == []


def test_rows_that_are_shared_are_never_called_disjoint(found: list[Answer]) -> None:
    assert sum(a.true != "disjoint" for a in found) > PROGRAMS / 10
    assert [a for a in found if a.unsound] == []


def test_rows_that_are_disjoint_are_never_called_shared(found: list[Answer]) -> None:
    assert [a for a in found if a.imprecise] == []


def test_what_was_learnt_from_evaluated_rows_is_what_the_run_shows(found: list[Answer]) -> None:
    assert sum(a.learnt for a in found) > PROGRAMS / 10
    assert [a for a in found if a.missed] == []
    assert [a for a in found if a.invented] == []


def test_few_relations_stay_unknown(found: list[Answer]) -> None:
    unknown = [a for a in found if a.said == "unknown"]
    assert len(unknown) < len(found) / 20, unknown
