"""Calibration on small made-up sets whose answers are known."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.report import Format, render
from assay.repository.research.calibration import Calibration, Labelled, calibrate, labelled_in, report_of
from assay.repository.research.calibration.derivation import derive, lower_quartile, median, upper_quartile
from assay.repository.research.calibration.separation import SIGNS, areas, table_of
from assay.repository.research.evaluation import read_sheet
from assay.repository.research.loos2022 import LOOS2022, Factor, Indicators


def repository(lines: float, *, good: bool, **more: float) -> Indicators:
    return Indicators(
        readmes=1,
        readme_lines=lines,
        links=int(more.get("links", 4 if good else 1)),
        reachable_links=100.0,
        licences=1,
        open_licences=int(good),
        comment_ratio=more.get("comments", 5.0 if good else 20.0),
        pylint=more.get("pylint", 6.0 if good else 0.0),
        declared=100.0 * good,
        strict=50.0,
        public=100.0,
        seed_lines=1,
        fixed_seeds=100.0 * good,
    )


def two_sets() -> Labelled:
    """README lines 100, 110, …, 140 against 10, 20, …, 50; declarations say it all, pins nothing."""
    good = tuple(repository(100 + 10 * i, good=True) for i in range(5))
    return Labelled(good, tuple(repository(10 + 10 * i, good=False) for i in range(5)))


# --- representative values and thresholds ----------------------------------------------------------


def test_quartiles_are_the_next_value_at_or_above() -> None:
    values = list(range(1, 21))
    assert (lower_quartile(values), median(values), upper_quartile(values)) == (6, 10.5, 16)
    assert (lower_quartile([7]), median([3, 1, 2]), upper_quartile([7])) == (7, 2, 7)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=40))
def test_quartiles_are_values_and_have_enough_below(values: list[float]) -> None:
    low, high = lower_quartile(values), upper_quartile(values)
    assert low in values
    assert high in values
    assert min(values) <= low <= high <= max(values)
    assert sum(v <= high for v in values) >= 0.75 * (len(values) - 1)


def test_representative_values_come_from_the_sets_that_section_6_2_2_names() -> None:
    scale = derive(two_sets())
    assert (scale.readme_lines.low, scale.readme_lines.high) == (40, 120)
    assert (scale.readme_links.low, scale.readme_links.high) == (1, 4)
    assert (scale.comment_ratio.low, scale.comment_ratio.high) == (5, 20)
    assert (scale.pylint.low, scale.pylint.high) == (0, 6)


def test_thresholds_are_the_mean_scores_of_the_sets_and_the_middle() -> None:
    limits = derive(two_sets()).thresholds_of(Factor.SE)
    assert (limits.top, limits.lower, limits.average) == pytest.approx((0.9, 0.3, 0.6))
    assert derive(two_sets()).thresholds_of(Factor.RSC).top == 1.0


def test_without_ratings_the_printed_values_stay() -> None:
    sets = two_sets()
    bare = Labelled(*(tuple(_unrated(i) for i in s) for s in (sets.reproducible, sets.irreproducible)))
    assert derive(bare).pylint == LOOS2022.pylint


def _unrated(i: Indicators) -> Indicators:
    from dataclasses import replace

    return replace(i, pylint=None)


# --- separation ------------------------------------------------------------------------------------


def test_areas_by_hand() -> None:
    sets = two_sets()
    found = dict(
        zip(
            [s.name for s in SIGNS],
            areas(*map(table_of, (sets.reproducible, sets.irreproducible))),
            strict=True,
        )
    )
    assert (found["README lines"], found["imports declared"], found["strict declarations"]) == (1.0, 1.0, 0.5)
    assert found["code-comment ratio (less is better)"] == 1.0


def test_ties_count_half() -> None:
    import numpy as np

    assert areas(np.array([[1.0], [2.0]]), np.array([[1.0], [0.0]])) == [0.875]


# --- the whole -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Calibration:
    return calibrate(two_sets(), draws=60, seed=3)


def test_intervals_hold_their_values(found: Calibration) -> None:
    for ends in found.representative.values():
        for one in ends:
            assert one.interval[0] <= one.value <= one.interval[1]


def test_sets_that_differ_in_everything_are_told_apart_even_left_out(found: Calibration) -> None:
    assert {s.name: s.left_out for s in found.separations} == {"SCAD": 1.0, "SE": 1.0, "RSC": 1.0}


def test_labels_without_meaning_separate_nothing_when_left_out() -> None:
    mixed = Labelled(*(tuple(repository(lines, good=True) for lines in range(k, 20, 2)) for k in (0, 1)))
    separation = next(s for s in calibrate(mixed, draws=50).separations if s.name == "SE")
    assert separation.fitted.value == separation.left_out == 0.5


def test_the_same_seed_gives_the_same_report(found: Calibration) -> None:
    assert report_of(calibrate(two_sets(), draws=60, seed=3)) == report_of(found)


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_every_format_tells_it(found: Calibration, how: Format) -> None:
    assert render(report_of(found), how)


# --- files -----------------------------------------------------------------------------------------

HEADER = "readme_lines,licences,comment_ratio,declared,strict,public,seed_lines,fixed_seeds,reproducible\n"


def labelled(folder: Path, rows: str, header: str = HEADER) -> Labelled:
    (folder / "l.csv").write_text(header + rows, encoding="utf-8")
    return labelled_in(read_sheet(folder / "l.csv"))


def test_labels_part_the_rows(tmp_path: Path) -> None:
    sets = labelled(tmp_path, "90,1,5,100,100,100,1,100,yes\n" * 4 + "9,1,5,0,0,100,1,0,0\n" * 5)
    assert (len(sets.reproducible), len(sets.irreproducible), sets.size) == (4, 5, 9)
    assert "pylint was not measured for 9 repositories and counts as the worst for them" in sets.left_out
    assert [len(sets.without(i).reproducible) for i in (0, 8)] == [3, 4]


@pytest.mark.parametrize(
    ("rows", "header", "told"),
    [
        ("90,1,5,1,1,1,1,1,perhaps\n", HEADER, "not a number"),
        ("90,1,5,1,1,1,1,1,\n", HEADER, "neither yes nor no"),
        ("90,1,5,1,1,1,1,1,1\n" * 4 + "9,1,5,1,1,1,1,1,0\n", HEADER, "too few"),
        ("1,1\n", "a,reproducible\n", "no column for readme_lines"),
        ("1\n", "a\n", 'no column "reproducible"'),
    ],
)
def test_unfit_files_are_refused(tmp_path: Path, rows: str, header: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        labelled(tmp_path, rows, header)
