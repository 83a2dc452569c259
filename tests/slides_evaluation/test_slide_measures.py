"""The measures against scikit-learn, scikit-image and their own definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.measure import label, regionprops
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score, cohen_kappa_score, roc_auc_score, roc_curve

from assay.slides.evaluation.lesions import Hits, lesions_in, major_axis
from assay.slides.evaluation.measures import FALSE_POSITIVES, Conventions, Precision, auc, froc, kappa, roc, shares
from assay.slides.evaluation.predictions import STAGES
from assay.slides.evaluation.references import Mask

few_scores = st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.7, 0.9])  # few values, so that there are ties
rows = st.lists(st.tuples(st.booleans(), few_scores), min_size=2, max_size=30)
stages = st.lists(st.tuples(st.sampled_from(STAGES), st.sampled_from(STAGES)), min_size=2, max_size=20)
slides = st.lists(
    st.builds(
        lambda found, missed, false: Hits(
            tuple(found), tuple(false), len(found) + missed, detections=len(found) + len(false)
        ),
        st.lists(few_scores, max_size=4),
        st.integers(0, 3),
        st.lists(few_scores, max_size=6),
    ),
    min_size=1,
    max_size=6,
)


def once(many: int) -> np.ndarray:
    return np.ones((many, 1))


def both_areas(positive, score, weights) -> np.ndarray:
    """AUC and average precision of rows that are each a patient of their own."""
    own = np.arange(len(score))
    return np.concatenate(
        [auc(positive, score, weights), Precision.of(positive, score, own, len(score)).average(weights)]
    )


@settings(max_examples=60)
@given(rows)
def test_areas_are_those_of_scikit_learn(given_rows) -> None:
    positive, score = np.array([p for p, _ in given_rows]), np.array([s for _, s in given_rows])
    roc, precision = both_areas(positive, score, once(len(score)))
    assert np.isnan(precision) == (not positive.any())
    if positive.any():
        assert precision == pytest.approx(average_precision_score(positive, score))
    if positive.any() and not positive.all():
        assert roc == pytest.approx(roc_auc_score(positive, score))
    else:
        assert np.isnan(roc)


@settings(max_examples=60)
@given(stages, st.sampled_from(["clinical", "alphabetical"]), st.sampled_from(["quadratic", "none"]))
def test_kappa_is_that_of_scikit_learn(pairs, order, weights) -> None:
    true, predicted = [a for a, _ in pairs], [b for _, b in pairs]
    ours = kappa(true, predicted, once(len(pairs)), Conventions(order, weights))[0]
    labels = list(STAGES) if order == "clinical" else sorted(STAGES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (RuntimeWarning, UndefinedMetricWarning))
        theirs = cohen_kappa_score(true, predicted, labels=labels, weights=None if weights == "none" else weights)
    assert ours == pytest.approx(theirs, nan_ok=True)


@given(rows, st.data())
def test_a_weight_is_a_number_of_copies(given_rows, data) -> None:
    positive, score = np.array([p for p, _ in given_rows]), np.array([s for _, s in given_rows])
    copies = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(score), max_size=len(score))))
    copies[0] = max(copies[0], 1)
    weights, whole, own = copies[:, None].astype(float), once(int(copies.sum())), np.arange(len(score))
    yes, scores = np.repeat(positive, copies), np.repeat(score, copies)
    assert both_areas(positive, score, weights) == pytest.approx(both_areas(yes, scores, whole), nan_ok=True)
    one = shares(positive, score >= 0.5, own, weights)
    other = shares(yes, scores >= 0.5, np.arange(len(scores)), whole)
    assert np.concatenate(list(one.values())) == pytest.approx(np.concatenate(list(other.values())), nan_ok=True)


@given(rows, st.data())
def test_rows_of_one_patient_share_a_weight(given_rows, data) -> None:
    positive, score = np.array([p for p, _ in given_rows]), np.array([s for _, s in given_rows])
    patient = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(score), max_size=len(score))))
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=3, max_size=3)), dtype=float)[:, None]
    by_patient = Precision.of(positive, score, patient, 3).average(weights)
    by_row = Precision.of(positive, score, np.arange(len(score)), len(score)).average(weights[patient])
    assert by_patient == pytest.approx(by_row, nan_ok=True)


@given(slides, st.data())
def test_a_slide_drawn_twice_is_two_slides(hits, data) -> None:
    copies = data.draw(st.lists(st.integers(0, 2), min_size=len(hits), max_size=len(hits)))
    weighted, _ = froc(hits, np.array(copies, dtype=float)[:, None])
    repeated = [one for one, many in zip(hits, copies, strict=True) for _ in range(many)]
    assert weighted == pytest.approx(froc(repeated, once(len(repeated)))[0], nan_ok=True)


def froc_by_definition(hits: list[Hits]) -> float:
    """Count hits and false alarms from every score upwards, then read the curve at the six rates."""
    scores = sorted({s for one in hits for s in (*one.found, *one.false)}, reverse=True)
    curve = [(0.0, 0.0)]
    for least in scores:
        false = sum(s >= least for one in hits for s in one.false)
        true = sum(s >= least for one in hits for s in one.found)
        curve.append((false / len(hits), true / sum(one.lesions for one in hits)))
    read = []
    for rate in FALSE_POSITIVES:
        before = [point for point in curve if point[0] <= rate][-1]
        after = next((point for point in curve if point[0] > rate), None)
        slope = 0.0 if after is None else (after[1] - before[1]) / (after[0] - before[0])
        read.append(before[1] + slope * (rate - before[0]))
    return sum(read) / len(read)


@given(slides)
def test_froc_follows_its_definition(hits) -> None:
    value = froc(hits, once(len(hits)))[0][0]
    if sum(one.lesions for one in hits):
        assert value == pytest.approx(froc_by_definition(hits))
        assert 0 <= value <= 1 + 1e-12
    else:
        assert np.isnan(value)


@given(slides, few_scores)
def test_a_false_alarm_never_helps_and_a_hit_never_hurts(hits, score) -> None:
    value = froc(hits, once(len(hits)))[0][0]
    first, *others = hits
    alarmed = Hits(first.found, (*first.false, score), first.lesions, detections=first.detections + 1)
    assert not froc([alarmed, *others], once(len(hits)))[0][0] > value + 1e-12
    if first.lesions > len(first.found):
        hit = Hits((*first.found, score), first.false, first.lesions, detections=first.detections + 1)
        assert froc([hit, *others], once(len(hits)))[0][0] >= value - 1e-12


@given(slides)
def test_only_the_order_of_scores_matters(hits) -> None:
    def stretched(one: Hits) -> Hits:
        found, false = tuple(100 * s**3 for s in one.found), tuple(100 * s**3 for s in one.false)
        return Hits(found, false, one.lesions, detections=one.detections)

    same = froc([stretched(one) for one in hits], once(len(hits)))[0]
    assert same == pytest.approx(froc(hits, once(len(hits)))[0], nan_ok=True)


@given(slides)
def test_a_silent_slide_without_lesions_never_lowers_froc(hits) -> None:
    """Why denominators matter: more normal slides spread the same false alarms over more of them."""
    value = froc(hits, once(len(hits)))[0][0]
    assert not froc([*hits, Hits()], once(len(hits) + 1))[0][0] < value - 1e-12
    assert froc([*hits, Hits()], once(len(hits) + 1), "with detections")[0] == pytest.approx(
        froc(hits, once(len(hits)), "with detections")[0], nan_ok=True
    )


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_lesions_are_those_of_scikit_image(seed) -> None:
    """The challenge's rules with the libraries of its own program, on the whole mask."""
    from scipy import ndimage

    rng = np.random.default_rng(seed)
    tumour = ndimage.gaussian_filter(rng.normal(size=(60, 80)), 3) > 0.12
    size = 20.0
    widened = ndimage.binary_fill_holes(ndimage.distance_transform_edt(~tumour) < 75 / (2 * size))
    regions = regionprops(label(widened, connectivity=2)) if tumour.any() else []
    small = [r.axis_major_length * size < 275 for r in regions]
    ours = lesions_in(Mask(tumour, size))
    assert (ours.count, len(ours.isolated)) == (small.count(False), small.count(True))
    for row, column in rng.integers(0, (60, 80), size=(20, 2)):
        assert (ours.at((column + 0.5) * size, (row + 0.5) * size) > 0) == (tumour.any() and widened[row, column])


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 12))
def test_the_major_axis_is_that_of_scikit_image(height, width) -> None:
    shape = np.ones((height, width), dtype=bool)
    assert major_axis(shape) == pytest.approx(regionprops(shape.astype(int))[0].axis_major_length)


@settings(max_examples=60)
@given(rows)
def test_the_roc_curve_is_that_of_scikit_learn(given_rows) -> None:
    positive, score = np.array([p for p, _ in given_rows]), np.array([s for _, s in given_rows])
    rates = np.linspace(0.01, 1, 34)
    found = roc(positive, score, once(len(score)), list(rates))[:, 0]
    if positive.all() or not positive.any():
        assert np.isnan(found).all()
        return
    false, true, _ = roc_curve(positive, score, drop_intermediate=False)
    assert found == pytest.approx(np.interp(rates, false, true))
