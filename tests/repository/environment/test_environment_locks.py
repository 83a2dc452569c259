"""Lock files: what was resolved, with or without hashes."""

import json

from environments import environment, pins

from assay.code import Language
from assay.repository.environment import Pin

UV = """
version = 1
[[package]]
name = "numpy"
version = "1.26.4"
source = { registry = "https://index.example.org/wheels" }
sdist = { url = "https://files/numpy.tar.gz", hash = "sha256:abc", size = 1 }

[[package]]
name = "thing"
version = "0.1"
source = { virtual = "." }
dependencies = [
    { name = "numpy" },
]

[package.metadata]
requires-dist = [{ name = "numpy", specifier = ">=1" }]
"""


def test_toml_locks_of_uv_and_poetry() -> None:
    assert pins({"uv.lock": UV}) == {"numpy": Pin.HASHED, "thing": Pin.EXACT}
    assert [d.location.line for d in environment({"uv.lock": UV}).declared] == [3, 9]


def test_old_poetry_keeps_hashes_at_the_end() -> None:
    package = '[[package]]\nname = "numpy"\nversion = "1.0"\n\n'
    text = package + '[metadata.files]\nnumpy = [\n {file = "a", hash = "sha256:b"},\n]\n'
    assert pins({"poetry.lock": text}) == {"numpy": Pin.HASHED}


def test_pipfile_lock() -> None:
    lock = {
        "default": {"numpy": {"hashes": ["sha256:a"], "version": "==1.0"}, "local": {"path": "."}},
        "develop": {"pytest": {"version": "==6.0"}},
    }
    assert pins({"Pipfile.lock": json.dumps(lock)}) == {"numpy": Pin.HASHED, "pytest": Pin.EXACT}


def test_conda_lock() -> None:
    text = (
        "version: 1\nmetadata:\n  channels:\n  - url: conda-forge\npackage:\n- name: pytorch\n  version: 1.7.1\n"
        "  manager: conda\n  hash:\n    md5: aaa\n- name: einops\n  version: '0.4'\n  manager: pip\n"
    )
    assert pins({"conda-lock.yml": text}) == {"torch": Pin.HASHED, "einops": Pin.EXACT}


def test_pixi_lock() -> None:
    text = (
        "version: 6\nenvironments:\n  default:\n    packages:\n      linux-64:\n"
        "      - conda: https://c/linux-64/a-1-b.conda\n"
        "packages:\n- conda: https://channel.example.org/c/linux-64/numpy-1.26.4-py310_0.conda\n  sha256: abc\n"
        "- pypi: https://files.example.org/einops.whl\n  name: einops\n  version: 0.7.0\n  sha256: def\n"
    )
    assert pins({"pixi.lock": text}) == {"numpy": Pin.HASHED, "einops": Pin.HASHED}


def test_renv_lock() -> None:
    lock = {"R": {"Version": "4.1.0"}, "Packages": {"dplyr": {"Package": "dplyr", "Version": "1.0.7", "Hash": "x"}}}
    facts = environment({"renv.lock": json.dumps(lock)})
    assert [(d.name, d.pin, d.language) for d in facts.declared] == [("dplyr", Pin.HASHED, Language.R)]
    assert [(d.name, d.specifier) for d in facts.languages] == [("r", "4.1.0")]


def test_julia_manifest() -> None:
    flux = '[[deps.Flux]]\ndeps = ["CUDA"]\nuuid = "x"\nversion = "0.12.1"\n'
    text = f'julia_version = "1.7.0"\n{flux}[[CSV]]\nversion = "0.9"\n'
    facts = environment({"Manifest.toml": text})
    assert [(d.name, d.specifier) for d in facts.declared] == [("Flux", "0.12.1"), ("CSV", "0.9")]
    assert [d.specifier for d in facts.languages] == ["1.7.0"]


def test_lock_narrows_what_a_manifest_asks_for() -> None:
    facts = environment({"uv.lock": UV, "pyproject.toml": '[project]\nname = "thing"\ndependencies = ["numpy>=1"]\n'})
    assert [(d.name, d.pin) for d in facts.dependencies] == [("numpy", Pin.HASHED)]
    assert [m.path for m in facts.locks] == ["uv.lock"]


def test_lock_alone_is_no_declaration_but_has_the_package() -> None:
    facts = environment({"uv.lock": UV, "a.py": "import numpy"})
    assert facts.undeclared == ()
    assert [(u.outside.module, u.mentioned[0].location.path) for u in facts.only_mentioned] == [("numpy", "uv.lock")]


def test_what_a_lock_has_for_the_sake_of_others_is_told_apart_beside_a_manifest_too() -> None:
    project = '[project]\nname = "thing"\ndependencies = ["scipy"]\n'
    facts = environment({"uv.lock": UV, "pyproject.toml": project, "a.py": "import numpy, scipy"})
    assert [(u.outside.module, u.mentioned[0].location.path) for u in facts.only_mentioned] == [("numpy", "uv.lock")]
    assert facts.undeclared == ()


def test_broken_lock_is_a_problem() -> None:
    assert {p.message for p in environment({"Pipfile.lock": "{", "renv.lock": "[1]"}).problems} == {"is not valid JSON"}
