"""A path is followed to where its parts are written; what nobody can know stays unknown."""

from __future__ import annotations

import pytest

from assay.code import read_code
from assay.program.declared import own_settings
from assay.program.paths import Path, Paths, around
from assay.tree import tree_of

PARSER = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--root', default='data')\nargs = p.parse_args()\n"
)


def paths_in(files: dict[str, str], reader: str = "a.py") -> list[Path]:
    """What the first `open` of a file may be given."""
    tree = tree_of(files)
    code = read_code(tree)
    source = code.source(reader)
    assert source is not None
    [call, *_] = source.calls.of(("open",))
    return Paths(code, own_settings(tree, code)).read(call.args[0], source, around(call, source))


def patterns(files: dict[str, str]) -> list[str]:
    return [path.pattern for path in paths_in(files)]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.py": "FOLDER = 'x'\nopen('{}/{name}.csv'.format(FOLDER, name='b'))\n"}, ["x/b.csv"]),
        ({"a.py": "FOLDER = 'x'\nopen('%s/%d.csv' % (FOLDER, 3))\n"}, ["x/3.csv"]),
        ({"a.py": "from b import FOLDER\nopen(FOLDER + '/c.csv')\n", "b.py": "FOLDER = 'x'\n"}, ["x/c.csv"]),
        ({"a.py": "import b\nopen(b.FOLDER + '/c.csv')\n", "b.py": "FOLDER = 'x'\n"}, ["x/c.csv"]),
        ({"a.py": "from b import *\nopen(FOLDER + '/c.csv')\n", "b.py": "FOLDER = 'x'\n"}, ["x/c.csv"]),
        ({"a.py": PARSER + "open(f'{args.root}/c.csv')\n"}, ["data/c.csv"]),
        ({"a.py": "open(cfg.table)\n", "conf.yaml": "data:\n  table: x/c.csv\n"}, ["x/c.csv"]),
        (
            {"a.py": "def read(path):\n    open(path)\n", "b.py": "from a import read\nread('x/c.csv')\n"},
            ["x/c.csv"],
        ),
        ({"a.py": "def read(path='x'):\n    open(path)\nread('y')\n"}, ["y", "x"]),
        ({"a.py": "import sys\nopen('x/' + sys.argv[1] + '.csv')\n"}, ["x/*.csv"]),
        ({"a.py": "open(ask())\n"}, []),
        # another function of that name, and another library's
        ({"a.py": "def load(path):\n    open(path)\n", "b.py": "import torch\ntorch.load('x')\n"}, []),
        ({"a.py": "import torch\ndef load(path):\n    open(path)\ntorch.load('x')\n"}, []),
    ],
)
def test_expressions_lead_to_paths(files: dict[str, str], expected: list[str]) -> None:
    assert patterns(files) == expected


def test_a_default_of_an_option_may_be_replaced_and_its_own_place_is_known() -> None:
    [path] = paths_in({"a.py": PARSER + "open(args.root)\n"})
    assert path.replaceable
    assert str(path.location).startswith("a.py:3")
    [fixed] = paths_in({"a.py": "open('data')\n"})
    assert not fixed.replaceable
