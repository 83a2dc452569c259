"""The loos2022 profile gives the thesis's numbers: its tables, its example (Figure A.1), its rules of thumb."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.repository.factors import Band
from assay.repository.research.loos2022 import LOOS2022, Factor, Indicators, Span, factors_of, feedback, score

EXAMPLE = Indicators(
    readmes=1,
    readme_lines=222.0,
    links=3,
    reachable_links=100.0,
    licences=1,
    open_licences=1,
    comment_ratio=6.44,
    pylint=3.61,
    imports=24,
    config_files=1,
    declared=87.5,
    strict=100.0,
    public=100.0,
    dataset=True,
    seed_lines=42,
    fixed_seeds=100.0,
    models=True,
    built=False,
)
"""The repository of Figure A.1."""


def scores_of(indicators: Indicators) -> dict[Factor, float | None]:
    return {one.factor: one.score for one in score(indicators)}


def band_of(indicators: Indicators, factor: Factor) -> Band:
    return next(one.band for one in score(indicators) if one.factor is factor)


def test_the_example_of_the_thesis_gets_its_scores() -> None:
    assert scores_of(EXAMPLE) == {
        Factor.SCAD: 0.93,
        Factor.SE: 0.93,
        Factor.DSA: 1.0,
        Factor.RSC: 1.0,
        Factor.MS: 1.0,
        Factor.HPL: 0.0,
        Factor.OOTB: 0.0,
    }


@pytest.mark.parametrize(
    ("factor", "printed"),
    [(Factor.SCAD, (0.8, 0.54, 0.28)), (Factor.SE, (0.61, 0.46, 0.31)), (Factor.RSC, (0.94, 0.73, 0.51))],
)
def test_thresholds_are_those_of_table_6_4(factor: Factor, printed: tuple[float, float, float]) -> None:
    limits = LOOS2022.thresholds_of(factor)
    assert (limits.top, limits.average, limits.lower) == printed


def test_weights_of_a_factor_sum_to_one_with_the_readme_at_0_5_of_table_6_2() -> None:
    w = LOOS2022.weights
    assert w.readme == 0.5
    assert w.readme + w.licence + w.comment_ratio + w.pylint == pytest.approx(1)
    assert w.readme_lines + w.readme_links == pytest.approx(1)
    assert w.declared + w.strict + w.public == pytest.approx(1)


@pytest.mark.parametrize(
    ("seeds", "band"), [(94, Band.GOOD), (93, Band.FAIR), (73, Band.WEAK), (52, Band.WEAK), (51, Band.POOR)]
)
def test_bands_lie_where_section_6_2_3_puts_them(seeds: int, band: Band) -> None:
    assert band_of(replace(EXAMPLE, fixed_seeds=float(seeds)), Factor.RSC) is band


def test_fewer_comments_than_the_upper_value_score_nothing() -> None:
    wordless = replace(EXAMPLE, comment_ratio=16.18)
    assert scores_of(wordless)[Factor.SCAD] == pytest.approx(0.83)


def test_links_count_for_each_readme() -> None:
    spread = replace(EXAMPLE, readmes=3, links=12)
    assert scores_of(spread)[Factor.SCAD] == pytest.approx(0.96)


def test_without_a_readme_its_half_is_lost() -> None:
    assert scores_of(replace(EXAMPLE, readmes=0, readme_lines=0, links=0))[Factor.SCAD] == pytest.approx(0.46)


def test_a_licence_that_is_not_open_counts_for_nothing() -> None:
    assert scores_of(replace(EXAMPLE, open_licences=0))[Factor.SCAD] == pytest.approx(0.63)


def test_no_imports_and_no_manifest_is_perfect_as_in_the_thesis() -> None:
    assert scores_of(Indicators(imports=0, config_files=0))[Factor.SE] == 1.0


def test_imports_without_a_manifest_keep_only_the_share_that_is_public() -> None:
    assert scores_of(Indicators(imports=4, config_files=0, public=75.0))[Factor.SE] == 0.15


def test_no_seed_is_no_control() -> None:
    assert scores_of(replace(EXAMPLE, seed_lines=0, fixed_seeds=0))[Factor.RSC] == 0.0


def test_what_was_not_measured_makes_a_range() -> None:
    found = {one.factor: one for one in score(replace(EXAMPLE, pylint=None, reachable_links=None, built=None))}
    documentation = found[Factor.SCAD]
    assert (documentation.low, documentation.high, documentation.score) == (0.8, 0.97, None)
    assert documentation.band is Band.GOOD
    assert str(documentation) == "0.80 to 0.97"
    assert found[Factor.OOTB].band is Band.NOT_JUDGED


def test_no_links_need_no_network() -> None:
    assert Indicators(readmes=1, readme_lines=50, links=0).links_each == 0.0


def test_shared_factors_tell_the_lower_end_and_what_is_missing() -> None:
    shared = {one.key: one for one in factors_of(replace(EXAMPLE, pylint=None, built=None))}
    assert shared["SCAD"].score == 0.87
    assert [part.said for part in shared["SCAD"].parts if part.score is None] == [
        "not measured; the factor's score may reach 0.97"
    ]
    assert shared["OOTB"].score is None
    assert shared["OOTB"].band is Band.NOT_JUDGED


def test_feedback_has_the_layout_of_figure_a_1() -> None:
    text = feedback(EXAMPLE)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [
        "# Reproducibility factor scoring (from 0 to 1)",
        "## Source code availability and documentation feedback",
        "## Software environment feedback",
        "## Dataset availability and preprocessing feedback",
        "## Random seed feedback",
        "## Model serialization feedback",
        "## Hyperparameter logging feedback",
        "## Out-of-the-box buildability feedback",
    ]
    assert "| Reproducibility factor | Score | Feedback | T* | A* | L* |" in text
    assert (
        "| Software environment | 0.93 | At or above the top threshold (T): very good. | 0.61 | 0.46 | 0.31 |" in text
    )
    assert "Pylint rating (0.63 out of 1): 3.61 of 10; from 5.71 on it is best." in text
    assert "declared (0.53 out of 0.6): 87.5 %" in text


def test_feedback_says_what_was_not_measured() -> None:
    text = feedback(Indicators(readmes=1, links=2))
    assert "Pylint rating (not measured): nobody asked for it" in text
    assert "Links that work (not measured): they are tried only online" in text
    assert "Buildability (not measured)" in text


def test_feedback_on_nothing_at_all_gives_advice() -> None:
    text = feedback(Indicators(imports=3, config_files=0))
    assert "Licence (0.00 out of 1): none found." in text
    assert "README (0.00 out of 1): none found." in text
    assert "Configuration files (0 out of 0.8): none found." in text
    assert "no seed is set" in text


numbers = st.floats(-20, 1000, allow_nan=False)
percentages = st.floats(0, 100)
maybe = st.none() | percentages
INDICATORS = st.builds(
    Indicators,
    readmes=st.integers(0, 5),
    readme_lines=st.floats(0, 1000),
    links=st.integers(0, 100),
    reachable_links=maybe,
    licences=st.just(3),
    open_licences=st.integers(0, 3),
    comment_ratio=st.floats(0, 1000),
    pylint=st.none() | st.floats(-100, 10),
    imports=st.none() | st.integers(0, 5),
    config_files=st.none() | st.integers(0, 5),
    declared=percentages,
    strict=percentages,
    public=percentages,
    dataset=st.booleans(),
    seed_lines=st.integers(0, 5),
    fixed_seeds=percentages,
    models=st.booleans(),
    logging=st.integers(0, 5),
    built=st.none() | st.booleans(),
)


@given(INDICATORS)
def test_every_score_lies_between_nought_and_one_and_ranges_are_ordered(indicators: Indicators) -> None:
    for one in score(indicators):
        assert 0 <= one.low <= one.high <= 1
        assert one.score is None or one.band is not Band.NOT_JUDGED


@given(INDICATORS, st.floats(-100, 10), percentages, st.booleans())
def test_measuring_what_was_missing_ends_inside_the_range(
    indicators: Indicators, pylint: float, reachable: float, built: bool
) -> None:
    measured = replace(
        indicators,
        pylint=pylint if indicators.pylint is None else indicators.pylint,
        reachable_links=reachable if indicators.reachable_links is None else indicators.reachable_links,
        built=built if indicators.built is None else indicators.built,
    )
    for before, after in zip(score(indicators), score(measured), strict=True):
        assert after.score is not None
        assert before.low <= after.score <= before.high


@given(numbers, numbers, numbers)
def test_normal_values_rise_from_nought_to_one(low: float, high: float, value: float) -> None:
    normal = Span(low, high).normal(value)
    assert 0 <= normal <= 1
    assert normal == 1 or value < high or high <= low
