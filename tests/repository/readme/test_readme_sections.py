"""Sections are recognised by headings, misspelt headings, other languages and by what stands in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.code import read_code
from assay.repository.readme import Kind, ReadmeFacts, Recognition, read_readme
from assay.tree import tree_of


def facts_of(text: str, **files: str) -> ReadmeFacts:
    tree = tree_of({"README.md": text, **files})
    return read_readme(tree, read_code(tree))


def kinds(text: str) -> set[str]:
    return {section.kind.value for section in facts_of(text).sections}


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Installation", "install"), ("1. Requirements", "install"), ("Setting up the environment", "install"),
        ("🚀 Instalation", "install"), ("Dependancies", "install"), ("Prerequisits:", "install"), ("安装", "install"),
        ("Abhängigkeiten", "install"), ("Datasets", "data"), ("Preparing the data", "data"), ("数据集", "data"),
        ("Trainning", "train"), ("Fine-tuning", "train"), ("How to train?", "train"), ("训练", "train"),
        ("Inference", "evaluate"), ("Model Infer", "evaluate"), ("Making predictions", "evaluate"),
        ("Predicting", "evaluate"), ("Evalutation", "evaluate"), ("Testing", "evaluate"),
        ("Evaluating a model", "evaluate"),
        ("Main Results", "results"), ("Model Zoo", "results"), ("Reslts", "results"), ("Hardware requirements",
        "hardware"),
        ("Citing us", "citation"), ("BibTeX", "citation"), ("Quick Start", "usage"), ("How to run", "usage"),
    ],
)  # fmt: skip
def test_a_heading_tells_its_section(heading: str, kind: str) -> None:
    assert kind in kinds(f"# Model\n## {heading}\ntext\n")


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Evolution", "evaluate"), ("Training data", "train"), ("Pre-trained models", "train"), ("Unit tests",
        "evaluate"),
        ("Data augmentation", "data"), ("Data parallelism", "data"), ("Reproducing the results", "results"),
        ("Citation networks", "citation"), ("Test the installation", "evaluate"), ("Monitor results", "results"),
        ("Results export", "results"), ("Download our models and results", "results"), ("Results folder", "results"),
        ("Limitations", "citation"), ("License", "citation"), ("Multi-GPU", "hardware"), ("Environments", "install"),
        ("Variational inference", "evaluate"), ("Link prediction", "evaluate"),
    ],
)  # fmt: skip
def test_a_word_with_another_meaning_tells_nothing(heading: str, kind: str) -> None:
    assert kind not in kinds(f"# Model\n## {heading}\ntext\n")


def test_the_title_is_no_section() -> None:
    assert kinds("# Training data-efficient image transformers with evaluation\n## About\ntext\n") == set()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("## Getting started\n```\npip install -r requirements.txt\n```", "install"),
        ("Our code is tested with PyTorch 1.7 on Linux.", "install"),
        ("## Run\n* python 3.6.9\n* numpy 1.2", "install"),
        ("Please download the ImageNet dataset and put it in `data`.", "data"),
        ("## Usage\n```\nwget https://a.org/data.zip\n```", "data"),
        ("## Usage\n```bash\nCUDA_VISIBLE_DEVICES=0 python tools/train_net.py --lr 1\n```", "train"),
        ("To train the model on your own machine, run:\n\n    python main.py", "train"),
        ("## Run\n```\npython main.py --eval --resume x\n```", "evaluate"),
        ("## Usage\npython test.py --data x", "evaluate"),
        ("| Model | Top-1 |\n|---|---|\n| A | 93.1 |\n| B | 94.2 |", "results"),
        ("We reach an accuracy of 93.1% on CIFAR-10.", "results"),
        ("Training takes 3 days on 8 V100 GPUs.", "hardware"),
        ("```\n@article{a2020,\n title={A}\n}\n```", "citation"),
        ("Please consider citing our paper.", "citation"),
    ],
)
def test_what_stands_there_tells_without_a_heading(text: str, kind: str) -> None:
    found = [s for s in facts_of(f"# Model\n{text}\n").sections if s.kind.value == kind]
    assert found
    assert all(s.how is Recognition.CONTENT and s.evidence for s in found)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\npytest tests\n```", "evaluate"),
        ("```\npython train.py --eval_interval 10\n```", "evaluate"),
        ("```\n@misc{fid, title={FID score}}\n```", "evaluate"),
        ("## Abstract\nWe reach an accuracy of 93.1%.", "results"),
        ("| option | default |\n|---|---|\n| lr | 0.1 |", "results"),
        ("If GPU memory is insufficient use a smaller batch.", "hardware"),
    ],
)
def test_what_only_looks_alike_tells_nothing(text: str, kind: str) -> None:
    assert kind not in kinds(f"# Model\n{text}\n")


def test_a_section_knows_its_place_and_how_it_was_recognised() -> None:
    facts = facts_of("# Model\n\n## Instalation\npip install x\n\n**Training**\n\npython train.py\n")
    install, train = facts.section(Kind.INSTALL), facts.section(Kind.TRAIN)
    assert install is not None
    assert train is not None
    assert (install.location.line, install.how) == (3, Recognition.SPELLING)
    assert (train.location.line, train.heading, train.how) == (6, "Training", Recognition.HEADING)


def test_without_a_readme_there_is_nothing() -> None:
    tree = tree_of({"a.py": "x = 1\n"})
    facts = read_readme(tree, read_code(tree))
    assert facts.location is None
    assert not facts.sections
    assert not facts.links


@pytest.mark.parametrize(
    "text",
    [
        "## Steps\n```\ncd src\npython predict.py --weights best.pt\n```",
        "## Run\n```\npython src/inference.py\n```",
        "## Run\n```\npython main.py --mode=test\n```",
        "## Generate\n```\npython faces.py generate --n 9\n```",
        "## Sampling\n```\npython generate_samples.py --ckpt last\n```",
        "```\npython tools/demo.py --input cat.jpg\n```",
        "```\npython enjoy.py --env Ant\n```",
        "```\npython main.py --predict\n```",
        "```\npython main.py --do_test\n```",
        "```\npython tools/get_accuracy.py\n```",
        "```\n$ CUDA_VISIBLE_DEVICES=0 ./scripts/evaluate_all.sh\n```",
        "```\npython run_test_set.py\n```",
        "For training/testing the network: `main.py`",
        "To train and validate the detector, refer to `jobs.sh`.",
        "To evaluate from a checkpoint, set `fit=False` in the script.",
        "To predict the class of your own picture run the second script.",
        "You can run inference on a folder of videos.",
        "To generate a grid of faces execute the following command.",
        "1. Validate the trained models on the other track.",
        "* `predict_masks.py`: masks for new scans",
    ],
)
def test_using_a_trained_model_is_evaluation(text: str) -> None:
    assert "evaluate" in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "To evaluate the claims see the paper.",
        "To test the installation, run the script.",
        "To test if everything works, run the script.",
        "We evaluate the trained models on three tasks.",
        "A network to predict prices from news.",
        "We run inference on all of them.",
        "To generate training images run the script.",
        "```python\n# so that we can make predictions over it\nx = load()\n```",
        "```\npython generate_grid.py\n```",
        "```\npython demography.py\n```",
        "```\npython stroke_prediction.py\n```",
        "```\npython main.py net ../log/mnist_test\n```",
        "```\npython plot_all.py accuracy\n```",
        "```\npython draw.py loss  # the usual metric\n```",
        "```\npython fit.py  # saves predictions\n```",
        "- `price_prediction_model.ipynb`: all of it",
        "A tree was fitted with 80% for training and 20% for testing. You can use it.",
        "We split it for training and testing set.",
        "The table used for training and testing has these columns: age, sex.",
    ],
)
def test_speaking_of_evaluation_is_not_telling_how(text: str) -> None:
    assert "evaluate" not in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Run training (one card is enough)::",
        "To start training, open the second notebook.",
        "To train and test it, refer to the jobs in the folder `slurm`.",
        "See `examples/run_finetuning.py` for more.",
        "- `job.py`: trains all four variants",
        "- `fit.ipynb` - notebook for training of the ensemble",
        "The notebook `tuning` performs hyperparameter optimization for each target.",
        "To reproduce our experiments, you only have to run these notebooks",
        "Running all experiments is done in `everything.ipynb`.",
    ],
)
def test_a_sentence_tells_how_to_train(text: str) -> None:
    assert "train" in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "After starting a training session, look at the curves.",
        "For training details see the paper.",
        "- `utils.py`: helpers",
        "- `plot_train_curves.py`: figures",
        "- `trained_models.py`: a list of weights",
        "We ran many experiments on three corpora.",
        "- **training_scripts/**\n  Shell scripts.",
    ],
)
def test_speaking_of_training_is_not_telling_how(text: str) -> None:
    assert "train" not in kinds(f"# Model\n{text}\n")


_LOOP = "def go(m):\n    m.loss().backward()\n"
_NOTEBOOK = '{"cells": [{"cell_type": "code", "source": "m.fit(x, y)"}], "nbformat": 4}'
_EMPTY = '{"cells": [{"cell_type": "code", "source": "x = 1"}], "nbformat": 4}'


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\npython -m pkg.main\n```", {"pkg/main.py": _LOOP}),
        ("```\npython go.py --model A\n```", {"go.py": "import loop\nloop.go(1)\n", "loop.py": _LOOP}),
        ("```\npython go.py (use -h for more)\n```", {"go.py": _LOOP}),
        ("## Usage\nExamples to run it are in one.sh and two.sh.", {"one.sh": "python go.py\n", "go.py": _LOOP}),
        ("```\nbash jobs/all.sh 0\n```", {"jobs/all.sh": "python src/go.py \\\n  --lr 1\n", "src/go.py": _LOOP}),
        ("```\n./all.sh\n```", {"all.sh": "python3 go.py\n", "go.py": _LOOP}),
        ("### 4. Run the Jupyter notebook\n", {"a.ipynb": _NOTEBOOK}),
        ("Open the file and run all cells from the top.", {"a.ipynb": _NOTEBOOK}),
        ("Open `nb/a.ipynb` for the rest.", {"nb/a.ipynb": _NOTEBOOK}),
        ("```\njupyter notebook nb/a.ipynb\n```", {"nb/a.ipynb": _NOTEBOOK, "b.ipynb": "{}"}),
        ("```\njupyter lab\n```", {"nb/a.ipynb": _NOTEBOOK}),
        ("## How to run it\nThe entry is `src/runner.py`.", {"src/runner.py": _LOOP}),
    ],
)
def test_what_is_run_tells_by_its_code_that_it_trains(text: str, files: dict[str, str]) -> None:
    assert facts_of(f"# Model\n{text}\n", **files).section(Kind.TRAIN)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\npython go.py --help\n```", {"go.py": _LOOP}),
        ("```\npython go.py --test\n```", {"go.py": _LOOP}),
        ("## Usage\nRun `python go.py -h` first.", {"go.py": _LOOP}),
        ("```\nbash get.sh\n```", {"get.sh": "wget a.zip\n", "go.py": _LOOP}),
        ("```\nbash show.sh\n```", {"show.sh": "python go.py --test\n", "go.py": _LOOP}),
        ("Run the notebooks.", {"a.ipynb": _EMPTY, "go.py": _LOOP}),
        ("The notebooks are nice.", {"a.ipynb": _NOTEBOOK}),
        ("```\npython test.py\n```", {"test.py": "model.train(False)\n"}),
        ("```\npython plot.py\n```", {"plot.py": "import loop\n", "loop.py": _LOOP}),
        ("```\npython go.py\n```", {"go.py": "import numpy\n", "loop.py": _LOOP}),
        ("The layers are in `src/layers.py`.", {"src/layers.py": _LOOP}),
    ],
)
def test_what_is_run_for_something_else_is_no_training(text: str, files: dict[str, str]) -> None:
    assert not facts_of(f"# Model\n{text}\n", **files).section(Kind.TRAIN)


@pytest.mark.parametrize(
    "text",
    [
        "- A CUDA-capable GPU",
        "* GPU with enough memory for the large model",
        "A GPU is strongly recommended.",
        "You do not need a GPU for the toy problems.",
        "CUDA is highly recommended.",
        "This works on CUDA-compatible devices only.",
        "```\nrequirements:\n- GPU >= 4GB\n```",
        "Fitting all folds takes about 3 hours.",
        "It took us 2.5 days to finish.",
        "Training time is roughly 40 minutes per fold.",
        "Building the index takes several hours.",
        "All folds together took ~1:35 hours.",
        "- GPU\uff1a2080Ti",
        "We used 4 A100s.",
        "Everything was trained on a single V100.",
        "It also runs well on a CPU.",
        "Our jobs ran on the local cluster.",
        "A machine with 32 cores.",
    ],
)
def test_devices_and_running_times_are_hardware(text: str) -> None:
    assert "hardware" in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "- gpu: the id of the card",
        "The network takes 24 hours of speech as its input.",
        "It predicts the load 3 days ahead.",
        "This takes a few minutes.",
        "- CUDA 10.1",
        "More could be reached with A100.",
        "Models work better on clusters of points.",
        "The core of it is small.",
        "```\npython run.py --gpu 0\n```",
        "Requires the GPU version of the framework.",
    ],
)
def test_options_versions_and_data_are_no_hardware(text: str) -> None:
    assert "hardware" not in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Our entry ranked 3rd of 80 teams.",
        "Rank: 41/950",
        "## A small network of two layers with an accuracy of 97%\ntext",
        "Accuracy obtained on the held-out data is 93.24",
        "It ranked top-2 on the hidden part.",
        "Private LB: 0.713",
        "Leaderboard score 1.25",
        "In the end you should see an accuraccy slightly above 0.78.",
        "![faces](img/generated_faces.png)",
        "![](plots/results/lap.png)",
        '<img src="img/confusion_matrix.png">',
        "![](https://a.org/walking.gif)",
        "![Loss curves](a.png)",
        "Below are a few samples from the model.\n\n![](a.svg)",
        "The video shows our current progress.\n\n![](a.png)",
    ],
)
def test_ranks_and_pictures_are_results(text: str) -> None:
    assert "results" in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Documents are ranked by a second model.",
        "See the leaderboard for the scores of others.",
        "A low-rank method of order 4.",
        "## Which accuracy does a network of two layers have?\ntext",
        "![](img/architecture.png)",
        "![](img/stroke_prediction.png)",
        "![](img/class_comparison.png)",
        "![](https://i.imgur.com/abc.gif)",
        "![overview of the results](overview.png)",
        "![](img/input_output_data.gif)",
        "![](https://img.shields.io/badge/results-paper-blue.svg)",
        "[the results](results/table.pdf)",
        "The following results are in the paper.",
        "The figure shows how labels are generated.\n\n![](img/pipeline.png)",
        "Below is the architecture.\n\n![](a.png)",
        "## Acknowledgements\n![](img/results.png)",
    ],
)
def test_other_ranks_and_pictures_are_no_results(text: str) -> None:
    assert "results" not in kinds(f"# Model\n{text}\n")


def test_a_picture_of_results_knows_its_place() -> None:
    section = facts_of("# Model\ntext\n\n## About\n\n![](a/results.png)\n").section(Kind.RESULTS)
    assert section is not None
    assert (section.location.line, section.heading, section.evidence) == (6, "About", "a/results.png")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\nneeded:\n- python >= 3.6\n- pytorch >= 1.3\n```", "install"),
        ("## Environment\n```\n./docker/build.sh\n```", "install"),
        ("Use `--recursive` to fetch the measured data.", "data"),
        ("1. Obtain the speech corpus.", "data"),
        ("First get the raw data.", "data"),
        ("I used audio files (48 kHz) from a public archive.", "data"),
        ("The data was provided by the organisers.", "data"),
        ("Hard test sets can be found under `hard`.", "data"),
        ("```\nwget https://a.org/files/b.zip\n```", "data"),
        ("#The old datasets can be found in https://a.org/sets\n\n#Contact", "data"),
    ],
)
def test_needs_and_origins_are_told_in_many_ways(text: str, kind: str) -> None:
    assert kind in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\nwget https://a.org/models.zip\n```", "data"),
        ("```\nwget https://a.org/simulator-linux-x86_64.tar.gz\n```", "data"),
        ("Plots appear while it runs; we store result data in `out/`.", "data"),
        ("Dense retrieval on special corpora", "data"),
        ("We obtain good scores on the data.", "data"),
        ("Dataset transforms:\n\n    Compose(Crop())", "data"),
        ("#Can you download the dataset of this model somewhere?", "data"),
        ("```\npython 3\n```", "install"),
        ("```\n./build.sh\n```", "install"),
    ],
)
def test_other_files_and_words_are_neither_data_nor_needs(text: str, kind: str) -> None:
    assert kind not in kinds(f"# Model\n## About\n{text}\n")


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_every_text_has_sections_or_none(text: str) -> None:
    facts = facts_of(f"# T\n{text}")
    assert all(section.location.line for section in facts.sections)


@pytest.mark.parametrize("command", ["dvc repro", "snakemake --cores 2", "kedro run", "mlflow run ."])
def test_a_pipeline_that_is_run_trains(command: str) -> None:
    assert "train" in kinds(f"# Thing\n\n## Usage\n\n```\n{command}\n```\n")


def test_tests_of_the_code_are_no_evaluation() -> None:
    assert "evaluate" not in kinds("# Thing\n\n## Test\n\n```\npython -m unittest discover tests/\n```\n")
    assert "evaluate" in kinds("# Thing\n\n## Test\n\n```\npython test.py --weights best.pt\n```\n")


def test_which_card_to_use_is_no_need_of_one() -> None:
    assert "hardware" not in kinds("# Thing\n\n```\nSEED=1\nGPU=0\n```\n")
    assert "hardware" in kinds("# Thing\n\n```\nPython 3.6\nGPU >= 2GB\n```\n")
