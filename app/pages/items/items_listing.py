"""Item list with a text of one or two lines and a thumbnail for each item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from jurydesk.app.inspectors.thumbnails import Thumbnails, paint_thumbnail
from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import display_text, elide
from jurydesk.app.tables.table_filter import QUICK_TEXTS, FoldedTexts, TableFilter
from jurydesk.app.tables.table_model import AnyIndex
from jurydesk.app.tables.table_view import PADDING, ROW_HEIGHT, Table, TableCellDelegate
from jurydesk.core.competition.task import AnyTask, Inputs, ItemListEntry
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.columns import Column, TextColumn
from jurydesk.core.workflow.evaluation_cache import QUICK_ITEMS

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Evaluation

LISTED_HEIGHT, WORD_HEIGHT, ROOMY_ROWS = 46, 44, 12
"""Heights of a row with two lines, and with the image of a word, and number of such rows below
which rows have one line.
"""
LEAST_HEIGHT = 26
"""Least height of a row with one line."""
WIDTH, HEIGHT = 54, 38
WORD_WIDTH = 100
"""Width of the image of a word that is as high as a photo."""
LEAST_WITH_PICTURE = 110
"""Width from which a thumbnail leaves room for words, half of it."""
KEPT = 400
"""Maximum number of item texts in memory."""
TITLE_LETTERS = 48
"""Length from which the text of an item is cut in a title."""
MOST_LETTERS = 300
"""Maximum length of a text; more than two lines hold."""
LISTED_TEXT = "text"
"""Name of an item's listed text in the filter language."""


@dataclass(eq=False)
class Listing:
    """List entries of an evaluation's items, read when shown.

    Attributes:
        ids: Ids of the rows of the table.
        item_of: Function that returns the item of an id; None if rows are items.
        lines: Number of lines of a text.
        boxed: Whether the pictures are parts of pages that show a word.
    """

    evaluation: Evaluation
    listed: Callable[[Any], ItemListEntry]
    pictures: PictureFolder
    ids: Sequence[str]
    item_of: Callable[[str], int] | None = None
    lines: int = 2
    boxed: bool = False
    _known: dict[int, ItemListEntry] = field(default_factory=dict)

    @cached_property
    def folded(self) -> FoldedTexts:
        """Casefolded texts for searching."""
        rows = range(len(self.ids))
        return FoldedTexts(len(rows), lambda: (self.read(row).line for row in rows))

    def name(self, row: int) -> str:
        """Return the text of an item for a title or a tooltip."""
        return display_text(" ".join(self.of(row).line[:MOST_LETTERS].split()), MOST_LETTERS)

    def title(self, row: int) -> str:
        """Return the first words of an item's text."""
        name = self.name(row)
        if len(name) <= TITLE_LETTERS:
            return name
        words, _, _ = name[:TITLE_LETTERS].rpartition(" ")
        return f"{words or name[:TITLE_LETTERS]} …"

    def of(self, row: int) -> ItemListEntry:
        """Return the list entry of an item; its id if the desk has no more."""
        found = self._known.get(row)
        if found is None:
            while len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
            found = self._known[row] = self.read(row)
        return found

    def read(self, row: int) -> ItemListEntry:
        """Read the list entry of an item without caching it."""
        name = ItemListEntry(self.ids[row])
        try:
            evidence = self.evaluation.items.show(
                row if self.item_of is None else self.item_of(name.text)
            )
        except DeskError:  # scored again by a job that has not reported yet
            return name
        entry = name if evidence is None else self.listed(evidence)
        return entry if entry.text.strip() else replace(entry, text=name.text)

    def picture(self, row: int) -> Path | None:
        """Return the file of an item's picture; None if it is not in the folder."""
        name = self.of(row).picture
        return self.pictures.find(name)


def listing_of(
    evaluation: Evaluation,
    task: AnyTask,
    folders: Inputs,
    ids: Sequence[str] | None = None,
    item_of: Callable[[str], int] | None = None,
) -> Listing | None:
    """Return the competition's list entries of items; None if items are listed by id.

    A table that is not of all items gives its `ids`, with the item of an id.
    """
    if task.presentation.listed is None or evaluation.items.evidence is None:
        return None
    paths, lines = next(iter(folders.values()), ()), task.presentation.listed_lines
    found = Listing(
        evaluation,
        task.presentation.listed,
        PictureFolder(paths[0] if paths else None),
        evaluation.items.ids if ids is None else ids,
        item_of,
        lines,
    )
    # The first, the middle and the last: to read an item may take as long as to draw the page.
    count = len(found.ids)
    # The first comes last: the page shows it next, and its block of evidence is then at hand.
    probed = sorted({0, count // 2, count - 1}, reverse=True) if count else ()
    if found.pictures and any(found.of(row).box for row in probed):
        return replace(found, lines=2, boxed=True)
    if lines == 1 and all(found.of(row).text == found.ids[row] for row in probed):
        return None  # entries without words are not worth reading
    return found


def folded_attributes(evaluation: Evaluation, task: AnyTask) -> dict[str, FoldedTexts]:
    """Return the competition's text attributes of the items by name, which are read on demand."""
    try:
        found = task.presentation.attributes(evaluation.items)
    except DeskError:  # scored again by a job that has not reported yet
        return {}
    count = len(evaluation.items)
    return {
        name: FoldedTexts(count, partial(_read_texts, read, count)) for name, read in found.items()
    }


def _read_texts(read: Callable[[], Sequence[str]], count: int) -> Sequence[str]:
    try:
        return read()
    except DeskError:
        return [""] * count


def listed_column(column: TextColumn, listing: Listing) -> TextColumn:
    """Return a column of ids whose tooltips and descriptions have the listed texts as well."""

    def detail(row: int) -> str:
        name, text = column.text(row), listing.name(row)
        return f"{text}\n{name}" if text and text != name else name

    return replace(column, detail=detail)


def _low_height(room: int) -> int:
    """Return the unscaled height of rows of one line: lower where that brings twelve in sight."""
    heights = range(ROW_HEIGHT, LEAST_HEIGHT - 1, -1)
    return next((one for one in heights if ROOMY_ROWS * px(one) <= room), ROW_HEIGHT)


class ListedCells(TableCellDelegate):
    """Delegate that paints an item's thumbnail with two lines of text beside it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.listing: Listing | None = None
        self.thumbnails = Thumbnails(self)
        self.thumbnails.arrived.connect(table.viewport().update)
        self.lines = 1
        """Number of lines of a text for which the table has room now."""
        self._resized = (table, table.horizontalHeader())
        for part in self._resized:
            part.installEventFilter(self)
        theme().changed.connect(self._fit)

    def show_listing(self, listing: Listing | None, texts: TableFilter) -> None:
        """Show the texts of items in the first column of the table, and find items by them.

        None shows the ids.
        """
        self.listing, table = listing, self.table
        texts.texts = {} if listing is None else {LISTED_TEXT: listing.folded}
        is_unread = listing is not None and not listing.folded.is_loaded
        texts.quick_rows = QUICK_TEXTS if is_unread else QUICK_ITEMS
        table.setItemDelegateForColumn(0, table.itemDelegate() if listing is None else self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not any(watched is one for one in self._resized):
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.Resize:
            self._fit()
        return False  # Qt would take the table for an editor

    def _fit(self) -> None:
        """Give rows a second line where many of them stay in sight."""
        wanted = 1 if self.listing is None else self.listing.lines
        # Not the viewport's height, which the table has still to adapt.
        room = self.table.height() - self.table.horizontalHeader().height()
        height = WORD_HEIGHT if self._has_words else LISTED_HEIGHT
        self.lines = wanted if room >= ROOMY_ROWS * px(height) else 1
        self.table.set_row_height(height if self.lines > 1 else _low_height(room))

    @property
    def _has_words(self) -> bool:
        """Whether the pictures are images of words."""
        listing = self.listing
        return listing is not None and listing.lines > 1 and bool(listing.boxed)

    def content_width(self, column: Column, text: int) -> int:
        width = super().content_width(column, text)
        return width + px(WORD_WIDTH + PADDING) if self._has_words else width

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        if self.listing is None:
            super().paint(painter, option, index)
            return
        self.paint_behind(painter, option, index)
        row = int(self.table.table_model.rows[index.row()])
        edge = px(4) if self.lines > 1 else px(2)
        rect = QRectF(self.paint_number(painter, option.rect, index))
        inside = rect.adjusted(px(PADDING), edge, -px(PADDING), -edge - 1)
        entry, width = self.listing.of(row), px(LEAST_WITH_PICTURE)
        size = self._picture_size(inside, entry)
        if self.listing.pictures and entry.picture and inside.width() - size.width() >= width / 2:
            self._paint_picture(painter, inside, self.listing.picture(row), entry)
            inside.setLeft(inside.left() + size.width() + px(PADDING))
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(colour("text"))
        if entry.note and self.lines > 1:
            _paint_note(painter, inside, entry.text, entry.note)
            return
        text = display_text(entry.line[:MOST_LETTERS], MOST_LETTERS)
        paint_lines(painter, inside, text, selected, self.lines)

    def _picture_size(self, inside: QRectF, entry: ItemListEntry) -> QSizeF:
        """Return the size of a thumbnail in a cell; words are wider than photos."""
        height = min(px(HEIGHT), inside.height())
        return QSizeF(height * (WIDTH if entry.box is None else WORD_WIDTH) / HEIGHT, height)

    def _paint_picture(
        self, painter: QPainter, inside: QRectF, path: Path | None, entry: ItemListEntry
    ) -> None:
        size = self._picture_size(inside, entry)
        top = inside.center().y() - size.height() / 2
        box = QRectF(QPointF(inside.left(), top), size)
        image = None if path is None else self.thumbnails.image(path, entry.box)
        paint_thumbnail(painter, box, image, is_whole=entry.box is not None)


def _paint_note(painter: QPainter, box: QRectF, text: str, note: str) -> None:
    """Paint a word above the note that tells it from others."""
    cut, left = Qt.TextElideMode.ElideRight, Qt.AlignmentFlag.AlignLeft
    halves = QRectF(box), QRectF(box)
    halves[0].setBottom(box.center().y())
    halves[1].setTop(box.center().y())
    ends = Qt.AlignmentFlag.AlignBottom, Qt.AlignmentFlag.AlignTop
    looks = (font(bold=True), "text"), (font(TINY), "muted")
    for part, half, end, (letters, tone) in zip((text, note), halves, ends, looks, strict=True):
        painter.setFont(letters)
        painter.setPen(colour(tone))
        line = display_text(part[:MOST_LETTERS], MOST_LETTERS)
        painter.drawText(half, left | end, elide(painter.fontMetrics(), line, cut, half.width()))


def paint_lines(painter: QPainter, box: QRectF, text: str, bold: bool, most: int = 2) -> None:
    """Paint a text on one line or two, the last one elided."""
    if most == 1:
        painter.setFont(font(bold=bold))
        shown = elide(painter.fontMetrics(), text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        return
    layout = QTextLayout(text, font(bold=bold))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    first = 0
    if line.isValid():
        line.setLineWidth(max(box.width(), 1.0))
        first = line.textLength()
    layout.endLayout()
    painter.setFont(font(bold=bold))
    metrics = painter.fontMetrics()
    rest = text[first:].strip()
    lines = [text[:first], elide(metrics, rest, Qt.TextElideMode.ElideRight, int(box.width()))]
    lines = [one for one in lines if one]
    top = box.center().y() - len(lines) * metrics.height() / 2
    for number, one in enumerate(lines):
        at = QPointF(box.left(), top + number * metrics.height() + metrics.ascent())
        painter.drawText(at, one)
