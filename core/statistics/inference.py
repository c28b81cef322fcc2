"""Settings of statistical inference: resampling unit, interval method and correction."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from jurydesk.core.competition.task import Task
from jurydesk.core.language import Message, counted, fill, join_messages, translatable
from jurydesk.core.model.evaluation import Interval, ItemTable, Json, Source
from jurydesk.core.statistics.group_intervals import METHODS, Method
from jurydesk.core.statistics.groups import Groups

Correction = Literal["romano-wolf", "holm"]
CORRECTIONS: tuple[Correction, ...] = ("romano-wolf", "holm")
OVER_ITEMS = "percentile bootstrap over items, one plan for all systems"
"""Policy in stamps that were made before items had groups."""
CORRECTION_NAMES: Mapping[str, str] = {
    "romano-wolf": translatable("Romano-Wolf"),
    "holm": translatable("Holm"),
}


@dataclass(frozen=True, slots=True)
class Inference:
    """Interval method, correction for multiple comparisons, resampling unit, and ranking metric.

    Groups are those of `labels` (by item) if there are any, else those that the competition
    declares; with `grouped` False items are resampled individually. An item without a label is a
    group of its own.
    """

    POLICIES: ClassVar = ("interval", "interval method", "groups")
    """Names of a stamp's policies on intervals."""

    interval: Method = "studentized"
    correction: Correction = "romano-wolf"
    grouped: bool = True
    labels: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    """File of the labels."""
    rank_by: str = ""
    """Name of the metric that ranks the systems; empty for the competition's."""

    @property
    def policies(self) -> Mapping[str, str]:
        """Policies of a stamp on intervals, for `of_policies`."""
        if self.interval == "percentile" and not self.grouped and not self.labels:
            return {"interval": OVER_ITEMS}
        groups = "file" if self.labels else "declared" if self.grouped else "none"
        over = "groups" if groups != "none" else "items"
        return {
            "interval": f"{self.interval} over {over}, one plan for all systems",
            "interval method": self.interval,
            "groups": groups,
        }

    @classmethod
    def of_policies(cls, policies: Mapping[str, Json], labels: Mapping[str, str]) -> Inference:
        """Return the settings of a stamp's intervals; ValueError for an unknown method."""
        method = policies.get("interval method", "percentile")
        if method not in METHODS:
            raise ValueError(
                fill("The stamp names an unknown interval method: {method}.", repr(method))
            )
        grouped = policies.get("groups", "none") != "none"
        return cls(interval=method, grouped=grouped, labels=labels)


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnit:
    """Groups of the items, with their noun in the singular and plural (None for items).

    `unknown` is the noun of groups that the items should have but lack.
    """

    groups: Groups
    noun: tuple[str, str] | None = None
    unknown: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """Number of groups with their noun, such as `38 keywords`; empty for items."""
        return counted(self.groups.count, *self.noun) if self.noun else ""

    def name(self, limits: Interval | None, scale: tuple[float, float]) -> Interval | None:
        """Return the interval clipped to the metric's range, with the unit in its method."""
        if limits is None:
            return None
        method = limits.method
        if self.noun:
            method = fill("{method} of {groups}", Message(method), self.text)
        if unequal := self.groups.described_inequality:
            method = join_messages([method, unequal], ", ")
        return replace(clip_interval(limits, scale), method=method)


def difference_range(scale: tuple[float, float]) -> tuple[float, float]:
    """Return the range of the difference of two values in a range."""
    return scale[0] - scale[1], scale[1] - scale[0]


def clip_interval(limits: Interval, scale: tuple[float, float]) -> Interval:
    """Return the interval clipped to the range of its metric."""
    low, high = (min(max(end, scale[0]), scale[1]) for end in (limits.low, limits.high))
    return replace(limits, low=low, high=high)


def resampling_unit(
    task: Task[Any, Any, Any],
    tables: Sequence[ItemTable],
    ids: Sequence[str],
    inference: Inference,
) -> ResamplingUnit:
    """Return the resampling unit of the items `ids` from the tables of one or more systems."""
    labels: Mapping[str, Hashable] = {}
    noun = task.scoring.group_noun
    if inference.labels:
        labels, noun = inference.labels, ("group", "groups")
    elif inference.grouped and task.scoring.groups is not None:
        labels = _declared_groups(task.scoring.groups, tables)
    if not any(one in labels for one in ids):
        is_lacking = inference.grouped and not inference.labels and task.scoring.groups is not None
        unknown = noun if is_lacking and ids else None
        return ResamplingUnit(Groups.singletons(len(ids)), None, unknown)
    groups = Groups.of_labels(
        ("group", labels[one]) if one in labels else ("item", one) for one in ids
    )
    return ResamplingUnit(groups, None if groups.are_singletons else noun)


def _declared_groups(groups: Any, tables: Sequence[ItemTable]) -> Mapping[str, Hashable]:
    labels: dict[str, Hashable] = {}
    seen: set[tuple[str, ...]] = set()
    for items in tables:
        if items.ids not in seen:
            seen.add(items.ids)
            declared = groups(items)
            labels.update(zip(items.ids, declared, strict=True) if declared is not None else ())
    return labels
