"""Results of CLAM and TIAToolbox and annotations of viewers, as predictions that can be evaluated."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assay import cli
from assay.errors import InputError
from assay.slides.evaluation import Settings, Task, evaluate, evaluate_task
from assay.slides.imports.annotations import import_annotations
from assay.slides.imports.clam import import_clam
from assay.slides.imports.tiatoolbox import import_tiatoolbox
from assay.slides.reading import read_annotation

CLAM_TABLE = """case_id,slide_id,label
p0,s0,normal_tissue
p0,s1,tumor_tissue
p1,s2,normal_tissue
p2,s3,tumor_tissue
"""
CLAM_FOLD = """slide_id,Y,Y_hat,p_0,p_1
s2,0.0,1.0,0.4,0.6
s3,1.0,1.0,0.1,0.9
"""
CLAM_SPLIT = """,train,val,test
0,s0,,s2
1,s1,,s3
"""
SQUARE = [[0, 0], [400, 0], [400, 400], [0, 400], [0, 0]]
HOLE = [[100, 100], [300, 100], [300, 300], [100, 300], [100, 100]]


def clam_folders(folder: Path, fold: str = CLAM_FOLD, split: str = CLAM_SPLIT) -> tuple[Path, Path, Path]:
    (folder / "results").mkdir()
    (folder / "splits").mkdir()
    (folder / "table.csv").write_text(CLAM_TABLE)
    (folder / "results" / "fold_0.csv").write_text(fold)
    (folder / "splits" / "splits_0.csv").write_text(split)
    return folder / "table.csv", folder / "results", folder / "splits"


def test_a_fold_of_clam_is_evaluated(tmp_path: Path) -> None:
    table, results, splits = clam_folders(tmp_path)
    [done] = import_clam(table, results, tmp_path / "out", splits)
    found = evaluate_task(done.folder, Task(done.task), Settings(resamples=0)).metrics()
    assert (found["test"]["auc"], found["test"]["specificity"]) == (1.0, 0.0)


def test_three_classes_of_clam_keep_the_confidence_of_the_class_called(tmp_path: Path) -> None:
    fold = "slide_id,Y,Y_hat,p_0,p_1,p_2\ns2,0.0,2.0,0.2,0.1,0.7\ns3,1.0,1.0,0.1,0.8,0.1\n"
    table, results, _ = clam_folders(tmp_path, fold)
    [done] = import_clam(table, results, tmp_path / "out")
    rows = list(csv.DictReader((done.folder / "cases.csv").read_text().splitlines()))
    assert done.task == "classes"
    assert [(row["predicted"], row["confidence"]) for row in rows] == [("2", "0.7"), ("1", "0.8")]


def test_a_split_of_clam_with_a_patient_on_both_sides_is_refused(tmp_path: Path) -> None:
    table, results, splits = clam_folders(tmp_path, split=",train,val,test\n0,s0,,s1\n1,,,s2\n2,,,s3\n")
    with pytest.raises(InputError, match=r'patient "p0" is in train and test: leakage L3\.2'):
        import_clam(table, results, tmp_path / "out", splits)
    assert import_clam(table, results, tmp_path / "out", splits, accept_leakage=True)


def test_a_split_of_clam_with_a_slide_on_both_sides_is_refused(tmp_path: Path) -> None:
    table, results, splits = clam_folders(tmp_path, split=",train,val,test\n0,s0,,s2\n1,s3,,s3\n")
    with pytest.raises(InputError, match=r'patient "p2" is in train and test: leakage L3\.2'):
        import_clam(table, results, tmp_path / "out", splits)


def test_results_of_another_table_are_refused(tmp_path: Path) -> None:
    table, results, _ = clam_folders(tmp_path, CLAM_FOLD.replace("s3,1.0", "s3,0.0"))
    with pytest.raises(InputError, match="belong to another table"):
        import_clam(table, results, tmp_path / "out")


def test_patches_of_tiatoolbox_become_slides_and_patches(tmp_path: Path) -> None:
    corners = [[0, 0, 100, 100], [100, 0, 200, 100], [600, 600, 700, 700]]
    for name, scores in (("a", [0.9, 0.8, 0.1]), ("b", [0.2, 0.1, 0.3])):
        shares = [[1 - score, score] for score in scores]
        told = {"coordinates": corners, "probabilities": shares, "predictions": [0, 0, 0], "units": "mpp"}
        (tmp_path / f"{name}.raw.json").write_text(json.dumps(told))
    feature = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [SQUARE]}, "properties": {}}
    (tmp_path / "a.geojson").write_text(json.dumps({"features": [feature]}))
    (tmp_path / "table.csv").write_text(
        "slide,patient,set,label,predictions,um_per_pixel,annotation\n"
        "a,p1,test,1,a.raw.json,0.5,a.geojson\nb,p2,test,0,b.raw.json,0.5,\n"
    )
    assert import_tiatoolbox(tmp_path / "table.csv", tmp_path / "out") == (2, True)
    rows = list(csv.DictReader((tmp_path / "out" / "patches.csv").read_text().splitlines()))
    assert [row["label"] for row in rows] == ["1", "1", "0", "0", "0", "0"]
    assert (rows[1]["x_um"], rows[1]["y_um"]) == ("75.00", "25.00")
    found = evaluate(tmp_path / "out", resamples=0).metrics()["test"]
    assert (found["slide_auc"], found["patch_accuracy"]) == (1.0, 1.0)


def test_patches_without_labels_leave_the_slides(tmp_path: Path) -> None:
    told = {"coordinates": [[0, 0, 1, 1]], "probabilities": [[0.5, 0.5]]}
    (tmp_path / "a.raw.json").write_text(json.dumps(told))
    (tmp_path / "table.csv").write_text(
        "slide,patient,set,label,predictions,um_per_pixel\na,p1,test,1,a.raw.json,0.5\n"
    )
    assert import_tiatoolbox(tmp_path / "table.csv", tmp_path / "out") == (1, False)


def test_annotations_of_three_viewers_become_the_same_mask(tmp_path: Path) -> None:
    ring = [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [SQUARE, HOLE]}, "properties": {}}]
    (tmp_path / "q.geojson").write_text(json.dumps(ring))

    def points(tag: str, corners: list[list[int]]) -> str:
        return "".join(f'<{tag} Order="{i}" X="{x}" Y="{y}"/>' for i, (x, y) in enumerate(corners[:-1]))

    groups = (("Tumor", SQUARE), ("Exclusion", HOLE))
    asap = "".join(
        f'<Annotation PartOfGroup="{group}"><Coordinates>{points("Coordinate", ring)}</Coordinates></Annotation>'
        for group, ring in groups
    )
    (tmp_path / "a.xml").write_text(f"<ASAP_Annotations><Annotations>{asap}</Annotations></ASAP_Annotations>")
    aperio = "".join(
        f'<Region Type="0" NegativeROA="{int(ring is HOLE)}"><Vertices>{points("Vertex", ring)}</Vertices></Region>'
        for _, ring in groups
    )
    (tmp_path / "i.xml").write_text(
        f'<Annotations><Annotation Name="t"><Regions>{aperio}</Regions></Annotation></Annotations>'
    )
    (tmp_path / "table.csv").write_text("slide,annotation,um_per_pixel\nq,q.geojson,2\na,a.xml,2\ni,i.xml,2\n")
    assert import_annotations(tmp_path / "table.csv", tmp_path / "out") == 3
    masks = [np.asarray(Image.open(tmp_path / "out" / "masks" / f"{name}.png")) > 0 for name in "qai"]
    assert all(np.array_equal(masks[0], mask) for mask in masks[1:])
    share = masks[0].sum() * 64 / (800 * 800)
    assert share == pytest.approx(0.75, abs=0.05)


def classed(path: Path, *names: str) -> None:
    """A square of 100 pixels for each class, as QuPath exports them, with a point and a line that enclose nothing."""
    features: list[object] = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [5, 5]}, "properties": {}},
        {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": []}, "properties": {}},
    ]
    for place, name in enumerate(names):
        ring = [[x + 200 * place, y] for x, y in ([0, 0], [100, 0], [100, 100], [0, 100], [0, 0])]
        told = {"objectType": "annotation", "classification": {"name": name}} if name else {}
        features.append({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": told})
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


@pytest.mark.parametrize("names", [("Tumor", "Stroma"), ("Tumor", ""), ("Stroma",), ("DCIS", "Invasive")])
def test_groups_that_may_not_be_tumour_are_asked_about(tmp_path: Path, names: tuple[str, ...]) -> None:
    classed(tmp_path / "q.geojson", *names)
    with pytest.raises(InputError, match=r'outlines of .*: which are tumour\? Name .* column "tumour"'):
        read_annotation(tmp_path / "q.geojson", (1000, 1000))


@pytest.mark.parametrize(
    ("names", "tumour", "kept"),
    [
        (("Tumor", "Tumor"), (), 2),
        (("",), (), 1),
        (("DCIS",), (), 1),
        (("Tumor", "Stroma"), ("tumor",), 1),
        (("Tumor", "Stroma", "DCIS"), ("Tumor", "DCIS"), 2),
        (("one", "two"), ("*",), 2),
    ],
)
def test_only_groups_of_tumour_become_tumour(
    tmp_path: Path, names: tuple[str, ...], tumour: tuple[str, ...], kept: int
) -> None:
    classed(tmp_path / "q.geojson", *names)
    assert len(read_annotation(tmp_path / "q.geojson", (1000, 1000), tumour=tumour).tumour) == kept


def square(told: dict[str, object], x: int = 0) -> dict[str, object]:
    """A square of 100 pixels as one feature."""
    ring = [[x, 0], [x + 100, 0], [x + 100, 100], [x, 100], [x, 0]]
    return {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": told}


def test_a_class_within_a_class_is_read_by_its_names(tmp_path: Path) -> None:
    path = tmp_path / "q.geojson"
    kinds = [{"names": ["Tumor"]}, {"names": ["Tumor", "Positive"]}, {"name": "Tumor: Negative"}]
    path.write_text(json.dumps([square({"classification": kind}, 200 * n) for n, kind in enumerate(kinds)]))
    assert len(read_annotation(path, (1000, 1000)).tumour) == 3
    path.write_text(json.dumps([square({"classification": {"names": ["Stroma", "Positive"]}})]))
    with pytest.raises(InputError, match='"Stroma: Positive": which are tumour'):
        read_annotation(path, (1000, 1000))


def test_cells_of_an_export_are_no_tumour(tmp_path: Path) -> None:
    told = {"objectType": "annotation", "classification": {"name": "Tumor"}}
    cells = [square({"objectType": "cell", "classification": kind}, 500) for kind in (None, {"name": "Tumor"})]
    (tmp_path / "q.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [square(told), *cells]}))
    [outline] = read_annotation(tmp_path / "q.geojson", (1000, 1000)).tumour
    assert outline.max() == 100


def test_one_feature_without_a_collection_is_read(tmp_path: Path) -> None:
    (tmp_path / "q.geojson").write_text(json.dumps(square({"classification": {"name": "Tumor"}})))
    assert len(read_annotation(tmp_path / "q.geojson", (1000, 1000)).tumour) == 1


def test_the_table_names_the_groups_that_are_tumour(tmp_path: Path) -> None:
    classed(tmp_path / "q.geojson", "Tumor", "Stroma")
    (tmp_path / "table.csv").write_text("slide,annotation,um_per_pixel,tumour\nq,q.geojson,2,Tumor; DCIS\n")
    import_annotations(tmp_path / "table.csv", tmp_path / "out")
    mask = np.asarray(Image.open(tmp_path / "out" / "masks" / "q.png")) > 0
    assert mask.sum() * 16 == pytest.approx(100 * 100, rel=0.1)


def test_the_commands_say_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, results, splits = clam_folders(tmp_path)
    words = [
        "slides",
        "import",
        "clam",
        str(table),
        str(results),
        "--splits",
        str(splits),
        "--out",
        str(tmp_path / "o"),
    ]
    assert cli.main(words) == 0
    assert "2 cases: assay slides evaluate" in capsys.readouterr().err
    assert cli.main(["slides", "import", "clam", str(table), str(tmp_path), "--out", str(tmp_path / "p")]) == 2
    assert "holds no fold_N.csv" in capsys.readouterr().err
