"""Row of titled pictures; missing ones are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.inspectors.image_loader import LoadedPicture, PictureLoader
from jurydesk.app.inspectors.vist.photo_strip import KEPT_PHOTOS, LONGEST_SIDE
from jurydesk.app.style.theme import SMALL, colour, font, px, theme
from jurydesk.app.style.visible_text import display_text
from jurydesk.core.language import translate
from jurydesk.core.readers.picture_folder import PictureFolder

WIDTH, HEIGHT, GAP, CAPTION, RADIUS = 240, 160, 12, 22, 8


@dataclass(frozen=True, slots=True)
class TitledPicture:
    """Title of a picture and its file; None if it was not found."""

    title: str
    path: Path | None


class TitledPictures(QWidget):
    """Pictures of one height; hidden without any."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: tuple[TitledPicture, ...] = ()
        self._folder: Path | None = None
        self._photos = PictureFolder(None)
        self._images: dict[Path, QImage] = {}
        self._problems: dict[Path, str] = {}
        self._loader = PictureLoader(self, LONGEST_SIDE, KEPT_PHOTOS)
        self._loader.loaded.connect(self._keep_image)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(translate("Pictures"))
        theme().changed.connect(self._space)

    def show_named(self, folder: Path | None, *names: str) -> None:
        """Show the pictures of a folder by name, or COCO's by number; none without a folder."""
        if folder != self._folder:  # one of COCO has 40,000 files
            self._folder, self._photos = folder, PictureFolder(folder, by_number=True)
        known = () if folder is None else tuple(filter(None, names))
        self.show_pictures([TitledPicture(one, self._photos.find(one)) for one in known])

    def show_pictures(self, pictures: Sequence[TitledPicture]) -> None:
        self.pictures = tuple(pictures)
        self._images, self._problems = {}, {}
        said = (
            translate("{title}: found", title=one.title)
            if one.path
            else translate("{title}: not found", title=one.title)
            for one in self.pictures
        )
        self.setAccessibleDescription(", ".join(said))
        self._loader.want(*(one.path for one in self.pictures))
        self._space()

    def image(self, path: Path) -> QImage | None:
        """Return the picture of that file, if it was loaded."""
        return self._images.get(path)

    def wait(self) -> None:
        self._loader.wait()

    def _keep_image(self, picture: LoadedPicture) -> None:
        if picture.problem:
            self._problems[picture.path] = picture.problem
        else:
            self._images[picture.path] = picture.image
        self.update()

    def state_text(self, path: Path | None) -> str:
        """Return why a picture is not seen; empty if it is."""
        if path is None:
            return translate("not found")
        if path in self._images:
            return ""
        return self._problems.get(path) or translate("being read …")

    def _space(self) -> None:
        self.setVisible(bool(self.pictures))
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        tiles = len(self.pictures)
        return QSize(tiles * px(WIDTH) + max(tiles - 1, 0) * px(GAP), px(HEIGHT + CAPTION))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, picture in enumerate(self.pictures):
            tile = QRectF(number * px(WIDTH + GAP), 0, px(WIDTH), px(HEIGHT))
            self._tile(painter, tile, picture)
            below = QRectF(tile.left(), tile.bottom(), tile.width(), px(CAPTION))
            painter.setFont(font(SMALL))
            painter.setPen(colour("muted"))
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, display_text(picture.title))

    def _tile(self, painter: QPainter, tile: QRectF, picture: TitledPicture) -> None:
        outline = QPainterPath()
        outline.addRoundedRect(tile, px(RADIUS), px(RADIUS))
        painter.fillPath(outline, colour("line", 0.6))
        image = None if picture.path is None else self.image(picture.path)
        if image is None:
            painter.setFont(font(SMALL))
            painter.setPen(colour("muted"))
            inside = tile.adjusted(px(8), px(8), -px(8), -px(8))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(inside, flags, display_text(self.state_text(picture.path)))
            return
        scale = min(tile.width() / image.width(), tile.height() / image.height())
        whole = QRectF(0, 0, image.width() * scale, image.height() * scale)
        whole.moveCenter(tile.center())
        painter.setClipPath(outline)
        painter.drawImage(whole, image)
        painter.setClipping(False)
