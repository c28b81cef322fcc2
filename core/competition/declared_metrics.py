"""Competition with the metrics that its results declare, known only after reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.model.evaluation import MetricInfo


def with_metrics(task: AnyTask, declared: Iterable[MetricInfo]) -> AnyTask:
    """Return the competition with the metrics that results declare, the first ones first.

    A name that the competition declares keeps its declaration; one of a family gets the family's
    `combine` and words to translate, which stamps cannot hold. Results that declare a name
    differently share the widest range and the first direction.
    """
    own = {info.name for info in task.scoring.metrics}
    merged: dict[str, MetricInfo] = {}
    for info in declared:
        if info.name not in own:
            family = task.scoring.metric_named(info.name)
            if family is not None and family.title == info.title:
                info = replace(family, headline=info.headline)
            elif family is not None:
                info = replace(info, summary=family.summary, combine=family.combine)
            known = merged.get(info.name)
            merged[info.name] = info if known is None else _widened(known, info)
    return _extended(task, tuple(merged.values())) if merged else task


def _widened(one: MetricInfo, other: MetricInfo) -> MetricInfo:
    low, high = min(one.range[0], other.range[0]), max(one.range[1], other.range[1])
    return replace(one, range=(low, high), decimals=min(one.decimals, other.decimals))


@lru_cache(maxsize=32)
def _extended(task: AnyTask, metrics: tuple[MetricInfo, ...]) -> AnyTask:
    """Return one competition for equal metrics, so that what is stored for it is found again."""
    return replace(task, scoring=replace(task.scoring, metrics=(*task.scoring.metrics, *metrics)))
