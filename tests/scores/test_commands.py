"""``assay scores``: sizes, counts, setups, list, and checks of files, as a person meets them."""

import csv
import io
import json

import pytest
from PIL import Image

from assay.cli import main


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def go(*arguments):
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return go


def test_sizes_lists_the_only_test_sets_that_fit(run):
    scores = ("accuracy=.455", "recall=.45", "specificity=.457", "precision=.321")
    code, out, _ = run("scores", "sizes", *scores)
    assert code == 0
    assert [(int(p), int(n)) for p, n in (line[:15].split("+") for line in out.splitlines()[1:-1])] == [
        *((20, 35), (40, 70), (60, 105), (80, 140), (93, 164), (100, 175)),
    ]
    assert "No other up to 300 items." in out
    assert "more than 2" in run("scores", "sizes", *scores, "--limit", "2")[1]


@pytest.mark.parametrize(
    ("word", "named"),
    [("folds=5", "folds"), ("auc=0.7", "auc"), ("acc_sd=0.1", "the spread of acc"), ("classes=5,5,5", "classes")],
)
def test_sizes_passes_over_nothing_that_it_was_told(run, word, named):
    code, out, err = run("scores", "sizes", "acc=0.455", word)
    assert (code, out) == (2, "")
    assert f"without {named}" in err


def test_sizes_says_so_when_nothing_fits(run):
    code, out, _ = run("scores", "sizes", "acc=0.999", "err=0.999", "--up-to", "50")
    assert code == 1
    assert "No test set of any size" in out
    assert "No test set of up to 50 items" in run("scores", "sizes", "acc=0.9931", "--up-to", "50")[1]
    assert run("scores", "sizes", "p=5")[0] == 2


def test_counts_of_masks_are_rows_for_a_study(run, tmp_path):
    masks = tmp_path / "masks"
    masks.mkdir()
    for name, white in (("a", 3), ("b", 5)):
        picture = Image.new("L", (4, 2), 0)
        for i in range(white):
            picture.putpixel((i % 4, i // 4), 255)
        picture.save(masks / f"{name}.png")
    (masks / "notes.txt").write_text("x")
    code, out, err = run("scores", "counts", masks)
    assert code == 0
    assert list(csv.reader(io.StringIO(out))) == [["name", "p", "n"], ["a", "3", "5"], ["b", "5", "3"]]
    assert "p=8 n=8" in err
    assert run("scores", "counts", masks, "-o", "counts.csv")[0] == 0
    assert run("scores", "counts", masks, "-o", "counts.csv")[0] == 2
    assert run("scores", "counts", tmp_path / "none")[0] == 2


def test_setups_are_listed_narrowed_and_shown(run):
    everything = run("scores", "setups")[1].splitlines()
    drive = run("scores", "setups", "drive.test")[1].splitlines()
    assert len(everything) > 100
    assert 1 < len(drive) < len(everything)
    code, out, _ = run("scores", "setups", "tpehg")
    assert code == 0
    assert "p=38 n=262" in out
    assert "p=32886 n=192841" in run("scores", "setups", "drive.test.fov#03")[1]
    assert run("scores", "setups", "nonsense")[0] == 2


def test_list_names_every_score_with_its_formula(run):
    out = run("scores", "list")[1]
    assert "mcc" in out
    assert "1 - spec" in out


def test_a_file_of_experiments_gives_one_judgement_each(run, tmp_path):
    (tmp_path / "s.csv").write_text("name,p,n,acc,sens,spec\ngood,100,200,0.80,0.80,0.80\nbad,100,200,0.90,0.80,0.80\n")
    code, out, _ = run("scores", "check", "s.csv", "-f", "json")
    report = json.loads(out)
    assert code == 1
    assert [j["verdict"] for j in report["judgements"]] == ["consistent", "inconsistent"]
    location = report["findings"][0]["location"]
    assert (location["path"], location["line"]) == ("s.csv", 3)
    assert report["tables"][0]["title"].startswith("Diagnosis of bad")
    assert not json.loads(run("scores", "check", "s.csv", "-f", "json", "--quick")[1])["tables"]


def test_words_and_files_may_be_mixed_and_an_empty_call_is_refused(run, tmp_path):
    (tmp_path / "s.toml").write_text("p = 10\nn = 20\nscores = {acc = 0.90}\n")
    code, out, _ = run("scores", "check", "s.toml", "p=10", "n=10", "acc=0.95", "-f", "json")
    assert code == 0
    assert len(json.loads(out)["judgements"]) == 2
    assert run("scores", "check", "missing.toml")[0] == 2
