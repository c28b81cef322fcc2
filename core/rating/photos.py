"""Photos for packets: found by id in a folder, turned upright, made small, rid of everything else.

A photo is always encoded anew, so that nothing of its file (place, camera, author) is passed on.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.defects import Defect, Place, warning

if TYPE_CHECKING:
    from PIL import Image

LONGEST_SIDE = 1600
QUALITY = 85
MOST_PIXELS = 200_000_000
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")


def photos_in(folder: Path) -> dict[str, Path]:
    """The pictures of a folder by their names without ending; none where there is no folder."""
    try:
        with os.scandir(folder) as entries:
            files = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return {}
    return {Path(name).stem: folder / name for name in files if name.lower().endswith(SUFFIXES)}


class Photos:
    """The photos of a folder by id, each read once; `defects` says which could not be read."""

    def __init__(self, folder: Path | None) -> None:
        self._files: Mapping[str, Path] = photos_in(folder) if folder else {}
        self._scaled: dict[str, bytes | None] = {}
        self.defects: list[Defect] = []

    def get(self, photo: str) -> bytes | None:
        """The photo as JPEG of at most 1,600 pixels a side; None where it is missing."""
        if photo not in self._scaled:
            path = self._files.get(photo)
            self._scaled[photo] = None if path is None else self._read(path)
        return self._scaled[photo]

    def _read(self, path: Path) -> bytes | None:
        scaled = as_jpeg(path)
        if isinstance(scaled, str):
            found = f"The photo cannot be read: {scaled}."
            hint = "It is shown as missing."
            self.defects.append(warning(Place(str(path)), found, hint))
            return None
        return scaled


def as_jpeg(path: Path) -> bytes | str:
    """The picture as a small upright JPEG without metadata, or the reason why not."""
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                return f"it claims {picture.width:,} x {picture.height:,} pixels"
            picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(picture)
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            return _encoded(upright)
    except Image.DecompressionBombError:
        return "it claims more pixels than any photo has"
    except (OSError, ValueError, SyntaxError) as error:
        return str(getattr(error, "strerror", None) or error or "it is damaged").rstrip(".")


def _encoded(picture: Image.Image) -> bytes:
    from PIL import Image

    sheet = Image.new("RGB", picture.size, "white")
    with_alpha = picture.convert("RGBA")
    sheet.paste(with_alpha, mask=with_alpha)
    target = io.BytesIO()
    sheet.save(target, "JPEG", quality=QUALITY)
    return target.getvalue()
