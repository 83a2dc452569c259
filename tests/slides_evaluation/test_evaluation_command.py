"""``assay slides evaluate`` and ``assay slides ablate`` as a person meets them."""

import json
from pathlib import Path

import pytest
from predictions_folder import PATIENTS, write_folder

from assay.cli import main
from assay.report import Format

WANG = """checklist: whole-slide
subject: Wang
answers: {1: missing, 3: missing, 4: partial, 5: complete, 6: partial, 7: missing, 11: not applicable}
"""
TINY = """
[data.world]
patients = 8
slides_per_patient = 2
side = 512
um_per_pixel = 8.0
levels = 3
[tissue]
level = 1
[patches]
size = 16
stride = 16
per_class = 200
[classifier]
epochs = 2
[mining]
rounds = 0
[heatmap]
stride = 16
[slide]
trees = 5
"""
MENU = """
[[item]]
id = "12"
title = "rules"
alternative = [{ name = "unweighted", set = { "metrics.kappa_weights" = "none" } }]
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def go(*arguments: str) -> tuple[int, str, str]:
        code = main(["slides", *arguments])
        return code, *capsys.readouterr()

    return go


def test_evaluate_tells_values_intervals_and_denominators(run, tmp_path: Path) -> None:
    write_folder(tmp_path / "predictions")
    code, out, _ = run("evaluate", "predictions", "--resamples", "50", "--metrics", "metrics.json")
    words = " ".join(out.split())
    assert code == 0
    assert "FROC 0.611" in words
    assert "by other conventions of reporting" in words
    assert "rough guide" in words
    assert json.loads((tmp_path / "metrics.json").read_text())["test"]["slide_auc"] == 0.75


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_evaluate_writes_every_format(run, tmp_path: Path, how: Format) -> None:
    write_folder(tmp_path / "predictions")
    code, out, _ = run("evaluate", "predictions", "--resamples", "0", "--format", how.value)
    assert (code, bool(out)) == (0, True)


def test_evaluate_refuses_in_one_line(run, tmp_path: Path) -> None:
    write_folder(tmp_path / "predictions", patients=PATIENTS.replace("pN2", "pN3"))
    code, out, err = run("evaluate", "predictions")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'patients.csv:2: "predicted_stage" is "pN3", which is unknown' in err


def test_evaluate_needs_no_slide_reader(tmp_path: Path) -> None:
    import subprocess
    import sys

    write_folder(tmp_path / "predictions")
    barred = ["openslide", "tifffile", "imagecodecs", "skimage", "torch"]
    program = f"""
import sys
for name in {barred}: sys.modules[name] = None
from assay.cli import main
sys.exit(main(["slides", "evaluate", "predictions", "--resamples", "0"]))
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)


def test_ablate_varies_what_a_record_leaves_open(run, tmp_path: Path) -> None:
    (tmp_path / "wang.yaml").write_text(WANG)
    code, out, _ = run("ablate", "small", "--record", "wang.yaml", "--dry-run", "--seeds", "3")
    told = [line for line in out.splitlines() if not line.startswith(" ")]
    assert code == 0
    assert "patch labels (7)" in told
    assert "hard negative mining (6a)" in told, "an item without an answer is open"
    assert not any("(5)" in one or "(11)" in one for one in told), "complete or not applicable is held"


def test_ablate_varies_only_what_a_configuration_marks_as_assumed(run, tmp_path: Path) -> None:
    assumed = '[patches]\nassumed = { sampling = "not said" }\n[labels]\nassumed = { all = "not said" }\n'
    (tmp_path / "paper.toml").write_text(assumed)
    code, out, _ = run("ablate", "paper.toml", "--dry-run", "--seeds", "1", "--workers", "2")
    assert code == 0
    assert [line.strip() for line in out.splitlines() if "as stated" not in line] == [
        "patch extraction (6)",
        "or: all patches train; every slide weighs the same",
        "patch labels (7)",
        "or: any pixel; centre pixel; three quarters",
        "6 runs with 1 seeds, 0 of them finished already.",
        "Cost: unknown until a run has finished; at most 3 hours, 2 at a time.",
    ]


def test_sizes_scale_with_the_configuration(run, tmp_path: Path) -> None:
    from assay.slides.configuration import read_configuration
    from assay.slides.menu import gaps, read_menu

    [gap] = gaps(read_menu(), ["6"], read_configuration("small"))
    changes = dict(gap.alternatives)["half the size"]
    assert changes == {"patches.size": 16, "patches.stride": 16, "augmentation.crop": 0, "heatmap.stride": 16}


def test_every_shipped_alternative_is_a_valid_configuration(run) -> None:
    code, out, _ = run("ablate", "default", "--unspecified", "all", "--dry-run")
    assert code == 0
    assert "255 runs" in out


@pytest.mark.parametrize("paper", ["wang", "lee", "liu"])
def test_the_papers_leave_something_open(run, paper: str) -> None:
    code, out, err = run("ablate", paper, "--dry-run")
    assert code == 0, err
    assert "runs with 5 seeds" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["small"], "nothing is left open"),
        (["small", "--unspecified", "13"], 'no alternatives for item "13"'),
        (["small", "--unspecified", "7", "--pair", "7,10"], '"7,10" is no pair'),
        (["smal", "--unspecified", "7"], 'Did you mean "small"?'),
        (["small", "--record", "other.yaml"], "fills ML code completeness"),
        (["small", "--unspecified", "7", "--menu", "broken.toml"], "not valid TOML"),
        (["small", "--unspecified", "7", "--menu", "odd.toml"], 'the menu changes "labels.rul"'),
        (["small", "--unspecified", "7", "--menu", "wrong.toml"], "labels.rule"),
    ],
)
def test_ablate_refuses_what_it_cannot_vary(run, tmp_path: Path, arguments: list[str], told: str) -> None:
    item = '[[item]]\nid = "7"\ntitle = "labels"\nalternative = [{{ name = "x", set = {{ "labels.{}" = "{}" }} }}]\n'
    (tmp_path / "other.yaml").write_text("checklist: code-completeness\n")
    (tmp_path / "broken.toml").write_text("[[item")
    (tmp_path / "odd.toml").write_text(item.format("rul", "any"))
    (tmp_path / "wrong.toml").write_text(item.format("rule", "some"))
    code, out, err = run("ablate", *arguments, "--dry-run")
    assert (code, out) == (2, "")
    assert told in err


def test_ablate_runs_the_pipeline_and_ranks_the_gaps(run, tmp_path: Path) -> None:
    """The smallest world in which it can: what the stage order does to kappa, and that nothing else moves."""
    (tmp_path / "tiny.toml").write_text(TINY)
    (tmp_path / "menu.toml").write_text(MENU)
    measures = ["--measure", "test.kappa", "--measure", "test.slide_auc"]
    options = ["--unspecified", "12", "--menu", "menu.toml", "--seeds", "1", "--workers", "1", *measures]
    code, out, err = run("ablate", "tiny.toml", *options, "--format", "json")
    assert code == 0, err
    report = json.loads(out)
    tables = {table["title"]: table["rows"] for table in report["tables"]}
    [[item, words]] = tables["test.slide_auc, in words"]
    assert item == "rules (12)"
    assert words.startswith("Not reporting rules (12) does not move test.slide_auc at all")
    assert any("toy world" in note for note in report["left_out"])
    assert (tmp_path / "tiny.runs" / "steps").is_dir(), "finished steps are shared"
