"""The arithmetic of rows: which parts can share a row."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from assay.code import read_code
from assay.leakage.code.state.rows import (
    POSITIONS,
    Cut,
    Except,
    Interval,
    Origin,
    OriginKind,
    Part,
    Site,
    cut_part,
    cut_rows,
    meet,
    opposed,
    rest_of,
    share_rows,
    within,
)
from assay.leakage.code.state.values import MOST_MARKS, Kind, Mark, capped
from assay.tree.opening import tree_of

SITE = Site(read_code(tree_of({"a.py": ""})).python[0], ast.parse(""))
TABLE, OTHER = (Origin(key, SITE, OriginKind.READ, "pandas.read_csv") for key in ("table", "other"))

_NUMBERS = st.integers(0, 20)
_CUTS = st.one_of(
    st.builds(Cut, st.sampled_from(["s1", "s2"]), st.sampled_from(["train", "test"])),
    st.builds(lambda a, b: Cut("rows", Interval(min(a, b), max(a, b))), _NUMBERS, _NUMBERS),
)
_PARTS = st.builds(lambda cuts: Part(TABLE, frozenset(cuts)), st.lists(_CUTS, max_size=3))


def part(*cuts: Cut) -> Part:
    return Part(TABLE, frozenset(cuts))


def test_two_sides_of_a_split_are_apart_and_two_splits_are_not() -> None:
    train, test = part(Cut("s1", "train")), part(Cut("s1", "test"))
    assert not share_rows(train, test)
    assert share_rows(train, part(Cut("s2", "test")))
    assert not share_rows(train, Part(OTHER, train.cuts))
    assert share_rows(part(), test)


def test_slices_that_meet_are_apart_and_slices_that_overlap_are_not() -> None:
    assert opposed(Interval(None, 800), Interval(800, None))
    assert opposed(Interval(None, "n"), Interval("n", None))
    assert not opposed(Interval(None, 900), Interval(800, None))
    assert opposed(Interval(None, "n"), Interval("k", None))
    assert not opposed(Interval("n", None), Interval("k", None))


def test_slices_counted_from_both_ends_are_meant_to_be_apart() -> None:
    assert opposed(Interval(None, 100), Interval(-100, None))
    assert opposed(Interval(None, -100), Interval(800, None))
    assert not opposed(Interval(None, -100), Interval(0, None))


def test_within_a_slice_rows_are_counted_anew_unless_it_starts_where_the_table_does() -> None:
    table = frozenset({part()})
    later = cut_rows(table, [Cut(POSITIONS, Interval(600, None))])
    one, other = (cut_rows(later, [Cut(POSITIONS, side)]) for side in (Interval(None, 200), Interval(180, None)))
    assert meet(one, other)
    assert not meet(one, cut_rows(later, [Cut(POSITIONS, Interval(200, None))]))
    assert not meet(one, cut_rows(table, [Cut(POSITIONS, Interval(None, 600))]))
    first = cut_rows(table, [Cut(POSITIONS, Interval(None, 1000)), Cut(POSITIONS, Interval(None, 800))])
    assert not meet(first, cut_rows(table, [Cut(POSITIONS, Interval(800, 1000))]))


def test_what_is_left_when_a_part_is_taken_away_is_apart_from_it_alone() -> None:
    taken = frozenset({Cut("class", "1"), Cut("drawn", "sampled")})
    rest = part(rest_of(taken))
    assert not share_rows(rest, part(*taken))
    assert not share_rows(part(*taken, Cut("s1", "train")), rest)
    assert share_rows(rest, part(Cut("class", "1")))
    assert share_rows(rest, part(rest_of(frozenset({Cut("class", "0")}))))


def test_a_label_and_its_negation_are_apart() -> None:
    assert opposed("a", Except("a"))
    assert opposed(Except("a"), "a")
    assert not opposed(Except("a"), Except("b"))


def test_a_second_split_of_one_side_divides_that_side() -> None:
    train = part(Cut("s1", "train"))
    inner, held = cut_part(train, Cut("s1", "train")), cut_part(train, Cut("s1", "test"))
    assert not share_rows(inner, held)
    assert within(frozenset({held}), frozenset({train}))


@given(_PARTS, _PARTS)
def test_sharing_is_mutual_and_a_part_shares_with_itself(a: Part, b: Part) -> None:
    assert share_rows(a, b) == share_rows(b, a)
    assert share_rows(a, a)
    assert meet(frozenset({a}), frozenset({b})) == share_rows(a, b)


@given(_PARTS, _PARTS, _CUTS)
def test_a_further_cut_never_adds_rows(a: Part, b: Part, cut: Cut) -> None:
    smaller = cut_part(a, cut)
    assert within(frozenset({smaller}), frozenset({a}))
    if not share_rows(a, b) and not smaller.cuts <= b.cuts and not b.cuts <= smaller.cuts:
        assert not share_rows(smaller, b)


@given(
    _PARTS, st.permutations([Cut(POSITIONS, Interval(None, 10)), Cut(POSITIONS, Interval(10, None)), Cut("s1", "a")])
)
def test_sides_that_hold_together_do_so_in_any_order(known: Part, cuts: list[Cut]) -> None:
    sliced = cut_part(known, Cut(POSITIONS, Interval(72, 328)))
    assert cut_rows(frozenset({sliced}), cuts) == cut_rows(frozenset({sliced}), sorted(cuts, key=str))


def test_a_score_is_known_for_one_however_much_was_learnt_on_the_way_to_it() -> None:
    learnt = (Mark(Kind.SCALE, str(number), SITE, frozenset({part()})) for number in range(2 * MOST_MARKS))
    score = Mark(Kind.SCORE, "score", SITE)
    assert score in (kept := capped(frozenset({score, *learnt})))
    assert len(kept) <= MOST_MARKS
