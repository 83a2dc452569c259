"""What a finding weighs depends on whether a documented run uses the file that it is about."""

from __future__ import annotations

import json

import pytest

from assay.findings import Finding, Severity
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.repository.priorities import by_first_stop
from assay.tree import tree_of

README = "# Model\n```\npython train.py\n```\n"
PINS = "numpy==1.26.4\n"


def findings(code: str, files: dict[str, str]) -> list[Finding]:
    return [f for f in assess(read_repository(tree_of(files))).findings if f.code == code]


def said(code: str, files: dict[str, str]) -> list[tuple[str, str]]:
    return [(f.severity.value, f.message) for f in findings(code, files)]


def notebook(code: str) -> str:
    cells = [{"cell_type": "code", "source": code, "execution_count": 1, "metadata": {}, "outputs": []}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_a_notebook_that_nothing_mentions_weighs_less() -> None:
    files = {"README.md": README, "train.py": "print(1)\n", "look.ipynb": notebook("print(threshold)")}
    (aside,) = findings("R703", files)
    assert aside.severity is Severity.NOTE
    assert aside.evidence[-1].text == "No documented command or main run uses this file."
    (named,) = findings("R703", files | {"README.md": README + "The figures are made in look.ipynb.\n"})
    assert named.severity is Severity.WARNING


def test_where_no_run_is_documented_every_file_counts() -> None:
    (found,) = findings("R703", {"look.ipynb": notebook("print(threshold)")})
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("start", "severity"),
    [
        ("import engine\n", "error"),
        ("from engine import run\n", "error"),
        ("def main():\n    import engine\n", "warning"),
        ("print(1)\n", "note"),
        ("import importlib\nimportlib.import_module('eng' + 'ine')\n", "warning"),
    ],
)
def test_a_missing_name_is_an_error_only_if_a_documented_run_stops_there(start: str, severity: str) -> None:
    files = {
        "README.md": README,
        "train.py": start,
        "engine.py": "from helpers import absent\ndef run():\n    pass\n",
        "helpers.py": "present = 1\n",
    }
    assert said("R216", files) == [(severity, "`absent` is imported by 1 file, and helpers.py does not define it")]


def test_a_package_that_python_runs_first_stops_what_is_inside_it() -> None:
    files = {
        "README.md": README,
        "train.py": "from tools.fit import fit\n",
        "tools/__init__.py": "from .losses import dice\n",
        "tools/fit.py": "def fit():\n    pass\n",
    }
    assert said("R216", files) == [("error", "`losses` is imported by 1 file, and tools has no such module")]


def test_a_missing_module_is_reported_by_one_rule() -> None:
    files = {
        "README.md": README,
        "train.py": "from dataset.hands import Hands\nfrom dataset.faces import Faces\n",
        "dataset/faces.py": "Faces = 1\n",
    }
    assert said("R216", files) == [("error", "`dataset.hands` is imported by 1 file, and dataset has no such module")]
    assert said("R303", files) == []


def test_what_a_module_imports_to_try_itself_out_is_optional() -> None:
    demonstration = 'def rouge():\n    pass\nif __name__ == "__main__":\n    from utils.parsers import parser\n'
    files = {"README.md": README, "train.py": "from scores import rouge\n", "scores.py": demonstration}
    assert [severity for severity, _ in said("R303", files)] == ["note"]
    files["train.py"] = demonstration
    assert [severity for severity, _ in said("R303", files)] == ["error"]


def test_a_public_package_is_not_the_authors_own_because_a_demonstration_lacks_a_module() -> None:
    copied = 'from pyrouge.utils import log\nif __name__ == "__main__":\n    from utils.parsers import parser\n'
    files = {"README.md": README, "train.py": "import scores\n", "scores.py": copied, "requirements.txt": PINS}
    assert not any("pyrouge" in message for _, message in said("R303", files))


@pytest.mark.parametrize("asked", ["from lib.utils.boxes import overlap\n", "from lib.utils import boxes\n"])
def test_a_compiled_module_with_a_dotted_name_is_the_repositorys_own(asked: str) -> None:
    files = {
        "README.md": README,
        "train.py": asked,
        "lib/__init__.py": "",
        "lib/utils/__init__.py": "",
        "lib/utils/bbox.pyx": "x = 1\n",
        "lib/setup.py": "from setuptools import setup, Extension\n"
        'setup(name="x", ext_modules=[Extension("utils.boxes", ["utils/bbox.pyx"])])\n',
    }
    assert said("R303", files) == []
    assert said("R216", files) == []


def test_a_debugger_is_a_note() -> None:
    files = {"requirements.txt": PINS, "train.py": "import numpy\nimport pudb\n"}
    assert [severity for severity, _ in said("R302", files)] == ["note"]


def test_paths_of_one_machine_are_one_finding() -> None:
    read = 'import numpy\nx = numpy.load("/home/me/data/{}.npy")\n'
    files = {"README.md": README, "train.py": "import a, b\n", "a.py": read.format("a"), "b.py": read.format("b")}
    (found,) = said("R502", files)
    assert found == ("warning", "2 paths from one machine in 2 files: /home/me/data/a.npy, /home/me/data/b.npy")


@pytest.mark.parametrize(
    "code",
    [
        "# set IMAGES to the folder of the images\nIMAGES = '/home/me/images'\nopen(IMAGES)\n",
        "import os\nif os.path.exists('/home/me/images'):\n    print('here')\n",
        "print('/home/me/images')\n",
        "import sys\nif sys.argv[1] == '/home/me/images':\n    print(1)\n",
    ],
)
def test_a_path_that_stops_nobody_is_a_note(code: str) -> None:
    assert [severity for severity, _ in said("R502", {"train.py": code})] == ["note"]


@pytest.mark.parametrize(
    "code",
    [
        "def unused_reader():\n    return open('/home/me/x.txt')\n",
        "def used():\n    return 1\nif __name__ == '__main__':\n    open('/home/me/x.txt')\n",
    ],
)
def test_a_path_where_no_run_comes_is_a_note(code: str) -> None:
    files = {"README.md": README, "train.py": "import parts\nparts.used()\n", "parts.py": code}
    assert [severity for severity, _ in said("R502", files)] == ["note"]


def test_a_script_that_shows_how_to_use_a_package_weighs_less() -> None:
    fit = "import numpy\nfrom sklearn.svm import SVC\nSVC().fit(numpy.random.rand(3), [1, 2, 3])\n"
    package = {"setup.py": "from setuptools import setup\nsetup(name='m')\n", "examples/simple.py": fit}
    assert [severity for severity, _ in said("R401", package)] == ["note"]
    readme = {"README.md": "# M\n```\npython examples/simple.py\n```\n"}
    assert [severity for severity, _ in said("R401", package | readme)] == ["error"]


def test_a_path_inside_a_command_of_the_program_is_found() -> None:
    code = "import os\nos.system('torcs -r /home/alice/.torcs/config/practice.xml -nofuel &')\n"
    assert said("R502", {"train.py": code}) == [
        ("warning", "1 path from one machine: /home/alice/.torcs/config/practice.xml"),
    ]


def test_environments_of_one_kind_are_alternatives() -> None:
    files = {
        "env.yml": "name: a\ndependencies:\n  - numpy=1.26.4\n",
        "env.cpu.yml": "name: a\ndependencies:\n  - numpy=1.25.0\n",
        "train.py": "import numpy\n",
    }
    assert said("R306", files) == [("note", "numpy is 1.25.0 in env.cpu.yml and 1.26.4 in env.yml")]
    both = {
        "requirements.txt": PINS,
        "env.yml": "name: a\ndependencies:\n  - numpy=1.25.0\n",
        "train.py": "import numpy\n",
    }
    assert said("R306", both) == [("warning", "numpy is 1.25.0 in env.yml and 1.26.4 in requirements.txt")]


def test_what_a_declared_package_installs_is_a_note() -> None:
    files = {"requirements.txt": "scvi-tools==1.0.0\n", "train.py": "import scvi, scipy, yaml\n"}
    assert said("R302", files) == [
        ("note", "no manifest declares `scipy`, which 1 file imports; scvi-tools happens to bring it"),
        ("note", "no manifest declares `yaml`, which 1 file imports; scvi-tools happens to bring it"),
    ]


def test_a_list_that_leaves_out_many_packages_is_one_finding() -> None:
    files = {"requirements.txt": PINS, "train.py": "import numpy, torch, cv2, nibabel, skimage\n"}
    assert said("R302", files) == [
        ("warning", "no manifest declares 4 packages that the code imports: cv2, nibabel, skimage, torch")
    ]


def test_weights_that_are_loaded_at_several_places_are_one_finding() -> None:
    load = 'import torch\nm = torch.load("best.pt")\nn = torch.load("best.pt")\n'
    assert said("R602", {"test.py": load}) == [
        (
            "warning",
            "best.pt is loaded at 2 places; it is not in the repository, nothing saves it, and no weights are linked",
        )
    ]


def test_a_module_called_almost_like_a_file_beside_it_is_the_authors_own() -> None:
    files = {
        "README.md": README,
        "requirements.txt": PINS,
        "train.py": "import numpy\nimport dist_util\n",
        "dist_util_torch.py": "x = 1\n",
    }
    assert said("R303", files) == [
        ("error", "`dist_util` seems to be a file of the authors' own, and not in the repository")
    ]
    assert said("R302", files) == []
    wrapper = {"dist_util_torch.py": "import dist_util\n"}
    assert said("R303", files | wrapper) == []


def test_weights_are_matched_with_links_by_their_names() -> None:
    load = {"test.py": 'import torch\nm = torch.load("weights/best.pt")\n'}
    linked = "Weights: https://zenodo.org/record/1/files/{}\n"
    assert [s for s, _ in said("R602", load)] == ["warning"]
    assert [s for s, _ in said("R602", load | {"README.md": linked.format("other.pt")})] == ["note"]
    assert said("R602", load | {"README.md": linked.format("best.pt")}) == []


def test_modules_of_python_in_a_list_of_packages_stop_the_installer() -> None:
    files = {"requirements.txt": "numpy==1.26.4\nmath\nos\n", "train.py": "import math, os, numpy\n"}
    assert said("R305", files) == [("warning", "`math`, `os` are part of Python, and pip finds no such package")]
    assert said("R304", files) == []


def test_first_comes_what_stops_the_first_command() -> None:
    files = {
        "README.md": README,
        "requirements.txt": PINS,
        "train.py": "import cv2, numpy\nfrom sklearn.svm import SVC\nx = numpy.random.rand(3)\nSVC().fit(x, x)\n",
    }
    found = [f for f in assess(read_repository(tree_of(files))).findings if f.severity is not Severity.NOTE]
    codes = list(dict.fromkeys(f.code for f in sorted(found, key=by_first_stop)))
    assert codes.index("R302") < codes.index("R401")
    assert codes.index("R302") < codes.index("R101")


def test_runs_with_one_cause_are_one_finding() -> None:
    fit = "import numpy\nfrom sklearn.svm import SVC\nfrom draw import draw\nSVC().fit(draw(), [1, 2, 3])\n"
    files = {
        "README.md": "# M\n```\npython a_train.py\npython b_train.py\n```\n",
        "draw.py": "import numpy\ndef draw():\n    return numpy.random.rand(3)\n",
        "a_train.py": fit,
        "b_train.py": fit,
    }
    assert said("R401", files) == [("error", "a_train.py, b_train.py: no seed is set for numpy")]


def test_many_runs_without_any_seed_are_one_finding() -> None:
    fit = "import numpy\nfrom sklearn.svm import SVC\nSVC().fit(numpy.random.rand(3), [1, 2, 3])\n"
    names = [f"{letter}_train.py" for letter in "abcd"]
    readme = "# M\n```\n" + "".join(f"python {name}\n" for name in names) + "```\n"
    files = {"README.md": readme, **dict.fromkeys(names, fit)}
    assert said("R401", files) == [
        ("error", "a_train.py, b_train.py, c_train.py and 1 more: no seed is set for numpy"),
    ]


def test_a_network_that_is_only_loaded_needs_no_seed_beside_another_model() -> None:
    code = (
        "import torch\nfrom sklearn.linear_model import LinearRegression\nnet = torch.nn.Linear(2, 2)\n"
        "net.load_state_dict(torch.load('net.pt'))\nLinearRegression().fit(net.weight, [1, 2])\n"
    )
    assert said("R401", {"look.py": code}) == []


def test_a_seed_that_is_drawn_and_written_down_is_a_note() -> None:
    code = (
        "import argparse, json, random, torch\np = argparse.ArgumentParser()\np.add_argument('--seed', type=int)\n"
        'cfg = vars(p.parse_args())\nif cfg["seed"] is None:\n    cfg["seed"] = random.randint(1, 9)\n{}'
        'torch.manual_seed(cfg["seed"])\nm = torch.nn.Linear(2, 2)\n'
        "o = torch.optim.SGD(m.parameters(), lr=1)\nm(torch.ones(2, 2)).sum().backward()\no.step()\n"
    )
    said_of = "the seed of torch is drawn anew unless the user sets one"
    assert said("R402", {"train.py": code.format("")}) == [("warning", said_of)]
    assert said("R402", {"train.py": code.format("print(cfg)\n")}) == [("note", said_of)]


def test_a_command_beside_a_link_to_another_project_is_a_note() -> None:
    readme = "# M\nInstall https://github.com/others/esm and execute in their repository:\n```\n{}\n```\n"
    files = {"train.py": "print(1)\n", "README.md": readme.format("python scripts/extract.py\npython train.py")}
    assert [severity for severity, _ in said("R211", files)] == ["note"]


def test_packages_of_a_file_that_no_documented_run_uses_are_notes() -> None:
    files = {"README.md": README, "requirements.txt": PINS, "train.py": "import numpy\n", "remote.py": "import cv2\n"}
    assert [severity for severity, _ in said("R302", files)] == ["note"]


def test_without_a_list_of_packages_their_versions_are_no_second_complaint() -> None:
    files = {"Dockerfile": "FROM python:3.11\nRUN pip install numpy torch\n", "train.py": "import numpy, torch, cv2\n"}
    assert [severity for severity, _ in said("R301", files)] == ["warning"]
    assert [severity for severity, _ in said("R304", files)] == ["note"]


def test_a_draw_that_only_makes_another_librarys_seed_is_reported_there() -> None:
    train = (
        "import numpy, torch\ntorch.manual_seed(numpy.random.randint(100))\nm = torch.nn.Linear(3, 1)\n"
        "o = torch.optim.SGD(m.parameters(), lr=0.1)\nm(torch.randn(8, 3)).sum().backward()\no.step()\n"
    )
    files = {"README.md": README, "train.py": train}
    assert said("R401", files) == []
    assert said("R402", files) == [("warning", "the seed of torch changes from run to run")]


def test_dependencies_on_branches_are_one_finding() -> None:
    lines = "git+https://github.com/a/one.git\ngit+https://github.com/a/two.git\n"
    (found,) = said("R307", {"requirements.txt": lines, "train.py": "import one, two\n"})
    assert found == ("warning", "one, two follow a branch or tag, which can change")


def test_what_stands_in_for_a_missing_option_is_replaceable() -> None:
    code = (
        "import numpy\ndef run(o):\n    if o.data == '':\n        o.data = '/home/me/x.npy'\n    numpy.load(o.data)\n"
    )
    assert [severity for severity, _ in said("R502", {"train.py": code})] == ["note"]


@pytest.mark.parametrize(
    ("loader", "found"),
    [("test_loader", ["the best model so far is chosen by its score on test data"]), ("val_loader", [])],
)
def test_a_function_called_test_may_validate(loader: str, found: list[str]) -> None:
    code = (
        "import torch\nbest_acc = 0\ndef test(model):\n    global best_acc\n"
        f"    acc = sum(model(x) for x in {loader})\n    if acc > best_acc:\n        best_acc = acc\n"
    )
    train = code + "torch.nn.Linear(3, 1)(torch.ones(8, 3)).sum().backward()\n"
    assert [message for _, message in said("R109", {"train.py": train})] == found


def test_a_script_is_missing_once_and_linked_ones_are_elsewhere() -> None:
    readme = "# M\nRun `azure/mount.sh` to mount it: `bash azure/mount.sh`\n"
    files = {"README.md": readme, "train.py": "print(1)\n", "azure/sync.sh": "echo\n"}
    assert len(said("R211", files)) + len(said("R214", files)) == 1
    linked = {"README.md": "# M\nSample with [show-it.ipynb](https://example.org/colab).\n", "train.py": "print(1)\n"}
    assert said("R214", linked) == []


def test_a_distribution_may_be_called_lib_and_its_module() -> None:
    assert said("R302", {"requirements.txt": "libzero==0.0.8\n", "train.py": "import zero\n"}) == []


def test_a_drawn_seed_that_is_printed_can_be_used_again() -> None:
    draw = "import random, torch\nseed = random.randint(0, 9)\n{}torch.manual_seed(seed)\nm = torch.nn.Linear(3, 1)\n"
    fit = "o = torch.optim.SGD(m.parameters(), lr=0.1)\nm(torch.ones(8, 3)).sum().backward()\no.step()\n"
    assert [s for s, _ in said("R402", {"train.py": draw.format("") + fit})] == ["warning"]
    assert [s for s, _ in said("R402", {"train.py": draw.format("print('seed', seed)\n") + fit})] == ["note"]


def test_invalid_lines_of_one_file_are_one_finding() -> None:
    files = {"requirements.txt": "keras=2.2.4\nnumpy=1.15.4\n", "train.py": "import keras, numpy\n"}
    (found,) = said("R305", files)
    assert found == ("warning", "'keras=2.2.4' is not a valid requirement; likewise 1 other line")


def test_a_module_in_a_submodule_that_was_not_fetched_is_not_a_package() -> None:
    files = {
        ".gitmodules": '[submodule "x"]\n\tpath = third_party/midi\n\turl = https://example.org/midi.git\n',
        "third_party/notes.txt": "x\n",
        "train.py": "import third_party.midi.processor\nimport torch\n",
    }
    assert [message for _, message in said("R301", files)] == [
        "the code imports 1 package (torch), and no file declares them"
    ]


def test_the_same_choice_in_several_files_is_one_finding() -> None:
    best = "best_acc = 0\nfor epoch in range(9):\n    test_acc = run()\n    if test_acc > best_acc:\n        pass\n"
    files = {"README.md": "# M\n```\npython a.py\npython b.py\n```\n", "a.py": best, "b.py": best}
    (found,) = said("R109", files)
    assert found == ("warning", "the best model so far is chosen by its score on test data, also in 1 other file")


def test_commands_that_install_all_that_others_do_not_bring_are_a_list() -> None:
    readme = "# M\n## Setup\n```\npip install scikit-learn matplotlib\n```\n"
    files = {"README.md": readme, "train.py": "import numpy, scipy, sklearn, matplotlib\n"}
    assert [severity for severity, _ in said("R301", files)] == ["note"]
