"""The table of calls."""

from __future__ import annotations

import pytest

from assay.repository.randomness.facts import Framework, State
from assay.repository.randomness.lookup import is_seeding_name, method_rows, rows_for
from assay.repository.randomness.roles import Role
from assay.repository.randomness.table import ROWS


@pytest.mark.parametrize(
    ("name", "role", "framework"),
    [
        ("random.seed", Role.SEEDS, Framework.PYTHON),
        ("numpy.random.seed", Role.SEEDS, Framework.NUMPY),
        ("numpy.random.mtrand.RandomState", Role.CREATES, Framework.NUMPY),
        ("torch.manual_seed", Role.SEEDS, Framework.TORCH),
        ("torch.cuda.manual_seed", Role.SEEDS, Framework.CUDA),
        ("torch.nn.modules.linear.Linear", Role.DRAWS, Framework.TORCH),
        ("torchvision.models.resnet50", Role.DRAWS, Framework.TORCH),
        ("tensorflow.compat.v1.set_random_seed", Role.SEEDS, Framework.TENSORFLOW),
        ("tensorflow.keras.layers.Dense", Role.DRAWS, Framework.TENSORFLOW),
        ("jax.random.PRNGKey", Role.CREATES, Framework.JAX),
        ("sklearn.ensemble.RandomForestClassifier", Role.DRAWS, Framework.SKLEARN),
        ("gymnasium.make", Role.DRAWS, Framework.GYM),
    ],
)
def test_calls_are_found_by_their_full_names(name: str, role: Role, framework: Framework) -> None:
    assert [(r.role, r.frameworks[0]) for r in rows_for(name)] == [(role, framework)]


@pytest.mark.parametrize("name", ["torch.cat", "numpy.random", "randomness.seed", "my.torch.manual_seed", "seed"])
def test_other_calls_are_not(name: str) -> None:
    assert rows_for(name) == ()


def test_the_seed_of_a_generator_is_not_the_global_one() -> None:
    assert rows_for("torch.Generator().manual_seed") == ()


def test_methods_need_their_package_or_a_telling_object() -> None:
    assert method_rows("w", "uniform_", frozenset({"torch"}))
    assert not method_rows("w", "uniform_", frozenset())
    assert method_rows("self.eval_env", "seed", frozenset())
    assert not method_rows("sampler", "seed", frozenset())


@pytest.mark.parametrize(
    "name",
    ["set_seed", "set_random_seed", "seed_everything", "fix_random_seeds", "setup_seed", "set_all_seeds", "seed_all",
     "init_seeds", "seed_torch", "set_seed_everywhere", "make_deterministic", "set_reproducible", "same_seeds"],
)  # fmt: skip
def test_names_that_say_that_they_seed(name: str) -> None:
    assert is_seeding_name(name)


@pytest.mark.parametrize("name", ["seed", "get_seed", "seed_worker", "seeds_to_plot", "random_state", "speed_up"])
def test_names_that_do_not(name: str) -> None:
    assert not is_seeding_name(name)


def test_every_row_is_complete() -> None:
    for row in ROWS:
        assert row.names.split()
        assert row.frameworks or row.role in {Role.FITS, Role.LOADS, Role.RESTORES, Role.SWITCHES}
        assert row.role is not Role.DRAWS or row.fallback is not None
        assert row.absent_value or row.absent in {State.NONE, State.MISSING}
