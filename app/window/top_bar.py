"""Top bar: title and facts of the open desk, the page's widgets, Export and Score."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import HEADING, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import ElidedLabel, chip, restyle
from jurydesk.app.window.page_box import PageBox
from jurydesk.core.language import translatable, translate

NARROWEST, SHORTEST_TITLE, USUAL_TITLE, LONGEST_TITLE = 420, 90, 240, 420
BETWEEN = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum
HIGH, GAP, MARGIN, UNDER = 48, 14, 18, 10
"""Height of the first row, space between its parts, at its ends, and below a second row."""
COMPACT_HIGH, COMPACT_UNDER = 42, 6
"""The heights in a window without a sidebar."""


class TopBar(QWidget):
    """Title and chips at the left; the page's widgets, Export and Score at the right.

    A window without a sidebar has the list of pages before the title.
    In a narrow window the last chips are hidden first, then the page's names and the title are
    cut, a title of usual length last; then the page's widgets move to a second row, and finally
    Score loses its key and is short.
    """

    def __init__(self, export: QAction, score: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.pages = PageBox(PAGES)
        self.pages.hide()
        self.title = ElidedLabel("Jurydesk", "competition", Qt.TextElideMode.ElideRight)
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._chips: list[QLabel] = []
        self._described: tuple[str, ...] = ()
        self._guest: QWidget | None = None
        self._is_below = False
        """Whether the page's widgets are in a second row."""
        self.export = ActionButton(export, translate("Export"))
        self.score = ActionButton(score, translate(translatable("Score", "command")), "primary")
        self._left = QHBoxLayout()
        self._between = QSpacerItem(0, 0, *BETWEEN)
        self._row = QHBoxLayout()
        self._row.addWidget(self.pages)
        self._row.addWidget(self.title)
        self._row.addLayout(self._left)
        self._row.addItem(self._between)
        self._row.addWidget(self.export)
        self._row.addWidget(self.score)
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(0)
        self._layout.addLayout(self._row)
        theme().follow(self._scale)

    def describe(self, title: str, chips: Sequence[str]) -> None:
        """Show the title of the open desk, and facts as chips."""
        if self._described == (title, *chips):
            return
        self._described = (title, *chips)
        self.title.setToolTip(tip(title))
        self.title.setText(title)
        while len(self._chips) < len(chips):
            self._chips.append(chip())
            self._left.addWidget(self._chips[-1])
        for number, shown in enumerate(self._chips):
            shown.setText(chips[number] if number < len(chips) else "")
        self._fit()

    def offer_score(self, *, filled: bool, again: bool) -> None:
        """Show Score as filled where it is the next step; `again` names it so."""
        restyle(self.score, "kind", "primary" if filled else "")
        self.score.rename(
            translate("Score again") if again else translate(translatable("Score", "command"))
        )

    def show_pages(self, *, shown: bool) -> None:
        """Show or hide the list of pages."""
        if shown == self.pages.isHidden():
            self.pages.setVisible(shown)
            self._fit()

    def host(self, guest: QWidget | None) -> None:
        """Show a page's widgets before the buttons, or in a row below."""
        if guest is self._guest:
            return
        if self._guest is not None:
            self._remove_guest(self._guest)
            self._guest.hide()
        self._guest = guest
        if guest is not None:
            self._add_guest(guest)
            guest.show()
        self._fit()

    def _remove_guest(self, guest: QWidget) -> None:
        (self._layout if self._is_below else self._row).removeWidget(guest)

    def _add_guest(self, guest: QWidget) -> None:
        if self._is_below:
            self._layout.addWidget(guest, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self._row.insertWidget(
                self._row.indexOf(self.export), guest, 0, Qt.AlignmentFlag.AlignVCenter
            )

    def minimumSizeHint(self) -> QSize:
        return QSize(px(NARROWEST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        room = self.width() - 2 * px(MARGIN) - self._width_of(self.export)
        room -= 0 if self.pages.isHidden() else self._width_of(self.pages)
        self.score.fit_key(room - px(GAP) - px(SHORTEST_TITLE))
        room -= self._width_of(self.score)
        guest = 0 if self._guest is None else self._width_of(self._guest)
        self._place_guest(below=bool(guest) and guest + px(SHORTEST_TITLE) > room)
        room -= 0 if self._is_below else guest
        width = QFontMetrics(font(HEADING, bold=True)).horizontalAdvance(self.title.text()) + px(4)
        title = min(width, px(LONGEST_TITLE), max(room, self._title_room(room)))
        self.title.setFixedWidth(title)
        room -= title + px(GAP)
        for chip_ in self._chips:
            room -= chip_.sizeHint().width() + px(8)
            chip_.setVisible(bool(chip_.text()) and room >= 0)

    def _title_room(self, room: int) -> int:
        """Return the width that the title has at least where the page's names give way to it."""
        guest = None if self._is_below else self._guest
        spare = guest.sizeHint().width() - guest.minimumSizeHint().width() if guest else 0
        return max(min(room + spare, px(USUAL_TITLE)), px(SHORTEST_TITLE))

    def _width_of(self, *parts: QWidget) -> int:
        """Return the width of parts with the space before each."""
        return sum(part.sizeHint().width() + px(GAP) for part in parts)

    def _place_guest(self, *, below: bool) -> None:
        """Move the page's widgets beside or below the title, and adjust the height."""
        if self._guest is not None and below != self._is_below:
            self._remove_guest(self._guest)
            self._is_below = below
            self._add_guest(self._guest)
        high, under = (HIGH, UNDER) if self.pages.isHidden() else (COMPACT_HIGH, COMPACT_UNDER)
        high, under = px(high), px(under) if self._guest is not None and below else 0
        self._between.changeSize(0, high, *BETWEEN)
        if self._guest is not None and below:
            width = self.width() - 2 * px(MARGIN)
            flowing = self._guest.heightForWidth(min(width, self._guest.sizeHint().width()))
            high += under + (self._guest.sizeHint().height() if flowing < 0 else flowing)
        self._layout.setContentsMargins(px(MARGIN), 0, px(MARGIN), under)
        self.setFixedHeight(high)

    def _scale(self) -> None:
        self._row.setSpacing(px(GAP))
        self._left.setSpacing(px(8))
        self._fit()


class ActionButton(QPushButton):
    """A button that shows the title, the key and the enabled state of an action.

    Without room it loses its key first, then it shows its short title.
    """

    def __init__(self, action: QAction, title: str, kind: str = "") -> None:
        super().__init__()
        self._action = action
        self._title = self._short = title
        self._left_out = 0
        """How many of the key and the longer title are left out."""
        self._has_key = kind == "primary"
        self.setProperty("kind", kind)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def rename(self, title: str) -> None:
        """Show another title; the first one is the short one."""
        if title != self._title:
            self._title = title
            self._follow()

    def fit_key(self, room: int) -> None:
        """Show the longest text that has room, in pixels."""
        width = self.fontMetrics().horizontalAdvance
        frame = self.sizeHint().width() - width(self.text())
        texts = self._texts()
        fitting = (n for n, text in enumerate(texts) if frame + width(text) <= room)
        self._left_out = next(fitting, len(texts) - 1)
        self._follow()

    def _texts(self) -> tuple[str, str, str]:
        key = self._action.shortcut().toString()
        shown = f"  {key}" if self._has_key and key else ""
        return self._title + shown, self._title, self._short

    def _follow(self) -> None:
        key = self._action.shortcut().toString()
        self.setText(self._texts()[self._left_out])
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(tip(f"{self._action.text()}  {key}" if key else self._action.text()))
