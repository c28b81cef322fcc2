"""Pictures of a folder that the user gave: found by name, read beside the window's thread."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp")
MEMORY_LIMIT_MB = 512
"""The largest picture that is decoded; a small file can claim to be a huge one."""
LONGEST_SIDE = 4000
"""Larger pictures are shown at this size: no screen shows more."""


def pictures_in(folder: Path) -> dict[str, Path]:
    """The pictures of a folder by their names without suffix.

    Names from data are looked up here and never joined to a path. The folder may have gone: then
    there are none.
    """
    try:
        with os.scandir(folder) as entries:
            files = sorted((entry.name, Path(entry.path)) for entry in entries if entry.is_file())
    except OSError:
        return {}
    return {path.stem: path for name, path in files if name.lower().endswith(SUFFIXES)}


@dataclass(frozen=True, slots=True, eq=False)
class LoadedPicture:
    """A picture that was read: `size` is that of the file, `image` may be smaller.

    Where it could not be read, `image` is null and `problem` a sentence.
    """

    path: Path
    image: QImage
    size: QSize
    problem: str = ""


def read_picture(path: Path, longest_side: int = LONGEST_SIDE) -> LoadedPicture:
    """Read a picture, made smaller where it is huge; a broken one comes with a sentence."""
    QImageReader.setAllocationLimit(MEMORY_LIMIT_MB)
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    longest = max(size.width(), size.height())
    if longest > longest_side:
        reader.setScaledSize(size * (longest_side / longest))
    image = reader.read()
    if image.isNull():
        reason = reader.errorString().rstrip(".").lower() or "it is no picture"
        return LoadedPicture(path, image, size, f"{path.name} cannot be shown: {reason}.")
    return LoadedPicture(path, image, size if size.isValid() else image.size())


class BackgroundPictureReader(QObject):
    """Reads pictures on a thread of its own and hands them over to the window's thread."""

    read = Signal(object)

    def __init__(self, parent: QObject, longest_side: int) -> None:
        super().__init__()
        self._longest_side = longest_side
        self._pool = QThreadPool(parent)
        self._pool.setMaxThreadCount(1)

    def start(self, path: Path, priority: int = 0) -> None:
        """Read a picture; of those that wait, the one with the highest priority is next."""
        self._pool.start(_PictureTask(self, path, self._longest_side), priority)

    def forget_waiting(self) -> None:
        """Read no picture that still waits."""
        self._pool.clear()

    def wait(self) -> None:
        """Let the reading in flight end."""
        self._pool.waitForDone()


class _PictureTask(QRunnable):
    """The reader is kept alive by its tasks, so that it outlives a view that is thrown away."""

    def __init__(self, reader: BackgroundPictureReader, path: Path, longest_side: int) -> None:
        super().__init__()
        self._reader = reader
        self._path = path
        self._longest_side = longest_side

    def run(self) -> None:
        self._reader.read.emit(read_picture(self._path, self._longest_side))


class PictureLoader(QObject):
    """Reads the pictures that are wanted last, in their order, on a thread of its own.

    `loaded` brings each; the last `kept` that were read stay in memory.
    """

    loaded = Signal(object)

    def __init__(
        self, parent: QObject | None = None, longest_side: int = LONGEST_SIDE, kept: int = 0
    ) -> None:
        super().__init__(parent)
        self._most = kept
        self._wanted: tuple[Path, ...] = ()
        self._kept: dict[Path, LoadedPicture] = {}
        self._reader = BackgroundPictureReader(self, longest_side)
        self._reader.read.connect(self._arrived)

    def want(self, *paths: Path | None) -> None:
        """Read these pictures next; others that are still waiting are not read any more."""
        self._wanted = tuple(path for path in paths if path is not None)
        self._reader.forget_waiting()
        for path in self._wanted:
            if path in self._kept:
                self.loaded.emit(self._kept[path])
            else:
                self._reader.start(path)

    def wait(self) -> None:
        """Let the reading in flight end."""
        self._reader.wait()

    def _arrived(self, picture: LoadedPicture) -> None:
        self._kept[picture.path] = picture
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        if picture.path in self._wanted:
            self.loaded.emit(picture)
