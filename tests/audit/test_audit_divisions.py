"""How the code divides rows, as far as its text tells."""

from fractions import Fraction

import pytest

from assay.audit.divisions import divisions_of
from assay.audit.facts import Division
from assay.code import read_code
from assay.tree import tree_of


def division(call: str, before: str = "") -> Division:
    name = call.partition("(")[0]
    [found] = divisions_of(
        read_code(tree_of({"a.py": f"from sklearn.model_selection import {name}\n{before}\nx = {call}"}))
    )
    return found


@pytest.mark.parametrize(
    ("call", "share"),
    [
        ("train_test_split(X, y)", Fraction(1, 4)),
        ("train_test_split(X, y, test_size=0.3)", Fraction(3, 10)),
        ("train_test_split(X, y, train_size=0.9)", Fraction(1, 10)),
        ("train_test_split(X, y, test_size=100)", None),
        ("train_test_split(X, y, test_size=options.share)", None),
        ("GroupShuffleSplit()", Fraction(1, 5)),
        ("KFold(5)", None),
    ],
)
def test_the_share_held_out_is_read(call: str, share: Fraction | None) -> None:
    assert division(call).share == share


@pytest.mark.parametrize(
    ("call", "folds"),
    [
        ("KFold()", 5),
        ("KFold(3)", 3),
        ("StratifiedKFold(n_splits=10, shuffle=True)", 10),
        ("KFold(n_splits=K)", 7),
        ("KFold(n_splits=options.folds)", None),
        ("KFold(**settings)", None),
        ("cross_val_score(model, X, y, cv=4)", 4),
        ("cross_val_score(model, X, y, cv=folds)", None),
        ("train_test_split(X)", None),
    ],
)
def test_the_number_of_folds_is_read(call: str, folds: int | None) -> None:
    assert division(call, "K = 7").folds == folds


@pytest.mark.parametrize(
    ("call", "stratified", "grouped"),
    [
        ("train_test_split(X, y)", False, False),
        ("train_test_split(X, y, stratify=y)", True, False),
        ("train_test_split(X, y, stratify=None)", False, False),
        ("train_test_split(X, y, **settings)", None, None),
        ("StratifiedGroupKFold(5)", True, True),
        ("GroupKFold(5)", False, True),
    ],
)
def test_stratification_and_groups_are_read(call: str, stratified: bool | None, grouped: bool | None) -> None:
    found = division(call)
    assert (found.stratified, found.grouped) == (stratified, grouped)


def test_tests_of_software_and_other_libraries_are_left_alone() -> None:
    text = "from sklearn.model_selection import KFold\nKFold(3)\n"
    files = {"tests/test_a.py": text, "mine.py": "def KFold(k): ...\nKFold(3)\n"}
    assert list(divisions_of(read_code(tree_of(files)))) == []
