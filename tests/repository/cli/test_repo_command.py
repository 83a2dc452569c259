"""`assay repo` as a person meets it."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import pytest

from assay.cli import main
from assay.repository.readme import Checked
from assay.repository.research.evaluation.columns import measured_in
from assay.repository.research.evaluation.sheet import read_sheet
from assay.repository.research.loos2022 import ratings
from assay.tree import open_tree

FILES = {
    "train.py": "import torch\nmodel = torch.nn.Linear(3, 1)\noptimiser = torch.optim.SGD(model.parameters(), lr=0.1)\n"
    "model(torch.randn(8, 3)).sum().backward()\noptimiser.step()\n",
    "requirements.txt": "torch\n",
    "README.md": "# Model\n\nRun `python train.py`.\n",
}


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder; gives exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def go(*arguments):
        code = main(["repo", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return go


@pytest.fixture
def folder(tmp_path):
    """A small repository that lacks a licence, a seed and a version."""
    made = tmp_path / "model"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)


def test_text_begins_with_what_to_do_and_ends_with_what_passed(run, folder):
    code, out, err = run("model")
    assert code == 1
    assert not err
    assert all(len(line) <= 80 for line in out.splitlines())
    order = ["model", "First", "Factors (default profile", "Findings", "Passed:", "Not applicable:"]
    places = [out.index(words) for words in order]
    assert places == sorted(places)
    assert "Add `torch.manual_seed(0)` in train.py before line 2." in out


@pytest.mark.parametrize("format_", ["md", "html", "json", "csv", "sarif"])
def test_every_format_has_the_findings(run, folder, format_):
    code, out, _ = run("model", "--format", format_)
    assert code == 1
    assert "R101" in out
    assert "R401" in out


def test_json_tells_passed_failed_and_not_applicable_apart(run, folder):
    _, out, _ = run("model", "--format", "json")
    tables = {table["title"].partition(":")[0].partition(" (")[0]: table for table in json.loads(out)["tables"]}
    results = {row[0]: row[2] for row in tables["Rules"]["rows"]}
    assert results["R101"] == "fail"
    assert results["R301"] == "pass"
    assert results["R701"] == "not applicable"
    assert len(tables["Factors"]["rows"]) == 10
    assert len(tables["Questions for a person"]["rows"]) == 3


def test_selection_and_suppression_silence_findings(run, folder):
    code, out, _ = run("model", "--select", "R401")
    assert code == 1
    assert "error R101" not in out
    (folder / "train.py").write_text(
        FILES["train.py"].replace("(3, 1)\n", "(3, 1)  # assay: ignore[R401] only a sketch\n")
    )
    code, out, _ = run("model", "--select", "R401")
    assert code == 0
    assert "only a sketch" in out


def test_suppressions_of_other_instruments_are_left_alone(run, folder):
    (folder / "train.py").write_text(FILES["train.py"] + "x = 1  # assay: ignore[S101] erratum\n")
    _, out, _ = run("model", "--format", "json")
    assert "X102" not in out


def test_an_archive_and_a_commit_are_read_like_a_folder(run, folder, tmp_path):
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    git(folder, "tag", "v1.0")
    (folder / "train.py").write_text("import random\nrandom.seed(1)\n")
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"model-main/{name}", text)
    _, at_commit, _ = run("model@v1.0", "--format", "json", "--select", "R4")
    _, packed, _ = run("model.zip", "--format", "json", "--select", "R4")
    code, _, _ = run("model", "--select", "R4")
    assert code == 0
    assert [f["message"] for f in json.loads(at_commit)["findings"]] == [
        f["message"] for f in json.loads(packed)["findings"]
    ]


def test_badge_feedback_and_rows_are_written_once_and_not_overwritten(run, folder, tmp_path):
    arguments = ["model", "--badge", "b.svg", "--feedback", "f.md", "--rows", "r.csv"]
    code, _, err = run(*arguments)
    assert code == 1
    assert err.count("written to") == 3
    badge = ElementTree.fromstring((tmp_path / "b.svg").read_text())
    assert "factors good" in badge.attrib["aria-label"]
    feedback = (tmp_path / "f.md").read_text()
    assert "| Random seed control | 0.0" in feedback
    assert "## Random seed control feedback" in feedback
    [row] = csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text()))
    assert row["repository"] == "model"
    assert row["R101"] == "fail"
    assert row["R701"] == "not applicable"
    assert float(row["seeds"]) < 0.1
    code, _, err = run(*arguments)
    assert code == 2
    assert "exists" in err


def test_the_profile_of_the_thesis_has_its_own_factors_and_feedback(run, folder, tmp_path):
    _, out, _ = run("model", "--profile", "loos2022", "--feedback", "f.md")
    assert "loos2022 profile" in out
    assert "Model serialization feedback" in (tmp_path / "f.md").read_text()


def test_several_repositories_make_a_table_with_a_row_each(run, folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("print(1)\n")
    code, out, _ = run("model", "other", "--rows", "all.csv")
    assert code == 1
    assert "2 repositories" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert [row["repository"] for row in csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text()))] == [
        "model",
        "other",
    ]
    _, out, _ = run("model", "other", "--format", "json")
    assert {f["location"]["path"] for f in json.loads(out)["findings"] if f["code"] == "R401"} == {"model/train.py"}
    code, _, err = run("model", "other", "--badge", "b.svg")
    assert code == 2
    assert "one repository" in err


def test_a_url_is_fetched_only_when_asked(run):
    code, out, err = run("https://example.org/a/b")
    assert code == 2
    assert not out
    assert "--online" in err
    assert err.count("\n") == 1


def test_bad_paths_and_bare_commands_are_one_line(run, folder):
    code, out, err = run("nowhere")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    code, _, err = run("model@v9")
    assert code == 2
    assert "git repository" in err


def test_options_may_come_before_the_path_and_help_shows_them(run, folder):
    code, out, _ = run("--format", "json", "model")
    assert code == 1
    assert json.loads(out)["title"] == "Repository model"
    code, out, _ = run("--help")
    assert code == 0
    assert "check" in out
    code, out, _ = run("check", "--help")
    assert "--profile" in out


def test_a_baseline_leaves_only_what_is_new_and_lists_what_is_gone(run, folder):
    run("model", "-o", "before.json")
    code, out, _ = run("model", "--baseline", "before.json")
    assert code == 0
    assert "0 new, 0 gone" in out
    (folder / "LICENSE").write_text("This work is licensed under CC BY-NC-SA 4.0.\n")
    (folder / "README.md").write_text("# Model\n```\npython missing.py\n```\n")
    code, out, _ = run("model", "--baseline", "before.json")
    assert code == 1
    assert "gone: R101" in out
    assert "note R103" in out
    assert "error R211" in out


def test_each_repository_gets_a_report_of_its_own_when_asked(run, folder, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text("print(1)\n")
    code, out, err = run("model", "./sub", "model", "--each", "reports")
    assert code == 1
    assert "3 repositories" in out
    assert sorted(p.name for p in (tmp_path / "reports").iterdir()) == ["model-2.html", "model.html", "sub.html"]
    assert err.count("written to") == 3


def test_online_fetches_the_address_and_tries_the_links(run, folder, monkeypatch):
    (folder / "README.md").write_text("# Model\n\n[data](https://example.org/data.zip)\n")
    asked = []

    def answered(links, *, cache, fetch):
        asked.extend(link.target for link in links)
        return (Checked("https://example.org/data.zip", 404),)

    monkeypatch.setattr("assay.repository.remotes.fetch", lambda source, _: open_tree(folder))
    monkeypatch.setattr("assay.repository.readme.check_links", answered)
    code, out, _ = run("--online", "https://example.org/lab/model", "--select", "R207", "--format", "json")
    assert code == 1
    assert asked == ["https://example.org/data.zip"]
    [finding] = json.loads(out)["findings"]
    assert finding["subject"] == "https://example.org/data.zip"


def test_the_rating_of_pylint_counts_only_when_asked_and_rows_can_be_calibrated_with(
    run, folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(ratings, "find_pylint", lambda: (sys.executable, "-c", "print('rated at 5.00/10')"))
    code, _, err = run("model", "--pylint")
    assert (code, "Add --profile loos2022." in err) == (2, True)
    run("model", "--profile", "loos2022", "--rows", "without.csv")
    run("model", "--profile", "loos2022", "--pylint", "--rows", "with.csv")
    rows = [list(csv.DictReader((tmp_path / name).read_text().splitlines())) for name in ("without.csv", "with.csv")]
    assert [row["pylint"] for [row] in rows] == ["", "5.0"]
    measured = measured_in(read_sheet(tmp_path / "with.csv"))
    assert measured.missing == ()
    assert measured.indicators[0].pylint == 5.0


def test_a_folder_without_files_is_not_called_clean(run, tmp_path):
    for name in ("empty", "other"):
        (tmp_path / name / "deeper").mkdir(parents=True)
    assert run("empty") == (2, "", "assay: empty: contains no files. Name the folder that holds the code.\n")
    assert run("empty", "other")[0] == 0, "among many it is a row of its own"
