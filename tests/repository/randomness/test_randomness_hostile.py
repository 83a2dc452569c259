"""Code that is meant to lead nowhere ends in time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from seeded_trees import coverage_of, facts_of

from assay.repository.randomness import Framework, State


def test_values_that_refer_to_themselves() -> None:
    code = "import torch\na = b\nb = a\ndef f(x=None):\n    return g(x)\ndef g(x):\n    return f(x)\n"
    assert (
        facts_of(code + "torch.manual_seed(a)\ntorch.manual_seed(f())\ntorch.rand(1)\n").seeds[0].state is State.UNKNOWN
    )


def test_functions_that_call_one_another() -> None:
    names = [f"f{i}" for i in range(60)]
    body = "".join(
        f"def {n}(s):\n" + "".join(f"    {m}(s)\n" for m in names) + "    torch.manual_seed(s)\n" for n in names
    )
    assert (
        facts_of(f"import torch\n{body}f0(1)\ntorch.rand(1)\n").entry_points[0].coverage[0].framework is Framework.TORCH
    )


def test_files_that_import_one_another() -> None:
    files = {f"m{i}.py": f"from m{(i + 1) % 5} import *\nimport m{(i + 2) % 5}\nx = SEED\n" for i in range(5)}
    facts_of({**files, "train.py": "from m0 import *\nimport torch\ntorch.manual_seed(SEED)\ntorch.rand(1)\n"})


def test_integers_beyond_all_bounds() -> None:
    code = f"import torch\nS = 0x{'f' * 20000}\nif S != 0:\n    torch.manual_seed(S * S)\ntorch.manual_seed(S)\n"
    assert [s.state for s in facts_of(code).seeds] == [State.FIXED, State.FIXED]


def test_conditions_that_compare_the_incomparable() -> None:
    code = "import torch\nS = 'a'\nif S > 3 or S in 5:\n    torch.manual_seed(1)\ntorch.rand(1)\n"
    assert facts_of(code).seeds[0].state is State.FIXED


def test_a_long_chain_of_assignments() -> None:
    chain = "".join(f"s{i + 1} = s{i}\n" for i in range(500))
    assert (
        facts_of(f"import torch\ns0 = 1\n{chain}torch.manual_seed(s500)\ntorch.rand(1)\n").seeds[0].state
        is State.UNKNOWN
    )


def test_long_lines_of_configuration() -> None:
    config = "a" * 100_000 + "seed\n" + "seed" * 20_000 + "\nseed: 3\n"
    found = coverage_of(
        {"train.py": "import torch\ntorch.manual_seed(load().seed)\ntorch.rand(1)\n", "c.yaml": config}, Framework.TORCH
    )
    assert found.state is State.DEFAULT


PIECES = st.sampled_from(
    ["seed = None\n", "seed = 1\n", "torch.manual_seed(seed)\n", "torch.rand(1)\n", "if seed:\n    seed = 2\n",
     "def f(seed=seed):\n    torch.manual_seed(seed)\n", "f()\n", "f(seed)\n", "for seed in range(3):\n    f(seed)\n",
     "class A:\n    seed = 1\n    def g(self):\n        torch.manual_seed(self.seed)\n", "A().g()\n",
     "args = parse()\n", "args.seed = seed\n", "torch.manual_seed(args.seed)\n", "seed, x = 1, seed\n"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=12))
def test_whatever_the_order_of_the_pieces_every_draw_is_accounted_for(pieces: list[str]) -> None:
    facts = facts_of("import torch\n" + "".join(pieces))
    for entry in facts.entry_points:
        for found in entry.coverage:
            assert 0 <= found.uncovered_count <= found.uses
            assert len(found.uncovered) == min(found.uncovered_count, 10)
            assert found.state.controlled or found.state is State.UNKNOWN or found.uncovered_count
    assert facts_of("import torch\n" + "".join(pieces)) == facts
