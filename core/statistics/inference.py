"""How uncertainty is computed: what is resampled, which interval, which correction."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from jurydesk.core.competition.task import Task
from jurydesk.core.model.defects import counted
from jurydesk.core.model.evaluation import Interval, ItemTable, Json, Source
from jurydesk.core.model.json_codec import source_from_json, source_json
from jurydesk.core.statistics.group_intervals import METHODS, Method
from jurydesk.core.statistics.groups import Groups

Correction = Literal["romano-wolf", "holm"]
CORRECTIONS: tuple[Correction, ...] = ("romano-wolf", "holm")
OVER_ITEMS = "percentile bootstrap over items, one plan for all systems"
"""What stamps said of intervals before items had groups."""
CORRECTION_NAMES: Mapping[Correction, str] = {"romano-wolf": "Romano-Wolf", "holm": "Holm"}


@dataclass(frozen=True, slots=True)
class Inference:
    """The kind of interval, the correction for many pairs, and the resampling unit.

    Groups are those that the competition declares, or those of `labels` (by item) where there are
    any; with `grouped` False every item is resampled by itself. An item without a label is a group
    of one.
    """

    POLICIES: ClassVar = ("interval", "interval method", "groups")
    """The policies of a stamp that tell of intervals."""

    interval: Method = "studentized"
    correction: Correction = "romano-wolf"
    grouped: bool = True
    labels: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    """The file that the labels come from."""

    @property
    def policies(self) -> Mapping[str, str]:
        """What a stamp says of the intervals, which `of_policies` reads."""
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
        """Return the choices that a stamp's intervals were made with; ValueError for others."""
        method = policies.get("interval method", "percentile")
        if method not in METHODS:
            raise ValueError(f"The stamp's intervals are {method!r}, which is no known method.")
        grouped = policies.get("groups", "none") != "none"
        return cls(interval=method, grouped=grouped, labels=labels)

    def to_json(self) -> Json:
        """Return the choices as JSON values, which `from_json` reads."""
        return {
            "interval": self.interval,
            "correction": self.correction,
            "grouped": self.grouped,
            "labels": dict(self.labels),
            "source": None if self.source is None else source_json(self.source),
        }

    @classmethod
    def from_json(cls, data: Json) -> Inference:
        """Return the choices that `to_json` wrote; ValueError for any other content."""
        if not isinstance(data, dict) or not isinstance(data.get("labels"), dict):
            raise ValueError("The choices of statistics are no JSON object with labels.")
        labels = data["labels"]
        if not all(isinstance(text, str) for text in labels.values()):
            raise ValueError("A group's label is no text.")
        if data.get("interval") not in METHODS or data.get("correction") not in CORRECTIONS:
            raise ValueError("The interval or the correction has no known name.")
        source = None if data.get("source") is None else source_from_json(data["source"])
        grouped = data.get("grouped") is True
        return cls(data["interval"], data["correction"], grouped, labels, source)


@dataclass(frozen=True, slots=True, eq=False)
class ResamplingUnit:
    """The groups of some items, and what one and many of them are called (None for items).

    `unknown` are the groups that the items should have but do not show, as those of older desks.
    """

    groups: Groups
    noun: tuple[str, str] | None = None
    unknown: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """`38 keywords`; empty for items."""
        return counted(self.groups.count, *self.noun) if self.noun else ""

    def name(self, limits: Interval | None, scale: tuple[float, float]) -> Interval | None:
        """Return the interval within the metric's range, with the unit in its method."""
        if limits is None:
            return None
        method = f"{limits.method} of {self.text}" if self.noun else limits.method
        return replace(clip_interval(limits, scale), method=method)


def clip_interval(limits: Interval, scale: tuple[float, float]) -> Interval:
    """Return the interval, cut where the metric ends."""
    low, high = (min(max(end, scale[0]), scale[1]) for end in (limits.low, limits.high))
    return replace(limits, low=low, high=high)


def resampling_unit(
    task: Task[Any, Any, Any],
    tables: Sequence[ItemTable],
    ids: Sequence[str],
    inference: Inference,
) -> ResamplingUnit:
    """Return the groups of these items, which the tables of one or more systems hold."""
    labels: Mapping[str, Hashable] = {}
    noun = task.scoring.group_noun
    if inference.labels:
        labels, noun = inference.labels, ("group", "groups")
    elif inference.grouped and task.scoring.groups is not None:
        labels = _declared(task.scoring.groups, tables)
    if not any(one in labels for one in ids):
        lacking = inference.grouped and not inference.labels and task.scoring.groups is not None
        return ResamplingUnit(Groups.of_one(len(ids)), None, noun if lacking and ids else None)
    groups = Groups.of_labels(
        ("group", labels[one]) if one in labels else ("item", one) for one in ids
    )
    return ResamplingUnit(groups, None if groups.are_single else noun)


def _declared(groups: Any, tables: Sequence[ItemTable]) -> Mapping[str, Hashable]:
    labels: dict[str, Hashable] = {}
    seen: set[tuple[str, ...]] = set()
    for items in tables:
        if items.ids not in seen:
            seen.add(items.ids)
            found = groups(items)
            labels.update(zip(items.ids, found, strict=True) if found is not None else ())
    return labels
