"""Inspector of one query's ranked list: hits, missed items and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QVBoxLayout, QWidget

from jurydesk.app.inspectors.boxes import Box as NamedBox
from jurydesk.app.inspectors.boxes import BoxesView
from jurydesk.app.inspectors.image_loader import (
    Box,
    LoadedPicture,
    PictureLoader,
    reading_text,
)
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.keyword_spotting.overlap_lab import OverlapLab
from jurydesk.app.inspectors.keyword_spotting.ranked_words import PAGE, WordCells
from jurydesk.app.inspectors.keyword_spotting.score_lab import ScoreLab
from jurydesk.app.style.theme import TINY, colour, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.parts import ElidedLabel, label
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.spotting.claims import REPETITION
from jurydesk.core.metrics.spotting.error_kinds import KINDS, MISLOCATED, NO_ERROR
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import describe_repetitions

HEIGHT = 34
KEYS = translatable("All hits of the list; N and P go to the next and previous one")
REACH = 6
"""Distance in pixels within which the mouse hits a tick."""


class HitStrip(QWidget):
    """Hits by rank from left to right, on a logarithmic scale."""

    rank_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.ranks: tuple[int, ...] = ()
        self.listed = 0
        self.current_rank = 0
        self.setMouseTracking(True)
        self.setToolTip(translate(KEYS))
        self.setAccessibleName(translate("Hits"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_hits(self, ranks: Sequence[int], listed: int) -> None:
        """Show the ranks (from 1) of the hits in a list of that length."""
        self.ranks, self.listed, self.current_rank = tuple(ranks), listed, 0
        self.setAccessibleName(
            translate(
                "{hits} in {ranks}",
                hits=numbers.quantity(len(ranks), "hit"),
                ranks=numbers.quantity(listed, "rank"),
            )
        )
        self.update()

    def set_current(self, rank: int) -> None:
        """Mark the current rank; 0 for none."""
        self.current_rank = rank
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(80), px(HEIGHT))

    def offset(self, rank: int) -> float:
        share = math.log(rank) / math.log(self.listed) if self.listed > 1 else 0.0
        return px(4) + share * (self.width() - px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, half = px(9), px(7)
        painter.fillRect(QRectF(px(4), middle, self.width() - px(8), 1), colour("line"))
        painter.setPen(Qt.PenStyle.NoPen)
        for rank in self.ranks:
            painter.setBrush(colour("good", 0.75))
            painter.drawRoundedRect(
                QRectF(self.offset(rank) - px(1), middle - half, px(2), 2 * half), 1, 1
            )
        if self.current_rank:
            painter.setBrush(colour("accent"))
            x = self.offset(self.current_rank)
            painter.drawRoundedRect(QRectF(x - px(1.5), 0, px(3), 2 * px(9)), 1.5, 1.5)
        self._paint_ticks(painter)
        painter.end()

    def _paint_ticks(self, painter: QPainter) -> None:
        painter.setPen(colour("muted"))
        painter.setFont(font(TINY))
        metrics = painter.fontMetrics()
        right = self.width()
        occupied = -1.0
        last = f"{self.listed:,}"
        for rank in round_ranks(self.listed):
            text = numbers.count(rank)
            width = metrics.horizontalAdvance(text)
            left = max(0.0, min(self.offset(rank) - width / 2, right - width))
            is_last = rank == self.listed
            room = right if is_last else right - metrics.horizontalAdvance(last) - px(12)
            if left > occupied and left + width <= room:
                top = self.height() - metrics.height()
                painter.drawText(QRectF(left, top, width + 1, metrics.height()), text)
                occupied = left + width + px(12)

    def _rank_at(self, x: float) -> int | None:
        nearest = min(self.ranks, key=lambda rank: abs(self.offset(rank) - x), default=None)
        return nearest if nearest and abs(self.offset(nearest) - x) <= px(REACH) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        rank = self._rank_at(event.position().x())
        self.setToolTip(
            translate(KEYS)
            if rank is None
            else translate("Hit at rank {rank}", rank=numbers.count(rank))
        )
        shape = Qt.CursorShape.ArrowCursor if rank is None else Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rank = self._rank_at(event.position().x())
        if rank is not None and event.button() is Qt.MouseButton.LeftButton:
            self.rank_chosen.emit(rank)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.unsetCursor()


def round_ranks(listed: int) -> list[int]:
    """Return 1, 5, 10, 50 and so on, and the last rank."""
    if listed < 1:
        return []
    steps = [factor * 10**power for power in range(len(str(listed))) for factor in (1, 5)]
    return [*(rank for rank in steps if rank < listed), listed]


Kind = Literal["hit", "missed", "other", "repeated"]
_PAINT = {"hit": "good", "missed": "bad"}


def kind_of(entry: RankedItem) -> Kind:
    """Return whether a word is a hit, was missed, repeats what was found before, or is neither."""
    if entry.rank == 0:
        return "missed"
    if entry.verdict == REPETITION:
        return "repeated"
    return "hit" if entry.hit else "other"


def caption(entry: RankedItem) -> str:
    """Return a word's rank and kind as text."""
    kind = kind_of(entry)
    if kind == "missed":
        return translate("relevant, not listed")
    rank = numbers.count(entry.rank)
    if kind == "hit":
        return translate("rank {rank}, hit", rank=rank)
    if kind == "repeated":
        return translate("rank {rank}, repetition", rank=rank)
    return translate("rank {rank}", rank=rank)


def ranking_summary(ranked: RankedList) -> str:
    """Return the number of relevant items found, and which part of the list is shown."""
    found, listed = numbers.count(ranked.found), numbers.quantity(ranked.listed, "rank")
    relevant = numbers.quantity(ranked.relevant, "relevant item")
    repetitions = map(translate_text, describe_repetitions(ranked))
    if len(ranked.items) < ranked.listed:
        unbroken = sum(1 for place, entry in enumerate(ranked.items, 1) if entry.rank == place)
        sentence = translate(
            "{found} of {relevant} found in {listed}; shown: first {count} ranks and every hit "
            "below.",
            found=found,
            relevant=relevant,
            listed=listed,
            count=numbers.count(unbroken),
        )
    else:
        sentence = translate(
            "{found} of {relevant} found in {listed}.",
            found=found,
            relevant=relevant,
            listed=listed,
        )
    return " ".join([sentence, *repetitions])


def running_precision(ranked: RankedList) -> FloatArray:
    """Return the precision (items,) at the rank of each shown item; NaN for missed ones.

    All hits are among the shown items, so it is also correct below the gap.
    """
    ranks = np.array([entry.rank for entry in ranked.items], dtype=np.float64)
    hits = np.cumsum([entry.hit for entry in ranked.items])
    missed = np.full(len(ranked.missed), np.nan)
    return np.concatenate((hits / ranks if len(ranks) else ranks, missed))


def _error_title(ranked: RankedList, entry: RankedItem) -> str:
    """Return the kind of error of a listed box that finds nothing, if it is known."""
    if not 0 < entry.rank <= len(ranked.kinds):
        return ""
    titles, kind = list(KINDS.values()), ranked.kinds[entry.rank - 1]
    place = MISLOCATED if kind == NO_ERROR else kind  # a hit at the overlap it was scored with
    return titles[place] if 0 <= place < len(titles) else ""


def ranked_columns(ranked: RankedList) -> list[Column]:
    """Return the columns of the table that have values."""
    items = (*ranked.items, *ranked.missed)
    kinds: Sequence[Kind] = [kind_of(entry) for entry in items]
    boxed = any(entry.box is not None for entry in items)
    ranks = np.array([entry.rank or np.nan for entry in items], dtype=np.float64)
    words = {
        "hit": translatable("hit"),
        "missed": translatable("missed"),
        "repeated": translatable("repetition"),
    }
    marks = [
        words.get(kind) or _error_title(ranked, entry)
        for kind, entry in zip(kinds, items, strict=True)
    ]
    found: list[Column] = [
        NumberColumn(
            "rank",
            translatable("Rank", "of a hit"),
            ranks,
            decimals=0,
            tooltip=translatable("Rank in the list, from 1."),
        ),
        TextColumn(
            "found",
            translatable("Found"),
            marks,
            tooltip=translatable(
                "A hit, a relevant item that was not listed (missed), or the kind of error."
            ),
            paint=lambda row: _PAINT.get(marks[row], ""),
            is_prose=True,
        ),
        TextColumn(
            PAGE,
            translatable("Page") if boxed else translatable("Document"),
            [entry.name for entry in items],
        ),
    ]
    if any(entry.text for entry in items):
        found.append(TextColumn("text", translatable("Text"), [entry.text for entry in items]))
    found.append(
        NumberColumn(
            "precision",
            translatable("Precision"),
            running_precision(ranked),
            tooltip=translate("Share of hits among the ranks up to this one."),
        )
    )
    gains = np.array([entry.gain for entry in items])
    found.append(
        NumberColumn(
            "gain",
            translatable("Gain"),
            gains,
            decimals=2,
            tooltip=translatable("Relevance judgement."),
        )
    )
    scores = np.array([entry.score for entry in items])
    if not np.isnan(scores).all():
        found.append(
            NumberColumn(
                "score",
                translatable("Score", "of a hit"),
                scores,
                tooltip=translatable("Score of the system."),
            )
        )
    overlaps = np.array([entry.overlap for entry in items])
    if not np.isnan(overlaps).all():
        found.append(
            NumberColumn(
                "overlap",
                translatable("Overlap"),
                overlaps,
                decimals=3,
                tooltip=translatable("Overlap with the relevant box that it is compared with."),
            )
        )
    if boxed:
        boxes = [entry.box or () for entry in items]
        found.append(
            TextColumn(
                "box",
                translatable("Box"),
                [", ".join(map(str, box)) for box in boxes],
                tooltip=translatable("x, y, width and height in pixels."),
            )
        )
    return found


IMAGES = "images"
"""Role of the folder with the page images."""
ZOOM_KEYS = translatable("   + and − zoom, 0 shows the page, Z the word")
ROOM_FOR_KEYS = 380
ADVICE = translatable("Add the folder of page images on the page Check to see the words.")
LEAST_TABLE = 62
ROOM_FOR_STRIP = 125
"""Minimum height for the summary and the hits above the table."""
ROOM_FOR_PAGE = 200
ROOM_FOR_ADVICE = 400
"""Minimum heights for the page, and for the advice below the table."""
ROOM_BESIDE = 480
"""Width below which the page is placed under the table, with twice the minimum height."""
LIST_AND_PAGE = 550, 450
"""Shares of the ranked list and of the page beside it, until the user moves them."""
LEAST_NAME = 60
"""Width to which the name of a page is cut before a table scrolls sideways."""
HIDDEN_FIRST = ("box", "gain", "overlap", "score", "text", "precision")
"""Columns that are hidden with little room, first one first."""


class RankingInspector(Inspector):
    """Inspector of a `RankedList`: strip of hits, ranks, and the page of the current word."""

    guide_part = translatable("Ranked list")

    def __init__(self) -> None:
        super().__init__()
        self.ranked: RankedList | None = None
        self.items: tuple[RankedItem, ...] = ()
        self.lab, self.score_lab = OverlapLab(), ScoreLab()
        self.summary = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.strip = HitStrip()
        name = translate("Ranked list")
        self.ranks = FilteredTable(name, Table(name, cells=WordCells), inset=0)
        self.table = self.ranks.table
        self.pages = BoxesView(translate("Page with the words"))
        self.page_note = label("", "small", wrap=True)
        self.advice = label(translate(ADVICE), "small")
        self._folder: Path | None = None
        self._files = PictureFolder(None)
        self._page: str | None = None
        self._loader = PictureLoader(self)
        self.words = cast(WordCells, self.table.itemDelegate())
        self.words.word_of = self._word_of
        self._lay_out()
        self.table.growing, self.table.dropped = ("text", PAGE), HIDDEN_FIRST
        self.table.least = {PAGE: LEAST_NAME}
        for lab in (self.lab, self.score_lab):
            lab.changed.connect(self._threshold_changed)
        self.strip.rank_chosen.connect(self._choose_rank)
        self.table.current_row_changed.connect(self._row_changed)
        self.table.row_hovered.connect(self.pages.set_hovered)
        self.pages.row_chosen.connect(self.ranks.reveal)
        self.pages.row_hovered.connect(self.table.set_hovered_row)
        self._loader.loaded.connect(self._picture_loaded)

    def _lay_out(self) -> None:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(px(8), 0, 0, 0)
        column.addWidget(self.pages, 1)
        column.addWidget(self.page_note)
        side.hide()
        self._side = side
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.ranks)
        self._split.addWidget(side)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 1)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(px(6))
        body.addWidget(self.lab)
        body.addWidget(self.score_lab)
        body.addWidget(self.summary)
        body.addWidget(self.strip)
        body.addWidget(self._split, 1)
        body.addWidget(self.advice)
        self.setFocusProxy(self.table)

    def show_item(self, item: InspectedItem) -> None:
        ranked = item.evidence
        if not isinstance(ranked, RankedList):
            raise TypeError(f"expected a ranked list, got {type(ranked).__name__}")
        self._use_folder(self.folder_of(item, IMAGES))
        self._show_list(self.score_lab.show_item(item, self.lab.show_item(item, ranked)))
        self._offer_pages()
        first = next((row for row, entry in enumerate(self.items) if entry.hit), 0)
        self._page = None
        self.table.set_current_row(None)
        if self.items:
            self.ranks.choose(first)
            self.table.scrollToTop()

    def _show_list(self, ranked: RankedList) -> None:
        self.ranked = ranked
        self.items = (*ranked.items, *ranked.missed)
        has_boxes = any(entry.box is not None for entry in self.items)
        self.words.has_words = has_boxes and bool(self._files)
        self.summary.setText(ranking_summary(ranked))
        self.summary.setToolTip(tip(self.summary.text()))
        self.strip.show_hits([entry.rank for entry in ranked.items if entry.hit], ranked.listed)
        self.table.table_model.show(ranked_columns(ranked))

    def _threshold_changed(self, ranked: RankedList) -> None:
        """Show other verdicts on the same list; the current rank and the page stay."""
        row = self.table.current_row
        self._show_list(ranked)
        if row is not None and row < len(self.items):
            self.ranks.choose(row)
        self.pages.show_boxes(self._boxes_of(self._page or ""))
        self.pages.set_current(self.table.current_row)

    def minimumSizeHint(self) -> QSize:
        """Return the room of the table, above which the rest is hidden in low windows."""
        return QSize(super().minimumSizeHint().width(), px(LEAST_TABLE))

    def _offer_pages(self) -> None:
        """Show the hits, and the page or the advice on how to see it, if there is room."""
        for part in (self.summary, self.strip):
            part.setVisible(self.height() >= px(ROOM_FOR_STRIP))
        beside = self.width() >= px(ROOM_BESIDE)
        wanted = ROOM_FOR_PAGE if beside else 2 * ROOM_FOR_PAGE
        orientation = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        has_page = self._folder is not None and self.height() > px(wanted)
        if (orientation, has_page) != (self._split.orientation(), not self._side.isHidden()):
            self._split.setOrientation(orientation)
            self._side.setVisible(has_page)
            self._split.setSizes(LIST_AND_PAGE)
        can_advise = self._folder is None and any(entry.box for entry in self.items)
        self.advice.setVisible(can_advise and self.height() > px(ROOM_FOR_ADVICE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer_pages()

    def _use_folder(self, folder: Path | None) -> None:
        if folder != self._folder:
            self._folder = folder
            self._files = PictureFolder(folder)

    def _word_of(self, row: int) -> tuple[Path, Box] | None:
        """Return the page's file and the box of a word; None without them."""
        entry = self.items[row]
        path = self._files.find(entry.name)
        return None if path is None or entry.box is None else (path, entry.box)

    def _row_changed(self, row: int | None) -> None:
        self.pages.set_current(row)
        if row is None:
            return
        entry = self.items[row]
        self.strip.set_current(entry.rank)
        if self._folder is not None and entry.name != self._page:
            self._page = entry.name
            self._show_page(entry.name)

    def _show_page(self, name: str) -> None:
        path = self._files.find(name)
        self._loader.want(path)
        self.pages.setVisible(path is not None)
        self.page_note.setText(
            translate("{name}: the folder of page images has no picture of that name.", name=name)
            if path is None
            else reading_text(path)
        )

    def _page_name(self, path: Path) -> str:
        return (
            f"{path.name}{translate(ZOOM_KEYS)}"
            if self._side.width() > px(ROOM_FOR_KEYS)
            else path.name
        )

    def _picture_loaded(self, picture: LoadedPicture) -> None:
        self.pages.setVisible(not picture.problem)
        self.page_note.setText(picture.problem or self._page_name(picture.path))
        if not picture.problem:
            self.pages.show_picture(picture, self._boxes_of(self._page or ""))
            self.pages.set_current(self.table.current_row)

    def _boxes_of(self, page: str) -> list[NamedBox]:
        return [
            NamedBox(row, *entry.box, kind_of(entry), caption(entry))
            for row, entry in enumerate(self.items)
            if entry.box is not None and entry.name == page
        ]

    def _choose_rank(self, rank: int) -> None:
        rows = (row for row, entry in enumerate(self.items) if entry.rank == rank)
        self.ranks.reveal(next(rows, None))

    def step_hit(self, direction: int) -> None:
        """Go to the next hit (1) or the previous one (-1), in table order."""
        model = self.table.table_model
        place = self.table.currentIndex().row() + direction
        while 0 <= place < model.rowCount():
            row = int(model.rows[place])
            if self.items[row].hit:
                self.table.set_current_row(row)
                return
            place += direction

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_N:
                self.step_hit(1)
            case Qt.Key.Key_P:
                self.step_hit(-1)
            case (
                Qt.Key.Key_Plus | Qt.Key.Key_Equal | Qt.Key.Key_Minus | Qt.Key.Key_0 | Qt.Key.Key_Z
            ):
                self.pages.keyPressEvent(event)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self.table.selection_text(headers=headers)


INSPECTOR = RankingInspector
