"""Strip of photos in order; a missing photo is shown as its id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.inspectors.image_loader import LoadedPicture, PictureLoader
from jurydesk.app.style.theme import SMALL, TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import display_text, elide
from jurydesk.core.language import translate
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.numbers import quantity

LONGEST_SIDE = 800
KEPT_PHOTOS = 60
GAP, RADIUS = 8, 8
BADGE = QColor(0, 0, 0, 119)
LOWEST, HIGHEST, BARE = 72, 200, 48
"""Minimum and maximum height with photos, and height without any."""
SHAPE = 0.55
"""Ratio of a tile's height to its width."""
COLUMN_SHAPE = 0.67
"""Ratio of a tile's height to its width in a column."""
CROPPED = 1.2
"""Photos with at least this ratio of width to height fill their tile; others are fitted."""


class PhotoStrip(QWidget):
    """Photos of a sequence side by side, numbered from 1."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: tuple[str, ...] = ()
        self._folder: Path | None = None
        self._files = PictureFolder(None)
        self._images: dict[Path, QImage] = {}
        self._unreadable: set[Path] = set()
        self._loader = PictureLoader(self, LONGEST_SIDE, KEPT_PHOTOS)
        self._loader.loaded.connect(self._keep_image)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(translate("Photos"))
        theme().changed.connect(self.updateGeometry)

    def show_photos(self, ids: Sequence[str], folder: Path | None) -> None:
        """Show the photos with these ids, found in the folder by name."""
        if folder != self._folder:
            self._folder = folder
            self._files = PictureFolder(folder)
        self.ids = tuple(ids)
        paths = list(filter(None, map(self._files.find, self.ids)))
        self._images, self._unreadable = {}, set()
        self.setAccessibleDescription(self._describe(len(paths)))
        self._loader.want(*paths)
        self.updateGeometry()
        self.update()

    @property
    def has_photos(self) -> bool:
        """Whether the folder has any of the photos."""
        return any(map(self._files.find, self.ids))

    def image(self, photo: str) -> QImage | None:
        """Return the picture of a photo, if it was loaded."""
        path = self._files.find(photo)
        return self._images.get(path) if path is not None else None

    def wait(self) -> None:
        self._loader.wait()

    def _describe(self, found: int) -> str:
        photos = quantity(len(self.ids), "photo")
        names = ", ".join(display_text(photo) for photo in self.ids)
        return translate(
            "{photos}, {found} of them in the folder: {names}.",
            photos=photos,
            found=found,
            names=names,
        )

    def _keep_image(self, picture: LoadedPicture) -> None:
        if picture.problem:
            self._unreadable.add(picture.path)
        else:
            self._images[picture.path] = picture.image
        self.update()

    def placeholder(self, photo: str) -> str:
        """Return the text in place of a photo: that it is being read, else its id."""
        path = self._files.find(photo)
        is_read = path is None or path in self._images or path in self._unreadable
        return photo if is_read else translate("being read …")

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if not self.has_photos:
            return px(BARE)
        height = round(self._tile_width(width) * SHAPE)
        return min(max(height, px(LOWEST)), px(HIGHEST))

    def sizeHint(self) -> QSize:
        width = max(self.width(), px(320))
        return QSize(width, self.heightForWidth(width))

    def _tile_width(self, width: int) -> float:
        tiles = max(1, len(self.ids))
        return (width - (tiles - 1) * px(GAP)) / tiles

    def tiles(self) -> list[QRectF]:
        """Return the place of each photo."""
        width = self._tile_width(self.width())
        lefts = (number * (width + px(GAP)) for number in range(len(self.ids)))
        return [QRectF(left, 0, width, self.height()) for left in lefts]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, (photo, tile) in enumerate(zip(self.ids, self.tiles(), strict=False)):
            outline = QPainterPath()
            outline.addRoundedRect(tile, px(RADIUS), px(RADIUS))
            painter.fillPath(outline, colour("line", 0.6))
            image = self.image(photo)
            if image is None:
                self._write_id(painter, tile, photo)
            else:
                painter.setClipPath(outline)
                painter.drawImage(_fit_photo(tile, image), image)
                painter.setClipping(False)
            self._badge(painter, tile, str(number + 1))

    def _write_id(self, painter: QPainter, tile: QRectF, photo: str) -> None:
        painter.setFont(font(SMALL))
        painter.setPen(colour("muted"))
        inside = tile.adjusted(px(24), 0, -px(8), 0)
        text = elide(
            painter.fontMetrics(),
            display_text(self.placeholder(photo)),
            Qt.TextElideMode.ElideMiddle,
            int(inside.width()),
        )
        painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, text)

    def _badge(self, painter: QPainter, tile: QRectF, text: str) -> None:
        painter.setFont(font(TINY))
        width = painter.fontMetrics().horizontalAdvance(text) + px(10)
        height = px(14)
        box = QRectF(tile.left() + px(6), tile.bottom() - px(5) - height, width, height)
        outline = QPainterPath()
        outline.addRoundedRect(box, px(4), px(4))
        painter.fillPath(outline, BADGE)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class PhotoColumn(PhotoStrip):
    """Photos of a sequence one below the other, each in the row that an owner places."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        self.setParent(parent)
        self._rows: tuple[tuple[float, float], ...] = ()

    def place_rows(self, rows: Sequence[tuple[float, float]]) -> None:
        """Take the top and the height of each row, in pixels."""
        self._rows = tuple(rows)
        self.update()

    def tiles(self) -> list[QRectF]:
        widest = self.width() * COLUMN_SHAPE
        height = min((high - px(GAP) for _, high in self._rows), default=widest)
        size = self.width(), min(widest, height)
        return [QRectF(0, top + px(GAP) / 2 + 1, *size) for top, _ in self._rows]


def _fit_photo(tile: QRectF, image: QImage) -> QRectF:
    """Return the rectangle of a photo: wide photos fill the tile, others fit into it."""
    wide = image.width() >= CROPPED * image.height()
    ratios = (tile.width() / image.width(), tile.height() / image.height())
    scale = max(ratios) if wide else min(ratios)
    size = QRectF(0, 0, image.width() * scale, image.height() * scale)
    size.moveCenter(tile.center())
    return size
