"""Locations of pictures by the rules of the published program.

A generated picture is found by the last two parts of its path beside the predictions, a picture
of the input by its whole path beside the input, and both in the folders given by the user. Each
part of a path is looked up in the listing of its folder.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.language import fill, translatable
from jurydesk.core.readers.picture_folder import FolderListing, leaves_folder
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemPicture
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion

IMAGES, REAL_IMAGES = "images", "real-images"


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture's path below its folder, and its file, or None with a reason."""

    name: str
    file: Path | None
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFinder:
    """Finder of the pictures of one system and of the input."""

    competition: Challenge
    predictions: Predictions
    listing: FolderListing = field(default_factory=FolderListing)

    def generated_picture(self, path: str) -> PictureFile:
        """Return a picture of the system, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return self._find(name, [self.predictions.path.parent, *self.competition.images])

    def of_input(self, path: str) -> PictureFile:
        """Return a picture of the input, by its whole path."""
        beside = [self.competition.input.parent] if self.competition.input else []
        return self._find(path, [*beside, *self.competition.images])

    def of_truth(self, path: str) -> PictureFile:
        """Return a real picture of the truth, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return self._find(name, [self.competition.truth.parent, *self.competition.images])

    def real_picture(self, path: str) -> ItemPicture:
        """Return a real picture for display: by its name in their folder, else of the truth."""
        folder, name = self.competition.real_images, path.rpartition("/")[2]
        file = None if folder is None else self.listing.find(folder, name)
        if file is not None:
            return item_picture(translatable("Real"), REAL_IMAGES, PictureFile(name, file))
        return item_picture(translatable("Real"), IMAGES, self.of_truth(path))

    def question_picture(self, question: SubtaskQuestion) -> tuple[ItemPicture, ...]:
        """Return the picture of a question for display, if there is one."""
        if not question.picture:
            return ()
        return (item_picture(translatable("Picture"), IMAGES, self.of_input(question.picture)),)

    def _find(self, name: str, folders: Sequence[Path]) -> PictureFile:
        """Find a picture in the first folder that contains it."""
        if not name.strip("/") or leaves_folder(name.lstrip("/")):
            return PictureFile(name, None, fill("The path “{name}” leads out of its folder.", name))
        found = (self.listing.find(folder, name) for folder in folders)
        file = next(filter(None, found), None)
        if file:
            return PictureFile(name, file)
        alike = (self.listing.find_alike(folder, name) for folder in folders)
        return PictureFile(name, None, _missing(name, next(filter(None, alike), "")))


def _missing(name: str, alike: str) -> str:
    """Return the sentence on a missing file; `alike` differs in its spelling alone."""
    if not alike:
        return fill("There is no file “{name}”.", name)
    if name.replace("\\", "/") == alike:
        return fill("There is no file “{name}”, but one with / for \\.", name)
    if unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", alike):
        return fill("There is no file “{name}”, but one in another Unicode form.", name)
    return fill("There is no file “{name}”, but “{alike}”.", name, alike)


def item_picture(title: str, role: str, place: PictureFile) -> ItemPicture:
    """Return a picture for an inspector."""
    return ItemPicture(title, role, place.name, str(place.file.absolute()) if place.file else "")
