"""Why: where another number comes from, what profiles do, what new reference data change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from app.command import Command
from app.exports import Export
from app.pages.page import Page
from app.pages.why_errata import ErrataPane
from app.pages.why_number import NumberPane
from app.pages.why_parts import Pane, TableCard
from app.pages.why_profiles import ProfilesPane
from app.session import Part
from app.theme import px
from app.views.export import csv_writer, json_writer
from app.widgets.segments import Segments

if TYPE_CHECKING:
    from app.services import Services
    from app.session import Session

TITLES = ("A number", "Profiles", "New reference data")


class WhyPage(Page):
    """Three questions about numbers, of which one is in front."""

    id = "why"
    title = "Why"
    needs_scores = True

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.number = NumberPane(session)
        self.profiles = ProfilesPane(session)
        self.errata = ErrataPane(session)
        self.panes: tuple[Pane, ...] = (self.number, self.profiles, self.errata)
        self.segments = Segments("Question")
        self.segments.show_words(TITLES)
        self.segments.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.stack = QStackedWidget()
        for pane in self.panes:
            self.stack.addWidget(pane)
            pane.said.connect(self._said)
            pane.opened.connect(self._open)
            pane.changed.connect(self.changed)
        room = self.stack.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.stack.setSizePolicy(room)
        self.body.addWidget(self.segments)
        self.body.addWidget(self.stack, 1)
        self.segments.chosen.connect(self._choose)
        session.subscribe(Part.RESULTS, self._forget)
        session.subscribe(Part.OPTIONS, self._options_changed)

    def join(self, services: Services) -> None:
        for pane in self.panes:
            pane.services = services

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.segments.set_room(self.width() - 2 * px(22))

    def arrive(self) -> None:
        self._refresh()
        self.number.number.setFocus()

    @property
    def pane(self) -> Pane:
        """The question in front."""
        return self.panes[self.stack.currentIndex()]

    def _choose(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        """Offer what the question in front can be asked of; nothing before a system is scored."""
        self.stack.setVisible(bool(self.session.systems))
        self.pane.refresh()

    def _said(self, finding: str) -> None:
        if self.sender() is self.pane:
            self.say(finding)

    def _forget(self) -> None:
        """The results are others now: no answer holds any more."""
        self.number.clear()
        self.profiles.clear()
        self.errata.clear()
        if self.isVisible():
            self._refresh()

    def _options_changed(self) -> None:
        if self.isVisible():
            self._refresh()

    def _open(self, system: str, metric: str, item: str) -> None:
        self.session.select(system, metric or None, item)
        self.asked.emit("items")

    # What the user asks

    def commands(self) -> Sequence[Command]:
        return (
            Command("why.number", "Explain a number", "View", "show_number", group=4,
                    spoken="why is my score different paper"),
            Command("why.profiles", "Profiles side by side", "View", "show_profiles", group=4,
                    spoken="published corrected"),
            Command("why.errata", "New reference data", "View", "show_errata", group=4,
                    spoken="errata replace gold"),
        )  # fmt: skip

    def show_number(self) -> None:
        """Bring the question for a number to the front."""
        self.segments.choose(0)

    def show_profiles(self) -> None:
        """Bring the profiles to the front."""
        self.segments.choose(1)

    def show_errata(self) -> None:
        """Bring new reference data to the front."""
        self.segments.choose(2)

    def search(self) -> None:
        self.segments.choose(0)
        self.number.number.setFocus()

    def copied(self, headers: bool) -> str:
        return self._table().table.copied(headers=headers)

    def select_all(self) -> None:
        self._table().table.selectAll()

    def exports(self) -> Sequence[Export]:
        if self._table().isHidden():
            return ()
        return (
            Export("Items as table …", "*.csv", csv_writer(self._table().data)),
            Export("Items as JSON …", "*.json", json_writer(self._table().data)),
        )

    def _table(self) -> TableCard:
        """The items of the question in front."""
        return self.panes[self.stack.currentIndex()].items
