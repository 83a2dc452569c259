"""What is wrong with a predictions folder is said with its file, its line and what to do."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from predictions_folder import LESIONS, PATCHES, PATIENTS, POLYGONS, SLIDES, write_folder

from assay.errors import InputError
from assay.slides.evaluation import evaluate


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"slides": SLIDES + "A,p1,test,1,0.9,macro,macro\n"}, 'slides.csv:6: slide "A" is listed twice'),
        ({"patients": PATIENTS + "p1,pN0,pN0\n"}, 'patients.csv:5: patient "p1" is listed twice'),
        ({"patches": PATCHES + "A,32,32,1,0.9\n"}, "patches.csv:8: this patch is listed twice"),
        ({"patients": PATIENTS.replace("pN1mi", "pN1mic")}, 'Did you mean "pN1mi"?'),
        ({"patients": PATIENTS.replace("p3,pN0,pN0\n", "")}, 'patient "p3" of slides.csv has no row'),
        ({"patients": PATIENTS + "p9,pN0,pN0\n"}, 'patient "p9" has no slide'),
        ({"slides": SLIDES.replace("B,p2,test,1", "B,p2,test,")}, 'slides.csv:3: "label" is empty'),
        ({"slides": SLIDES.replace("B,p2,test,1", "B,p2,test,2")}, "neither 0 nor 1"),
        ({"slides": SLIDES.replace("0.4,micro", "high,micro")}, "'high', which is no number"),
        ({"slides": SLIDES.replace("0.4,micro", ",micro")}, 'slide "B" of the set "test" has no score'),
        ({"slides": SLIDES.replace("0.4,micro", "nan,micro")}, "which is no number"),
        ({"slides": SLIDES.replace("B,p2,test,1,0.4,micro", "B,p2,test,1,0.4,negative")}, '"class" is "negative"'),
        ({"slides": SLIDES.replace("D,p3,test", "D,p3,train")}, 'patient "p3" is in the sets "test" and "train"'),
        ({"slides": SLIDES.replace("predicted_class", "class")}, 'two columns are called "class"'),
        ({"slides": SLIDES.replace("patient", "patiemt")}, 'Did you mean "patiemt"?'),
        ({"slides": ""}, "is empty"),
        ({"slides": None}, "has patches.csv but no slides.csv"),
        ({"patches": PATCHES + "Z,1,1,0,0.5\n"}, 'patches.csv:8: slide "Z" is not in slides.csv'),
        ({"lesions": LESIONS + "Z,1,1,0.5\n"}, 'lesions.csv:9: slide "Z" is not in slides.csv'),
        ({"lesions": LESIONS.replace("0.95", "inf")}, "which is no number"),
        ({"polygons": POLYGONS.replace("B,only", "Z,only")}, 'annotated slide "Z" is not in slides.csv'),
        ({"polygons": POLYGONS.split("B,only")[0]}, 'slide "B" holds tumour (slides.csv) but has no annotation'),
        ({"polygons": POLYGONS.replace("B,only", "C,only")}, "has no annotation"),
        ({"polygons": POLYGONS + "C,one,1,1\nC,one,2,2\n"}, "has 2 corners"),
        ({"polygons": POLYGONS + "C,x,1,1\nC,x,900,900\nC,x,1,900\n"}, "the label 0, but its annotation shows tumour"),
        ({"polygons": POLYGONS.replace("1400", "1e300")}, "outside any slide"),
        ({"polygons": POLYGONS.replace("200,200", "-200,200")}, "outside any slide"),
    ],
)
def test_a_faulty_table_is_refused(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    folder = write_folder(tmp_path / "predictions", **changed)
    with pytest.raises(InputError) as caught:
        evaluate(folder, resamples=0)
    assert told in str(caught.value)


def test_a_patient_in_two_sets_is_accepted_only_on_demand_and_noted(tmp_path: Path) -> None:
    slides = SLIDES.replace("D,p3,test", "D,p3,train")
    patients = "patient,set,stage,predicted_stage\np1,test,pN0,pN0\np2,test,pN1,pN2\np3,test,pN0,pN0\n"
    folder = write_folder(tmp_path, slides=slides, patients=patients)
    found = evaluate(folder, resamples=0, shared_patients=True)
    assert "1 of its 3 patients are in another set too" in " ".join(found.sets[0].notes)


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe\x80" * 40, b'slide,"unclosed\nA,1\n', b"slide\n" + b"A," * 50])
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    folder = write_folder(tmp_path)
    (folder / "patches.csv").write_bytes(content)
    with pytest.raises(InputError, match="patches"):
        evaluate(folder, resamples=0)


@pytest.mark.parametrize("name", ["nothing", "slides.csv"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    write_folder(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        evaluate(tmp_path / name)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no predictions"):
        evaluate(tmp_path)


def test_an_unknown_set_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='Did you mean "test"'):
        evaluate(write_folder(tmp_path), sets=["tset"])


def test_two_tables_of_one_kind_are_refused(tmp_path: Path) -> None:
    import polars as pl

    folder = write_folder(tmp_path)
    pl.read_csv(folder / "patches.csv").write_parquet(folder / "patches.parquet")
    with pytest.raises(InputError, match="there are both"):
        evaluate(folder)
    from_csv = write_folder(tmp_path / "csv")
    (folder / "patches.csv").unlink()
    assert evaluate(folder, resamples=0).metrics() == evaluate(from_csv, resamples=0).metrics()


@pytest.mark.parametrize(
    ("file", "size", "told"),
    [
        ("A.png", "0", '"um_per_pixel" is 0'),
        ("A.png", "50", "at most 37.5"),
        ("gone.png", "8", "does not exist"),
        ("text.png", "8", "is no mask"),
        ("huge.png", "8", "pixels"),
        ("../secret.png", "8", "is outside the folder"),
    ],
)
def test_a_faulty_mask_is_refused(tmp_path: Path, file: str, size: str, told: str) -> None:
    folder = write_folder(tmp_path / "predictions", polygons=None)
    Image.fromarray(np.full((40, 40), 255, dtype=np.uint8)).save(folder / "A.png")
    if file == "huge.png":
        Image.new("1", (10_000, 10_000)).save(folder / file)
    (folder / "text.png").write_text("tumour everywhere")
    (folder / "masks.csv").write_text(f"slide,file,um_per_pixel\nA,{file},{size}\nB,A.png,8\n")
    with pytest.raises(InputError) as caught:
        evaluate(folder, resamples=0)
    assert told in str(caught.value)


def test_a_mask_without_tumour_contradicts_the_label(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, polygons=None)
    Image.new("1", (40, 40)).save(folder / "A.png")
    (folder / "masks.csv").write_text("slide,file,um_per_pixel\nA,A.png,8\nB,A.png,8\n")
    with pytest.raises(InputError, match="shows no tumour"):
        evaluate(folder)


def test_a_slide_with_isolated_cells_alone_may_be_called_normal(tmp_path: Path) -> None:
    polygons = POLYGONS + "C,cells,500,500\nC,cells,548,500\nC,cells,548,548\n"
    plain, called = write_folder(tmp_path / "plain"), write_folder(tmp_path / "called", polygons=polygons)
    assert evaluate(called, resamples=0).metrics() == evaluate(plain, resamples=0).metrics()


def test_a_name_of_digits_stays_a_name(tmp_path: Path) -> None:
    def renamed(text: str) -> str:
        return text.replace("\nA,", "\n007,").replace("\nB,", "\n7,")

    plain = evaluate(write_folder(tmp_path / "plain"), resamples=0).metrics()
    texts = {"slides": SLIDES, "patches": PATCHES, "lesions": LESIONS, "polygons": POLYGONS}
    digits = write_folder(tmp_path / "digits", **{name: renamed(text) for name, text in texts.items()})
    assert evaluate(digits, resamples=0).metrics() == plain
