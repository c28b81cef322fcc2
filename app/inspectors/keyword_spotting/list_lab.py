"""Slider of a threshold of a ranked list, with what it gives for the query and for all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
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
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList


class ListLab(QWidget):
    """Dial of a threshold; `changed` carries the list at the chosen one.

    A kind of lab says which lists have it, and what a threshold gives.
    """

    changed = Signal(object)

    def __init__(self, title: str, name: str, low: float) -> None:
        super().__init__()
        self.dial = Dial(name, low, 1.0)
        self.reset = button(translate("As scored"), self.show_scored, kind="link")
        self.sentence = label("", "small", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        head = label(title, "muted")
        column.addLayout(row_layout(head, self.dial.slider, self.dial.box, self.reset))
        column.addWidget(self.sentence)
        self._ranked: RankedList | None = None
        self._item: InspectedItem | None = None
        self._threshold: float | None = None
        self._whole: Any = None
        self._columns: object = None
        self._job: Job | None = None
        self.dial.value_changed.connect(self._dial_turned)
        theme().follow(self._scale)
        self.sentence.hide()
        self.hide()

    @abstractmethod
    def fits(self, ranked: RankedList) -> bool:
        """Return whether a list has this threshold."""

    @abstractmethod
    def as_scored(self, ranked: RankedList) -> float:
        """Return the threshold under which a list was scored; may set the range."""

    @abstractmethod
    def what_if(self, lists: Sequence[RankedList]) -> Any:
        """Return what answers for these lists at any threshold."""

    @abstractmethod
    def list_at(self, ranked: RankedList, threshold: float) -> tuple[RankedList, str]:
        """Return a list at a threshold, and what it gives for the query."""

    @abstractmethod
    def describe_all(self, whole: Any, threshold: float) -> str:
        """Return what a threshold gives for the lists of all queries."""

    def _scale(self) -> None:
        self.dial.scale()

    @property
    def threshold(self) -> float | None:
        """The chosen threshold; None for that of the protocol."""
        return self._threshold

    def show_item(self, item: InspectedItem, ranked: RankedList) -> RankedList:
        """Show another query; return its list at the chosen threshold."""
        if item.columns is not self._columns:
            self._columns, self._whole = item.columns, None
            self._threshold, self._job = None, None
        self._item, self._ranked = item, ranked
        fits = self.fits(ranked)
        self.setVisible(fits)
        if not fits:
            return ranked
        scored = self.as_scored(ranked)
        self.dial.set_value(scored if self._threshold is None else self._threshold)
        self.reset.setEnabled(self._threshold is not None)
        return self._at_threshold(ranked)

    def show_scored(self) -> None:
        """Return to the threshold of the protocol."""
        self._choose(None)

    def _dial_turned(self) -> None:
        self._choose(round(self.dial.value, 2))

    def _choose(self, threshold: float | None) -> None:
        if self._ranked is None:
            return
        self._threshold = threshold
        self.reset.setEnabled(threshold is not None)
        if threshold is None:
            self.dial.set_value(self.as_scored(self._ranked))
        elif self._whole is None and self._job is None:
            self._read_all()
        self.changed.emit(self._at_threshold(self._ranked))

    def _at_threshold(self, ranked: RankedList) -> RankedList:
        self.sentence.setVisible(self._threshold is not None)
        if self._threshold is None:
            self.sentence.setText("")
            return ranked
        shown, own = self.list_at(ranked, self._threshold)
        every = translate("The other queries are being read.")
        if self._whole is not None:
            every = self.describe_all(self._whole, self._threshold)
        self.sentence.setText(f"{own} {every}")
        return shown

    def _read_all(self) -> None:
        item = self._item
        if item is None or item.show is None:
            return
        count = len(next(iter(item.columns.values()), ()))
        work = partial(_read, item.show, count, self.what_if)
        job = Job(translate("Reading lists"), work, quiet=True)
        job.succeeded.connect(self._take_all)
        self._job = view_jobs().start(job)

    def _take_all(self, found: Any) -> None:
        if self.sender() is not self._job:
            return
        self._job, self._whole = None, found
        if self._ranked is not None and self._threshold is not None:
            self._at_threshold(self._ranked)


def _read(
    show: Callable[[int], Any],
    count: int,
    what_if: Callable[[Sequence[RankedList]], Any],
    run: Run,
    notify: Notify,
) -> Any:
    """Return what answers for the lists of all queries; the work of a job."""
    found: list[RankedList] = []
    try:
        for row in range(count):
            run.check()
            found.append(show(row))
    except DeskError as gone:  # the desk was closed or the system scored again
        raise Cancelled from gone
    return what_if(found)
