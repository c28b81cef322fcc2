"""Decoding of untrusted image files within limits.

Images that the published programs silently convert (the first frame of an animation, CMYK to RGB,
16 bits clipped to 8) are read the same way, with a warning.
"""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill, reason, translatable
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.readers.npz import DAMAGES, require_valid_npy

MAX_PIXELS = 100_000_000
"""Ten times the largest photographs; a decompression bomb declares more in a few kilobytes."""

MAX_BYTES = 512 << 20

SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")
ORIENTATION = 0x0112  # Exif tag

PICTURE_ENDINGS = frozenset(
    (
        *(".apng", ".avif", ".bmp", ".dib", ".gif", ".ico", ".j2k", ".jfif", ".jp2", ".jpe"),
        *(".jpeg", ".jpg", ".pbm", ".pcx", ".pgm", ".png", ".pnm", ".ppm", ".sgi", ".tga"),
        *(".tif", ".tiff", ".webp"),
    )
)
"""Suffixes, in lower case, of picture files that Pillow reads."""

ARRAY_ENDING = ".npy"
CHANNELS = 3


class PictureError(Exception):
    """Picture that cannot be used; the text continues the sentence "The picture ..."."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedPicture:
    """Decoded picture (a Pillow image), with remarks on lossy conversions."""

    image: Any
    remarks: tuple[str, ...] = ()


def is_picture_name(path: Path) -> bool:
    """Return whether the suffix of a file is that of a picture, in capitals or not."""
    return path.suffix.lower() in PICTURE_ENDINGS


def folder_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of the folders within, and folders that do not belong to it.

    Links to folders are not followed, and folders that cannot be opened are passed over; a folder
    that is named like a picture is yielded beside its files.
    """
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            if place == folder:
                raise
            yield place
            continue
        for entry in entries:
            path = Path(entry.path)
            is_entered = entry.is_dir(follow_symlinks=False)
            if is_entered:
                waiting.append(path)
            if not is_entered or is_picture_name(path):
                yield path


def open_picture(
    path: Path,
    *,
    mode: str | None = "RGB",
    content: bytes | None = None,
    arrays: bool = False,
) -> DecodedPicture:
    """Decode a picture completely; PictureError if it is damaged or exceeds the limits.

    With `content`, the bytes of the file, the path is not opened. `mode` is the mode of Pillow
    that the picture is converted to; None keeps that of the file. With `arrays`, a file `.npy` is
    an array (height, width, 3) of numbers, which is returned as it is.
    """
    if arrays and path.suffix == ARRAY_ENDING:
        return DecodedPicture(_open_array(path, content))
    import PIL.Image

    # MAX_PIXELS replaces this limit: it also covers pictures that Pillow would only warn of.
    PIL.Image.MAX_IMAGE_PIXELS = None
    try:
        size = path.stat().st_size if content is None else len(content)
        if size > MAX_BYTES:
            raise PictureError(fill("is larger than {value} MiB", MAX_BYTES >> 20))
        with PIL.Image.open(path if content is None else io.BytesIO(content)) as image:
            _refuse_bomb(image)
            remarks = tuple(_remarks(image))
            image.load()
            return DecodedPicture(image.convert(mode) if mode else image.copy(), remarks)
    except FileNotFoundError as fault:
        raise PictureError(translatable("does not exist")) from fault
    except PIL.UnidentifiedImageError as fault:
        raise PictureError(translatable("is not in a known image format")) from fault
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error) as fault:
        raise PictureError(fill("is damaged: {reason}", _reason(fault))) from fault
    except MemoryError as fault:
        raise PictureError(translatable("does not fit into memory")) from fault


def picture_size(path: Path) -> tuple[int, int]:
    """Return width and height that a picture declares; PictureError if it does not."""
    import PIL.Image

    PIL.Image.MAX_IMAGE_PIXELS = None  # MAX_PIXELS replaces it
    try:
        with PIL.Image.open(path) as image:
            _refuse_bomb(image)
            return int(image.width), int(image.height)
    except FileNotFoundError as fault:
        raise PictureError(translatable("does not exist")) from fault
    except PIL.UnidentifiedImageError as fault:
        raise PictureError(translatable("is not in a known image format")) from fault
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error) as fault:
        raise PictureError(fill("is damaged: {reason}", _reason(fault))) from fault


def _open_array(path: Path, content: bytes | None) -> npt.NDArray[np.number]:
    """Return the array (height, width, at least 3) of a file `.npy`, without objects."""
    try:
        size = path.stat().st_size if content is None else len(content)
        if size > MAX_BYTES:
            raise PictureError(fill("is larger than {value} MiB", MAX_BYTES >> 20))
        file = io.BytesIO(path.read_bytes() if content is None else content)
        require_valid_npy(file, path.name)
        array: npt.NDArray[np.number] = np.load(file, allow_pickle=False)
    except FileNotFoundError as fault:
        raise PictureError(translatable("does not exist")) from fault
    except DAMAGES as fault:
        raise PictureError(fill("is damaged: {reason}", _reason(fault))) from fault
    if array.ndim != CHANNELS or array.shape[2] < CHANNELS or array.dtype.kind not in "uif":
        raise PictureError(
            fill(
                "is an array {shape} of {type}, not one (height, width, 3) of numbers",
                str(array.shape),
                str(array.dtype),
            )
        )
    if not 0 < array.shape[0] * array.shape[1] <= MAX_PIXELS:
        raise PictureError(translatable("has no pixels, or too many"))
    return array


def picture_defects(path: Path, remarks: Sequence[str]) -> list[Defect]:
    """Return the remarks on a picture as warnings."""
    hint = reason("The published programs read it the same way.")
    return [
        warning(Place(str(path)), fill("The picture {phrase}.", phrase), "", hint)
        for phrase in remarks
    ]


def _refuse_bomb(image: Any) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PictureError(
            fill(
                "claims {width:,} x {height:,} pixels, more than {max_pixels:,}: it may be a "
                "decompression bomb",
                width,
                height,
                MAX_PIXELS,
            )
        )
    if not width or not height:
        raise PictureError(translatable("has no pixels"))


def _remarks(image: Any) -> Iterator[str]:
    if getattr(image, "is_animated", False):
        yield fill("is an animation of {n_frames} frames; the first one is used", image.n_frames)
    if image.mode == "CMYK":
        yield translatable("is in CMYK and was converted to RGB without a colour profile")
    if image.mode in SIXTEEN_BITS:
        yield translatable("has more than 8 bits per channel; values above 255 are clipped")
    if image.getexif().get(ORIENTATION, 1) != 1:
        yield translatable("has an Exif orientation, which is not applied")


def _reason(fault: Exception) -> str:
    lines = str(fault).splitlines()
    return lines[0].rstrip(".") if lines else type(fault).__name__
