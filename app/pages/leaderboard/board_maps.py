"""Rank plot and significance map of the board, in the place of its table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.pages.leaderboard.robustness_sheet import (
    MAP_WORDS,
    NO_ORDER,
    READING,
    assess,
    assessment_key,
    map_view,
)
from jurydesk.app.widgets.parts import Card, label
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translatable, translate, translate_text

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Jobs
    from jurydesk.app.pages.leaderboard.robustness_sheet import Assessments
    from jurydesk.app.state.session import Session
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.analysis.robustness.robustness import Robustness

RINGS = translatable("Rings are the ranks by score on the board.")
NO_MAP = {
    "rank_plot": translatable("There are no resamples of these scores, so no ranks in them."),
    "significance_map": translatable("The tests compare none of these systems, or claim no ranks."),
}
"""Reasons why a map is missing, if there is no other."""


class BoardMaps(Card):
    """The map that `part` chooses; it is computed when it is first looked at."""

    chosen = Signal()

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__("")
        self._session = session
        self._board: Leaderboard | None = None
        self.part = Segments(translate("Form of the board"))
        self.part.chosen.connect(self._choose)
        self.note = label("", "muted", wrap=True)
        self.view: QWidget | None = None
        self._assessment: Assessments = DeskJob(self, session, jobs)
        self._assessment.arrived.connect(self._show)
        self._assessment.refused.connect(self._say)
        self.body.addWidget(self.note)
        self.hide()

    @property
    def is_chosen(self) -> bool:
        """Whether a map is shown in the place of the table."""
        return self.part.index > 0

    def offer(self, board: Leaderboard | None) -> None:
        """Offer the maps of the whole board; one without ranks has none, and None neither."""
        has_ranks = board is not None and any(row.place is not None for row in board.rows)
        words = [translate("Scores"), *map(translate, MAP_WORDS.values())] if has_ranks else []
        if not words or self.part.index < 0:
            self.part.show_words(words)
        self._board = board
        if self.is_chosen:
            self._compute()

    def _choose(self) -> None:
        if self.is_chosen:
            self._compute()
        self.chosen.emit()

    def _compute(self) -> None:
        session, board = self._session, self._board
        if board is None:
            return
        tested, title = board.significance_tests, translate(READING)
        key = assessment_key(session, rescoring=False, tested=bool(tested))
        work = partial(assess, session.desk, session.task, session.profile, False, tested=tested)
        known = self._assessment.request(key, title.removesuffix(" …"), work)
        if known is None:
            self._say(title)
        else:
            self._show(known)

    def _say(self, sentence: str) -> None:
        if self.view is not None:
            self.view.hide()
            self.view.deleteLater()
            self.view = None
        self.note.setText(translate_text(sentence))

    def _show(self, found: Robustness | None) -> None:
        from jurydesk.core.analysis.significance.rank_maps import CAPTIONS, rank_maps, without_maps

        if found is None:
            self._say(translate(NO_ORDER))
            return
        if not self.is_chosen:
            return
        name = [*MAP_WORDS][self.part.index - 1]
        one = next((one for one in rank_maps(found) if one.name == name), None)
        if one is None:
            known = found.no_sampling if name == "rank_plot" else ""
            (reason,) = without_maps(found) or [known or NO_MAP[name]]
            self._say(reason)
            return
        caption = f"{translate_text(one.title)}. {translate(CAPTIONS[name])}"
        self._say(f"{caption} {translate(RINGS)}" if name == "rank_plot" else caption)
        self.view = map_view(one, found.places)
        self.body.addWidget(self.view)
        self.view.show()
