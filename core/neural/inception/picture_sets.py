"""Pictures of a distribution: those that a program reads, and those that it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import counted, fill, join_messages, name_list, reason
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.readers.images import ARRAY_ENDING, folder_files, is_picture_name

if TYPE_CHECKING:
    from jurydesk.core.metrics.fid.preprocessing import Preset


APPLE = "._"
"""Start of the names of macOS's files of attributes, which are no pictures."""
FEW = 10_000  # Heusel et al.: the distance of fewer pictures has an upward bias


@dataclass(frozen=True, slots=True, eq=False)
class PictureSet:
    """Picture files of one distribution, and defects of what is left out.

    `place` is their folder, or the file that lists them.
    """

    place: Path
    files: tuple[Path, ...]
    defects: tuple[Defect, ...] = ()
    capitals: tuple[str, ...] = ()
    """Names of files with a suffix that the preset reads in other letters alone."""

    def require_two(self, preset: Preset) -> None:
        """Raise UsageError for fewer than two pictures."""
        if len(self.files) >= 2:
            return
        found = fill(
            "{folder} holds {pictures}, and a distribution needs two. {preset} reads "
            "files that end with {endings}.",
            self.place,
            counted(len(self.files), "picture"),
            preset.id,
            ", ".join(sorted(preset.endings)),
        )
        if self.capitals:
            capitals = fill(
                "Capitals count: {files} end otherwise ({names}).",
                counted(len(self.capitals), "file"),
                name_list(self.capitals),
            )
            found = join_messages([found, capitals])
        raise UsageError(found)


def folder_pictures(folder: Path, preset: Preset, *, every: bool = False) -> PictureSet:
    """Return the pictures of a folder that a preset reads, in its order.

    With `every`, all files in the folder itself with a suffix of a picture are taken.
    """
    is_taken = is_picture_name if every else _has_ending(preset)
    taken, others = list[Path](), list[Path]()
    for path in folder_files(folder):
        parts = path.relative_to(folder).parts
        is_hidden = preset.is_recursive and any(part.startswith(".") for part in parts)
        is_near = len(parts) == 1 or (preset.is_recursive and not is_hidden)
        is_read = is_near and not is_hidden and is_taken(path) and path.is_file()
        is_read = is_read and not path.name.startswith(APPLE)
        (taken if is_read else others).append(path)
    names = [path.relative_to(folder).as_posix() for path in others]
    rule = _rule(preset, every=every, in_folder=True)
    endings = {ending.lower() for ending in preset.endings}
    capitals = [
        name
        for path, name in zip(others, names, strict=True)
        if path.suffix not in preset.endings and path.suffix.lower() in endings
    ]
    defects = tuple(_left_out(folder, others, names, rule))
    return PictureSet(folder, tuple(sorted(taken)), defects, tuple(capitals))


def listed_pictures(
    place: Path, files: Sequence[Path], preset: Preset, *, every: bool = False
) -> PictureSet:
    """Return those of the files that a file lists which a preset reads, or all of them."""
    if every:
        return PictureSet(place, tuple(files))
    is_taken = _has_ending(preset)
    others = [path for path in files if not is_taken(path)]
    rule = _rule(preset, every=False, in_folder=False)
    defects = tuple(_left_out(place, others, [path.name for path in others], rule))
    return PictureSet(place, tuple(filter(is_taken, files)), defects)


def _has_ending(preset: Preset) -> Callable[[Path], bool]:
    return lambda path: path.suffix in preset.endings


def _rule(preset: Preset, *, every: bool, in_folder: bool) -> str:
    """Return the sentence on the files that are read."""
    if every:
        return "Pictures in the folder itself are read, by their suffix."
    endings = ", ".join(sorted(preset.endings))
    if not in_folder:
        return fill("The FID of {preset} reads {endings}.", preset.id, endings)
    if preset.is_recursive:
        return fill(
            "{preset} reads {endings}, in all folders that are not hidden.", preset.id, endings
        )
    return fill("{preset} reads {endings}, in the folder itself.", preset.id, endings)


def _left_out(
    place: Path, files: Sequence[Path], names: Sequence[str], rule: str
) -> Iterator[Defect]:
    """Yield a warning if pictures or folders are left out, and a note if other files are."""
    pictures, folders, attributes, others = (list[str]() for _ in range(4))
    for path, name in zip(files, names, strict=True):
        if path.is_dir():
            folders.append(name)
        elif path.name.startswith(APPLE):
            attributes.append(name)
        else:
            is_picture = is_picture_name(path) or path.suffix == ARRAY_ENDING
            (pictures if is_picture else others).append(name)
    where = Place(str(place))
    if pictures:
        hint = "Rename or move them if they belong to the set."
        yield warning(where, _not_read(pictures, "file"), rule, hint, count=len(pictures))
    if folders:
        cause = "Links to folders are not followed, and a folder is not a picture."
        hint = "Move their pictures into the set if they belong to it."
        yield warning(where, _not_read(folders, "folder"), cause, hint, count=len(folders))
    if attributes:
        cause = "Files whose names begin with ._ hold macOS's attributes of others."
        yield note(where, _not_read(attributes, "file"), cause, count=len(attributes))
    if others:
        yield note(where, _not_read(others, "file"), rule, count=len(others))


def _not_read(names: Sequence[str], noun: str) -> str:
    return fill("Not read: {files} ({names}).", counted(len(names), noun), name_list(names))


def few_pictures_defects(place: Path, n: int, width: int) -> Iterator[Defect]:
    """Yield what a distance of `n` pictures (0: unknown) with `width` features suffers from."""
    where = Place(str(place))
    if 0 < n <= width:
        yield warning(
            where,
            fill("{n:,} pictures for {width:,} dimensions: the covariance is singular.", n, width),
            "",
            reason("The published root then carries rounding noise; --exact has none."),
        )
    if 0 < n < FEW:
        yield note(
            where,
            fill("The distance of {n:,} pictures is larger than that of many.", n),
            fill(
                "Compare only distances of equally many pictures; {few:,} and more are usual.", FEW
            ),
        )
