"""Background job for the significance of differences between the systems of the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.core.language import translate
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.copied_systems import CopiedPair
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class Significance:
    """Pairwise tests by profile, copied systems, and systems whose scores are not of their items.

    `contradicted` are the sentences about the latter, by system.
    """

    significance_tests: Mapping[str, PairwiseSignificance] = field(default_factory=dict)
    copies: Mapping[str, tuple[CopiedPair, ...]] = field(default_factory=dict)
    contradicted: Mapping[str, str] = field(default_factory=dict)


UNKNOWN = Significance()


class LeaderboardSignificance(DeskJob[tuple[int, ...], Significance]):
    """Pairwise comparison of a session's systems, computed once for each set of results."""

    @property
    def significance(self) -> Significance:
        """The significance between the session's systems, or `UNKNOWN`."""
        return self.cached_result(self._key()) or UNKNOWN

    def waiting(self, *, scoring: bool) -> str:
        """Return why the comparison is not ready; empty if none is running."""
        if scoring:
            return translate("The systems are compared as soon as all are scored.")
        if not self.is_pending:
            return ""
        return translate(
            "The board's {systems} are compared in pairs.",
            systems=quantity(len(self._key()) - 1, "system"),
        )

    def compare(self) -> None:
        """Compare the session's systems if there are at least two."""
        session, key = self._session, self._key()
        if len(key) < 2:
            self.cancel()
            return
        work = partial(compute_significance, session.desk, session.task, session.profile_systems())
        self.request(key, translate("Comparing systems"), work)

    def _key(self) -> tuple[int, ...]:
        """Return the version of the statistics, and the ids of the compared evaluations."""
        ids = (one.id for one in self._session.profile_systems())
        return (self._session.statistics_version, *sorted(ids))


def compute_significance(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], run: Run, notify: Notify
) -> Significance:
    """Compute the scores of these systems again from their items, test each pair, find copies."""
    from jurydesk.core.analysis.contradictions import contradictions
    from jurydesk.core.analysis.significance.leaderboard_significance import (
        desk_significance,
        find_copied_systems,
    )

    run.report(0, 0, translate("Comparing systems"))
    contradicted: dict[str, str] = {}
    for system, sentence in contradictions(desk, task, summaries, run.check):
        contradicted.setdefault(system, sentence)
    tests = desk_significance(desk, task, summaries, run)
    return Significance(tests, find_copied_systems(desk, task, summaries, run), contradicted)
