"""A patch removes the leak, the program still parses and runs, and where that is not certain none is offered."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from patched_programs import FILLED, PATCHED, REFUSED, SCORED, SPLIT, TOP

from assay.cli import main
from assay.code import read_code
from assay.findings import Edit
from assay.leakage.code.analysis import analyse_text
from assay.leakage.code.patches.proposal import analyse_with_fixes, patched
from assay.leakage.code.policies.policy import load_policy
from assay.tree.opening import tree_of

CODES = {"L1.2", "L1.3", "L1.4"}
RUN = """\
import sys, traceback, warnings
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    try:
        exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
    except Exception:
        print("FAILED", path, traceback.format_exc(limit=1), file=sys.stderr)
"""


def after(text: str) -> str:
    code = read_code(tree_of({"study.py": text}))
    return patched(code, code.python[0]).after.text


@pytest.mark.parametrize("name", PATCHED)
def test_after_the_patch_the_leak_is_gone(name: str) -> None:
    program = TOP + PATCHED[name]
    assert any(leak.code in CODES for leak in analyse_text(program).leaks)
    changed = after(program)
    ast.parse(changed)
    found = analyse_text(changed)
    assert [leak.message for leak in found.leaks if leak.code in CODES] == []
    assert found.models
    assert found.evaluations


def test_patched_programs_run(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    table.loc[::7, "a"] = None
    table["text"] = [" ".join(rng.choice(["one", "two", "three"], 4)) for _ in range(80)]
    table["colour"] = rng.choice(["red", "blue"], 80)
    table["ill"] = (rng.random(80) < 0.3).astype(int)
    table.to_csv(tmp_path / "table.csv", index=False)
    for number, program in enumerate(PATCHED.values()):
        (tmp_path / f"p{number}.py").write_text(after(TOP + program))
    files = sorted(p.name for p in tmp_path.glob("p*.py"))
    done = subprocess.run(
        [sys.executable, "-c", RUN, *files], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "FAILED" not in done.stderr, done.stderr
    assert len(done.stdout.split()) >= len(files)


@pytest.mark.parametrize("name", REFUSED)
def test_where_the_change_is_not_certain_the_reason_is_given(name: str) -> None:
    program, reason = REFUSED[name]
    code = read_code(tree_of({"study.py": TOP + program}))
    fixes = [k.fix for k in analyse_with_fixes(code, code.python[0]).leaks if k.code in CODES]
    assert fixes
    assert all(fix is not None and not fix.edits and reason in fix.description for fix in fixes), fixes
    assert after(TOP + program) == TOP + program


def test_an_encoder_learns_to_bear_unseen_categories() -> None:
    encoder = "encoder = OneHotEncoder()\nX = encoder.fit_transform(df[['colour']])\ny = df['ill']\n"
    code = read_code(tree_of({"study.py": TOP + encoder + SPLIT.format("X, y") + SCORED}))
    changed = patched(code, code.python[0], load_policy("strict")).after.text
    assert 'encoder = OneHotEncoder(handle_unknown="ignore")' in changed
    assert "train_test_split(df[['colour']], y" in changed


def test_edits_applied_to_the_text_give_the_patched_text() -> None:
    program = TOP + PATCHED["selection before folds"]
    code = read_code(tree_of({"study.py": program}))
    (leak,) = [k for k in analyse_with_fixes(code, code.python[0]).leaks if k.code in CODES]
    assert leak.fix is not None
    assert applied(program, leak.fix.edits) == after(program)


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: e.location.line or 0, reverse=True):
        start, end = (edit.location.line or 1) - 1, (edit.location.end_line or 1) - 1
        head, tail = lines[start][: (edit.location.column or 1) - 1], lines[end][(edit.location.end_column or 1) - 1 :]
        lines[start : end + 1] = (head + edit.text + tail).split("\n")
    return "\n".join(lines)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.py").write_text(TOP + PATCHED["scaler, another name"])
    return tmp_path


def test_diff_prints_and_leaves_the_file_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "study.py").read_bytes()
    assert main(["leakage", "code", "study.py", "--diff"]) == 0
    shown = capsys.readouterr().out
    assert "-X_scaled = scaler.fit_transform(X)\n" in shown
    assert "+X_train = scaler.fit_transform(X_train)\n+X_test = scaler.transform(X_test)\n" in shown
    assert (folder / "study.py").read_bytes() == before


def test_fix_writes_and_what_is_left_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.py").write_text(TOP + REFUSED["used again"][0])
    assert main(["leakage", "code", ".", "--fix"]) == 1
    assert "other.py:20:12 L1.2: No patch is offered: `X_scaled` is used again at line 24" in capsys.readouterr().err
    assert main(["leakage", "code", "study.py", "--fail-on", "note"]) == 0


def test_line_ends_of_windows_stay(folder: Path) -> None:
    (folder / "study.py").write_bytes((TOP + PATCHED["scaler, same name"]).replace("\n", "\r\n").encode())
    main(["leakage", "code", "study.py", "--fix"])
    written = (folder / "study.py").read_bytes()
    assert b"X_test = scaler.transform(X_test)\r\n" in written
    assert written.count(b"\n") == written.count(b"\r\n")


def test_an_archive_is_not_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import zipfile

    with zipfile.ZipFile(folder / "code.zip", "w") as archive:
        archive.write(folder / "study.py", "study.py")
        archive.write(folder / "study.py", "again.py")
    assert main(["leakage", "code", "code.zip", "--fix"]) == 2
    assert "cannot be changed in place" in capsys.readouterr().err


def cell(text: str | list[str], kind: str = "code") -> dict[str, object]:
    more: dict[str, object] = {"outputs": [{"output_type": "stream", "text": ["é\u2028 1.0\n"]}], "execution_count": 3}
    return {"cell_type": kind, "metadata": {"b": 1, "a": 2}, "source": text, **(more if kind == "code" else {})}


@pytest.mark.parametrize("indent", [None, 1, 2])
def test_a_notebook_keeps_its_other_cells_byte_for_byte(folder: Path, indent: int | None) -> None:
    split = ["%matplotlib inline\n", *SPLIT.format("X, y").splitlines(keepends=True), "X_train[:3]"]
    step = "pca = PCA(1)\nX = pca.fit_transform(X)"
    cells = [cell("# Title é", "markdown"), cell(TOP + FILLED), cell(step), cell(split), cell(SCORED)]
    before = json.dumps({"nbformat": 4, "cells": cells, "metadata": {}, "nbformat_minor": 5}, indent=indent)
    (folder / "a.ipynb").write_text(before + "\n")
    assert main(["leakage", "code", "a.ipynb", "--fix"]) == 0
    written = (folder / "a.ipynb").read_text()
    cells[2]["source"] = "pca = PCA(1)"
    cells[3]["source"] = [
        *split[:2],
        "X_train = pca.fit_transform(X_train)\n",
        "X_test = pca.transform(X_test)\n",
        split[2],
    ]
    expected = json.dumps({"nbformat": 4, "cells": cells, "metadata": {}, "nbformat_minor": 5}, indent=indent)
    assert written == expected + "\n"


def test_sarif_and_json_carry_the_patch(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["leakage", "code", "study.py", "-f", "sarif"])
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (fix,) = next(r for r in results if r["ruleId"] == "L1.2")["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "study.py"
    assert "X_test = scaler.transform(X_test)" in change["replacements"][0]["insertedContent"]["text"]
    main(["leakage", "code", "study.py", "-f", "json"])
    (finding,) = [f for f in json.loads(capsys.readouterr().out)["findings"] if f["code"] == "L1.2"]
    assert finding["fix"]["edits"][0]["location"]["line"] == 21
