"""Whole runs: complete, repeatable, resumable, and clear about what is wrong."""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny_world import TINY

from assay import cli
from assay.errors import InputError
from assay.slides import patch_model, pipeline
from assay.slides.counts import compare_counts
from assay.slides.parallel import each
from assay.slides.run import Outcome
from assay.slides.storage import write_bytes

Go = Callable[..., Outcome]
ONE = ("--workers", "1")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def contents(folder: Path) -> dict[str, str]:
    kept = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in {"environment.json", "manifest.json"})
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in kept}


def test_a_run_folder_holds_all_that_a_stranger_needs(go: Go, tmp_path: Path) -> None:
    outcome = go()
    run = tmp_path / "run"
    assert outcome.evaluation is not None
    metrics = json.loads((run / "metrics.json").read_text())
    assert metrics == outcome.evaluation.metrics()
    assert metrics["test"]["patch_pr_auc"] > 0.3
    slides, counts = rows(run / "predictions" / "slides.csv"), rows(run / "counts.csv")
    assert len(slides) == len(counts) == 12
    assert sum(int(c["sampled_tumour"]) for c in counts) == sum(int(c["sampled_normal"]) for c in counts) > 20
    assert all(int(c["tumour"]) == 0 for c, s in zip(counts, slides, strict=True) if s["class"] == "negative")
    patches = rows(run / "predictions" / "patches.csv")
    measured = {s["slide"] for s in slides if s["set"] != "train"}
    assert {p["slide"] for p in patches} == measured
    assert len(patches) == sum(int(c["inference"]) for c in counts if c["slide"] in measured)
    manifest = json.loads((run / "manifest.json").read_text())["files"]
    assert set(contents(run)) | {"environment.json"} == set(manifest)
    assert manifest["counts.csv"] == hashlib.sha256((run / "counts.csv").read_bytes()).hexdigest()
    environment = json.loads((run / "environment.json").read_text())
    assert environment["packages"]["openslide-python"]
    assert json.loads((run / "seeds.json").read_text())["split"] == 0


def test_the_same_run_gives_the_same_files_on_one_process_and_on_two(go: Go, tmp_path: Path) -> None:
    go("one", cache=tmp_path / "a")
    go("two", cache=tmp_path / "b", workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    report = compare_counts(tmp_path / "one", tmp_path / "two")
    assert report.judgements[0].verdict == "consistent"


def test_another_seed_keeps_slides_and_split_and_changes_the_sample(go: Go, tmp_path: Path) -> None:
    go("one")
    go("two", {"seed": 1})
    assert rows(tmp_path / "one" / "sets.csv") == rows(tmp_path / "two" / "sets.csv")
    assert contents(tmp_path / "one")["classifier.npz"] != contents(tmp_path / "two")["classifier.npz"]
    report = compare_counts(tmp_path / "one", tmp_path / "two")
    assert report.judgements[0].verdict == "inconsistent"
    assert {row[1] for row in report.tables[1].rows} <= {"sampled_normal", "sampled_tumour"}


def test_finished_steps_are_not_done_again(go: Go, monkeypatch: pytest.MonkeyPatch) -> None:
    go("one")

    def forbidden(*_: Any) -> Any:
        raise AssertionError("done again")

    monkeypatch.setattr(patch_model, "_learnt", forbidden)
    monkeypatch.setattr("assay.slides.preparation.tissue_mask", forbidden)
    monkeypatch.setattr("assay.slides.preparation.features_of", forbidden)
    go("two", {"lesions.score": "sum", "slide.trees": 5})
    with pytest.raises(AssertionError, match="done again"):
        go("three", {"tissue.channel": "grey"})


def test_a_run_goes_on_where_it_was_interrupted(go: Go, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stopped(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "classify", stopped)
    with pytest.raises(KeyboardInterrupt):
        go()
    monkeypatch.undo()
    assert (tmp_path / "run" / "counts.csv").exists()
    assert not (tmp_path / "run" / "manifest.json").exists()
    assert go().evaluation is not None
    assert (tmp_path / "run" / "manifest.json").exists()


def test_a_damaged_result_in_the_cache_is_made_anew(go: Go, tmp_path: Path) -> None:
    go("one", cache=tmp_path / "own")
    for file in (tmp_path / "own" / "classifier").rglob("*.npz"):
        file.write_bytes(b"half a fi")
    go("two", cache=tmp_path / "own")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_folder_with_another_run_or_somebodys_work_is_left_alone(go: Go, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no slides\.csv"):
        go(data=tmp_path / "nowhere")
    go("run", {"seed": 8})  # nothing had come of the first attempt
    with pytest.raises(InputError, match="another configuration"):
        go("run", {"seed": 9})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(InputError, match="holds no run"):
        go("mine")


def test_a_full_disk_is_said_and_earlier_results_stay(go: Go, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(path: Path, content: bytes) -> None:
        if path.name == "slides.csv":
            raise OSError(errno.ENOSPC, "No space left on device")
        write_bytes(path, content)

    monkeypatch.setattr("assay.slides.run_folder.write_bytes", full)
    with pytest.raises(InputError, match="no space left") as error:
        go()
    monkeypatch.undo()
    assert "finished steps are kept" in str(error.value)
    assert len(rows(tmp_path / "run" / "counts.csv")) == 12
    assert go().evaluation is not None


@pytest.mark.parametrize("unit", ["slide", "patch"])
def test_a_leaking_split_runs_when_it_is_wanted_and_says_so(go: Go, unit: str) -> None:
    outcome = go("run", {"split.unit": unit, "split.accept_leakage": True})
    assert any("L3.2" in note for note in outcome.notes)
    assert outcome.evaluation is not None
    assert outcome.evaluation.metrics()["test"]["patch_accuracy"] is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"stain.method": "reinhard", "patches.placement": "random", "patches.per_slide": 100},
        {"stain.method": "macenko", "augmentation.training": ["colour"], "mining.how": "replace", "mining.most": 20},
        {"patches.sampling": "slide-weighted", "patches.replacement": True, "mining.training": "restart"},
        {"patches.sampling": "all", "heatmap.stride": 8, "heatmap.overlap": "max", "lesions.grouping": "dbscan"},
        {"slide.features": "lee", "slide.model": "xgboost", "patient.slide_classes": "largest-lesion"},
        {"augmentation.crop": 12, "labels.rule": "any", "labels.core": 0.5, "mining.rounds": 0, "lesions.done": False},
        {"classifier.keep": "best", "classifier.direction": "largest", "patient.done": False, "seed": 3},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_other_choices_run_to_the_end(go: Go, changes: dict[str, Any]) -> None:
    outcome = go("run", changes)
    assert outcome.evaluation is not None
    measured = outcome.evaluation.metrics()["test"]
    assert measured["slide_auc"] is not None
    assert ("froc" not in measured) == ("lesions.done" in changes)
    assert ("kappa" not in measured) == ("patient.done" in changes)
    assert any("worst seen" in note for note in outcome.notes) == ("classifier.keep" in changes)


def test_the_convolutional_path_runs_for_one_epoch_on_a_few_patches(go: Go, tmp_path: Path) -> None:
    choices = {"architecture": "cnn", "epochs": 1, "width": 4, "batch": 16, "keep": "last"}
    few = {"patches.per_class": 20, "patches.stride": 32, "heatmap.stride": 64, "mining.rounds": 0}
    outcome = go("run", {f"classifier.{name}": value for name, value in choices.items()} | few)
    assert outcome.evaluation is not None
    assert len(rows(tmp_path / "run" / "training.csv")) == 1
    assert len(list((tmp_path / "run").glob("classifier.npz"))) == 1


@pytest.mark.parametrize(
    ("choice", "package"),
    [(("slide.model", "xgboost"), "xgboost"), (("classifier.architecture", "cnn"), "torch")],
)
def test_a_missing_package_is_named_before_anything_is_done(
    go: Go, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choice: tuple[str, str], package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"needs {package}: pip install .*\[slides-\w+\]"):
        go("run", dict([choice]))
    assert not (tmp_path / "run").exists()


# --- bad input -------------------------------------------------------------------------------------


@pytest.fixture
def copy(world: Path, tmp_path: Path) -> Path:
    """A copy of the world that a test may spoil."""
    return Path(shutil.copytree(world, tmp_path / "copy"))


def spoil(table: Path, old: str, new: str) -> None:
    text = table.read_text()
    assert old in text
    table.write_text(text.replace(old, new, 1))


def no_slide(world: Path) -> None:
    next((world / "slides").iterdir()).write_text("not a slide")


def no_file(world: Path) -> None:
    next((world / "slides").iterdir()).unlink()


def empty_annotation(world: Path) -> None:
    next((world / "annotations").glob("*.xml")).write_text("<ASAP_Annotations/>")


def no_annotation(world: Path) -> None:
    name = next((world / "annotations").glob("*.xml")).name
    spoil(world / "slides.csv", f"annotations/{name}", "")


def unknown_stage(world: Path) -> None:
    spoil(world / "patients.csv", "pN1mi", "pN1mic")


@pytest.mark.parametrize(
    ("damage", "changes", "said"),
    [
        (no_slide, {}, "is not a slide"),
        (no_file, {}, "is not there"),
        (empty_annotation, {}, "marks no tumour"),
        (no_annotation, {}, "has no annotation"),
        (unknown_stage, {}, 'Did you mean "pN1mi"'),
        (None, {"tissue.level": 5}, "has levels 0 to 2, not level 5"),
        (None, {"patches.level": 7}, "not level 7"),
        (None, {"tissue.method": "fixed", "tissue.threshold": 1.0}, "no slide shows any tissue"),
        (None, {"split.unit": "slide"}, "L3.2"),
        (None, {"split.train": 0.0}, "no slide to train on"),
        (
            None,
            {"patches.size": 256, "patches.stride": 256, "heatmap.stride": 256, "labels.share": 1.0},
            "no tumour patch is left",
        ),
        (None, {"stain.method": "reinhard", "stain.template": "patient_000_node"}, "Did you mean"),
        (None, {"metrics.sets": ["test"], "split.validation": 0.5}, 'no set "test"'),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    copy: Path,
    cache: Path,
    *,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None] | None,
    changes: dict[str, Any],
    said: str,
) -> None:
    if damage:
        damage(copy)
    given = {k: v for k, v in TINY.items() if k != "data.world"} | changes
    options = [part for k, v in given.items() for part in ("--set", f"{k}={json.dumps(v)}")]
    code = cli.main(
        [
            "slides",
            "run",
            "default",
            "--data",
            str(copy),
            "--out",
            str(copy.parent / "r"),
            "--cache",
            str(cache),
            *ONE,
            *options,
        ]
    )
    told = capsys.readouterr().err
    assert code == 2, told
    assert said in told
    assert "Traceback" not in told


def test_a_folder_without_slides_leaves_no_run_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["slides", "run", "small", "--data", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    assert "has no slides.csv" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_slide_without_tissue_stays_in_and_is_named(copy: Path, go: Go, tmp_path: Path) -> None:
    import numpy as np

    from assay.slides.world.files import write_pyramid

    entry = next(r for r in rows(copy / "slides.csv") if r["class"] == "negative")
    write_pyramid(copy / entry["file"], np.full((512, 512, 3), 244, np.uint8), 3, 8.0)
    outcome = go("run", data=copy)
    assert any(entry["slide"] in note for note in outcome.notes)
    assert len(rows(tmp_path / "run" / "predictions" / "slides.csv")) == 12


def test_a_missing_extra_is_named(go: Go, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name, name=name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(InputError, match=r'pip install "assay-ml\[\w+\]"'):
        go(cache=tmp_path / "cache")


def test_a_killed_process_is_told_as_such() -> None:
    with pytest.raises(InputError, match="stopped from outside"):
        list(each(os._exit, [1, 2], 2))


def test_counts_stop_before_training_and_are_compared(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {k: v for k, v in TINY.items() if k != "data.world"}
    options = [part for k, v in given.items() for part in ("--set", f"{k}={json.dumps(v)}")]
    common = ["--data", str(world), "--cache", str(tmp_path / "cache"), "--workers", "1", "--counts-only", *options]
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert cli.main(["slides", "run", "default", "--out", a, *common]) == 0
    assert cli.main(["slides", "run", "default", "--out", b, *common, "--set", "labels.rule=any"]) == 0
    assert not (tmp_path / "a" / "metrics.json").exists()
    assert cli.main(["slides", "counts", a, a]) == 0
    cli.main(["slides", "counts", a, b])
    told = capsys.readouterr().out
    assert "slides differ" in told
    (tmp_path / "b" / "counts.csv").write_text("slide,set\nx,train\n")
    assert cli.main(["slides", "counts", a, b]) == 2


def test_the_page_shows_slides_and_curves(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    changes = [f"{key}={_toml(value)}" for key, value in TINY.items()]
    options = [word for change in changes for word in ("--set", change)]
    assert cli.main(["slides", "run", "default", "--out", str(tmp_path / "r"), *ONE, *options, "-o", str(page)]) == 0
    text = page.read_text()
    assert text.count("data:image/png;base64") == 9  # three pictures of three slides
    assert "ROC and FROC of validation, test<" in text
    assert "heat map (0 yellow, 1 black)" in text


def _toml(value: Any) -> str:
    inside = (f"{key} = {one}" for key, one in value.items()) if isinstance(value, dict) else ()
    return f"{{ {', '.join(inside)} }}" if isinstance(value, dict) else str(value)
