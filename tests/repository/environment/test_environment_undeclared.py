"""Imports against declarations, and all that makes it hard to tell whose a module is."""

import json

import pytest
from environments import environment, undeclared

from assay.repository.environment import Role


def test_declared_imports_are_not_reported() -> None:
    files = {"requirements.txt": "numpy\nPyYAML\nopencv-python-headless\n", "a.py": "import numpy, yaml, cv2, scipy"}
    assert undeclared(files) == ["scipy"]


@pytest.mark.parametrize(
    ("line", "distribution"),
    [
        ("import PIL", "Pillow"),
        ("import cv2", "opencv-contrib-python"),
        ("import sklearn.svm", "scikit-learn"),
        ("import sklearn", "sklearn"),
        ("import yaml", "pyyaml"),
        ("import attr", "attrs"),
        ("from bs4 import BeautifulSoup", "beautifulsoup4"),
        ("import skimage", "scikit-image"),
        ("import tensorflow.keras as k", "tensorflow-gpu"),
        ("from tensorflow import keras", "tf-nightly"),
        ("import torch", "pytorch"),
        ("import faiss", "faiss-gpu"),
        ("import cupy", "cupy-cuda110"),
        ("import mxnet", "mxnet-cu101"),
        ("import pylab", "matplotlib"),
        ("from mpl_toolkits.mplot3d import Axes3D", "matplotlib"),
        ("from google.protobuf import text_format", "protobuf"),
        ("from google.cloud import storage", "google-cloud-storage"),
        ("import azure.storage.blob", "azure-storage-blob"),
        ("from zope.interface import implementer", "zope.interface"),
        ("import ruamel.yaml", "ruamel.yaml"),
        ("import pytorch_lightning", "lightning"),
        ("import pycocotools.mask", "git+https://github.com/cocodataset/cocoapi.git#subdirectory=PythonAPI"),
        ("import clip", "git+https://github.com/openai/CLIP.git"),
        ("import nlgeval", "git+https://github.com/Maluuba/nlg-eval.git@master"),
        ("import topk", "git+https://github.com/oval-group/smooth-topk.git"),
        ("import my_tool.sub", "git+https://github.com/someone/mytool"),
        ("import somethingnew", "python-somethingnew"),
        ("from qvz import Net", "someframework-qvz"),
        ("import mysql.connector", "mysql-connector-python"),
        ("from hurry.filesize import size", "hurry.filesize"),
        ("from google_drive_downloader import GoogleDriveDownloader", "googledrivedownloader"),
        ("import MySQLdb", "MySQL-python"),
        ("from scikits.audiolab import Sndfile", "scikits.audiolab"),
        ("import kerastuner", "keras-tuner"),
        ("from nvidia.dali import pipeline", "nvidia-dali-cuda110"),
        ("from sknn.mlp import Classifier", "scikit-neuralnetwork"),
    ],
)
def test_module_is_provided_under_another_name(line: str, distribution: str) -> None:
    assert undeclared({"requirements.txt": distribution, "a.py": line}) == []


@pytest.mark.parametrize(
    ("line", "distribution", "reported"),
    [
        ("from google.cloud import storage", "protobuf", "google.cloud.storage"),
        ("from google.protobuf import text_format", "google-cloud-storage", "google.protobuf"),
        ("import azure.identity", "azure-storage-blob", "azure.identity"),
        ("from mpl_toolkits.basemap import Basemap", "matplotlib", "mpl_toolkits.basemap"),
        ("import torchvision", "torch", "torchvision"),
        ("import docx", "python-pptx", "docx"),
    ],
)
def test_a_shared_package_is_not_enough(line: str, distribution: str, reported: str) -> None:
    assert undeclared({"requirements.txt": distribution, "a.py": line}) == [reported]


def test_every_part_of_a_shared_package_counts_for_itself() -> None:
    files = {"a.py": "from google.cloud import storage, bigquery", "requirements.txt": "google-cloud-bigquery"}
    assert undeclared(files) == ["google.cloud.storage"]


def test_a_shared_package_itself_is_nothing_beside_its_parts() -> None:
    files = {"a.py": "import mysql\nimport mysql.connector\n", "requirements.txt": "mysql-connector-python\n"}
    assert undeclared(files) == []
    assert undeclared({"a.py": "import mysql\nimport mysql.connector\n"}) == ["mysql.connector"]


def test_likely_distributions_and_all_places_are_told() -> None:
    facts = environment({"a.py": "import sys\nimport cv2\n", "b/c.py": "def f():\n    import cv2.dnn\n"})
    (found,) = facts.undeclared
    assert found.outside.distributions[:2] == ("opencv-python", "opencv-python-headless")
    assert [str(place) for place in found.outside.places] == ["a.py:2:1", "b/c.py:2:5"]
    assert [use.lazy for use in found.outside.uses] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "import os, sys, distutils, imp, tomllib",
        "import cPickle, urllib2, ConfigParser, StringIO, Queue, Tkinter",
        "from __future__ import print_function",
        "import setuptools, pkg_resources",
        "from . import sibling\nfrom ..above import x",
    ],
)
def test_python_itself_needs_no_declaration_in_any_version(text: str) -> None:
    assert undeclared({"pkg/a.py": text}) == []


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"datasets/__init__.py": "", "datasets/coco.py": ""}, "from datasets.coco import x"),
        ({"random.py": "x = 1"}, "import random"),
        ({"utils.py": ""}, "import utils"),
        ({"src/models.py": "Net = 1"}, "from src.models import Net"),
        ({"src/pkg/__init__.py": "", "setup.py": "setup(package_dir={'': 'src'})"}, "import pkg"),
        ({"lib/tools/wandb.py": ""}, "from lib.tools import wandb"),
        ({"third_party/detectron2/__init__.py": ""}, "import detectron2"),
        ({"deep/down/net_parts.py": ""}, "import net_parts"),
        ({"setup.py": "setup(name='mypkg')"}, "import mypkg"),
        ({"setup.py": "setup(ext_modules=[CUDAExtension('my_kernel', [])])"}, "import my_kernel"),
        ({"messages.proto": "syntax"}, "import messages_pb2"),
    ],
)
def test_what_the_repository_has_itself_is_not_reported(files: dict[str, str], line: str) -> None:
    assert undeclared({**files, "main.py": line}) == []


@pytest.mark.parametrize("line", ["import helper", "from parts.net import x", "from proto.v1 import message_pb2"])
def test_what_is_written_or_generated_when_needed_is_not_missing(line: str) -> None:
    cells = ["%%writefile helper.py\nx = 1", "%%file parts/net.py\ny = 2", line]
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})
    facts = environment({"requirements.txt": "numpy\n", "a.ipynb": text, "message.proto": ""})
    assert facts.outside == ()


def test_a_local_folder_does_not_hide_the_distribution_of_its_name() -> None:
    files = {"datasets/readers/mine.py": "x = 1", "main.py": "from datasets import load_dataset"}
    assert undeclared(files) == ["datasets"]


def test_code_of_others_is_not_looked_at() -> None:
    assert undeclared({"third_party/x/a.py": "import scipy", "main.py": "import os"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    import wandb\nexcept ImportError:\n    wandb = None",
        "try:\n    import wandb\nexcept:\n    pass",
        "if is_wandb_available():\n    import wandb",
        "import importlib.util\nif importlib.util.find_spec('wandb') is not None:\n    import wandb",
        "import sys\nif sys.version_info < (3, 8):\n    import wandb",
        "if HAS_WANDB and flag:\n    import wandb",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import wandb",
    ],
)
def test_an_import_that_may_fail_is_optional(text: str) -> None:
    facts = environment({"a.py": text})
    assert facts.undeclared == ()
    assert [(u.outside.module, u.outside.role) for u in facts.uncovered] == [("wandb", Role.OPTIONAL)]


@pytest.mark.parametrize(
    "handler", ["raise ImportError('no apex here')", "print('no apex here')\n    sys.exit(1)", "exit()"]
)
def test_a_handler_that_only_gives_up_makes_it_no_less_needed(handler: str) -> None:
    text = f"import sys\ntry:\n    import apex\nexcept ImportError:\n    {handler}\n"
    assert undeclared({"a.py": text}) == ["apex"]


@pytest.mark.parametrize("handler", ["raise ImportError('no wandb here')", "print('no wandb here')\n        raise"])
def test_giving_up_in_a_function_is_no_guard_either(handler: str) -> None:
    text = (
        f"def log(x):\n    try:\n        import wandb\n    except ImportError:\n        {handler}\n    wandb.log(x)\n"
    )
    assert undeclared({"a.py": text}) == ["wandb"]
    asked = "if is_wandb_available():\n" + "".join(f"    {line}\n" for line in text.splitlines())
    assert undeclared({"a.py": asked}) == []


_PASSED_OVER = "try:\n    import wandb\nexcept ImportError:\n    pass\n"


@pytest.mark.parametrize("handler", ["pass", "print('no wandb')", "warnings.warn('no wandb')"])
def test_an_error_that_is_only_put_off_makes_a_module_no_less_needed(handler: str) -> None:
    text = _PASSED_OVER.replace("pass", handler) + "def log(x):\n    wandb.log(x)\n"
    assert undeclared({"a.py": text}) == ["wandb"]


def test_a_function_that_says_what_to_install_is_for_those_who_want_it() -> None:
    handler = "    except ImportError as error:\n        raise ImportError('install wandb for this') from error\n"
    lazy = f"def log(x):\n    try:\n        import wandb\n{handler}    wandb.log(x)\n"
    assert undeclared({"a.py": lazy}) == []
    at_once = "try:\n    import wandb\nexcept ImportError:\n    raise ImportError('this is required')\n"
    assert undeclared({"a.py": at_once}) == ["wandb"]


@pytest.mark.parametrize("handler", ["except ValueError:\n        pass", "except Exception:\n        raise"])
def test_a_use_that_is_tried_for_other_reasons_needs_the_module(handler: str) -> None:
    text = _PASSED_OVER + f"def log(x):\n    try:\n        wandb.log(x)\n    {handler}\n"
    assert undeclared({"a.py": text}) == ["wandb"]


@pytest.mark.parametrize(
    "text",
    [
        "wandb = None\n" + _PASSED_OVER + "if wandb:\n    wandb.log(1)\n",
        "import dummy_log as wandb\n" + _PASSED_OVER + "wandb.log(1)\n",
        _PASSED_OVER + "if 'wandb' in globals():\n    wandb.log(1)\n",
        _PASSED_OVER + "try:\n    wandb.log(1)\nexcept NameError:\n    pass\n",
        "ready = False\n"
        + _PASSED_OVER.replace("wandb\n", "wandb\n    ready = True\n")
        + "if ready:\n    wandb.log(1)\n",
        _PASSED_OVER.replace("pass", "ready = False") + "if ready:\n    wandb.log(1)\n",
        _PASSED_OVER + "else:\n    wandb.log(1)\n",
    ],
)
def test_a_name_that_is_looked_at_before_use_stays_optional(text: str) -> None:
    assert "wandb" not in undeclared({"a.py": text})


def test_one_use_without_guard_makes_a_module_required() -> None:
    files = {"a.py": "try:\n    import wandb\nexcept ImportError:\n    pass", "b.py": "import wandb"}
    assert environment(files).undeclared[0].outside.role is Role.REQUIRED


@pytest.mark.parametrize("path", ["tests/test_a.py", "test_a.py", "conftest.py", "pkg/tests/x.py"])
def test_tests_cannot_do_without_what_they_import(path: str) -> None:
    files = {path: "import hypothesis\nimport unittest"}
    assert [(u.outside.module, u.outside.role) for u in environment(files).undeclared] == [("hypothesis", Role.TESTS)]
    assert undeclared({path: "try:\n    import hypothesis\nexcept ImportError:\n    pass"}) == []
    assert undeclared({**files, ".github/workflows/x.yml": "- run: pip install hypothesis"}) == []
    (both,) = environment({**files, "a.py": "import hypothesis"}).undeclared
    assert both.outside.role is Role.REQUIRED


@pytest.mark.parametrize("path", ["docs/conf.py", "setup.py"])
def test_documentation_and_setup_are_told_apart(path: str) -> None:
    facts = environment({path: "import hypothesis\nimport unittest"})
    assert facts.undeclared == ()
    assert [(u.outside.module, u.outside.role) for u in facts.uncovered] == [("hypothesis", Role.DEVELOPMENT)]


@pytest.mark.parametrize(
    "files",
    [
        {"test.py": "import scipy\ndef test_epoch(model, loader):\n    pass"},
        {"test_model.py": "import scipy\ntest_loader = 1"},
        {"test/evaluate.py": "import scipy"},
    ],
)
def test_scripts_that_evaluate_a_model_are_no_tests(files: dict[str, str]) -> None:
    assert undeclared(files) == ["scipy"]


def test_notebooks_are_code() -> None:
    cell = {"cell_type": "code", "source": ["%matplotlib inline\n", "import seaborn\n"], "metadata": {}, "outputs": []}
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    facts = environment({"a.ipynb": notebook})
    assert [str(u.outside.places[0]) for u in facts.undeclared] == ["a.ipynb:cell 1:2:1"]


def test_files_that_do_not_parse_still_tell_their_imports() -> None:
    assert undeclared({"a.py": "import numpy\nprint 'x' if else\n\tdef broken(:\n"}) == ["numpy"]


@pytest.mark.parametrize("text", ["import scipy\nx = f(1 2)\n", "import scipy\n<<<<<<< HEAD\nx = 1\n"])
def test_imports_of_a_file_that_does_not_parse_are_not_optional(text: str) -> None:
    facts = environment({"a.py": text})
    assert [(u.outside.module, u.outside.role) for u in facts.uncovered] == [("scipy", Role.REQUIRED)]
    assert undeclared({"a.py": text}) == ["scipy"]


@pytest.mark.parametrize(
    "text",
    [
        "import scipy\nprint 'x', 3\nx = `3`\n",
        "import scipy\n!ls\nx = 1\n",
        "import scipy\nif a:\n\tx = 1\n        y = 2\n",
    ],
)
def test_old_python_notebooks_and_tabs_are_python(text: str) -> None:
    assert undeclared({"a.py": text}) == ["scipy"]


def test_platform_modules_are_nobodys_fault() -> None:
    facts = environment({"a.py": "from google.colab import drive\nimport kaggle_secrets"})
    assert facts.undeclared == ()
    assert [(o.module, o.platform) for o in facts.outside] == [
        ("google.colab", "Google Colab"),
        ("kaggle_secrets", "Kaggle"),
    ]


@pytest.mark.parametrize("module", ["滤波", "kühlung", "данные"])
def test_modules_in_other_letters_are_on_no_index(module: str) -> None:
    assert undeclared({"a.py": f"import {module}\n"}) == []


def test_parts_of_a_shared_package_are_somebodys_even_if_no_table_has_them() -> None:
    assert undeclared({"a.py": "from azure.qzxwv.part import Thing\n"}) == ["azure.qzxwv"]


@pytest.mark.parametrize("module", ["bpy", "mathutils", "image_geometry", "smdistributed.dataparallel"])
def test_what_only_a_platform_has(module: str) -> None:
    facts = environment({"a.py": f"import {module}\n"})
    assert facts.undeclared == ()
    assert facts.outside[0].platform


def test_module_that_nothing_on_pypi_has_is_unknown() -> None:
    facts = environment({"a.py": "import qzxwv_private_thing\nimport numpy\n"})
    assert [o.module for o in facts.unknown] == ["qzxwv_private_thing"]
    assert [u.outside.module for u in facts.undeclared] == ["numpy"]


def test_module_called_like_the_authors_own_is_missing() -> None:
    facts = environment({"a.py": "from utils import helper\nfrom data_loader import load\n"})
    assert [o.module for o in facts.missing] == ["data_loader", "utils"]
    assert facts.undeclared == ()


@pytest.mark.parametrize("module", ["utils2", "model_v3", "dataset_10", "helpers1"])
def test_a_number_makes_no_other_module_of_an_everyday_name(module: str) -> None:
    facts = environment({"a.py": f"from {module} import Thing\n"})
    assert facts.undeclared == ()
    assert [o.module for o in facts.missing] == [module]


def test_a_file_that_git_is_told_to_ignore_is_the_authors_own() -> None:
    files = {"db/connect.py": "import back\n"}
    assert undeclared(files) == ["back"]
    assert undeclared({**files, ".gitignore": "*.pyc\nback.py\n"}) == []
    assert undeclared({**files, ".gitignore": "*.py\nbackup/\n"}) == ["back"]
    assert undeclared({"a.py": "import numpy\n", ".gitignore": "numpy.py\n"}) == ["numpy"]


def test_an_everyday_name_is_the_authors_own_though_something_rare_is_called_so() -> None:
    facts = environment({"a.py": "from trainer import fit\nfrom dataset import Rows\nimport schedule\n"})
    assert [o.module for o in facts.missing] == ["dataset", "trainer"]
    assert [u.outside.module for u in facts.undeclared] == ["schedule"]


def test_declaration_whose_marker_never_holds_covers_nothing() -> None:
    assert undeclared({"requirements.txt": "numpy; python_version < '3'", "a.py": "import numpy"}) == ["numpy"]


def test_manifest_of_a_folder_speaks_for_that_folder() -> None:
    files = {
        "gan/requirements.txt": "torch",
        "gan/a.py": "import torch",
        "vae/requirements.txt": "numpy",
        "vae/b.py": "import torch, numpy",
    }
    facts = environment(files)
    assert facts.undeclared == ()
    (found,) = facts.declared_elsewhere
    assert [str(place) for place in found.outside.places] == ["vae/b.py:1:1"]
    assert [d.location.path for d in found.elsewhere] == ["gan/requirements.txt"]


def test_where_no_manifest_speaks_all_of_them_do() -> None:
    assert undeclared({"code/requirements.txt": "torch", "code/a.py": "", "plot.py": "import torch, scipy"}) == [
        "scipy"
    ]


@pytest.mark.parametrize("folder", ["docker", "requirements", ".binder", "envs", "conda"])
def test_manifests_in_administrative_folders_speak_for_the_folder_above(folder: str) -> None:
    files = {f"{folder}/requirements.txt": "torch", f"{folder}/run.py": "", "sub/a.py": "import torch"}
    assert undeclared(files) == []


def test_anaconda_brings_the_usual_packages() -> None:
    files = {"environment.yml": "name: x\ndependencies: [anaconda]\n", "a.py": "import numpy, pandas, torch"}
    assert undeclared(files) == ["torch"]


@pytest.mark.parametrize(
    "text", ["import clip", "import sys\nsys.path.append('third_party/CLIP')\nfrom denoiser import Denoiser"]
)
def test_what_a_submodule_that_was_not_fetched_may_hold_is_not_reported(text: str) -> None:
    listed = '[submodule "x"]\n\tpath = third_party/CLIP\n\turl = https://github.com/openai/CLIP\n'
    assert undeclared({".gitmodules": listed, "a.py": text}) == []
    assert undeclared({"a.py": text}) != []


def test_a_submodule_is_no_excuse_for_what_everybody_knows() -> None:
    text = "import sys\nsys.path.append('CLIP')\nimport numpy"
    assert undeclared({".gitmodules": "[submodule]\n\tpath = CLIP\n", "a.py": text}) == ["numpy"]


def test_robots_and_plug_ins_bring_their_own_modules() -> None:
    facts = environment({"a.py": "from sensor_msgs.msg import Image\nimport my_robot_ros\nfrom ij import IJ"})
    assert [(o.module, o.platform) for o in facts.outside] == [
        ("ij", "ImageJ"),
        ("my_robot_ros", "ROS"),
        ("sensor_msgs", "ROS"),
    ]


# --- modules of the repository's own that are not in it -------------------------------------------------


def missing(files: dict[str, str]) -> list[str]:
    return [one.module for one in environment(files).missing]


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("from tools.plots import draw", "tools.plots"),
        ("import tools.deep.plots", "tools.deep.plots"),
        ("import tools.plots as p", "tools.plots"),
    ],
)
def test_a_module_that_its_package_does_not_have_is_missing(line: str, module: str) -> None:
    assert missing({"tools/__init__.py": "", "tools/io.py": "def read(): ...\n", "a.py": line}) == [module]


def test_a_relative_import_of_what_is_not_there_is_missing() -> None:
    assert missing({"pkg/__init__.py": "", "pkg/a.py": "from .losses import focal"}) == ["pkg.losses"]
    assert missing({"pkg/a.py": "from .losses import focal"}) == []  # no package: meant for another place


@pytest.mark.parametrize(
    "files",
    [
        {"tools/plots.py": "", "a.py": "from tools.plots import draw"},
        {"src/tools/plots.py": "", "a.py": "from tools.plots import draw"},
        {"tools/__init__.py": "from . import drawing as plots\n", "a.py": "import tools.plots"},
        {"tools/x.py": "", "a.py": "try:\n    import tools.plots\nexcept ImportError:\n    tools = None"},
        {"tools/x.py": "", "a.py": "from tools.plots_pb2 import Message"},
        {"tools/x.py": "", "tools/fast.pyx": "", "a.py": "import tools.fast"},
        {"tools/x.py": "", "a.py": "from tools._native import run"},
        {"zoo/FinRL.py": "", "a.py": "from finrl.preprocessing import clean"},
        {"sklearn/x.py": "", "a.py": "from sklearn.svm import SVC"},
    ],
)
def test_what_may_be_there_after_all_is_not_missing(files: dict[str, str]) -> None:
    assert [one for one in environment(files).missing if one.role is Role.REQUIRED] == []


def test_a_file_of_the_repository_is_meant_if_it_has_what_is_imported() -> None:
    files = {"lib/model_utils.py": "def batch_data(): ...\n", "models/a.py": "from model_utils import batch_data"}
    assert undeclared(files) == []
    assert undeclared({**files, "models/a.py": "from model_utils import FieldTracker"}) == ["model_utils"]


def test_parts_of_matplotlib_are_matplotlib() -> None:
    assert undeclared({"a.py": "from mpl_toolkits.mplot3d import Axes3D\nimport pylab"}) == ["matplotlib"]
    assert undeclared({"a.py": "from mpl_toolkits.basemap import Basemap"}) == ["mpl_toolkits.basemap"]


# --- modules that are cloned, or that a folder only seems to be -----------------------------------------


def _notebook(*cells: str) -> str:
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})


@pytest.mark.parametrize(
    "cells",
    [
        ("!git clone https://github.com/someone/colorgraph", "import colorgraph"),
        ("!git clone -b dev git@github.com:someone/color-graph.git", "import color_graph"),
        ("!git clone https://github.com/someone/graphs.git", "%cd graphs", "from colorgraph.nets import Net"),
        ("!git clone --depth 1 https://github.com/a/graphs lib", "import sys\nsys.path.append('lib')\nimport hgx"),
        ("!git clone https://github.com/a/taming-things", "import sys\nsys.path.append('x')\nfrom taming import T"),
        ("import os\nos.system('git clone https://github.com/a/colorgraph.git')\nimport colorgraph",),
        ("import subprocess\nsubprocess.run(['git', 'clone', 'https://github.com/a/colorgraph'])\nimport colorgraph",),
    ],
)
def test_what_a_notebook_clones_is_not_reported(cells: tuple[str, ...]) -> None:
    facts = environment({"requirements.txt": "numpy", "a.ipynb": _notebook(*cells)})
    assert facts.uncovered == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("git clone https://github.com/someone/colorgraph.git", False),
        ("`git clone git@github.com:someone/graphs.git color_graph`", True),
        ("git clone ColorGraph in this folder.", False),
        ("git clone https://github.com/someone/colorgraph\ncd colorgraph\npip install -e .", True),
        ("git clone https://github.com/someone/colorgraph-data", True),
    ],
)
def test_what_a_page_tells_to_clone_is_to_be_had(said: str, told: bool) -> None:
    files = {"README.md": f"# Thing\n{said}\n", "a.py": "import colorgraph"}
    assert [one.module for one in environment(files).outside] == (["colorgraph"] if told else [])
    known = {"README.md": "# Thing\ngit clone https://github.com/scipy/scipy\n", "a.py": "import scipy"}
    assert [one.module for one in environment(known).outside] == ["scipy"]


@pytest.mark.parametrize(
    "cells",
    [
        ("!git clone https://github.com/a/graphs", "%cd graphs", "import cv2"),
        ("!git clone https://github.com/a/graphs", "import hook_of_nobody"),
        ("%cd graphs", "import hook_of_nobody"),
    ],
)
def test_a_clone_is_no_excuse_for_everything(cells: tuple[str, ...]) -> None:
    facts = environment({"requirements.txt": "numpy", "a.ipynb": _notebook(*cells)})
    assert len(facts.uncovered) == 1


@pytest.mark.parametrize("line", ["from airflow import DAG", "from airflow.hooks.base import BaseHook"])
def test_a_bare_folder_is_no_module_that_it_has_nothing_of(line: str) -> None:
    assert undeclared({"requirements.txt": "numpy", "airflow/dags/a.py": "x = 1", "jobs.py": line}) == ["airflow"]


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"airflow/dags/a.py": ""}, "from airflow.dags import a"),
        ({"airflow/dags/a.py": ""}, "import airflow"),
        ({"airflow/__init__.py": "from os import *"}, "from airflow import DAG"),
        ({"airflow.py": "DAG = 1"}, "from airflow import DAG"),
    ],
)
def test_a_folder_that_may_be_meant_is_meant(files: dict[str, str], line: str) -> None:
    assert undeclared({"requirements.txt": "numpy", **files, "jobs.py": line}) == []


def test_words_that_people_call_their_own_modules_by_are_missing_not_undeclared() -> None:
    facts = environment(
        {"a.py": "from variables import names\nfrom space import Vector\nimport chess\nimport shapefile\n"}
    )
    assert [u.outside.module for u in facts.undeclared] == ["chess", "shapefile"]
    assert sorted(o.module for o in facts.missing) == ["space", "variables"]


def test_what_a_notebook_installs_is_told_apart_wherever_it_is_imported() -> None:
    installing, importing = _notebook("!pip install gensim", "import gensim"), _notebook("import gensim")
    for files in ({}, {"b.ipynb": importing}, {"words.py": "import gensim\n"}):
        facts = environment({"a.ipynb": installing, **files})
        assert facts.undeclared == ()
        assert [(u.outside.module, u.mentioned[0].location.path) for u in facts.only_mentioned] == [
            ("gensim", "a.ipynb")
        ]
    assert undeclared({"a.ipynb": importing}) == ["gensim"]


def test_what_only_a_container_installs_is_told_apart_also_beside_a_manifest() -> None:
    files = {"Dockerfile": "FROM python:3.11\nRUN pip install torch\n", "a.py": "import torch\nimport numpy\n"}
    assert undeclared(files) == ["numpy"]
    facts = environment(files | {"requirements.txt": "numpy\n"})
    assert facts.undeclared == ()
    assert [(u.outside.module, u.mentioned[0].location.path) for u in facts.only_mentioned] == [("torch", "Dockerfile")]


@pytest.mark.parametrize(
    ("declared", "module"),
    [
        ("tensorflow-federated-nightly", "tensorflow_federated"),
        ("bert-serving-client", "bert_serving"),
        ("adversarial-robustness-toolbox", "art"),
        ("TinyNeuralNetwork==0.1.0.20240426", "tinynn"),
    ],
)
def test_variants_and_parts_of_a_name_provide_the_module(declared: str, module: str) -> None:
    assert undeclared({"requirements.txt": f"{declared}\n", "a.py": f"import {module}\n"}) == []


@pytest.mark.parametrize("name", ["requiremnets.txt", "reqirements.txt", "requierments.txt"])
def test_a_misspelt_manifest_is_one(name: str) -> None:
    assert undeclared({name: "numpy==1.26.4\ntorch==2.1\n", "a.py": "import numpy\n"}) == []
    assert undeclared({name: "The rooms must be bright.\n", "a.py": "import numpy\n"}) == ["numpy"]


@pytest.mark.parametrize(
    ("requirement", "modules"),
    [
        ("fastapi[all]", "uvicorn"),
        ("uvicorn[standard]>=0.2", "dotenv"),
        ("dm-acme[tf,reverb]", "tensorflow, sonnet, trfl, reverb"),
        ("jax[cuda12_pip]", "jaxlib"),
        ("gym[classic_control]", "pygame"),
        ("transformers[torch]==4.1", "torch"),
        ("monai[nibabel, skimage]", "nibabel, skimage"),  # extras that are called like what they bring
        ("kedro[pandas.CSVDataSet]", "pandas"),
    ],
)
def test_an_extra_brings_what_it_consists_of(requirement: str, modules: str) -> None:
    assert undeclared({"requirements.txt": requirement, "a.py": f"import {modules}"}) == []
    bare = requirement.partition("[")[0]
    assert undeclared({"requirements.txt": bare, "a.py": f"import {modules}"}) == sorted(modules.split(", "))


def test_an_extra_brings_nothing_else() -> None:
    files = {"requirements.txt": "fastapi[all]\ntransformers[dev]\n", "a.py": "import numpy, torch, data"}
    assert undeclared(files) == ["numpy", "torch"]


def test_what_runs_notebooks_brings_ipython_by_chance_only() -> None:
    files = {"requirements.txt": "jupyter\njupyterlab\n", "a.py": "import IPython, ipykernel, nbformat"}
    assert undeclared(files) == ["IPython"]


@pytest.mark.parametrize("entry", ["conda-forge::python-cityhash", "cityhash=0.4"])
def test_a_distribution_may_have_a_second_module_of_another_name(entry: str) -> None:
    manifest = f"name: x\ndependencies:\n  - {entry}\n"
    assert undeclared({"environment.yml": manifest, "a.py": "from farmhash import Fingerprint64"}) == []


def test_what_one_place_does_without_is_optional_in_functions() -> None:
    guarded = "try:\n    import accimage\nexcept ImportError:\n    accimage = None\n"
    lazy = "def read(path):\n    import accimage\n    return accimage.Image(path)\n"
    assert undeclared({"a.py": guarded, "b.py": lazy}) == []
    assert undeclared({"b.py": lazy}) == ["accimage"]
    assert undeclared({"a.py": guarded, "b.py": "import accimage\n"}) == ["accimage"]


@pytest.mark.parametrize(
    "said",
    [
        "raise SystemExit(f'{name}. Install pandas, torch and scipy.')",
        "# install pandas first",
        "# pip3 install pandas",
    ],
)
def test_code_that_says_what_must_be_installed_names_it(said: str) -> None:
    assert undeclared({"a.py": f"import pandas\n{said}\n"}) == []
    assert undeclared({"a.py": "import pandas\n# a pandas table\nx = 'install it'\n"}) == ["pandas"]


@pytest.mark.parametrize("imported", ["import aws_cdk as cdk", "from aws_cdk import aws_s3"])
def test_one_distribution_has_all_of_a_package_that_many_once_shared(imported: str) -> None:
    facts = environment({"requirements.txt": "aws-cdk-lib==2.160.0\n", "app.py": imported})
    assert facts.uncovered == ()


def test_a_bare_folder_out_of_sight_is_no_module_that_is_used_otherwise() -> None:
    files = {"apps/marimo/server.py": "port = 1", "notebooks/a.py": "import marimo\napp = marimo.App()\n"}
    assert undeclared(files) == ["marimo"]
    assert undeclared(files | {"notebooks/a.py": "import marimo\nprint(marimo.server.port)\n"}) == []
    assert undeclared(files | {"notebooks/a.py": "import marimo\n"}) == []
