"""Sizes that captions and sentences state, and numbers that only look like sizes."""

import pytest

from assay.reported import read_sizes
from assay.reported.model import Role, SizeKind

ITEMS = {SizeKind.POSITIVES, SizeKind.NEGATIVES, SizeKind.TOTAL}


def items(text: str) -> dict[str, int]:
    return {
        size.kind.value: size.count for size in read_sizes(text) if size.kind in ITEMS and size.role is not Role.TRAIN
    }


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("Results on the 1,115 test images", {"total": 1115}),
        ("Results on the 2019 cases", {"total": 2019}),
        ("results on 1 000 images", {"total": 1000}),
        ("1,250 images (412 malignant)", {"total": 1250, "positives": 412}),
        ("100 pos 200 neg", {"positives": 100, "negatives": 200}),
        ("P = 100, N = 200", {"positives": 100, "negatives": 200}),
        ("N = 300", {"total": 300}),
        ("n = 300", {"total": 300}),
        ("Results on 40 cases and 60 controls, ten recordings each", {"positives": 40, "negatives": 60}),
        ("120 test samples (40 positive, 80 negative)", {"total": 120, "positives": 40, "negatives": 80}),
        ("120 clips (40 falls, 80 non-falls)", {"total": 120, "positives": 40, "negatives": 80}),
        ("the test set ($n_{pos}=40$, $n_{neg}=80$)", {"positives": 40, "negatives": 80}),
        ("633 COVID-19 cases and 2,295 non-COVID-19 cases", {"positives": 633, "negatives": 2295}),
        ("Of the 50 subjects, 20 had cancer and 30 did not.", {"total": 50, "positives": 20, "negatives": 30}),
    ],
)
def test_sizes_are_read(text: str, sizes: dict[str, int]) -> None:
    assert items(text) == sizes


@pytest.mark.parametrize(
    "text",
    [
        "Mean results of n = 3 runs",
        "Few-shot results with 10 examples per class",
        "Mean over 5 random samples",
        "Results when trained with only 50 samples",
        "Results of models trained on 3000 images",
        "Results of the ablation with 16 instances per batch",
        "Results on the test set (2.5 cases per patient)",
        "5-fold cross-validation, repeated 10 times",
        "10-shot results on 5 seeds",
        "100 epochs, batch size 32, learning rate 0.001, 12 layers",
        "3 of 10 folds (90% training data)",
        "published in 2019",
        "28 true positives and 9 true negatives",
        "mean age 61 years, 224 × 224 pixels",
    ],
)
def test_other_numbers_are_no_sizes(text: str) -> None:
    assert items(text) == {}


def test_the_part_of_the_data_is_kept() -> None:
    roles = {size.count: size.role for size in read_sizes("We trained on 900 images and tested on 300 images.")}
    assert roles == {900: Role.TRAIN, 300: Role.TEST}
