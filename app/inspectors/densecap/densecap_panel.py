"""Panel of dense captioning: heat map, a cell's curve and errors, what-ifs, two systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.cell_card import cell_of, cell_of_metric, thresholds_of
from jurydesk.app.inspectors.densecap.densecap_panel_model import (
    INITIAL_THRESHOLDS,
    MISSED,
    SHOWN,
    Codes,
    DenseItems,
    cell_sentence,
    dense_columns,
    thresholds_in_words,
)
from jurydesk.app.inspectors.densecap.difference_map import difference_sentence
from jurydesk.app.inspectors.densecap.error_cards import DIFFERENCE, LAB, DenseCards
from jurydesk.app.inspectors.other_systems import OtherSystemParts
from jurydesk.app.inspectors.panel import Panel, Systems
from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.app.plots.plot_export import StampedTable
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.export.tables.panel_tables import panel_export
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE, Kind, mean_ap_lost
from jurydesk.core.metrics.detection.system_differences import ObjectDifferences, object_differences
from jurydesk.core.metrics.detection.threshold_what_if import Claims, Thresholds
from jurydesk.core.model.evaluation import (
    BoolArray,
    Evaluation,
    FloatArray,
    Heatmap,
    ResourceMissing,
)
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, DataColumn
from jurydesk.core.tables.numbers import percent
from jurydesk.core.tasks.densecap.missing_meteor import ItemCaptions, score_missing_meteor
from jurydesk.core.tasks.densecap.threshold_tables import (
    COMPLETED,
    COSTS,
    CURVE,
    SYSTEMS,
    cost_table,
    curve_table,
    heatmap_difference,
    heatmap_of,
    scores_at_thresholds,
    system_table,
    threshold_choices,
)

KEPT = 4
LEAST_CAPTION, LEAST_VERDICT = 90, 100
"""Least widths of a caption and of a verdict, unscaled, beside numbers."""
COMPUTING = translatable("METEOR of the remaining detections is being computed.")


@dataclass(frozen=True, slots=True, eq=False)
class StudyResult:
    """Result of studying an evaluation; `problem` explains why METEOR is missing."""

    items: DenseItems
    costs: Mapping[Kind, float] | None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _ReadCaptions:
    evaluation: Evaluation
    captions: ItemCaptions


class PanelStudies(QObject):
    """Studies one evaluation at a time in a job and caches the last few results."""

    captions_read = Signal()
    finished = Signal()
    noted = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: DenseItems | None = None
        self.costs: Mapping[Kind, float] | None = None
        self.is_done = False
        self._done: list[StudyResult] = []
        self._job: Job | None = None

    def begin(self, evaluation: Evaluation) -> DenseItems:
        """Return what is known of an evaluation; the rest follows by signals."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        known = next((one for one in self._done if one.items.evaluation is evaluation), None)
        self.items = known.items if known else DenseItems(evaluation)
        self.costs = known.costs if known else None
        self.is_done = known is not None
        self.noted.emit(known.problem if known else translate(COMPUTING))
        if known is None:
            self._start(evaluation)
        return self.items

    def _start(self, evaluation: Evaluation) -> None:
        job = Job(translate("Reading captions"), partial(_study, evaluation))
        job.partial_result.connect(self._show_captions)
        job.succeeded.connect(self._keep_study)
        job.progressed.connect(self._report_progress)
        self._job = view_jobs().start(job)

    def _report_progress(self, progress: Progress) -> None:
        if self.sender() is self._job and progress.total:
            share = percent(round(progress.done / progress.total, 2))
            self.noted.emit(f"{translate_text(progress.text)}: {share}")

    def _show_captions(self, read: _ReadCaptions) -> None:
        if self.items is not None and read.evaluation is self.items.evaluation:
            self.items = self.items.with_captions(read.captions)
            self.captions_read.emit()

    def _keep_study(self, studied: StudyResult) -> None:
        self._done = [*self._done[1 - KEPT :], studied]
        if self.items is not None and studied.items.evaluation is self.items.evaluation:
            self.items, self.costs, self.is_done = studied.items, studied.costs, True
            self.noted.emit(studied.problem)
            self.finished.emit()


def _study(evaluation: Evaluation, run: Run, notify: Notify) -> StudyResult:
    read: list[ItemCaptions] = []

    def hear(captions: ItemCaptions) -> None:
        read.append(captions)
        notify(_ReadCaptions(evaluation, captions))

    problem, meteor = "", None
    try:
        meteor = score_missing_meteor(evaluation.items, run, hear)
    except DeskError as gone:  # the desk was closed or the system scored again
        raise Cancelled from gone
    except ResourceMissing as missing:
        reason = translate_text(str(missing))
        problem = translate("The cost of each error kind is unknown: {reason}", reason=reason)
    items = _items(evaluation, read, meteor)
    complete = items.is_complete
    return StudyResult(items, run.call(mean_ap_lost, items.claims) if complete else None, problem)


def _items(
    evaluation: Evaluation, read: list[ItemCaptions], meteor: FloatArray | None
) -> DenseItems:
    items = DenseItems(evaluation, meteor, read[0] if read else None)
    items.claims  # noqa: B018 - cached here, on the worker's thread
    return items


FILTERS = (translatable("All"), translatable("True"), translatable("False"), translatable("Missed"))


class DenseRows(QObject):
    """Selects table rows by verdict, kind of error, and image."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.filters = Segments(translate("Verdict"))
        self.filters.show_words([translate(word) for word in FILTERS])
        # The list of items takes it as its bar and gives it back without a parent.
        self.destroyed.connect(self.filters.deleteLater)
        self._codes: Codes = np.empty(0, np.int8)
        self._kind: int | None = None
        self._image: int | None = None
        self.filters.chosen.connect(self._verdict_chosen)

    def columns(self, items: DenseItems, thresholds: Thresholds) -> tuple[Column, ...]:
        """Return the table's columns; later calls of `select` update their verdicts."""
        self._codes = items.verdicts(thresholds)
        return dense_columns(items, self._codes)

    def select(
        self, items: DenseItems, thresholds: Thresholds, differences: ObjectDifferences | None
    ) -> BoolArray | None:
        """Return the items (items,) to show, among the changed ones if any; None for all."""
        codes = items.verdicts(thresholds)
        if len(self._codes) == len(codes):
            self._codes[:] = codes  # in place, because the table column holds this array
        masks = [self._verdict_mask(self._codes)]
        if differences is not None:
            masks.append(items.of_objects(differences.objects))
            if self._image is not None:
                masks.append(items.columns["image"] == self._image)
        known = [mask for mask in masks if mask is not None]
        return np.asarray(np.logical_and.reduce(known)) if known else None

    def _verdict_mask(self, codes: Codes) -> BoolArray | None:
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

    def _verdict_chosen(self, index: int) -> None:
        self._kind = None
        self.changed.emit()

    def choose_kind(self, kind: str) -> None:
        """Show the items of one kind of error; a second call shows all."""
        code = list(KINDS).index(kind)  # type: ignore[arg-type]
        self._kind = None if self._kind == code else code
        self.filters.show_words([translate(word) for word in FILTERS], 0)
        self.changed.emit()

    def choose_image(self, image: int) -> None:
        self._image = image
        self.changed.emit()

    def forget_kind(self) -> None:
        """Show all kinds at the next selection."""
        self._kind = None

    def forget_image(self) -> None:
        """Show all images at the next selection."""
        self._image = None


class DenseOtherSystems(OtherSystemParts):
    """Other systems' records."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(_records, parent)

    @property
    def items(self) -> dict[str, DenseItems]:
        """Records of the systems that were read."""
        return self.parts

    @property
    def claims(self) -> dict[str, Claims]:
        """Claims of the systems that were read."""
        return {name: items.claims for name, items in self.parts.items()}


def _records(evaluation: Evaluation) -> DenseItems:
    items = DenseItems(evaluation)
    items.claims, items.records  # noqa: B018 - cached here, on the worker's thread
    return items


LOADING = translatable("The other systems are being read.")


class DensePanel(Panel):
    """Panel in which cell, curve, costs and table rows follow the thresholds."""

    guide_part = translatable("Thresholds")

    def __init__(self) -> None:
        super().__init__()
        self.thresholds = INITIAL_THRESHOLDS
        self.items: DenseItems | None = None
        self.moves: ObjectDifferences | None = None
        self.against = ""
        self.compared: frozenset[str] = frozenset()
        self._systems: Systems = {}
        self._study = PanelStudies(self)
        self._later = QTimer(self, singleShot=True)
        """Shows the captions and the rest of a study once where both arrive in one turn."""
        self._others = DenseOtherSystems(self)
        self.rows = DenseRows(self)
        self.cards = DenseCards()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.cards)
        self._connect()

    def _connect(self) -> None:
        cards = self.cards
        cards.table = self._table
        cards.marks = lambda systems: self.marks(systems)
        cards.view_chosen.connect(self._view_chosen)
        cards.cell_chosen.connect(self._cell_chosen)
        cards.table_requested.connect(self.table_requested)
        cards.save_requested.connect(self.save_requested)
        cards.lab.value_changed.connect(self.set_thresholds)
        cards.cell.row_hovered.connect(self.row_hovered)
        cards.cell.row_chosen.connect(self.row_chosen)
        cards.cell.rows_brushed.connect(self.rows_brushed)
        cards.cell.costs.kind_chosen.connect(self.rows.choose_kind)
        cards.difference.system_chosen.connect(self._compare_with)
        cards.moved.image_chosen.connect(self.rows.choose_image)
        self.rows.changed.connect(self._show_rows)
        self._study.captions_read.connect(self._later.start)
        self._study.finished.connect(self._later.start)
        self._later.timeout.connect(self._show_study)
        self._study.noted.connect(cards.cell.costs.show_note)
        self._others.arrived.connect(self._others_arrived)

    @property
    def least_width(self) -> int:
        return self.cards.least_width

    @property
    def view(self) -> int:
        return self.cards.views.index

    def prepare(self) -> None:
        self.cards.cell.curve.tip_lines = self._tip_lines

    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        self._systems = systems
        self.items = self._study.begin(evaluation)
        scores = self.items.claims.scores
        if len(scores):
            self.cards.lab.set_scores(float(scores[-1]), float(scores[0]))
        self.cards.show_map(evaluation, heatmap_of(evaluation))
        self._offer_others(evaluation.system)
        values = {score.metric: score.value for score in evaluation.scores}
        mean, boxes = (values.get(name, math.nan) for name in ("map", "detmap"))
        self.heading = translate(
            "{system}: mAP {number}", system=evaluation.system, number=numbers.number(mean)
        )
        self.finding = translate(
            "Mean of 30 average precisions. Detection alone: {number}. Click a cell to "
            "show its detections.",
            number=numbers.number(boxes),
        )
        self.columns_changed.emit()
        self._show_costs()
        self.set_thresholds(self.thresholds)
        self.finding_changed.emit()

    def show_compared(self, systems: Sequence[str]) -> None:
        if set(systems) != self.compared:
            self.compared = frozenset(systems)
            self._read_others()
            self.set_thresholds(self.thresholds)

    def _offer_others(self, system: str) -> None:
        names = [name for name in self._systems if name != system]
        if self.against not in names:
            self.against = names[0] if names else ""
        self.cards.offer(names, self.against)
        self._read_others()

    def _show_study(self) -> None:
        """Show what is known by now of the evaluation."""
        self.items = self._study.items
        self.columns_changed.emit()
        if self._study.is_done:
            self._show_costs()
            self.set_thresholds(self.thresholds)

    def _show_costs(self) -> None:
        self.cards.cell.costs.show_costs(self._study.costs)

    def set_thresholds(self, thresholds: Thresholds) -> None:
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
        known = self._others.claims
        others = {name: claims for name, claims in known.items() if is_lab or name in self.compared}
        self.cards.cell.curve.tip_lines = self._tip_lines
        self.cards.cell.show_cell(items, self.thresholds, others)
        if is_lab:
            self._show_standings(items)
        if self.view != DIFFERENCE:
            self.cards.show_title(cell_sentence(items, self.thresholds))

    def _table(self, name: str, kind: str) -> StampedTable:
        """Return a table at the chosen thresholds, with what it is made of."""
        items, at = self.items, self.thresholds
        if items is None:
            return (), None
        table: Sequence[DataColumn] | Heatmap
        results, choices = [items.evaluation], threshold_choices(at)
        if name == CURVE:
            table = curve_table(items, at)
        elif name == COSTS:
            costs = self._study.costs
            choices[COMPLETED] = costs is not None
            table = cost_table(items, at, costs)
        elif name == SYSTEMS:
            others = self._others.items
            results += [one.evaluation for one in others.values()]
            claims = {items.evaluation.system: items.claims, **self._others.claims}
            table = system_table(claims, at)
        else:
            other, choices = self._others.items[self.against].evaluation, {}
            results.append(other)
            table = heatmap_difference(heatmap_of(items.evaluation), heatmap_of(other))
        marks = self.marks(one.system for one in results)
        return panel_export(kind, name, table, results, choices, **marks)

    def _show_standings(self, items: DenseItems) -> None:
        system = items.evaluation.system
        everyone = {system: items.claims, **self._others.claims}
        standings = [
            scores_at_thresholds(n, claims, self.thresholds) for n, claims in everyone.items()
        ]
        self.cards.lab.show_systems(standings, system)

    def _show_rows(self) -> None:
        if self.items is not None:
            self.shown_rows = self.rows.select(self.items, self.thresholds, self.moves)
            self.rows_changed.emit()

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

    def _read_others(self) -> None:
        """Read all other systems where they are compared, else those that the board selects."""
        if self.items is None:
            return
        all_others = self.view in (LAB, DIFFERENCE)
        wanted = {name for name in self._systems if all_others or name in self.compared}
        wanted.discard(self.items.evaluation.system)
        if wanted:
            self._others.read({name: self._systems[name] for name in sorted(wanted)})

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
            self.cards.difference.show_note(translate(LOADING))
            self.cards.show_title("")
            return
        self.cards.difference.show_difference(
            heatmap_of(items.evaluation), heatmap_of(other.evaluation)
        )
        self.cards.set_cell(cell_of(self.thresholds))
        self.moves = object_differences(items.records, other.records, self.thresholds)
        names = [items.image_names[image] for image in self.moves.image.tolist()]
        self.cards.moved.show_moves(self.moves, names)
        self.cards.show_title(
            difference_sentence(self.moves, self.against), thresholds_in_words(self.thresholds)
        )

    def columns(self) -> tuple[Column, ...]:
        if self.items is None:
            return ()
        return self.rows.columns(self.items, self.thresholds)

    def initial_columns(self) -> frozenset[str]:
        return SHOWN

    def narrow_columns(self) -> tuple[Mapping[str, int], Sequence[str]]:
        least = {"caption": LEAST_CAPTION, "reference": LEAST_CAPTION, "verdict": LEAST_VERDICT}
        return least, ("reference", "iou")

    def initial_sorting(self) -> str:
        return "score"

    def context(self) -> Thresholds:
        """The thresholds, compared as the profile's program does."""
        above = self.items is not None and self.items.records.claims_above
        return replace(self.thresholds, claims_above=above)

    def _tip_lines(self, row: int) -> tuple[str, ...]:
        """Return the id and the caption of a detection."""
        if self.items is None:
            return ()
        texts = self.items.captions
        caption = "" if texts is None else texts.captions[row]
        return self.items.evaluation.items.ids[row], caption

    def set_current(self, row: int) -> None:
        self.cards.cell.curve.set_current(row)

    def set_hovered(self, row: int | None) -> None:
        self.cards.cell.curve.set_hovered(row)

    def clear_brush(self) -> None:
        self.cards.cell.curve.clear_brush()

    def filter_bar(self) -> QWidget:
        return self.rows.filters

    def exports(self) -> Sequence[Export]:
        return self.cards.exports()


PANEL = DensePanel
