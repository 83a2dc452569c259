import csv
import io
import os
import random
import struct
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PIL import Image

from assay.errors import InputError
from assay.scores.masks import count_masks, pictures
from assay.scores.setups import Kind, alternatives

CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]], dtype=np.uint8) * 255
LOSSLESS = ["png", "tif", "gif", "bmp", "pgm"]

flags = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=12))


def write(path: Path, values: np.ndarray, **options: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    Image.fromarray(values).save(path, **options)
    return path


def refused(*args: object, **options: object) -> str:
    with pytest.raises(InputError) as error:
        count_masks(*args, **options)
    return str(error.value)


# --- counting


@settings(max_examples=40)
@given(st.lists(flags, min_size=1, max_size=4), st.sampled_from(LOSSLESS), st.sampled_from([1, 255]))
def test_counts_are_those_of_the_arrays_that_were_written(masks, suffix, value):
    with TemporaryDirectory() as folder:
        for k, mask in enumerate(masks):
            write(Path(folder, f"{k}.{suffix}"), mask.astype(np.uint8) * value)
        counted = count_masks(Path(folder))
    assert [(image.p, image.n) for image in counted.images] == [(int(m.sum()), int((~m).sum())) for m in masks]
    assert (counted.p, counted.n) == (sum(int(m.sum()) for m in masks), sum(int((~m).sum()) for m in masks))


@settings(max_examples=40)
@given(st.data())
def test_only_pixels_of_the_field_of_view_are_counted(data):
    mask = data.draw(flags)
    fov = data.draw(arrays(bool, mask.shape).filter(np.any))
    with TemporaryDirectory() as folder:
        write(Path(folder, "masks", "01_manual1.png"), mask.astype(np.uint8) * 255)
        write(Path(folder, "fov", "01_test_mask.gif"), fov.astype(np.uint8) * 255)
        (image,) = count_masks(Path(folder, "masks"), Path(folder, "fov")).images
    assert (image.p, image.n) == (int((mask & fov).sum()), int((~mask & fov).sum()))
    assert (image.mask, image.fov) == ("01_manual1.png", "01_test_mask.gif")


@settings(max_examples=40)
@given(arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=12)), st.integers(1, 300))
def test_a_threshold_counts_the_pixels_that_reach_it(values, threshold):
    with TemporaryDirectory() as folder:
        write(Path(folder, "soft.png"), values)
        counted = count_masks(Path(folder), threshold=threshold)
    assert counted.p == sum(int(v) >= threshold for v in values.flat)
    assert counted.p + counted.n == values.size


@pytest.mark.parametrize(
    "values",
    [
        CROSS.astype(bool),
        np.stack([CROSS] * 3, axis=-1),
        np.stack([CROSS, CROSS * 0, CROSS * 0], axis=-1),
        np.dstack([CROSS, CROSS, CROSS, CROSS * 0 + 255]),
        CROSS.astype(np.uint16) * 257,
    ],
    ids=["one bit", "grey as RGB", "red on black", "opaque RGBA", "16 bit"],
)
def test_a_mask_counts_the_same_however_its_two_values_are_stored(tmp_path, values):
    write(tmp_path / "01.png", values)
    assert (count_masks(tmp_path).p, count_masks(tmp_path).n) == (5, 7)


def test_a_palette_is_read_as_its_colours_not_as_its_numbers(tmp_path):
    image = Image.fromarray(1 - CROSS // 255)
    image.putpalette([200, 30, 30, 0, 0, 0])
    image.save(tmp_path / "01.png")
    assert (count_masks(tmp_path).p, count_masks(tmp_path).n) == (5, 7)


def test_masks_without_foreground_or_without_background_are_counted(tmp_path):
    write(tmp_path / "none.png", CROSS * 0)
    write(tmp_path / "only.png", CROSS * 0 + 255)
    assert [(image.p, image.n) for image in count_masks(tmp_path).images] == [(0, 12), (12, 0)]


def test_images_come_in_the_order_people_count(tmp_path):
    for name in ("im10", "im2", "im1"):
        write(tmp_path / f"{name}.png", CROSS)
    assert [image.image for image in count_masks(tmp_path).images] == ["im1", "im2", "im10"]


def test_the_table_is_the_test_sets_of_a_score_file(tmp_path):
    write(tmp_path / 'a,"b" 1.png', CROSS)
    write(tmp_path / "c 2.png", CROSS * 0)
    counted = count_masks(tmp_path)
    rows = list(csv.DictReader(io.StringIO(counted.to_csv())))
    assert rows == [{"name": 'a,"b" 1', "p": "5", "n": "7"}, {"name": "c 2", "p": "0", "n": "12"}]
    assert [(part.name, part.p, part.n) for part in counted.setup.parts] == [('a,"b" 1', 5, 7), ("c 2", 0, 12)]
    assert (counted.setup.p, counted.setup.n, counted.setup.kind) == (5, 19, Kind.SETS)
    assert alternatives(counted.setup) == []


def test_progress_sees_every_file(tmp_path):
    write(tmp_path / "1.png", CROSS)
    write(tmp_path / "2.png", CROSS)
    seen = []
    count_masks(tmp_path, track=lambda files: (seen.append(file.name) or file for file in files))
    assert seen == ["1.png", "2.png"]


# --- what is foreground


def test_more_than_two_values_need_a_threshold_and_the_values_are_told(tmp_path):
    write(tmp_path / "soft.png", np.array([[0, 64, 128, 191, 255]], dtype=np.uint8))
    told = refused(tmp_path)
    assert "soft.png" in told
    assert "0, 64, 128, 191, 255" in told
    assert "--threshold" in told


def test_two_values_without_zero_are_not_taken_for_a_mask(tmp_path):
    write(tmp_path / "labels.png", np.array([[1, 2]], dtype=np.uint8))
    assert "1, 2" in refused(tmp_path)


def test_labels_of_two_classes_in_two_files_are_not_taken_for_one(tmp_path):
    write(tmp_path / "a.png", np.array([[0, 1]], dtype=np.uint8))
    write(tmp_path / "b.png", np.array([[0, 2]], dtype=np.uint8))
    assert "the foreground is 2 here and 1 in a.png" in refused(tmp_path)
    assert count_masks(tmp_path, threshold=1).p == 2


def test_two_colours_beside_black_are_not_one_foreground(tmp_path):
    write(tmp_path / "01.png", np.array([[[0, 0, 0], [255, 0, 0], [0, 0, 255]]], dtype=np.uint8))
    assert "#000000, #0000ff, #ff0000" in refused(tmp_path)
    assert "coloured" in refused(tmp_path, threshold=10)


@pytest.mark.parametrize("threshold", [0, -3])
def test_a_threshold_that_makes_everything_foreground_is_refused(tmp_path, threshold):
    write(tmp_path / "01.png", CROSS)
    assert "every pixel" in refused(tmp_path, threshold=threshold)


def test_transparent_pixels_are_neither_foreground_nor_background(tmp_path):
    write(tmp_path / "01.png", np.dstack([CROSS] * 4))
    assert "transparent" in refused(tmp_path)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_pixels_that_are_not_numbers_are_refused_even_with_a_threshold(tmp_path, bad):
    write(tmp_path / "01.tif", np.array([[0, 1, bad]], dtype=np.float32))
    assert "not numbers" in refused(tmp_path, threshold=1)


def test_fractions_are_values_like_any_other(tmp_path):
    write(tmp_path / "01.tif", np.array([[0, 1, 1]], dtype=np.float32))
    write(tmp_path / "02.tif", np.array([[0, 0.5, 0.5]], dtype=np.float32))
    assert "the foreground is 0.5 here and 1 in 01.tif" in refused(tmp_path)


def test_an_image_for_the_printing_press_is_refused(tmp_path):
    Image.fromarray(CROSS).convert("CMYK").save(tmp_path / "01.tif")
    assert "CMYK" in refused(tmp_path)


def test_jpeg_is_counted_with_a_threshold_and_a_warning(tmp_path):
    write(tmp_path / "01.jpg", np.kron(CROSS, np.ones((5, 5), dtype=np.uint8)), quality=60)
    assert "not just 0 and one other" in refused(tmp_path)
    (warning,) = count_masks(tmp_path, threshold=128).warnings
    assert "01.jpg" in warning
    assert "JPEG" in warning


def test_a_file_of_several_pages_is_refused(tmp_path):
    pages = [Image.fromarray(CROSS), Image.fromarray(255 - CROSS)]
    pages[0].save(tmp_path / "01.tif", save_all=True, append_images=pages[1:])
    assert "several pages" in refused(tmp_path)


# --- which field of view


@pytest.mark.parametrize(
    "pairs",
    [
        {"01_manual1": "01_test_mask", "02_manual1": "02_test_mask"},
        {"01_dr": "01_dr_mask", "01_g": "01_g_mask", "02_dr": "02_dr_mask"},
        {"Image_01L_1stHO": "image_01L_mask", "Image_01R_1stHO": "image_01R_mask"},
        {"im0001.ah": "im0001", "im0010.ah": "im0010", "im0100.ah": "im0100"},
        {"left": "left", "right": "RIGHT"},
        {"2020_01": "2020_01", "2020_02": "2020_02"},
    ],
    ids=lambda pairs: next(iter(pairs)),
)
def test_fields_of_view_go_with_masks_by_how_their_names_begin(tmp_path, pairs):
    for side, (mask, fov) in enumerate(pairs.items(), start=1):
        write(tmp_path / "masks" / f"{mask}.png", np.ones((side, side), dtype=np.uint8))
        write(tmp_path / "fov" / f"{fov}.png", np.ones((side, side), dtype=np.uint8))
    counted = count_masks(tmp_path / "masks", tmp_path / "fov")
    assert {Path(image.mask).stem: Path(image.fov).stem for image in counted.images} == pairs


def test_one_field_of_view_may_serve_all_masks(tmp_path):
    write(tmp_path / "masks" / "1.png", CROSS)
    write(tmp_path / "masks" / "2.png", 255 - CROSS)
    fov = write(tmp_path / "fov.png", np.array([[1, 1, 1]] * 2 + [[0, 0, 0]] * 2, dtype=np.uint8))
    counted = count_masks(tmp_path / "masks", fov)
    assert [(image.p, image.n) for image in counted.images] == [(4, 2), (2, 4)]


def test_an_expression_pairs_names_that_begin_differently(tmp_path):
    write(tmp_path / "masks" / "vessels-7.png", CROSS)
    write(tmp_path / "fov" / "mask_of_7.png", CROSS)
    assert "--match" in refused(tmp_path / "masks", tmp_path / "fov")
    assert count_masks(tmp_path / "masks", tmp_path / "fov", match=r"([0-9]+)").p == 5
    assert count_masks(tmp_path / "masks", tmp_path / "fov", match=r"\d+$").p == 5
    assert "finds nothing" in refused(tmp_path / "masks", tmp_path / "fov", match="x([0-9]+)")
    assert "malformed" in refused(tmp_path / "masks", tmp_path / "fov", match="([0-9]+")


@pytest.mark.parametrize(
    ("masks", "fovs", "named"),
    [
        (["01_a", "02_a"], ["01_mask"], ["02_a.png", "0 files"]),
        (["01_a"], ["01_train_mask", "01_test_mask"], ["01_a.png", "01_test_mask.png", "01_train_mask.png"]),
        (["01_manual1", "01_manual2"], ["01_mask"], ["01_manual1.png", "01_manual2.png", "01_mask.png"]),
        (["2020_01"], ["2020_02"], ["2020_01.png", "0 files"]),
        (["left_a"], ["left_b"], ["left_a.png", "0 files"]),
    ],
    ids=["missing", "two fit", "shared", "another number", "no number"],
)
def test_a_doubtful_pair_is_an_error_that_names_the_files(tmp_path, masks, fovs, named):
    for name in masks:
        write(tmp_path / "masks" / f"{name}.png", CROSS)
    for name in fovs:
        write(tmp_path / "fov" / f"{name}.png", CROSS)
    told = refused(tmp_path / "masks", tmp_path / "fov")
    assert all(name in told for name in named)


def test_a_pattern_chooses_one_annotator(tmp_path):
    write(tmp_path / "masks" / "Image_01L.png", np.array([[3, 4, 5]], dtype=np.uint8))
    write(tmp_path / "masks" / "Image_01L_1stHO.png", CROSS)
    write(tmp_path / "masks" / "Image_01L_2ndHO.png", 255 - CROSS)
    counted = count_masks(tmp_path / "masks", pattern="*_2ndHO.png")
    assert [(image.image, image.p) for image in counted.images] == [("Image_01L_2ndHO", 7)]
    assert counted.left_out == ()


def test_field_of_view_of_another_size_is_refused(tmp_path):
    write(tmp_path / "masks" / "1.png", CROSS)
    write(tmp_path / "fov" / "1.png", CROSS.T)
    told = refused(tmp_path / "masks", tmp_path / "fov")
    assert "3 x 4" in told
    assert "4 x 3" in told


def test_an_empty_soft_or_broken_field_of_view_is_refused(tmp_path):
    write(tmp_path / "masks" / "1.png", CROSS)
    fov = write(tmp_path / "fov" / "1.png", CROSS * 0)
    assert "empty" in refused(tmp_path / "masks", tmp_path / "fov")
    write(fov, np.arange(12, dtype=np.uint8).reshape(4, 3))
    assert "--fov-threshold" in refused(tmp_path / "masks", tmp_path / "fov")
    assert count_masks(tmp_path / "masks", tmp_path / "fov", fov_threshold=11).n == 1
    fov.write_bytes(b"no image")
    assert "cannot be read" in refused(tmp_path / "masks", tmp_path / "fov")


# --- hostile and broken files


def png_header_of(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


@pytest.mark.parametrize("side", [10_001, 12_000, 60_000], ids=["our limit", "Pillow warns", "Pillow refuses"])
def test_a_decompression_bomb_is_refused_before_it_is_decoded(tmp_path, side):
    (tmp_path / "bomb.png").write_bytes(png_header_of(side, side))
    told = refused(tmp_path)
    assert "bomb.png" in told
    assert "pixels" in told


def test_a_file_of_too_many_bytes_is_refused_before_it_is_opened(tmp_path):
    with (tmp_path / "long.tif").open("wb") as file:
        file.truncate(pictures.MAX_BYTES + 1)
    assert "bytes" in refused(tmp_path)


@pytest.mark.parametrize("suffix", [*LOSSLESS, "jpg"])
def test_a_file_cut_short_is_named_and_left_out(tmp_path, suffix):
    noise = np.random.default_rng(1).integers(0, 2, (40, 40), dtype=np.uint8) * 255
    broken = write(tmp_path / f"1.{suffix}", noise)
    broken.write_bytes(broken.read_bytes()[: broken.stat().st_size // 2])
    write(tmp_path / "2.png", CROSS)
    counted = count_masks(tmp_path)
    assert [image.image for image in counted.images] == ["2"]
    (left_out,) = counted.left_out
    assert left_out.startswith(f"1.{suffix}: broken or cut short")


def test_what_is_no_image_is_named_and_left_out(tmp_path):
    write(tmp_path / "1.png", CROSS)
    (tmp_path / "2.png").write_text("not a picture")
    (tmp_path / "3.png").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / "more.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    counted = count_masks(tmp_path)
    assert [image.image for image in counted.images] == ["1"]
    assert counted.left_out == (
        "more.png: not a file",
        "notes.txt: not an image by its name",
        "pipe.png: not a file",
        "2.png: not an image",
        "3.png: not an image",
    )
    assert "left out: notes.txt" in counted.setup.note


def test_a_postscript_file_is_not_run_whatever_its_name(tmp_path):
    write(tmp_path / "1.png", CROSS)
    (tmp_path / "2.png").write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n")
    assert count_masks(tmp_path).left_out == ("2.png: not an image",)


def test_links_are_followed_inside_the_folder_only(tmp_path):
    secret = write(tmp_path / "elsewhere" / "secret.png", CROSS)
    inside = write(tmp_path / "masks" / "1.png", CROSS)
    (tmp_path / "masks" / "2.png").symlink_to(inside)
    (tmp_path / "masks" / "3.png").symlink_to(secret)
    (tmp_path / "masks" / "4.png").symlink_to(tmp_path / "masks" / "4.png")
    counted = count_masks(tmp_path / "masks")
    assert [image.image for image in counted.images] == ["1", "2"]
    assert [item.partition(":")[0] for item in counted.left_out] == ["3.png", "4.png"]


def test_a_folder_without_masks_is_an_error(tmp_path):
    assert "no image" in refused(tmp_path)
    (tmp_path / "notes.txt").write_text("no mask")
    assert "no image" in refused(tmp_path)
    (tmp_path / "1.png").write_text("no mask")
    assert "none of the masks can be read" in refused(tmp_path)
    assert "not a folder" in refused(tmp_path / "nowhere")
    assert "not a folder" in refused(tmp_path / "notes.txt")


def test_one_image_in_two_formats_is_not_counted_twice(tmp_path):
    write(tmp_path / "1.png", CROSS)
    write(tmp_path / "1.tif", CROSS)
    told = refused(tmp_path)
    assert "1.png" in told
    assert "1.tif" in told


def test_a_name_that_is_no_text_can_still_be_printed(tmp_path):
    write(tmp_path / "1.png", CROSS).rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff1.png"))
    counted = count_masks(tmp_path)
    assert counted.to_csv().encode() == b"name,p,n\n\\xff1,5,7\n"


def test_a_file_name_cannot_become_a_formula_in_a_spreadsheet(tmp_path):
    write(tmp_path / "=1+1.png", CROSS)
    assert count_masks(tmp_path).to_csv() == "name,p,n\n'=1+1,5,7\n"


@pytest.mark.parametrize("suffix", [*LOSSLESS, "jpg"])
def test_a_damaged_file_is_counted_left_out_or_refused_and_never_crashes(tmp_path, suffix):
    damage = random.Random(suffix)
    sound = write(tmp_path / f"1.{suffix}", np.kron(CROSS, np.ones((5, 5), dtype=np.uint8))).read_bytes()
    for _ in range(150):
        broken = bytearray(sound)
        for _ in range(damage.randint(1, 6)):
            broken[damage.randrange(len(broken))] = damage.randrange(256)
        (tmp_path / f"1.{suffix}").write_bytes(broken)
        try:
            counted = count_masks(tmp_path, threshold=128)
        except InputError:
            continue
        assert counted.images
