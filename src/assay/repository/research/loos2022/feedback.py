"""The feedback file of the thesis (Figure A.1): a table of factors, then a section for each with its indicators.

The layout and the order are the author's, so that files can be compared; the sentences are ours: `feedback.md.jinja`.
"""

from __future__ import annotations

from importlib import resources

from assay.repository.factors import Band
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.research.loos2022.scale import LOOS2022
from assay.repository.research.loos2022.scores import Part, readme_parts, score

_BANDS = {
    Band.GOOD: "At or above the top threshold (T): very good.",
    Band.FAIR: "Above the average threshold (A): rather good, some improvements are recommended.",
    Band.WEAK: "Above the lower threshold (L): improvements should be made.",
    Band.POOR: "At or below the lower threshold (L): major improvements should be made.",
    Band.NOT_JUDGED: "Undecided: it depends on what was not measured.",
}


def feedback(indicators: Indicators) -> str:
    """The whole file, as Markdown."""
    from jinja2 import Environment, StrictUndefined

    text = resources.files("assay.repository.research.loos2022").joinpath("feedback.md.jinja").read_text("utf-8")
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)  # noqa: S701 - Markdown, no HTML
    scores = {one.factor.value: one for one in score(indicators)}
    lines, links = readme_parts(indicators, LOOS2022)
    return environment.from_string(text).render(
        given=indicators,
        scores=scores,
        parts={part.name: part for one in scores.values() for part in one.parts},
        lines=lines,
        links=links,
        scale=LOOS2022,
        weights=LOOS2022.weights,
        bands=_BANDS,
        out_of_one=_out_of_one,
        weighted=_weighted,
    )


def _out_of_one(part: Part) -> str:
    return "not measured" if part.value is None else f"{part.value:.2f} out of 1"


def _weighted(part: Part) -> str:
    """Sub-scores of the environment are printed with their weight already on, others without: so does the author."""
    return f"{(part.value or 0.0) * part.weight:.2f} out of {part.weight:g}"
