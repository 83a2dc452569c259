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
    assert pins({"Dockerfile": f"FROM {image}\n"})[name] is pin


@pytest.mark.parametrize(
    "files",
    [
        {"Dockerfile": "FROM quay.io/jupyter/scipy-notebook:2023-05-01\n"},
        {"Dockerfile": "FROM continuumio/anaconda3\n"},
        {"compose.yaml": "services:\n  a:\n    image: jupyter/datascience-notebook:latest\n"},
        {"README.md": "```\ndocker run -it jupyter/scipy-notebook bash\n```\n"},
        {"run.sh": "singularity pull docker://jupyter/scipy-notebook\n"},
        {"recipe.def": "Bootstrap: docker\nFrom: jupyter/scipy-notebook\n"},
    ],
)
def test_images_bring_packages_in_passing(files: dict[str, str]) -> None:
    facts = environment({**files, "a.py": "import pandas\nimport lightgbm\n"})
    assert [u.outside.module for u in facts.undeclared] == ["lightgbm"]
    assert [u.outside.module for u in facts.only_mentioned] == ["pandas"]
    assert all(d.name != "pandas" for d in facts.installed)


@pytest.mark.parametrize(
    "text", ["See pytorch/pytorch#12.", "https://github.com/pytorch/pytorch", "my/pytorch/pytorch"]
)
def test_a_repository_called_like_an_image_is_none(text: str) -> None:
    assert pins({"README.md": f"# Title\n{text}\n"}) == {}


@pytest.mark.parametrize(
    "path",
    ["Dockerfile_gpu", "Dockerfile-gpu", "Dockerfile2", "gpu.Dockerfile", "gpu-dockerfile", "docker/train", "x.docker"],
)
def test_recipes_of_containers_have_many_names(path: str) -> None:
    assert pins({path: "# for the cluster\nFROM ubuntu:22.04\nRUN pip install numpy\n"}) == {"numpy": Pin.NONE}


def test_a_page_about_recipes_of_containers_is_none() -> None:
    assert pins({"Dockerfile.md": "FROM here on all is easy.\n"}) == {}


def test_variables_of_recipes_and_scripts_are_filled_in() -> None:
    recipe = (
        'FROM x\nARG GET="python -m pip --no-cache-dir install -U"\nENV V 1.19\nRUN $GET \\\n  numpy==$V \\\n  scipy\n'
    )
    assert pins({"Dockerfile": recipe}) == {"numpy": Pin.EXACT, "scipy": Pin.NONE}
    script = 'PACKAGES="numpy scipy"\nexport PIP=/opt/pip3\n$PIP install $PACKAGES $OTHERS\n'
    assert pins({"install.sh": script}) == {"numpy": Pin.NONE, "scipy": Pin.NONE}


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


@pytest.mark.parametrize("path", ["notes.log", "session_notes"])
def test_other_files_that_speak_of_installing_are_no_scripts(path: str) -> None:
    assert pins({path: "first I tried pip install numpy\n"}) == {}


def test_packages_of_debian_are_called_like_their_modules() -> None:
    script = "apt-get update\nsudo apt-get -y install git python3-dev python3-yaml python-numpy python-sklearn\n"
    assert set(pins({"install.sh": script})) == {"pyyaml", "numpy", "scikit-learn"}


@pytest.mark.parametrize(
    "line",
    [
        "pip install numpy, scipy",
        "pip install numpy,scipy",
        "pip install numpy and scipy",
        "pip --quiet install numpy scipy",
        "PS C:\\work> pip install numpy scipy",
        "me@host:~$ pip install numpy scipy",
        "Arrays: pip install numpy scipy",
        "First run pip install numpy scipy. Then start it.",
        "Use **pip install numpy scipy** (or anything else) to get them.",
        "<pre>pip install numpy scipy</pre>",
        "`arrays` come with conda install numpy scipy",
        "envs/x/Scripts/python.exe -m pip install numpy scipy",
        "easy_install numpy scipy",
        "conda run -n work pip install numpy scipy",
    ],
)
def test_commands_of_people_in_a_hurry(line: str) -> None:
    assert pins({"README.md": f"# Title\n\n{line}\n"}) == {"numpy": Pin.NONE, "scipy": Pin.NONE}


@pytest.mark.parametrize("path", ["docs/gpu.md", "bench/NOTES.md", "lib/manual.rst", "commands.txt"])
def test_every_page_may_tell_how_to_install(path: str) -> None:
    facts = environment({path: "# Speed\n\n    pip install torch\n\nas it has\n", "a.py": "import torch, numpy"})
    assert [u.outside.module for u in facts.undeclared] == ["numpy"]
    assert [(u.outside.module, u.mentioned[0].location.path) for u in facts.only_mentioned] == [("torch", path)]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.system('pip install numpy')\n",
        "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'numpy'])\n",
        "from pip import main\nmain(['install', 'numpy'])\n",
        "import sys\n!{sys.executable} -m pip install numpy\n",
    ],
)
def test_code_that_installs_by_itself(code: str) -> None:
    assert pins({"a.py": code}) == {"numpy": Pin.NONE}


@pytest.mark.parametrize(
    "code",
    [
        '"""Runs it.\n\nBefore the first run:\n1.  pip install numpy scipy\n2.  go\n"""\n',
        "# First: pip install numpy scipy (once)\n",
        "import numpy  # pip install numpy scipy\n",
        "def f():\n    'Needs `pip install numpy scipy`, no more.'\n",
    ],
)
def test_remarks_in_code_install(code: str) -> None:
    assert pins({"a.py": code}) == {"numpy": Pin.NONE, "scipy": Pin.NONE}


def test_what_code_installs_without_a_list_of_texts_is_not_guessed() -> None:
    code = "image.pip_install(*read('x'))\nf(pip_packages=names())\nimport mine.installer.numpy\nself.pip_install()\n"
    assert pins({"a.py": code}) == {}


def test_words_that_a_script_goes_through_one_by_one() -> None:
    script = 'for one in numpy scipy; do\n  pip install "$one"\ndone\n'
    assert pins({"install.sh": script}) == {"numpy": Pin.NONE, "scipy": Pin.NONE}


def test_packages_for_one_run() -> None:
    readme = "# Title\nStart it by `uv run --with mlx-vlm --with=numpy==1.2 run.py --with-care x`.\n"
    assert pins({"README.md": readme}) == {"mlx-vlm": Pin.NONE, "numpy": Pin.EXACT}


def test_a_script_may_state_its_dependencies_itself() -> None:
    head = "# /// script\n# requires-python = '>=3.11'\n# dependencies = [\n#   'numpy<2',\n#   'rich',\n# ]\n# ///\n"
    facts = environment({"a.py": head + "import numpy, rich, scipy\n"})
    assert [u.outside.module for u in facts.undeclared] == ["scipy"]
    assert {d.name: d.pin for d in facts.declared} == {"numpy": Pin.RANGE, "rich": Pin.NONE}
    assert pins({"a.py": "# /// script\n# dependencies = [\n# ///\n"}) == {}


def test_a_page_that_shows_a_list_of_pins_names_them() -> None:
    page = "# Report\n```\nnumpy==1.2\n- scipy==1.0,\n```\nWe found a==1 and b==2.\nx==y\n"
    assert pins({"REPORT.md": page}) == {"numpy": Pin.EXACT, "scipy": Pin.EXACT}


def test_code_that_says_what_to_install_names_it() -> None:
    code = "import numpy, scipy, pandas\nprint('pip install numpy')\nraise ImportError('First: pip install scipy.')\n"
    facts = environment({"a.py": code})
    assert [u.outside.module for u in facts.undeclared] == ["pandas"]
    assert [u.outside.module for u in facts.only_mentioned] == ["numpy", "scipy"]


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


PREPARE = """\
import os
def prepare():
    missing = []
    for one in ["opencv-python", "PyGithub"]:
        missing.append(one)
    for each in missing:
        os.system("pip install " + each)
"""
NEED = """\
import subprocess, sys
def need(module, package, extra=None):
    try:
        __import__(module)
    except ImportError:
        subprocess.check_call([sys.executable, "-m", "pip", "install", package])
"""


def test_functions_that_start_something_else_install_nothing() -> None:
    text = NEED.replace('"install"', '"show"') + 'need("cv2", "opencv-python")\n'
    assert not declared({"set_up.py": text})
