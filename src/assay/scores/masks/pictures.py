"""What is in an image file: its pixel values, and which of them are foreground."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records import dataclass
from assay.scores.masks.files import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_PIXELS = 100_000_000
"""Larger images are refused before decoding; the largest published retina masks have 8 million pixels."""
MAX_BYTES = 1 << 30

_FORMATS = ("PNG", "TIFF", "GIF", "BMP", "PPM", "JPEG")
_LOSSY_TIFF = frozenset({"jpeg", "tiff_jpeg"})
_DECODER_FAILURES = (
    *(OSError, SyntaxError, ValueError, TypeError, AttributeError, RuntimeError, EOFError, MemoryError),
    *(LookupError, ArithmeticError, struct.error),
)
"""What Pillow raises on broken files; the exceptions have no base class of their own."""


class UnreadableError(Exception):
    """Says why a file cannot be counted, so that it is left out."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Decoded values: grey levels, or one number for each colour."""

    path: Path
    values: NDArray[Any]
    coloured: bool
    lossy: bool

    def spell(self, value: float) -> str:
        """A value as people write it."""
        return f"#{int(value):06x}" if self.coloured else f"{value:.15g}"


def read(path: Path) -> Picture:
    """Decode one image; what is too large or not a plain mask is an error, what is broken is unreadable."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about odd metadata; sizes are checked here
        try:
            if path.stat().st_size > MAX_BYTES:
                raise _too_large(path)
            with Image.open(path, formats=_FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise _too_large(path)
                return _picture(path, image)
        except InputError:
            raise
        except Image.DecompressionBombError as problem:
            raise _too_large(path) from problem
        except UnidentifiedImageError as problem:
            raise UnreadableError("not an image") from problem
        except _DECODER_FAILURES as problem:
            raise UnreadableError(f"broken or cut short ({problem})") from problem


def _too_large(path: Path) -> InputError:
    return InputError(
        f"the image has more than {MAX_PIXELS} pixels or {MAX_BYTES} bytes",
        where=shown(path),
        fix="Cut it into parts, or take it out of the folder.",
    )


def _picture(path: Path, image: Image) -> Picture:
    import numpy as np

    if getattr(image, "n_frames", 1) > 1:
        raise InputError("the file has several pages", where=shown(path), fix="Save the mask as a file of its own.")
    lossy = image.format == "JPEG" or image.info.get("compression") in _LOSSY_TIFF
    plain = _without_palette_and_alpha(path, image)
    if plain.mode == "RGB":
        red, green, blue = (np.asarray(plain.getchannel(band)) for band in "RGB")
        if np.array_equal(red, green) and np.array_equal(red, blue):
            return Picture(path, red, coloured=False, lossy=lossy)
        colours = red.astype(np.uint32) << 16 | green.astype(np.uint32) << 8 | blue
        return Picture(path, colours, coloured=True, lossy=lossy)
    values = np.asarray(plain)
    if plain.mode == "F" and not np.isfinite(values).all():
        raise InputError("some pixels are not numbers", where=shown(path), fix="Save the mask in grey levels.")
    return Picture(path, values.astype(np.uint8) if plain.mode == "1" else values, coloured=False, lossy=lossy)


def _without_palette_and_alpha(path: Path, image: Image) -> Image:
    if image.mode in {"P", "PA"}:
        image = image.convert("RGBA" if image.mode == "PA" or "transparency" in image.info else "RGB")
    if image.mode in {"LA", "RGBA"}:
        if image.getchannel("A").getextrema() != (255, 255):
            raise InputError("the mask has transparent pixels", where=shown(path), fix="Save it without transparency.")
        image = image.convert("L" if image.mode == "LA" else "RGB")
    if image.mode not in {"1", "L", "I", "F", "RGB"} and not image.mode.startswith("I;16"):
        raise InputError(f"{image.mode} images cannot be counted", where=shown(path), fix="Save it in grey levels.")
    return image


@dataclass(slots=True)
class Foreground:
    """The rule that separates foreground from background, the same for every file of a folder.

    Without a threshold the files must hold 0 and one other value, and that the same in all of them:
    1 in one file and 2 in the next may be the labels of two classes.
    """

    option: str
    threshold: int | None = None
    first: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and self.threshold < 1:
            raise InputError(
                f"--{self.option} {self.threshold} would make every pixel foreground", fix="Say 1 or more."
            )

    def pixels(self, picture: Picture) -> NDArray[np.bool_]:
        """Where the foreground is."""
        if self.threshold is not None:
            if picture.coloured:
                raise InputError(
                    "a threshold says nothing about a coloured mask",
                    where=shown(picture.path),
                    fix="Save it in grey levels.",
                )
            reached: NDArray[np.bool_] = picture.values >= self.threshold
            return reached
        zero: NDArray[np.bool_] = picture.values == 0
        other = picture.values.flat[int(zero.argmin())].item()
        if not (zero | (picture.values == other)).all():
            raise self._undecided(picture, f"the values are not just 0 and one other: {_some_values(picture)}")
        if other:
            self._compare(picture, picture.spell(other))
        return ~zero

    def _compare(self, picture: Picture, value: str) -> None:
        known, where = self.first = self.first or (value, shown(picture.path.name))
        if known != value:
            raise self._undecided(picture, f"the foreground is {value} here and {known} in {where}")

    def _undecided(self, picture: Picture, what: str) -> InputError:
        fix = f"Say from which value on a pixel is foreground, as in --{self.option} 128."
        return InputError(what, where=shown(picture.path), fix=fix)


def _some_values(picture: Picture) -> str:
    import numpy as np

    found = np.unique(picture.values).tolist()
    more = f" and {len(found) - 6} more" if len(found) > 6 else ""
    return ", ".join(picture.spell(value) for value in found[:6]) + more
