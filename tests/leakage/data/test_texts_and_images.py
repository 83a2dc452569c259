"""Texts and pictures that are nearly the same on both sides."""

from pathlib import Path

import numpy as np
import pytest
from made_splits import cut, honest, split_from
from PIL import Image, ImageEnhance, ImageOps
from sklearn.datasets import load_digits, load_sample_images

from assay.errors import InputError
from assay.findings import Severity
from assay.leakage.data.images import near_images
from assay.leakage.data.texts import near_texts

WORDS = ["patient", "reports", "pain", "left", "knee", "after", "fall", "no", "fever", "mild", "swelling", "advised"]


def notes(rows, seed=0, length=30):
    draw = np.random.default_rng(seed)
    return np.array([" ".join(f"{w}{draw.integers(99)}" for w in draw.choice(WORDS, length)) for _ in range(rows)])


def test_texts_with_a_changed_word_are_found():
    whole = honest(200) | {"note": notes(200)}
    train, test = cut(whole)
    test["note"][:5] = [t.replace("pain", "ache", 1).upper() + " " for t in train["note"][:5]]
    outcome = near_texts(split_from(train, test))
    [finding] = outcome.findings
    assert "5 test texts" in finding.message
    assert outcome.rows[0].partners.tolist() == [1, 2, 3, 4, 5]


def test_one_text_in_a_hundred_is_a_note():
    train, test = cut(honest(1000) | {"note": notes(1000)})
    test["note"][:2] = train["note"][:2]
    [finding] = near_texts(split_from(train, test)).findings
    assert finding.severity is Severity.NOTE


def test_similar_names_are_no_copies_of_a_text():
    """The names of two hospitals of one chain have most of their letters in common."""
    names = [f"Regional General Hospital of Saint Anna {i}" for i in range(200)]
    split = split_from(*cut(honest(200) | {"name": np.array(names)}))
    assert not near_texts(split).findings


def sentences(rows, seed=1):
    """Notes with punctuation, as people write them."""
    draw = np.random.default_rng(seed)
    return np.array(
        [
            " ".join(f"{' '.join(draw.choice(words, 6)).capitalize()}, {draw.integers(999)} mg." for _ in range(8))
            for words in [[f"{w}{draw.integers(30)}" for w in WORDS] for _ in range(rows)]
        ],
        dtype=object,
    )


def without_punctuation(text):
    return text.replace(",", "").replace(".", "").lower()


def hyphenated(text):
    return text.replace(" ", "-", 40)


def run_together(text):
    return "".join(character for character in text if character.isalnum() or character == " ").replace(" mg", "mg")


def first_half(text):
    return text[: len(text) // 2]


def last_half(text):
    return text[len(text) // 2 :]


@pytest.mark.parametrize("change", [without_punctuation, hyphenated, run_together, first_half, last_half])
def test_texts_without_punctuation_and_halves_of_texts_are_found(change):
    train, test = cut(honest(200) | {"note": sentences(200)})
    test["note"][:20] = [change(text) for text in train["note"][:20]]
    outcome = near_texts(split_from(train, test))
    [finding] = outcome.findings
    assert "20 test texts" in finding.message
    assert outcome.rows[0].partners.tolist() == list(range(1, 21))


def test_texts_that_share_a_phrase_of_the_field_are_left_alone():
    opening = "the patient was seen in the clinic and reports no change since the last visit "
    whole = honest(200) | {"note": np.array([opening + text for text in sentences(200)], dtype=object)}
    assert not near_texts(split_from(*cut(whole))).findings


def test_different_texts_are_left_alone():
    assert not near_texts(split_from(*cut(honest(200) | {"note": notes(200)}))).findings


def test_huge_empty_and_short_texts_do_no_harm():
    texts = notes(200)
    texts = np.array([*texts[:196], "x" * 300_000 + " y", "", "ab", " "], dtype=object)
    outcome = near_texts(split_from(*cut(honest(200) | {"note": texts})))
    assert not outcome.findings


def picture(seed, size=96):
    draw = np.random.default_rng(seed)
    small = draw.integers(0, 255, (6, 6)).astype(np.uint8)
    return Image.fromarray(small).resize((size, size), Image.Resampling.BICUBIC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for part, seeds in (("train", range(12)), ("test", range(100, 106))):
        (tmp_path / part / "class").mkdir(parents=True)
        for seed in seeds:
            picture(seed).save(tmp_path / part / "class" / f"{seed}.png")
    return tmp_path


def test_different_pictures_are_left_alone(folder):
    assert not near_images(folder).findings


def test_scaled_compressed_and_mirrored_pictures_are_found(folder):
    picture(0).resize((50, 50)).save(folder / "test" / "small.jpg", quality=40)
    picture(1).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(folder / "test" / "mirrored.png")
    picture(2).transpose(Image.Transpose.ROTATE_90).save(folder / "test" / "turned.png")
    outcome = near_images(folder)
    [finding] = outcome.findings
    assert "3 of 9 test pictures" in finding.message
    pairs = {r.file: r.partner_file for r in outcome.rows}
    assert pairs["test/small.jpg"] == "train/class/0.png"
    assert pairs["test/turned.png"] == "train/class/2.png"


def tiles():
    """Disjoint tiles of two photographs that come with scikit-learn."""
    for photo in load_sample_images().images:
        for top in range(0, photo.shape[0] - 91, 91):
            for left in range(0, photo.shape[1] - 91, 91):
                tile = Image.fromarray(photo[top : top + 91, left : left + 91])
                if np.asarray(tile.convert("L")).std() > 10:
                    yield tile


CHANGES = {
    "cropped": lambda tile: tile.crop((6, 2, 88, 84)),
    "framed": lambda tile: ImageOps.expand(tile, 6, 0),
    "rotated": lambda tile: tile.rotate(4),
    "mirrored": ImageOps.mirror,
    "brighter": lambda tile: ImageEnhance.Brightness(tile).enhance(1.2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_cropped_framed_and_rotated_photographs_are_found(tmp_path, change):
    originals = list(tiles())
    for part in ("train", "test"):
        (tmp_path / part).mkdir()
    for number, tile in enumerate(originals):
        tile.save(tmp_path / "train" / f"{number:02}.png")
    for number, tile in enumerate(originals[:20]):
        CHANGES[change](tile).save(tmp_path / "test" / f"{number:02}.png")
    outcome = near_images(tmp_path)
    right = [r for r in outcome.rows if Path(r.file).name == Path(r.partner_file).name]
    assert len(right) >= 16
    assert len(right) == len(outcome.rows)


def test_digits_of_different_people_are_no_copies(tmp_path):
    digits = load_digits().images[::4]
    for number, digit in enumerate(digits):
        part = tmp_path / ("test" if number % 4 == 0 else "train")
        part.mkdir(exist_ok=True)
        Image.fromarray((digit * 15).astype(np.uint8)).save(part / f"{number}.png")
    outcome = near_images(tmp_path)
    assert len(outcome.rows) <= 0.01 * len(digits)


def test_blank_and_broken_files_are_set_aside_and_said(folder):
    Image.new("L", (40, 40), 7).save(folder / "test" / "blank.png")
    Image.new("L", (40, 40), 9).save(folder / "train" / "blank.png")
    (folder / "test" / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    outcome = near_images(folder)
    assert not outcome.findings
    assert any("blank" in text for text in outcome.left_out)
    assert any("cannot" not in text and "not pictures" in text for text in outcome.left_out)


def test_a_folder_without_parts_is_refused(tmp_path):
    with pytest.raises(InputError, match='sub-folders called "train"'):
        near_images(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        near_images(tmp_path / "absent")
