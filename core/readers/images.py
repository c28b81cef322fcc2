"""Pictures from files that nobody vouches for: decoded whole within limits, or refused by name.

What published programs read silently in their own way (one picture of an animation, four inks as
three lights, 16 bits as 8) is read the same way here, and told.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.model.defects import Defect, Place, warning

MAX_PIXELS = 100_000_000
"""Ten times the largest photographs of today; a bomb claims more in a file of some kilobytes."""

MAX_BYTES = 512 << 20

SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")
ORIENTATION = 0x0112  # the tag of Exif

FID_ENDINGS = frozenset(
    (".bmp", ".jpg", ".JPG", ".jpeg", ".JPEG", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")
)
"""What pytorch-fid takes for a picture: of the endings in capitals these alone (fid_score.py)."""


class PictureError(Exception):
    """A picture that cannot be used; the text is the second half of a sentence about it."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedPicture:
    """A decoded picture in RGB (a Pillow image), and what is odd about its file."""

    image: Any
    remarks: tuple[str, ...] = ()


def fid_pictures(folder: Path) -> list[Path]:
    """Return the pictures of a folder that the published program takes, in its order."""
    return sorted(
        path for path in folder.iterdir() if path.suffix in FID_ENDINGS and path.is_file()
    )


def open_picture(
    path: Path, *, colours: str = "RGB", content: bytes | None = None
) -> DecodedPicture:
    """Decode a picture whole; PictureError where that is impossible or too dangerous.

    With `content`, the bytes of the file, the path is not opened.
    """
    import PIL.Image

    # Our own limit holds, which also covers pictures that Pillow would only warn of.
    PIL.Image.MAX_IMAGE_PIXELS = None
    try:
        size = path.stat().st_size if content is None else len(content)
        if size > MAX_BYTES:
            raise PictureError(f"is larger than {MAX_BYTES >> 20} MiB")
        with PIL.Image.open(path if content is None else io.BytesIO(content)) as image:
            _refuse_bomb(image)
            remarks = tuple(_remarks(image))
            image.load()
            return DecodedPicture(image.convert(colours), remarks)
    except FileNotFoundError as fault:
        raise PictureError("does not exist") from fault
    except PIL.UnidentifiedImageError as fault:
        raise PictureError("is no picture of a known format") from fault
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error) as fault:
        raise PictureError(f"is damaged: {_reason(fault)}") from fault
    except MemoryError as fault:
        raise PictureError("does not fit into memory") from fault


def picture_defects(path: Path, remarks: tuple[str, ...]) -> list[Defect]:
    """What is odd about a picture, as defects."""
    return [
        warning(
            Place(str(path)), f"The picture {remark}.", "", "The published programs read it so too."
        )
        for remark in remarks
    ]


def _refuse_bomb(image: Any) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"claims {width:,} x {height:,} points, more than {MAX_PIXELS:,}: "
            "it may be meant to fill the memory"
        )
    if not width or not height:
        raise PictureError("has no points")


def _remarks(image: Any) -> Iterator[str]:
    if getattr(image, "is_animated", False):
        yield f"is an animation of {image.n_frames} pictures; the first one is used"
    if image.mode == "CMYK":
        yield "has four inks (CMYK), turned into RGB without a colour profile"
    if image.mode in SIXTEEN_BITS:
        yield "has more than 8 bits a point; what exceeds 255 is cut off"
    if image.getexif().get(ORIENTATION, 1) != 1:
        yield "asks to be turned (Exif orientation), which is not done"


def _reason(fault: Exception) -> str:
    lines = str(fault).splitlines()
    return lines[0].rstrip(".") if lines else type(fault).__name__
