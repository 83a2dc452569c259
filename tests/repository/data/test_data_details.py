"""Names, pointers, splits and preparation; and input made to do harm."""

import pytest
from data_trees import data_of, script
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.repository.data import PreparationKind, SplitKind, Storage
from assay.repository.data.fetchers import FETCHERS
from assay.repository.data.known import AMBIGUOUS, SURE, named_by, named_in

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 123456789\n"


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We use CIFAR-10 and cifar100.", ["CIFAR-10", "CIFAR-100"]),
        ("Fashion MNIST is harder", ["Fashion-MNIST"]),
        ("the COCO dataset", ["COCO"]),
        ("a coco nut", []),
        ("the iris of the eye", []),
        ("the Iris dataset", ["Iris"]),
        ("race data", []),
        ("simnistic", []),
        ("MS COCO 2017", ["MS COCO"]),
    ],
)
def test_names_need_borders_and_ambiguous_ones_company(text: str, names: list[str]) -> None:
    assert [name for name, _ in named_in(text)] == names


def test_short_texts_in_code_name_data_sets() -> None:
    assert named_by("cifar10") == "CIFAR-10"
    assert named_by("iris") is None


def test_the_tables_hold_hundreds_of_names_and_no_contradictions() -> None:
    assert len(SURE) > 400
    assert not SURE.keys() & AMBIGUOUS.keys()
    beginnings = [name for fetcher in FETCHERS for name in fetcher.names]
    assert len(beginnings) == len(set(beginnings))


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_names_are_found_where_they_stand(text: str) -> None:
    for name, spot in named_in(text + " SQuAD " + text):
        assert spot >= 0
        assert name in {*SURE.values(), *AMBIGUOUS.values()}


# --- pointers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "reachable"),
    [
        ("D:\\dvc", False),
        ("/mnt/store", False),
        ("../store", False),
        ("s3://bucket/x", True),
        ("https://a.org/x", True),
    ],
)
def test_dvc_remotes_on_one_machine_are_unreachable(url: str, reachable: bool) -> None:
    config = f"[core]\n    remote = s\n['remote \"s\"']\n    url = {url}\n"
    facts = data_of({"data/a.csv.dvc": "outs:\n- path: a.csv\n  size: 5\n", ".dvc/config": config})
    assert [(p.path, p.storage, p.size) for p in facts.pointers] == [("data/a.csv", Storage.DVC, 5)]
    assert [(r.url, r.reachable) for r in facts.remotes] == [(url, reachable)]


def test_a_dvc_remote_inside_the_repository_is_reachable() -> None:
    config = "['remote \"s\"']\n    url = ../store\n"
    facts = data_of(
        {"data/a.csv.dvc": "outs:\n- path: a.csv\n", ".dvc/config": config, "store/files/md5/ab/c": "1,2\n"}
    )
    assert [r.reachable for r in facts.remotes] == [True]


def test_lfs_pointers_tell_the_true_size() -> None:
    facts = data_of({".gitattributes": "*.csv filter=lfs\n", "data/a.csv": LFS, "a.py": "open('data/a.csv')\n"})
    [file] = facts.files
    assert (file.storage, file.size) == (Storage.LFS, 123456789)


def test_a_broken_dvc_configuration_is_no_remote() -> None:
    assert data_of({".dvc/config": "[core\nurl = = =\n"}).remotes == ()


# --- splits and preparation ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("train_test_split(x, y)", SplitKind.HOLD_OUT),
        ("KFold(5)", SplitKind.CROSS_VALIDATION),
        ("model.fit(x, y, validation_split=0.1)", SplitKind.VALIDATION),
        ("EarlyStopping(patience=3)", SplitKind.EARLY_STOPPING),
        ("ModelCheckpoint('x', monitor='val_loss')", SplitKind.MONITORING),
        ("val_loader = make()", SplitKind.VALIDATION),
        ("d = load(train=False)", SplitKind.HOLD_OUT),
    ],
)
def test_traces_of_held_out_data(line: str, kind: SplitKind) -> None:
    assert kind in {s.kind for s in script(line + "\n").splits}


def test_a_test_set_alone_is_no_validation() -> None:
    assert not script("a, b = train_test_split(x)\n").has_validation
    assert script("cross_val_score(m, x, y)\n").has_validation


def test_ordinary_words_are_no_validation_sets() -> None:
    assert script("value = evaluate(device)\ninterval = 3\ndevice_loader = 1\n").splits == ()


def test_preparation_is_found_in_scripts_calls_and_notes() -> None:
    facts = data_of(
        {
            "preprocess.py": "x = 1\n",
            "a.py": "StandardScaler()\n",
            "README.md": "Images are normalized and resampled.\n",
        }
    )
    assert {p.kind for p in facts.preparations} == set(PreparationKind)


def test_training_is_told_from_fitting_a_scaler_and_from_a_mode() -> None:
    assert script("scaler.fit(x)\nmodel.train()\npca.fit(x)\n").trains is None
    assert script("loss.backward()\n").trains is not None
    assert script("trainer.train()\n").trains is not None


# --- hostile input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "x = a\na = x\nopen(x)\nopen(a)\n"},
        {"a.py": "def f(p):\n    return f(p + 'x')\nopen(f('a'))\n"},
        {"a.py": "p = '" + "a/" * 20_000 + "x.csv'\nopen(p)\n"},
        {"a.py": "open(" + " + ".join(["a"] * 100) + ")\n"},
        {"a.py": "open('\\0\\0')\nopen('*' * 9)\nopen('')\n"},
        {"README.md": "[" * 50_000 + "https://" * 5_000},
        {"README.md": "download " * 20_000 + "data"},
        {"README.md": "<a href='https://x.org/" + "a" * 100_000},
        {"config.yaml": ("key: " + "a" * 5_000 + "\n") * 10},
        {"get.sh": "wget " + "x" * 100_000 + "\ncurl " * 10_000},
        {"a.R": "read.csv(" * 20_000},
        {".gitattributes": "filter=lfs", "a.csv": LFS[:50] + "\0" * 100},
        {"a.ipynb": '{"cells": [{"cell_type": "markdown", "source": 3}]}'},
        {"a.csv.dvc": "outs: " * 10_000},
    ],
)
def test_hostile_input_hides_nothing_else(files: dict[str, str | bytes]) -> None:
    facts = data_of({"train.py": "import pandas as pd\nd = pd.read_csv('x.csv')\n", **files})
    assert "train.py" in {read.location.path for read in facts.reads}


@given(st.text(alphabet="abc/\\.*'\"(){}[]%$:~ \n=+,", max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_an_error(text: str) -> None:
    data_of({"a.py": f"open({text!r})\n{text}\n", "README.md": text, "get.sh": text, "a.R": text, "c.yaml": text})
