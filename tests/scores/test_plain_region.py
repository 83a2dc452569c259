"""The picture of a score check where matplotlib is not installed, as in the browser."""

from xml.etree import ElementTree

import pytest

from assay.findings import Figure
from assay.report.svg import harmless
from assay.scores import check_scores
from assay.scores.experiment import Experiment
from assay.scores.plots import plain_region_figure


def picture(**words: object) -> Figure | None:
    result = check_scores(**words)
    assert isinstance(result.experiment, Experiment)
    whole = result.experiment.datasets[0].whole
    constraints = [one.constraint(result.experiment.undefined) for one in result.experiment.reported]
    return plain_region_figure(whole.p, whole.n, constraints, result.decisive.answer)


def texts(figure: Figure) -> str:
    return " ".join(ElementTree.fromstring(figure.svg).itertext())


def test_a_conflict_shows_its_bands_apart() -> None:
    figure = picture(p=100, n=200, acc="0.90", sens="0.80", spec="0.80")
    assert figure
    assert "The bands have no point in common" in texts(figure)
    assert figure.svg.count("<polygon") == 6
    assert "<circle" not in figure.svg


def test_a_witness_is_marked_and_a_curved_band_named() -> None:
    figure = picture(p=100, n=200, acc="0.80", sens="0.80", spec="0.80", mcc="0.57")
    assert figure
    assert "The dot is one such matrix: tp 80" in texts(figure)
    assert "Not drawn, because the border is curved: mcc." in texts(figure)
    assert "The dot is one such matrix" in figure.alt
    kept = harmless(figure.svg)
    assert kept
    assert kept.count("<polygon") == figure.svg.count("<polygon")


@pytest.mark.parametrize("words", [{"p": 100, "n": 200, "mcc": "0.57"}, {"p": 100, "n": 0, "sens": "0.80"}])
def test_without_a_straight_band_or_a_class_there_is_no_picture(words: dict[str, object]) -> None:
    assert picture(**words) is None
