"""Pictures for packets: found by id, rotated upright, scaled down, without metadata.

A picture is always encoded again, so that no metadata of its file (place, camera, author) remain.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.rating_design import PictureRef
from jurydesk.core.language import failure_reason, fill, translatable
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.readers.picture_folder import FolderListing, PictureFolder, leaves_folder

if TYPE_CHECKING:
    from PIL import Image

    from jurydesk.core.desk import DeskInput

MAX_SIDE = 1600
QUALITY = 85
MAX_PIXELS = 200_000_000
LEADS_OUT = translatable("The path “{name}” leads out of its folder.")


class PhotoFolder:
    """Pictures of a folder by id, each read once; `defects` are those of unreadable ones.

    A picture that was found at scoring is taken from there, if that is in the folder or in one of
    `others`: those of the desk's inputs.
    """

    def __init__(self, folder: Path | None, others: Sequence[Path] = ()) -> None:
        self._folders = [*([folder] if folder else []), *others]
        self._pictures = PictureFolder(folder, by_number=True)
        self._listing = FolderListing()
        self._scaled: dict[PictureRef, bytes | None] = {}
        self.defects: list[Defect] = []

    def has(self, picture: PictureRef) -> bool:
        """Return whether there is a file for the picture."""
        return self._path(picture) is not None

    def get(self, picture: PictureRef) -> bytes | None:
        """Return the picture as JPEG of at most 1,600 pixels a side; None if it is missing."""
        if picture not in self._scaled:
            path = self._path(picture)
            if path is None and leaves_folder(picture.name):
                self._report(picture.name, fill(LEADS_OUT, picture.name))
            self._scaled[picture] = None if path is None else self._read(path, picture)
        return self._scaled[picture]

    def _path(self, picture: PictureRef) -> Path | None:
        found = self._listing.find_absolute(self._folders, picture.found)
        return found or self._pictures.find(picture.name)

    def _read(self, path: Path, picture: PictureRef) -> bytes | None:
        scaled = make_jpeg(path, picture.box)
        if isinstance(scaled, str):
            self._report(str(path), fill("The photo cannot be read: {scaled}.", scaled))
            return None
        return scaled

    def _report(self, place: str, found: str) -> None:
        self.defects.append(warning(Place(place), found, "It is shown as missing."))


def picture_places(inputs: Iterable[DeskInput]) -> tuple[Path, ...]:
    """Return the folders of a desk's inputs, and those that contain its files."""
    places = (one.path.parent if one.source.sha256 else one.path for one in inputs)
    return tuple(dict.fromkeys(place for place in places if place.name))


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
                    return translatable("the box is empty")
                part = picture.crop((left, top, right, bottom))
                part.thumbnail((MAX_SIDE, MAX_SIDE))
                return _encode_jpeg(part)
            picture.draft("RGB", (MAX_SIDE, MAX_SIDE))
            upright = ImageOps.exif_transpose(picture)
            upright.thumbnail((MAX_SIDE, MAX_SIDE))
            return _encode_jpeg(upright)
    except Image.DecompressionBombError:
        return translatable("it has too many pixels for a photo")
    except (OSError, ValueError, SyntaxError) as error:
        if isinstance(error, OSError) and error.strerror:
            return failure_reason(error)
        return str(error).rstrip(".") or translatable("it is damaged")


def _encode_jpeg(picture: Image.Image) -> bytes:
    from PIL import Image

    sheet = Image.new("RGB", picture.size, "white")
    with_alpha = picture.convert("RGBA")
    sheet.paste(with_alpha, mask=with_alpha)
    target = io.BytesIO()
    sheet.save(target, "JPEG", quality=QUALITY)
    return target.getvalue()
