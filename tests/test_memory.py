"""A command has a bound on its memory, and one file that would exhaust it does not cost the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LEAK = """
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
df = pd.read_csv("patients.csv")
X = StandardScaler().fit_transform(df.drop(columns="y"))
X_train, X_test, y_train, y_test = train_test_split(X, df["y"])
print(LogisticRegression().fit(X_train, y_train).score(X_test, y_test))
"""


def assay(*arguments: str, memory: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"ASSAY_MEMORY": memory}
    command = [sys.executable, "-P", "-m", "assay", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A repository whose pyproject.toml asks for more than 8 GB when it is parsed."""
    (tmp_path / "pyproject.toml").write_text(".".join(["a"] * 50_000) + " = 1\n")
    (tmp_path / "train.py").write_text(LEAK)
    return tmp_path


def test_one_file_silences_neither_the_repository_nor_the_leakage_analysis(submission: Path) -> None:
    repository = assay("repo", str(submission), memory="1500")
    assert repository.returncode == 1
    assert "a key has more than 40 parts (at line 1)" in " ".join(repository.stdout.split())
    assert "Not examined" in repository.stdout
    leakage = assay("leakage", "code", str(submission), memory="1500")
    assert "L1.2" in leakage.stdout


def test_page_one_of_an_audit_names_a_file_that_exceeded_a_limit(submission: Path) -> None:
    ended = assay("audit", str(submission), "-f", "md", memory="1500")
    points, _, verdict = ended.stdout.partition("## Verdict")
    assert "L1.2" in points
    [unchecked] = [line for line in verdict.splitlines() if line.startswith("- **Not checked")]
    assert "pyproject.toml: is not valid TOML: a key has more than 40 parts" in unchecked


def test_a_bound_that_is_no_number_is_refused_in_words() -> None:
    ended = assay("explain", "L1.1", memory="plenty")
    assert ended.returncode == 2
    assert "ASSAY_MEMORY is 'plenty'" in ended.stderr
    assert "megabytes" in ended.stderr


def test_the_bound_is_in_force_and_zero_lifts_it() -> None:
    show = (
        "import resource; from assay.memory import limit_memory; limit_memory();"
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )

    def bound(memory: str) -> int:
        environment = os.environ | {"ASSAY_MEMORY": memory}
        ended = subprocess.run(
            [sys.executable, "-c", show], capture_output=True, text=True, env=environment, check=True
        )
        return int(ended.stdout)

    assert bound("1500") == 1500 * 1024**2
    assert bound("0") != 1500 * 1024**2
