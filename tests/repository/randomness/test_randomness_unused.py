"""Seeds that are declared in vain."""

from __future__ import annotations

import pytest
from seeded_trees import facts_of

from assay.repository.randomness import Declared, State

OPTION = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--seed', default=1)
args = parser.parse_args()
"""


def unused(files: dict[str, str] | str) -> list[tuple[Declared, str]]:
    return [(u.kind, u.name) for u in facts_of(files).unused]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (OPTION + "import torch\ntorch.rand(1)\n", [(Declared.OPTION, "seed")]),
        (OPTION + "print(f'seed {args.seed}')\n", [(Declared.OPTION, "seed")]),
        (OPTION + "print('seed', args.seed)\n", [(Declared.OPTION, "seed")]),
        (OPTION + "run(args.seed)\n", []),
        (OPTION + "run(**vars(args))\ndef run(seed):\n    go(seed)\n", []),
        ("SEED = 42\nprint(SEED)\n", [(Declared.VARIABLE, "SEED")]),
        ("SEED = 42\nrun(SEED)\n", []),
        ("_SEED = r'seeds?\\b'\nPATTERN = rf'fixed {_SEED}'\n", []),
        ("SEED = '42'\n", [(Declared.VARIABLE, "SEED")]),
        ("def run(x, seed=1):\n    return x\nrun(1)\n", [(Declared.PARAMETER, "seed")]),
        ("def run(x, seed=1):\n    raise NotImplementedError\nrun(1)\n", []),
        ("import numpy as np\nrng = np.random.RandomState(0)\nnp.random.rand()\n", [(Declared.GENERATOR, "rng")]),
        ("import numpy as np\nrng = np.random.RandomState(0)\nrng.rand()\n", []),
        ("import torch\ndef set_seed(s):\n    torch.manual_seed(s)\n", [(Declared.FUNCTION, "set_seed")]),
        ("class Args:\n    seed: int = 3\nmake(Args())\n", [(Declared.SETTING, "seed")]),
    ],
)
def test_what_is_declared_in_vain(code: str, found: list[tuple[Declared, str]]) -> None:
    assert unused(code) == found


def test_a_seed_read_in_another_example_does_not_help() -> None:
    files = {"a/main.py": OPTION, "b/main.py": OPTION + "run(args.seed)\n"}
    assert [(u.name, u.location.path) for u in facts_of(files).unused] == [("seed", "a/main.py")]


def test_a_seed_read_by_the_importer_is_used() -> None:
    assert unused({"train.py": "import options\nrun(options.args.seed)\n", "options.py": OPTION}) == []


def test_a_configuration_value_that_no_code_reads() -> None:
    assert unused({"train.py": "load('c.yaml')\n", "c.yaml": "seed: 1\n"}) == [(Declared.SETTING, "seed")]
    assert unused({"train.py": "run(load('c.yaml')['seed'])\n", "c.yaml": "seed: 1\n"}) == []


def test_the_run_says_that_its_seed_is_unused() -> None:
    (entry,) = facts_of(OPTION + "import torch\ntorch.rand(1)\n").entry_points
    assert entry.coverage[0].state is State.UNUSED
