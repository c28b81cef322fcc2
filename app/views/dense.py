"""Dense captioning explored: the heat map, a cell's curve and errors, what-ifs, two systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from app import format
from app.models.columns import Column
from app.models.dense import (
    FIRST,
    MISSED,
    SHOWN,
    Codes,
    DenseItems,
    cell_sentence,
    dense_columns,
    thresholds_in_words,
)
from app.pages.page import Export
from app.theme import px, theme
from app.views.dense_cell import CellView
from app.views.dense_cells import cell_of, cell_of_metric, thresholds_of
from app.views.dense_others import DenseOthers
from app.views.dense_study import Study
from app.views.difference import DifferenceView, Moved, moved_sentence
from app.views.export import csv_writer, png_writer, svg_writer
from app.views.figure_text import numbers
from app.views.heatmap import HeatmapView
from app.views.panels import Panel, Systems
from app.views.thresholds import ThresholdLab, standing
from app.widgets.parts import Card, Elided, beside, label
from app.widgets.segments import Segments
from app.widgets.tips import tip
from core.metrics.dense_cuts import Thresholds
from core.metrics.dense_errors import KINDS, LEFT_OUT, TRUE
from core.metrics.dense_moves import Moves, moves
from core.model import BoolArray, Evaluation, Heatmap

HEAT_MAP, LAB, DIFFERENCE = range(3)
VIEWS = ("Map", "Lab", "Difference")
FILTERS = ("All", "True", "False", "Missed")
LOADING = "The other systems are being read."


class DensePanel(Panel):
    """Everything follows the thresholds: the cell, the curve, the costs and the table's rows."""

    def __init__(self) -> None:
        super().__init__()
        self.thresholds = FIRST
        self.items: DenseItems | None = None
        self.moves: Moves | None = None
        self.against = ""
        self._kind: int | None = None
        self._image: int | None = None
        self._systems: Systems = {}
        self._codes: Codes = np.empty(0, np.int8)
        self._study = Study(self)
        self._others = DenseOthers(self)
        self.views = Segments("View")
        self.views.show_words(VIEWS)
        self.filters = Segments("Verdict")
        self.filters.show_words(FILTERS)
        self.map: HeatmapView | None = None
        self.lab = ThresholdLab()
        self.difference = DifferenceView()
        self.cell = CellView()
        self.moved = Moved()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.left_card, self.right_card = Card(), Card()
        self.left_title = label("Average precision by threshold", "heading")
        self.right_title = Elided("", "heading", Qt.TextElideMode.ElideRight)
        top = beside(self.left_title, None, self.views)
        self.left_card.body.addLayout(top)
        self._maps = QVBoxLayout()
        holder = QWidget()
        self._maps.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(self._maps)
        self._left = QStackedLayout()
        for part in (holder, self.lab, self.difference):
            self._left.addWidget(part)
        self.left_card.body.addLayout(self._left, 1)
        self._right = QStackedLayout()
        self._right.addWidget(self.cell)
        self._right.addWidget(self.moved)
        self.right_card.body.addWidget(self.right_title)
        self.right_card.body.addLayout(self._right, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.left_card, 1)
        row.addWidget(self.right_card, 1)
        self._row = row
        self._space()

    def _space(self) -> None:
        self._row.setSpacing(px(16))
        self.setMinimumHeight(px(300))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the words have no room beside the title, they become a list."""
        super().resizeEvent(event)
        self.views.set_room(self.left_card.width() - self.left_title.sizeHint().width() - px(50))

    def _connect(self) -> None:
        theme().changed.connect(self._space)
        self.views.chosen.connect(self._view_chosen)
        self.filters.chosen.connect(self._filter_chosen)
        self.lab.turned.connect(self.set_thresholds)
        self.cell.costs.kind_chosen.connect(self._kind_chosen)
        self.difference.cell_chosen.connect(self._cell_chosen)
        self.difference.system_chosen.connect(self._compare_with)
        self.moved.image_chosen.connect(self._image_chosen)
        self._study.captions_read.connect(self._captions_read)
        self._study.finished.connect(self._study_finished)
        self._study.noted.connect(self.cell.costs.show_note)
        self._others.arrived.connect(self._others_arrived)

    # One evaluation

    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        self._systems = systems
        self.items = self._study.begin(evaluation)
        scores = self.items.claims.scores
        if len(scores):
            self.lab.set_scores(float(scores[-1]), float(scores[0]))
        self._show_map(evaluation)
        self._offer_others(evaluation.system)
        mean = next(score.value for score in evaluation.scores if score.metric == "map")
        boxes = next(score.value for score in evaluation.scores if score.metric == "detmap")
        self.heading = f"{evaluation.system}: mAP {format.number(100 * mean, 2)}"
        self.finding = (
            "Mean of 30 average precisions. "
            f"Detection alone: {format.number(100 * boxes, 1)}. Click a cell to see its detections."
        )
        self.columns_changed.emit()
        self._show_costs()
        self.set_thresholds(self.thresholds)
        self.retold.emit()

    def _show_map(self, evaluation: Evaluation) -> None:
        if self.map is not None:
            self._maps.removeWidget(self.map)
            self.map.hide()
            self.map.deleteLater()
        heatmaps = [figure for figure in evaluation.figures if isinstance(figure, Heatmap)]
        self.map = HeatmapView(heatmaps[0])
        self.map.cell_chosen.connect(self._cell_chosen)
        self.map.cell_opened.connect(self.left)
        self._maps.addWidget(self.map)

    def _offer_others(self, system: str) -> None:
        names = [name for name in self._systems if name != system]
        if self.against not in names:
            self.against = names[0] if names else ""
        self.difference.offer(names, self.against)
        words = VIEWS if names else VIEWS[:DIFFERENCE]
        self.views.show_words(words, min(self.views.index, len(words) - 1))
        self._left.setCurrentIndex(max(self.views.index, 0))
        self._read_others()

    # What the study found

    def _captions_read(self) -> None:
        self.items = self._study.items
        self.columns_changed.emit()

    def _study_finished(self) -> None:
        self.items = self._study.items
        self.columns_changed.emit()
        self._show_costs()
        self.set_thresholds(self.thresholds)

    def _show_costs(self) -> None:
        self.cell.costs.show_costs(self._study.costs)

    # Thresholds

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Let everything follow other thresholds."""
        self.thresholds = thresholds
        if self.items is None:
            return
        self.lab.set_thresholds(thresholds)
        cell = cell_of(thresholds)
        for view in (self.map, self.difference.map):
            if view is not None:
                view.set_cell(cell)
        self._show_cell(self.items)
        self._show_moves(self.items)
        self._show_rows(self.items)

    def _show_cell(self, items: DenseItems) -> None:
        thresholds = self.thresholds
        others = self._others.claims.values() if self.views.index == LAB else ()
        self.cell.show_cell(items, thresholds, others)
        if self.views.index == LAB:
            self._show_standings(items)
        if self.views.index != DIFFERENCE:
            self.right_title.setText(cell_sentence(items, thresholds))
        self._right.setCurrentIndex(self.views.index == DIFFERENCE)

    def _show_standings(self, items: DenseItems) -> None:
        system = items.evaluation.system
        everyone = {system: items.claims, **self._others.claims}
        standings = [standing(n, claims, self.thresholds) for n, claims in everyone.items()]
        self.lab.show_systems(standings, system)

    def _show_rows(self, items: DenseItems) -> None:
        codes = items.verdicts(self.thresholds)
        if len(self._codes) == len(codes):
            self._codes[:] = codes  # the table's column looks at these very codes
        self.shown_rows = self._wanted(items)
        self.rows_changed.emit()

    def _wanted(self, items: DenseItems) -> BoolArray | None:
        """The rows that the filter, and what moved, leave in sight; None for all."""
        masks = [self._of_verdict(self._codes)]
        if self.views.index == DIFFERENCE and self.moves is not None:
            masks.append(items.of_objects(self.moves.objects))
            if self._image is not None:
                masks.append(items.columns["image"] == self._image)
        wanted = [mask for mask in masks if mask is not None]
        return np.asarray(np.logical_and.reduce(wanted)) if wanted else None

    def _of_verdict(self, codes: Codes) -> BoolArray | None:
        if self._kind is not None:
            return np.equal(codes, self._kind)
        match FILTERS[self.filters.index]:
            case "True":
                return np.equal(codes, TRUE)
            case "False":
                return ~np.isin(codes, (TRUE, MISSED, LEFT_OUT))
            case "Missed":
                return np.equal(codes, MISSED)
        return None

    # What the user chooses

    def _cell_chosen(self, row: int, column: int) -> None:
        self._kind = None
        self.set_thresholds(thresholds_of((row, column)))

    def _view_chosen(self, index: int) -> None:
        self._left.setCurrentIndex(index)
        self.left_title.setText(
            ("Average precision by threshold", "Threshold lab", "Difference by threshold")[index]
        )
        self._image = None
        self._read_others()
        self.set_thresholds(self.thresholds)

    def _filter_chosen(self, index: int) -> None:
        self._kind = None
        if self.items is not None:
            self._show_rows(self.items)

    def _kind_chosen(self, kind: str) -> None:
        """Show the items of one kind; choosing it again shows all."""
        code = list(KINDS).index(kind)  # type: ignore[arg-type]
        self._kind = None if self._kind == code else code
        self.filters.show_words(FILTERS, 0)
        if self.items is not None:
            self._show_rows(self.items)

    def show_metric(self, name: str) -> None:
        cell = cell_of_metric(name)
        if cell is not None:
            self._cell_chosen(*cell)

    # Other systems

    def _read_others(self) -> None:
        if self.items is not None and self.views.index in (LAB, DIFFERENCE):
            system = self.items.evaluation.system
            self._others.read({n: load for n, load in self._systems.items() if n != system})

    def _others_arrived(self) -> None:
        if self.items is not None:
            self.set_thresholds(self.thresholds)

    def _compare_with(self, system: str) -> None:
        self.against = system
        self._image = None
        self.set_thresholds(self.thresholds)

    def _show_moves(self, items: DenseItems) -> None:
        if self.views.index != DIFFERENCE:
            self.moves = None
            return
        other = self._others.items.get(self.against)
        if other is None or self.map is None:
            self.difference.show_note(LOADING)
            self.right_title.setText("")
            return
        heatmaps = [f for f in other.evaluation.figures if isinstance(f, Heatmap)]
        self.difference.show_difference(self.map.heatmap, heatmaps[0])
        if self.difference.map is not None:
            self.difference.map.set_cell(cell_of(self.thresholds))
        self.moves = moves(items.records, other.records, self.thresholds)
        names = [items.image_names[image] for image in self.moves.image.tolist()]
        self.moved.show_moves(self.moves, names)
        self.right_title.setText(moved_sentence(self.moves, self.against))
        self.right_title.setToolTip(tip(thresholds_in_words(self.thresholds)))

    def _image_chosen(self, image: int) -> None:
        self._image = image
        if self.items is not None:
            self._show_rows(self.items)

    # What the page asks

    def columns(self) -> tuple[Column, ...]:
        if self.items is None:
            return ()
        self._codes = self.items.verdicts(self.thresholds)
        return dense_columns(self.items, self._codes)

    def shown_at_first(self) -> frozenset[str]:
        return SHOWN

    def sorted_by(self) -> str:
        return "score"

    def context(self) -> Thresholds:
        return self.thresholds

    def filter_bar(self) -> QWidget:
        return self.filters

    def exports(self) -> Sequence[Export]:
        if self.map is None or self.items is None:
            return ()
        evaluation, view = self.items.evaluation, self.map
        title = view.heatmap.title
        return (
            Export(f"{title} as picture", "*.png", png_writer(view)),
            Export(f"{title} as drawing", "*.svg", svg_writer(view, title)),
            Export(
                f"{title} as numbers",
                "*.csv",
                csv_writer(lambda: numbers(view.heatmap, evaluation, "detection")),
            ),
            Export("Precision and recall as picture", "*.png", png_writer(self.cell.curve)),
        )
