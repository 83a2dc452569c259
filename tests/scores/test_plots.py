"""The pictures of the scores room: what they show, what they say, and that any page can hold them."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.findings import Figure
from assay.report.svg import harmless
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.constraints import Constraint, substitutes_for
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix, find_score
from assay.scores.exact import INFINITY, Interval
from assay.scores.experiment import Reported
from assay.scores.plots import folds_figure, region_figure
from assay.scores.plots.fields import Field
from assay.scores.plots.focus import focus
from assay.scores.plots.scene import Scene
from assay.scores.plots.strips import meeting, strips
from assay.scores.printed import read_figure
from assay.scores.regions import matrix_at
from assay.scores.single import solve
from examples_tried import a_third_of

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 150_000
"""Bytes of a picture that a report can carry many of."""


def reported(name: str, text: str, eps: str | None = None) -> Constraint:
    score = find_score(name).score
    interval = read_figure(text, score, name=name, eps=Fraction(eps) if eps else None).interval
    return Constraint(score, interval, substitutes_for(score, Undefined.ANY), name, text)


def within(name: str, *ends: str | None, lo_open: bool = False, hi_open: bool = False) -> Constraint:
    lo, hi = (None if end is None else Fraction(end) for end in ends)
    score = SCORES[name]
    return Constraint(score, Interval(lo, hi, lo_open, hi_open), substitutes_for(score, Undefined.ANY), name, "")


def rounded_scores(matrix: Matrix, names: str, digits: int) -> list[Constraint]:
    """What an honest author would print."""
    return [reported(name, f"{float(SCORES[name].value(matrix) or 0):.{digits}f}") for name in names.split()]


TWO_SOLUTIONS = (
    1000,
    6000,
    [reported("acc", ".6821", "1e-4"), reported("npv", ".9401", "1e-4"), reported("f1", ".4004", "1e-4")],
)
APART = (100, 200, [reported("acc", ".850"), reported("sens", ".800"), reported("spec", ".800")])
CROWD = "acc sens spec ppv f1 mcc gm dor upm mk fm kappa"

SITUATIONS: dict[str, tuple[int, int, list[Constraint]]] = {
    "two solutions": TWO_SOLUTIONS,
    "bands apart": APART,
    "two of three conflict": (100, 200, [reported("acc", ".900"), reported("sens", ".800"), reported("spec", ".800")]),
    "no whole number": (49, 80, [reported("accuracy", ".455"), reported("recall", ".45")]),
    "curved": (3000, 3000, [reported("mcc", ".60"), reported("gm", ".80")]),
    "curved and crowded": (30_000, 70_000, rounded_scores(Matrix(24_300, 5_700, 7_800, 62_200), CROWD, 3)),
    "coarse and crowded": (300, 700, rounded_scores(Matrix(243, 57, 78, 622), CROWD, 1)),
    "a billion": (10**9, 10**9, [reported("acc", ".9000"), reported("npv", ".8500"), reported("f1", ".89473")]),
    "a quadrillion": (10**15, 10**15, [reported("acc", ".9012"), reported("sens", ".85")]),
    "one of a billion": (10**9, 10**9, [reported("tp", "123456789"), reported("fp", "987654")]),
    "bands far apart": (10**6, 10, [reported("acc", ".9"), reported("ppv", ".9999")]),
    "never defined": (0, 30, [reported("sens", "0.5"), reported("gm", "0.5")]),
    "no positives": (0, 200, [reported("spec", ".945"), reported("sens", "1"), reported("bacc", ".945")]),
    "no negatives": (20, 0, [reported("acc", ".9"), reported("npv", "0.00"), reported("upm", "0")]),
    "one negative": (7, 1, [reported("acc", ".75"), reported("spec", "1"), reported("mcc", ".75")]),
    "one item": (1, 0, [reported("acc", "1")]),
    "infinite": (30, 40, [reported("dor", "inf"), reported("lrp", "inf"), reported("sens", ".9")]),
    "no upper end": (30, 40, [within("lrn", "0.2", None), within("mcc", None, "0.5"), within("acc", None, None)]),
    "open ends": (30, 40, [within("acc", "0.7", "0.8", lo_open=True), within("gm", "0.7", "0.8", hi_open=True)]),
    "a witness that is 0/0": (50, 50, [reported("ppv", "0"), reported("spec", "1.00"), reported("acc", ".5")]),
    "an exact count": (50, 50, [reported("tp", "35"), reported("fp", "12"), reported("pt", ".37")]),
    "an empty interval": (50, 50, [within("acc", "0.8", "0.7"), within("gm", "0.8", "0.7")]),
    "a range that nothing reaches": (50, 50, [within("acc", "1.2", "1.3"), within("mcc", "1.2", "1.3")]),
    "every matrix": (50, 50, [within("acc", "0", "1")]),
}  # fmt: skip


@cache
def picture(situation: str) -> tuple[Answer, Figure]:
    p, n, constraints = SITUATIONS[situation]
    answer = solve(p, n, constraints)
    return answer, region_figure(p, n, constraints, answer)


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_picture_is_small_self_contained_svg_that_a_report_keeps_whole(situation: str) -> None:
    _, figure = picture(situation)
    root = ElementTree.fromstring(figure.svg)
    assert len(figure.svg.encode()) <= LARGEST
    assert not [e for e in root.iter() if e.tag in (f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject")]
    references = [v for e in root.iter() for k, v in e.attrib.items() if k.endswith("href")]
    assert all(reference.startswith("#") for reference in references)
    assert not re.search(r"url\((?!#)", figure.svg)
    kept = ElementTree.fromstring(harmless(figure.svg) or "")
    for drawn in ("path", "text", "use", "pattern", "clipPath"):
        assert len(list(kept.iter(f"{SVG}{drawn}"))) == len(list(root.iter(f"{SVG}{drawn}")))


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_picture_says_in_words_what_it_shows(situation: str) -> None:
    answer, figure = picture(situation)
    p, n, constraints = SITUATIONS[situation]
    drawn = answer.conflict or tuple(c.name for c in constraints)
    assert all(name in figure.title and name in figure.alt for name in drawn)
    assert f"{p:,} positives and {n:,} negatives" in figure.alt
    if answer.witness:
        assert f"tp {answer.witness[0].tp:,}, fn {answer.witness[0].fn:,}" in figure.alt
    assert "nan" not in figure.alt + figure.svg


@pytest.mark.parametrize("situation", SITUATIONS)
def test_text_is_large_enough_where_a_picture_has_700_pixels(situation: str) -> None:
    _, figure = picture(situation)
    _, _, width, _ = ElementTree.fromstring(figure.svg).attrib["viewBox"].split()
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", figure.svg)]
    assert len(sizes) == len(texts(figure.svg))
    assert min(sizes) * 700 / float(width) >= 9


def test_every_band_has_its_name_on_it_and_its_meaning_in_the_key() -> None:
    _, figure = picture("two solutions")
    written = texts(figure.svg)
    for name in ("acc", "npv", "f1"):
        assert written.count(name) == 2  # in the overview and in the enlarged part
    assert "0.682 ≤ acc ≤ 0.6822" in written
    assert "2 whole-number points lie in all 3 bands" in written


def test_bands_differ_by_hatch_and_not_by_colour_alone() -> None:
    _, figure = picture("curved and crowded")
    patterns = ElementTree.fromstring(figure.svg).iter(f"{SVG}pattern")
    assert len({element.attrib["d"] for pattern in patterns for element in pattern.iter(f"{SVG}path")}) >= 8


def test_large_numbers_are_told_as_what_they_have_beyond_a_round_one() -> None:
    _, figure = picture("one of a billion")
    assert "true positives, tp \N{MINUS SIGN} 123,456,780" in texts(figure.svg)
    assert "1 whole-number point lies in both bands" in figure.alt


def test_bands_that_are_far_apart_are_both_in_view() -> None:
    _, figure = picture("bands far apart")
    assert {"acc", "ppv"} <= set(texts(figure.svg))


def test_a_conflict_is_shown_alone_and_with_how_far_it_is_missed() -> None:
    answer, figure = picture("two of three conflict")
    assert answer.conflict == ("acc", "spec")
    assert "Not drawn, since the conflict needs no more: sens." in texts(figure.svg)
    assert "The bands have no point in common" in figure.alt
    assert "acc 0.88000 (too low), spec 0.82000 (too high)" in figure.alt


def test_bands_that_cross_without_a_whole_number_are_not_said_to_be_apart() -> None:
    constraints = [reported("acc", ".8650"), reported("mcc", ".6854")]
    figure = region_figure(300, 700, constraints, solve(300, 700, constraints))
    assert "No whole-number point lies in both bands" in figure.alt
    assert "no point in common" not in figure.alt


def test_an_open_question_marks_no_matrix() -> None:
    figure = region_figure(*APART, undecided("out of budget"))
    assert "Not decided" in figure.alt
    assert "marks" not in figure.alt


def test_an_unnamed_conflict_shows_every_band() -> None:
    figure = region_figure(*APART, inconsistent("because"))
    assert all(name in figure.title for name in ("acc", "sens", "spec"))


@pytest.mark.parametrize(
    "name", ["$x^2$ and \\frac", "</text><script>alert(1)</script>", "\x00\x1b[31m", "精度" * 40, "", "a\nb"]
)
def test_hostile_names_are_shown_harmlessly(name: str) -> None:
    score = SCORES["acc"]
    constraint = Constraint(score, Interval(Fraction(8, 10), Fraction(9, 10)), (), name, name)
    figure = region_figure(10, 10, [constraint], solve(10, 10, [constraint]))
    assert not list(ElementTree.fromstring(figure.svg).iter(f"{SVG}script"))
    assert "\x00" not in figure.alt
    assert max(map(len, texts(figure.svg))) < 120


def test_equal_input_gives_equal_bytes_in_another_process() -> None:
    program = (
        "import sys; sys.path.append('..'); from test_plots import picture\n"
        "for name in ('two solutions', 'curved'): sys.stdout.buffer.write(picture(name)[1].svg.encode())"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    ).stdout
    assert told == b"".join(picture(name)[1].svg.encode() for name in ("two solutions", "curved"))


def test_pictures_drawn_at_the_same_time_do_not_disturb_each_other() -> None:
    answer = solve(*APART)
    with ThreadPoolExecutor(4) as pool:
        drawn = set(pool.map(lambda _: region_figure(*APART, answer), range(4)))
    assert drawn == {region_figure(*APART, answer)}


def test_drawing_libraries_are_loaded_only_to_draw_and_their_settings_left_alone() -> None:
    program = (
        "import sys, assay.scores.plots\n"
        "assert not {'numpy', 'matplotlib'} & set(sys.modules)\n"
        "import matplotlib; before = matplotlib.rcParams.copy()\n"
        "sys.path.append('..'); from test_plots import picture; picture('bands apart')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert all(matplotlib.rcParams[key] == before[key] for key in before if key != 'backend')"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parent)


AFFINE = sorted(score.name for score in SCORES.values() if score.affine)
SHARES = st.fractions(min_value=-1, max_value=1, max_denominator=60)
SIZES = st.integers(1, 8)
INTERVALS = st.builds(
    lambda one, other, factor: Interval(min(one, other) * factor, max(one, other) * factor),
    SHARES,
    SHARES,
    st.sampled_from([1, 3, 8]),
)


@settings(max_examples=a_third_of(150), deadline=None)
@given(st.sampled_from(AFFINE), SIZES, SIZES, INTERVALS)
def test_straight_bands_hold_exactly_the_matrices_with_the_score(name: str, p: int, n: int, interval: Interval) -> None:
    score = SCORES[name]
    parts = strips(Constraint(score, interval), p, n)
    assert parts is not None
    for point in product(range(p + 1), range(n + 1)):
        value = score.value(matrix_at(point, p, n))
        if value is not None and value is not INFINITY:
            inside = any(all(a * point[0] + b * point[1] >= c for a, b, c in part) for part in parts)
            assert inside == (value in interval)


@pytest.mark.parametrize(("p", "n"), [(0, 9), (9, 0)])
@pytest.mark.parametrize("name", sorted(SCORES))
def test_without_a_class_bands_hold_what_conventions_count(name: str, p: int, n: int) -> None:
    constraint = within(name, "0.3", "1")
    parts = strips(constraint, p, n)
    assert parts is not None
    for point in product(range(p + 1), range(n + 1)):
        matrix = matrix_at(point, p, n)
        alone = SCORES[name].value(matrix) is None and 0 < sum(point) < 9  # at the ends 0/0 may be a single point
        inside = any(all(a * point[0] + b * point[1] >= c for a, b, c in part) for part in parts)
        if alone or SCORES[name].value(matrix) not in (None, INFINITY):
            assert inside == constraint.holds(matrix)


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(AFFINE), INTERVALS), min_size=1, max_size=3), SIZES, SIZES)
def test_bands_said_to_be_apart_share_no_matrix(bands: list[tuple[str, Interval]], p: int, n: int) -> None:
    constraints = [Constraint(SCORES[name], interval) for name, interval in bands]
    common = meeting([strips(constraint, p, n) for constraint in constraints], p, n)
    if common is not None and common.empty:
        matrices = (matrix_at(point, p, n) for point in product(range(p + 1), range(n + 1)))
        assert not any(all(c.holds(matrix) for c in constraints) for matrix in matrices)


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.sampled_from(sorted(SCORES)), st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_excess_tells_inside_from_outside(name: str, p: int, n: int, data: st.DataObject) -> None:
    score = SCORES[name]
    field = Field(Constraint(score, Interval(Fraction(1, 4), Fraction(3, 4))), p, n)
    tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, n))
    value = score.value(matrix_at((tp, tn), p, n))
    excess = float(field.excess(tp, tn))
    if value is None:
        assert excess == float("inf")
    elif min(abs(float(value) - 0.25), abs(float(value) - 0.75)) > 1e-9:
        assert (excess <= 1) == (value in field.constraint.interval)


@settings(max_examples=a_third_of(40), deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.data())
def test_the_enlarged_part_holds_the_witness_and_a_piece_of_every_band(p: int, n: int, data: st.DataObject) -> None:
    witness = matrix_at((data.draw(st.integers(0, p)), data.draw(st.integers(0, n))), p, n)
    names = data.draw(st.lists(st.sampled_from(["acc", "sens", "spec", "f1", "mcc", "gm"]), min_size=1, unique=True))
    constraints = [c for c in rounded_scores(witness, " ".join(names), 3) if SCORES[c.name].value(witness) is not None]
    if not constraints:
        return
    fields = [Field(constraint, p, n) for constraint in constraints]
    window, _ = focus(fields, p, n, (witness.tp, witness.tn))
    assert window.x0 <= witness.tp <= window.x1
    assert window.y0 <= witness.tn <= window.y1
    assert all(field.visible(window) for field in fields)


def test_the_enlarged_part_shows_exactly_the_matrices_that_fit() -> None:
    p, n, constraints = TWO_SOLUTIONS
    scene = Scene.from_answer(p, n, constraints, solve(p, n, constraints))
    assert scene.enlarged is not None
    assert [point for point in scene.points(scene.enlarged) if scene.fits(point)] == [(743, 4031), (743, 4032)]


FOLDS = consistent(Matrix(0, 5, 0, 10), Matrix(5, 0, 1, 9), Matrix(4, 1, 1, 9), Matrix(3, 2, 2, 8))


def over_folds(name: str, text: str, smallest: str | None = None, largest: str | None = None) -> Reported:
    score = find_score(name).score
    printed = read_figure(text, score, name=name)
    low, high = (None if end is None else read_figure(end, score, name=name).interval for end in (smallest, largest))
    return Reported(name, text, score, printed.interval, printed.sd, low, high)


def test_every_fold_of_a_witness_is_a_dot_beside_what_was_reported() -> None:
    figure = folds_figure([over_folds("acc", ".82 ± .11", ".67", ".93")], FOLDS)
    written = texts(figure.svg)
    assert {"acc .82 ± .11", "mean", "min", "max", "+ sd", "\N{MINUS SIGN} sd"} <= set(written)
    assert "from 0.6667 to 0.9333" in figure.alt
    assert "sd [0.105, 0.115]" in figure.alt
    assert "4 folds" in figure.title


def test_folds_without_a_finite_score_are_marked() -> None:
    figure = folds_figure([over_folds("ppv", ".74"), over_folds("dor", "12.3")], FOLDS)
    written = texts(figure.svg)
    assert written.count("0/0") == 2
    assert written.count("∞") == 1
    assert "2 of them 0/0 or infinite" in figure.alt


def test_a_thousand_folds_make_a_small_picture_that_a_report_keeps() -> None:
    many = consistent(*[Matrix(i % 9, 8 - i % 9, i % 53, 52 - i % 53) for i in range(1000)])
    figure = folds_figure([over_folds(name, ".5") for name in ("acc", "sens", "spec", "f1", "mcc")], many)
    assert len(figure.svg) <= LARGEST
    assert harmless(figure.svg)
    assert "folds, sorted by score" in texts(figure.svg)


def test_a_score_that_no_fold_defines_is_drawn_all_the_same() -> None:
    figure = folds_figure([over_folds("sens", "1.0")], consistent(Matrix(0, 0, 1, 9), Matrix(0, 0, 2, 8)))
    assert "nowhere defined" in figure.alt
    assert texts(figure.svg).count("0/0") == 2


def test_there_is_no_picture_of_nothing() -> None:
    with pytest.raises(ValueError, match="witness"):
        folds_figure([over_folds("acc", ".9")], undecided("out of budget"))
    with pytest.raises(ValueError, match="without a score"):
        region_figure(5, 5, [], undecided("out of budget"))
