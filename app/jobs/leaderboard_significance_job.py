"""Significance of the differences between the systems of the board, computed in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.app.jobs.job import Tell
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.style.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.core.analysis.copied_systems import CopiedPair
    from jurydesk.core.analysis.significance import PairwiseSignificance
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class Significance:
    """Pairwise tests by profile, and the systems that look like copies of each other."""

    separations: Mapping[str, PairwiseSignificance] = field(default_factory=dict)
    copies: Mapping[str, tuple[CopiedPair, ...]] = field(default_factory=dict)


UNKNOWN = Significance()


class LeaderboardSignificance(LatestJob[tuple[int, ...], Significance]):
    """Compares the systems that a session shows, once for every set of results."""

    @property
    def significance(self) -> Significance:
        """What is known of the systems shown."""
        return self.known(self._key()) or UNKNOWN

    def waiting(self, *, scoring: bool) -> str:
        """Return why nothing is known of the systems yet; empty where nothing is computed."""
        if scoring:
            return "They are compared as soon as every system is scored."
        if not self.is_pending:
            return ""
        return f"The board's {quantity(len(self._key()) - 1, 'system')} are compared in pairs."

    def compare(self) -> None:
        """Compare the systems shown; of a single one its interval is computed."""
        session, key = self._session, self._key()
        if len(key) < 2 or session is None or session.desk is None or session.task is None:
            self.cancel()
            return
        work = partial(compute_significance, session.desk, session.task, session.profile_systems())
        self.request(key, "Comparing systems", work)

    def _key(self) -> tuple[int, ...]:
        """The choice of statistics, by number, and the results in the desk that are compared."""
        session = self._session
        if session is None:
            return ()
        return (session.statistics_version, *sorted(one.id for one in session.profile_systems()))


def compute_significance(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], run: Run, tell: Tell
) -> Significance:
    """Test every pair of these systems, and look for copies."""
    from jurydesk.core.analysis.leaderboard_significance import (
        desk_significance,
        find_copied_systems,
    )

    tests = desk_significance(desk, task, summaries, run)
    return Significance(tests, find_copied_systems(desk, task, summaries, run))
