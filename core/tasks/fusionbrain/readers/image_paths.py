"""Locations of pictures by the rules of the published program.

A generated picture is known by the last two parts of its path and lies beside the predictions; a
picture of the input keeps its whole path and lies beside the input. Both are looked for in the
folders that the user gave, too. A path that leads out of its folder is never followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemPicture
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion

IMAGES, REAL_IMAGES = "images", "real-images"


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture's path below its folder, and the file; None with the reason where there is none."""

    name: str
    file: Path | None
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFinder:
    """Finds the pictures of one system and of the input."""

    competition: Challenge
    predictions: Predictions

    def generated(self, path: str) -> PictureFile:
        """Return a picture of the system, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return find_picture(name, [self.predictions.path.parent, *self.competition.images])

    def of_input(self, path: str) -> PictureFile:
        """Return a picture of the input, by its whole path."""
        beside = [self.competition.input.parent] if self.competition.input else []
        return find_picture(path, [*beside, *self.competition.images])

    def of_truth(self, path: str) -> PictureFile:
        """Return a real picture that the truth names, by the last two parts of its path."""
        name = "/".join(path.split("/")[-2:])
        return find_picture(name, [self.competition.truth.parent, *self.competition.images])

    def asked(self, question: SubtaskQuestion) -> tuple[ItemPicture, ...]:
        """Return the picture that a question is about, to show it; nothing where there is none."""
        if not question.picture:
            return ()
        return (item_picture("Picture", IMAGES, self.of_input(question.picture)),)


def find_picture(name: str, folders: Sequence[Path]) -> PictureFile:
    """Return the first of the folders that has a file of that name."""
    if not is_inside(name):
        return PictureFile(name, None, f"The path “{name}” leads out of its folder.")
    for folder in folders:
        # A name with a NUL, or one longer than the system allows, is no file.
        try:
            if (folder / name.lstrip("/")).is_file():
                return PictureFile(name, folder / name.lstrip("/"))
        except (OSError, ValueError):
            break
    return PictureFile(name, None, f"There is no file “{name}”.")


def is_inside(name: str) -> bool:
    """Return whether a path stays below the folder that it is appended to, on every system."""
    windows = PureWindowsPath(name)
    return bool(name.strip("/")) and not (
        windows.drive or ".." in windows.parts or ".." in PurePosixPath(name).parts
    )


def item_picture(title: str, role: str, place: PictureFile) -> ItemPicture:
    """Return a picture for an inspector."""
    return ItemPicture(title, role, place.name, str(place.file.absolute()) if place.file else "")
