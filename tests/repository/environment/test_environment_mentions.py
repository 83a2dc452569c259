"""Packages that only a page, a notebook's text or a remark names: not declared, but known to the reader."""

import json
from collections.abc import Mapping

import pytest
from environments import environment, undeclared

CODE = "import torch\nimport cv2\nimport yaml\n"


def named(files: Mapping[str, str | bytes]) -> list[tuple[str, str]]:
    """Modules that are only mentioned, and where."""
    return [(u.outside.module, str(u.mentioned[0].location)) for u in environment(files).only_mentioned]


@pytest.mark.parametrize(
    "readme",
    [
        "# Thing\n\n## Requirements\n- Python 3.6\n- PyTorch >= 1.0\n",
        "# Thing\n**Dependencies:**\n* [PyTorch](https://pytorch.org)\n",
        "# Thing\n\n```\nrequirements:\n- pytorch >= v1.3\n```\n",
        "# Thing\nTested with Python3.7 and PyTorch1.4.\n",
        "# Thing\n## 环境\n- pytorch\n",
        "# Thing\n在PyTorch中实现\n",
        "# Thing\n-torch\n",
        "# Thing\n| Name | Version |\n|---|---|\n| PyTorch | 1.2 |\n",
    ],
)
def test_a_page_that_names_a_package_mentions_it(readme: str) -> None:
    files = {"README.md": readme, "a.py": "import torch"}
    assert undeclared(files) == []
    assert [name for name, _ in named(files)] == ["torch"]


@pytest.mark.parametrize(
    "readme",
    [
        "# Thing\nIt runs.\n",
        "# Thing\nSee https://example.org/torch.html and model/torch.py\n",
        "# Thing\nThe torchlight shines; a storch flies.\n",
    ],
)
def test_parts_of_paths_and_words_mention_nothing(readme: str) -> None:
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]


@pytest.mark.parametrize(("said", "mentioned"), [
    ("It sends requests to a server.", False),
    ("We use datasets of images.", False),
    ("- requests", True),
    ("pip users should install requests", True),
    ("Fetched with `requests`.", True),
])  # fmt: skip
def test_words_of_the_language_count_as_items_and_code_only(said: str, mentioned: bool) -> None:
    files = {"README.md": f"# Thing\n{said}\n", "a.py": "import requests, datasets"}
    assert ("requests" in [name for name, _ in named(files)]) is mentioned
    assert "datasets" in undeclared(files)


def test_packages_are_recognised_by_what_people_call_them() -> None:
    said = "Needs OpenCV, scikit-learn and Weights & Biases; tuned with Ray Tune."
    files = {"README.md": f"# Thing\n{said}\n", "a.py": "import cv2, sklearn, wandb, ray"}
    assert undeclared(files) == []


def test_the_place_is_the_line() -> None:
    files = {"README.md": "# Thing\n\nIt\nneeds PyTorch.\n", "a.py": "import torch"}
    assert named(files) == [("torch", "README.md:4")]


def test_other_pages_and_text_cells_count() -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": "We need pandas."}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    files = {"docs/setup.md": "Install PyTorch.", "a.ipynb": notebook, "a.py": "import torch, pandas"}
    assert undeclared(files) == []


def test_remarks_that_say_install_count() -> None:
    code = "import torch, faiss\n# install torch first\nprint('pip install faiss-cpu to search')\n"
    assert undeclared({"a.py": code}) == []


def test_what_a_list_has_in_comments_is_named() -> None:
    listed = "numpy\n# mss  # screenshots\n#paddle>=2.0\n"
    files = {"requirements.txt": listed, "a.py": "import numpy, mss, paddle, pandas"}
    assert undeclared(files) == ["pandas"]
    assert [name for name, _ in named(files)] == ["mss", "paddle"]


def test_a_manifest_weighs_more_than_a_page() -> None:
    files = {"README.md": "# Thing\nPyTorch\n", "requirements.txt": "torch\n", "a.py": "import torch"}
    assert named(files) == []


def test_a_hostile_readme_ends() -> None:
    readme = "## Requirements\n" + "py" * 200_000 + "\n" + "- torch-" * 50_000 + "\n" + "=\n" * 5000
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]
