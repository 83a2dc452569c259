"""Lattice points of polygons are counted, found and listed exactly, at any size."""

from __future__ import annotations

from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scores.boxes import Form, search
from assay.scores.polygon import Box, Lattice, Plane, Polygon, floor_sum

sides = st.tuples(st.integers(-6, 9), st.integers(0, 9))
boxes = st.builds(lambda x, y: (x[0], x[0] + x[1], y[0], y[0] + y[1]), sides, sides)
planes = st.lists(st.tuples(st.integers(-7, 7), st.integers(-7, 7), st.integers(-40, 40)), max_size=5)


def inside(box: Box, halves: list[Plane]) -> list[tuple[int, int]]:
    x0, x1, y0, y1 = box
    everything = [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
    return [(x, y) for x, y in everything if all(a * x + b * y >= c for a, b, c in halves)]


@given(st.integers(0, 30), st.integers(1, 40), st.integers(-90, 90), st.integers(-90, 90))
def test_floor_sum_adds_up_the_floors(n: int, m: int, a: int, b: int) -> None:
    assert floor_sum(n, m, a, b) == sum((a * i + b) // m for i in range(n))


@given(boxes, planes)
def test_lattice_points_are_those_that_satisfy_every_half_plane(box: Box, halves: list[Plane]) -> None:
    expected = inside(box, halves)
    polygon = Polygon.of_box(box).clipped(halves)
    lattice = Lattice.from_polygon(polygon)
    assert lattice.count() == len(expected)
    assert list(lattice.points()) == expected
    assert [lattice.point(k) for k in range(len(expected) + 1)] == [*expected, None]
    assert [(x, y) for y, x in Lattice.from_polygon(polygon.transposed()).points()] == sorted(
        expected, key=lambda q: q[::-1]
    )


@given(boxes, planes)
def test_every_vertex_lies_in_every_half_plane_and_on_its_edges(box: Box, halves: list[Plane]) -> None:
    polygon = Polygon.of_box(box).clipped(halves)
    for x, y, w in polygon.vertices:
        assert w > 0
        assert all(a * x + b * y >= c * w for a, b, c in halves)
    for (a, b, c), start, end in zip(
        polygon.edges, polygon.vertices, polygon.vertices[1:] + polygon.vertices[:1], strict=True
    ):
        for x, y, w in (start, end):
            assert a * x + b * y == c * w


@given(boxes, planes, st.integers(-9, 20))
def test_prefix_counts_stop_at_their_column(box: Box, halves: list[Plane], last: int) -> None:
    lattice = Lattice.from_polygon(Polygon.of_box(box).clipped(halves))
    assert lattice.count(last) == sum(x <= last for x, _ in inside(box, halves))


corners = st.tuples(st.integers(0, 10**9), st.integers(0, 10**9))


@given(corners, corners, corners)
def test_huge_triangles_obey_picks_theorem(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> None:
    doubled = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    if doubled < 0:
        b, c, doubled = c, b, -doubled
    pairs = [(a, b), (b, c), (c, a)]
    halves = [(y1 - y2, x2 - x1, (y1 - y2) * x1 + (x2 - x1) * y1) for (x1, y1), (x2, y2) in pairs]
    border = sum(gcd(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairs)
    lattice = Lattice.from_polygon(Polygon.of_box((0, 10**9, 0, 10**9)).clipped(halves))
    if doubled:
        assert lattice.count() == (doubled + border) // 2 + 1
    first, last = lattice.point(0), lattice.point(lattice.count() - 1)
    assert (first, last) == (min(a, b, c), max(a, b, c)) or not doubled


def test_sparse_points_of_a_long_thin_strip_are_listed_without_a_scan() -> None:
    # y = x·2/3 exactly: every third column has a point
    strip = Polygon.of_box((0, 3 * 10**6, 0, 2 * 10**6)).clipped([(2, -3, 0), (-2, 3, 0), (1, 0, 3 * 10**6 - 10)])
    assert list(Lattice.from_polygon(strip).points()) == [(3 * k, 2 * k) for k in range(10**6 - 3, 10**6 + 1)]
    whole = Lattice.from_polygon(Polygon.of_box((0, 3 * 10**6, 0, 2 * 10**6)).clipped([(2, -3, 0), (-2, 3, 0)]))
    assert whole.count() == 10**6 + 1
    assert whole.point(777_777) == (3 * 777_777, 2 * 777_777)


@pytest.mark.parametrize(
    ("halves", "points"),
    [
        ([(1, 0, 3), (-1, 0, -3)], [(3, y) for y in range(6)]),
        ([(0, 1, 2), (0, -1, -2)], [(x, 2) for x in range(6)]),
        ([(1, 1, 10)], [(5, 5)]),
        ([(2, 0, 5), (-2, 0, -5)], []),
        ([(3, 3, 10), (-3, -3, -11)], []),
        ([(0, 0, 1)], []),
        ([(0, 0, 0)], inside((0, 5, 0, 5), [])),
    ],
)
def test_segments_points_and_nothing_are_polygons_too(halves: list[Plane], points: list[tuple[int, int]]) -> None:
    assert list(Lattice.from_polygon(Polygon.of_box((0, 5, 0, 5)).clipped(halves)).points()) == points


forms = st.builds(Form, *([st.integers(-60, 60)] + [st.integers(-9, 9)] * 5))


@given(boxes, forms)
def test_a_form_lies_between_its_enclosing_half_planes(box: Box, form: Form) -> None:
    outer, inner = form.enclosed(box)
    for x, y in inside(box, []):
        if form.at(x, y) >= 0:
            assert outer[0] * x + outer[1] * y >= outer[2]
        if inner[0] * x + inner[1] * y >= inner[2]:
            assert form.at(x, y) >= 0


@given(boxes, planes, st.lists(forms, min_size=1, max_size=3), st.sampled_from([1, 48]))
def test_search_finds_and_counts_what_satisfies_every_form(
    box: Box, halves: list[Plane], curves: list[Form], enumerated: int
) -> None:
    expected = [(x, y) for x, y in inside(box, halves) if all(curve.at(x, y) >= 0 for curve in curves)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.scores.boxes.ENUMERATED", enumerated)
        polygon = Polygon.of_box(box).clipped(halves)
        found = search(polygon, curves, max_boxes=10**6, counting=10**6)
    assert found.count == len(expected)
    assert found.point in expected if expected else found.point is None


def test_search_counts_the_lattice_points_of_a_large_circle() -> None:
    radius = 3000
    circle = Form(radius**2, 0, 0, -1, 0, -1)
    found = search(Polygon.of_box((-radius, radius, -radius, radius)), [circle], max_boxes=10**6, counting=10**6)
    expected = sum(2 * int((radius**2 - x * x) ** 0.5 + 1e-9) + 1 for x in range(-radius, radius + 1))
    assert found.count == expected


def test_search_that_runs_out_of_boxes_says_so() -> None:
    ring = [Form(-(10**12) - 3, 0, 0, 1, 0, 1), Form(10**12 + 3, 0, 0, -1, 0, -1)]
    found = search(Polygon.of_box((0, 10**6, 0, 10**6)), ring, max_boxes=5, counting=0)
    assert (found.point, found.count, found.finished) == (None, None, False)
