"""Where a seed's value comes from."""

from __future__ import annotations

import pytest
from seeded_trees import coverage_of, facts_of

from assay.repository.randomness import Framework, State

FIXED, DEFAULT, GIVEN, GUARDED = State.FIXED, State.DEFAULT, State.GIVEN, State.GUARDED
NONE, VARYING, UNKNOWN = State.NONE, State.VARYING, State.UNKNOWN


def seed_of(code: str, **more: str) -> tuple[State, str]:
    found = facts_of({"train.py": code, **{path.replace("__", "."): text for path, text in more.items()}}).seeds
    return found[0].state, found[0].value


@pytest.mark.parametrize(
    ("argument", "state", "value"),
    [
        ("42", FIXED, "42"),
        ("-1", FIXED, "-1"),
        ("2**3 * 0 + 7 * 6", FIXED, None),
        ("None", NONE, "None"),
        ("", NONE, "nothing"),
        ("int(time.time())", VARYING, None),
        ("int(time.time()) % 1000", VARYING, None),
        ("os.getpid() + 1", VARYING, None),
        ("random.randint(0, 100)", VARYING, None),
        ("datetime.now().microsecond", VARYING, None),
        ("SEED", FIXED, "1234"),
        ("SEED + 1", FIXED, "1235"),
        ("SEED + get_rank()", FIXED, None),
        ("int('7')", FIXED, None),
        ("SEED if debug else int(time.time())", VARYING, None),
        ("os.environ.get('SEED', 5)", DEFAULT, "5"),
        ("os.environ.get('SEED')", NONE, None),
        ("os.getenv('SEED', '5')", DEFAULT, "'5'"),
        ("mystery()", UNKNOWN, "mystery()"),
    ],
)
def test_the_argument_of_a_seed_is_evaluated(argument: str, state: State, value: str | None) -> None:
    code = f"""
import os, random, time
from datetime import datetime
from somewhere import get_rank, debug, mystery
import numpy as np
SEED = 1234
np.random.seed({argument})
np.random.rand()
"""
    found = seed_of(code)
    assert found[0] is state
    assert value is None or found[1] == value


@pytest.mark.parametrize(
    ("option", "state"),
    [
        ("parser.add_argument('--seed', type=int, default=42)", DEFAULT),
        ("parser.add_argument('--seed', '-s', type=int, default=DEFAULT_SEED)", DEFAULT),
        ("parser.add_argument('--seed', type=int)", NONE),
        ("parser.add_argument('--seed', type=int, default=None)", NONE),
        ("parser.add_argument('--seed', type=int, required=True)", GIVEN),
        ("parser.add_argument('seed', type=int)", GIVEN),
        ("parser.add_argument('--seed', type=int, default=int(time.time()))", VARYING),
        ("parser.add_argument('--random-seed', dest='seed', default=1)", DEFAULT),
    ],
)
def test_argparse_options(option: str, state: State) -> None:
    code = f"""
import argparse, time
import torch
DEFAULT_SEED = 9
def main():
    parser = argparse.ArgumentParser()
    {option}
    args = parser.parse_args()
    torch.manual_seed(args.seed)
if __name__ == "__main__":
    main()
"""
    assert seed_of(code)[0] is state


@pytest.mark.parametrize(
    ("guard", "default", "state"),
    [
        ("if args.seed is not None:", "None", GUARDED),
        ("if args.seed is not None:", "3", DEFAULT),
        ("if args.seed != 0:", "0", GUARDED),
        ("if args.seed != 0:", "1", DEFAULT),
        ("if args.seed:", "0", GUARDED),
        ("if args.seed >= 0:", "-1", GUARDED),
        ("if args.seed > -1 and args.deterministic:", "1", GUARDED),
        ("if not args.no_seed:", "1", DEFAULT),
        ("if torch.cuda.is_available():", "1", DEFAULT),
        ("if args.local_rank == 0:", "1", DEFAULT),
        ("if isinstance(args.seed, int):", "1", DEFAULT),
    ],
)
def test_a_guard_is_weighed_with_the_default(guard: str, default: str, state: State) -> None:
    code = f"""
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument('--seed', type=int, default={default})
parser.add_argument('--deterministic', action='store_true')
parser.add_argument('--no-seed', action='store_true')
parser.add_argument('--local_rank', type=int, default=1)
args = parser.parse_args()
{guard}
    torch.manual_seed(args.seed)
torch.rand(1)
"""
    assert seed_of(code)[0] is state


def test_a_missing_seed_that_is_drawn_varies() -> None:
    code = """
    import argparse, random, torch
    parser = argparse.ArgumentParser()
    parser.add_argument('--manualSeed', type=int)
    opt = parser.parse_args()
    if opt.manualSeed is None:
        opt.manualSeed = random.randint(1, 10000)
    torch.manual_seed(opt.manualSeed)
    """
    assert seed_of(code)[0] is VARYING


def test_an_early_return_is_a_guard() -> None:
    code = """
    import torch
    def set_seed(seed=None):
        if seed is None:
            return
        torch.manual_seed(seed)
    set_seed()
    torch.rand(1)
    """
    assert seed_of(code)[0] is GUARDED


def test_the_guard_stands_where_the_helper_is_called() -> None:
    code = """
    import argparse
    from utils import set_seed
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=None)
    args = parser.parse_args()
    if args.seed is not None:
        set_seed(args.seed)
    """
    found = facts_of({"train.py": code, "utils.py": "import torch\ndef set_seed(s):\n    torch.manual_seed(s)\n"}).seeds
    assert [(s.state, s.guard) for s in found] == [(GUARDED, "args.seed is not None")]


@pytest.mark.parametrize(
    ("call", "state"),
    [("set_seed(7)", FIXED), ("set_seed(s=7)", FIXED), ("set_seed()", NONE), ("set_seed(*given)", DEFAULT)],
)
def test_parameters_get_what_the_caller_gives(call: str, state: State) -> None:
    default = "s=None" if state is not DEFAULT else "s=3"
    utils = f"import numpy\ndef set_seed({default}):\n    numpy.random.seed(s)\n"
    found = facts_of(
        {"train.py": f"from lib.seeds import set_seed\ngiven = f()\n{call}\n", "lib/seeds.py": utils}
    ).seeds
    assert found[0].state is state


def test_every_entry_point_has_its_own_caller() -> None:
    files = {
        "utils.py": "import torch\ndef set_seed(s=None):\n    torch.manual_seed(s)\n",
        "train.py": "import torch\nfrom utils import set_seed\nset_seed(1)\ntorch.rand(1)\n",
        "test.py": "import torch\nfrom utils import set_seed\nset_seed()\ntorch.rand(1)\n",
    }
    assert {e.path: e.coverage[0].state for e in facts_of(files).entry_points} == {"train.py": FIXED, "test.py": NONE}


@pytest.mark.parametrize(
    "code",
    [
        """
        import click, torch
        @click.command()
        @click.option('--seed', default=1)
        def main(seed):
            torch.manual_seed(seed)
        if __name__ == '__main__':
            main()
        """,
        """
        import typer, torch
        def main(seed: int = typer.Option(1, help='the seed')):
            torch.manual_seed(seed)
        if __name__ == '__main__':
            typer.run(main)
        """,
        """
        import fire, torch
        def main(seed=1):
            torch.manual_seed(seed)
        if __name__ == '__main__':
            fire.Fire()
        """,
        """
        from absl import app, flags
        import torch
        FLAGS = flags.FLAGS
        flags.DEFINE_integer('seed', 1, 'the seed')
        def main(_):
            torch.manual_seed(FLAGS.seed)
        if __name__ == '__main__':
            app.run(main)
        """,
        """
        import tensorflow as tf, torch
        flags = tf.app.flags
        flags.DEFINE_integer('seed', 1, 'the seed')
        def main(_):
            torch.manual_seed(flags.FLAGS.seed)
        if __name__ == '__main__':
            tf.app.run()
        """,
        """
        from dataclasses import dataclass
        import tyro, torch
        @dataclass
        class Args:
            seed: int = 1
        args = tyro.cli(Args)
        torch.manual_seed(args.seed)
        """,
        """
        import torch
        config = {'seed': 1, 'lr': 0.1}
        torch.manual_seed(config['seed'])
        """,
        """
        '''Usage: train.py [--seed=<n>]

        --seed=<n>  the seed [default: 1]
        '''
        import docopt, torch
        args = docopt.docopt(__doc__)
        torch.manual_seed(int(args['seed']))
        """,
        """
        import torch
        class Trainer:
            def __init__(self, seed=1):
                self.seed = seed
            def run(self):
                torch.manual_seed(self.seed)
        Trainer().run()
        """,
        """
        import torch
        def seed_from(args):
            return args.get('seed', 1)
        torch.manual_seed(seed_from(load()))
        """,
    ],
    ids=["click", "typer", "fire", "absl", "tensorflow", "dataclass", "dictionary", "docopt", "attribute", "function"],
)
def test_defaults_of_command_lines_and_settings(code: str) -> None:
    found = facts_of(code).seeds
    assert found[0].state in {DEFAULT, FIXED}
    assert found[0].value.strip("'") == "1"


def test_a_configuration_file_gives_the_value_and_its_place() -> None:
    code = "import yaml, torch\ncfg = yaml.safe_load(open('config.yaml'))\ntorch.manual_seed(cfg['train']['seed'])\n"
    config = "data:\n  seed: 5\ntrain:\n  lr: 0.1\n  seed: 17 # fixed\n"
    (seed,) = facts_of({"train.py": code, "config.yaml": config}).seeds
    assert (seed.state, seed.value) == (DEFAULT, "17")
    assert str(seed.declared) == "config.yaml:5"


def test_the_configuration_that_hydra_names_counts() -> None:
    files = {
        "train.py": """
            import hydra, lightning as L
            @hydra.main(config_path="configs", config_name="train.yaml")
            def main(cfg):
                if cfg.get("seed"):
                    L.seed_everything(cfg.seed, workers=True)
            if __name__ == "__main__":
                main()
            """,
        "configs/train.yaml": "lr: 1\nseed: null\n",
        "configs/experiment/example.yaml": "seed: 12345\n",
        "configs/another.yaml": "seed: 1\n",
    }
    (seed,) = facts_of(files).seeds
    assert (seed.state, seed.guard) == (GUARDED, "cfg.get('seed')")


def test_constants_of_other_modules_are_found() -> None:
    files = {
        "train.py": """
            import config
            import torch
            from config import *
            torch.manual_seed(config.SEED)
            torch.manual_seed(SEED)
            """,
        "config.py": "from defaults import SEED\n",
        "defaults.py": "SEED = 3\n",
    }
    assert [(s.state, s.value) for s in facts_of(files).seeds] == [(FIXED, "3"), (FIXED, "3")]


def test_a_loop_over_fixed_seeds_is_fixed() -> None:
    code = "import torch\nfor seed in range(5):\n    torch.manual_seed(seed)\n"
    code += "for i, s in enumerate([1, 2]):\n    torch.manual_seed(s)\n"
    assert [s.state for s in facts_of(code).seeds] == [FIXED, FIXED]


def test_a_worker_seed_from_torch_is_as_good_as_torchs_own() -> None:
    worker = """
    import numpy as np, torch
    from torch.utils.data import DataLoader
    def seed_worker(worker_id):
        np.random.seed(torch.initial_seed() % 2**32)
    {seed}
    DataLoader([], shuffle=True, worker_init_fn=seed_worker)
    """
    seeded = facts_of(worker.format(seed="torch.manual_seed(0)")).seeds
    unseeded = facts_of(worker.format(seed="pass")).seeds
    assert [(s.call, s.state) for s in seeded] == [("numpy.random.seed", DEFAULT), ("torch.manual_seed", FIXED)]
    assert [s.state for s in unseeded] == [VARYING]


def test_a_positional_seed_may_hide_in_a_starred_argument() -> None:
    assert seed_of("import torch\ntorch.manual_seed(*sys_arguments)\n")[0] is UNKNOWN


def test_a_choice_by_the_option_itself() -> None:
    code = """
    import argparse, random, torch
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=111)
    args = parser.parse_args()
    seed = random.randint(1, 100) if args.seed < 0 else args.seed
    torch.manual_seed(seed)
    """
    assert seed_of(code) == (DEFAULT, "111")


def test_the_option_is_found_in_a_run_that_makes_its_model_from_a_name() -> None:
    files = {
        "train.py": """
            import argparse, importlib, torch
            parser = argparse.ArgumentParser()
            parser.add_argument('--seed', type=int, default=4)
            def main(args):
                torch.manual_seed(args.seed)
                importlib.import_module(args.model)
            main(parser.parse_args())
            """,
        "net.py": "import torch\nclass Net(torch.nn.Module):\n    pass\n",
    }
    assert [(s.state, s.value) for s in facts_of(files).seeds] == [(DEFAULT, "4")]


def test_an_option_may_be_declared_in_a_table_with_its_explanation() -> None:
    files = {
        "config.py": "OPTIONS = {'seed': (1234, 'seed for training')}\nparser = add_flags(OPTIONS)\n",
        "train.py": "import torch\nfrom config import parser\nargs = parser.parse_args()\n"
        "torch.manual_seed(args.seed)\ntorch.randn(3)\n",
    }
    assert coverage_of(files, Framework.TORCH).state is State.DEFAULT


def test_a_seed_from_the_command_line_without_a_parser_is_given() -> None:
    code = "import sys\nimport numpy as np\nseed = int(sys.argv[1])\nnp.random.seed(seed)\nnp.random.rand(3)\n"
    assert coverage_of(code, Framework.NUMPY).state is State.GIVEN


@pytest.mark.parametrize(
    "files",
    [
        {
            "train.py": "import json, torch\nc = json.load(open('c.json'))\ntorch.manual_seed(c['train']['seed'])\n",
            "c.json": '{"train": {"n": 3, "seed": 11}}',
        },
        {
            "train.py": "import yaml, torch\nc = yaml.load(open('c.yaml'))\ntorch.manual_seed(c['train']['seed'])\n",
            "c.yaml": "train: {n: 3, seed: 11}\n",
        },
        {
            "train.py": "import gin, torch\n@gin.configurable\ndef run(seed=None):\n    torch.manual_seed(seed)\n"
            "gin.parse_config_file('run.gin')\nrun()\n",
            "run.gin": "SEED = 11\nrun.seed = %SEED\n",
        },
        {
            "train.py": "import click, torch\n@click.command()\n@click.option('--random-seed', 'seed', default=11)\n"
            "def main(seed):\n    torch.manual_seed(seed)\nmain()\n"
        },
        {
            "train.py": "from absl import app, flags\nimport torch\n_SEED = flags.DEFINE_integer('seed', 11, '')\n"
            "def main(_):\n    torch.manual_seed(_SEED.value)\napp.run(main)\n"
        },
        {
            "train.py": "import hydra, torch\n@hydra.main(config_path='conf', config_name='config')\n"
            "def main(cfg):\n    torch.manual_seed(cfg.run.seed)\nmain()\n",
            "conf/config.yaml": "defaults:\n  - run: base\n",
            "conf/run/base.yaml": "seed: 11\n",
        },
    ],
    ids=["json in one line", "yaml in one line", "gin macro", "click", "absl", "hydra group"],
)
def test_seeds_come_from_every_kind_of_settings(files: dict[str, str]) -> None:
    (seed,) = facts_of(files).seeds
    assert (seed.state, seed.value) == (DEFAULT, "11")


def test_a_key_of_jax_comes_from_a_config_dict() -> None:
    files = {
        "train.py": """
            import jax
            from configs import base
            def main():
                config = base.get_config()
                key = jax.random.PRNGKey(config.training.seed)
                return jax.random.normal(key, (3,))
            main()
            """,
        "configs/__init__.py": "",
        "configs/base.py": """
            import ml_collections
            def get_config():
                config = ml_collections.ConfigDict()
                config.training = training = ml_collections.ConfigDict()
                training.seed = 7
                return config
            """,
    }
    assert coverage_of(files, Framework.JAX).state is DEFAULT
