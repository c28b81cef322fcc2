"""Thumbnails of pictures and of their parts, read on a thread and painted in cells of tables."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath

from jurydesk.app.inspectors.image_loader import BackgroundPictureReader, Box, LoadedPicture
from jurydesk.app.style.theme import colour, px

LONGEST_SIDE, RADIUS = 160, 4
KEPT = 400
"""Maximum number of thumbnails in memory."""


class Thumbnails(QObject):
    """Loads thumbnails on a thread, last requested first, and caches the most recent."""

    arrived = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: dict[tuple[Path, Box | None], QImage | None] = {}
        self._reader = BackgroundPictureReader(self, LONGEST_SIDE, last_first=True)
        self._reader.read.connect(self._cache_image)

    def image(self, path: Path, box: Box | None = None) -> QImage | None:
        """Return a picture or a part of it; None while it is loading or if it cannot be shown."""
        key = path, box
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = None
            self._reader.start(path, box)
        return self._kept[key]

    def wait(self) -> None:
        """Wait for the current reading."""
        self._reader.wait()

    def _cache_image(self, picture: LoadedPicture) -> None:
        key = picture.path, picture.box
        if key in self._kept and not picture.problem:
            self._kept[key] = picture.image
            self.arrived.emit()


def paint_thumbnail(
    painter: QPainter, box: QRectF, image: QImage | None, *, is_whole: bool
) -> None:
    """Paint a picture in a box with round corners, or an empty box without a picture.

    A picture that `is_whole` is shown at the left as a whole, any other fills the box.
    """
    if image is not None and is_whole:
        scale = min(box.width() / image.width(), box.height() / image.height())
        whole = QRectF(0, 0, image.width() * scale, image.height() * scale)
        whole.moveCenter(box.center())
        whole.moveLeft(box.left())
        box = whole
    frame = QPainterPath()
    frame.addRoundedRect(box, px(RADIUS), px(RADIUS))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setClipPath(frame, Qt.ClipOperation.IntersectClip)
    if image is None:
        painter.fillRect(box, colour("line"))
    elif is_whole:
        painter.drawImage(box, image)
    else:
        scale = max(box.width() / image.width(), box.height() / image.height())
        width, height = box.width() / scale, box.height() / scale
        left, above = (image.width() - width) / 2, (image.height() - height) / 2
        painter.drawImage(box, image, QRectF(left, above, width, height))
    painter.restore()
