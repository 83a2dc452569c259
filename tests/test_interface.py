"""``import assay`` offers one function for each question; every answer prints and saves itself."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import assay
from assay.errors import InputError
from assay.findings import Severity, Verdict

ROOT = Path(__file__).parents[1]
SUBMISSION = ROOT / "examples" / "submission"
IMPOSSIBLE = {"p": 100, "n": 200, "acc": "0.90", "sens": "0.80", "spec": "0.80"}


@pytest.fixture(scope="module")
def audited() -> assay.Answer:
    return assay.audit(str(SUBMISSION))


@pytest.fixture(scope="module")
def answers(audited: assay.Answer) -> dict[str, assay.Answer]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    return {
        "audit": audited,
        "check_scores": assay.check_scores(**IMPOSSIBLE),
        "check_table": assay.check_table(pd.DataFrame([IMPOSSIBLE])),
        "scan_code": assay.scan_code(str(SUBMISSION)),
        "scan_data": assay.scan_data(str(SUBMISSION / "train.csv"), str(SUBMISSION / "test.csv")),
        "compare": assay.compare(y, {"new": rng.random(60) + y, "old": rng.random(60)}, resamples=0),
        "inspect_repository": assay.inspect_repository(str(SUBMISSION / "code")),
        "read_paper": assay.read_paper(str(SUBMISSION / "paper.tex")),
    }


def test_every_function_that_the_package_names_is_there(answers: dict[str, assay.Answer]) -> None:
    functions = {name for name in assay.__all__ if name.islower()}
    assert functions == set(answers)
    assert functions <= set(dir(assay))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scan_everything'"):
        _ = assay.scan_everything


def test_an_answer_prints_in_five_lines_and_as_html(answers: dict[str, assay.Answer]) -> None:
    for answer in answers.values():
        lines = repr(answer).splitlines()
        assert len(lines) <= 5
        assert max(map(len, lines)) <= 100
        assert "<" in answer._repr_html_()


def test_an_answer_becomes_a_table_of_its_findings(answers: dict[str, assay.Answer]) -> None:
    for name, answer in answers.items():
        table = answer.to_dataframe()
        if name != "check_table":
            assert list(table["code"]) == [finding.code for finding in answer.findings]
            assert [one["code"] for one in answer.to_dict()["findings"]] == list(table["code"])


@pytest.mark.parametrize("ending", ["html", "md", "txt", "json", "sarif", "csv", "tex", "pdf", "docx"])
def test_the_ending_decides_the_format_of_a_saved_answer(
    answers: dict[str, assay.Answer], tmp_path: Path, ending: str
) -> None:
    saved = answers["check_scores"].save(tmp_path / f"report.{ending}")
    assert saved.stat().st_size > 0


def test_an_unknown_ending_is_refused(answers: dict[str, assay.Answer], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'no report ends in "\.odt"'):
        answers["check_scores"].save(tmp_path / "report.odt")


def test_the_package_audit_can_be_called_and_imported_from() -> None:
    code = "import assay.audit.execution, assay; print(callable(assay.audit), assay.audit.execution.__name__)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "True assay.audit.execution\n"


def test_the_example_is_found_wrong_by_every_instrument(answers: dict[str, assay.Answer]) -> None:
    for name in ("audit", "check_scores", "check_table", "scan_code", "scan_data", "inspect_repository", "read_paper"):
        assert any(finding.severity is Severity.ERROR for finding in answers[name].findings), name


def test_scores_come_with_a_verdict() -> None:
    assert assay.check_scores(**IMPOSSIBLE).verdict is Verdict.INCONSISTENT
    assert assay.check_scores(ppv="0.91", sens="0.89", f1="0.95").verdict is Verdict.INCONSISTENT


def test_a_float_that_may_have_lost_a_zero_warns_and_says_how_to_write_it() -> None:
    with pytest.warns(assay.LostDigitsWarning, match=r'If 0\.90 was printed, write acc="0\.90"'):
        assay.check_scores(p=100, n=200, acc=0.9)


def test_text_and_whole_numbers_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.check_scores(p=100, n=200, acc="0.9")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_floats_of_a_table_warn_by_column(frame: Any) -> None:
    table = frame({"model": ["a"], "p": [100], "n": [200], "acc": [0.9], "sens": ["0.80"]})
    with pytest.warns(assay.LostDigitsWarning, match=r"judged as 0\.9: acc\. Read these columns as text"):
        assay.check_table(table)


def test_a_table_may_be_a_file(tmp_path: Path) -> None:
    sheet = tmp_path / "scores.csv"
    sheet.write_text("model,p,n,acc,sens,spec\nours,100,200,0.90,0.80,0.80\n")
    answer = assay.check_table(str(sheet))
    assert [finding.code for finding in answer.findings] == ["S101"]
    assert list(answer.to_dataframe()["acc"]) == ["0.90"]
    assert list(answer.to_dataframe()["assay_verdict"]) == ["inconsistent"]


def test_code_comes_with_its_pairs() -> None:
    pairs = assay.scan_code(SUBMISSION / "code").pairs
    assert pairs
    assert {pair.relation.value for pair in pairs} <= {"same", "overlapping", "disjoint", "unknown"}


def test_a_repository_comes_with_its_facts() -> None:
    assert assay.inspect_repository(SUBMISSION / "code").facts["languages"]


TABLES: dict[str, Any] = {
    "path": lambda path: path,
    "pandas": pd.read_csv,
    "polars": pl.read_csv,
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_gives_the_same_findings_however_it_is_handed_over(kind: str) -> None:
    read = TABLES[kind]
    answer = assay.scan_data(read(SUBMISSION / "train.csv"), read(SUBMISSION / "test.csv"), target="label")
    reference = assay.scan_data(SUBMISSION / "train.csv", SUBMISSION / "test.csv", target="label")
    assert [f.code for f in answer.findings] == [f.code for f in reference.findings]


def test_arrays_are_tables_with_numbered_columns() -> None:
    rng = np.random.default_rng(1)
    train = rng.normal(size=(200, 4))
    copied = np.vstack([rng.normal(size=(60, 4)), train[:40]])
    assert any(finding.code == "L1.4" for finding in assay.scan_data(train, copied).findings)


def test_the_target_of_an_array_is_the_number_of_its_column() -> None:
    rng = np.random.default_rng(1)
    rows = np.c_[rng.normal(size=(120, 3)), rng.integers(0, 2, 120)]
    answer = assay.scan_data(rows[:80], rows[40:], target=3)
    assert "label included" in next(f.message for f in answer.findings if f.code == "L1.4")


def test_a_missing_column_is_named_with_its_role() -> None:
    with pytest.raises(InputError, match='no column "label", given as the target') as error:
        assay.scan_data(np.zeros((9, 2)), np.ones((9, 2)), target="label")
    assert "--" not in str(error.value)


def test_one_column_of_scores_is_one_model() -> None:
    outcomes, scores = [1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.2, 0.3, 0.4, 0.1]
    assert repr(assay.compare(outcomes, scores)) == repr(assay.compare(outcomes, pl.Series(scores)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: assay.scan_code("nowhere.py"),
        lambda: assay.audit("nowhere"),
        lambda: assay.read_paper("nowhere.tex"),
        lambda: assay.scan_data("nowhere.csv", "nowhere.csv"),
        lambda: assay.check_table("nowhere.csv"),
    ],
)
def test_a_missing_file_is_named_with_its_parameter(call: Any) -> None:
    with pytest.raises(InputError, match=r'(path|train|table)="nowhere.*" does not exist'):
        call()


def test_what_is_no_table_is_named_with_its_parameter() -> None:
    with pytest.raises(InputError, match="train is a int"):
        assay.scan_data(3, 4)


def test_what_is_no_path_is_named_with_its_parameter() -> None:
    for call in (assay.scan_code, assay.inspect_repository, assay.read_paper):
        with pytest.raises(InputError, match="path=3 is not a path"):
            call(3)  # type: ignore[operator]


def test_a_comparison_says_first_whether_one_model_is_better() -> None:
    answer = assay.compare(
        [1, 1, 0, 0, 1, 0], {"a": [0.9, 0.8, 0.2, 0.3, 0.4, 0.1], "b": [0.7, 0.6, 0.5, 0.3, 0.6, 0.2]}
    )
    assert "The difference was not larger than chance explains" in repr(answer)


def test_importing_assay_loads_nothing_heavy() -> None:
    code = (
        "import sys, assay; print(sorted({m.partition('.')[0] for m in sys.modules} & {'numpy', 'pydantic', 'polars'}))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_several_files_may_be_given_one_by_one_or_as_a_list(tmp_path: Path) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("print(1)\n")
    second.write_text("print(2)\n")
    assert assay.scan_code([first, str(second)]).to_dict() == assay.scan_code(first, str(second)).to_dict()
    with pytest.raises(InputError, match="path names nothing"):
        assay.audit([])
