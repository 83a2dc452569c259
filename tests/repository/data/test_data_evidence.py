"""Which of several signs of data counts: what is shown, what is aside, what only looks like a road to them."""

import pytest
from data_trees import data_of, script

from assay.repository.availability import answer_of
from assay.repository.data import Availability

FITS = "model.fit(d)\n"
READS = "import pandas as pd\nd = pd.read_csv('data/patients.csv')\nmodel.fit(d)\n"
MNIST = "import torchvision\nd = torchvision.datasets.MNIST('data', download=True)\n"
TABLE = "age,ill\n" + "50,1\n" * 200_000
R_PACKAGE: dict[str, str | bytes] = {"DESCRIPTION": "Package: helpers\n", "NAMESPACE": ""}


# --- downloads that are not the data ----------------------------------------------------------------


def test_examples_count_where_the_training_is_in_them() -> None:
    facts = data_of({"layers.py": "import gym\nenv = gym.make('x')\n", "examples/mnist.py": MNIST + FITS})
    assert answer_of(facts).availability is Availability.DOWNLOADED


@pytest.mark.parametrize("path", ["pretrained/download.sh", "import-ref-models.sh"])
def test_a_script_for_weights_brings_no_data(path: str) -> None:
    facts = data_of({"train.py": READS, path: "wget http://download.example.org/resnet_2017.tar.gz\n"})
    assert answer_of(facts).availability is Availability.ABSENT


def test_a_tutorial_of_a_package_uses_the_data_that_come_with_it() -> None:
    shown = {"vignettes/use.Rmd": "data(movie_review)\ndownload.file('https://example.org/data/text8.zip', 'x')\n"}
    facts = data_of(R_PACKAGE | shown | {"data/movie_review.RData": b"x" * 9000})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY


# --- downloads that are easily overlooked -----------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        "from kaggle.api import KaggleApi\napi = KaggleApi()\napi.competition_download_files('titanic')",
        "from torchtext.legacy.datasets import Multi30k\nd = Multi30k.splits()",
        "import mmdata\nd = mmdata.Dataloader('http://sorena.example.org/MOSI')",
    ],
)
def test_other_clients_fetch_too(call: str) -> None:
    assert answer_of(script(f"{call}\n{FITS}")).availability is Availability.DOWNLOADED


def test_a_known_data_set_is_needed_though_a_test_of_the_model_draws_noise() -> None:
    cifar = "import torchvision\nd = torchvision.datasets.CIFAR10('data', download=False)\nmodel.fit(d)\n"
    facts = data_of({"train.py": cifar, "net.py": "import torch\nx = torch.randn(1, 3, 32, 32)\n"})
    assert answer_of(facts).availability is Availability.NAMED


def test_sequences_that_are_drawn_are_generated() -> None:
    facts = script("import numpy as np\nseq = np.random.binomial(1, 0.5, (20, 8))\nloss.backward()\n")
    assert answer_of(facts).availability is Availability.GENERATED


def test_a_place_to_cut_a_picture_is_no_sample() -> None:
    crop = "import random\nx = random.randint(0, 9)\nimport numpy as np\ny = np.random.randint(0, 9)\n"
    facts = script(f"{crop}d = open(path).read()\nmodel.fit(d)\n")
    assert answer_of(facts).availability is Availability.ABSENT


# --- reads that are not of data ---------------------------------------------------------------------


def test_a_model_that_is_read_is_no_data_that_are_missing() -> None:
    text = "import pickle\ndef load(model_file):\n    return pickle.load(open(model_file, 'rb'))\nloss.backward()\n"
    assert answer_of(script(text)).availability is not Availability.ABSENT


def test_what_the_setup_reads_is_no_data() -> None:
    setup = "from setuptools import setup\nsetup(version=open('net/__init__.py').read())\n"
    facts = data_of({"setup.py": setup, "net/__init__.py": "WEIGHTS = 'imagenet'\n", "README.md": "For ImageNet.\n"})
    assert answer_of(facts).availability is Availability.NOT_NEEDED


def test_a_package_of_functions_that_read_what_they_are_given_needs_no_data() -> None:
    facts = data_of(R_PACKAGE | {"R/io.R": "load_table <- function(path) lm(y ~ x, read.csv(path))\n"})
    assert answer_of(facts).availability is Availability.NOT_NEEDED


# --- links ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "[![DOI](https://zenodo.org/badge/1.svg)](https://zenodo.org/badge/latestdoi/1)",
        "![The DatasetEvaluator](https://example.org/resources/dataset_evaluator.png)",
        "[Deep Graph Library](https://github.com/somebody/dgl) is similar.",
        "Available data are told of in the [documentation](https://somebody.github.io/tool/).",
    ],
)
def test_links_that_lead_to_no_data(line: str) -> None:
    assert script(READS, README_md=line).links == ()


@pytest.mark.parametrize(
    "line",
    [
        "[Fashion-MNIST](https://github.com/somebody/fashion-mnist) has ten classes.",
        "1) Follow data generation instruction from https://github.com/somebody/cnn-dailymail",
        "Download our [corpus](https://github.com/somebody/corpus).",
    ],
)
def test_repositories_of_data_are_links_to_them(line: str) -> None:
    assert answer_of(script(READS, README_md=line)).availability is Availability.LINKED


def test_a_link_into_the_repository_itself_leads_to_its_files() -> None:
    readme = "The data are [here](https://github.com/somebody/motion/tree/master/data).\n"
    facts = data_of({"README.md": readme, "train.py": READS, "data/signals.zip": b"PK" + b"0" * 90_000})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY


@pytest.mark.parametrize("url", ["https://example.org/models/vgg-19.mat", "https://example.org/model/net.tar.gz"])
def test_an_archive_under_models_is_weights(url: str) -> None:
    assert script(READS, README_md=f"Get the [required data file]({url}).").links == ()


# --- files ------------------------------------------------------------------------------------------


def test_a_large_table_that_lies_there_is_the_data_though_a_page_links_their_source() -> None:
    readme = "Trained on the [open data](http://example.org/2018/taskdata.php).\n"
    reads = (
        "import argparse\nargs = argparse.ArgumentParser().parse_args()\nd = open(args.train).read()\nmodel.fit(d)\n"
    )
    facts = data_of({"README.md": readme, "train.py": reads, "dataset/train.tsv": TABLE.encode() * 2})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY


@pytest.mark.parametrize("path", ["data/learning_rate_schedule.txt", "presets/biopsy.csv"])
def test_settings_in_a_table_are_not_data(path: str) -> None:
    readme = "Get the [scans dataset](https://example.org/datasets/scans).\n"
    facts = data_of({"README.md": readme, "train.py": f"d = open('{path}').read()\nmodel.fit(d)\n", path: "0,1\n" * 99})
    assert answer_of(facts).availability is Availability.LINKED


def test_an_archive_is_read_by_the_name_of_what_is_in_it() -> None:
    reads = "import pandas as pd\nd = pd.read_csv('data.csv')\nmodel.fit(d)\n"
    assert answer_of(data_of({"run.py": reads, "other.rar": b"Rar!" * 99})).availability is Availability.ABSENT
    assert answer_of(data_of({"run.py": reads, "data.rar": b"Rar!" * 99})).availability is Availability.IN_REPOSITORY
