"""What keeps a draw from needing a seed, and what keeps a seed from being one."""

from __future__ import annotations

import pytest
from seeded_trees import coverage_of, facts_of, notebook

from assay.findings import Severity
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.repository.randomness import Framework, State
from assay.tree import tree_of

TRAINING = """
m = torch.nn.Linear(2, 2)
o = torch.optim.SGD(m.parameters(), lr=0.1)
m(torch.randn(2, 2)).sum().backward()
o.step()
"""


def test_weights_that_a_state_dictionary_replaces_need_no_seed() -> None:
    files = {
        "clip/__init__.py": "from .loading import *\n",
        "clip/loading.py": """
            import torch
            from .model import Net
            def load(name):
                net = Net()
                net.load_state_dict(torch.load(name))
                return net.eval()
            """,
        "clip/model.py": """
            import torch
            from torch import nn
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.position = nn.Parameter(torch.randn(3, 3) / 2)
                    self.fc = nn.Linear(2, 2)
            """,
        "use.ipynb": notebook("import clip\nmodel = clip.load('ViT')"),
    }
    assert [e.coverage for e in facts_of(files).entry_points] == [()]


def test_input_that_is_drawn_still_needs_one_beside_loaded_weights() -> None:
    code = (
        "import torch\nnet = torch.nn.Linear(2, 2)\nnet.load_state_dict(torch.load('a.pt'))\nnet(torch.randn(3, 2))\n"
    )
    assert coverage_of(code, Framework.TORCH).state is State.MISSING


@pytest.mark.parametrize(
    "code",
    [
        "import random\nurl = f'tcp://localhost:{random.randrange(10, 20)}'\n",
        "import random\nport = int(random.random() * 1000)\nurl = 'tcp://localhost:%d' % port\n",
        "import random\nclass A: pass\na = A()\na.port = random.randint(1, 9)\nurl = 'tcp://x:{}'.format(a.port)\n",
        "import numpy as np\nrun = np.random.randint(9)\nname = 'run' + str(run)\n",
        "import time\nimport numpy as np\ntime.sleep(1 + np.abs(np.random.randn() * 2))\n",
    ],
)
def test_a_number_that_changes_no_result_needs_no_seed(code: str) -> None:
    assert [e.coverage for e in facts_of({"train.py": code}).entry_points if e.coverage] == []


def test_a_number_that_is_also_used_otherwise_needs_one() -> None:
    code = "import random\nn = random.randint(1, 9)\nprint(f'{n} points')\npoints = list(range(n))\n"
    assert coverage_of(code, Framework.PYTHON).state is State.MISSING


def test_a_search_with_a_generator_of_its_own_is_told_which_argument_seeds_it() -> None:
    code = "import numpy\nfrom hyperopt import fmin\nnumpy.random.seed(0)\nbest = fmin(f, space={})\n"
    (found,) = [f for f in assess(read_repository(tree_of({"tune.py": code}))).findings if f.code == "R402"]
    assert found.message == "hyperopt.fmin draws with a generator of its own, which no seed is given"
    assert found.advice == "Pass a fixed `rstate` to `hyperopt.fmin`."


@pytest.mark.parametrize("name", ["worker", "main_worker", "runner"])
def test_the_name_of_a_function_does_not_decide_whether_it_seeds(name: str) -> None:
    body = TRAINING.replace("\n", "\n    ")
    code = f"import torch\ndef {name}():\n    torch.manual_seed(0){body}\nif __name__ == '__main__':\n    {name}()\n"
    assert coverage_of(code, Framework.TORCH).state is State.FIXED


def test_a_function_for_loader_workers_does_not_seed_the_run() -> None:
    code = f"""
import torch
from torch.utils.data import DataLoader
def start(number):
    torch.manual_seed(0)
loader = DataLoader([1, 2], shuffle=True, worker_init_fn=start)
{TRAINING}
"""
    assert coverage_of(code, Framework.TORCH).state is State.MISSING


ML_COLLECTIONS = {
    "main.py": """
        from absl import app, flags
        from ml_collections.config_flags import config_flags
        import run_lib
        FLAGS = flags.FLAGS
        config_flags.DEFINE_config_file("config", None, "Training configuration.")
        def main(argv):
            run_lib.train(FLAGS.config)
        if __name__ == "__main__":
            app.run(main)
        """,
    "run_lib.py": """
        import jax
        def train(config):
            rng = jax.random.PRNGKey(config.seed)
            jax.random.normal(rng, (2,))
        """,
    "configs/small.py": """
        import ml_collections
        def get_config():
            config = ml_collections.ConfigDict()
            config.seed = 42
            return config
        """,
}


def test_a_seed_in_an_ml_collections_configuration_reaches_the_key() -> None:
    assert coverage_of(ML_COLLECTIONS, Framework.JAX, "main.py").state is State.DEFAULT


def test_gin_gives_a_required_parameter() -> None:
    body = TRAINING.replace("\n", "\n    ")
    code = (
        "import gin, torch\n@gin.configurable\ndef train(seed=gin.REQUIRED):\n"
        f"    torch.manual_seed(seed){body}\nif __name__ == '__main__':\n"
        "    gin.parse_config_file('a.gin')\n    train()\n"
    )
    files = {"train.py": code, "a.gin": "train.seed = 3\n"}
    assert coverage_of(files, Framework.TORCH).state is State.DEFAULT
    assert coverage_of({"train.py": code}, Framework.TORCH).state is State.UNKNOWN


def _findings(files: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for finding in assess(read_repository(tree_of(files))).findings:
        found.setdefault(finding.code, []).append((finding.severity.value, finding.message))
    return found


def test_unseeded_draws_of_an_evaluation_are_reported_beside_a_seeded_training() -> None:
    files = {
        "README.md": "# M\n    python train.py\n    python eval.py\n",
        "train.py": f"import torch\ntorch.manual_seed(0)\n{TRAINING}",
        "eval.py": "import numpy as np\nprint(np.random.choice(10, 5))\n",
    }
    assert _findings(files)["R401"] == [("note", "no seed is set for numpy")]
    del files["train.py"]
    assert _findings(files)["R401"] == [("warning", "no seed is set for numpy")]


def test_a_seed_with_a_random_default_is_reported_once() -> None:
    files = {
        "train.py": "import argparse, torch\nimport numpy as np\np = argparse.ArgumentParser()\n"
        "p.add_argument('--seed', type=int, default=np.random.randint(0, 10000))\n"
        f"a = p.parse_args()\ntorch.manual_seed(a.seed)\n{TRAINING}",
    }
    found = _findings(files)
    assert "R401" not in found
    assert found["R402"] == [("warning", "the seed of torch changes from run to run")]


def test_a_run_that_seeds_its_other_streams_gets_a_warning() -> None:
    code = f"import random, torch\ntorch.manual_seed(0)\nrandom.shuffle([1, 2])\n{TRAINING}"
    assert _findings({"train.py": code})["R401"] == [("warning", "no seed is set for random")]
    assert _findings({"train.py": code.replace("torch.manual_seed(0)\n", "")})["R401"][0][0] == "error"


def test_a_draw_that_the_run_may_never_come_to_is_no_error() -> None:
    files = {
        "train.py": f"import torch\nfrom parts import TABLE\ntorch.manual_seed(0)\nx = TABLE['a']\n{TRAINING}",
        "parts.py": "import random\ndef crop(image):\n    return random.random()\nTABLE = {'a': crop}\n",
    }
    assert [severity for severity, _ in _findings(files).get("R401", [])] in ([], ["note"])


def test_a_draw_under_an_option_that_is_off_is_a_note() -> None:
    code = """
import argparse
import numpy as np
p = argparse.ArgumentParser()
p.add_argument("--test", action="store_true", {default})
args = p.parse_args()
if args.test:
    print(np.random.choice(5, size=2))
"""
    off, on = (code.format(default=f"default={value}") for value in (False, True))
    readme = "# M\n```\npython prepare.py\n```\n"
    assert _severities({"README.md": readme, "prepare.py": off}) == [Severity.NOTE]
    assert _severities({"README.md": readme, "prepare.py": on}) == [Severity.WARNING]


def test_numbers_that_a_networks_constructor_draws_need_no_seed_where_weights_are_loaded() -> None:
    model = """
import numpy as np
import torch
from torch import nn
def orthogonal():
    return np.random.randn(3, 3)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(orthogonal()))
"""
    test = "import torch\nfrom model import Net\nnet = Net()\nnet.load_state_dict(torch.load('w.pt'))\nnet.eval()\n"
    readme = "# M\n```\npython test.py\n```\n"
    assert _severities({"README.md": readme, "model.py": model, "test.py": test}) == []
    drawn = test + "from model import orthogonal\nprint(net(orthogonal()))\n"
    assert _severities({"README.md": readme, "model.py": model, "test.py": drawn}) == [Severity.NOTE]


def _severities(files: dict[str, str]) -> list[Severity]:
    return [f.severity for f in assess(read_repository(tree_of(files))).findings if f.code == "R401"]


@pytest.mark.parametrize(("option", "severity"), [("--seed=0", Severity.NOTE), ("--epochs=3", Severity.WARNING)])
def test_a_condition_that_every_documented_command_meets_is_a_note(option: str, severity: Severity) -> None:
    parser = "import argparse, torch\np = argparse.ArgumentParser()\np.add_argument('--seed', type=int)\n"
    options = "p.add_argument('--epochs')\nargs = p.parse_args()\n"
    seeded = "if args.seed is not None:\n    torch.manual_seed(args.seed)\n"
    files = {
        "train.py": parser + options + seeded + TRAINING,
        "README.md": f"# Study\n## Training\n```\npython train.py {option}\n```\n",
    }
    report = assess(read_repository(tree_of(files)))
    assert [finding.severity for finding in report.findings if finding.code == "R403"] == [severity]


def test_a_call_without_a_seed_beside_others_with_one_is_named() -> None:
    code = """\
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
df = pd.read_csv("d.csv")
X, y = df.drop(columns="y"), df["y"]
print(SGDClassifier(random_state=42).fit(X, y).score(X, y), RandomForestClassifier().fit(X, y).score(X, y))
"""
    message = "1 draw of scikit-learn without a seed (RandomForestClassifier); others have one"
    assert _findings({"train.py": code})["R401"] == [("warning", message)]
    bare = code.replace("random_state=42", "")
    assert _findings({"train.py": bare})["R401"] == [("error", "no seed is set for scikit-learn")]
