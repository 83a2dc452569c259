"""Packages that only the words of a README name: no declaration, but no secret either."""

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
        "Thing\n=====\n\nPrerequisites\n-------------\n\nPython, PyTorch\n",
        "# Thing\n**Dependencies:**\n* [PyTorch](https://pytorch.org)\n",
        "# Thing\n\n```\nrequirements:\n- Python >= v3.6\n- pytorch >= v1.3\n```\n",
        "# Thing\n## Environment\n    torch==0.4.1\n",
        "# Thing\nThe code was tested with Python 3.7 and PyTorch on Ubuntu.\n",
        "# Thing\nIt is written in Python 3.6 with PyTorch v1.0.\n",
        "# Thing\nPyTorch 1.2 must be installed first.\n",
        "# Thing\n## Setup\n1. Install PyTorch for your platform.\n",
        "# Thing\n## 环境\n- pytorch\n",
        "# Thing\nThe dependencies of this code are the following:\n\n1. Python\n2. **PyTorch**\n",
        "# Thing\n## Requirements\n- **Python**\n- **PyTorch**\n",
        "# Thing\n## Prerequsites\n- PyTorch\n",  # a letter is missing
        "# Thing\n**Dependecies**\n\n- PyTorch\n",
        "# Thing\n## Requirements\n- pytorch1.x\n",  # the version right behind the name
        "# Thing\nTested with Python3.7 and PyTorch1.4.\n",
        "# Thing\n### Dependency\n\n| Name | Version |\n|---|---|\n| gym | 0.9 |\n| PyTorch | 1.2 |\n",
    ],
)
def test_words_of_a_readme_name_a_package(readme: str) -> None:
    files = {"README.md": readme, "a.py": "import torch"}
    assert undeclared(files) == []
    assert [module for module, _ in named(files)] == ["torch"]


@pytest.mark.parametrize(
    "readme",
    [
        "# Thing\n## Usage\n```python\nimport torch\nx = torch.zeros(3)\n```\n",
        "# Thing\n## Requirements\n- numpy\n\n## Credits\nThanks to the PyTorch people.\n",
        "# Thing\nPyTorch required much tuning.\n",
        "# Thing\nIt runs without a GPU, and no local PyTorch is required.\n",
        "# Thing\n## The stack of plates\n- PyTorch\n",
        "# Thing\nAlso see [this](https://pypi.org/user/torch/) and [that](https://example.org/project/torch).\n",
        "# Thing\n## Tools for drawing\nThey are drawn beside PyTorch.\n",
        "# Thing\nIt needs these packages:\n- numpy\n\n# Method\n- PyTorch\n",
        "# Thing\n## Requirements\n- pytorch-lightning\n- torchvision\n- my.torch.fork\n",
        "# Thing\n## Partial dependence\nDrawn beside PyTorch.\n",
        "# Thing\n## Requirements\n- torch2trt\n- torch3d\n",  # other packages, whose names go on
        "# Thing\n## Speed\n\n| Made with | Minutes |\n|---|---|\n| PyTorch | 1.2 |\n",
    ],
)
def test_a_package_that_is_not_asked_for_stays_undeclared(readme: str) -> None:
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]


@pytest.mark.parametrize(
    "readme",
    [
        "# Thing\n## 🛠️ Tech Stack\n- Python\n- PyTorch (for training)\n",
        "# Thing\n## Technologies Used\n* **PyTorch**: for training.\n",
        "# Thing\n## Technology stack\n\n| For | What |\n|---|---|\n| training | PyTorch, NumPy |\n",
        "# Thing\n## Tools and libraries\nPyTorch, Matplotlib\n",
        "# Thing\n## 2 Equipment (software stack)\n\n| Part | For |\n|---|---|\n| PyTorch 2 (`nn`) | training |\n",
        "# Thing\n## Our toolchain\n- PyTorch\n",
        "# Thing\n## 환경\n- Python\n  - `pytorch`, `numpy`\n",
        "# Thing\n## Requisitos\n- PyTorch\n",
        "# Thing\n## Зависимости\n- PyTorch\n",
        "# Thing\n## 必要なもの\n- PyTorch\n",
        "# Thing\nYou can get it [here](https://pypi.org/project/torch/).\n",
        "# Thing\nYou can get it [here](https://anaconda.org/pytorch/pytorch).\n",
        "# Thing\n## Libraries\n- PyTorch\n",
        "# Thing\n# Technologies\n## Training\n- PyTorch\n",
        "# Thing\n* **Stack:** `numpy`, `pytorch`\n",
        "# Thing\n## Details\n- Important libraries: sklearn, PyTorch & seaborn\n",
        "# Thing\nThe model is built with Keras and PyTorch.\n",
        "# Thing\n[![x](https://img.shields.io/badge/PyTorch-1.7-red)](https://pytorch.org)\n",
        "# Thing\n<img src='https://img.shields.io/badge/pytorch-%3E%3D2.0-blue.svg'>\n",
    ],
)
def test_what_a_thing_is_built_with_is_named(readme: str) -> None:
    files = {"README.md": readme, "a.py": "import torch"}
    assert undeclared(files) == []
    assert [module for module, _ in named(files)] == ["torch"]


@pytest.mark.parametrize(
    "heading", ["Required libs", "Required Python libraries", "Necessary modules", "Libraries needed", "Needed tools"]
)
def test_libraries_under_a_heading_that_says_required_are_named(heading: str) -> None:
    files = {"README.md": f"# Thing\n## {heading}\n* For training: `numpy` and `pytorch`.\n", "a.py": "import torch"}
    assert [module for module, _ in named(files)] == ["torch"]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [("- Python 3.8 and libraries ([PyTorch](https://pytorch.org)).", True), ("- Python and PyTorch.", False)],
)
def test_what_is_listed_with_a_version_of_python_is_named(sentence: str, told: bool) -> None:
    files = {"README.md": f"# Thing\n## Resources\n{sentence}\n", "a.py": "import torch"}
    assert undeclared(files) == ([] if told else ["torch"])


@pytest.mark.parametrize(
    ("command", "told"), [("python train.py --in x.npy", False), ("python3 setup.py install", True), ("nvcc -V", True)]
)
def test_a_script_that_is_started_ends_what_a_section_asks_for(command: str, told: bool) -> None:
    readme = f"# Thing\n## Setup\n- keras\n\n```\n{command}\n```\n\nThe input is an array of torch, 4 by 4.\n"
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ([] if told else ["torch"])


def test_words_of_the_language_count_as_items_of_a_list_only() -> None:
    talk = "# Thing\n## Setup\nWrite a yaml with your settings, and get the datasets; requests are welcome.\n"
    modules = "import yaml, requests, datasets"
    assert undeclared({"README.md": talk, "a.py": modules}) == ["datasets", "requests", "yaml"]
    listed = "# Thing\n## Setup\n- requests\n- numpy, yaml\n"
    assert undeclared({"README.md": listed, "a.py": "import yaml, requests"}) == []


def test_the_place_is_told_and_a_manifest_comes_first() -> None:
    readme = "# Thing\n\n## Requirements\n\nOpenCV and PyTorch 1.2\n"
    files = {"README.md": readme, "requirements.txt": "pyyaml\nopencv-python\n", "a.py": CODE}
    assert named(files) == [("torch", "README.md:5")]


@pytest.mark.parametrize(
    "readme",
    [
        "# PyTorch code of a paper\n",
        "# Thing\nA PyTorch implementation of the method.\n",
        "# Thing\nThe method, in [PyTorch](https://pytorch.org).\n",
        "# Thing\nThe network was written from scratch, using\nNumPy and **PyTorch**.\n",
        "# Thing\n- `fit.py`: fits the PyTorch model.\n",
        "# Thing\nSe entrena con PyTorch.\n",
        "# Thing\n模型使用 PyTorch 实现。\n",
        "# Thing\nIt runs on Keras/PyTorch.\n",
        "# Thing\n## Requirements\n- Keras/PyTorch\n",
        "# Thing\n![x](https://img.shields.io/badge/PyTorch-EE4C2C?logo=pytorch)\n",
        "# Thing\n![x](https://img.shields.io/badge/framework-PyTorch-red)\n",
        "# Thing\n## Parts\n\n| Part | Technology |\n|---|---|\n| training | PyTorch |\n",
        "# Thing\n## Parts\n\n| | |\n|---|---|\n| Framework | PyTorch |\n",
        "# Thing\nThis program needs the following Python libraries (by hand):\n\n\tnumpy\n\tpytorch\n",
        "# Thing\n## Requirements\n- numpy: 1.2\n- torch-cpu: 1.9\n",
    ],
)
def test_a_sentence_that_says_what_the_work_uses_names_it(readme: str) -> None:
    for path in ("README.md", "part/README.md", "docs/report.md"):
        files = {path: readme, "a.py": "import torch"}
        assert undeclared(files) == []
        assert [module for module, _ in named(files)] == ["torch"]


@pytest.mark.parametrize(
    "readme",
    [
        "# Thing\nInspired by the PyTorch implementation of somebody.\n",
        "# Thing\nWe do not use PyTorch.\n",
        "# Thing\nIt will be ported to PyTorch, with PyTorch models.\n",
        "# Thing\n## Acknowledgements\nThe code is based on the PyTorch framework.\n### More\nUsing PyTorch code.\n",
        "# Thing\n## Future work\n- Use PyTorch.\n",
        "# Thing\nSee https://example.org/with/pytorch/code and in data/torch/models.\n",
        "# Thing\n![x](https://img.shields.io/badge/PyTorch%20tests-passing-green)\n",
        "# Thing\nMade with PyTorch-Lightning and used by torch.hub.\n",
    ],
)
def test_what_is_owed_to_others_or_not_done_names_nothing(readme: str) -> None:
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]


def test_what_stands_beside_drawn_folders_is_read() -> None:
    drawn = "# Thing\n```\n.\n├── app.py   # Streamlit page\n└── fit.py   <- the model, with PyTorch\n```\n"
    assert undeclared({"README.md": drawn, "a.py": "import streamlit, torch"}) == []
    shell = "# Thing\n```\nrun app   # Streamlit page\n```\n"
    assert undeclared({"README.md": shell, "a.py": "import streamlit"}) == ["streamlit"]
    files = "# Thing\n```\n├── streamlit/\n└── app.py   # the first page\n```\n"
    assert undeclared({"README.md": files, "a.py": "import streamlit"}) == ["streamlit"]


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("streamlit run app.py", "streamlit"),
        ("$ uvicorn main:app --reload", "uvicorn"),
        ("python -m spacy download en", "spacy"),
        ("python3 -c \"import nltk; nltk.download('punkt')\"", "nltk"),
    ],
)
def test_who_is_told_to_start_a_package_knows_it(command: str, module: str) -> None:
    for page in (f"# Thing\n## Use\n```\ncd app\n{command}\n```\n", f"# Thing\nStart it by `{command}`.\n"):
        assert [name for name, _ in named({"README.md": page, "a.py": f"import {module}"})] == [module]
    other = f"# Thing\n```\ncat {module} run\npython {module}_run.py\n```\n"
    assert undeclared({"README.md": other, "a.py": f"import {module}"}) == [module]


def test_a_long_thesis_names_what_it_used() -> None:
    thesis = "\\section{Method}\n" + "We measured much, and again.\n\n" * 4000 + "It was fitted with PyTorch.\n"
    assert undeclared({"report/thesis.tex": thesis, "a.py": "import torch"}) == []


@pytest.mark.parametrize("page", ["CHANGELOG.md", "docs/roadmap.md", "implementation_plan.md", "lib.py", "words.txt"])
def test_pages_about_what_was_or_may_be_name_nothing(page: str) -> None:
    text = "# Thing\n# A model made using PyTorch\n"
    assert undeclared({page: text, "a.py": "import torch"}) == ["torch"]


def test_words_and_methods_must_be_called_libraries() -> None:
    code = {"a.py": "import xgboost, datasets, face_recognition, fire"}
    talk = "# Face recognition\nTrained with XGBoost, using face recognition, fire and our datasets.\n"
    assert undeclared({"README.md": talk, **code}) == ["datasets", "face_recognition", "fire", "xgboost"]
    called = "# Thing\nWith the `xgboost` library, the package fire, the datasets library and face_recognition.\n"
    assert undeclared({"README.md": called, **code}) == []


def test_a_part_of_a_shared_package_may_be_named_by_the_whole() -> None:
    files = {"README.md": "# Thing\nA viewer, built using Trame.\n", "a.py": "from trame.app import get_server"}
    assert undeclared(files) == []
    assert undeclared({"README.md": "# Thing\nUsing Google.\n", "a.py": "from google.cloud import storage"}) == [
        "google.cloud.storage"
    ]


def _told_in_a_notebook(text: str, code: str) -> dict[str, str]:
    said = {"cell_type": "markdown", "source": text, "metadata": {}}
    cell = {"cell_type": "code", "source": code, "outputs": [], "metadata": {}}
    return {"a.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [said, cell]})}


def test_a_notebook_names_what_its_text_says_it_uses() -> None:
    files = _told_in_a_notebook(
        "Distances\nby the fuzzywuzzy library. Forests from scikit-learn. Pandas would be no help here.",
        "import fuzzywuzzy, sklearn, pandas",
    )
    assert undeclared(files) == ["pandas"]
    assert named(files) == [("fuzzywuzzy", "a.ipynb:cell 1:2"), ("sklearn", "a.ipynb:cell 1:2")]


def test_a_name_that_is_set_as_code_where_it_is_used_is_a_package() -> None:
    assert undeclared(_told_in_a_notebook("Made readable via `tabulate`.", "import tabulate")) == []
    assert undeclared(_told_in_a_notebook("Now `tabulate` the rows.", "import tabulate")) == ["tabulate"]
    assert undeclared(_told_in_a_notebook("Run with `evaluate`.", "import evaluate")) == ["evaluate"]


def test_many_remarks_of_a_notebook_end() -> None:
    files = _told_in_a_notebook("torch " * 200_000, "import torch\n" + "".join(f"import a{n}x\n" for n in range(200)))
    assert "torch" in undeclared(files)


@pytest.mark.parametrize("said", ["## 环境\n1. PyTorch或TensorFlow\n", "利用pytorch進行訓練。\n"])
def test_names_without_room_around_them_are_read(said: str) -> None:
    assert undeclared({"README.md": f"# 作业\n{said}", "a.py": "import torch"}) == []
    assert undeclared({"README.md": "# Thing\nUsing mypytorchlib.\n", "a.py": "import torch"}) == ["torch"]


def test_a_version_may_stand_behind_a_hyphen() -> None:
    files = {"README.md": "# Thing\n## Libraries used\n- TensorFlow-2.2.0\n", "a.py": "import tensorflow"}
    assert undeclared(files) == []
    assert undeclared(files | {"README.md": "# Thing\n## Libraries used\n- TensorFlow-datasets\n"}) == ["tensorflow"]


@pytest.mark.parametrize("item", ["-sklearn library", "*sklearn", "1.sklearn", "\u2022sklearn (models)"])
def test_the_sign_of_an_item_may_touch_its_name(item: str) -> None:
    files = {"README.md": f"# Thing\n## Installation\nAll you need is:\n{item}\n", "a.py": "import sklearn, numpy"}
    assert undeclared(files) == ["numpy"]


@pytest.mark.parametrize("heading", ["Технологии", "🛠️ Технологии", "Wymagania", "Requisiti", "Библиотеки"])
def test_headings_of_other_languages_tell_what_one_needs(heading: str) -> None:
    assert undeclared({"README.md": f"# A\n## {heading}\n- PyTorch\n", "a.py": "import torch"}) == []
    assert undeclared({"README.md": f"# A\n## {heading}\n## B\n- PyTorch\n", "a.py": "import torch"}) == ["torch"]


def test_titles_of_a_page_without_marks_are_read() -> None:
    page = "Prices\n\nTechnologies Used\n\nPython\nPandas\nNumPy\n\nThe approach\n\nscipy\n"
    assert undeclared({"README.md": page, "a.py": "import pandas, numpy, scipy"}) == ["scipy"]


def test_the_items_right_below_a_title_without_marks_belong_to_it() -> None:
    page = "# Prices\nAll about them.\n\n🔧 Built with\n- Python\n- Pandas\n- NumPy\n\n- SciPy would be another.\n"
    assert undeclared({"README.md": page, "a.py": "import pandas, numpy, scipy"}) == ["scipy"]


def test_a_line_that_announces_what_one_needs_speaks_of_those_below_it() -> None:
    page = "# Prices\nHow to run it.\nPython dependencies:\nseaborn\nrequests\n\nThen look at the plots of pandas.\n"
    assert undeclared({"README.md": page, "a.py": "import seaborn, requests, pandas"}) == ["pandas"]


@pytest.mark.parametrize(
    ("said", "module"),
    [
        ("## Conçu avec\n- PyTorch", "torch"),
        ("## Paquets pip nécessaires :\n* torch", "torch"),
        ("## Feito com\n- PyTorch", "torch"),
        ("## Dibangun dengan\n- PyTorch", "torch"),
        ("## Verwendete Technologien\n- PyTorch", "torch"),
        ("Gambar dengan PyTorch.", "torch"),
        ("Le modèle a été entraîné sous PyTorch.", "torch"),
        ("Der Code benutzt PyTorch.", "torch"),
        ("Une application Flask.", "flask"),
        ("모델은 PyTorch를 사용하여 학습한다.", "torch"),
        ("モデルは PyTorch で実装した。", "torch"),
        ("PyTorch kullan\u0131larak yaz\u0131ld\u0131.", "torch"),
        ("| 영역 | 기술 스택 |\n|---|---|\n| 서버 | PyTorch, Flask |", "torch"),
        ("## Requirements\nGurobi's interface for Python.", "gurobipy"),
        ("Tuned using Ray Tune.", "ray"),
        ("We will be using PyTorch here.", "torch"),
        ("Fitted with PyTorch, so that original and rebuilt data agree.", "torch"),
        ("We use a package known as `tabulate`.", "tabulate"),
        ("Pages are fetched using the *requests* module.", "requests"),
        ("Predictions are kept as a NumPy archive.", "numpy"),
        ("Drawn with Matplotlib, Plotly and WordCloud.", "wordcloud"),
        ("Drawn with WordCloud and Matplotlib.", "wordcloud"),
    ],
)
def test_use_is_told_in_many_ways(said: str, module: str) -> None:
    files = {"README.md": f"# Thing\n{said}\n", "a.py": f"import {module}"}
    assert [name for name, _ in named(files)] == [module]


@pytest.mark.parametrize(
    ("said", "module"),
    [
        ("A wordcloud shows what Matplotlib draws.", "wordcloud"),
        ("Unlike Matplotlib and WordCloud it is fast.", "wordcloud"),
        ("Drawn with Matplotlib and images of a wordcloud.", "wordcloud"),
        ("Trained with PyTorch and datasets of ours.", "datasets"),
        ("It will be written in PyTorch.", "torch"),
        ("Like the original PyTorch code, with more comments.", "torch"),
        ("Like the original code in PyTorch.", "torch"),
        ("The requests module is ours.", "requests"),
    ],
)
def test_words_beside_a_package_are_no_packages(said: str, module: str) -> None:
    assert undeclared({"README.md": f"# Thing\n{said}\n", "a.py": f"import {module}"}) == [module]


@pytest.mark.parametrize(
    ("title", "told"),
    [("digits-pytorch", True), ("old_pytorch_digits", True), ("pytorch", False), ("digits-pytorchic", False)],
)
def test_a_title_that_is_the_name_of_a_repository_tells_its_framework(title: str, told: bool) -> None:
    assert undeclared({"README.md": f"# {title}\n", "a.py": "import torch"}) == ([] if told else ["torch"])


def test_what_a_list_has_in_comments_is_named() -> None:
    listed = "numpy\n# mss  # screenshots\n#paddle>=2.0\n# we do not need pandas any more\n"
    files = {"requirements.txt": listed, "a.py": "import numpy, mss, paddle, pandas"}
    assert undeclared(files) == ["pandas"]
    assert [name for name, _ in named(files)] == ["mss", "paddle"]


def test_a_long_page_of_names_ends() -> None:
    readme = "# Thing\n" + "using torch not " * 100_000 + "\n\n" + "keras/" * 50_000 + "\n"
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]


def test_a_hostile_readme_ends() -> None:
    readme = "## Requirements\n" + "py" * 200_000 + "\n" + "- torch-" * 50_000 + "\n" + "=\n" * 5000
    assert undeclared({"README.md": readme, "a.py": "import torch"}) == ["torch"]
