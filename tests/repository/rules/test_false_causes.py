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


OPTIONS = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--size', choices=['s', 'm'])\np.parse_args()\n"
)
SACRED = (
    "import sacred\nimport torch\nex = {}\n@ex.automain\ndef run():\n    m = torch.nn.Linear(3, 1)\n"
    "    o = torch.optim.SGD(m.parameters(), lr=0.1)\n    m(torch.ones(8, 3)).sum().backward()\n    o.step()\n"
)
DEFAULT = (
    "import argparse\nimport yaml\np = argparse.ArgumentParser()\np.add_argument('--config', default='c/base.yml')\n"
)


def page(*lines: str) -> str:
    return "# M\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("code", "files", "severity"),
    [
        ("R211", {"README.md": page("sh prep/run.sh"), "code/prep/run.sh": "ls\n"}, "note"),
        ("R211", {"README.md": page("sh prep/run.sh"), "prep/rum.sh": "ls\n"}, "error"),
        ("R211", {"README.md": page("python a.py --config c/someconfig.yml"), "a.py": OPTIONS, "c/x.yml": ""}, None),
        ("R211", {"README.md": page("python a.py --config c/big.yml"), "a.py": OPTIONS, "c/x.yml": ""}, "error"),
        ("R211", {"README.md": "# M\n", "p/README.md": page("sh examples/a.sh"), "q/examples/x.sh": "ls\n"}, "note"),
        ("R212", {"README.md": page("python a.py --size [s|l]"), "a.py": OPTIONS}, None),
        ("R212", {"README.md": page("python a.py --size l"), "a.py": OPTIONS}, "error"),
        ("R212", {"README.md": page("python a.py path/to/x --size l"), "a.py": OPTIONS}, None),
        ("R212", {"README.md": "# M\n```python a.py --size s```.\n", "a.py": OPTIONS}, None),
        (
            "R212",
            {"README.md": "# M\nhttps://github.com/ann/styler\n\n    python a.py --x 1\n", "a.py": OPTIONS},
            "note",
        ),
        (
            "R215",
            {
                "README.md": page("python a.py --config d.yml"),
                "a.py": "import s\n",
                "s.py": DEFAULT + "yaml.safe_load(open(p.parse_args().config))\n",
                "d.yml": "a: 1\n",
            },
            "note",
        ),
        (
            "R212",
            {
                "README.md": page("python a.py --trainer.max_epochs 5"),
                "a.py": "from pytorch_lightning.cli import LightningCLI\nclass Own(LightningCLI):\n"
                "    def add_arguments_to_parser(self, parser):\n        parser.add_argument('--out')\nOwn()\n",
            },
            None,
        ),
        ("R307", {"requirements.txt": "clip @ git+https://github.com/openai/CLIP.git@v1.2.0\n"}, None),
        ("R307", {"requirements.txt": "clip @ git+https://github.com/openai/CLIP.git@main\n"}, "warning"),
        ("R401", {"run.py": SACRED.format("sacred.Experiment('x')")}, None),
        ("R402", {"run.py": SACRED.format("sacred.Experiment('x')")}, "note"),
        ("R502", {"a.py": "x = open('/data/imagenet')\n"}, "note"),
        ("R502", {"a.py": "x = open('/data/ann/imagenet')\n"}, "warning"),
    ],
)
def test_what_text_and_tools_leave_open_is_no_accusation(
    code: str, files: dict[str, str], severity: str | None
) -> None:
    assert severities(code, files) == ([severity] if severity else [])


def test_data_that_a_section_describes_are_not_called_unavailable() -> None:
    files = {"train.py": "import pandas as pd\nd = pd.read_csv('x/y.csv')\n" + FORESTS + "SVC().fit(d, d)\n"}
    said = "## Data\nDownload the treebanks from https://example.org/11234/1-2837\n"
    assert severities("R501", files | {"README.md": f"# M\n{said}"})[:1] in ([], ["note"])
    assert severities("R501", files | {"README.md": "# M\n"}) == ["warning"]


@pytest.mark.parametrize(
    ("starts", "severity"), [("from seeds import fix\nfix()\n", None), ("import seeds\n", "warning")]
)
def test_a_seed_that_the_run_imports_is_a_question(starts: str, severity: str | None) -> None:
    helper = "import torch\ndef fix():\n    torch.manual_seed(0)\n"
    run = "import torch\nm = torch.nn.Linear(3, 1)\no = torch.optim.SGD(m.parameters(), lr=0.1)\n"
    files = {"seeds.py": helper, "train.py": starts + run + "m(torch.ones(8, 3)).sum().backward()\no.step()\n"}
    assert severities("R401", files) == ([severity] if severity else [])
    assert severities("R401", {"train.py": files["train.py"].removeprefix(starts)}) == ["error"]


def test_a_project_to_clone_brings_its_own_files() -> None:
    steps = page(
        "git clone https://github.com/KaiyangZhou/Dassl.pytorch.git", "cd Dassl.pytorch/", "python setup.py develop"
    )
    files = {"README.md": steps + "    python train.py\n", "train.py": "from dassl.utils import load\nload()\n"}
    assert "error" not in severities("R211", files)
    assert severities("R303", files) == ["note"]
    assert severities("R303", files | {"README.md": page("python train.py")}) == ["warning"]


def test_missing_files_of_one_folder_are_one_finding() -> None:
    readme = page("sh run/a.sh", "sh run/b.sh", "sh run/c.sh")
    assert severities("R211", {"README.md": readme, "run/z.py": "x = 1\n"}) == ["error"]
