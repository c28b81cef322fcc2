"""Dense captioning explored: the heat map, a cell's curve and errors, what-ifs, two systems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import format
from app.exports import Export
from app.inspectors.panel import Panel, Systems
from app.models.columns import Column
from app.models.dense import FIRST, SHOWN, DenseItems, cell_sentence, thresholds_in_words
from app.views.dense_cards import DIFFERENCE, LAB, DenseCards
from app.views.dense_cell import cell_of, cell_of_metric, thresholds_of
from app.views.dense_others import DenseOthers
from app.views.dense_rows import DenseRows
from app.views.dense_study import Study
from app.views.difference import moved_sentence
from app.views.thresholds import standing
from core.metrics.dense_cuts import Thresholds
from core.metrics.dense_moves import Moves, moves
from core.model import Evaluation, Heatmap

LOADING = "The other systems are being read."


class DensePanel(Panel):
    """Everything follows the thresholds: the cell, the curve, the costs and the table's rows."""

    def __init__(self) -> None:
        super().__init__()
        self.thresholds = FIRST
        self.items: DenseItems | None = None
        self.moves: Moves | None = None
        self.against = ""
        self._systems: Systems = {}
        self._study = Study(self)
        self._others = DenseOthers(self)
        self.rows = DenseRows(self)
        self.cards = DenseCards()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.cards)
        self._connect()

    def _connect(self) -> None:
        cards = self.cards
        cards.view_chosen.connect(self._view_chosen)
        cards.cell_chosen.connect(self._cell_chosen)
        cards.left.connect(self.left)
        cards.lab.turned.connect(self.set_thresholds)
        cards.cell.costs.kind_chosen.connect(self.rows.choose_kind)
        cards.difference.system_chosen.connect(self._compare_with)
        cards.moved.image_chosen.connect(self.rows.choose_image)
        self.rows.changed.connect(self._show_rows)
        self._study.captions_read.connect(self._captions_read)
        self._study.finished.connect(self._study_finished)
        self._study.noted.connect(cards.cell.costs.show_note)
        self._others.arrived.connect(self._others_arrived)

    @property
    def view(self) -> int:
        """Which of the views is in sight."""
        return self.cards.views.index

    def get_ready(self) -> None:
        self.cards.cell.get_ready()

    # One evaluation

    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        self._systems = systems
        self.items = self._study.begin(evaluation)
        scores = self.items.claims.scores
        if len(scores):
            self.cards.lab.set_scores(float(scores[-1]), float(scores[0]))
        self.cards.show_map(heatmap_of(evaluation))
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

    def _offer_others(self, system: str) -> None:
        names = [name for name in self._systems if name != system]
        if self.against not in names:
            self.against = names[0] if names else ""
        self.cards.offer(names, self.against)
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
        self.cards.cell.costs.show_costs(self._study.costs)

    # Thresholds

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Let everything follow other thresholds."""
        self.thresholds = thresholds
        if self.items is None:
            return
        self.cards.lab.set_thresholds(thresholds)
        self.cards.set_cell(cell_of(thresholds))
        self._show_cell(self.items)
        self._show_moves(self.items)
        self._show_rows()

    def _show_cell(self, items: DenseItems) -> None:
        is_lab = self.view == LAB
        others = self._others.claims.values() if is_lab else ()
        self.cards.cell.show_cell(items, self.thresholds, others)
        if is_lab:
            self._show_standings(items)
        if self.view != DIFFERENCE:
            self.cards.show_title(cell_sentence(items, self.thresholds))

    def _show_standings(self, items: DenseItems) -> None:
        system = items.evaluation.system
        everyone = {system: items.claims, **self._others.claims}
        standings = [standing(n, claims, self.thresholds) for n, claims in everyone.items()]
        self.cards.lab.show_systems(standings, system)

    def _show_rows(self) -> None:
        if self.items is not None:
            self.shown_rows = self.rows.wanted(self.items, self.thresholds, self.moves)
            self.rows_changed.emit()

    # What the user chooses

    def _cell_chosen(self, row: int, column: int) -> None:
        self.rows.forget_kind()
        self.set_thresholds(thresholds_of((row, column)))

    def _view_chosen(self, index: int) -> None:
        self.rows.forget_image()
        self._read_others()
        self.set_thresholds(self.thresholds)

    def show_metric(self, name: str) -> None:
        cell = cell_of_metric(name)
        if cell is not None:
            self._cell_chosen(*cell)

    # Other systems

    def _read_others(self) -> None:
        if self.items is not None and self.view in (LAB, DIFFERENCE):
            system = self.items.evaluation.system
            self._others.read({n: load for n, load in self._systems.items() if n != system})

    def _others_arrived(self) -> None:
        if self.items is not None:
            self.set_thresholds(self.thresholds)

    def _compare_with(self, system: str) -> None:
        self.against = system
        self.rows.forget_image()
        self.set_thresholds(self.thresholds)

    def _show_moves(self, items: DenseItems) -> None:
        self.moves = None
        if self.view != DIFFERENCE:
            return
        other = self._others.items.get(self.against)
        if other is None:
            self.cards.difference.show_note(LOADING)
            self.cards.show_title("")
            return
        self.cards.difference.show_difference(
            heatmap_of(items.evaluation), heatmap_of(other.evaluation)
        )
        self.cards.set_cell(cell_of(self.thresholds))
        self.moves = moves(items.records, other.records, self.thresholds)
        names = [items.image_names[image] for image in self.moves.image.tolist()]
        self.cards.moved.show_moves(self.moves, names)
        self.cards.show_title(
            moved_sentence(self.moves, self.against), thresholds_in_words(self.thresholds)
        )

    # What the page asks

    def columns(self) -> tuple[Column, ...]:
        if self.items is None:
            return ()
        return self.rows.columns(self.items, self.thresholds)

    def shown_at_first(self) -> frozenset[str]:
        return SHOWN

    def sorted_by(self) -> str:
        return "score"

    def context(self) -> Thresholds:
        return self.thresholds

    def filter_bar(self) -> QWidget:
        return self.rows.filters

    def exports(self) -> Sequence[Export]:
        return () if self.items is None else self.cards.exports(self.items.evaluation)


def heatmap_of(evaluation: Evaluation) -> Heatmap:
    """The average precision of every pair of thresholds."""
    return next(figure for figure in evaluation.figures if isinstance(figure, Heatmap))


PANEL = DensePanel
