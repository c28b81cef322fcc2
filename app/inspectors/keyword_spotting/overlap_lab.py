"""Slider of the least overlap: verdicts on a list, and mean AP, at any threshold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.app.style.theme import theme
from jurydesk.app.widgets.controls import Dial
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.language import translate
from jurydesk.core.metrics.spotting.overlap_what_if import OverlapOutcome, OverlapWhatIf
from jurydesk.core.tables import numbers
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.overlap_lists import (
    candidate_list,
    list_at,
    stored_rules,
)

LEAST = 0.01


class OverlapLab(QWidget):
    """Dial of the least overlap; `changed` carries the list at the chosen one."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.dial = Dial(translate("Least overlap"), LEAST, 1.0)
        self.reset = button(translate("As scored"), self.show_scored, kind="link")
        self.sentence = label("", "small", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        head = label(translate("Overlap"), "muted")
        column.addLayout(row_layout(head, self.dial.slider, self.dial.box, self.reset))
        column.addWidget(self.sentence)
        self._ranked: RankedList | None = None
        self._item: InspectedItem | None = None
        self._threshold: float | None = None
        self._whole: OverlapWhatIf | None = None
        self._columns: object = None
        self._job: Job | None = None
        self.dial.value_changed.connect(self._dial_turned)
        theme().follow(self._scale)
        self.sentence.hide()
        self.hide()

    def _scale(self) -> None:
        self.dial.scale()

    @property
    def threshold(self) -> float | None:
        """The chosen least overlap; None for that of the protocol."""
        return self._threshold

    def show_item(self, item: InspectedItem, ranked: RankedList) -> RankedList:
        """Show another query; return its list at the chosen overlap."""
        if item.columns is not self._columns:
            self._columns, self._whole = item.columns, None
            self._threshold, self._job = None, None
        self._item, self._ranked = item, ranked
        self.setVisible(ranked.has_candidates)
        if not ranked.has_candidates:
            return ranked
        scored = stored_rules(ranked).threshold
        self.dial.set_value(scored if self._threshold is None else self._threshold)
        self.reset.setEnabled(self._threshold is not None)
        return self._at_threshold(ranked)

    def show_scored(self) -> None:
        """Return to the overlap of the protocol."""
        self._choose(None)

    def _dial_turned(self) -> None:
        self._choose(round(self.dial.value, 2))

    def _choose(self, threshold: float | None) -> None:
        if self._ranked is None:
            return
        self._threshold = threshold
        self.reset.setEnabled(threshold is not None)
        if threshold is None:
            self.dial.set_value(stored_rules(self._ranked).threshold)
        elif self._whole is None and self._job is None:
            self._read_all()
        self.changed.emit(self._at_threshold(self._ranked))

    def _at_threshold(self, ranked: RankedList) -> RankedList:
        if self._threshold is None:
            self.sentence.setText("")
            self.sentence.hide()
            return ranked
        self.sentence.show()
        what_if = OverlapWhatIf([candidate_list(ranked)], stored_rules(ranked))
        outcome = what_if.at(self._threshold)
        self._say(outcome)
        return list_at(ranked, what_if, outcome)

    def _say(self, outcome: OverlapOutcome) -> None:
        own = translate("AP of this query {ap}.", ap=numbers.number(float(outcome.ap[0])))
        if self._whole is None or self._threshold is None:
            self.sentence.setText(f"{own} {translate('The other queries are being read.')}")
            return
        all_of_them = self._whole.at(self._threshold)
        scored = self._whole.at(self._whole.rules.threshold)
        mean = translate(
            "Mean AP {mean} ({scored} as scored): {hits}, {repeated}, {wrong}.",
            mean=numbers.number(all_of_them.mean),
            scored=numbers.number(scored.mean),
            hits=numbers.quantity(all_of_them.hits, "hit"),
            repeated=numbers.quantity(all_of_them.repetitions, "repetition"),
            wrong=numbers.quantity(all_of_them.false_positives, "false positive"),
        )
        self.sentence.setText(f"{own} {mean}")

    def _read_all(self) -> None:
        item = self._item
        if item is None or item.show is None:
            return
        count = len(next(iter(item.columns.values()), ()))
        job = Job(translate("Reading lists"), partial(_read, item.show, count), quiet=True)
        job.succeeded.connect(self._take_all)
        self._job = view_jobs().start(job)

    def _take_all(self, found: OverlapWhatIf) -> None:
        if self.sender() is not self._job:
            return
        self._job, self._whole = None, found
        if self._ranked is not None and self._threshold is not None:
            self._at_threshold(self._ranked)


def _read(show: Callable[[int], Any], count: int, run: Run, notify: Notify) -> OverlapWhatIf:
    """Return the lists of all queries; the work of a job."""
    found: list[RankedList] = []
    try:
        for row in range(count):
            run.check()
            found.append(show(row))
    except DeskError as gone:  # the desk was closed or the system scored again
        raise Cancelled from gone
    return OverlapWhatIf([candidate_list(one) for one in found], stored_rules(found[0]))
