"""How the parts of an image of dense captions stand together."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.theme import px, theme
from app.views.scene_caption import SceneCaption
from app.views.scene_picture import ScenePicture
from app.views.scene_tables import SceneTables
from app.widgets.parts import spaced
from app.widgets.scroll import Scroll
from app.widgets.segments import Segments

ROOMY = (760, 430)
"""From this width and height on everything has room."""
SMALLEST = (420, 300)
PARTS = ("Captions", "People", "METEOR")


class SceneLayout(QSplitter):
    """The picture at the left, with the alignment below it, and both tables at the right.

    Where there is little room, such as for two systems side by side, the tables and the alignment
    stand beside the picture one at a time, as the words above them say.
    """

    def __init__(
        self,
        picture: ScenePicture,
        tables: SceneTables,
        caption: SceneCaption,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.picture, self.tables, self.caption = picture, tables, caption
        self.parts = Segments("Part shown")
        self.parts.show_words(PARTS)
        self._scroll = Scroll()
        self._left, self._right = QWidget(), QWidget()
        self._left_column, self._right_column = QVBoxLayout(self._left), QVBoxLayout(self._right)
        for column in (self._left_column, self._right_column):
            spaced(column, 10)
        self._left_column.addWidget(picture, 1)
        self._left_column.addWidget(caption)
        self._right_column.addWidget(self.parts, 0, Qt.AlignmentFlag.AlignLeft)
        self._right_column.addWidget(tables, 1)
        self._right_column.addWidget(self._scroll, 1)
        self.addWidget(self._left)
        self.addWidget(self._right)
        self.setChildrenCollapsible(False)
        self.is_small = False
        self.parts.chosen.connect(self._show_part)
        theme().changed.connect(self._space)
        self._space()
        self._show_part()

    def _space(self) -> None:
        self.setHandleWidth(px(14))
        self.setSizes([px(520), px(520)])

    def minimumSizeHint(self) -> QSize:
        """So much that one part beside the picture can be read."""
        width, height = SMALLEST
        return QSize(px(width), px(height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, height = ROOMY
        self._arrange(small=self.width() < px(width) or self.height() < px(height))
        self.parts.set_room(self._right.width())

    def _arrange(self, *, small: bool) -> None:
        if small == self.is_small:
            return
        self.is_small = small
        if small:
            self._scroll.setWidget(self.caption)
        else:
            self._scroll.takeWidget()
            self._left_column.addWidget(self.caption)
            self.caption.show()
        self._space()
        self._show_part()

    def _show_part(self) -> None:
        """Show the part that the words above say; where there is room, all."""
        chosen = self.parts.index if self.is_small else None
        self.parts.setVisible(self.is_small)
        self.tables.detections.setVisible(chosen in (None, 0))
        self.tables.objects.setVisible(chosen in (None, 1))
        self.tables.setVisible(chosen in (None, 0, 1))
        self._scroll.setVisible(chosen == 2)
