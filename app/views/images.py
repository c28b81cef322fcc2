"""Pictures of a folder that the user gave: found by name, read beside the window's thread."""

from __future__ import annotations

import contextlib
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


class _Reading(QRunnable):
    def __init__(self, loader: PictureLoader, path: Path) -> None:
        super().__init__()
        self._loader = loader
        self._path = path

    def run(self) -> None:
        picture = read_picture(self._path)
        # The view may have been closed while the picture was read: then nobody wants it.
        with contextlib.suppress(RuntimeError):
            self._loader.read.emit(picture)


class PictureLoader(QObject):
    """Reads one picture after another on a thread of its own; `loaded` brings the last wanted."""

    read = Signal(object)
    loaded = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Path | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.read.connect(self._arrived)

    def want(self, path: Path | None) -> None:
        """Read this picture next; one that is still waiting is not read any more."""
        self._wanted = path
        self._pool.clear()
        if path is not None:
            self._pool.start(_Reading(self, path))

    def wait(self) -> None:
        """Let the reading in flight end."""
        self._pool.waitForDone()

    def _arrived(self, picture: LoadedPicture) -> None:
        if picture.path == self._wanted:
            self.loaded.emit(picture)
