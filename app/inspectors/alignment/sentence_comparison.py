"""Base of comparisons of texts: two texts with their reference, sentence by sentence."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from jurydesk.app.inspectors.alignment.compared_sentences import ComparedTexts
from jurydesk.app.inspectors.alignment.sentence_grid import GAP, SentenceGrid
from jurydesk.app.inspectors.comparison import Comparison
from jurydesk.app.plots.legend import Legend, LegendEntry
from jurydesk.app.style.theme import colour, px, theme
from jurydesk.app.widgets.parts import ElidedLabel, NameLabel, label, row_layout, set_spacing
from jurydesk.app.widgets.scroll import CardScrollArea
from jurydesk.core.language import translate
from jurydesk.core.tables.numbers import quantity

LOW, LOWEST = 220, 170
"""Heights below which the view has no lines under the names, and no legend."""
LEAST = (240, 60)
EDGE = 3
"""Room for the frame of the keyboard focus."""


class SentenceComparison(Comparison):
    """Names and notes above three columns of sentences, and a legend below.

    Pictures stand `above` the sentences, or at the side of the grid.
    """

    least_width = 560

    def __init__(self, above: QWidget | None = None) -> None:
        super().__init__()
        self.names = [NameLabel("", "heading") for _ in range(3)]
        self.notes = [ElidedLabel("", "muted", Qt.TextElideMode.ElideRight) for _ in range(3)]
        self.grid = SentenceGrid()
        self.legend = Legend()
        self.problem = label("", "muted", wrap=True)
        self._values = ("", "")
        self._next = ("", ""), ("", "")
        self._head = QHBoxLayout()
        self._foot = QWidget()
        self._lay_out(above)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.grid.accessibleName())
        theme().follow(self._place_head)

    def _lay_out(self, above: QWidget | None) -> None:
        for name, note in zip(self.names, self.notes, strict=True):
            column = QVBoxLayout()
            set_spacing(column, 1)
            for part in (name, note):
                part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
                column.addWidget(part)
            self._head.addLayout(column, 1)
        content = QWidget()
        content.setObjectName("scrolled")
        inside = QVBoxLayout(content)
        set_spacing(inside, 6)
        if above is not None:
            inside.addWidget(above)
        inside.addWidget(self.grid)
        inside.addStretch(1)
        self.area = CardScrollArea()
        self.area.setWidget(content)
        self.area.verticalScrollBar().installEventFilter(self)
        whole = QVBoxLayout(self)
        whole.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        set_spacing(whole, 6, (EDGE, EDGE, EDGE, EDGE))
        whole.addLayout(self._head)
        whole.addWidget(self.area, 1)
        self._foot.setLayout(row_layout(self.legend, self.problem))
        whole.addWidget(self._foot)

    def add_to_foot(self, part: QWidget) -> None:
        """Place a control at the right end of the legend's line."""
        layout = self._foot.layout()
        if layout is not None:
            layout.addWidget(part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the heads above their columns when the scroll bar comes or goes."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._place_head()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for note in self.notes:
            note.setVisible(self.height() >= px(LOW))
        self._foot.setVisible(self.height() >= px(LOWEST))
        self._place_pictures()
        self.grid.lay_out()

    def _place_pictures(self) -> None:
        """Place the pictures for the view's size."""

    def minimumSizeHint(self) -> QSize:
        return QSize(*map(px, LEAST))

    def _place_head(self) -> None:
        bar = self.area.verticalScrollBar()
        right = bar.width() if bar.isVisibleTo(self.area) else 0
        self._head.setContentsMargins(self.grid.left, 0, right, 0)
        self._head.setSpacing(px(GAP))

    def show_names(self, systems: tuple[str, str], values: tuple[str, str]) -> None:
        self._next = systems, values

    def _show_next_names(self) -> None:
        systems, self._values = self._next
        for name, system in zip((self.names[0], self.names[2]), systems, strict=True):
            name.show_name(system, systems)

    def _show_notes(self, words: tuple[int, int]) -> None:
        """Show each system's value and number of words below its name."""
        notes = (self.notes[0], self.notes[2])
        for note, value, number in zip(notes, self._values, words, strict=True):
            note.show_text(", ".join(filter(None, (value, quantity(number, "word")))))

    def _show_legend(self, texts: ComparedTexts, problems: list[str], *, is_whole: bool) -> None:
        """Show what the lines mean if both texts are marked, and what is missing."""
        left, right = texts.only("left"), texts.only("right")
        self.legend.show_entries(
            (
                LegendEntry("line", "accent", translate("only left ({n})", n=left)),
                LegendEntry("dashes", "accent", translate("only right ({n})", n=right)),
                LegendEntry("text", "muted", translate("plain: both, grey: neither")),
            )
        )
        self.legend.setVisible(is_whole)
        said = [problem for problem in problems if problem]
        if texts.cut:
            words = quantity(texts.cut, "further word")
            said.append(translate("{words} not drawn", words=words))
        self.problem.setText(" ".join(said))
        self.problem.setVisible(bool(said))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(colour("accent"), px(2)))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.area.keyPressEvent(event)  # a page up or down, or ignored
