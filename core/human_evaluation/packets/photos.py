"""Pictures for packets: found by id, rotated upright, scaled down, without metadata.

A picture is always encoded again, so that no metadata of its file (place, camera, author) remain.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.rating_design import PictureRef
from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, warning

if TYPE_CHECKING:
    from PIL import Image

MAX_SIDE = 1600
QUALITY = 85
MAX_PIXELS = 200_000_000
NUMBERED = re.compile(r"_0*[1-9][0-9]*$")
"""End of the names of COCO's pictures, such as `COCO_val2014_000000486531`."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")


def find_photos(folder: Path) -> dict[str, Path]:
    """Return the pictures of a folder by name without suffix; empty if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            files = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return {}
    return {Path(name).stem: folder / name for name in files if name.lower().endswith(SUFFIXES)}


class PhotoFolder:
    """Pictures of a folder by id, each read once; `defects` are those of unreadable ones."""

    def __init__(self, folder: Path | None) -> None:
        self._files: Mapping[str, Path] = find_photos(folder) if folder else {}
        self._by_number = {
            stem.rpartition("_")[2].lstrip("0"): path
            for stem, path in self._files.items()
            if NUMBERED.search(stem)
        }
        self._scaled: dict[PictureRef, bytes | None] = {}
        self.defects: list[Defect] = []

    def has(self, picture: PictureRef) -> bool:
        """Return whether there is a file for the picture."""
        return self._path(picture) is not None

    def get(self, picture: PictureRef) -> bytes | None:
        """Return the picture as JPEG of at most 1,600 pixels a side; None if it is missing."""
        if picture not in self._scaled:
            path = self._path(picture)
            self._scaled[picture] = None if path is None else self._read(path, picture)
        return self._scaled[picture]

    def _path(self, picture: PictureRef) -> Path | None:
        path = Path(picture.name)
        if path.is_absolute():
            return path if path.is_file() else None
        name = path.stem if path.suffix.lower() in SUFFIXES else picture.name
        return self._files.get(name) or self._by_number.get(name)

    def _read(self, path: Path, picture: PictureRef) -> bytes | None:
        scaled = make_jpeg(path, picture.box)
        if isinstance(scaled, str):
            found = fill("The photo cannot be read: {scaled}.", scaled)
            hint = "It is shown as missing."
            self.defects.append(warning(Place(str(path)), found, hint))
            return None
        return scaled


def make_jpeg(path: Path, box: tuple[int, int, int, int] | None = None) -> bytes | str:
    """Return the picture as a small upright JPEG without metadata, or the reason of a failure.

    With `box` (x, y, width, height) only that part of the stored picture is returned.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return fill(
                    "it has {width:,} x {height:,} pixels, which is too many",
                    picture.width,
                    picture.height,
                )
            if box is not None:
                x, y, width, height = box
                left, top = max(x, 0), max(y, 0)
                right, bottom = min(x + width, picture.width), min(y + height, picture.height)
                if right <= left or bottom <= top:
                    return "the box is empty"
                part = picture.crop((left, top, right, bottom))
                part.thumbnail((MAX_SIDE, MAX_SIDE))
                return _encode_jpeg(part)
            picture.draft("RGB", (MAX_SIDE, MAX_SIDE))
            upright = ImageOps.exif_transpose(picture)
            upright.thumbnail((MAX_SIDE, MAX_SIDE))
            return _encode_jpeg(upright)
    except Image.DecompressionBombError:
        return "it has too many pixels for a photo"
    except (OSError, ValueError, SyntaxError) as error:
        if isinstance(error, OSError) and error.strerror:
            return failure_reason(error)
        return str(error).rstrip(".") or "it is damaged"


def _encode_jpeg(picture: Image.Image) -> bytes:
    from PIL import Image

    sheet = Image.new("RGB", picture.size, "white")
    with_alpha = picture.convert("RGBA")
    sheet.paste(with_alpha, mask=with_alpha)
    target = io.BytesIO()
    sheet.save(target, "JPEG", quality=QUALITY)
    return target.getvalue()
