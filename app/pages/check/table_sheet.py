"""Sheet of a table of results: first rows and columns, to change them before anything is scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.flow_layout import FieldGrid
from jurydesk.app.widgets.parts import button, clear_layout, label, row_layout
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import MetricInfo
from jurydesk.core.model.options import option_label
from jurydesk.core.tasks.table.table_columns import ROLES
from jurydesk.core.tasks.table.table_options import KINDS, Kind, TableOptions
from jurydesk.core.tasks.table.table_preview import MOST_ROWS, TablePreview

SETTINGS = ("layout", "missing", "repeats")
"""Options that are a choice of words."""
FIELDS = {one.name: one for one in fields(TableOptions)}
MOST_SCORES = 12
"""Scores that the sheet offers; the options take more."""
KIND_TITLES: dict[Kind, str] = {
    "0/1": "0/1",
    "share": translatable("share"),
    "count": translatable("count"),
    "real": translatable("real number"),
}
DIRECTIONS = {
    "higher": translatable("more is better"),
    "lower": translatable("less is better"),
    "neither": translatable("neither is better"),
}


class TableSheet(Sheet):
    """Columns of a table as they would be taken, and the choices that change them.

    `recognize` is called with the options of every change, and brings `show_preview`; `take` is
    called with them in the end.
    """

    def __init__(
        self,
        preview: TablePreview,
        files: int,
        recognize: Callable[[TableOptions], None],
        take: Callable[[TableOptions], None],
        parent: QWidget,
    ) -> None:
        super().__init__(translate("Columns of the results"), parent, width=980, top=24)
        self._options = preview.options
        self._preview = preview
        self._unread: list[str] = []
        self._recognize, self._take = recognize, take
        self.table = Table(translate("First rows"))
        self.table.most_rows = MOST_ROWS
        self.roles = {role: self._box(role, self._role_chosen) for role in ROLES}
        self.settings = {name: self._box(name, self._setting_chosen) for name in SETTINGS}
        for name, box in self.settings.items():
            titles = FIELDS[name].metadata["titles"]
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumContentsLength(0)
            for choice in FIELDS[name].metadata["choices"]:
                box.addItem(translate(titles[choice]), choice)
        self.first = ChoiceBox()
        self.first.setAccessibleName(translate("Ranked by"))
        self.first.activated.connect(lambda _: self._choose_scores())
        self.scores: dict[str, ScoreRow] = {}
        self._lay_out(preview, files)
        self.show_preview(preview)

    def _lay_out(self, preview: TablePreview, files: int) -> None:
        program = preview.table.program if preview.table is not None else ""
        name = f"{preview.path.name} ({program})" if program else preview.path.name
        text = translate("The first rows of {file}; nothing is scored yet.", file=name)
        if files > 1:
            text = f"{text} {translate('All files are read with the same columns.')}"
        self.add_head(text)
        self.body.addWidget(self.table)
        boxes = {**self.roles, "first": self.first, **self.settings}
        titles = {name: option_label(FIELDS[name]) for name in boxes if name in FIELDS}
        titles["first"] = translatable("Ranked by")
        self._fields = FieldGrid(
            [(translate_text(titles[name]), box) for name, box in boxes.items()], 3
        )
        self.body.addWidget(self._fields)
        self.score_grid = QGridLayout()
        self.body.addLayout(self.score_grid)
        self.remark = label("", "small", wrap=True)
        self.body.addWidget(self.remark)
        cancel = button(translate("Cancel"), self.close)
        self.keep = button(translate("Take these columns"), self.accept, "primary")
        self.body.addLayout(row_layout(None, cancel, self.keep))

    def _box(self, name: str, chosen: Callable[[str], None]) -> ChoiceBox:
        box = ChoiceBox()
        box.setAccessibleName(translate_text(option_label(FIELDS[name])))
        box.setMinimumContentsLength(6)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(lambda _: chosen(name))
        return box

    def initial_focus(self) -> QWidget:
        return self.keep

    def fit(self, width: int) -> None:
        """Place the choices in the columns that there is room for."""
        self._fields.fit(self.inner_width)
        self._place_scores()

    # What is shown

    def show_preview(self, preview: TablePreview) -> None:
        """Show how these options take the table."""
        self._options, self._preview = preview.options, preview
        self.table.table_model.show(preview.first_rows())
        names = preview.names()
        for role, box in self.roles.items():
            found = preview.roles.get(role, "")
            is_free = bool(getattr(preview.options, role)) or not found
            extra = [found] if found and found not in names else []
            items = [*([""] if is_free else []), *extra, *names]
            _fill(box, {one: one or "—" for one in items}, found)
        for name, box in self.settings.items():
            box.setCurrentIndex(box.findData(getattr(preview.options, name)))
        _fill(self.first, {one.name: one.name for one in preview.metrics}, _first(preview))
        self._show_scores(preview)
        self._show_remark()

    def _show_scores(self, preview: TablePreview) -> None:
        """Show a row for each score, and for each further column of numbers."""
        found: list[tuple[MetricInfo | str, Kind | None]] = [
            *((info, preview.kinds[info.name]) for info in preview.metrics),
            *((name, None) for name in preview.others),
        ]
        wanted = [_score_name(metric) for metric, _ in found[:MOST_SCORES]]
        if wanted != list(self.scores):
            self._build_scores(wanted)
        is_wide = "metric" not in preview.roles
        for row, (metric, kind) in zip(self.scores.values(), found, strict=False):
            row.show(metric, kind)
            row.tick.setEnabled(is_wide and row.name in preview.names())

    def _build_scores(self, names: Sequence[str]) -> None:
        had = self._focused_score()
        clear_layout(self.score_grid)
        self.scores = {name: ScoreRow(name) for name in names}
        for row in self.scores.values():
            row.tick.clicked.connect(lambda _: self._choose_scores())
            for box in (row.direction, row.kind):
                box.activated.connect(lambda _: self._scores_changed())
            row.range.editingFinished.connect(self._scores_changed)
        self._place_scores()
        self._order_tabs()
        if had is not None:
            (self._score_widget(had) or self.keep).setFocus()

    def _place_scores(self) -> None:
        """Place a score's controls in one row, or its name above them where that has no room."""
        rows = [row.widgets() for row in self.scores.values()]
        columns = zip(*rows, strict=True)
        needed = sum(max(one.minimumSizeHint().width() for one in column) for column in columns)
        is_wide = needed + 3 * self.score_grid.horizontalSpacing() <= self.inner_width
        for place, (tick, *others) in enumerate(rows):
            self.score_grid.addWidget(tick, 2 * place, 0, 1, 1 if is_wide else 3)
            for column, widget in enumerate(others, start=int(is_wide)):
                self.score_grid.addWidget(widget, 2 * place + int(not is_wide), column)
        for column in range(4):
            self.score_grid.setColumnStretch(column, int(is_wide or column < 3))

    def _order_tabs(self) -> None:
        before: QWidget = self.settings[SETTINGS[-1]]
        for row in self.scores.values():
            for widget in row.widgets():
                self.setTabOrder(before, widget)
                before = widget

    def _focused_score(self) -> tuple[str, int] | None:
        """Return the score and the column of the row's widget that has the focus."""
        for name, row in self.scores.items():
            for column, widget in enumerate(row.widgets()):
                if widget.hasFocus():
                    return name, column
        return None

    def _score_widget(self, place: tuple[str, int] | None) -> QWidget | None:
        if place is None or place[0] not in self.scores:
            return None
        return self.scores[place[0]].widgets()[place[1]]

    def _show_remark(self) -> None:
        """Say what is wrong with these columns, or which are not offered here."""
        preview = self._preview
        found = [*self._unread, *(translate_text(one.found) for one in preview.defects[:2])]
        more = len(preview.metrics) + len(preview.others) - len(self.scores)
        if more > 0:
            found.append(translate("{count} more columns are not shown here.", count=more))
        self.remark.setText(" ".join(found))
        self.remark.setVisible(bool(found))

    # What is chosen

    def _role_chosen(self, role: str) -> None:
        column = self.roles[role].currentData()
        others = {
            one: ""
            for one in ROLES
            if one != role and column and getattr(self._options, one) == column
        }
        self._change({**others, role: column})

    def _setting_chosen(self, name: str) -> None:
        self._change({name: self.settings[name].currentData()})

    def _choose_scores(self) -> None:
        """Rank by the chosen score, and take those that are ticked."""
        ticked = [name for name, row in self.scores.items() if row.tick.isChecked()]
        hidden = [name for name in self._options.score if name not in self.scores]
        first = self.first.currentData()
        names = sorted((*ticked, *hidden), key=lambda name: name != first)
        self._change({"score": tuple(names)})

    def _scores_changed(self) -> None:
        """Take the directions, ranges and kinds that were changed."""
        rows = [row for row in self.scores.values() if row.is_taken]
        changed = {row.name for row in rows if row.direction.currentData() != row.shown[0]}
        options = self._options
        given: dict[str, Any] = {}
        for name in ("lower", "higher"):
            kept = tuple(one for one in getattr(options, name) if one not in changed)
            chosen = {row.name for row in rows if row.direction.currentData() == name}
            given[name] = (*kept, *sorted(chosen & changed))
        kinds = {row.name: row.kind.currentData() for row in rows if row.is_changed(1)}
        spans = {row.name: row.span() for row in rows if row.is_changed(2)}
        self._unread = [row.unread_range() for row in rows if not spans.get(row.name, "0:1")]
        self._unread = list(filter(None, self._unread))
        given["kind"] = _replaced(options.kind, kinds)
        given["range"] = _replaced(options.range, spans)
        self._change(given)
        self._show_remark()

    def _change(self, values: Mapping[str, Any]) -> None:
        options = replace(self._options, **values)
        if options != self._options:
            self._options = options
            self._recognize(options)

    def accept(self) -> None:
        """Take these columns, and close."""
        self._take(self._options)
        self.close()


class ScoreRow:
    """Controls of one score, or of a column of numbers that is none."""

    def __init__(self, name: str) -> None:
        self.name, self.is_taken = name, False
        self.tick = QCheckBox(name)
        self.direction, self.kind, self.range = ChoiceBox(), ChoiceBox(), QLineEdit()
        self.direction.setAccessibleName(translate("Direction of {name}", name=name))
        self.kind.setAccessibleName(translate("Kind of {name}", name=name))
        self.range.setAccessibleName(translate("Range of {name}, such as 0:1", name=name))
        self.shown = ("", "", "")

    def show(self, metric: MetricInfo | str, kind: Kind | None) -> None:
        """Show a score with its kind, or the name of a column that is none."""
        self.is_taken = isinstance(metric, MetricInfo)
        self.tick.setChecked(self.is_taken)
        better, span = "", ""
        if isinstance(metric, MetricInfo):
            better, span = metric.better, ":".join(f"{one:g}" for one in metric.range)
        words = {key: translate(one) for key, one in DIRECTIONS.items()}
        if better != "neither":
            del words["neither"]
        _fill(self.direction, words, better)
        _fill(self.kind, {one: translate(KIND_TITLES[one]) for one in KINDS}, kind or "")
        self.range.setText(span)
        self.shown = (better, kind or "", span)
        for widget in (self.direction, self.kind, self.range):
            widget.setEnabled(self.is_taken)

    def widgets(self) -> tuple[QWidget, ...]:
        """Return the controls in their order."""
        return self.tick, self.direction, self.kind, self.range

    def is_changed(self, place: int) -> bool:
        """Return whether direction, kind or range differ from what was shown."""
        now = (self.direction.currentData(), self.kind.currentData(), self.range.text())
        return bool(now[place] != self.shown[place])

    def span(self) -> str:
        """Return the typed range; empty, so that it is found again, if it cannot be read."""
        low, colon, high = self.range.text().partition(":")
        try:
            is_range = bool(colon) and float(low) < float(high)
        except ValueError:
            is_range = False
        return f"{float(low)!r}:{float(high)!r}" if is_range else ""

    def unread_range(self) -> str:
        """Return why the typed range is not taken; empty for an empty one."""
        text = self.range.text().strip()
        if not text:
            return ""
        return translate(
            'The range "{text}" of {name} cannot be read; that of its values is taken. '
            "Write it like 0:1.",
            text=text,
            name=self.name,
        )


def _replaced(given: tuple[str, ...], new: Mapping[str, str]) -> tuple[str, ...]:
    """Return options of the form NAME=VALUE with new values; an empty value removes one."""
    kept = [text for text in given if text.rpartition("=")[0] not in new]
    return (*kept, *(f"{name}={value}" for name, value in new.items() if value))


def _score_name(metric: MetricInfo | str) -> str:
    return metric.name if isinstance(metric, MetricInfo) else metric


def _first(preview: TablePreview) -> str:
    return preview.metrics[0].name if preview.metrics else ""


def _fill(box: ChoiceBox, words: Mapping[str, str], chosen: str) -> None:
    """Replace the choices of a box; it emits nothing."""
    box.clear()
    for value, text in words.items():
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(chosen))
