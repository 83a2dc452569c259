"""Imports behind switches: what is off by default is not needed, what may be on is."""

import pytest
from environments import environment, undeclared

from assay.repository.environment import Role

PARSER = "import argparse\np = argparse.ArgumentParser()\n"
FLAG = PARSER + "p.add_argument('--log', action='store_true')\nargs = p.parse_args()\n"
NAMED = PARSER + "p.add_argument('--model', default='forest')\nargs = p.parse_args()\n"
TRAINER = """
class T:
    def __init__(self, log=False):
        self.log = log
    def fit(self):
        if self.log:
            import wandb
"""
BEHIND = "if {}:\n    import wandb\n"


@pytest.mark.parametrize(
    "text",
    [
        FLAG + BEHIND.format("args.log"),
        NAMED + BEHIND.format("args.model == 'boosting'"),
        NAMED + "if args.model == 'forest':\n    import math\nelse:\n    import wandb\n",
        "USE_LOG = False\n" + BEHIND.format("USE_LOG"),
        BEHIND.format("0"),
        "class CFG:\n    log = False\n    rate = 1\n" + BEHIND.format("CFG.log"),
        "settings = {'log': False}\n" + BEHIND.format("settings['log']"),
        "import os\n" + BEHIND.format("os.environ.get('LOG', '0') == '1'"),
        "import os\n" + BEHIND.format("os.environ.get('LOG')"),
        "import os\n" + BEHIND.format("os.getenv('LOG') is not None"),
        "import os\n" + BEHIND.format("'LOG' in os.environ"),
        BEHIND.format("'google.colab' in str(get_ipython()) and True"),
        "IN_COLAB = found()\n" + BEHIND.format("IN_COLAB"),
        "def fit(x, log=False):\n    if log:\n        import wandb\nfit(1)\nfit(2, log=False)\n",
        "def fit(x, log=None):\n    if log is None:\n        return\n    import wandb\nfit(1)\n",
        TRAINER + "T().fit()\n",
        FLAG + "def start():\n    import wandb\nif args.log:\n    start()\n",
        "def build(name):\n    if name == 'a':\n        import wandb\nbuild('b')\n",
    ],
)
def test_what_is_imported_behind_a_switch_that_is_off_is_optional(text: str) -> None:
    facts = environment({"a.py": text})
    assert facts.undeclared == ()
    assert [(u.outside.module, u.outside.role) for u in facts.uncovered] == [("wandb", Role.OPTIONAL)]


@pytest.mark.parametrize(
    "text",
    [
        FLAG + BEHIND.format("not args.log"),
        FLAG + "args.log = True\n" + BEHIND.format("args.log"),
        FLAG + BEHIND.format("args.log") + "else:\n    import wandb\n",
        PARSER
        + "p.add_argument('--model', required=True)\nargs = p.parse_args()\n"
        + BEHIND.format("args.model == 'a'"),
        PARSER
        + "p.add_argument('--do_train', action='store_true')\nargs = p.parse_args()\n"
        + BEHIND.format("args.do_train"),
        PARSER + "p.add_argument('--path')\nargs = p.parse_args()\n" + BEHIND.format("args.path is None"),
        "USE_LOG = True\n" + BEHIND.format("USE_LOG"),
        "import sys\n" + BEHIND.format("sys.argv[1] == 'log'"),
        "def fit(settings):\n    if settings.log:\n        import wandb\n",
        "def fit(x, log=False):\n    if log:\n        import wandb\nfit(1, log=True)\n",
        "def fit(x, log=False):\n    if log:\n        import wandb\nfit(1, **read())\n",
        TRAINER + "T(log=False).fit()\nT(log=True).fit()\n",
        "for name in ['a', 'b']:\n    if name == 'b':\n        import wandb\n",
        "if __name__ == '__main__':\n    import wandb\n",
        "def fit():\n    import wandb\n",
    ],
)
def test_what_may_be_switched_on_is_needed(text: str) -> None:
    assert undeclared({"a.py": text}) == ["wandb"]


def test_a_switch_in_another_file_is_found() -> None:
    options = PARSER + "p.add_argument('--log', action='store_true')\ndef read():\n    return p.parse_args()\n"
    training = "from options import read\nargs = read()\n" + BEHIND.format("args.log")
    assert undeclared({"options.py": options, "train.py": training}) == []
    assert undeclared({"options.py": options, "train.py": training, "b.py": "import wandb\n"}) == ["wandb"]


@pytest.mark.parametrize(
    "test",
    [
        "torch.__version__ >= '1.2'",
        "LooseVersion(torch.__version__) < LooseVersion('1.1')",
        "sys.platform == 'win32'",
        "platform.system() == 'Windows'",
        "os.name == 'nt'",
        "K.backend() == 'theano'",
    ],
)
def test_what_only_some_systems_or_versions_need_is_optional(test: str) -> None:
    assert undeclared({"a.py": f"import os, platform, sys\nif {test}:\n    import pywintypes\n"}) == []
    assert undeclared({"a.py": f"import os, platform, sys\nif {test}:\n    x = 1\nimport pywintypes\n"}) != []
