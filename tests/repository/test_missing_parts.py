"""Configurations, modules and names that the code needs and the repository does not have."""

from __future__ import annotations

import pytest

from assay.repository.check import judge
from assay.repository.facts import read_repository
from assay.tree import tree_of


def found(code: str, files: dict[str, str]) -> list[tuple[str, str]]:
    outcomes = judge(read_repository(tree_of({"README.md": "# M\n", **files})))
    return [(f.severity.value, f.message) for o in outcomes for f in o.findings if o.code == code]


READS = "import yaml\nsettings = yaml.safe_load(open({!r}))\n"


@pytest.mark.parametrize(
    "files",
    [
        {"train.py": READS.format("configs/base.yaml")},
        {
            "train.py": "from lib import Config\nc = Config('configs/base.yaml')\n",
            "lib.py": "class Config:\n    def __init__(self, path):\n        self.stream = open(path)\n",
        },
        {
            "train.py": "import os\nfrom places import FOLDER, NAME\nopen(os.path.join(FOLDER, NAME + '.yaml'))\n",
            "places.py": "FOLDER = 'configs'\nNAME = 'base'\n",
        },
        {
            "train.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--cfg', default='base')\n"
            "args = p.parse_args()\nopen('configs/{}.yaml'.format(args.cfg))\n"
        },
        {"train.py": "import shutil\nshutil.copy('configs/base.yaml', 'out/base.yaml')\n"},
        {"train.py": "def run(config='configs/base.yaml'):\n    open(config)\nrun()\n"},
        {"train.py": READS.format("configs/base.yaml"), "README.md": "# M\nThe settings are in `base.yaml`.\n"},
    ],
)
def test_a_configuration_that_is_read_and_not_there_is_reported(files: dict[str, str]) -> None:
    [(severity, message)] = found("R215", files)
    assert (severity, message) == ("warning", "the code reads configs/base.yaml, which is not in the repository")


@pytest.mark.parametrize(
    "files",
    [
        {"train.py": READS.format("configs/base.yaml"), "configs/base.yaml": "a: 1\n"},
        {"train.py": READS.format("base.yaml"), "src/configs/base.yaml": "a: 1\n"},
        {"train.py": READS.format("a.yaml") + "with open('a.yaml', 'w') as f:\n    f.write('x')\n"},
        {"train.py": READS.format("a.yaml"), "README.md": "# M\nCopy `default.yml` to `a.yaml` first.\n"},
        {"train.py": "import os\nopen(os.path.join(folder, 'a.yaml'))\n"},
        {"train.py": "save_settings('a.yaml')\n"},
        {"test_train.py": "def test_it():\n    " + READS.format("a.yaml").replace("\n", "\n    ").rstrip()},
    ],
)
def test_a_configuration_that_is_there_or_made_is_not(files: dict[str, str]) -> None:
    assert found("R215", files) == []


def test_a_program_of_hydra_without_its_configuration_cannot_start() -> None:
    code = "import hydra\n@hydra.main(config_path='conf', config_name='main')\ndef f(c):\n    pass\nf()\n"
    assert found("R215", {"train.py": code, "conf/other.yaml": "a: 1\n"}) == [
        ("error", "the code reads conf/main.yaml, which is not in the repository")
    ]
    assert found("R215", {"train.py": code, "conf/main.yaml": "a: 1\n"}) == []


HELPERS = "import os\nif os.name == 'nt':\n    A = 1\nelse:\n    A = 2\ndef train():\n    global STATE\n    STATE = 1\n"


def test_a_name_that_no_module_defines_is_reported() -> None:
    files = {"train.py": "from helpers import evaluate\nevaluate()\n", "helpers.py": HELPERS}
    assert found("R216", files) == [("warning", "`evaluate` is imported by 1 file, and helpers.py does not define it")]
    files["README.md"] = "# M\n```bash\npython train.py\n```\n"
    assert [severity for severity, _ in found("R216", files)] == ["error"]


def test_a_file_that_imports_it_twice_counts_once() -> None:
    lazy = "def {0}():\n    from helpers import evaluate\n    evaluate()\n"
    files = {"train.py": lazy.format("a") + lazy.format("b"), "helpers.py": HELPERS}
    assert [message for _, message in found("R216", files)] == [
        "`evaluate` is imported by 1 file, and helpers.py does not define it"
    ]


def test_a_module_that_a_package_lacks_is_reported_once() -> None:
    files = {
        "core/__init__.py": "",
        "core/nets.py": "x = 1\n",
        "a.py": "from core.losses import dice\n",
        "b.py": "import core.losses\n",
    }
    assert found("R216", files) == [("warning", "`core.losses` is imported by 2 files, and core has no such module")]


@pytest.mark.parametrize(
    "files",
    [
        {"train.py": "from helpers import train, A, os, STATE\n", "helpers.py": HELPERS},
        {
            "train.py": "try:\n    from helpers import gone\nexcept ImportError:\n    gone = None\n",
            "helpers.py": "A = 1\n",
        },
        {"train.py": "from helpers import b\n", "helpers.py": "from parts import *\n", "parts.py": "b = 1\n"},
        {"train.py": "from helpers import b\n", "helpers.py": "from numpy import *\n"},
        {"train.py": "from helpers import b\n", "helpers.py": "globals()['b'] = 1\n"},
        {"train.py": "from helpers import b\n", "helpers.py": "def __getattr__(name):\n    return 1\n"},
        {"train.py": "from pkg import sub\n", "pkg/__init__.py": "", "pkg/sub.py": ""},
        {"train.py": "from pkg import fast\n", "pkg/__init__.py": "", "pkg/fast.pyx": ""},
        {"train.py": "from pkg.fast import run\n", "pkg/__init__.py": "", "pkg/a.py": "", "pkg/fast.cpp": ""},
        {"train.py": "from utils import x\n", "a/utils.py": "y = 1\n", "b/utils.py": "x = 1\n"},
        {"train.py": "from helpers import b\n", "helpers.py": "def f(:\n"},
        {"train.py": "from datasets import load\n", "datasets/a.py": "", "requirements.txt": "datasets==2.0\n"},
    ],
)
def test_what_may_be_defined_all_the_same_is_not(files: dict[str, str]) -> None:
    assert found("R216", files) == []


def test_an_import_inside_a_function_is_a_warning() -> None:
    files = {
        "README.md": "# M\n```bash\npython train.py\n```\n",
        "train.py": "import helpers\ndef f():\n    from helpers import gone\nhelpers.A\n",
        "helpers.py": "A = 1\n",
    }
    assert [severity for severity, _ in found("R216", files)] == ["warning"]


@pytest.mark.parametrize(
    ("code", "reported"),
    [
        ("def run(model, args):\n    model.eval()\n    setattr(model, 'a', 1)\n    return vars(args)\n", True),
        ("import sys\nsetattr(sys.modules[__name__], 'absent', 1)\n", False),
        ("vars()['absent'] = 1\n", False),
        ("globals().update(absent=1)\n", False),
        ("def __getattr__(name):\n    return 1\n", False),
    ],
)
def test_only_code_that_defines_names_at_run_time_leaves_a_module_open(code: str, reported: bool) -> None:
    files = {"train.py": "from helpers import absent\n", "helpers.py": code}
    assert bool(found("R216", files)) is reported


def test_a_configuration_that_only_an_unused_function_reads_is_a_note() -> None:
    files = {"train.py": "def run(config='configs/base.yaml'):\n    open(config)\n"}
    assert [severity for severity, _ in found("R215", files)] == ["note"]


HYDRA = "import hydra\n@hydra.main(config_path='conf', config_name='main')\ndef f(c):\n    pass\nf()\n"


@pytest.mark.parametrize(
    ("defaults", "absent"),
    [
        ("- model: gcn\n  - data: mutag\n", ["conf/data/mutag.yaml"]),
        ("- base\n", ["conf/base.yaml"]),
        ("- model: gcn\n  - data: null\n  - _self_\n", []),
        ("- override hydra/job_logging: disabled\n  - optional local: me\n  - hydra/launcher: slurm\n", []),
        ("- data: ${oc.env:DATA}\n", []),
    ],
)
def test_a_default_of_hydra_needs_its_file(defaults: str, absent: list[str]) -> None:
    main = f"defaults:\n  {defaults}lr: 0.1\n"
    files = {"train.py": HYDRA, "conf/main.yaml": main, "conf/model/gcn.yaml": "a: 1\n"}
    reported = [message for _, message in found("R215", files)]
    assert reported == [f"the code reads {path}, which is not in the repository" for path in absent]


def test_a_module_of_a_bare_package_may_be_called_like_the_package() -> None:
    files = {"lib/utils/utils.py": "A = 1\n", "train.py": "from lib.utils import utils\nprint(utils.A)\n"}
    assert found("R216", files) == []


def test_a_submodule_is_missing_though_others_are_called_so() -> None:
    files = {
        "model/train/__init__.py": "",
        "model/__init__.py": "from .train.train import fit\n",
        "train.py": "A = 1\n",
    }
    assert len(found("R216", files)) == 1


def test_a_missing_part_of_a_copied_package_is_one_finding() -> None:
    files = {
        "train.py": "from lib.flow.net import A\nfrom lib.flow.viz import B\nfrom lib.flow import C\n",
        "lib/__init__.py": "",
        "lib/main.py": "",
    }
    [(_, message)] = found("R216", files)
    assert message == "`lib.flow.net` and 2 more of its modules are imported by 1 file, and lib has no such module"


def test_modules_that_building_makes_are_not_missing() -> None:
    files = {"lib/__init__.py": "from .version import V\nfrom ._nms import lib\n", "train.py": "import lib\n"}
    assert found("R216", files) == []
