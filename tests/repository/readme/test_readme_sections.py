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


_LOOP = "def go(m):\n    m.loss().backward()\n"
_NOTEBOOK = '{"cells": [{"cell_type": "code", "source": "m.fit(x, y)"}], "nbformat": 4}'
_EMPTY = '{"cells": [{"cell_type": "code", "source": "x = 1"}], "nbformat": 4}'


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


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_every_text_has_sections_or_none(text: str) -> None:
    facts = facts_of(f"# T\n{text}")
    assert all(section.location.line for section in facts.sections)


# --- data ------------------------------------------------------------------------------------------------


# --- lists of files, and what is done with them ----------------------------------------------------------


_MAKEFILE = "PY = python3 -m src.\n\nall: fit plot\n\nfit:\n\t$(PY)job --x\n\nplot:\n\techo done\n"


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
        "A dashboard of prices.\n\n```\nstreamlit run app.py\n```",
        "A web app that predicts prices is at https://a.org.",
        "We provide our numbers in the `result/all` folder.\n\n```\ndocker run -it a/notebooks\n```",
    ],
)
def test_a_program_without_prediction_or_command_does_not(text: str) -> None:
    assert "evaluate" not in kinds(f"# Model\n{text}\n")


# --- needs, results, devices, references -----------------------------------------------------------------
