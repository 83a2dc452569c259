"""The GitHub action and the pre-commit hooks, from installation to report, on a repository of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from local_runner import run_action

SOUND = 'name = "sound"\np = 100\nn = 200\n[scores]\nacc = "0.80"\nsens = "0.80"\nspec = "0.80"\n'
IMPOSSIBLE = SOUND.replace('acc = "0.80"', 'acc = "0.90"')
LEAK = (
    "import pandas as pd\nfrom sklearn.svm import SVC\nfrom sklearn.feature_selection import SelectKBest\n"
    "from sklearn.model_selection import cross_val_score\n"
    "df = pd.read_csv('genes.csv')\nX, y = df.drop(columns='tumour'), df['tumour']\n"
    "X = SelectKBest(k=20).fit_transform(X, y)\nprint(cross_val_score(SVC(), X, y).mean())\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Somebody's repository, with a sound table, an impossible one and a script that leaks."""
    folder = tmp_path / "project"
    (folder / "results").mkdir(parents=True)
    (folder / "results" / "assay-sound.toml").write_text(SOUND)
    (folder / "results" / "assay-impossible.toml").write_text(IMPOSSIBLE)
    (folder / "train.py").write_text(LEAK)
    return folder


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def committed(folder: Path) -> str:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "All there is")
    return git(folder, "rev-parse", "HEAD")


def test_action_installs_runs_and_reports(
    project: Path, sources: Path, offline: dict[str, str], tmp_path: Path
) -> None:
    inputs = {"command": "scores check", "paths": "results/*.toml", "fail-on-findings": "false"}
    ended = run_action(sources, project, tmp_path, inputs, offline)
    assert ended.code == 0, ended.log
    assert ended.outputs == {"report": "assay.sarif", "findings": "true"}
    [run] = json.loads((project / "assay.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["S101"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "results/assay-impossible.toml"


def test_hooks_stop_a_commit_that_they_object_to(
    project: Path, sources: Path, offline: dict[str, str], tmp_path: Path
) -> None:
    ours = tmp_path / "assay"
    ours.mkdir()
    subprocess.run(["cp", "-r", f"{sources}/.", str(ours)], check=True)
    hooks = [{"id": "assay-scores"}, {"id": "assay-leakage"}]
    config = {"repos": [{"repo": str(ours), "rev": committed(ours), "hooks": hooks}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    committed(project)
    environment = offline | {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PRE_COMMIT_COLOR": "never"}
    command = [str(Path(sys.executable).parent / "pre-commit"), "run", "--all-files"]
    ended = subprocess.run(
        command, cwd=project, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "S101" in ended.stdout
    assert "L1.3" in ended.stdout
