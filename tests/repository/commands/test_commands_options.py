"""Would the program accept the options? argparse, absl, click, typer, fire, docopt and hydra, read off their text."""

import pytest

from assay.code import read_code
from assay.repository.commands import Command, Fault, Outcome, read_commands
from assay.repository.readme import read_readme
from assay.tree import tree_of


def run(arguments: str, files: dict[str, str], inline: bool = False) -> Command:
    text = f"Run `python a.py {arguments}`.\n" if inline else f"```\npython a.py {arguments}\n```\n"
    tree = tree_of({"README.md": f"# M\n{text}", **files})
    code = read_code(tree)
    [command] = read_commands(tree, code, read_readme(tree, code)).commands
    return command


def problems(command: Command) -> list[tuple[str, str, str]]:
    return [(p.fault.value, p.missing, p.nearest) for p in command.problems]


ARGPARSE = """\
import argparse
parser = argparse.ArgumentParser()
group = parser.add_argument_group("x")
parser.add_argument("-b", "--batch-size", type=int, default=1)
group.add_argument("--model", choices=["small", "large"])
parser.add_argument("--gpus", nargs="+", type=int)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--level", type=int, choices=range(3))
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        "--batch-size 4", "--batch-size=4", "-b 4", "-b4", "--batch 4", "--model small --amp", "--gpus 0 1 2 --amp",
        "--help",
        "--model $MODEL", "--model <model>", "--level 2", "--batch-size -1", "--model={small,large}", "",
        "--OPTIONS", "...",
    ],
)  # fmt: skip
def test_known_options_are_fine(arguments: str) -> None:
    assert run(arguments, {"a.py": ARGPARSE}).outcome is Outcome.OK


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--batchsize 4", ("option", "--batchsize", "--batch-size")),
        ("--lr 0.1 --amp", ("option", "--lr", "")),
        ("--amp -z 1", ("option", "-z", "")),
        ("--model medium", ("choice", "--model medium", "small, large")),
        ("--model lrge", ("choice", "--model lrge", "large")),
        ("--level 3", ("choice", "--level 3", "0, 1, 2")),
    ],
)
def test_unknown_options_and_choices_are_named(arguments: str, expected: tuple[str, str, str]) -> None:
    command = run(arguments, {"a.py": ARGPARSE})
    assert command.outcome is Outcome.BROKEN
    assert problems(command) == [expected]


REQUIRED = """\
import argparse
def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("--out", required=True)
    return p.parse_args()
if __name__ == "__main__":
    get_args()
"""


def test_what_is_required_must_be_given() -> None:
    assert problems(run("x --out y", {"a.py": REQUIRED})) == []
    assert problems(run("x", {"a.py": REQUIRED})) == [("required option", "--out", "")]
    assert problems(run("--out y", {"a.py": REQUIRED})) == [("required option", "data", "")]


@pytest.mark.parametrize("arguments", ["x ...", "[options]", "--help", "x [--out y]"])
def test_a_sketch_need_not_be_complete(arguments: str) -> None:
    assert run(arguments, {"a.py": REQUIRED}).outcome is Outcome.OK


def test_a_command_within_a_sentence_need_not_be_complete() -> None:
    assert run("x", {"a.py": REQUIRED}, inline=True).outcome is Outcome.OK


IMPORTED = {
    "a.py": "from options.base import get_args\nimport other\nargs = get_args()\n",
    "options/__init__.py": "",
    "options/base.py": "import argparse\ndef get_args():\n    p = argparse.ArgumentParser()\n"
    "    p.add_argument('--lr')\n    return p.parse_args()\n",
    "other.py": "import argparse\nif __name__ == '__main__':\n    p = argparse.ArgumentParser()\n"
    "    p.add_argument('--own', required=True)\n    p.parse_args()\n",
}  # fmt: skip


def test_the_parser_may_be_in_another_file() -> None:
    assert run("--lr 1", IMPORTED).outcome is Outcome.OK
    assert problems(run("--rl 1", IMPORTED)) == [("option", "--rl", "")]


def test_what_an_imported_file_does_when_run_by_itself_does_not_count() -> None:
    assert problems(run("--own 1", IMPORTED)) == [("option", "--own", "")]


def test_a_parser_that_is_handed_round_keeps_all_its_options() -> None:
    files = {
        "a.py": "import argparse\nfrom model import add_args\np = argparse.ArgumentParser()\n"
        "p.add_argument('--x')\nadd_args(p)\np.parse_args()\n",
        "model.py": "def add_args(parser):\n    add = parser.add_argument\n    add('--depth')\n",
    }  # fmt: skip
    assert run("--x 1 --depth 2", files).outcome is Outcome.OK
    assert run("--width 2", files).outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    "source",
    [
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--x')\np.parse_known_args()\n",
        (
            "import argparse\np = argparse.ArgumentParser()\nfor k in keys:\n    p.add_argument('--' + k)\n"
            "p.parse_args()\n"
        ),
        "import argparse, pl\np = argparse.ArgumentParser()\np = pl.Trainer.add_argparse_args(p)\np.parse_args()\n",
        "import argparse\nfrom lib import more\np = argparse.ArgumentParser()\nmore(p)\np.parse_args()\n",
        (
            "from detectron2.engine import default_argument_parser\np = default_argument_parser()\n"
            "p.add_argument('--x')\np.parse_args()\n"
        ),
        "from pytorch_lightning.cli import LightningCLI\nLightningCLI(M)\n",
        "from transformers import HfArgumentParser\nHfArgumentParser(A).parse_args_into_dataclasses()\n",
        "import sys\nprint(sys.argv[1:])\n",
        "import fire\nfire.Fire()\n",
        "import argparse\np = argparse.ArgumentParser()\np.parse_args(\n",
        "print 'python 2'\nimport argparse\nexec 'x' in y\nlambda (a, b): a\n",
        "x = 1\n",
    ],
)
def test_what_only_running_would_tell_is_not_guessed(source: str) -> None:
    command = run("--unknown 1", {"a.py": source})
    assert command.outcome is Outcome.UNKNOWN
    assert command.reason


def test_all_that_follows_a_remainder_belongs_to_it() -> None:
    source = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('script')\n"
        "p.add_argument('rest', nargs=argparse.REMAINDER)\np.parse_args()\n"
    )
    assert run("b.py --anything 1", {"a.py": source, "b.py": ""}).outcome is Outcome.OK


ABSL = """\
from absl import app, flags
flags.DEFINE_string("data", None, "help")
flags.DEFINE_boolean("fast", False, "help")
flags.DEFINE_enum("mode", "train", ["train", "test"], "help")
flags.mark_flag_as_required("data")
app.run(main)
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--data=x --fast --mode test", []), ("--data x --nofast --alsologtostderr", []), ("-data x", []),
        ("--data x --quick", [("option", "--quick", "")]), ("--fast", [("required option", "--data", "")]),
        ("--data x --mode eval", [("choice", "--mode eval", "train, test")]),
    ],
)  # fmt: skip
def test_flags_of_absl(arguments: str, expected: list[tuple[str, str, str]]) -> None:
    assert problems(run(arguments, {"a.py": ABSL})) == expected


def test_flags_of_imported_files_count_and_configuration_files_leave_it_open() -> None:
    files = {"a.py": "import lib\nfrom absl import flags\nflags.DEFINE_string('x', '', '')\n", "lib.py": ABSL}
    assert run("--x 1 --data y", files).outcome is Outcome.OK
    config = (
        "from absl import flags\nfrom ml_collections import config_flags\nconfig_flags.DEFINE_config_file('config')\n"
    )
    assert run("--config=c.py --config.lr=1 --zzz", {"a.py": config}).outcome is Outcome.UNKNOWN


CLICK = """\
import click
@click.command()
@click.option("--lr", type=float, required=True)
@click.option("--mode", type=click.Choice(["a", "b"]))
@click.option("--fast/--slow", default=False)
@click.argument("path")
def main(lr, mode, fast, path):
    pass
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("x --lr 1 --mode a --slow", []),
        ("x --lr 1 --rate 2", [("option", "--rate", "")]),
        ("x", [("required option", "--lr", "")]),
        ("--lr 1", [("required option", "path", "")]),
        ("x --lr 1 --mode c", [("choice", "--mode c", "a, b")]),
    ],
)
def test_options_of_click(arguments: str, expected: list[tuple[str, str, str]]) -> None:
    assert problems(run(arguments, {"a.py": CLICK})) == expected


@pytest.mark.parametrize(
    ("source", "known", "unknown"),
    [
        (("import typer\ndef main(data: str, learning_rate: float = 0.1, fast: bool = False):\n    pass\n"
        "typer.run(main)\n"),
         "x --learning-rate 1 --no-fast", "x --rate 1"),
        (("import typer\napp = typer.Typer()\n@app.command()\n"
        "def main(x: int = typer.Option(1, '--size', '-s')):\n    pass\n"),
         "-s 1 --size 2", "--x 1"),
        ("import fire\ndef main(lr=0.1, out_dir=''):\n    pass\nfire.Fire(main)\n", "--lr 1 --out-dir x", "--rate 1"),
        (("'''Usage: a.py [options]\n\nOptions:\n  --lr=<x>  rate\n  -v  more\n'''\nfrom docopt import docopt\n"
        "docopt(__doc__)\n"),
         "--lr 1 -v", "--rate 1"),
        ("from optparse import OptionParser\np = OptionParser()\np.add_option('-n', '--name')\np.parse_args()\n",
         "-n x", "--nom x"),
    ],
)  # fmt: skip
def test_options_of_other_libraries(source: str, known: str, unknown: str) -> None:
    assert run(known, {"a.py": source}).outcome is Outcome.OK
    command = run(unknown, {"a.py": source})
    assert command.outcome is Outcome.BROKEN
    assert command.problems[0].fault is Fault.OPTION


HYDRA = {
    "a.py": "import hydra\n@hydra.main(config_path='conf', config_name='config')\ndef main(cfg):\n    pass\n",
    "conf/config.yaml": "defaults:\n  - model: small\nlr: 0.1\ntrainer:\n  epochs: 3\n",
    "conf/model/small.yaml": "depth: 1\n",
    "conf/model/large.yaml": "depth: 9\n",
}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("lr=1 trainer.epochs=2 model=large -m", []), ("+new=1 ++x.y=2 ~lr hydra.run.dir=x", []), ("model=$MODEL", []),
        ("--config-name config", []), ("model=small,large", []),
        ("model=huge", [("choice", "model=huge", "large, small")]), ("rate=1", [("option", "rate", "")]),
        ("--config-name other", [("file", "conf/other.yaml", "config")]),
        ("--config-name=other", [("file", "conf/other.yaml", "config")]),
    ],
)  # fmt: skip
def test_settings_of_hydra(arguments: str, expected: list[tuple[str, str, str]]) -> None:
    assert problems(run(arguments, HYDRA)) == expected


def test_settings_that_code_declares_are_not_judged() -> None:
    source = HYDRA["a.py"] + "from hydra.core.config_store import ConfigStore\n"
    assert run("rate=1", {**HYDRA, "a.py": source}).outcome is Outcome.OK


def test_problems_point_to_where_the_program_declares_its_options() -> None:
    [problem] = run("--batchsize 4", {"a.py": ARGPARSE}).problems
    assert problem.declared is not None
    assert (problem.declared.path, problem.declared.line) == ("a.py", 4)


def test_a_program_of_another_project_may_have_other_options() -> None:
    readme = "# M\n```\ncd ~/elsewhere\n```\nthen\n```\npython a.py --other 1\n```\n"
    tree = tree_of({"README.md": readme, "a.py": ARGPARSE})
    code = read_code(tree)
    [command] = read_commands(tree, code, read_readme(tree, code)).commands
    assert command.outcome is Outcome.UNKNOWN
