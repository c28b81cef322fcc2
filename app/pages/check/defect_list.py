"""List of defects with its filter; Enter or a double click opens the file of a defect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy

from jurydesk.app.style.theme import SMALL, colour, font, px, theme
from jurydesk.app.style.visible_text import break_line, elide, tip
from jurydesk.app.tables.table_view import Table, TableCellDelegate
from jurydesk.app.widgets.parts import Card, across, button, label, row_layout
from jurydesk.core.language import Reason, translatable, translate, translate_text
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.defects import Defect, Severity, format_defects
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.tables.columns import Column, TextColumn
from jurydesk.core.tables.numbers import count, quantity


@dataclass(frozen=True, slots=True)
class Group:
    """File with its distinct name and its number of defects by severity."""

    path: str
    counts: tuple[tuple[Severity, int], ...]
    name: str

    @property
    def summary(self) -> str:
        """Counts in words: `2 errors · 1 note`."""
        return " · ".join(_count_severity(n, severity) for severity, n in self.counts)


def _count_severity(n: int, severity: Severity) -> str:
    if severity is Severity.ERROR:
        return quantity(n, "error")
    return quantity(n, "warning") if severity is Severity.WARNING else quantity(n, "note")


Row = Group | Defect


def group_defects(defects: Sequence[Defect], shown: Collection[Severity]) -> list[Row]:
    """Return defects under their files: files with errors first, then by severity and line."""
    files: dict[str, list[Defect]] = {}
    for defect in defects:
        if defect.severity in shown:
            files.setdefault(defect.place.path, []).append(defect)
    order = list(Severity)
    names = distinct_names({defect.place.path for defect in defects})
    rows: list[Row] = []
    for path, found in sorted(
        files.items(), key=lambda file: min(order.index(defect.severity) for defect in file[1])
    ):
        counts = Counter(defect.severity for defect in found)
        found.sort(key=lambda d: (order.index(d.severity), d.place.line or 0))
        totals = tuple((s, counts[s]) for s in order if counts[s])
        rows += [Group(path, totals, names[path] or path), *found]
    return rows


def defect_place_text(defect: Defect) -> str:
    """Return the place in the file, `line 12` or a JSON path; empty if it has none."""
    if defect.place.line is not None:
        return translate("line {line:,}", line=defect.place.line)
    return defect.place.json_path or ""


def defects_text(rows: Sequence[Row]) -> str:
    """Return the defects as the command line prints them."""
    return "\n".join(format_defects([row for row in rows if isinstance(row, Defect)]))


def _spoken_text(defect: Defect, name: str) -> str:
    """Return a defect as one or two lines in the language of the window."""
    place = translate_text(defect.place.format(name))
    advice = _advice(defect)
    head = f"{translate(WORDS[defect.severity])}  {place}: {translate_text(defect.found)}"
    return f"{head}\n       {advice}" if advice else head


def _advice(defect: Defect) -> str:
    return " ".join(translate_text(part) for part in (defect.expected, defect.hint) if part)


def lines_of_defect(defect: Defect) -> tuple[str, str]:
    """Return what to do, if the defect says it, and why; else what was found, and the advice.

    Of a note, which is no fault, what was found comes first.
    """
    found, expected, hint = map(translate_text, (defect.found, defect.expected, defect.hint))
    tells = defect.hint and not isinstance(defect.hint, Reason)
    if tells and defect.severity is not Severity.NOTE:
        return hint, " ".join(filter(None, (found, expected)))
    return found, _advice(defect)


ROW_HEIGHT, LEAST, SIDES = 44, 240, 30
TITLES = {
    Severity.ERROR: translatable("Errors"),
    Severity.WARNING: translatable("Warnings"),
    Severity.NOTE: translatable("Notes"),
}
WORDS = {
    Severity.ERROR: translatable("error"),
    Severity.WARNING: translatable("warning"),
    Severity.NOTE: translatable("note"),
}
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class DefectCells(TableCellDelegate):
    """Delegate that paints a file's row, or a defect on two lines, what to do before the place."""

    table: DefectList

    def paint_cell(self, painter: QPainter, inside: QRect, column: Column, row: int) -> None:
        shown = self.table.rows[row]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(shown, Group):
            _paint_group(painter, inside, shown)
        else:
            _paint_defect(painter, inside, shown)
        painter.restore()


def _paint_group(painter: QPainter, rect: QRect, group: Group) -> None:
    line = QRect(rect)
    painter.setFont(font(SMALL))
    painter.setPen(colour("muted"))
    painter.drawText(line, MIDDLE | Qt.AlignmentFlag.AlignRight, group.summary)
    line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(group.summary) - px(10))
    painter.setFont(font(bold=True))
    painter.setPen(colour("text"))
    _paint_elided(painter, line, group.name, Qt.TextElideMode.ElideMiddle)


def _paint_defect(painter: QPainter, rect: QRect, defect: Defect) -> None:
    _paint_mark(painter, rect, defect.severity)
    inside = rect.adjusted(px(20), px(5), 0, -px(4))
    upper, lower = lines_of_defect(defect)
    half = inside.height() // 2
    first = QRect(inside.left(), inside.top(), inside.width(), half)
    second = first.translated(0, half)
    place = defect_place_text(defect)
    kind = translate(WORDS[defect.severity])
    kind = f"{kind} ×{count(defect.count)}" if defect.count > 1 else kind
    painter.setFont(font(SMALL))
    painter.setPen(colour("muted"))
    painter.drawText(first, MIDDLE | Qt.AlignmentFlag.AlignRight, kind)
    first.setRight(first.right() - painter.fontMetrics().horizontalAdvance(kind) - px(10))
    painter.setFont(font(bold=True))
    metrics = painter.fontMetrics()
    painter.setPen(colour("text"))
    if not lower and not place:
        upper, lower = break_line(upper, metrics, first.width())
        _paint_elided(painter, first, upper)
        painter.setFont(font())
        _paint_elided(painter, second, lower)
        return
    _paint_elided(painter, first, upper)
    painter.setFont(font(SMALL))
    if place:
        painter.setPen(colour("accent"))
        metrics = painter.fontMetrics()
        shown = elide(metrics, place, Qt.TextElideMode.ElideMiddle, min(px(220), second.width()))
        painter.drawText(second, MIDDLE | Qt.AlignmentFlag.AlignLeft, shown)
        second.setLeft(second.left() + metrics.horizontalAdvance(f"{shown}  "))
    painter.setPen(colour("muted"))
    _paint_elided(painter, second, lower)


def _paint_mark(painter: QPainter, rect: QRect, severity: Severity) -> None:
    """Paint a disc for an error, a ring for a warning, a faint ring for a note."""
    side = px(8)
    disc = QRectF(rect.left(), rect.top() + px(10), side, side)
    tone = colour("faint" if severity is Severity.NOTE else "bad")
    painter.setPen(QPen(tone, px(2)))
    painter.setBrush(tone if severity is Severity.ERROR else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(disc.adjusted(1, 1, -1, -1))


def _paint_elided(
    painter: QPainter,
    rect: QRect,
    text: str,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    line = " ".join(text.split())
    shown = elide(painter.fontMetrics(), line, mode, rect.width())
    painter.drawText(rect, MIDDLE | Qt.AlignmentFlag.AlignLeft, shown)


class DefectList(Table):
    """List of defects under their files.

    `chosen` carries the defect at the cursor or None, `defect_opened` one that was opened.
    """

    chosen = Signal(object)
    defect_opened = Signal(object)

    def __init__(self) -> None:
        super().__init__(translate("Defects"), cells=DefectCells)
        self.rows: list[Row] = []
        self._names: Mapping[str, str] = {}
        self.least = {"defect": 0}
        self.table_model.describe = self._tip
        self.table_model.spell = lambda column, row: column.text(row)
        self.set_row_height(ROW_HEIGHT)
        self.horizontalHeader().hide()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.current_row_changed.connect(self._emit_chosen)

    def show_defects(self, defects: Sequence[Defect], severities: Collection[Severity]) -> None:
        """List the defects of these severities."""
        self.rows = group_defects(defects, severities)
        self._names = {row.path: row.name for row in self.rows if isinstance(row, Group)}
        # There may be many defects, whose texts are made when they are shown.
        texts = [""] * len(self.rows)
        self.set_current_row(None)
        self.table_model.show([TextColumn("defect", "", texts, show=self._text)])

    def place_of(self, defect: Defect) -> str:
        """Return the place of a listed defect in words."""
        name = self._names.get(defect.place.path, defect.place.name)
        return translate_text(defect.place.format(name))

    def _text(self, row: int) -> str:
        shown = self.rows[row]
        if isinstance(shown, Defect):
            return _spoken_text(shown, self._names[shown.place.path])
        return f"{isolate(shown.name)}: {shown.summary}"

    def _tip(self, column: Column, row: int) -> str:
        shown = self.rows[row]
        if isinstance(shown, Group):
            return tip(shown.path)
        return tip(*map(translate_text, (shown.found, shown.expected, shown.hint)))

    def selected_text(self) -> str:
        """Return the selected defects as text, or all if fewer than two are selected."""
        chosen = [self.rows[row] for row in self.selected_rows().tolist()]
        return defects_text(chosen if len(chosen) > 1 else self.rows)

    def scroll_to_file(self, path: str) -> None:
        """Scroll to the defects of a file, if it has any."""
        for row, shown in enumerate(self.rows):
            if isinstance(shown, Group) and shown.path == path:
                index = self.table_model.index(row, 0)
                self.scrollTo(index, self.ScrollHint.PositionAtTop)

    def _emit_chosen(self, row: int) -> None:
        shown = self.rows[row]
        self.chosen.emit(shown if isinstance(shown, Defect) else None)

    def open_row(self, index: QModelIndex) -> None:
        shown = self.rows[index.row()]
        if isinstance(shown, Defect):
            self.defect_opened.emit(shown)


class DefectCard(Card):
    """Card of defects with a filter; `copy_requested` asks to copy them as text."""

    copy_requested = Signal()

    def __init__(self) -> None:
        super().__init__(translate("Defects"), padding=(6, 6))
        self.list = DefectList()
        self.filters: dict[Severity | None, QPushButton] = {}
        self._all: Sequence[Defect] = ()
        self._group = QButtonGroup(self)
        for severity in (None, *Severity):
            chip = QPushButton()
            chip.setProperty("kind", "chip")
            chip.setCheckable(True)
            self._group.addButton(chip)
            self.filters[severity] = chip
        self.filters[None].setChecked(True)
        self._group.buttonClicked.connect(self._filter)
        self.copy = button(translate("Copy as text"), self.copy_requested.emit, "small")
        self.empty = label("", "muted", wrap=True)
        self._head = row_layout(self.title, margins=(10, 8, 6, 4))
        chips = list(self.filters.values())
        self._rows = row_layout()
        self._rows.addLayout(row_layout(*chips[:2], None))
        self._rows.addLayout(row_layout(*chips[2:], None), 1)
        self._head.addLayout(self._rows, 1)
        self._head.addWidget(self.copy)
        self.dismiss = button("×", self.hide, "quiet", translate("Close"))
        self.dismiss.setAccessibleName(translate("Close"))
        self.dismiss.hide()
        self._head.addWidget(self.dismiss)
        self.body.insertLayout(0, self._head)
        self.body.addWidget(self.empty)
        self.body.addWidget(self.list, 1)
        theme().follow(self._scale)

    def _scale(self) -> None:
        self.empty.setContentsMargins(px(10), px(4), px(10), px(8))
        self.setMinimumWidth(px(LEAST))  # the filters adapt their layout
        self.list.setMinimumHeight(px(ROW_HEIGHT * 3 // 2))  # half a row shows that more follow
        self._make_room()

    def show_defects(self, defects: Sequence[Defect], empty: str) -> None:
        """List all defects; `empty` is the text without any."""
        self._all = defects
        counts = Counter(defect.severity for defect in defects)
        self.filters[None].setText(translate("All {count}", count=count(len(defects))))
        for severity in Severity:
            chip = self.filters[severity]
            chip.setText(f"{translate(TITLES[severity])} {count(counts[severity])}")
            chip.setVisible(counts[severity] > 0)
        if not any(self.filters[s].isChecked() and counts[s] for s in Severity):
            self.filters[None].setChecked(True)
        for widget in (self.filters[None], self.list):
            widget.setVisible(bool(defects))
        # Without a list the card is as high as its text.
        high = QSizePolicy.Policy.Preferred if defects else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, high)
        self._make_room()
        self.empty.setText(empty)
        self.empty.setVisible(not defects)
        self._filter()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """If narrow, move the filters below the title and hide the button (Ctrl+C copies)."""
        chips = [chip for chip in self.filters.values() if not chip.isHidden()]
        wanted = sum(chip.sizeHint().width() + px(8) for chip in chips) + px(SIDES)
        ends = self.title.sizeHint().width() + self.copy.sizeHint().width() + 2 * px(8)
        wide = self.width() >= wanted + ends
        across(self._head, wide)
        across(self._rows, self.width() >= wanted)
        self.copy.setVisible(bool(self._all) and wide)

    def _filter(self) -> None:
        chosen = [s for s in Severity if self.filters[s].isChecked()]
        self.list.show_defects(self._all, chosen or list(Severity))
