"""Readers take what the field writes, and refuse the rest with a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tifffile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from assay.errors import InputError
from assay.slides.reading import open_slide, read_annotation, read_cohort
from assay.slides.reading.annotation_xml import Frame
from assay.slides.reading.slide import hamamatsu_frame


def rgb(side: int = 64) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (side, side, 3), dtype=np.uint8)


# --- slides ----------------------------------------------------------------------------------------


def test_a_plain_tiff_without_tiles_is_read_whole(tmp_path: Path) -> None:
    picture, path = rgb(), tmp_path / "plain.tif"
    tifffile.imwrite(path, picture, photometric="rgb", resolution=(5_000, 5_000), resolutionunit="CENTIMETER")
    with open_slide(path) as slide:
        assert slide.um_per_pixel == pytest.approx(2.0)
        assert np.array_equal(slide.whole(0), picture)
        beyond = slide.region(60, -2, 0, 8, 4)
        assert np.array_equal(beyond[2:, :4], picture[:2, 60:])
        assert (beyond[:2] == 255).all()
        assert (beyond[:, 4:] == 255).all()


@pytest.mark.parametrize("content", [b"", b"hello", b"II*\0" + b"\xff" * 60, b"II*\0\x08\0\0\0\xff\xff", b"%PDF-1.4"])
def test_a_slide_that_is_no_slide_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.tif"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a slide"), open_slide(path):
        pass


def test_a_grey_picture_is_not_a_slide(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "grey.tif", rgb()[..., 0])
    with pytest.raises(InputError, match="is not a slide"), open_slide(tmp_path / "grey.tif"):
        pass


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(at=st.integers(0, 3_000), value=st.integers(0, 255))
def test_a_damaged_tiff_is_read_or_refused_but_never_crashes(tmp_path: Path, at: int, value: int) -> None:
    path = tmp_path / "damaged.tif"
    tifffile.imwrite(path, rgb(32), photometric="rgb", resolution=(5_000, 5_000), resolutionunit="CENTIMETER")
    content = bytearray(path.read_bytes())
    content[at % len(content)] = value
    path.write_bytes(content)
    try:
        with open_slide(path) as slide:
            slide.whole(0)
    except InputError:
        pass


def test_a_missing_level_is_named(world: Path) -> None:
    entry = read_cohort(world).entries[0]
    with open_slide(entry.file) as slide, pytest.raises(InputError, match="has levels 0 to 2, not level 5"):
        slide.whole(5)


def test_a_slide_without_resolution_needs_one_from_the_table(tmp_path: Path) -> None:
    path = tmp_path / "plain.tif"
    tifffile.imwrite(path, rgb(), photometric="rgb")
    with pytest.raises(InputError, match="µm"), open_slide(path):
        pass
    with open_slide(path, 0.5) as slide:
        assert slide.um_per_pixel == 0.5


# --- annotations -----------------------------------------------------------------------------------

SQUARE = '<Coordinate Order="{0}" X="{1}" Y="{2}"/>'
CORNERS = [(0, 2, 2), (1, 8, 2), (2, 8, 8), (3, 2, 8)]


def asap(group: str, corners: list[tuple[int, int, int]] = CORNERS) -> str:
    points = "".join(SQUARE.format(*c) for c in corners)
    return f'<Annotation PartOfGroup="{group}" Type="Polygon"><Coordinates>{points}</Coordinates></Annotation>'


def test_normal_groups_are_cut_out_and_points_go_by_their_order(tmp_path: Path) -> None:
    inner = [(0, 4, 4), (2, 6, 6), (1, 6, 4), (3, 4, 6)]
    path = tmp_path / "a.xml"
    path.write_text(f"<ASAP_Annotations>{asap('_0')}{asap('_2', inner)}</ASAP_Annotations>")
    raster = read_annotation(path, (10, 10)).raster(1.0, (10, 10))
    assert raster[3, 3]
    assert not raster[5, 5]
    assert not raster[0, 0]


def test_holes_of_geojson_are_cut_out(tmp_path: Path) -> None:
    outer, hole = [[1, 1], [9, 1], [9, 9], [1, 9], [1, 1]], [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]
    path = tmp_path / "a.geojson"
    feature = f'{{"type":"Feature","geometry":{{"type":"Polygon","coordinates":{[outer, hole]}}}}}'
    path.write_text(f'{{"type":"FeatureCollection","features":[{feature}]}}')
    raster = read_annotation(path, (10, 10)).raster(1.0, (10, 10))
    assert raster[2, 2]
    assert not raster[5, 5]


def vertices(corners: list[tuple[int, int]]) -> str:
    return "<Vertices>" + "".join(f'<Vertex X="{x}" Y="{y}" Z="0"/>' for x, y in corners) + "</Vertices>"


def test_negative_regions_of_aperio_are_cut_out_and_rulers_ignored(tmp_path: Path) -> None:
    outer, hole = [(1, 1), (9, 1), (9, 9), (1, 9)], [(4, 4), (6, 4), (6, 6), (4, 6)]
    path = tmp_path / "a.xml"
    path.write_text(
        '<Annotations MicronsPerPixel="0.25"><Annotation Id="1" Name="tumour"><Regions>'
        f'<Region Type="0" NegativeROA="0">{vertices(outer)}</Region>'
        f'<Region Type="0" NegativeROA="1">{vertices(hole)}</Region>'
        f'<Region Type="2" NegativeROA="0">{vertices([(12, 1), (18, 9)])}</Region>'
        f'<Region Type="4" NegativeROA="0">{vertices([(1, 12), (18, 12), (18, 18)])}</Region>'
        "</Regions></Annotation></Annotations>"
    )
    raster = read_annotation(path, (20, 20)).raster(1.0, (20, 20))
    assert raster[2, 2]
    assert not raster[5, 5]
    assert (raster[5, 15], raster[1, 12]) == (True, False), "an ellipse fills its box but for the corners"
    assert not raster[13:].any()


def ndpa(points: list[tuple[int, int]], closed: int = 1) -> str:
    listed = "".join(f"<point><x>{x}</x><y>{y}</y></point>" for x, y in points)
    return (
        '<annotations><ndpviewstate id="1"><title>tumour</title><coordformat>nanometers</coordformat>'
        f'<annotation type="freehand"><closed>{closed}</closed><pointlist>{listed}</pointlist></annotation>'
        "</ndpviewstate></annotations>"
    )


def test_hamamatsu_outlines_are_placed_by_the_offset_of_the_slide(tmp_path: Path) -> None:
    frame = hamamatsu_frame(
        {
            "openslide.mpp-x": "0.5",
            "openslide.mpp-y": "0.25",
            "hamamatsu.XOffsetFromSlideCentre": "10000",
            "hamamatsu.YOffsetFromSlideCentre": "-2000",
        }
    )
    path = tmp_path / "a.ndpa"
    path.write_text(ndpa([(10_000, -2_000), (12_000, -2_000), (12_000, -1_000)]))
    [outline] = read_annotation(path, (100, 200), frame).tumour
    assert outline.tolist() == [[50, 100], [54, 100], [54, 104]]


def test_hamamatsu_outlines_without_their_slide_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ndpa"
    path.write_text(ndpa([(0, 0), (9, 0), (9, 9)]))
    with pytest.raises(InputError, match="only a Hamamatsu slide states"):
        read_annotation(path, (100, 100), hamamatsu_frame({"openslide.mpp-x": "0.5"}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ndpa([(0, 0), (9, 0), (9, 9)], closed=0), "marks no tumour"),
        (ndpa([(0, 0), (9, 0), (9, 9)]).replace("nanometers", "pixels"), "not nanometres"),
        (ndpa([(0, 0)]).replace("<y>0</y>", ""), "no place"),
        ("<a>", "is not XML"),
    ],
)
def test_useless_hamamatsu_files_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.ndpa").write_text(text)
    with pytest.raises(InputError, match=said):
        read_annotation(tmp_path / "a.ndpa", (100, 100), Frame((1.0, 1.0), (0.0, 0.0)))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.xml", "<ASAP_Annotations></ASAP_Annotations>", "marks no tumour"),
        ("a.xml", f"<A>{asap('_2')}</A>", "marks no tumour"),
        ("a.xml", "<A><B></A>", "is not XML"),
        ("a.xml", '<!DOCTYPE a [<!ENTITY x "y">]><A>&x;</A>', "marks no tumour"),
        ("a.xml", f"<A>{asap('_0').replace('X=', 'Z=')}</A>", "no place"),
        ("a.xml", f"<A>{asap('_0').replace('Order=', 'O=').replace('2', 'nan')}</A>", "no place"),
        ("a.geojson", '{"features": []}', "marks no tumour"),
        ("a.geojson", "[" * 100_000, "is not GeoJSON"),
        ("a.geojson", '{"features": [{"geometry": null}]}', "is not GeoJSON"),
        ("a.geojson", "3", "is not GeoJSON"),
        ("a.png", "no picture", "is not a picture"),
        ("a.txt", "", "no format of annotations"),
    ],
)
def test_useless_annotations_are_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        read_annotation(tmp_path / name, (100, 100))


def test_a_mask_of_other_proportions_is_refused(tmp_path: Path) -> None:
    Image.new("L", (500, 100), 255).save(tmp_path / "a.png")
    with pytest.raises(InputError, match="proportions"):
        read_annotation(tmp_path / "a.png", (10_000, 10_000))


# --- tables ----------------------------------------------------------------------------------------

HEAD = "slide,file,patient,class,set"


@pytest.mark.parametrize(
    ("slides", "patients", "said"),
    [
        ("slide,file,patient\na,a.tif,p\n", "", 'no column "class"'),
        (f"{HEAD}\n", "", "names no slide"),
        (f"{HEAD}\na,a.tif,p,huge,\n", "", "no class of a slide"),
        (f"{HEAD}\na,a.tif,p,micro,training\n", "", 'Did you mean "train"'),
        (f"{HEAD}\na,a.tif,p,micro,\na,b.tif,p,micro,\n", "", "twice"),
        (f"{HEAD}\na,a.tif,p\n", "", "cells than columns"),
        (f"{HEAD}\n../a,a.tif,p,micro,\n", "", "cannot name a slide"),
        (f"{HEAD}\na,,p,micro,\n", "", '"file" is empty'),
        (f"{HEAD}\na,a.tif,p,micro,\n", "patient,stage\np,pN3\n", "no stage"),
        (f"{HEAD}\na,a.tif,p,micro,\n", "patient,stage\nq,pN1\n", 'patient "p" has slides and no row'),
        (f"{HEAD}\na,a.tif,p,micro,\n", "patient,stage\np,pN1\np,pN2\n", "twice"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tmp_path: Path, slides: str, patients: str, said: str) -> None:
    (tmp_path / "slides.csv").write_text(slides)
    if patients:
        (tmp_path / "patients.csv").write_text(patients)
    with pytest.raises(InputError, match=said):
        read_cohort(tmp_path)


def test_labels_are_joined_by_name_whatever_the_order_of_rows(tmp_path: Path) -> None:
    rows = ["b,b.tif,q,macro,", "a,a.tif,p,negative,"]
    for folder, order in (("one", rows), ("two", rows[::-1])):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "slides.csv").write_text("\n".join([HEAD, *order]))
    one, two = (read_cohort(tmp_path / name).entries for name in ("one", "two"))
    assert [(e.slide, e.patient, e.kind) for e in one] == [(e.slide, e.patient, e.kind) for e in two]
