"""Ranking of a board under other choices, as a table and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import Message, counted, fill, join_messages, name_list, translatable
from jurydesk.core.model.evaluation import (
    MetricInfo,
)
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    pass


FIRST = translatable("best in % of samples")
SHOWN_SHARES = 3
ROUNDING = 1e-9
"""Share of a percent by which a sum of shares may be below a whole percent."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Places of all systems under one choice, or their ranges over several `cases`.

    `choice` and `value` name it: `profile`, `corrected`. `cases` is the number of variants (38
    keywords to leave out), `changed` how many of them change the order, and `winners` the cases
    with another first system than the board, each with its leaders.
    """

    choice: str
    value: str
    best: tuple[int, ...]
    worst: tuple[int, ...]
    cases: int
    changed: int
    winners: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def title(self) -> str:
        """Choice with its value, such as `profile corrected`."""
        return join_messages([self.choice, self.value])

    def places(self, system: int) -> str:
        """Return `2`, or `1–3` if the cases differ."""
        low, high = self.best[system], self.worst[system]
        return str(low) if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True)
class Sampling:
    """Share of the resamples of `size` (`38 keywords`) in which each system has the best score.

    `noun` is the plural. The `shares` sum to 1; equal scores share a resample. A share is no
    probability that a system is the best one. `another` is the share of resamples in which the
    best system is not that of the board.
    """

    size: str
    noun: str
    resamples: int
    shares: tuple[float, ...]
    another: float
    places: tuple[tuple[float, ...], ...] = ()
    """Share of the resamples in which each system (row) has each place; equal scores share it."""

    @property
    def percents(self) -> list[int]:
        """Shares in whole percent (systems,), which sum to 100 (largest remainders)."""
        exact = 100 * np.array(self.shares)
        percents = np.floor(exact + ROUNDING).astype(np.int64)
        missing = 100 - int(percents.sum())
        percents[np.argsort(percents - exact, kind="stable")[:missing]] += 1
        return [int(one) for one in percents]


@dataclass(frozen=True, slots=True)
class Robustness:
    """Ranking of a board under every choice; `left_out` has the reasons for untried choices.

    `places` are by score, `ranks` those on the board, by its tests.
    """

    metric: MetricInfo
    profile: str
    systems: tuple[str, ...]
    places: tuple[int, ...]
    alternatives: tuple[Alternative, ...]
    left_out: tuple[str, ...] = field(default=())
    not_rescored: str = ""
    """Reason, also among `left_out`, why no choice was scored from the files."""
    ranks: tuple[str, ...] = ()
    sampling: Sampling | None = None
    corrected: tuple[tuple[float, ...], ...] = ()
    """Corrected p values of all pairs of systems, NaN where untested; empty without tests."""
    family: str = ""
    """Family over which they are corrected."""
    no_sampling: str = ""
    """Reason, also among `left_out`, why other samples are not looked at."""
    answered: tuple[int, ...] = ()
    """Number of items that each system's score is of."""
    different_items: str = ""
    """Sentence that scores are of different items, if they are."""

    @property
    def changing(self) -> tuple[Alternative, ...]:
        """Choices that change the order, those with another first system first."""
        changing = [one for one in self.alternatives if one.changed]
        return tuple(sorted(changing, key=lambda one: not one.winners))


def robustness_table(found: Robustness) -> list[Column]:
    """Return the rank of every system, its place by score, and those under other choices.

    Choices that keep the order have no column.
    """
    system, rank, score = translatable("system"), translatable("rank"), translatable("by score")
    places = np.array(found.places)
    ranks = [TextColumn(rank, rank, found.ranks)] if found.ranks else []
    sampling = found.sampling
    return [
        TextColumn(system, system, found.systems),
        *ranks,
        NumberColumn(score, score, places),
        *(
            [NumberColumn(FIRST, FIRST, np.array(sampling.percents, dtype=np.int64))]
            if sampling
            else []
        ),
        *(
            NumberColumn(one.title, one.title, np.array(one.best), show=one.places)
            for one in found.changing
        ),
    ]


def robustness_sentences(found: Robustness) -> tuple[str, ...]:
    """Describe how many choices keep the order, and which change the first system."""
    total = len(found.alternatives)
    unchanged = total - len(found.changing)
    systems = counted(len(found.systems), "system")
    metric, profile, choices = found.metric.title, found.profile, counted(total, "choice")
    if not total:
        alone = fill(
            "There is no other choice to rank {systems} by {metric} ({profile}).",
            systems,
            Message(metric),
            profile,
        )
        return (alone, *_describe_samples(found), *found.left_out)
    sentences = [
        fill(
            "1 of {choices} does not change the order of {systems} by {metric} ({profile}).",
            choices,
            systems,
            Message(metric),
            profile,
        )
        if unchanged == 1
        else fill(
            "{unchanged:,} of {choices} do not change the order of {systems} by {metric} "
            "({profile}).",
            unchanged,
            choices,
            systems,
            Message(metric),
            profile,
        )
    ]
    sentences += [_describe_change(one) for one in found.changing if one.winners]
    if found.changing and len(sentences) == 1:
        sentences.append("The system with the best score is the same under every choice.")
    return (*sentences, *_describe_samples(found), *found.left_out)


def _describe_samples(found: Robustness) -> Iterator[str]:
    """Yield what scores are of, and how often each system has the best score of a resample."""
    yield from filter(None, [found.different_items])
    sampling = found.sampling
    if sampling is None:
        return
    if round(100 * sampling.another):
        yield fill(
            "Another sample of {nouns} changes the system with the best score in {percent:.0f} % "
            "of resamples.",
            Message(sampling.noun),
            100 * sampling.another,
        )
    percents = np.array(sampling.percents)
    order = np.argsort(-percents, kind="stable").tolist()
    shares = [
        fill("{system} is first in {percent} %", found.systems[row], int(percents[row]))
        if not place
        else fill("{system} in {percent} %", found.systems[row], int(percents[row]))
        for place, row in enumerate(order[:SHOWN_SHARES])
        if percents[row]
    ]
    rest = int(percents[order[SHOWN_SHARES:]].sum())
    if rest:
        shares.append(fill("others in {percent} %", rest))
    yield fill(
        "Another sample of {size}: by score, {shares}.", sampling.size, join_messages(shares, ", ")
    )


def _describe_change(found: Alternative) -> str:
    if found.cases == 1:
        ((_, leaders),) = found.winners
        choice, systems = found.title, name_list(leaders)
        if len(leaders) == 1:
            return fill("With {choice}, {systems} has the best score.", choice, systems)
        return fill("With {choice}, {systems} share the best score.", choice, systems)
    cases = [
        fill("{name}: {leaders}", name, _describe_leaders(leaders))
        for name, leaders in found.winners[:3]
    ]
    winners, more = join_messages(cases, "; "), len(found.winners) - 3
    return fill(
        "{choice:capital}: the best score changes in {winners:,} of {cases:,} cases ({names}).",
        found.title,
        len(found.winners),
        found.cases,
        fill("{names} and {more:,} more", winners, more) if more > 0 else winners,
    )


def _describe_leaders(leaders: Sequence[str]) -> str:
    if len(leaders) == 1:
        return fill("{system} is best", leaders[0])
    return fill("{systems} are best", name_list(leaders))
