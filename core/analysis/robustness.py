"""Robustness of the ranking under other reasonable choices: profile, ties, groups, items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.analysis.leaderboard import find_score, headline_metric, make_leaderboard
from jurydesk.core.analysis.significance.board_verdict import corrected_family
from jurydesk.core.analysis.significance.leaderboard_significance import (
    load_entrants,
    significance_by_profile,
)
from jurydesk.core.analysis.significance.significance_methods import (
    MEAN_TOLERANCE,
    Entrant,
    align_tables,
)
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.language import Message, counted, fill, join_messages, name_list, translatable
from jurydesk.core.model.evaluation import (
    FloatArray,
    IntArray,
    ItemTable,
    MetricInfo,
    Units,
    UsageError,
)
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.stamp import StampError
from jurydesk.core.statistics.bootstrap import (
    RESAMPLES,
    SEED,
    ResamplingPlan,
    resampled_ratios,
    resampled_values,
)
from jurydesk.core.statistics.combined_scores import (
    UNIT_RESAMPLES,
    are_enough,
    resampled_units,
)
from jurydesk.core.statistics.groups import FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import Inference, resampling_unit
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from pathlib import Path

    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.stamp import Stamp

TRIMMED_SHARE = 0.1
"""Share of items that the trimmed mean drops at each end."""
FIRST = translatable("best in % of samples")
TIE_TOLERANCE = 1e-12
"""Scores with a smaller difference share a place."""
SHOWN_SHARES = 3
ROUNDING = 1e-9
"""Share of a percent by which a sum of shares may be below a whole percent."""
MAX_COMBINED = 20_000
MAX_DRAWN = 300
"""Limits on the number of scores, of rows and of units, when leaving out one group."""


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
        return (alone, *_describe_sampling(found), *found.left_out)
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
    doubt = (found.metric.doubt,) if found.metric.doubt else ()
    return (*sentences, *_describe_sampling(found), *doubt, *found.left_out)


def _describe_sampling(found: Robustness) -> Iterator[str]:
    """Yield how often each system has the best score of a resample."""
    sampling = found.sampling
    if sampling is None:
        return
    if round(100 * sampling.another):
        yield fill(
            "Another sample of {nouns} changes the first system in {percent:.0f} % of resamples.",
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


def assess_robustness(
    desk: Desk,
    task: AnyTask,
    profile: str,
    run: Run,
    *,
    rescoring: bool = True,
    inference: Inference | None = None,
    tested: Mapping[str, PairwiseSignificance] = MappingProxyType({}),
) -> Robustness | None:
    """Rank the systems of a profile under every choice; None with fewer than two scores.

    Without `rescoring` only results in the desk are used, and no file is read. `tested` are the
    tests of the board by profile, if there are any under the same settings: those of many systems
    take long. Raises Cancelled.
    """
    summaries, _ = under_equal_rules(task, desk.evaluations())
    systems = [one for one in summaries if one.profile == profile]
    settings = load_inference(desk) if inference is None else inference
    metric = headline_metric(task, systems, settings.rank_by)
    if metric is None:
        return None
    systems = [one for one in systems if _value(one, metric.name) is not None]
    values = np.array([_value(one, metric.name) for one in systems], float)
    if len(systems) < 2:
        return None
    places = _places(values[None, :], metric)[0]
    order = np.lexsort((np.array([one.system for one in systems]), places))
    systems = [systems[row] for row in order.tolist()]
    tests = {name: one for name, one in tested.items() if (name, one.metric) == (profile, metric)}
    if not tests:
        load = partial(load_entrants, desk, task)
        tests = significance_by_profile(task, systems, load, run, settings, power=False)
    board = make_leaderboard(task, systems, tests, settings.rank_by)
    ranks = {row.summary.system: row.places for row in board.rows}
    work = _Assessment(desk, task, metric, profile, systems, places[order], settings, run)
    alternatives = [*work.profiles(summaries), *work.metrics(), *work.items()]
    if rescoring:
        alternatives += work.other_profiles(summaries)
    return Robustness(
        metric,
        profile,
        tuple(one.system for one in systems),
        tuple(work.base.tolist()),
        tuple(alternatives),
        tuple(work.unknown),
        work.not_rescored,
        tuple(ranks[one.system] for one in systems),
        work.sampling,
        _corrected_p([one.system for one in systems], tests.get(profile)),
        corrected_family(tests[profile]) if profile in tests else "",
        work.no_sampling,
    )


def _corrected_p(
    systems: Sequence[str], tests: PairwiseSignificance | None
) -> tuple[tuple[float, ...], ...]:
    """Return the corrected p values (systems, systems), NaN where untested; empty without any."""
    if tests is None or not tests.pairs:
        return ()
    known = {(one.first, one.second): one.corrected for one in tests.pairs}
    known |= {(other, one): p for (one, other), p in known.items()}
    return tuple(tuple(known.get((one, other), math.nan) for other in systems) for one in systems)


def _value(summary: Summary, metric: str) -> float | None:
    found = find_score(summary, metric)
    return found.value if found is not None and math.isfinite(found.value) else None


def _places(values: FloatArray, metric: MetricInfo) -> IntArray:
    """Return the places (cases, systems) of values (cases, systems); equal ones share the best."""
    cost = -values if metric.better == "higher" else values
    near = TIE_TOLERANCE * np.maximum(1.0, np.abs(cost))
    below = [
        (row[None, :] < limit[:, None]).sum(axis=1)
        for row, limit in zip(cost, cost - near, strict=True)
    ]
    return 1 + np.array(below, dtype=np.int64)


class _Assessment:
    """Ranking of the systems of a board under one choice after the other."""

    def __init__(
        self,
        desk: Desk,
        task: AnyTask,
        metric: MetricInfo,
        profile: str,
        systems: Sequence[Summary],
        base: IntArray,
        inference: Inference,
        run: Run,
    ) -> None:
        self._desk, self._task, self._metric, self._profile = desk, task, metric, profile
        self._alike, self.base, self._inference, self._run = systems, base, inference, run
        self.unknown: list[str] = []
        self.not_rescored = ""
        self.sampling: Sampling | None = None
        self.no_sampling = ""
        self._scored: dict[str, Sequence[Mapping[str, float]]] = {}

    def _alternative(
        self,
        choice: str,
        value: str,
        cases: FloatArray,
        names: Sequence[str] = (),
        metric: MetricInfo | None = None,
    ) -> Iterator[Alternative]:
        """Yield the choice with these values (cases, systems), if they give an order."""
        if not np.isfinite(cases).all() or (cases == cases[:, :1]).all():
            return
        places = _places(cases, metric or self._metric)
        systems = [one.system for one in self._alike]
        first = self.base == 1
        winners = tuple(
            (name, tuple(systems[at] for at in np.flatnonzero(row == 1)))
            for name, row in zip(names or [value], places, strict=True)
            if not np.array_equal(row == 1, first)
        )
        yield Alternative(
            choice,
            value,
            tuple(places.min(axis=0).tolist()),
            tuple(places.max(axis=0).tolist()),
            len(cases),
            int((places != self.base).any(axis=1).sum()),
            winners,
        )

    def _metric_values(self, summaries: Sequence[Summary], metric: str) -> FloatArray | None:
        """Return the values (1, systems) of these summaries; None if one is missing."""
        known = {one.system: _value(one, metric) for one in summaries}
        found = [known.get(one.system) for one in self._alike]
        return None if None in found else np.array([found], float)

    # What the desk holds

    def profiles(self, summaries: Sequence[Summary]) -> Iterator[Alternative]:
        """Yield the other profiles in which the desk has all systems."""
        for profile in dict.fromkeys(one.profile for one in summaries):
            values = self._metric_values(
                [one for one in summaries if one.profile == profile], self._metric.name
            )
            if profile != self._profile and values is not None:
                yield from self._alternative(
                    translatable("profile"), fill("{name}", profile), values
                )

    def metrics(self) -> Iterator[Alternative]:
        """Yield the other headline metrics of the competition."""
        for info in self._task.headlines:
            values = self._metric_values(self._alike, info.name)
            if info.name != self._metric.name and values is not None:
                yield from self._alternative(
                    translatable("metric"), info.title, values, metric=info
                )

    def items(self) -> Iterator[Alternative]:
        """Yield groups instead of items, the trimmed mean, and one group left out."""
        entrants = load_entrants(self._desk, self._task, self._metric, self._alike)
        if len(entrants) < len(self._alike):
            return
        ids, values = self._rows(entrants)
        if ids is None:
            if self._metric.aggregate == "own":
                yield from (
                    *self._alternatives_of_rows(entrants),
                    *self._alternatives_of_units(entrants),
                )
            return
        unit = resampling_unit(self._task, [one.items for one in entrants], ids, self._inference)
        names = unit.noun or self._task.item_noun
        sums, sizes = unit.groups.totals(values)
        with np.errstate(invalid="ignore", divide="ignore"):
            if unit.noun is not None:
                mean = np.nanmean(sums / sizes, axis=0, keepdims=True)
                yield from self._alternative(
                    fill("each {noun}", Message(unit.noun[0])), translatable("counts once"), mean
                )
            trimmed = np.array([[_trimmed_mean(column) for column in values.T]])
            yield from self._alternative(
                translatable("trimmed mean"), fill("({share:g} %)", 100 * TRIMMED_SHARE), trimmed
            )
            rest = (sums.sum(axis=0) - sums) / (sizes.sum(axis=0) - sizes)
        plan = ResamplingPlan(unit.groups.count, RESAMPLES)
        if self._can_sample(unit.groups, FEWEST_GROUPS, names[1]):
            self._sample(resampled_ratios(sums, sizes, plan), unit.groups.count, names)
        yield from self._leave_one_out(names[0], rest, _group_names(unit.groups, ids))

    def _rows(self, entrants: Sequence[Entrant]) -> tuple[list[str] | None, FloatArray]:
        """Return the items and their values, if the score is their mean; else None."""
        nothing = None, np.empty((0, 0))
        name = self._metric.name
        if self._metric.aggregate != "mean" or any(
            name not in one.items.columns for one in entrants
        ):
            return nothing
        ids, values = align_tables([(one.items.ids, one.items.columns[name]) for one in entrants])
        known = np.isfinite(values)
        if not known.any(axis=0).all():
            return nothing
        means = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
        scores = [one.value for one in entrants]
        return (ids, values) if np.allclose(means, scores, MEAN_TOLERANCE, 1e-9) else nothing

    def _alternatives_of_rows(self, entrants: Sequence[Entrant]) -> Iterator[Alternative]:
        """Leave out one group of a score that is a function of rows."""
        combine, names = self._metric.combine, self._metric.statistics
        if combine is None or any(not set(names) <= one.items.columns.keys() for one in entrants):
            return
        tables = [one.items for one in entrants]
        ids, _ = align_tables([(one.ids, np.zeros(len(one))) for one in tables])
        unit = resampling_unit(self._task, tables, ids, self._inference)
        noun, count = unit.noun or self._task.item_noun, unit.groups.count
        self._sample_rows(tables, ids, unit.groups, noun)
        if not self._is_feasible(count, noun[1], MAX_COMBINED):
            return
        code = dict(zip(ids, unit.groups.codes.tolist(), strict=True))
        rest = np.full((count, len(entrants)), np.nan)
        for column, table in enumerate(tables):
            own = np.array([code[one] for one in table.ids])
            rows = np.column_stack([table.columns[name] for name in names])
            for group in range(count):
                self._run.check()
                rest[group, column] = combine(rows[own != group])
        yield from self._leave_one_out(noun[0], rest, _group_names(unit.groups, ids))

    def _alternatives_of_units(self, entrants: Sequence[Entrant]) -> Iterator[Alternative]:
        """Leave out one unit of a score that the task computes from units."""
        if self._task.scoring.units is None or self._metric.combine is not None:
            return
        units = [self._task.scoring.units(one.items, self._profile) for one in entrants]
        known = sorted({one for own in units for one in own.ids})
        if not self._is_feasible(len(known), units[0].noun, MAX_DRAWN):
            return
        rest = np.full((len(known), len(units)), np.nan)
        noun = units[0].noun
        self._sample_units(units, known, (noun.removesuffix("s"), noun))
        for column, own in enumerate(units):
            ids = np.array(own.ids)
            for row, one in enumerate(known):
                self._run.check()
                rest[row, column] = own.scores((ids != one).astype(float))[self._metric.name]
        yield from self._leave_one_out(fill("of the {noun}", Message(units[0].noun)), rest, known)

    def _sample_rows(
        self, tables: Sequence[ItemTable], ids: Sequence[str], groups: Groups, noun: tuple[str, str]
    ) -> None:
        """Resample a score that is a function of rows, if all systems have the same items."""
        combine, names = self._metric.combine, self._metric.statistics
        if combine is None or any(len(one) < len(ids) for one in tables):
            return
        if not self._can_sample(groups, self._metric.fewest_groups, noun[1]):
            return
        order = [np.argsort(np.array(one.ids, dtype=object), kind="stable") for one in tables]
        rows = [
            (np.column_stack([one.columns[name] for name in names])[by], combine)
            for one, by in zip(tables, order, strict=True)
        ]
        plan = ResamplingPlan(groups.count, UNIT_RESAMPLES)
        self._sample(
            resampled_values(rows, plan, lambda _: self._run.check(), groups.shared),
            groups.count,
            noun,
        )

    def _sample_units(
        self, units: Sequence[Units], known: Sequence[str], noun: tuple[str, str]
    ) -> None:
        """Resample a score that the task computes from units."""
        groups, metric = Groups.singletons(len(known)), self._metric
        if not self._can_sample(groups, metric.fewest_groups, noun[1]):
            return
        names, check = [metric.name], lambda _: self._run.check()
        resampled, count = resampled_units(units, names, UNIT_RESAMPLES, SEED, check)
        self._sample(resampled[:, :, 0], count, noun)

    def _can_sample(self, groups: Groups, fewest: int, plural: str) -> bool:
        """Return whether resamples show what another sample may do; else say that they do not."""
        if are_enough(groups, fewest):
            return True
        if groups.count < fewest:
            self.no_sampling = fill(
                "{count:,} {plural} cannot show what another sample would change: at least "
                "{fewest:,} are needed.",
                *(groups.count, Message(plural), fewest),
            )
        else:
            self.no_sampling = fill(
                "{count:,} {plural} cannot show what another sample would change, as they count as "
                "fewer: {effectively}.",
                *(groups.count, Message(plural), Message(groups.described_inequality)),
            )
        self.unknown.append(self.no_sampling)
        return False

    def _sample(self, resampled: FloatArray, count: int, noun: tuple[str, str]) -> None:
        """Keep the share of resamples (resamples, systems) in which each system is best."""
        known = resampled[np.isfinite(resampled).all(axis=1)]
        if not len(known):
            return
        drawn = _places(known, self._metric)
        best = drawn == 1
        shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
        another = float((best != (self.base == 1)).any(axis=1).mean())
        self.sampling = Sampling(
            *(counted(count, *noun), noun[1], len(known), tuple(shares.tolist()), another),
            tuple(
                tuple((np.bincount(column, minlength=len(shares) + 1)[1:] / len(known)).tolist())
                for column in drawn.T
            ),
        )

    def _leave_one_out(
        self, noun: str, rest: FloatArray, names: Sequence[str]
    ) -> Iterator[Alternative]:
        yield from self._alternative(
            translatable("leave out"), fill("one {noun}", Message(noun)), rest, names
        )

    def _is_feasible(self, count: int, noun: str, most: int) -> bool:
        if 1 < count * len(self._alike) <= most:
            return True
        plural, metric = noun, self._metric.title
        self.unknown.append(
            fill(
                "Leaving out each of {count:,} {plural} in turn was skipped: it takes too "
                "long for {metric}.",
                count,
                Message(plural),
                Message(metric),
            )
        )
        return False

    # What is scored again

    def other_profiles(self, summaries: Sequence[Summary]) -> list[Alternative]:
        """Score the same files with the task's other profiles and policies."""
        found: list[Alternative] = []
        try:
            stamps = [require_stamp(self._desk, one) for one in self._alike]
            files = [stamped_inputs(self._desk, self._task, one) for one in stamps]
            for choice, value, changes, metric in self._policies(stamps[0], summaries):
                self._run.check()
                values = self._score_with(stamps[0], files, changes)
                cases = [one.get(metric, math.nan) for one in values]
                found += self._alternative(choice, value, np.array([cases]))
        except (DeskError, StampError) as error:
            self.not_rescored = fill("Nothing was scored again. {reason}", error)
            self.unknown.append(self.not_rescored)
        return found

    def _policies(
        self, stamp: Stamp, summaries: Sequence[Summary]
    ) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
        held = {
            profile
            for profile in {one.profile for one in summaries}
            if self._metric_values(
                [one for one in summaries if one.profile == profile], self._metric.name
            )
            is not None
        }
        for profile in self._task.scoring.profiles:
            if profile not in held and profile != self._profile:
                yield "profile", profile, {"profile": profile}, self._metric.name
        for one in self._task.scoring.policies(stamp.settings):
            if any(stamp.options.get(name) != value for name, value in one.options.items()):
                yield one.choice, one.value, one.options, f"{self._metric.name}{one.suffix}"

    def _score_with(
        self, stamp: Stamp, files: Sequence[Mapping[str, list[Path]]], changes: Mapping[str, Any]
    ) -> Sequence[Mapping[str, float]]:
        """Return the scores of every system by metric; empty if the choice does not fit."""
        key = repr(sorted(changes.items()))
        if key not in self._scored:
            options = replace(options_of_stamp(self._task, stamp), **changes)
            role = self._task.submission_input().role
            own = [one[role][0] for one in files]
            # Several systems may share a file, so files are named by number.
            names = {path: str(number) for number, path in enumerate(dict.fromkeys(own))}
            given = [
                *files_by_role({**files[0], role: []}),
                *(InputFile(path, role, name=name) for path, name in names.items()),
            ]
            try:
                done = score_submissions(
                    self._task, given, options, self._run, resamples=0
                ).evaluations
            except UsageError:
                done = ()
            known = {
                one.system: {entry.metric: entry.value for entry in one.scores} for one in done
            }
            self._scored[key] = [known.get(names[path], {}) for path in own]
        return self._scored[key]


def _trimmed_mean(column: FloatArray) -> float:
    known = np.sort(column[np.isfinite(column)])
    cut = int(TRIMMED_SHARE * len(known))
    return float(known[cut : len(known) - cut].mean())


def _group_names(groups: Groups, ids: Sequence[str]) -> list[str]:
    """Return the first item of every group, with the number of others."""
    sizes = np.bincount(groups.codes, minlength=groups.count)
    _, first = np.unique(groups.codes, return_index=True)
    return [
        ids[row] if size == 1 else fill("{names} and {more:,} more", ids[row], size - 1)
        for row, size in zip(first.tolist(), sizes.tolist(), strict=True)
    ]
