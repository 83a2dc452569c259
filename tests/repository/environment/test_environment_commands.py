"""Installations in passing: Dockerfiles, scripts, READMEs and notebooks."""

import json

import pytest
from environments import declared, environment, pins

from assay.repository.environment import Kind, Pin


def notebook(*cells: str) -> str:
    listed = [
        {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}, "execution_count": None} for cell in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": listed})


DOCKERFILE = """
ARG PY=3.8
FROM --platform=linux/amd64 python:${PY}-slim AS base
RUN apt-get update && apt-get install -y git curl
RUN pip install --no-cache-dir numpy==1.19 \\
    "torch>=1.7" \\
    -f https://download.pytorch.org/whl/torch_stable.html && rm -rf /x
RUN python3 -m pip install -U scipy; conda install -y -c pytorch pytorch=1.7.1 cudatoolkit=11.0
RUN pip install -r deps.txt -e .
RUN --mount=type=cache,target=/var/cache/pip pip install wandb
"""


def test_dockerfile() -> None:
    facts = environment({"docker/Dockerfile": DOCKERFILE, "deps.txt": "tqdm"})
    found = {d.name: (d.pin, d.kind) for d in facts.declared if d.name != "torch"}
    assert found == {
        "numpy": (Pin.EXACT, Kind.DOCKERFILE),
        "scipy": (Pin.NONE, Kind.DOCKERFILE),
        "cudatoolkit": (Pin.EXACT, Kind.DOCKERFILE),
        "wandb": (Pin.NONE, Kind.DOCKERFILE),
        "tqdm": (Pin.NONE, Kind.REQUIREMENTS),
    }
    assert [d.pin for d in facts.declared if d.name == "torch"] == [Pin.RANGE, Pin.EXACT]
    assert [(d.specifier, d.location.line) for d in facts.pythons] == [("3.8", 3)]


@pytest.mark.parametrize(
    ("image", "name", "pin"),
    [
        ("pytorch/pytorch:1.7.1-cuda11.0-cudnn8-runtime", "torch", Pin.EXACT),
        ("nvcr.io/nvidia/pytorch:20.12-py3", "torch", Pin.COMPATIBLE),
        ("tensorflow/tensorflow:latest-gpu", "tensorflow", Pin.NONE),
    ],
)
def test_images_bring_their_framework(image: str, name: str, pin: Pin) -> None:
    assert pins({"Dockerfile": f"FROM {image}\n"}) == {name: pin}


README = """
# Install
Please run `pip install numpy==1.19` or install it by hand.

```bash
$ conda create -n work python=3.7
(work) $ conda install scipy
pip3 install torch torchvision  # for the GPU
> sudo pip install "tqdm>=4"
pip install <package>
```
You can install our tool and add more. <code>pip install einops</code>
"""


def test_readme() -> None:
    found = declared({"README.md": README})
    assert {n: d.pin for n, d in found.items()} == {
        "numpy": Pin.EXACT,
        "scipy": Pin.NONE,
        "torch": Pin.NONE,
        "torchvision": Pin.NONE,
        "tqdm": Pin.RANGE,
        "einops": Pin.NONE,
    }
    assert {d.kind for d in found.values()} == {Kind.README}
    assert found["scipy"].location.line == 7


def test_a_readme_states_no_version_of_python() -> None:
    assert environment({"README.md": README}).pythons == ()


def test_notebook() -> None:
    facts = environment({"a.ipynb": notebook("!pip install numpy==1.0\n%pip install scipy", "%conda install -y tqdm")})
    assert [(d.name, d.pin, d.location.cell) for d in facts.declared] == [
        ("numpy", Pin.EXACT, 1),
        ("scipy", Pin.NONE, 1),
        ("tqdm", Pin.NONE, 2),
    ]
    assert {d.kind for d in facts.declared} == {Kind.NOTEBOOK}


def test_scripts_makefiles_and_workflows() -> None:
    files = {
        "install.sh": "#!/bin/sh\nuv pip install numpy\npoetry add scipy\n",
        "Makefile": "env:\n\tpip install tqdm\n",
        ".github/workflows/test.yml": "jobs:\n  a:\n    steps:\n    - run: pip install pytest\n",
    }
    assert pins(files) == dict.fromkeys(["pytest", "tqdm", "numpy", "scipy"], Pin.NONE)


@pytest.mark.parametrize("path", ["configs/start_commands", "first.sh", "cluster/node.bash"])
def test_a_file_of_commands_installs_by_whatever_name(path: str) -> None:
    assert pins({path: "export A=1\npip install numpy==1.0\nsudo pip3 install scipy\n"}) == {
        "numpy": Pin.EXACT,
        "scipy": Pin.NONE,
    }


@pytest.mark.parametrize("path", ["notes.log", "setup_notes"])
def test_other_files_that_speak_of_installing_are_no_scripts(path: str) -> None:
    assert pins({path: "first I tried pip install numpy\n"}) == {}


def test_packages_of_debian_are_called_like_their_modules() -> None:
    script = "apt-get update\nsudo apt-get -y install git python3-dev python3-yaml python-numpy python-sklearn\n"
    assert set(pins({"install.sh": script})) == {"pyyaml", "numpy", "scikit-learn"}


def test_a_mention_is_no_declaration() -> None:
    facts = environment({"README.md": "pip install numpy\n", "a.py": "import numpy, scipy"})
    assert [u.outside.module for u in facts.undeclared] == ["scipy"]
    assert [(u.outside.module, u.mentioned[0].kind) for u in facts.only_mentioned] == [("numpy", Kind.README)]
    assert facts.dependencies == ()


def test_conda_environment_that_a_readme_creates_is_read() -> None:
    files = {
        "README.md": "```\nconda env create -f files/gpu.yaml\n```",
        "files/gpu.yaml": "name: x\ndependencies: [numpy]\n",
    }
    assert declared(files)["numpy"].kind is Kind.CONDA
