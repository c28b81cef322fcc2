"""Pictures of a folder, found by name and loaded in a thread."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRect, QSize, Signal
from PySide6.QtGui import QImage, QImageReader

from jurydesk.core.language import translate

MEMORY_LIMIT_MB = 512
"""Memory limit for decoding a picture; a small file can claim a huge size."""
LONGEST_SIDE = 4000
"""Side in pixels to which larger pictures are scaled down."""
FARTHEST = 1_000_000
"""Largest coordinate of a box, in pixels; Qt's numbers end not far beyond."""
Box = tuple[int, int, int, int]
"""x, y, width and height in pixels of the file."""


def reading_text(path: Path) -> str:
    """Return the sentence that stands beside a picture until it is loaded."""
    return translate("{name} is being read …", name=path.name)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedPicture:
    """Picture read from a file: `size` is the file's, `image` may be smaller.

    If it cannot be read, `image` is null and `problem` gives the reason.
    """

    path: Path
    image: QImage
    size: QSize
    problem: str = ""
    box: Box | None = None
    """The part of the picture that `image` is, if it was asked for."""


def read_picture(
    path: Path, longest_side: int = LONGEST_SIDE, box: Box | None = None
) -> LoadedPicture:
    """Read a picture or the part of it in a box, scaled down if it is huge."""
    QImageReader.setAllocationLimit(MEMORY_LIMIT_MB)
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(box is None)  # boxes are in the pixels of the file
    size = reader.size()
    if box is not None:
        part = QRect(*(max(-FARTHEST, min(side, FARTHEST)) for side in box))
        part &= QRect(0, 0, size.width(), size.height())
        if part.isEmpty():
            problem = translate("{name} has no such box.", name=path.name)
            return LoadedPicture(path, QImage(), size, problem, box)
        reader.setClipRect(part)
        size = part.size()
    longest = max(size.width(), size.height())
    if longest > longest_side:
        reader.setScaledSize(size * (longest_side / longest))
    image = reader.read()
    if image.isNull():
        reason = reader.errorString().rstrip(".").lower() or translate("it is not a picture")
        problem = translate("{name} cannot be shown: {reason}.", name=path.name, reason=reason)
        return LoadedPicture(path, image, size, problem, box)
    return LoadedPicture(path, image, size if size.isValid() else image.size(), box=box)


class BackgroundPictureReader(QObject):
    """Reads pictures on its own thread and delivers them to the main thread.

    Waiting pictures are read in the order of their requests, or `last_first`.
    """

    read = Signal(object)

    def __init__(self, parent: QObject, longest_side: int, *, last_first: bool = False) -> None:
        # The reader is not a child of the view, which may be deleted while a picture is read. A
        # QThreadPool as child would then wait with the GIL held, which the reading thread needs.
        super().__init__()
        self._longest_side = longest_side
        self._waiting: deque[tuple[Path, Box | None]] = deque()
        self._take = self._waiting.pop if last_first else self._waiting.popleft
        self._thread = ThreadPoolExecutor(1, "jurydesk-pictures")
        self._last: Future[None] | None = None
        parent.destroyed.connect(self.forget_waiting)

    def start(self, path: Path, box: Box | None = None) -> None:
        """Queue a picture, or a part of it."""
        self._waiting.append((path, box))
        self._last = self._thread.submit(self._read_next)

    def forget_waiting(self) -> None:
        """Remove all waiting pictures from the queue."""
        self._waiting.clear()

    def wait(self) -> None:
        """Wait until all pictures are read."""
        if self._last is not None:
            self._last.result()

    def _read_next(self) -> None:
        try:
            path, box = self._take()
        except IndexError:
            return  # it was removed meanwhile
        self.read.emit(read_picture(path, self._longest_side, box))


class PictureLoader(QObject):
    """Loads the most recently requested pictures in order, on its own thread.

    `loaded` carries each; the last `kept` pictures stay in memory.
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
        self._reader.read.connect(self._cache_image)

    def want(self, *paths: Path | None) -> None:
        """Load these pictures next; drop other waiting ones."""
        self._wanted = tuple(path for path in paths if path is not None)
        self._reader.forget_waiting()
        for path in self._wanted:
            if path in self._kept:
                self.loaded.emit(self._kept[path])
            else:
                self._reader.start(path)

    def wait(self) -> None:
        """Wait for the current reading."""
        self._reader.wait()

    def _cache_image(self, picture: LoadedPicture) -> None:
        self._kept[picture.path] = picture
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        if picture.path in self._wanted:
            self.loaded.emit(picture)
