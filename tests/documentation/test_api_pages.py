"""The Python interface is documented, annotated, and its examples have the types they claim."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from generate_api import PUBLIC, pages
from run_examples import ROOT, blocks
from run_examples import pages as documents

LENIENT = '# mypy: no-strict-optional, disable-error-code="no-untyped-def, no-untyped-call, union-attr"'
"""Who tries something at a prompt sees whether it is None, and annotates nothing; all else must be right."""
NAMES = [(module, name) for module, names in PUBLIC.items() for name in names]


@pytest.mark.parametrize(("module", "name"), NAMES, ids=[".".join(pair) for pair in NAMES])
def test_public_name_says_what_it_is(module: str, name: str) -> None:
    thing = getattr(importlib.import_module(module), name)
    assert len(inspect.getdoc(thing) or "") > 10
    if inspect.isfunction(thing):
        given = inspect.signature(thing)
        assert given.return_annotation is not inspect.Signature.empty
        assert all(p.annotation is not inspect.Parameter.empty for p in given.parameters.values())


def test_what_a_room_exports_is_public() -> None:
    for module, names in PUBLIC.items():
        assert set(getattr(importlib.import_module(module), "__all__", names)) & set(names)


def test_every_module_has_a_page_that_names_its_names() -> None:
    made = pages()
    for module, names in PUBLIC.items():
        assert all(f"## {name}\n" in made[f"api/{module}.md"] for name in names)
    assert "report(self) -> Report" in made["api/assay.scores.check.md"]


def code_of(page: Path) -> str:
    """The Python of a page: sessions without prompts and outputs, one after the other."""
    lines = [LENIENT]
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "python" and block.is_session:
            lines += [line[4:] for line in block.body if line.startswith((">>> ", "... ", "..."))]
    return "\n".join(lines) + "\n"


@pytest.mark.no_cover
def test_examples_have_the_types_that_they_claim(tmp_path: Path) -> None:
    files = []
    for number, page in enumerate(documents()):
        code = code_of(page)
        if code.strip() != LENIENT:
            files.append(tmp_path / f"page_{number}_{page.stem.replace('-', '_')}.py")
            files[-1].write_text(code, encoding="utf-8")
    assert len(files) > 5
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *map(str, files)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
