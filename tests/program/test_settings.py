"""Options and configuration files, as every room reads them."""

import ast

import pytest

from assay.program.configuration import entries, nested, number
from assay.program.options import options


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (
            ".yaml",
            "train:\n  lr: 0.1\n  seed: 17 # fixed\nname: a\n",
            [("train.lr", "0.1", 2), ("train.seed", "17", 3), ("name", "a", 4)],
        ),
        (".yaml", "train: {n: 3, seed: 11}\n", [("train.n", "3", 1), ("train.seed", "11", 1)]),
        (".yaml", "runs:\n  - seed: 1\n    lr: 2\n", [("runs.seed", "1", 2), ("runs.lr", "2", 3)]),
        (".json", '{"model": {"n": 3},\n "seed": null}', [("model.n", "3", 1), ("seed", "null", 2)]),
        (".toml", "[train]\nseed = 4\n[test]\nseed = 5\n", [("train.seed", "4", 2), ("test.seed", "5", 4)]),
        (".gin", "SEED = 5\nrun.seed = %SEED\n", [("SEED", "5", 1), ("run.seed", "%SEED", 2)]),
        (".json", '{"seed": 1,', []),
    ],
)
def test_keys_with_what_they_are_nested_under(suffix: str, text: str, expected: list[tuple[str, str, int]]) -> None:
    assert [(e.path, e.value, e.line) for e in entries(text, suffix)] == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('parser.add_argument("-s", "--random-seed", type=int, default=4)', [("random-seed", "4", False)]),
        ('parser.add_argument("--seed", dest="s", required=True)', [("s", "None", True)]),
        ('parser.add_argument("rows")', [("rows", "None", True)]),
        ('parser.add_argument("--fast", action="store_true")', [("fast", "False", False)]),
        ('click.option("--random-seed", "seed", default=4)', [("seed", "4", False)]),
        ('click.option("--fast/--slow", is_flag=True)', [("fast", "False", False)]),
        ('flags.DEFINE_integer("seed", 4, "the seed")', [("seed", "4", False)]),
        ("parser.set_defaults(seed=4, lr=0.1)", [("seed", "4", False), ("lr", "0.1", False)]),
        ('flags.DEFINE_alias("seed")', []),
    ],
)
def test_options_of_argparse_click_and_absl(call: str, expected: list[tuple[str, str, bool]]) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    found = options(node, node.func.attr)
    assert [(o.name, ast.unparse(o.default), o.required) for o in found] == expected


def test_only_named_settings_are_nested() -> None:
    assert nested("a: {b: '1'}", "x.yaml") == {"a": {"b": "1"}}
    assert nested("[1, 2]", "x.json") is None
    assert nested("a: [", "x.yaml") is None
    assert nested("a: 1\n" * 20_000, "x.yaml") is None


@pytest.mark.parametrize(
    ("text", "value"), [("1_000", 1000), ("-2.5e3", -2500.0), ("Yes", True), ("seven", None), ("9" * 99, None)]
)
def test_numbers_and_truths(text: str, value: object) -> None:
    assert number(text) == value
