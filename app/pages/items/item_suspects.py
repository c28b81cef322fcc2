"""Suspects of a wrong reference on the Items page: two columns, and the filter that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.widgets.parts import button
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Jobs, Notify
    from jurydesk.app.state.session import Session
    from jurydesk.core.analysis.significance.item_discrimination import ItemDiscrimination
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Evaluation
    from jurydesk.core.tables.columns import Column

SUSPECT = "suspect"
QUERY = f"{SUSPECT} > 0"


class ItemSuspects(QObject):
    """Button that finds the suspects; `found` follows when their columns are there.

    `message` carries how many there are, and what to do.
    """

    found = Signal()
    message = Signal(object)

    def __init__(self, session: Session, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._job = DeskJob[tuple[str, int, frozenset[int]], "ItemDiscrimination | None"](
            self, session, jobs
        )
        self._job.arrived.connect(self._arrived)
        self._job.refused.connect(self.message)
        self.button = button(
            translate("Suspects"),
            self.find,
            hint=translate("Items that may have a wrong reference"),
        )

    def _key(self) -> tuple[str, int, frozenset[int]]:
        session = self._session
        results = frozenset(summary.id for summary in session.profile_systems())
        return session.profile, session.statistics_version, results

    def offer(self) -> None:
        """Show the button if there are two systems or more, which suspects need."""
        self.button.setVisible(len(self._session.profile_systems()) > 1)

    def find(self) -> None:
        """Find the suspects, and show them when they are there."""
        session = self._session
        if not session.has_desk or len(session.profile_systems()) < 2:
            return
        work = partial(find_suspects, session.desk, session.task, session.profile)
        known = self._job.request(self._key(), translate("Finding suspects"), work)
        if known is not None:
            self._arrived(known)

    def columns(self, evaluation: Evaluation) -> Sequence[Column]:
        """Return the columns of an evaluation's items; empty until suspects were looked for."""
        known = self._job.cached_result(self._key())
        if known is None:
            return ()
        from jurydesk.core.analysis.significance.suspect_table import discrimination_columns
        from jurydesk.core.analysis.units import resampling_units

        units = resampling_units(self._session.task, evaluation.items, evaluation.profile)
        place = {key: row for row, key in enumerate(known.ids)}
        rows = np.array([place.get(key, -1) for key in units.ids], dtype=np.int64)
        return discrimination_columns(known, rows[units.entry_of])

    def _arrived(self, found: ItemDiscrimination | None) -> None:
        if found is None:
            self.message.emit(translate("No metric of this competition has values by item."))
            return
        from jurydesk.core.analysis.significance.suspect_table import item_sentences

        self.found.emit()
        first, second, *_ = item_sentences(found)
        self.message.emit(f"{translate_text(first)} {translate_text(second)}")


def find_suspects(
    desk: Desk, task: AnyTask, profile: str, run: Run, notify: Notify
) -> ItemDiscrimination | None:
    """Return the discrimination of all items; None without values by item."""
    from jurydesk.core.analysis.significance.item_discrimination import assess_items

    return assess_items(desk, task, profile, run)
