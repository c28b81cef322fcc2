"""Effect of new reference data, as data classes and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.model.evaluation import MetricInfo, Score, Source
from jurydesk.core.statistics.rank_intervals import RankInterval


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """Change of a system; `change` is after minus before, over the shared items.

    It has no interval and no p value, as reference data are no sample.
    `items` are the changed items: id, before, after, largest change first.
    """

    system: str
    before: Score
    after: Score
    rank_before: RankInterval | None
    rank_after: RankInterval | None
    change: float
    items: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class ProfileEffect:
    """Changes of the systems of one profile in its headline metric, best system first."""

    profile: str
    metric: MetricInfo
    systems: tuple[ScoreChange, ...]


@dataclass(frozen=True, slots=True)
class Erratum:
    """Replacement of reference data: the files before and after, and its effects.

    `left_out` are systems that could not be scored again, with the reason as a sentence.
    """

    created: str
    before: tuple[Source, ...]
    after: tuple[Source, ...]
    parts: tuple[ProfileEffect, ...]
    left_out: tuple[tuple[str, str], ...]


def erratum_sentences(erratum: Erratum) -> Iterator[str]:
    """Describe the effect, profile by profile."""
    for part in erratum.parts:
        effect = effect_sentence(part)
        several = len(erratum.parts) > 1
        yield fill("{profile}: {effect}", part.profile, effect) if several else effect


def effect_sentence(part: ProfileEffect) -> str:
    """Describe the effect on one profile."""
    changed = [one for one in part.systems if one.before.value != one.after.value]
    metric, all_systems = part.metric.title, len(part.systems)
    if not changed:
        return fill("No system's {metric} changed.", Message(metric))
    places = _new_places(part) or "The order by score is the same."
    changes = [
        change for one in changed if math.isfinite(change := one.after.value - one.before.value)
    ]
    form = f"{{change:+.{part.metric.decimals}f}}"
    least, most = (fill(form, one(changes, default=0.0)) for one in (min, max))
    # Reference data are no sample: a change of theirs has no p value.
    effect = fill(
        "{metric} changed for {changed:,} of {all_systems:,} systems, by {least} to {most}.",
        *(Message(metric), len(changed), all_systems, least, most),
    )
    return join_messages([effect, places])


def _new_places(part: ProfileEffect) -> str:
    """Describe which systems rank higher than before; empty if none does."""
    sign = 1.0 if part.metric.better == "higher" else -1.0
    order = [one.system for one in part.systems]
    old = sorted(part.systems, key=lambda one: (-sign * one.before.value, one.system))
    before = [one.system for one in old]
    up = [name for name in order if order.index(name) < before.index(name)]
    if not up:
        return ""
    systems = ", ".join(up)
    if len(up) == 1:
        return fill("{systems} is higher by score than before.", systems)
    return fill("{systems} are higher by score than before.", systems)
