"""Sheet with the ranks of all systems under other reasonable choices: profile, ties, groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.app.pages.leaderboard.leaderboard_exports import TITLE
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.state.session import Session
from jurydesk.app.style.theme import px
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.parts import button, label, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import number

if TYPE_CHECKING:
    from jurydesk.core.analysis.robustness.robustness import Robustness
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.analysis.significance.rank_maps import MetricPair
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import Heatmap

READING = translatable("Ranking the systems under the choices that the desk holds …")
SCORING = translatable("Scoring the submissions again under other choices …")
NO_ORDER = translatable("Fewer than two systems have a reliable score, so there is no order.")
MAP_WORDS = {
    "rank_plot": translatable("Other samples"),
    "significance_map": translatable("Pairs"),
}
"""Words for the maps beside the choices."""
PLOT_HEIGHT = 300
LEAST_ROWS, MOST_ROWS = 3, 12
"""A longer table scrolls."""


AssessmentKey = tuple[bool, bool, str, int, frozenset[int]]
"""Whether the submissions are scored again and the board's tests are there, and the profile,
statistics and results in use."""
Assessments = DeskJob[AssessmentKey, "Robustness | None"]


def assessment_key(session: Session, *, rescoring: bool, tested: bool = False) -> AssessmentKey:
    """Return the key of the ranks of the results that are shown."""
    results = frozenset(summary.id for summary in session.profile_systems())
    return rescoring, tested, session.profile, session.statistics_version, results


class RobustnessSheet(Sheet):
    """Sheet that ranks the stored results at once, and on request scores under more choices.

    Scoring goes on when the sheet is closed; the next sheet shows its ranks.
    """

    def __init__(self, session: Session, assessments: Assessments, parent: QWidget) -> None:
        super().__init__(translate(TITLE), parent, width=760)
        self._session = session
        self._assessment = assessments
        self._assessment.arrived.connect(self.show_ranks)
        self._assessment.refused.connect(self._say)
        self.finding = label("", wrap=True)
        self.ranks = FilteredTable(translate(TITLE))
        self.table = self.ranks.table
        self.table.least_rows, self.table.most_rows = LEAST_ROWS, MOST_ROWS
        self.note = label(
            translate(
                "A range is over cases that differ, such as leaving out one group after the "
                "other. Only choices that change the order have a column."
            ),
            "muted",
            wrap=True,
        )
        self.rescore = button(translate("Score again under other choices"), self.score_again)
        self.rescore.setToolTip(translate("Reads the submissions again; the desk is not changed"))
        self.part = Segments(translate("Part of the sheet"))
        self.part.chosen.connect(self._show_part)
        self.part.hide()
        self.maps: list[QWidget] = []
        self._has_table = False
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label(translate(TITLE), "title"))
        self.body.addWidget(self.finding)
        self.body.addLayout(row_layout(self.part, None))
        self.body.addWidget(self.ranks)
        self.body.addWidget(self.note)
        self._close_button = button(translate("Close"), self.close)
        self.body.addLayout(row_layout(self.rescore, None, self._close_button))
        self.ranks.hide()
        self.note.hide()
        self.closed.connect(self._leave)
        again = self._key(rescoring=True)
        known = self._assessment.cached_result(again)
        self.rescore.setEnabled(known is None and not self._assessment.is_pending_for(again))
        if known is not None:
            self.show_ranks(known)
        else:
            self._assess(rescoring=not self.rescore.isEnabled())

    def _key(self, *, rescoring: bool) -> AssessmentKey:
        return assessment_key(self._session, rescoring=rescoring)

    def _leave(self) -> None:
        """Cancel the ranking of stored results, which takes a moment."""
        if not self._assessment.is_pending_for(self._key(rescoring=True)):
            self._assessment.cancel()

    def initial_focus(self) -> QWidget:
        return self.rescore if self.rescore.isEnabled() else self._close_button

    def score_again(self) -> None:
        """Score the submissions under choices that the desk does not hold."""
        self._close_button.setFocus()  # a disabled button would lose the focus
        self.rescore.setEnabled(False)
        self._assess(rescoring=True)

    def _assess(self, *, rescoring: bool) -> None:
        desk, task = self._session.desk, self._session.task
        title = translate(SCORING if rescoring else READING)
        self._say(title)
        key = self._key(rescoring=rescoring)
        if not self._assessment.is_pending_for(key):
            work = partial(assess, desk, task, self._session.profile, rescoring)
            self._assessment.start(key, title.removesuffix(" …"), work, quiet=not rescoring)

    def _say(self, sentence: str) -> None:
        self.finding.setText(translate_text(sentence))
        self.adjustSize()

    def show_ranks(self, found: Robustness | None) -> None:
        """Show the number of choices that change the order, and the ranks under them."""
        from jurydesk.core.analysis.robustness.robustness import (
            robustness_sentences,
            robustness_table,
        )
        from jurydesk.core.analysis.significance.rank_maps import without_maps

        if found is None:
            self._say(translate(NO_ORDER))
            return
        has_table = bool(found.changing)
        if has_table:
            columns = []
            for one in robustness_table(found):
                title = translate_text(one.title)
                columns.append(replace(one, title=title[:1].upper() + title[1:], tooltip=title))
            self.table.table_model.show(columns)
        self._has_table = has_table
        self._show_maps(found)
        sentences = (*robustness_sentences(found), *without_maps(found))
        self._say("\n".join(map(translate_text, sentences)))

    def _show_maps(self, found: Robustness) -> None:
        """Offer ranks in other samples, corrected p values of all pairs, and pairs of metrics."""
        from jurydesk.core.analysis.significance.rank_maps import metric_pairs, rank_maps

        for view in self.maps:
            view.hide()
            view.deleteLater()
        self.maps = []
        words = [translate("Choices")]
        for one in rank_maps(found):
            self._add_map(map_view(one, found.places))
            words.append(translate_text(MAP_WORDS[one.name]))
        figures = self._session.task.presentation.scatters
        for pair in metric_pairs(figures, self._session.profile_systems()):
            self._add_map(_pair_view(pair))
            words.append(translate_text(pair.figure.title))
        self.part.show_words(words, 0)
        self.part.setVisible(len(words) > 1)
        self._show_part()

    def _add_map(self, view: QWidget) -> None:
        view.hide()
        self.body.insertWidget(self.body.indexOf(self.note), view)
        self.maps.append(view)

    def _show_part(self) -> None:
        chosen = self.part.index
        self.ranks.setVisible(self._has_table and not chosen)
        self.note.setVisible(self._has_table and not chosen)
        for place, view in enumerate(self.maps, start=1):
            view.setVisible(place == chosen)
        self.adjustSize()


def map_view(heatmap: Heatmap, places: Sequence[int]) -> QWidget:
    """Return a map of a ranking with a row for each system; `places` are theirs by score."""
    from jurydesk.app.plots.rank_plot import rank_map_view

    view = rank_map_view(heatmap, places)
    view.setToolTip(translate_text(heatmap.title))
    return view


def _pair_view(pair: MetricPair) -> QWidget:
    from jurydesk.app.plots.plot import axis_title
    from jurydesk.app.plots.scatter import ScatterView

    figure = pair.figure
    title = translate_text(figure.title)
    view = ScatterView(title, figure.x_axis, figure.y_axis, pair.x, pair.y, pair.systems)
    view.setFixedHeight(px(PLOT_HEIGHT))
    view.numbers = pair.table
    axes = ((figure.x_axis, pair.x), (figure.y_axis, pair.y))
    view.tip_lines = lambda row: [
        pair.systems[row],
        *(f"{axis_title(axis)} {number(float(values[row]))}" for axis, values in axes),
    ]
    return view


def assess(
    desk: Desk,
    task: AnyTask,
    profile: str,
    rescoring: bool,
    run: Run,
    notify: Notify,
    tested: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
) -> Robustness | None:
    """Return the ranks under every choice; None where fewer than two systems have a reliable score.

    `tested` are the board's tests, if they are there.
    """
    from jurydesk.core.analysis.robustness.assessment import assess_robustness

    return assess_robustness(desk, task, profile, run, rescoring=rescoring, tested=tested)
