"""Decoding of untrusted image files within limits.

Images that the published programs silently convert (the first frame of an animation, CMYK to RGB,
16 bits clipped to 8) are read the same way, with a warning.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect, Place, warning

MAX_PIXELS = 100_000_000
"""Ten times the largest photographs; a decompression bomb declares more in a few kilobytes."""

MAX_BYTES = 512 << 20

SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")
ORIENTATION = 0x0112  # Exif tag

FID_ENDINGS = frozenset(
    (".bmp", ".jpg", ".JPG", ".jpeg", ".JPEG", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")
)
"""Suffixes that pytorch-fid reads, with its choice of those in capitals (fid_score.py)."""


class PictureError(Exception):
    """Picture that cannot be used; the text continues the sentence "The picture ..."."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedPicture:
    """Decoded picture (a Pillow image), with remarks on lossy conversions."""

    image: Any
    remarks: tuple[str, ...] = ()


def fid_pictures(folder: Path) -> list[Path]:
    """Return the pictures of a folder that pytorch-fid reads, in its order."""
    return sorted(
        path for path in folder.iterdir() if path.suffix in FID_ENDINGS and path.is_file()
    )


def open_picture(
    path: Path, *, mode: str | None = "RGB", content: bytes | None = None
) -> DecodedPicture:
    """Decode a picture completely; PictureError if it is damaged or exceeds the limits.

    With `content`, the bytes of the file, the path is not opened. `mode` is the mode of Pillow
    that the picture is converted to; None keeps that of the file.
    """
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


def picture_defects(path: Path, remarks: tuple[str, ...]) -> list[Defect]:
    """Return the remarks on a picture as warnings."""
    hint = "The published programs read it the same way."
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
