"""Counts of items in sentences and captions: what is a size, of what, used for what, and what never is."""

import pytest

from assay.article.sets.model import Unit
from assay.article.sets.phrases import counted_in
from assay.reported.model import Role


@pytest.mark.parametrize(
    ("text", "total", "classes", "unit", "role"),
    [
        ("Results on the 1,115 test images", 1115, None, Unit.IMAGES, Role.TEST),
        ("Results on the test set (n=428)", 428, None, Unit.ITEMS, Role.TEST),
        ("models trained on 1713 images", 1713, None, Unit.IMAGES, Role.TRAIN),
        ("129 test samples (49 positive, 80 negative)", 129, (49, 80), Unit.SAMPLES, Role.TEST),
        ("Results on 129 clips (49 falls, 80 non-falls)", 129, (49, 80), Unit.SAMPLES, Role.UNSTATED),
        ("the test set (n_{pos}=49, n_{neg}=80)", 129, (49, 80), Unit.ITEMS, Role.TEST),
        ("The test set has 129 slides, 49 with tumour and 80 without.", 129, (49, 80), Unit.SLIDES, Role.TEST),
        ("49 tumour and 80 normal slides", 129, (49, 80), Unit.SLIDES, Role.UNSTATED),
        ("80 controls and 49 cases", 129, (49, 80), Unit.PATIENTS, Role.UNSTATED),
        ("1,250 images (412 malignant)", 1250, (412, 838), Unit.IMAGES, Role.UNSTATED),
        ("P = 100, N = 200", 300, (100, 200), Unit.ITEMS, Role.UNSTATED),
        ("We test on 177 images of 10 classes", 177, None, Unit.IMAGES, Role.TEST),
        ("The data comprise 3,000 patients.", 3000, None, Unit.PATIENTS, Role.UNSTATED),
        ("The test set holds 175 sick and 281 healthy patients.", 456, (175, 281), Unit.PATIENTS, Role.TEST),
        ("The external test set has 49 positives and 80 negatives.", 129, (49, 80), Unit.ITEMS, Role.EXTERNAL),
        ("10 classes and 1,115 test images", 1115, None, Unit.IMAGES, Role.TEST),
    ],
)
def test_a_count_is_read_with_its_unit_and_role(
    text: str, total: int, classes: tuple[int, int] | None, unit: Unit, role: Role
):
    [found] = counted_in(text)
    assert (found.counts.total, found.counts.classes, found.unit, found.role) == (total, classes, unit, role)


@pytest.mark.parametrize(
    "text",
    [
        "Mean results of n = 3 runs",
        "Few-shot results with 10 examples per class",
        "Mean over 5 random samples",
        "16 instances per batch",
        "2.5 cases per patient",
        "Results on the 2019 cases",
        "5 folds, 3 layers, 100 epochs",
        "top 5 images",
        "a batch of 32 images",
        "about 300 images",
        "more than 1,000 patients",
        "we use 10-fold cross-validation",
        "80% of the images",
        "224 x 224 images",
        "n = 5 seeds",
        "3 images each",
        "20 images for each class",
        "2 million images",
    ],
)
def test_numbers_that_are_no_sizes_never_are(text: str):
    assert counted_in(text) == []


def test_what_is_shared_out_is_no_pair_of_classes():
    found = counted_in("Results on 40 cases and 60 controls, ten recordings each")
    assert all(one.counts.classes is None for one in found)


def test_several_sets_in_one_sentence_keep_their_roles():
    found = counted_in("The training, validation and test sets contain 800, 100 and 101 images, respectively.")
    assert [(one.counts.total, one.role) for one in found] == [
        (800, Role.TRAIN),
        (100, Role.VALIDATION),
        (101, Role.TEST),
    ]
    text = (
        "For training we used 270 slides (111 tumour, 159 normal); the test set had 129 slides (49 tumour, 80 normal)."
    )
    assert [(one.counts.classes, one.role) for one in counted_in(text)] == [
        ((111, 159), Role.TRAIN),
        ((49, 80), Role.TEST),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "50 glioma, 40 tumour and 60 healthy scans in the test set",
        "40 tumour, 60 healthy and 50 unclear scans",
        "We used 300 CT and 281 MRI scans.",
    ],
)
def test_one_kind_among_several_is_neither_the_whole_nor_one_of_two(text: str):
    assert counted_in(text) == []
