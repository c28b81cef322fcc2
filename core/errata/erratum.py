"""What a change of the reference data did: the nouns, and the sentences that tell it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jurydesk.core.model.evaluation import Interval, MetricInfo, Score, Source
from jurydesk.core.statistics.rank_intervals import RankInterval


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One system before and after; `change` is after less before, over the items known in both.

    `corrected` is the p value of the change, corrected (Holm) for all systems of the profile.
    `items` are the items whose value is another one: id, before, after, the largest change first.
    """

    system: str
    before: Score
    after: Score
    rank_before: RankInterval | None
    rank_after: RankInterval | None
    change: float
    interval: Interval | None
    p: float
    corrected: float
    items: tuple[tuple[str, float, float], ...]

    def is_beyond_noise(self, level: float = 0.95) -> bool:
        """Whether another choice of items would show the change too."""
        return self.corrected < 1 - level


@dataclass(frozen=True, slots=True)
class ProfileEffect:
    """What happened to the systems of one profile, by its headline metric, the best first."""

    profile: str
    metric: MetricInfo
    systems: tuple[ScoreChange, ...]


@dataclass(frozen=True, slots=True)
class Erratum:
    """A change of the reference data: the files before and after, and what came of it.

    `left_out` are systems that could not be scored again, each with the reason in a sentence.
    """

    created: str
    before: tuple[Source, ...]
    after: tuple[Source, ...]
    parts: tuple[ProfileEffect, ...]
    left_out: tuple[tuple[str, str], ...]


def erratum_sentences(erratum: Erratum) -> Iterator[str]:
    """What came of a change, profile by profile."""
    for part in erratum.parts:
        head = f"{part.profile}: " if len(erratum.parts) > 1 else ""
        yield f"{head}{effect_sentence(part)}"


def effect_sentence(part: ProfileEffect) -> str:
    """What came of a change for one profile, in sentences that claim no more than is known."""
    changed = [one for one in part.systems if one.before.value != one.after.value]
    if not changed:
        return f"No system's {part.metric.title} changed."
    beyond = [one.system for one in part.systems if one.is_beyond_noise()]
    noise = (
        f"{len(beyond):,} by more than noise: {', '.join(beyond)}"
        if beyond
        else ("none by more than noise")
    )
    systems = f"{len(changed):,} of {len(part.systems):,} systems"
    places = _new_places(part) or "The order of the systems is the same."
    return f"{part.metric.title} changed for {systems}, for {noise}. {places}"


def _new_places(part: ProfileEffect) -> str:
    """Who passed whom, in a sentence; empty where nobody did."""
    sign = 1.0 if part.metric.better == "higher" else -1.0
    order = [one.system for one in part.systems]
    old = sorted(part.systems, key=lambda one: (-sign * one.before.value, one.system))
    before = [one.system for one in old]
    up = [name for name in order if order.index(name) < before.index(name)]
    if not up:
        return ""
    verb = "is" if len(up) == 1 else "are"
    return f"{', '.join(up)} {verb} placed higher than before."
