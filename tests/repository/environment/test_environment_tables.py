"""The shipped tables: complete enough, sound, and small."""

import random
import string
from importlib import resources

import pytest
from packaging.utils import canonicalize_name

from assay.repository.environment.distributions import generic_names, lines_of, repositories, table, tools
from assay.repository.environment.public_names import is_public, made_of


def test_table_has_tens_of_thousands_of_distributions() -> None:
    assert len(table().names()) > 25_000


def test_every_distribution_is_in_normal_form() -> None:
    assert [name for name in table().names() if canonicalize_name(name) != name] == []


def test_every_module_can_be_imported() -> None:
    modules = {m for name in table().names() for m in table().provided_by(name)}
    assert [m for m in modules if not all(part.isidentifier() for part in m.split("."))] == []


def test_who_provides_a_module_and_what_a_distribution_provides_agree() -> None:
    one_way = {(name, module) for name in table().names() for module in table().provided_by(name)}
    silent = [(name, module) for name, module in one_way if "." not in module and name not in table().providing(module)]
    assert silent == []


@pytest.mark.parametrize(
    ("module", "distribution"),
    [
        ("PIL", "pillow"),
        ("cv2", "opencv-python"),
        ("sklearn", "scikit-learn"),
        ("yaml", "pyyaml"),
        ("dateutil", "python-dateutil"),
        ("Bio", "biopython"),
        ("serial", "pyserial"),
        ("OpenGL", "pyopengl"),
        ("absl", "absl-py"),
        ("haiku", "dm-haiku"),
        ("hydra", "hydra-core"),
        ("umap", "umap-learn"),
        ("skopt", "scikit-optimize"),
        ("google.cloud.bigquery_storage", "google-cloud-bigquery-storage"),
        ("google.auth.transport", "google-auth"),
        ("azure.identity", "azure-identity"),
        ("tensorflow.keras", "tensorflow"),
        ("torch.utils.tensorboard", "torch"),
        ("orbax.checkpoint", "orbax-checkpoint"),
    ],
)
def test_likeliest_provider(module: str, distribution: str) -> None:
    assert table().providing(module)[0] == distribution


@pytest.mark.parametrize("module", ["utils", "models", "tests", "data", "src", "config", "lib", "google"])
def test_names_that_everybody_uses_are_nobodys(module: str) -> None:
    assert table().providing(module) == ()


@pytest.mark.parametrize(
    ("conda", "pypi"),
    [("pytorch", "torch"), ("pytables", "tables"), ("python-graphviz", "graphviz"), ("numpy", "numpy")],
)
def test_names_on_conda(conda: str, pypi: str) -> None:
    assert table().on_pypi(conda) == pypi


def test_variant_has_the_modules_of_the_original() -> None:
    assert table().provided_by("spconv-cu999") == table().provided_by("spconv")
    assert table().provided_by("no-such-thing-gpu") == ()


def test_obsolete_names_lead_to_real_ones() -> None:
    assert [wanted for wanted in table().obsolete.values() if not table().knows(wanted)] == []


def test_repositories_hold_real_distributions() -> None:
    assert [held for held in repositories().values() if not table().knows(held)] == []


def test_hand_made_lists_are_sorted_out() -> None:
    names, beginnings = tools()
    assert "pytest" in names or "pytest".startswith(beginnings)
    assert all(name.isidentifier() for name in generic_names())


def test_public_names() -> None:
    assert all(map(is_public, ["numpy", "torch", "pyspng", "observations"]))
    chance = random.Random(7)
    invented = ["".join(chance.choices(string.ascii_lowercase, k=14)) for _ in range(2000)]
    assert sum(map(is_public, invented)) < 100


def test_filter_never_forgets_a_name() -> None:
    names = [f"name{i}" for i in range(500)]
    bits = made_of(names)
    assert len(bits) == 500
    assert made_of(reversed(names)) == bits


def test_tables_stay_under_a_megabyte() -> None:
    folder = resources.files("assay.repository.environment").joinpath("tables")
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 1_000_000


def test_extras_are_in_normal_form_and_bring_modules() -> None:
    for requirement, *parts in map(str.split, lines_of("extras.txt")):
        name, _, extra = requirement.removesuffix("]").partition("[")
        assert [one for one in (name, extra.replace("*", "any"), *parts) if one != canonicalize_name(one)] == []
        assert parts
        assert all(map(table().provided_by, parts))
