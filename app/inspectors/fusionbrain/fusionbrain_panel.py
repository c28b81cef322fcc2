"""Panel of a FusionBrain submission: sub-tasks, hidden sub-tasks, integral score."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.inspectors.panel import Panel, Systems
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.item_columns import number_columns
from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.parts import Card, label, restyle, row_layout
from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS, random_metrics
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.desk.summary import summarize
from jurydesk.core.language import localize_number, translatable, translate, translate_text
from jurydesk.core.model.evaluation import Evaluation, FloatArray
from jurydesk.core.model.system_names import file_stem
from jurydesk.core.tables import numbers as format
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import METRICS
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import (
    HIDDEN,
    SUBTASKS,
    Integral,
    SubTask,
    integral,
)

BESIDE_LIST = 640
"""Unscaled width below which the panel stands beside the list, and has height for more rows."""
SHARE = QRegularExpression(r"0?([.,]\d{0,6})?|1([.,]0{0,6})?")
"""A number from 0 to 1, with a decimal point or comma in every language."""


def model_warning(evaluation: Evaluation | None) -> str:
    """Return a warning if models with random weights made the scores; else an empty text."""
    if evaluation is None or not meaningless_metrics(evaluation):
        return ""
    return translate("Scores of pictures are meaningless: the models have random weights.")


def meaningless_metrics(evaluation: Evaluation) -> frozenset[str]:
    """Return the metrics whose scores come from models with random weights."""
    task = find_competition(evaluation.task)
    return frozenset() if task is None else random_metrics(task, [summarize(evaluation)])


def failed_pairs(evaluation: Evaluation) -> dict[str, int]:
    """Return the number of failed pairs by sub-task, which the original scores as 0."""
    items = evaluation.items
    failed = items.columns.get("failed")
    counts: dict[str, int] = {}
    for name, value in zip(items.ids, failed if failed is not None else (), strict=False):
        subtask = name.partition("/")[0]
        counts[subtask] = counts.get(subtask, 0) + (value == 1)
    return counts


class SubTaskTile(QPushButton):
    """Button of one sub-task with its score and the threshold for a prize."""

    chosen = Signal(str)

    def __init__(self, subtask: SubTask) -> None:
        super().__init__()
        self.subtask = subtask
        self.setProperty("kind", "tile")
        self.setAccessibleName(translate_text(subtask.title))
        self.score = label("", "title")
        self.threshold = label("", "small")
        self.items = label("", "small")
        self._title = label(translate_text(subtask.title), "small")
        column = QVBoxLayout(self)
        for part in (self._title, self.score, self.threshold, self.items):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column.addWidget(self._title)
        column.addWidget(self.score)
        column.addLayout(row_layout(self.threshold, self.items, None))
        self.clicked.connect(self._emit_chosen)
        theme().changed.connect(self._space)
        self._space()

    def _space(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(px(14), px(10), px(14), px(10))
            layout.setSpacing(px(2))

    @property
    def least_width(self) -> int:
        """Width in pixels that the texts need."""
        layout = self.layout()
        return 0 if layout is None else layout.minimumSize().width()

    def show_score(
        self, value: float, count: int, parts: list[str], failed: int = 0, doubt: str = ""
    ) -> None:
        """Show a submission's score, which may be NaN, and the number of failed pairs.

        A score with a `doubt` is in parentheses, without a verdict on the threshold.
        """
        known = not math.isnan(value)
        reached = known and value >= self.subtask.threshold
        number = format.number(value)
        self.score.setText(format.parenthesize(number) if doubt else number)
        restyle(self.score, "kind", "muted" if doubt else "title")
        threshold = format.number(self.subtask.threshold, 2)
        self.threshold.setText(f"{'≥' if reached or not known else '<'} {threshold}")
        tone = "small" if doubt or not known else "good" if reached else "bad"
        restyle(self.threshold, "kind", tone)
        text = translate("no items") if not count else format.quantity(count, "item")
        if failed:
            text = translate("{items}, {count} failed", items=text, count=format.count(failed))
        plain = known or failed or not count
        self.items.setText(text if plain else translate("{items}, not computed", items=text))
        self.setEnabled(count > 0)
        lowest = translate("Lowest score for a prize place: {threshold}", threshold=threshold)
        self.setToolTip(tip(doubt, *parts, lowest))
        said = format.number(value) if known else translate("not computed")
        self.setAccessibleDescription(" ".join(filter(None, (f"{said}. {lowest}. {text}.", doubt))))

    def set_chosen(self, chosen: bool) -> None:
        """Mark the tile whose items are shown."""
        restyle(self, "chosen", chosen)

    def _emit_chosen(self) -> None:
        self.chosen.emit(self.subtask.name)


class HiddenField(QWidget):
    """Field for the score of one hidden sub-task; empty if unknown."""

    changed = Signal(str, float)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        number = name.removeprefix("hidden")
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("–")
        self.edit.setAccessibleName(translate("Hidden sub-task {number}", number=number))
        self.edit.setToolTip(
            translate(
                "Hidden sub-task {number}: a score from 0 to 1, if it is known", number=number
            )
        )
        self.edit.setValidator(QRegularExpressionValidator(SHARE, self.edit))
        self.edit.editingFinished.connect(self._emit_changed)
        self._title: QLabel = label(number, "small")
        row = row_layout(self._title, self.edit, spacing=4)
        self.setLayout(row)
        theme().changed.connect(self._space)
        self._space()

    def _space(self) -> None:
        self.edit.setFixedWidth(px(64))

    def show_value(self, value: float) -> None:
        """Show another value without emitting `changed`; NaN empties the field."""
        if value != self.value():
            self.edit.setText("" if math.isnan(value) else localize_number(f"{value:g}"))

    def value(self) -> float:
        """Return the number in the field; NaN if it is empty."""
        text = self.edit.text().strip().replace(",", ".")
        try:
            return float(text)
        except ValueError:
            return math.nan

    def _emit_changed(self) -> None:
        self.changed.emit(self.name, self.value())


ITEM_COLUMNS = {
    "textqa": "textqa_f1",
    "mathqa": "mathqa_em",
    "generation": "generation_clip",
    "captioning": "captioning_meteor",
    "vqa": "vqa_meteor",
    "text_recognition": "text_recognition_ned",
}
"""Column with the items' own score, by sub-task."""

MARKS = ("by_letter", "reused", "by_number", "failed")
"""Columns in which 1 means that a rule determined the score."""


class SubmissionPanel(Panel):
    """Six tiles with scores, six fields for hidden scores, and the integral score.

    A pressed tile restricts the table to the items of its sub-task.
    """

    guide_part = translatable("Sub-tasks")

    wide = 412  # two tiles side by side, so that the list has room for texts

    def __init__(self) -> None:
        super().__init__()
        self.evaluation: Evaluation | None = None
        self.options = FusionBrainOptions()
        self.chosen_subtask = ""
        self.tiles = {one.name: SubTaskTile(one) for one in SUBTASKS}
        self.fields = {name: HiddenField(name) for name in HIDDEN}
        self.total = label("", "title")
        self._columns = 0
        self.sentence = label("", "muted", wrap=True)
        self._lay_out()
        for tile in self.tiles.values():
            tile.chosen.connect(self._choose)
        for field in self.fields.values():
            field.changed.connect(self._hidden_changed)
        theme().changed.connect(self._space)

    def _lay_out(self) -> None:
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.total_card = Card()
        fields = list(self.fields.values())
        self._hidden_title = label(translate("Hidden sub-tasks"), "heading")
        self.total_card.body.addLayout(FlowLayout(self._hidden_title, *fields, self.total))
        self.total_card.body.addWidget(self.sentence)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(self._grid)
        self._column.addWidget(self.total_card)
        self._column.addStretch(1)
        self._space()
        self._place_tiles(len(self.tiles))

    def _place_tiles(self, columns: int) -> None:
        """Place the tiles in rows of as many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for place, tile in enumerate(self.tiles.values()):
            self._grid.addWidget(tile, *divmod(place, columns))
        for column in range(len(self.tiles)):
            self._grid.setColumnStretch(column, int(column < columns))

    def _fitting_columns(self) -> int:
        """Return how many tiles have room in a row: a divisor of their number."""
        widest, gap = max(tile.least_width for tile in self.tiles.values()), px(10)
        most = 2 if self.width() < px(BESIDE_LIST) else len(self.tiles)
        counts = [n for n in range(most, 0, -1) if len(self.tiles) % n == 0]
        return next((n for n in counts if n * (widest + gap) <= self.width() + gap), 1)

    def minimumSizeHint(self) -> QSize:
        """Return the size with the tiles in one column, and the height at the current width."""
        widest = max(tile.least_width for tile in self.tiles.values())
        width = max(widest, self.total_card.minimumSizeHint().width())
        return QSize(width, super().minimumSizeHint().height())

    @property
    def least_width(self) -> int:
        """Return the width of two tiles."""
        widest = max(tile.least_width for tile in self.tiles.values())
        return max(2 * widest + px(10), self.minimumSizeHint().width())

    @property
    def least_height(self) -> int:
        """Return the height of the tiles in rows of two, and of the card below."""
        rows = -(-len(self.tiles) // 2)
        tiles = rows * (max(tile.sizeHint().height() for tile in self.tiles.values()) + px(10))
        if self.total_card.isHidden():
            return tiles
        return tiles + px(2) + self.total_card.heightForWidth(max(px(self.wide), self.least_width))

    def _space(self) -> None:
        self._grid.setSpacing(px(10))
        self._column.setSpacing(px(12))

    def _fit(self) -> None:
        """Keep the height that the cards need in the panel's width; the page may be higher."""
        column = self._column
        wanted = column.sizeHint().height()
        if column.hasHeightForWidth():
            wanted = column.heightForWidth(self.width())
        self.setMinimumHeight(wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_tiles(self._fitting_columns())
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        self.evaluation = evaluation
        counts, failed = self._counts(), failed_pairs(evaluation)
        warning, meaningless = model_warning(evaluation), meaningless_metrics(evaluation)
        for name, tile in self.tiles.items():
            value, parts = self._value(tile.subtask.metric), self._part_texts(name)
            doubt = warning if tile.subtask.metric in meaningless else ""
            tile.show_score(value, counts.get(name, 0), parts, failed.get(name, 0), doubt)
        if self.chosen_subtask and not counts.get(self.chosen_subtask):
            self.chosen_subtask = ""
        self.total_card.setVisible(self._has_integral())
        self.columns_changed.emit()
        self._show_rows()
        self._show_integral()

    def show_options(self, options: Any, *, editable: bool) -> None:
        if isinstance(options, FusionBrainOptions):
            self.options = options
            for field in self.fields.values():
                field.setEnabled(editable)
            self._show_integral()

    def show_metric(self, name: str) -> None:
        owner = next((one.name for one in SUBTASKS if name.startswith(one.name)), "")
        if owner != self.chosen_subtask and (not owner or self._counts().get(owner)):
            self.chosen_subtask = owner
            self._show_rows()

    def _value(self, metric: str) -> float:
        scores = () if self.evaluation is None else self.evaluation.scores
        return next((score.value for score in scores if score.metric == metric), math.nan)

    def _counts(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for subtask in self._subtasks():
            counts[subtask] = counts.get(subtask, 0) + 1
        return counts

    def _subtasks(self) -> list[str]:
        ids = () if self.evaluation is None else self.evaluation.items.ids
        return [name.partition("/")[0] for name in ids]

    def _part_texts(self, name: str) -> list[str]:
        """Return the parts of a score, if it has several."""
        infos = [info for info in METRICS if info.name.startswith(f"{name}_")]
        parts = [] if len(infos) < 2 else infos
        return [
            f"{translate_text(info.title)}: {format.number(self._value(info.name), info.decimals)}"
            for info in parts
        ]

    def _has_integral(self) -> bool:
        scores = () if self.evaluation is None else self.evaluation.scores
        return any(score.metric == "integral" for score in scores)

    @property
    def system(self) -> str:
        """Name of the system in the options: the stem of its file."""
        if self.evaluation is None:
            return ""
        stamp = self.evaluation.stamp
        return file_stem(Path(stamp["submission"]["path"])) if stamp else self.evaluation.system

    def integral(self) -> Integral:
        """Return the integral score with the hidden scores of the fields."""
        scores = () if self.evaluation is None else self.evaluation.scores
        known = {score.metric: score.value for score in scores}
        return integral(known, self.options.hidden_scores(self.system))

    def _show_integral(self) -> None:
        hidden = self.options.hidden_scores(self.system)
        for name, field in self.fields.items():
            field.show_value(hidden.get(name, math.nan))
        found = self.integral()
        number = format.number(found.value)
        if self.evaluation is not None and "integral" in meaningless_metrics(self.evaluation):
            number = format.parenthesize(number)
        self.total.setText(translate("Integral {number}", number=number))
        self.sentence.setText(self._sentence(found))
        self._update_finding(found)

    def _sentence(self, found: Integral) -> str:
        """Return the composition of the integral score, or what is missing."""
        parts = []
        if not math.isnan(found.open_part):
            parts.append(
                translate(
                    "The open sub-tasks give {number} of 0.4.",
                    number=format.number(found.open_part),
                )
            )
        if math.isnan(found.value):
            so_far = format.number(found.so_far)
            parts.append(
                translate(
                    "So far {so_far} points, with {value:.0f} % of the integral score known. "
                    "Missing: {join}.",
                    so_far=so_far,
                    value=100 * found.share,
                    join=", ".join(self._missing_titles()),
                )
            )
        if self._is_changed():
            parts.append(translate("Score again (Ctrl+R) to update the board."))
        return " ".join(filter(None, (*parts, model_warning(self.evaluation))))

    def _missing_titles(self) -> list[str]:
        opened = [
            translate_text(one.title) for one in SUBTASKS if math.isnan(self._value(one.metric))
        ]
        hidden = self.options.hidden_scores(self.system)
        numbers = [name.removeprefix("hidden") for name in HIDDEN if name not in hidden]
        return [
            *opened,
            *([translate("hidden sub-tasks {join}", join=", ".join(numbers))] if numbers else []),
        ]

    def _is_changed(self) -> bool:
        stamp = None if self.evaluation is None else self.evaluation.stamp
        if not stamp:
            return False
        return bool(list(self.options.hidden) != stamp["options"].get("hidden", []))

    def _update_finding(self, found: Integral) -> None:
        if self.evaluation is None:
            return
        system = self.evaluation.system
        meaningless = meaningless_metrics(self.evaluation)
        trusted = [one for one in SUBTASKS if one.metric not in meaningless]
        reached = [one for one in trusted if self._value(one.metric) >= one.threshold]
        if self._has_integral():
            known, so_far = (
                format.parenthesize(text) if "integral" in meaningless else text
                for text in (format.number(found.value), format.number(found.so_far))
            )
            whole = not math.isnan(found.value)
            self.heading = (
                translate("{system}: integral score {known}", system=system, known=known)
                if whole
                else translate("{system}: {so_far} points so far", system=system, so_far=so_far)
            )
            self.finding = translate(
                "{reached:d} of 6 open sub-tasks reach the lowest score for a prize place. "
                "Press a sub-task to show only its items.",
                reached=len(reached),
            )
            if len(trusted) < len(SUBTASKS):
                self.finding = translate(
                    "{reached:d} of {trusted:d} open sub-tasks reach the lowest score for a prize "
                    "place; the models of the others have random weights. Press a sub-task to "
                    "show only its items.",
                    reached=len(reached),
                    trusted=len(trusted),
                )
        else:
            one = next(one for one in SUBTASKS if one.name in self._subtasks())
            number = format.number(self._value(one.metric))
            doubtful = one.metric in meaningless
            shown = format.parenthesize(number) if doubtful else number
            self.heading = f"{system}: {translate_text(one.title)} {shown}"
            lowest = localize_number(f"{one.threshold:g}")
            self.finding = (
                translate(
                    "This reaches the lowest score for a prize place, {lowest}.", lowest=lowest
                )
                if reached
                else translate(
                    "This does not reach the lowest score for a prize place, {lowest}.",
                    lowest=lowest,
                )
            )
            if doubtful:
                self.finding = model_warning(self.evaluation)
        self.finding_changed.emit()

    def _hidden_changed(self, name: str, value: float) -> None:
        entries = self.options.with_hidden(self.system, name, None if math.isnan(value) else value)
        if entries != self.options.hidden:
            self.option_changed.emit("hidden", entries)

    def _choose(self, name: str) -> None:
        self.chosen_subtask = "" if name == self.chosen_subtask else name
        self._show_rows()

    def _show_rows(self) -> None:
        for name, tile in self.tiles.items():
            tile.set_chosen(name == self.chosen_subtask)
        wanted = np.array([name == self.chosen_subtask for name in self._subtasks()], np.bool_)
        self.shown_rows = wanted if self.chosen_subtask else None
        self.rows_changed.emit()

    def columns(self) -> tuple[Column, ...]:
        if self.evaluation is None:
            return ()
        items, subtasks = self.evaluation.items, self._subtasks()
        titles = {one.name: one.title for one in SUBTASKS}
        keys = [name.partition("/")[2] for name in items.ids]
        meaningless = meaningless_metrics(self.evaluation)
        metrics = [
            replace(info, doubt=RANDOM_WEIGHTS) if info.name in meaningless else info
            for info in METRICS
        ]
        has_texts = items.evidence is not None
        title = translatable("Question and answer") if has_texts else translatable("Key")
        return (
            TextColumn("item", title, keys, tooltip=translatable("Key in the files.")),
            TextColumn(
                "subtask",
                translatable("Sub-task"),
                [titles.get(name, name) for name in subtasks],
                is_prose=True,
            ),
            NumberColumn(
                "score",
                translatable("Score"),
                self._item_scores(),
                decimals=4,
                tooltip=translatable("The item's own score"),
                doubtful=frozenset(
                    row
                    for row, name in enumerate(subtasks)
                    if ITEM_COLUMNS.get(name) in meaningless
                ),
            ),
            *number_columns(self.evaluation, metrics, items.columns),
        )

    def _item_scores(self) -> FloatArray:
        if self.evaluation is None:
            return np.empty(0)
        columns = self.evaluation.items.columns
        rows = enumerate(self._subtasks())
        nothing = np.full(len(self.evaluation.items), np.nan)
        return np.array(
            [columns.get(ITEM_COLUMNS.get(name, ""), nothing)[row] for row, name in rows]
        )

    def initial_columns(self) -> frozenset[str]:
        names = () if self.evaluation is None else self.evaluation.items.columns
        return frozenset(("score", *(name for name in MARKS if name in names)))


PANEL = SubmissionPanel
