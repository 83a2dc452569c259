"""Which draws are covered, per framework and entry point."""

from __future__ import annotations

import pytest
from seeded_trees import coverage_of, facts_of, notebook

from assay.repository.randomness import Framework, Reason, State

PYTHON, NUMPY, TORCH, TENSORFLOW = Framework.PYTHON, Framework.NUMPY, Framework.TORCH, Framework.TENSORFLOW
JAX, SKLEARN, GYM = Framework.JAX, Framework.SKLEARN, Framework.GYM

NET = """
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
"""


def test_a_model_in_another_file_is_a_draw_of_the_run() -> None:
    found = coverage_of({"train.py": "from models.net import Net\nnet = Net()\n", "models/net.py": NET}, TORCH)
    assert (found.state, found.seeded, found.uncovered_count) == (State.MISSING, False, 1)
    assert found.uncovered[0].call == "torch.nn.Linear"
    assert str(found.uncovered[0].location) == "models/net.py:6:19"


def test_a_helper_in_another_file_covers_it() -> None:
    files = {
        "train.py": "from models import Net\nfrom utils.seeds import fix\nfix(42)\nnet = Net()\n",
        "models.py": NET,
        "utils/seeds.py": "import torch, random\ndef fix(s):\n    random.seed(s)\n    torch.manual_seed(s)\n",
    }
    found = coverage_of(files, TORCH)
    assert (found.state, found.seeded) == (State.FIXED, True)
    assert [str(p) for p in found.seeds] == ["utils/seeds.py:4:5"]


@pytest.mark.parametrize(
    "seeding",
    [
        "from lightning import seed_everything\nseed_everything(42)",
        "import pytorch_lightning as pl\npl.seed_everything(42)",
        "from pytorch_lightning.utilities.seed import seed_everything\nseed_everything(42)",
        "from transformers import set_seed\nset_seed(42)",
        "from accelerate.utils import set_seed\nset_seed(42)",
        "from mmcv.runner import set_random_seed\nset_random_seed(42)",
        "from fastai.torch_core import set_seed\nset_seed(42)",
        "from monai.utils import set_determinism\nset_determinism()",
        "from some_unknown_library.utils import seed_everything\nseed_everything(42)",
        "import their_tools\ntheir_tools.fix_random_seeds(42)",
        "from transformers import TrainingArguments\nTrainingArguments('out')",
    ],
)
def test_helper_libraries_seed_every_stream(seeding: str) -> None:
    code = f"import torch, random\nimport numpy as np\n{seeding}\ntorch.rand(1)\nrandom.random()\nnp.random.rand()\n"
    assert {c.framework: c.seeded for e in facts_of(code).entry_points for c in e.coverage} == {
        PYTHON: True,
        NUMPY: True,
        TORCH: True,
    }


def test_one_framework_seeded_does_not_seed_another() -> None:
    code = "import numpy as np, random, torch\ntorch.manual_seed(0)\nnp.random.rand()\nrandom.random()\ntorch.rand(1)\n"
    states = {c.framework: c.state for c in facts_of(code).entry_points[0].coverage}
    assert states == {PYTHON: State.MISSING, NUMPY: State.MISSING, TORCH: State.FIXED}


def test_only_the_gpu_is_seeded() -> None:
    assert coverage_of("import torch\ntorch.cuda.manual_seed_all(0)\ntorch.rand(1)\n", TORCH).state is State.MISSING


def test_a_seed_after_the_draw_is_late() -> None:
    found = coverage_of("import numpy as np\nx = np.random.rand(3)\nnp.random.seed(0)\n", NUMPY)
    assert (found.state, found.uncovered[0].reason) == (State.LATE, Reason.EARLY)


def test_a_draw_before_the_seed_is_named_and_the_others_are_covered() -> None:
    found = coverage_of("import numpy as np\nnp.random.rand()\nnp.random.seed(0)\nnp.random.rand()\n", NUMPY)
    assert (found.state, found.uses, found.uncovered_count) == (State.FIXED, 2, 1)
    assert not found.seeded


def test_the_seed_cell_comes_after_the_model_cell() -> None:
    cells = notebook("import torch\nfrom torch import nn", "def make():\n    return nn.Linear(1, 1)", "m = make()")
    late = notebook("import torch\nfrom torch import nn", "m = nn.Linear(1, 1)", "torch.manual_seed(0)")
    assert coverage_of({"a.ipynb": cells}, TORCH, "a.ipynb").state is State.MISSING
    found = coverage_of({"a.ipynb": late}, TORCH, "a.ipynb")
    assert (found.state, found.uncovered[0].location.cell) == (State.LATE, 2)


def test_what_is_only_defined_before_the_seed_is_not_early() -> None:
    code = """
    import torch
    from torch import nn
    class Net(nn.Module):
        def __init__(self):
            self.l = nn.Linear(1, 1)
    MODELS = {'net': Net}
    def build():
        return Net()
    def main():
        torch.manual_seed(0)
        build()
    if __name__ == '__main__':
        main()
    """
    assert coverage_of(code, TORCH).seeded


def test_constructing_a_loader_before_the_seed_draws_nothing() -> None:
    code = "import torch\nd = torch.utils.data.DataLoader([], shuffle=True)\ntorch.manual_seed(0)\n"
    assert coverage_of(code, TORCH).seeded


def test_a_draw_before_the_seed_that_does_not_happen_is_not_early() -> None:
    code = """
    import argparse
    import numpy as np
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    if args.seed == -1:
        args.seed = np.random.randint(1000)
    np.random.seed(args.seed)
    np.random.rand()
    """
    assert coverage_of(code, NUMPY).seeded


def test_a_later_seed_from_entropy_spoils_an_earlier_one() -> None:
    files = {
        "train.py": "import numpy as np\nfrom data import load\nnp.random.seed()\nnp.random.rand()\n",
        "data.py": "import numpy as np\nnp.random.seed(123)\ndef load():\n    pass\n",
    }
    assert coverage_of(files, NUMPY).state is State.NONE


def test_a_method_of_ones_own_environment_runs() -> None:
    code = "import random\nclass Env:\n    def reset(self):\n        random.random()\nenv = Env()\nenv.reset()\n"
    assert coverage_of(code, PYTHON).state is State.MISSING


def test_a_class_of_a_module_that_is_kept_in_a_variable_is_reached() -> None:
    files = {
        "train.py": "from models import net\nMODELS = {'net': net}\nMODELS[name].Net()\n",
        "models/__init__.py": "",
        "models/net.py": NET,
    }
    assert coverage_of(files, TORCH).uses == 1


def test_a_generator_that_is_passed_on_covers_its_draws() -> None:
    code = """
    import torch
    from torch.utils.data import DataLoader, random_split
    g = torch.Generator()
    g.manual_seed(0)
    random_split([], [1], generator=g)
    DataLoader([], shuffle=True, generator=g)
    """
    assert coverage_of(code, TORCH).seeded


def test_a_seeded_split_does_not_seed_the_model() -> None:
    code = """
    import torch
    torch.utils.data.random_split([], [1], generator=torch.Generator().manual_seed(0))
    torch.nn.Linear(1, 1)
    """
    found = coverage_of(code, TORCH)
    assert (found.state, found.uses, found.uncovered_count) == (State.MISSING, 2, 1)


@pytest.mark.parametrize(
    ("generator", "state"),
    [
        ("np.random.default_rng(0)", State.FIXED),
        ("np.random.default_rng(seed=0)", State.FIXED),
        ("np.random.default_rng()", State.NONE),
        ("np.random.RandomState(None)", State.NONE),
        ("np.random.Generator(np.random.PCG64(12))", State.FIXED),
        ("np.random.default_rng(int(time.time()))", State.VARYING),
    ],
)
def test_numpy_generators(generator: str, state: State) -> None:
    found = coverage_of(f"import time\nimport numpy as np\nrng = {generator}\nrng.normal()\n", NUMPY)
    assert (found.state, found.seeded) == (state, state is State.FIXED)


def test_the_global_seed_does_not_reach_a_generator() -> None:
    code = "import numpy as np\nnp.random.seed(0)\nrng = np.random.default_rng()\nrng.random()\nnp.random.rand()\n"
    found = coverage_of(code, NUMPY)
    assert (found.seeded, found.uncovered[0].call) == (False, "numpy.random.default_rng")


@pytest.mark.parametrize(
    ("call", "drawn"),
    [
        ("train_test_split(x)", 1),
        ("train_test_split(x, random_state=None)", 1),
        ("train_test_split(x, random_state=1)", 1),
        ("train_test_split(x, shuffle=False)", 0),
        ("KFold(5)", 0),
        ("KFold(5, shuffle=True)", 1),
        ("SVC()", 0),
        ("SVC(probability=True)", 1),
        ("LogisticRegression(max_iter=5)", 0),
        ("LogisticRegression(solver='saga')", 1),
        ("RandomForestClassifier()", 1),
        ("StandardScaler()", 0),
    ],
)
def test_which_scikit_learn_calls_draw(call: str, drawn: int) -> None:
    name = call.partition("(")[0]
    runs = facts_of(f"from sklearn.anything import {name}\nprint({call})\n").entry_points
    assert sum(c.uses for run in runs for c in run.coverage) == drawn


def test_scikit_learn_without_a_seed_draws_from_numpy() -> None:
    code = "import numpy as np\nfrom sklearn.cluster import KMeans\n{}KMeans().fit(x)\n"
    assert coverage_of(code.format("np.random.seed(0)\n"), SKLEARN).seeded
    assert coverage_of(code.format(""), SKLEARN).state is State.MISSING


def test_one_estimator_of_two_is_seeded() -> None:
    code = """
    from sklearn.cluster import KMeans
    from sklearn.model_selection import train_test_split
    SEED = 3
    train_test_split(x, random_state=SEED)
    KMeans(3).fit(x)
    """
    found = coverage_of(code, SKLEARN)
    assert (found.state, found.uses, found.uncovered_count) == (State.MISSING, 2, 1)
    assert found.uncovered[0].call == "sklearn.cluster.KMeans"


def test_jax_keys_carry_the_seed() -> None:
    assert coverage_of("import jax\nkey = jax.random.PRNGKey(0)\njax.random.normal(key)\n", JAX).state is State.FIXED
    code = "import jax, time\nkey = jax.random.key(int(time.time()))\njax.random.normal(key)\n"
    assert coverage_of(code, JAX).state is State.VARYING


@pytest.mark.parametrize(
    "seeding",
    [
        "import tensorflow as tf\ntf.random.set_seed(1)",
        "import tensorflow.compat.v1 as tf\ntf.set_random_seed(1)",
        "from tensorflow import keras\nkeras.utils.set_random_seed(1)",
    ],
)
def test_tensorflow_seeds_of_all_versions(seeding: str) -> None:
    assert coverage_of(f"{seeding}\nfrom keras.layers import Dense\nDense(3)\n", TENSORFLOW).seeded


def test_environments_have_seeds_of_their_own() -> None:
    code = "import gymnasium as gym, torch\ntorch.manual_seed(1)\nenv = gym.make('CartPole-v1')\nenv.reset({})\n"
    assert coverage_of(code.format("seed=1"), GYM).seeded
    assert coverage_of(code.format(""), GYM).state is State.MISSING


def test_seeds_in_tests_seed_no_run() -> None:
    files = {
        "train.py": "import torch\ntorch.rand(1)\n",
        "tests/test_it.py": "import torch\ndef test_x():\n    torch.manual_seed(0)\n",
    }
    facts = facts_of(files)
    assert [(s.state, s.in_test) for s in facts.seeds] == [(State.FIXED, True)]
    assert [(e.path, e.coverage[0].state) for e in facts.entry_points] == [("train.py", State.MISSING)]


def test_a_function_that_nobody_calls_seeds_nothing() -> None:
    code = "import torch\ndef set_seed(s):\n    torch.manual_seed(s)\ntorch.rand(1)\n"
    facts = facts_of(code)
    assert facts.seeds[0].state is State.UNUSED
    assert facts.entry_points[0].coverage[0].state is State.MISSING


def test_names_that_are_imported_with_a_star_are_known() -> None:
    files = {"train.py": "from common import *\ntorch.manual_seed(1)\ntorch.rand(1)\n", "common.py": "import torch\n"}
    assert coverage_of(files, TORCH).seeded


def test_a_local_module_called_random_is_not_pythons() -> None:
    files = {"train.py": "import random\nrandom.shuffle([1])\n", "random.py": "def shuffle(x):\n    return x\n"}
    assert facts_of(files).uses == ()


def test_methods_are_reached_through_the_classes_that_are_used() -> None:
    code = """
    import torch
    class A:
        def step(self):
            torch.rand(1)
    class B:
        def step(self):
            torch.manual_seed(0)
    A().step()
    """
    assert coverage_of(code, TORCH).state is State.MISSING


def test_overridden_methods_run() -> None:
    code = """
    import torch
    class Base:
        def run(self):
            self.build()
        def build(self):
            raise NotImplementedError
    class Child(Base):
        def build(self):
            torch.nn.Linear(1, 1)
    Child().run()
    """
    assert coverage_of(code, TORCH).uses == 1


def test_models_that_a_configuration_names_are_reached() -> None:
    files = {
        "train.py": "import hydra, torch\ndef main(cfg):\n    hydra.utils.instantiate(cfg.model)\nmain(1)\n",
        "net.py": NET,
        "conf.yaml": "model:\n  _target_: net.Net\n",
    }
    assert coverage_of(files, TORCH).state is State.MISSING


def test_models_that_are_looked_up_by_name_are_reached() -> None:
    files = {
        "train.py": "import models\nnet = models.__dict__[name]()\n",
        "models/__init__.py": "from .net import Net\n",
        "models/net.py": NET,
    }
    assert coverage_of(files, TORCH).uses == 1


def test_vendored_code_does_not_count() -> None:
    files = {"train.py": "import torch\ntorch.rand(1)\n", "third_party/x.py": "import torch\ntorch.manual_seed(0)\n"}
    facts = facts_of(files)
    assert facts.seeds == ()
    assert [e.path for e in facts.entry_points] == ["train.py"]


def test_flags_and_loaders_are_noted() -> None:
    code = """
    import argparse, os, torch
    from torch.utils.data import DataLoader
    parser = argparse.ArgumentParser()
    parser.add_argument('--exact', action='store_true')
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = False
    if args.exact:
        torch.backends.cudnn.deterministic = True
    torch.use_deterministic_algorithms(True)
    os.environ['PYTHONHASHSEED'] = '0'
    DataLoader([], 4, True, num_workers=2, worker_init_fn=f)
    """
    (entry,) = facts_of(code).entry_points
    assert {f.name.rpartition(".")[2]: f.on for f in entry.flags} == {
        "benchmark": False,
        "deterministic": False,
        "PYTHONHASHSEED": False,
        "use_deterministic_algorithms": True,
    }
    (loader,) = entry.loaders
    assert (loader.shuffle, loader.workers, loader.generator, loader.worker_seed) == ("True", "2", False, True)


def test_uses_are_counted_with_their_first_places() -> None:
    code = "import numpy as np\n" + "np.random.rand()\n" * 12
    (uses,) = facts_of(code).uses
    assert (uses.framework, uses.count, len(uses.places), str(uses.places[0])) == (NUMPY, 12, 10, "train.py:2:1")


def test_local_names_come_through_a_star_too() -> None:
    files = {"train.py": "from common import *\nNet()\n", "common.py": "from net import Net\n", "net.py": NET}
    assert coverage_of(files, TORCH).uses == 1


def test_what_happens_only_on_demand_is_not_early() -> None:
    code = """
    import argparse, torch
    parser = argparse.ArgumentParser()
    parser.add_argument('--describe', type=str)
    args = parser.parse_args()
    def describe():
        return torch.nn.Linear(1, 1)
    if wanted(args.describe):
        describe()
    torch.manual_seed(0)
    torch.rand(1)
    """
    assert coverage_of(code, TORCH).seeded


def test_a_lambda_does_not_run_where_it_stands() -> None:
    code = "import torch\nmake = {'a': lambda: torch.nn.Linear(1, 1)}\ntorch.manual_seed(0)\nmake['a']()\n"
    found = coverage_of(code, TORCH)
    assert (found.uses, found.seeded) == (1, True)


def test_a_generator_that_is_made_only_if_none_is_given() -> None:
    code = """
    import numpy as np
    class Buffer:
        def __init__(self, rng=None):
            self.rng = rng if rng is not None else np.random.default_rng()
    Buffer(rng=np.random.default_rng(3))
    """
    found = coverage_of(code, NUMPY)
    assert (found.uses, found.seeded) == (1, True)


def test_modules_beside_the_script_are_found_from_below() -> None:
    files = {
        "src/train.py": "from control.loop import run\nrun()\n",
        "src/__init__.py": "",
        "src/control/__init__.py": "",
        "src/control/loop.py": "from nets.net import Net\ndef run():\n    Net()\n",
        "src/nets/__init__.py": "",
        "src/nets/net.py": NET,
    }
    assert coverage_of(files, TORCH, "src/train.py").uses == 1


def test_a_script_that_imports_itself() -> None:
    code = """
    import torch
    class Work:
        def __init__(self):
            torch.rand(1)
    def main():
        from train import Work as W
        W()
    main()
    """
    assert coverage_of(code, TORCH).uses == 1


def test_numpy_in_a_variable() -> None:
    code = "import numpy\nxp = numpy if cpu() else load_cupy()\nxp.random.seed(0)\nxp.random.rand(3)\n"
    assert coverage_of(code, NUMPY).seeded


def test_a_function_that_is_told_how_many_workers_there_are_is_none_of_them() -> None:
    loader = """
        import numpy as np
        def loaders(seed, num_workers=4):
            np.random.seed(seed)
            return np.random.permutation(9)
        """
    found = coverage_of({"train.py": "import data\ndata.loaders(1)\n", "data.py": loader}, Framework.NUMPY)
    assert found.state is State.FIXED


def test_a_generator_checked_by_scikit_learn_is_as_fixed_as_what_it_is_given() -> None:
    code = "from sklearn.utils import check_random_state\nrng = check_random_state({})\nx = rng.normal(size=3)\n"
    assert coverage_of(code.format("0"), NUMPY).seeded
    assert not coverage_of(code.format("None"), NUMPY).seeded


LAYERS = "from keras.layers import Dense\nmodel = Sequential([Dense(3)])\nmodel.load_weights('w.h5')\n"


def test_a_run_that_only_applies_learnt_weights_draws_nothing_that_matters() -> None:
    entry = next(e for e in facts_of({"tag.py": LAYERS + "print(model.predict(x))\n"}).entry_points)
    assert entry.coverage == ()


@pytest.mark.parametrize(
    ("files", "framework"),
    [
        ({"tag.py": LAYERS + "model.fit(x)\n"}, Framework.TENSORFLOW),
        ({"train.py": LAYERS}, Framework.TENSORFLOW),
        ({"tag.py": "import torch\n" + LAYERS + "model(torch.randn(8))\n"}, Framework.TORCH),
        ({"tag.py": "import random\n" + LAYERS + "random.shuffle(files)\n"}, Framework.PYTHON),
    ],
)
def test_but_training_noise_and_the_choice_of_samples_matter(files: dict[str, str], framework: Framework) -> None:
    entry = next(e for e in facts_of(files).entry_points)
    assert [c.framework for c in entry.coverage] == [framework]


@pytest.mark.parametrize(
    ("settings", "state"), [('{"random_state": 248}', State.FIXED), ('{"max_depth": 3}', State.MISSING)]
)
def test_a_seed_among_settings_that_are_spread_counts(settings: str, state: State) -> None:
    code = f"""
        from sklearn.ensemble import RandomForestClassifier
        settings = {settings}
        settings.update(chosen)
        RandomForestClassifier(**settings).fit(rows, labels)
        """
    assert coverage_of(code, SKLEARN).state is state
