"""One answer for a whole repository."""

from __future__ import annotations

from textwrap import dedent

import pytest

from assay.repository.facts import Repository, read_repository
from assay.repository.randomness import Seeding
from assay.tree import tree_of

DRAWS = "import random\nrandom.shuffle(x)\n"
SEEDED = "import random\nrandom.seed(1)\nrandom.shuffle(x)\n"
TRAINS = "import torch\nmodel = torch.nn.Linear(2, 1)\nmodel(x).backward()\n"
TRAINS_SEEDED = "import torch\ntorch.manual_seed(1)\nmodel = torch.nn.Linear(2, 1)\nmodel(x).backward()\n"


def repository(files: dict[str, str]) -> Repository:
    return read_repository(tree_of({path: dedent(text) for path, text in files.items()}))


@pytest.mark.parametrize(
    ("train", "seeding"),
    [
        (TRAINS_SEEDED, Seeding.ALL),
        (TRAINS_SEEDED + DRAWS, Seeding.SOME),
        (TRAINS, Seeding.NO),
        ("print(1)\n", Seeding.NOT_NEEDED),
    ],
)
def test_one_run_is_seeded_in_all_in_part_or_not(train: str, seeding: Seeding) -> None:
    assert repository({"train.py": train}).seeding is seeding


def test_a_seed_of_another_experiment_fixes_a_part() -> None:
    files = {"train.py": TRAINS, "baselines/train.py": TRAINS_SEEDED, "README.md": "Run `python train.py`.\n"}
    assert repository(files).seeding is Seeding.SOME


def test_a_seed_of_the_preparation_that_the_readme_names_fixes_a_part() -> None:
    files = {"train.py": TRAINS, "make_splits.py": SEEDED}
    assert repository({**files, "README.md": "First run `make_splits.py`, then train.py.\n"}).seeding is Seeding.SOME
    assert repository({**files, "README.md": "Run train.py.\n"}).seeding is Seeding.NO


def test_a_seed_of_the_evaluation_does_not_make_the_result() -> None:
    files = {"train.py": TRAINS, "eval/score.py": SEEDED, "README.md": "Run train.py, then eval/score.py.\n"}
    assert repository(files).seeding is Seeding.NO


def test_a_preparation_that_the_readme_tells_to_run_counts_with_the_training() -> None:
    readme = "```\npython sample_tasks.py\npython train.py\n```\n"
    files = {"train.py": TRAINS_SEEDED, "sample_tasks.py": DRAWS, "README.md": readme}
    assert repository(files).seeding is Seeding.SOME


def test_a_seed_tells_of_draws_that_are_out_of_sight() -> None:
    module = (
        "import numpy as np\ndef f(x):\n    return x\nif __name__ == '__main__':\n    np.random.seed(0)\n    f(1)\n"
    )
    files = {"setup.py": "from setuptools import setup\nsetup(name='x')\n", "x/__init__.py": "", "x/a.py": module}
    assert repository(files).seeding is Seeding.ALL


def test_a_bare_generator_is_no_seeded_draw() -> None:
    code = TRAINS + "g = torch.Generator()\nprint(g.get_state())\n"
    assert repository({"train.py": code}).seeding is Seeding.NO


@pytest.mark.parametrize(
    ("seed", "seeding"), [("RandomState(seed)", Seeding.NO), ("RandomState(EPOCHS[0])", Seeding.SOME)]
)
def test_a_seed_that_nobody_gives_fixes_nothing(seed: str, seeding: Seeding) -> None:
    code = f"import numpy as np\ndef order(seed):\n    return np.random.{seed}\nnp.random.shuffle(x)\nhooks = [order]\n"
    assert repository({"train.py": TRAINS + code}).seeding is seeding


def test_a_seed_in_the_functions_of_a_package_tells_of_no_run() -> None:
    files = {
        "DESCRIPTION": "Package: x\n",
        "NAMESPACE": "",
        "R/sim.R": "sim <- function(seed = 1977) {\n set.seed(seed)\n}\n",
    }
    assert repository(files).seeding is Seeding.NOT_NEEDED


def test_a_test_of_a_kernel_is_none_of_the_runs_that_make_the_result() -> None:
    files = {
        "opt.py": SEEDED,
        "test_kernel.py": "import torch\nprint(torch.randn(3))\n",
        "README.md": "```\npython test_kernel.py\npython opt.py\n```\n",
    }
    assert repository(files).seeding is Seeding.ALL


@pytest.mark.parametrize("condition", ["args.train", "args.do_train", "args.mode == 'train'"])
def test_the_wish_to_train_is_no_condition_of_the_seed(condition: str) -> None:
    code = f"""
        import argparse, torch
        def fit():
            torch.manual_seed(0)
            torch.nn.Linear(2, 1)(x).backward()
        p = argparse.ArgumentParser()
        p.add_argument("--train", action="store_true")
        p.add_argument("--do_train", action="store_true")
        p.add_argument("--mode", default="test")
        args = p.parse_args()
        if {condition}:
            fit()
        """
    assert repository({"run.py": code}).seeding is Seeding.ALL


def test_a_library_that_improves_reproducibility_seeds() -> None:
    code = "import zero\nzero.improve_reproducibility(0)\n"
    assert repository({"train.py": code + TRAINS}).seeding is Seeding.ALL


def test_a_model_that_only_tries_itself_out_is_no_run_where_the_readme_names_another() -> None:
    files = {
        "net.py": "import torch\nif __name__ == '__main__':\n    print(torch.nn.Linear(2, 1)(torch.randn(2)))\n",
        "test.py": (
            "import torch\ndef test_net(m):\n    print(m)\nm = torch.nn.Linear(2, 1)\nm.weight.data.normal_(0, 1)\n"
            "m.load_state_dict(torch.load('w.pth'))\ntest_net(m)\n"
        ),
        "README.md": "```\npython test.py\n```\n",
    }
    assert repository(files).seeding is Seeding.NOT_NEEDED


def test_commands_at_the_root_come_before_those_of_copied_projects() -> None:
    files = {
        "README.md": "```\npython train.py\n```\n",
        "bert/README.md": "```\npython run_squad.py\n```\n",
        "train.py": TRAINS_SEEDED,
        "bert/run_squad.py": TRAINS,
    }
    assert [run.path for run in repository(files).main_runs] == ["train.py"]
