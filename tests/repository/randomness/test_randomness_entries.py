"""Where runs begin."""

from __future__ import annotations

import pytest
from seeded_trees import facts_of, notebook

from assay.repository.randomness import Entry

DRAW = "import random\ndef main():\n    random.random()\n"


def kinds(files: dict[str, str]) -> dict[str, Entry]:
    return {e.name: e.kind for e in facts_of(files).entry_points}


def test_scripts_notebooks_and_plain_files_are_entry_points() -> None:
    files = {
        "guarded.py": DRAW + "if __name__ == '__main__':\n    main()\n",
        "plain.py": "import random\nprint(random.random())\n",
        "library.py": DRAW,
        "a.ipynb": notebook("import random\nrandom.random()"),
        "setup.py": "from setuptools import setup\nsetup(name='x')\n",
        "tests/test_x.py": "import random\nrandom.random()\n",
    }
    found = kinds(files)
    assert found == {"guarded.py": Entry.SCRIPT, "plain.py": Entry.SCRIPT, "a.ipynb": Entry.NOTEBOOK}


def test_a_file_that_others_import_is_no_script() -> None:
    assert kinds({"a.py": "import b\nb.f()\n", "b.py": "import random\nrandom.seed(1)\ndef f():\n    pass\n"}) == {
        "a.py": Entry.SCRIPT
    }


def test_a_script_called_test_that_evaluates_is_an_entry_point() -> None:
    code = "import argparse, torch\ntorch.rand(1)\n"
    assert kinds({"test.py": code}) == {"test.py": Entry.SCRIPT}


def test_commands_of_the_package_are_entry_points() -> None:
    files = {
        "pyproject.toml": "[project]\nname='x'\n[project.scripts]\nx-train = 'x.cli:main'\n",
        "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    x-eval = x.evaluate:main\n",
        "src/x/__init__.py": "",
        "src/x/cli.py": DRAW,
        "src/x/evaluate.py": DRAW,
    }
    assert kinds(files) == {"x-train": Entry.COMMAND, "x-eval": Entry.COMMAND}
    assert [c.uses for e in facts_of(files).entry_points for c in e.coverage] == [1, 1]


def test_the_main_block_of_an_imported_file_does_not_run() -> None:
    files = {
        "train.py": "import other, torch\ntorch.rand(1)\n",
        "other.py": "import torch\nif __name__ == '__main__':\n    torch.manual_seed(0)\n",
    }
    found = {e.path: [c.seeded for c in e.coverage] for e in facts_of(files).entry_points}
    assert found == {"train.py": [False], "other.py": []}


def test_runs_that_train_come_first_when_asked_for_the_main_ones() -> None:
    files = {
        "train.py": "import torch\nl = torch.nn.Linear(1, 1)\nl.loss.backward()\n",
        "plot.py": "import torch\ntorch.rand(1)\n",
    }
    facts = facts_of(files)
    assert [e.path for e in facts.main_entry_points] == ["train.py"]
    assert [e.path for e in facts_of({"plot.py": files["plot.py"]}).main_entry_points] == ["plot.py"]


def test_broken_setup_files_are_passed_over() -> None:
    assert kinds({"pyproject.toml": "[project\nscripts = 3", "train.py": "import random\nrandom.random()\n"}) == {
        "train.py": Entry.SCRIPT
    }


@pytest.mark.parametrize(("notebooks", "main"), [(3, 1), (30, 31)])
def test_where_hardly_any_run_is_seen_to_train_all_count(notebooks: int, main: int) -> None:
    drawing = "import numpy as np\nw = np.random.rand(3)\n"
    files = {f"sample_{i}.py": drawing for i in range(notebooks)} | {"svm.py": drawing + "model.fit(w)\n"}
    assert len(facts_of(files).main_entry_points) == main


def test_a_class_that_a_package_gives_out_by_its_modules_name_is_entered() -> None:
    files = {
        "train.py": "from lib.models import TransE\nmodel = TransE(3)\n",
        "lib/__init__.py": "",
        "lib/models/__init__.py": "from .TransE import TransE\n",
        "lib/models/TransE.py": (
            "import torch.nn as nn\nclass TransE(nn.Module):\n    def __init__(self, n):\n"
            "        super().__init__()\n        self.e = nn.Embedding(n, n)\n"
        ),
    }
    assert [c.uses for e in facts_of(files).entry_points for c in e.coverage] == [1]


def test_runs_near_the_root_are_followed_first_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.repository.randomness.reader._MAX_RUNS", 2)
    plain = "import random\nprint(random.random())\n"
    facts = facts_of({"a/copy/b.py": plain, "a/copy/c.py": plain, "run.py": plain, "train.py": plain})
    assert [e.path for e in facts.entry_points] == ["run.py", "train.py"]
    assert facts.left_out == ("only 2 of 4 entry points were followed",)


def test_a_script_that_the_readme_runs_is_one_though_others_import_from_it() -> None:
    files = {
        "citation.py": "import random\ndef fit():\n    return random.random()\nfit()\n",
        "tuning.py": "from citation import fit\nfit()\n",
    }
    assert set(kinds(files)) == {"tuning.py"}
    assert set(kinds({**files, "README.md": "```\n$ python -u citation.py --tuned\n```\n"})) == set(files)


def test_a_run_that_only_restores_pretrained_models_draws_no_weights() -> None:
    code = (
        "import torch, torchvision\nmodel = torchvision.models.resnet50()\nmodel.load_state_dict(torch.load('w.pth'))\n"
    )
    assert [e.coverage for e in facts_of({"load_pretrained_models.py": code}).entry_points] == [()]


def test_a_library_that_comes_through_a_file_of_its_own_name_is_that_library() -> None:
    files = {
        "utils/__init__.py": "from utils.torch import *\n",
        "utils/torch.py": "import torch\ndef to_device(x):\n    return x\n",
        "train.py": "from utils import *\ntorch.manual_seed(1)\ntorch.rand(3)\n",
    }
    (run,) = [e for e in facts_of(files).entry_points if e.path == "train.py"]
    assert [c.seeded for c in run.coverage] == [True]


@pytest.mark.parametrize(("given", "uses"), [("", 1), ("pretrained=False", 1), ("pretrained=True", 0)])
def test_weights_that_come_with_a_network_are_not_drawn(given: str, uses: int) -> None:
    code = f"import torchvision\nmodel = torchvision.models.resnet18({given})\nprint(model)\n"
    assert sum(c.uses for e in facts_of({"a.py": code}).entry_points for c in e.coverage) == uses
