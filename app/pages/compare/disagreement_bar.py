"""Line below the list of two systems' items: on how many a second opinion disagrees."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.table_filter import TableFilter
from jurydesk.app.widgets.parts import ElidedLabel, row_layout
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tables import numbers


class DisagreementBar(QWidget):
    """Names two opinions and how often they disagree; its button lists these items alone."""

    def __init__(self, shown: TableFilter) -> None:
        super().__init__()
        self._filter = shown
        self._rows: IntArray = np.empty(0, dtype=np.int64)
        self.sentence = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.button = QPushButton()
        self.button.setProperty("kind", "small")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._toggle)
        row = row_layout(self.sentence, self.button, margins=(11, 6, 11, 8))
        row.setStretch(0, 1)
        self.setLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def clear(self) -> None:
        """Hide the line; the table that is filled next shows all items."""
        self.hide()
        self._filter.subset = None
        self.button.blockSignals(True)
        self.button.setChecked(False)
        self.button.blockSignals(False)

    def show_rows(self, rows: IntArray, metric: str, other: str) -> None:
        """Offer the rows (n,) of the items on which two metrics of these titles disagree."""
        self._rows = rows
        count = numbers.count(len(rows))
        self.sentence.setText(
            translate("{metric} and {other} disagree on {count}",
                      metric=metric, other=other, count=count)
        )  # fmt: skip
        self.sentence.setToolTip(tip(self.sentence.text()))
        self._name_button()
        self.setVisible(len(rows) > 0)

    def _name_button(self) -> None:
        count = numbers.count(len(self._rows))
        self.button.setText(
            translate("Show all")
            if self.button.isChecked()
            else translate("Show {count}", count=count)
        )
        self.button.setAccessibleDescription(self.sentence.text())

    def _toggle(self, is_checked: bool) -> None:
        self._name_button()
        self._filter.subset = None
        if is_checked:
            self._filter.subset = np.zeros(self._filter.table.table_model.total, dtype=bool)
            self._filter.subset[self._rows] = True
        self._filter.apply()
