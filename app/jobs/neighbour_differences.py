"""Background job for the differences by item between neighbours on the leaderboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from jurydesk.app.jobs.job import Tell
from jurydesk.app.jobs.latest_job import LatestJob

if TYPE_CHECKING:
    from jurydesk.app.pages.leaderboard.gains import GainCurve
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

KNOWN_PAIRS = 64


class NeighbourDifferences(LatestJob[tuple[int, int, str], "GainCurve | None"]):
    """Gains of one system over another by a metric, for the last `KNOWN_PAIRS` pairs."""

    def gains(self, first: str, second: str, metric: MetricInfo) -> GainCurve | None:
        """Return the gains of the first system over the second, or None until they are read."""
        session = self._session
        if session is None or session.desk is None or session.task is None:
            return None
        pair = session.summary(first), session.summary(second)
        if pair[0] is None or pair[1] is None:
            return None
        key = (pair[0].id, pair[1].id, metric.name)
        work = partial(read_gains, session.desk, session.task, metric, (pair[0], pair[1]))
        return self.request(key, "Reading the differences", work)


def read_gains(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    run: Run,
    tell: Tell,
) -> GainCurve | None:
    """Return the gains, or None if there are no values by item or unit."""
    from jurydesk.app.pages.leaderboard.gains import gains_of
    from jurydesk.core.analysis.pairwise import pair_items
    from jurydesk.core.analysis.units import resampling_units
    from jurydesk.core.desk.item_queries import load_item_columns

    wanted = (metric.name,) if task.scoring.units is None else None
    found = []
    for done, one in enumerate(pair):
        run.report(done, len(pair), f"reading {one.system}")
        found.append(resampling_units(task, load_item_columns(desk, one.id, wanted), one.profile))
    compared = pair_items(metric, *found)
    return None if compared is None or not compared.ids else gains_of(compared)
