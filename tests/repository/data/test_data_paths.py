"""Paths are put together in many ways; each is followed to the file it means."""

import pytest
from data_trees import data_of

TABLE = "a,b\n1,2\n"


def read_in(text: str, *, path: str = "train.py", data: str = "data/train.csv", **others: str) -> tuple[str, ...]:
    """The files of the repository that the (last) read finds."""
    facts = data_of({path: text, data: TABLE, **others})
    return facts.reads[-1].found


@pytest.mark.parametrize(
    "expression",
    [
        "pd.read_csv('data/train.csv')",
        "pd.read_csv('./data/train.csv')",
        "pd.read_csv(os.path.join('data', 'train.csv'))",
        "pd.read_csv(Path('data') / 'train.csv')",
        "pd.read_csv(Path('data').joinpath('train.csv'))",
        "pd.read_csv(f'data/{name}.csv')",
        "pd.read_csv('data/%s.csv' % name)",
        "pd.read_csv('data/{}.csv'.format(name))",
        "pd.read_csv('data' + '/train.csv')",
        "pd.read_csv(filepath_or_buffer='data/train.csv')",
        "open('data/train.csv')",
        "glob.glob('data/*.csv')",
        "Path('data/train.csv').read_text()",
        "np.loadtxt(os.path.abspath('data/train.csv'))",
        "pd.read_csv(os.path.join(os.path.dirname(__file__), 'data', 'train.csv'))",
        "pd.read_csv(Path(__file__).parent / 'data' / 'train.csv')",
        "pd.read_csv(os.environ.get('X', 'data/train.csv'))",
    ],
)
def test_expressions_lead_to_the_file(expression: str) -> None:
    text = f"import os, glob\nimport numpy as np\nimport pandas as pd\nfrom pathlib import Path\nd = {expression}\n"
    assert read_in(text) == ("data/train.csv",)


def test_constants_options_and_fields_are_looked_up() -> None:
    head = "import argparse, os\nimport pandas as pd\n"
    constant = head + "ROOT = 'data'\nd = pd.read_csv(os.path.join(ROOT, 'train.csv'))\n"
    assert read_in(constant) == ("data/train.csv",)
    option = head + "p = argparse.ArgumentParser()\np.add_argument('--data-dir', default='data')\na = p.parse_args()\n"
    assert read_in(option + "d = pd.read_csv(os.path.join(a.data_dir, 'train.csv'))\n") == ("data/train.csv",)
    field = head + "class Config:\n    root = 'data'\nd = pd.read_csv(cfg.root + '/train.csv')\n"
    assert read_in(field) == ("data/train.csv",)
    yaml = head + "d = pd.read_csv(cfg['train_file'])\n"
    assert read_in(yaml, **{"config.yaml": "data:\n  train_file: data/train.csv\n"}) == ("data/train.csv",)


def test_parameters_get_what_the_calls_give() -> None:
    text = "import pandas as pd\ndef load(path):\n    return pd.read_csv(path)\nd = load('data/train.csv')\n"
    assert read_in(text) == ("data/train.csv",)


def test_paths_are_seen_from_the_script_and_from_the_root() -> None:
    text = "import pandas as pd\nd = pd.read_csv('../data/train.csv')\n"
    assert read_in(text, path="src/train.py") == ("data/train.csv",)
    assert read_in("import pandas as pd\nd = pd.read_csv('train.csv')\n", path="data/a.py") == ("data/train.csv",)


def test_a_file_that_a_script_makes_is_not_missing() -> None:
    made = {
        "make.py": "d.to_csv('out/clean.csv')\n",
        "train.py": "import pandas as pd\nd = pd.read_csv('out/clean.csv')\n",
    }
    [read] = data_of(dict(made)).reads
    assert not read.missing
    assert read.produced is not None
    assert str(read.produced) == "make.py:1:1"


def test_a_file_that_the_readme_names_is_not_missing() -> None:
    facts = data_of({"a.py": "open('big.csv')\n", "README.md": "Get `big.csv` from the authors.\n"})
    assert not facts.reads[0].missing


def test_what_is_opened_to_write_is_not_read() -> None:
    assert (
        data_of({"a.py": "open('x.csv', 'w')\nopen('y.csv', mode='a')\nimport gzip\ngzip.open('z.csv', 'wb')\n"}).reads
        == ()
    )


@pytest.mark.parametrize(
    ("path", "foreign"),
    [
        ("/home/alice/data.csv", True),
        ("C:\\\\Users\\\\anna\\\\d.csv", True),
        ("D:/data/d.csv", True),
        ("/content/drive/MyDrive/d.csv", True),
        ("/kaggle/input/x/d.csv", True),
        ("/tmp/cache.csv", False),
        ("/path/to/your/data", False),
        ("data/d.csv", False),
        ("/dev/null", False),
        ("https://example.org/home/you/y", False),
    ],
)
def test_paths_of_one_machine(path: str, foreign: bool) -> None:
    facts = data_of({"a.py": f"x = '{path}'\n"})
    assert bool(facts.foreign_paths) is foreign


@pytest.mark.parametrize(
    "code",
    [
        r"PATTERN = r'\\begin\{(?:table|figure)'",
        r"PATTERN = r'\\iffalse\b.*?\\fi\b'",
        r"PATTERN = r'x:\s+[0-9]'",
        r"import re; re.search(r'\\section\label', text)",
    ],
)
def test_regular_expressions_are_no_paths(code: str) -> None:
    assert data_of({"a.py": code}).foreign_paths == ()


def test_a_path_on_a_network_is_one() -> None:
    assert len(data_of({"a.py": r"x = r'\\server\share\d.csv'"}).foreign_paths) == 1


def test_routes_of_web_servers_are_no_paths() -> None:
    assert data_of({"a.py": "@app.get('/users/home/you')\ndef f(): pass\n"}).foreign_paths == ()


def test_a_default_that_an_option_may_replace_is_marked() -> None:
    option = "p.add_argument('--root', default='/home/alice/x')\n"
    facts = data_of({"a.py": option, "b.yaml": "root: /scratch/alice/x\n"})
    assert [(p.location.path, p.default) for p in facts.foreign_paths] == [("a.py", True), ("b.yaml", True)]
