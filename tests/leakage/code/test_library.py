"""The tables of libraries as the leakage room asks them: names are found the way people write them."""

import pytest

from assay.leakage.code.effects import Role
from assay.leakage.code.learnt.kinds import COSTS
from assay.leakage.code.lookup import effect_of, guessed, is_constant
from assay.leakage.code.state.values import Kind
from assay.libraries.loading import shipped_sources


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("sklearn.model_selection.train_test_split", Role.SPLIT),
        ("sklearn.cross_validation.train_test_split", Role.SPLIT),
        ("train_test_split", Role.SPLIT),
        ("model_selection.train_test_split", Role.SPLIT),
        ("tensorflow.keras.callbacks.EarlyStopping", Role.STOPPER),
        ("tensorflow.keras.datasets.mnist.load_data", Role.READ_PARTS),
        ("imblearn.over_sampling.SMOTE", Role.RESAMPLER),
        ("xgboost.train", Role.TRAIN),
        ("torch.utils.data.random_split", Role.SPLIT_AT),
    ],
)
def test_a_name_is_found_however_it_is_imported(name: str, role: Role) -> None:
    effect = effect_of(name)
    assert effect is not None
    assert effect.role is role


def test_common_words_are_not_taken_for_library_calls() -> None:
    assert effect_of("train") is None
    assert effect_of("load") is None
    assert effect_of("my_package.train_test_split") is None


def test_an_unknown_class_is_judged_by_its_name() -> None:
    imputer = guessed("strange.MedianImputer")
    assert imputer is not None
    assert imputer.kind is Kind.IMPUTE
    other = guessed("strange.Thing")
    assert other is not None
    assert other.how == "unknown"
    assert guessed("strange.function") is None


def test_every_sort_of_step_that_a_row_may_have_has_a_cost_or_a_meaning_of_its_own() -> None:
    rows = [row for table in shipped_sources().values() for row in table.get("rows", ()) if "of" not in row]
    kinds = {Kind(row["step"]) for row in rows if "step" in row}
    assert kinds - {Kind.CORRELATION, Kind.WINDOW} <= set(COSTS)


def test_constants_of_libraries_are_no_tables() -> None:
    assert is_constant("cv2.COLOR_BGR2RGB")
    assert not is_constant("config.TRAIN_ROWS"), "of a module out of sight nobody knows"
    assert not is_constant("cv2.imread")
