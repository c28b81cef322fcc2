"""Differences by item between neighbours on the leaderboard, read in a background job."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.core.language import translate

if TYPE_CHECKING:
    from jurydesk.core.analysis.comparison.pairwise import PairedItems
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.evaluation import MetricInfo

POINTS = 400
"""Maximum number of points of a curve; it is not painted wider."""


@dataclass(frozen=True, slots=True)
class GainCurve:
    """Counts, and a sample of the first system's gains over the second, largest first."""

    wins: int
    losses: int
    ties: int
    curve: tuple[float, ...]
    unit: str = ""
    """What was compared (`images`), if not the items."""


def gains_of(items: PairedItems) -> GainCurve:
    """Return the counts and a sampled curve of the gains."""
    ordered = np.sort(items.gains)[::-1]
    picked = np.linspace(0, len(ordered) - 1, min(len(ordered), POINTS)).round().astype(np.int64)
    curve = tuple(ordered[picked].tolist())
    return GainCurve(items.wins, items.losses, items.ties, curve, items.unit)


KNOWN_PAIRS = 64


class NeighbourDifferences(DeskJob[tuple[int, int, str], "GainCurve | None"]):
    """Gains of one system over another by a metric, for the last `KNOWN_PAIRS` pairs."""

    def gains(self, first: str, second: str, metric: MetricInfo) -> GainCurve | None:
        """Return the gains of the first system over the second, or None until they are read."""
        session = self._session
        pair = session.summary(first), session.summary(second)
        if pair[0] is None or pair[1] is None:
            return None
        key = (pair[0].id, pair[1].id, metric.name)
        work = partial(read_gains, session.desk, session.task, metric, (pair[0], pair[1]))
        return self.request(key, translate("Reading the differences"), work)


def read_gains(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    pair: tuple[Summary, Summary],
    run: Run,
    notify: Notify,
) -> GainCurve | None:
    """Return the gains, or None if there are no values by item or unit."""
    from jurydesk.core.analysis.comparison.pairwise import pair_items
    from jurydesk.core.analysis.units import resampling_units
    from jurydesk.core.desk.item_queries import load_item_columns

    wanted = (metric.name,) if task.scoring.units is None else None
    found = []
    for done, one in enumerate(pair):
        run.report(done, len(pair), translate("reading {system}", system=one.system))
        found.append(resampling_units(task, load_item_columns(desk, one.id, wanted), one.profile))
    compared = pair_items(metric, *found)
    return None if compared is None or not compared.ids else gains_of(compared)
