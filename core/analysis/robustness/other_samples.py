"""Share of other samples of the items in which each system is first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.robustness.ranked_systems import RankedSystems, score_places
from jurydesk.core.analysis.robustness.robustness import Sampling
from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.evaluation import (
    FloatArray,
    ItemTable,
    Units,
)
from jurydesk.core.statistics.bootstrap import (
    SEED,
    ResamplingPlan,
    resampled_values,
)
from jurydesk.core.statistics.combined_scores import (
    UNIT_RESAMPLES,
    are_enough,
    resampled_units,
)
from jurydesk.core.statistics.groups import Groups

if TYPE_CHECKING:
    pass


class OtherSamples:
    """Ranking in resamples of the items: `sampling`, or `no_sampling` with the reason without."""

    def __init__(self, ranked: RankedSystems) -> None:
        self._ranked = ranked
        self.sampling: Sampling | None = None
        self.no_sampling = ""

    def sample_rows(
        self, tables: Sequence[ItemTable], ids: Sequence[str], groups: Groups, noun: tuple[str, str]
    ) -> None:
        """Resample a score that is a function of rows, if all systems have the same items."""
        combine, names = self._ranked.metric.combine, self._ranked.metric.statistics
        if combine is None:
            return
        if any(len(one) < len(ids) for one in tables):
            items = Message(self._ranked.task.item_noun[1])
            self.leave_out(fill("Other samples need the same {items} of every system.", items))
            return
        if not self.can_sample(groups, self._ranked.metric.fewest_groups, noun):
            return
        order = [np.argsort(np.array(one.ids, dtype=object), kind="stable") for one in tables]
        rows = [
            (np.column_stack([one.columns[name] for name in names])[by], combine)
            for one, by in zip(tables, order, strict=True)
        ]
        plan = ResamplingPlan(groups.count, UNIT_RESAMPLES)
        self.sample(
            resampled_values(rows, plan, lambda _: self._ranked.run.check(), groups.shared),
            groups.count,
            noun,
        )

    def sample_units(
        self, units: Sequence[Units], known: Sequence[str], noun: tuple[str, str]
    ) -> None:
        """Resample a score that the task computes from units."""
        groups, metric = Groups.singletons(len(known)), self._ranked.metric
        if not self.can_sample(groups, metric.fewest_groups, noun):
            return
        names, check = [metric.name], lambda _: self._ranked.run.check()
        resampled, count = resampled_units(units, names, UNIT_RESAMPLES, SEED, check)
        self.sample(resampled[:, :, 0], count, noun)

    def can_sample(self, groups: Groups, fewest: int, noun: tuple[str, str]) -> bool:
        """Return whether resamples show what another sample may do; else say that they do not."""
        if are_enough(groups, fewest):
            return True
        found = counted(groups.count, *noun)
        if groups.count < fewest:
            reason = fill(
                "{groups} cannot show what another sample would change: at least {fewest:,} are "
                "needed.",
                *(found, fewest),
            )
        else:
            reason = fill(
                "{groups} cannot show what another sample would change, as they count as fewer: "
                "{effectively}.",
                *(found, Message(groups.described_inequality)),
            )
        self.leave_out(reason)
        return False

    def leave_out(self, reason: str) -> None:
        """Keep the reason why other samples are not looked at."""
        self.no_sampling = reason
        self._ranked.left_out.append(reason)

    def sample(self, resampled: FloatArray, count: int, noun: tuple[str, str]) -> None:
        """Keep the share of resamples (resamples, systems) in which each system is best."""
        known = resampled[np.isfinite(resampled).all(axis=1)]
        if not len(known):
            return
        drawn = score_places(known, self._ranked.metric)
        best = drawn == 1
        shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
        another = float((best != (self._ranked.base == 1)).any(axis=1).mean())
        self.sampling = Sampling(
            *(counted(count, *noun), noun[1], len(known), tuple(shares.tolist()), another),
            tuple(
                tuple((np.bincount(column, minlength=len(shares) + 1)[1:] / len(known)).tolist())
                for column in drawn.T
            ),
        )
