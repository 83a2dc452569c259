"""What a picture of the feasible region shows: which bands, which part of the plane, which matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import ceil, floor

from assay.findings import Verdict
from assay.records import dataclass
from assay.scores.answers import Answer
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix
from assay.scores.plots.canvas import STYLES, Style
from assay.scores.plots.fields import Field, Spot, worst
from assay.scores.plots.focus import focus
from assay.scores.plots.strips import Strip, Window, meeting, strips
from assay.scores.polygon import Polygon
from assay.scores.regions import matrix_at

_MOST_POINTS, _MOST_IN_LINE = 300, 30
_WORTH_ENLARGING = 0.6


@dataclass(frozen=True)
class Band:
    """Where one score is as reported: in straight strips, or (`strips` is None) between curves."""

    constraint: Constraint
    style: Style
    field: Field
    strips: tuple[Strip, ...] | None


@dataclass(frozen=True)
class Scene:
    """The bands in the box of p positives and n negatives, the answer about them, and what it leads one to look at."""

    p: int
    n: int
    bands: tuple[Band, ...]
    left_out: tuple[Constraint, ...]
    answer: Answer

    @classmethod
    def from_answer(cls, p: int, n: int, constraints: Sequence[Constraint], answer: Answer) -> Scene:
        """All bands, or those of a conflict alone: the others would only hide it."""
        named = [c for c in constraints if (c.name or c.score.name) in answer.conflict]
        shown = named or list(constraints)
        styled = zip(shown, STYLES * len(shown), strict=False)
        bands = tuple(Band(c, style, Field(c, p, n), strips(c, p, n)) for c, style in styled)
        return cls(p, n, bands, tuple(c for c in constraints if c not in shown), answer)

    @property
    def box(self) -> Window:
        """The whole plane."""
        return Window(0, self.p, 0, self.n)

    @property
    def shown(self) -> list[Constraint]:
        """The constraints whose bands are drawn."""
        return [band.constraint for band in self.bands]

    @cached_property
    def meeting(self) -> Polygon | None:
        """What the bands have in common, if that is known exactly."""
        return meeting([band.strips for band in self.bands], self.p, self.n)

    @property
    def apart(self) -> bool:
        """Whether it is known exactly that the bands have not even a real point in common."""
        return self.meeting is not None and self.meeting.empty

    @cached_property
    def _focus(self) -> tuple[Window, Spot]:
        fields = [band.field for band in self.bands if band.field.defined]
        if not fields:
            return self.box, (self.p / 2, self.n / 2)
        return focus(fields, self.p, self.n, self._anchor)

    @property
    def _anchor(self) -> Spot | None:
        if self.answer.witness:
            return float(self.answer.witness[0].tp), float(self.answer.witness[0].tn)
        if self.meeting is None or self.meeting.empty:
            return None
        corners = self.meeting.vertices
        return sum(x / w for x, _, w in corners) / len(corners), sum(y / w for _, y, w in corners) / len(corners)

    @property
    def enlarged(self) -> Window | None:
        """The part worth enlarging, if it is not most of the plane."""
        window, _ = self._focus
        most = window.width >= _WORTH_ENLARGING * self.p and window.height >= _WORTH_ENLARGING * self.n
        return None if most else window

    @cached_property
    def marked(self) -> Matrix | None:
        """The witness, or for a conflict the matrix found to come closest."""
        if self.answer.witness:
            return self.answer.witness[0]
        if self.answer.verdict is not Verdict.INCONSISTENT:
            return None
        fields = [band.field for band in self.bands]
        _, (x, y) = self._focus
        near = sorted(self.points(_spread((x, y))), key=lambda point: abs(point[0] - x) + abs(point[1] - y))
        excess = worst(fields, *zip(*near, strict=True)).round(6)
        closest = near[int(excess.argmin())]
        return matrix_at(closest, self.p, self.n) if excess.min() < float("inf") else None

    def visible(self, window: Window) -> list[Band]:
        """The bands worth drawing there: one that fills the window would only hide the others."""
        return [band for band in self.bands if window == self.box or not band.field.covers(window)]

    def points(self, window: Window) -> Iterator[tuple[int, int]]:
        """The whole-number points of the box in the window."""
        columns = range(max(0, ceil(window.x0)), min(self.p, floor(window.x1)) + 1)
        rows = range(max(0, ceil(window.y0)), min(self.n, floor(window.y1)) + 1)
        return product(columns, rows)

    def few_points(self, window: Window) -> bool:
        """Whether the whole-number points in the window are far enough apart to be seen."""
        columns, rows = window.width + 1, window.height + 1
        return max(columns, rows) <= _MOST_IN_LINE and columns * rows <= _MOST_POINTS

    def fits(self, point: tuple[int, int]) -> bool:
        """Whether the matrix at a point satisfies every shown constraint, exactly."""
        matrix = matrix_at(point, self.p, self.n)
        return all(band.constraint.holds(matrix) for band in self.bands)


def _spread(spot: Spot) -> Window:
    """The whole-number points around a spot that may be the closest to it in some sense."""
    return Window(floor(spot[0]) - 2, ceil(spot[0]) + 2, floor(spot[1]) - 2, ceil(spot[1]) + 2)
