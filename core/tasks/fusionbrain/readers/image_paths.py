"""Locations of pictures by the rules of the published program.

A generated picture is found by the last two parts of its path beside the predictions, a picture
of the input by its whole path beside the input, and both in the folders given by the user. Paths
that leave their folder are never followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from jurydesk.core.language import fill
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

    def generated_picture(self, path: str) -> PictureFile:
        """Return a picture of the system, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return find_picture(name, [self.predictions.path.parent, *self.competition.images])

    def of_input(self, path: str) -> PictureFile:
        """Return a picture of the input, by its whole path."""
        beside = [self.competition.input.parent] if self.competition.input else []
        return find_picture(path, [*beside, *self.competition.images])

    def of_truth(self, path: str) -> PictureFile:
        """Return a real picture of the truth, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return find_picture(name, [self.competition.truth.parent, *self.competition.images])

    def question_picture(self, question: SubtaskQuestion) -> tuple[ItemPicture, ...]:
        """Return the picture of a question for display, if there is one."""
        if not question.picture:
            return ()
        return (item_picture("Picture", IMAGES, self.of_input(question.picture)),)


def find_picture(name: str, folders: Sequence[Path]) -> PictureFile:
    """Find a picture in the first folder that contains it."""
    if not is_inside(name):
        return PictureFile(name, None, fill("The path “{name}” leads out of its folder.", name))
    for folder in folders:
        try:
            if (folder / name.lstrip("/")).is_file():
                return PictureFile(name, folder / name.lstrip("/"))
        except (OSError, ValueError):  # a name with a NUL, or too long for the system
            break
    return PictureFile(name, None, fill("There is no file “{name}”.", name))


def is_inside(name: str) -> bool:
    """Return True if a path stays below the folder that it is appended to, on every system."""
    windows = PureWindowsPath(name)
    return bool(name.strip("/")) and not (
        windows.drive or ".." in windows.parts or ".." in PurePosixPath(name).parts
    )


def item_picture(title: str, role: str, place: PictureFile) -> ItemPicture:
    """Return a picture for an inspector."""
    return ItemPicture(title, role, place.name, str(place.file.absolute()) if place.file else "")
