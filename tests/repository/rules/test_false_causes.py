"""Innocent code that was accused once, beside the nearest code that is to blame."""

from __future__ import annotations

import pytest

from assay.repository.check import judge
from assay.repository.facts import read_repository
from assay.tree import tree_of

PINNED = {"requirements.txt": "numpy==1.26.4\nscikit-learn==1.4.0\n"}
FORESTS = "from sklearn.ensemble import RandomForestClassifier\nfrom sklearn.svm import SVC\n"
ENV = (
    "import numpy as np\nclass Env:\n    def __init__(self, rng=None):\n"
    "        self.rng = rng or np.random.default_rng()\n"
)
PACKAGE = "import random\nfrom . import tables\ndef seed(n):\n    random.seed(n)\n"
NIX = "{{ pkgs }}: pkgs.mkShell {{ buildInputs = [ (pkgs.python3.withPackages (ps: {})) ]; }}\n"


def severities(code: str, files: dict[str, str]) -> list[str]:
    outcomes = judge(read_repository(tree_of(PINNED | files)))
    return [f.severity.value for o in outcomes for f in o.findings if o.code == code]


@pytest.mark.parametrize(
    ("code", "innocent", "guilty"),
    [
        (
            "R401",
            {"train.py": FORESTS + "a = RandomForestClassifier()\nprint(a.get_params())\nSVC().fit(x, y)\n"},
            {"train.py": FORESTS + "a = RandomForestClassifier()\na.fit(x, y)\n"},
        ),
        (
            "R401",
            {"train.py": FORESTS + "m = {'rf': RandomForestClassifier(), 'svm': SVC()}\nm['svm'].fit(x, y)\n"},
            {"train.py": FORESTS + "m = {'rf': RandomForestClassifier(), 'svm': SVC()}\nm['rf'].fit(x, y)\n"},
        ),
        (
            "R402",
            {"train.py": ENV + "Env(np.random.default_rng(0)).rng.normal()\n"},
            {"train.py": ENV + "Env().rng.normal()\n"},
        ),
        (
            "R401",
            {
                "pkg/__init__.py": PACKAGE,
                "pkg/tables.py": "",
                "train.py": "import random\nimport pkg\npkg.tables\npkg.seed(1)\nprint(random.random())\n",
            },
            {
                "pkg/__init__.py": PACKAGE,
                "pkg/tables.py": "",
                "train.py": "import random\nimport pkg\npkg.tables\nprint(random.random())\n",
            },
        ),
        (
            "R502",
            {
                "train.py": "import os\nfolders = ['/home/me/data', '/mnt/data/sets']\nfor f in folders:\n"
                "    if os.path.exists(f):\n        break\n"
            },
            {"train.py": "import os\nfolders = ['/home/me/data', '/mnt/data/sets']\nos.listdir(folders[0])\n"},
        ),
    ],
)
def test_only_what_runs_is_reported(code: str, innocent: dict[str, str], guilty: dict[str, str]) -> None:
    assert not {"error", "warning"}.intersection(severities(code, innocent))
    assert {"error", "warning"}.intersection(severities(code, guilty))


@pytest.mark.parametrize(
    "packages",
    [
        "with ps; [ numpy h5py ]",
        "[ ps.numpy ps.h5py ]",
        "with pkgs.python3Packages; [ h5py ]",
        "python311Packages.h5py",
    ],
)
def test_a_package_of_a_nix_shell_is_not_undeclared(packages: str) -> None:
    files = {"train.py": "import numpy\nimport h5py\n"}
    assert severities("R302", files) == ["warning"]
    assert severities("R302", files | {"shell.nix": NIX.format(packages)}) == ["note"]


def test_a_mistyped_module_of_the_authors_is_an_error_and_not_undeclared() -> None:
    files = {"README.md": "# M\n```bash\npython train.py\n```\n", "utils.py": "def load():\n    pass\n"}
    assert severities("R303", files | {"train.py": "from utlis import load\nload()\n"}) == ["error"]
    assert severities("R303", files | {"train.py": "from utlis import save\nsave()\n"}) == ["warning"]


def test_a_module_of_a_project_that_the_readme_links_to_is_a_note() -> None:
    readme = "# M\nGet [SentEval]({}) first.\n```bash\npython train.py\n```\n"
    files = {"train.py": "import senteval\nsenteval.run()\n"}
    linked = readme.format("https://github.com/facebookresearch/SentEval")
    assert severities("R303", files | {"README.md": linked}) == ["note"]
    assert severities("R303", files | {"README.md": readme.format("https://example.org")}) == ["warning"]


def test_a_project_that_the_readme_tells_to_add_as_a_submodule_is_not_missing() -> None:
    readme = "# M\n```bash\ngit submodule add https://github.com/x/ib-colours ib_colours\npython train.py\n```\n"
    assert severities("R303", {"train.py": "import ib_colours\n", "README.md": readme}) == []


def test_a_list_of_files_in_a_code_block_is_no_list_of_commands() -> None:
    readme = "# M\nChange the model in\n\n        model/net.py\n"
    assert severities("R211", {"README.md": readme, "models/net.py": "x = 1\n"}) == []
    command = readme.replace("model/net.py", "python model/net.py")
    assert severities("R211", {"README.md": command, "models/net.py": "x = 1\n"}) == ["error"]
