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


def test_a_title_that_is_the_only_heading_is_none_either() -> None:
    assert kinds("# Speaker verification using a speech dataset\ntext\n") == set()
    assert kinds("# Dataset\ntext\n") == {"data"}


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
    ("files", "chosen"),
    [
        ({"code/README.md": "# T\n", "code/a.py": "x = 1\n", "code/deep/b.py": "x = 1\n"}, "code/README.md"),
        ({"client/README.md": "# T\n", "client/a.py": "x = 1\n", "train.py": "x = 1\n"}, None),
        ({"docs/README.md": "# T\n", "train.py": "x = 1\n"}, "docs/README.md"),
        (
            {
                "try/hello.py": "x = 1\n",
                "try/README.md": "# T\n",
                "work/a.py": "x = 1\n" * 99,
                "work/README.md": "# T\n",
            },
            "work/README.md",
        ),
        ({"one/a.py": "x = 1\n" * 9, "one/README.md": "# T\n", "two/b.py": "x = 1\n"}, None),
        ({"one/a.py": "x = 1\n" * 12, "one/README.md": "# T\n", "plots/b.py": "x = 1\n"}, "one/README.md"),
    ],
)
def test_the_readme_of_a_folder_speaks_for_the_repository_if_nearly_all_code_is_there(
    files: dict[str, str], chosen: str | None
) -> None:
    tree = tree_of(files)
    facts = read_readme(tree, read_code(tree))
    assert (facts.location.path if facts.location else None) == chosen
    assert chosen not in facts.others
    assert {*facts.others, chosen} - {None} == {path for path in files if path.endswith("README.md")}


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
        ("To learn all of it, run the file \u2018go.py\u2019.", {"go.py": _LOOP}),
        ("```\nFLAGS=cpu pythonw go.py a.json\n```", {"go.py": _LOOP}),
        ("- `go.py`: Run one of the algorithms with its settings.", {"go.py": _LOOP}),
        ("```\n├── go.py    # main script\n└── a.py\n```", {"go.py": _LOOP}),
        ("```\npython go.py\n```", {"go.py": "MCMC(NUTS(model), num_warmup=9)\n"}),
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
        ("- `layers.py`: has what is run by others.", {"layers.py": _LOOP}),
        ("- `show.py`: Run it for the figures.", {"show.py": "import numpy\n"}),
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


# --- data ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "We trained on CIFAR-100.",
        "Мы используем CIFAR-100 в экспериментах.",
        "A loader for the BEN-GE data set.",
        "Models were released for the Media Frames Corpus.",
        "The core table is the Home Equity (hmeq) dataset.",
        "My attempt at a Kaggle challenge.",
        "See [the challenge](https://www.kaggle.com/c/some-challenge).",
        "Built for [it](https://archive.ics.uci.edu/ml/machines).",
        "All rows are in `houses.csv`.",
        "```\n├── raw_data/      # Input tables\n├── src/\n```",
        "├── raw_data/      # Input tables\n├── src/           # Code",
        "```\nproject/\n├── src/\n│   ├── a.py\n├── data/\n└── README.md\n```",
        "- `data/`: what the sensors wrote",
        "| Column | Meaning |\n|---|---|\n| age | in years |",
        "| Folder | What |\n|---|---|\n| x | houses.csv |",
        "The data used in this study is in the second folder.",
        "The script generates toy data.",
    ],
)
def test_data_are_told_by_a_name_a_file_or_a_folder(text: str) -> None:
    assert "data" in kinds(f"# Model\n## About\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Classifies pictures of lungs.",
        "The backbone was pre-trained on ImageNet.",
        "We start from COCO weights.",
        "Your Dataset, our joy.",
        "Written with a PostgreSQL database.",
        "Follow me on [my page](https://www.kaggle.com/somebody).",
        "Run it in a Kaggle notebook.",
        "Everything is saved to `results.csv`.",
        "```\nsrc/\n  data/     Data preprocessing or synthetic generation\n  models/\n```",
        "```\nsrc/\n├── data/\n└── nets/\n```",
        "| Feature | Description |\n|---|---|\n| Search | by name |",
        "Code and data for paper:\n\nsomething",
        "## Data Scientist\nme",
    ],
)
def test_kinds_of_input_and_other_folders_are_no_data(text: str) -> None:
    assert "data" not in kinds(f"# Model\n## About\n{text}\n")


# --- lists of files, and what is done with them ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\n├── train_net.py\n└── nets.py\n```", "train"),
        ("```\n├── 03_model_training.ipynb\n```", "train"),
        ("```\n├── job.py      # fits the forest\n```", "train"),
        ("- `job.py` - model training", "train"),
        ("```\n├── job.py      # Encoder pretraining\n```", "train"),
        ("```\n├── encoder_pretrain.py\n```", "train"),
        ("| File | Use |\n|---|---|\n| job.py | trains the net |", "train"),
        ("See [the second one](nb/02_train.ipynb).", "train"),
        ("## Model Building\nA forest and a tree.", "train"),
        ("```\n├── model_evaluation.py\n```", "evaluate"),
        ("```\n├── net_inference.py\n```", "evaluate"),
        ("```\n├── job.py      # evaluates all of them\n```", "evaluate"),
        ("| File | Use |\n|---|---|\n| `predict.py` | for new rows |", "evaluate"),
        ("Then [look](nb/25_final_test.ipynb).", "evaluate"),
        ("```python\ny = model.predict(x)\n```", "evaluate"),
        ("```\ncurl -X POST http://localhost:9000/api/predict\n```", "evaluate"),
        ("## Start\nTesting\n```\npython3 myTest.py\n```", "evaluate"),
    ],
)
def test_a_list_of_files_tells_what_each_does(text: str, kind: str) -> None:
    assert kind in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\n├── train_test_split.py\n├── trained.py\n```", "train"),
        ("```\n├── utils.py      # helpers for training\n```", "train"),
        ("- `load.py`: loads the training data", "train"),
        ("```\n├── get_pretrained.py\n```", "train"),
        ("```mermaid\nA --> B[MLflow Run Registry]\n```", "train"),
        ("I made three tables to train a model on.", "train"),
        ("We present points and train a model with them.", "train"),
        ("Tools: Python, Jupyter Notebook", "train"),
        ("run `bash evaluate_train-time.sh` for the rest", "train"),
        ("```\n├── tests/\n│   └── test_model.py\n```", "evaluate"),
        ("## Test functions\nThree of them.", "evaluate"),
        ('```\npython -c "import tensorflow as tf; tf.test.is_gpu_available()"\n```', "evaluate"),
        ("It has a small dataset for testing: `small/`.", "evaluate"),
        ("## Open datasets used for evaluation\n- One\n- Two", "evaluate"),
        ("## Testing\nOne has to set this if one wants to test the access: `A`.\n\nThen `pytest` runs.", "evaluate"),
        ("Set these if you want to test the download: `A` and `B`.", "evaluate"),
        ("All of it is in the gp_inference.py file.", "evaluate"),
        ("It uses a public dataset to evaluate models that:\n\n- are small", "evaluate"),
    ],
)
def test_helpers_tests_and_descriptions_do_neither(text: str, kind: str) -> None:
    assert kind not in kinds(f"# Model\n{text}\n")


_MAKEFILE = "PY = python3 -m src.\n\nall: fit plot\n\nfit:\n\t$(PY)job --x\n\nplot:\n\techo done\n"


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\nmake all\n```", {"Makefile": _MAKEFILE, "src/job.py": _LOOP}),
        ('Type "make all" to start.', {"Makefile": _MAKEFILE, "src/job.py": _LOOP}),
        ("## Instructions to run\n### Small model\n* The entry is src/job.py.", {"src/job.py": _LOOP}),
        ("## Small model\n* Run src/job.py from the root.", {"src/job.py": _LOOP}),
        ("To get all figures run the scripts in the jobs folder.", {"jobs/a.py": "m.fit(x)\n"}),
    ],
)
def test_what_is_run_is_found_over_makefiles_folders_and_headings(text: str, files: dict[str, str]) -> None:
    assert facts_of(f"# Model\n{text}\n", **files).section(Kind.TRAIN)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\nmake plot\n```", {"Makefile": _MAKEFILE, "src/job.py": _LOOP}),
        ("```\nmake all\n```", {"src/job.py": _LOOP}),
        ("```\nmake compare\n```", {"Makefile": "compare:\n\tpython compare.py\n", "compare.py": "import job"}),
    ],
)
def test_targets_that_do_something_else_are_no_training(text: str, files: dict[str, str]) -> None:
    assert not facts_of(f"# Model\n{text}\n", **files, **{"job.py": _LOOP}).section(Kind.TRAIN)


@pytest.mark.parametrize(
    "text",
    [
        "A web app that predicts prices.\n\n```\nstreamlit run app.py\n```",
        "## Usage\n`uvicorn api.app:app`\n\n| Link | What |\n|---|---|\n| `/api/predict` | for a wine |",
        "Run it:\n\n```\npython app.py\n```\n\nUpload a picture and see the prediction.",
    ],
)
def test_a_program_that_predicts_applies_the_model(text: str) -> None:
    assert "evaluate" in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "A dashboard of prices.\n\n```\nstreamlit run app.py\n```",
        "A web app that predicts prices is at https://a.org.",
        "We provide our numbers in the `result/all` folder.\n\n```\ndocker run -it a/notebooks\n```",
    ],
)
def test_a_program_without_prediction_or_command_does_not(text: str) -> None:
    assert "evaluate" not in kinds(f"# Model\n{text}\n")


# --- needs, results, devices, references -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Implemented in PyTorch 1.7.", "install"),
        ("It has a PyTorch (1.0.0) implementation of it.", "install"),
        ("### Libraries\n- one\n- two", "install"),
        ("```\ndocker run -it a/image\n```", "install"),
        ("Its fusion has an ERS of 0.2613 on the test set.", "results"),
        ("The best-performing model is the second.", "results"),
        ("The forest was the best-performing model.", "results"),
        ("## Update: May\n| | @0.1 | @0.2 |\n|---|---|---|\n| A | 71.5 | 66.2 |\n| B | 72.1 | 66.5 |", "results"),
        ("It may take more than a day to run all.", "hardware"),
        ("- CPU-only execution", "hardware"),
        ("We use several sets (e.g., CIFAR10/100, ImageNet100).", "data"),
        ("| Part | Best |\n|---|---|\n| One | NDCG@10 = 0.4056 |\n| Two | fine |", "results"),
        ("The forest performed best on all three tables.", "results"),
        ("Minimum loss on the private leaderboard: 0.005335339", "results"),
        ("Our 6th place solution.", "results"),
        ("![](results/run-3/a.png)", "results"),
        ("### Learning progress\n![](charts.jpg)", "results"),
        ("A GPU which both frameworks support is also needed.", "hardware"),
        ("**With GPU (Recommended):**\n\ntext", "hardware"),
        ("## Acknowledgements\nWe thank them for the Titan X used in this work.", "hardware"),
        ("| Thanks | |\n|---|---|\n| for the GeForce GTX Titan X used | x |", "hardware"),
    ],
)
def test_versions_outcomes_and_devices_are_told_in_many_ways(text: str, kind: str) -> None:
    assert kind in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Implemented in PyTorch.", "install"),
        ("It tells which of the settings performs best on a table.", "results"),
        ("We log the losses of the best-performing model, as well as the best-performing model itself.", "results"),
        ("## References\n- One of them outperforms the others on images.", "results"),
        ("## Update: May\n| Date | What |\n|---|---|\n| 3 May | new code |", "results"),
        ("## Runtime flags\n| Flag | Use |\n|---|---|\n| a | b |", "hardware"),
        ("It takes a day of prices.", "hardware"),
        ("## References\n[1] Census data set. https://archive.ics.uci.edu/ml/datasets/Census+Income", "data"),
        ("```\npython run.py --preprocess\n```", "data"),
        ("## Results to cite\n- `a.csv`", "citation"),
        ("Do not cite the old numbers.", "citation"),
        ("## Built with\n- Python\n- Flask", "install"),
        ("## Get results\nCall the second function.", "results"),
        ("## Results\nThey are saved in `out/`, one file each.", "results"),
        ("## Task 2: Price Prediction\n![](a.png)", "results"),
        ("It uses halves when the\nGPU supports them.", "hardware"),
    ],
)
def test_tools_promises_and_tasks_are_none_of_it(text: str, kind: str) -> None:
    assert kind not in kinds(f"# Model\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "This is the official repo for the following paper\n\n* On Small Nets, Ada Byron and Alan Mathison, ACL 2020",
        "Code of the paper:\nA. Byron, C. Babbage. On small engines. Journal of Engines, 2021.",
        'Code for "On Engines" in the Journal of Engines\n\nby\nAda Byron,\nCharles Babbage,\nMary Somerville',
        "> **Authors**: Ada Byron, Charles Babbage. 2020",
        "Byron, NAACL 2018\n\n## Data\ntext",
        "Ada Byron and Charles Babbage, ICML 2018",
    ],
)
def test_the_full_reference_of_the_paper_is_a_citation(text: str) -> None:
    assert "citation" in kinds(f"# On Engines\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "Code for the paper [On Engines](https://arxiv.org/abs/1234.56789).",
        "We compare Random Forest, Gradient Boosting and Support Vector Machines of 2020 in this paper.",
        "A course project by Ada Byron and Charles Babbage.",
        "Presented at ICML 2018",
        "## References\n[1] A. Byron, C. Babbage, and M. Somerville, \u201cOn engines,\u201d Tech. Rep., 2010.",
        "## References\n- Byron, A., Babbage, C. (1843). On engines. Taylor.",
    ],
)
def test_links_methods_and_the_work_of_others_are_no_citation(text: str) -> None:
    assert "citation" not in kinds(f"# On Engines\n{text}\n")
