"""Splitter that shows one part at a time where there is no room for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.segments import Segments

LEAST_WIDTH, LEAST_HEIGHT = 280, 130
"""Unscaled size below which a part is not shown beside or above another."""


class FoldingSplitter(QSplitter):
    """Splitter of parts, some in splitters of their own.

    Without room for all parts it is folded: `switch` chooses the one that is shown. The owner
    places `switch` above the splitter; it is hidden while all parts are shown.
    """

    part_changed = Signal()
    """Other parts are shown than before."""
    is_switch_above = True
    """False if the switch stands beside a title and has half of the width."""

    def __init__(
        self, orientation: Qt.Orientation, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(orientation, parent)
        self.switch = Segments(name)
        self.switch.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.switch.hide()
        self._titles: tuple[str, ...] = ()
        self._shown: list[QWidget] = []
        self._is_arranging = False
        self._is_late = False
        """Whether something has changed while the parts were arranged."""
        self.switch.chosen.connect(self.arrange)

    def parts(self) -> Sequence[tuple[str, QWidget]]:
        """Return the parts that there are now, with their titles."""
        raise NotImplementedError

    def kept_parts(self) -> Sequence[QWidget]:
        """Return the parts that stay beside the chosen one where not all have room."""
        return ()

    def least_size(self, part: QWidget) -> QSize:
        """Return the size that a part needs if it is shown alone."""
        return _minimum_size(part)

    def layout_sizes(self) -> list[list[int]]:
        """Return the sizes of the parts of this splitter and of those within it."""
        return [one.sizes() for one in _splitters(self)]

    def restore_sizes(self, sizes: Sequence[list[int]]) -> None:
        """Restore what `layout_sizes` returned."""
        for one, own in zip(_splitters(self), sizes, strict=True):
            one.setSizes(own)

    def is_alone(self, part: QWidget) -> bool:
        """Whether this part is shown in place of all others; also while the splitter is hidden."""
        return self._shown == [part] and len(self.parts()) > 1

    @property
    def is_folded(self) -> bool:
        """Whether there is no room for all parts."""
        room = self.size()
        if self.is_switch_above and not self.switch.isHidden():
            room.setHeight(room.height() + self.switch.height())
        needed = self._needed_size(self, [part for _, part in self.parts()])
        return needed.width() > room.width() or needed.height() > room.height()

    def _needed_size(self, splitter: QSplitter, parts: list[QWidget]) -> QSize:
        """Return the size that these parts need within a splitter."""
        sizes = []
        for child in children(splitter):
            if isinstance(child, QSplitter) and child not in parts:
                sizes.append(self._needed_size(child, parts))
            elif child in parts:
                least = QSize(px(LEAST_WIDTH), px(LEAST_HEIGHT))
                sizes.append(_minimum_size(child).expandedTo(least))
        sizes = [size for size in sizes if not size.isEmpty()]
        gaps = splitter.handleWidth() * max(0, len(sizes) - 1)
        widths, heights = [one.width() for one in sizes], [one.height() for one in sizes]
        if splitter.orientation() == Qt.Orientation.Horizontal:
            return QSize(sum(widths) + gaps, max(heights, default=0))
        return QSize(max(widths, default=0), sum(heights) + gaps)

    def arrange(self) -> None:
        """Show all parts, or the chosen one if they do not fit.

        Qt lays out the page while it shows the switch. If the parts were arranged again then, the
        switch would be hidden first, and shown after that.
        """
        if self._is_arranging:
            self._is_late = True
            return
        self._arrange_once()
        if self._is_late:  # once more, not forever, should the parts need less beside the switch
            QTimer.singleShot(0, self, self._arrange_once)

    def _arrange_once(self) -> None:
        self._is_late, self._is_arranging = False, True
        try:
            self._arrange()
        finally:
            self._is_arranging = False

    def _arrange(self) -> None:
        if self.isHidden():
            self._show_titles(())
            return
        kept = self.kept_parts()
        parts = [one for one in self.parts() if one[1] not in kept]
        is_folded = len(parts) > 1 and self.is_folded
        self._show_titles(tuple(title for title, _ in parts) if is_folded else ())
        self.switch.set_room(self.width() if self.is_switch_above else self.width() // 2)
        shown = [part for _, part in parts]
        shown = [*kept, *([shown[self.switch.index]] if is_folded else shown)]
        if shown != self._shown:
            self._shown = shown
            self.updateGeometry()
            self.part_changed.emit()
        self._show(self, shown)

    def _show_titles(self, titles: tuple[str, ...]) -> None:
        if titles != self._titles:
            self._titles = titles
            chosen = self.switch.index
            self.switch.show_words(titles, chosen if 0 <= chosen < len(titles) else 0)

    def _show(self, splitter: QSplitter, shown: list[QWidget]) -> bool:
        """Show these parts within a splitter; return whether it has any."""
        any_shown = False
        for child in children(splitter):
            if isinstance(child, QSplitter) and child not in shown:
                is_shown = self._show(child, shown)
            else:
                is_shown = child in shown
            if child.isHidden() == is_shown:
                child.setVisible(is_shown)
            any_shown |= is_shown
        return any_shown

    def minimumSizeHint(self) -> QSize:
        """Return the size of the part that is shown alone, or would be."""
        kept = self.kept_parts()
        shown = [part for _, part in self.parts() if part not in kept]
        place = self.switch.index if self._titles else 0
        return self.least_size(shown[place]) if place < len(shown) else QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.arrange()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)


def children(splitter: QSplitter) -> Iterator[QWidget]:
    """Yield the widgets of a splitter in their order."""
    for place in range(splitter.count()):
        child = splitter.widget(place)
        if child is not None:
            yield child


def _splitters(splitter: QSplitter) -> Iterator[QSplitter]:
    yield splitter
    for child in children(splitter):
        if isinstance(child, QSplitter):
            yield from _splitters(child)


def _minimum_size(part: QWidget) -> QSize:
    return part.minimumSizeHint().expandedTo(part.minimumSize())
