"""Rankings by other sets of items of a desk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.robustness.other_samples import OtherSamples
from jurydesk.core.analysis.robustness.ranked_systems import RankedSystems
from jurydesk.core.analysis.robustness.robustness import Alternative
from jurydesk.core.analysis.significance.leaderboard_significance import (
    load_entrants,
)
from jurydesk.core.analysis.significance.significance_methods import (
    MEAN_TOLERANCE,
    Entrant,
    align_tables,
)
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import (
    FloatArray,
)
from jurydesk.core.statistics.bootstrap import (
    RESAMPLES,
    ResamplingPlan,
    resampled_ratios,
)
from jurydesk.core.statistics.groups import FEWEST_GROUPS, Groups
from jurydesk.core.statistics.inference import resampling_unit

if TYPE_CHECKING:
    pass


TRIMMED_SHARE = 0.1
"""Share of items that the trimmed mean drops at each end."""
MAX_COMBINED = 20_000
MAX_DRAWN = 300
"""Limits on the number of scores, of rows and of units, when leaving out one group."""


class ItemChoices:
    """Groups instead of items, the trimmed mean, one group left out, and other samples."""

    def __init__(self, ranked: RankedSystems, samples: OtherSamples) -> None:
        self._ranked, self._samples = ranked, samples

    def alternatives(self) -> Iterator[Alternative]:
        """Yield groups instead of items, the trimmed mean, and one group left out."""
        entrants = load_entrants(
            self._ranked.desk, self._ranked.task, self._ranked.metric, self._ranked.systems
        )
        if len(entrants) < len(self._ranked.systems):
            return
        ids, values = self._rows(entrants)
        if ids is None:
            if self._ranked.metric.aggregate == "own":
                yield from (
                    *self._alternatives_of_rows(entrants),
                    *self._alternatives_of_units(entrants),
                )
            return
        unit = resampling_unit(
            self._ranked.task, [one.items for one in entrants], ids, self._ranked.inference
        )
        names = unit.noun or self._ranked.task.item_noun
        if not np.isfinite(values).all():
            self._ranked.say_different_items()
        sums, sizes = unit.groups.totals(values)
        with np.errstate(invalid="ignore", divide="ignore"):
            if unit.noun is not None:
                mean = np.nanmean(sums / sizes, axis=0, keepdims=True)
                yield from self._ranked.alternative(
                    fill("each {noun}", Message(unit.noun[0])), translatable("counts once"), mean
                )
            trimmed = np.array([[_trimmed_mean(column) for column in values.T]])
            yield from self._ranked.alternative(
                translatable("trimmed mean"), fill("({share:g} %)", 100 * TRIMMED_SHARE), trimmed
            )
            rest = (sums.sum(axis=0) - sums) / (sizes.sum(axis=0) - sizes)
        plan = ResamplingPlan(unit.groups.count, RESAMPLES)
        if self._samples.can_sample(unit.groups, FEWEST_GROUPS, names):
            self._samples.sample(resampled_ratios(sums, sizes, plan), unit.groups.count, names)
        yield from self._leave_one_out(names[0], rest, _group_names(unit.groups, ids))

    def _rows(self, entrants: Sequence[Entrant]) -> tuple[list[str] | None, FloatArray]:
        """Return the items and their values, if the score is their mean; else None."""
        nothing = None, np.empty((0, 0))
        name = self._ranked.metric.name
        if self._ranked.metric.aggregate != "mean" or any(
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
        combine, names = self._ranked.metric.combine, self._ranked.metric.statistics
        if combine is None or any(not set(names) <= one.items.columns.keys() for one in entrants):
            return
        tables = [one.items for one in entrants]
        ids, _ = align_tables([(one.ids, np.zeros(len(one))) for one in tables])
        unit = resampling_unit(self._ranked.task, tables, ids, self._ranked.inference)
        noun, count = unit.noun or self._ranked.task.item_noun, unit.groups.count
        if any(len(one) < len(ids) for one in tables):
            self._ranked.say_different_items()
        self._samples.sample_rows(tables, ids, unit.groups, noun)
        if not self._is_feasible(count, noun[1], MAX_COMBINED):
            return
        code = dict(zip(ids, unit.groups.codes.tolist(), strict=True))
        rest = np.full((count, len(entrants)), np.nan)
        for column, table in enumerate(tables):
            own = np.array([code[one] for one in table.ids])
            rows = np.column_stack([table.columns[name] for name in names])
            for group in range(count):
                self._ranked.run.check()
                rest[group, column] = combine(rows[own != group])
        yield from self._leave_one_out(noun[0], rest, _group_names(unit.groups, ids))

    def _alternatives_of_units(self, entrants: Sequence[Entrant]) -> Iterator[Alternative]:
        """Leave out one unit of a score that the task computes from units."""
        if self._ranked.task.scoring.units is None or self._ranked.metric.combine is not None:
            return
        units = [
            self._ranked.task.scoring.units(one.items, self._ranked.profile) for one in entrants
        ]
        known = sorted({one for own in units for one in own.ids})
        if not self._is_feasible(len(known), units[0].noun, MAX_DRAWN):
            return
        rest = np.full((len(known), len(units)), np.nan)
        noun = units[0].noun
        self._samples.sample_units(units, known, (noun.removesuffix("s"), noun))
        for column, own in enumerate(units):
            ids = np.array(own.ids)
            for row, one in enumerate(known):
                self._ranked.run.check()
                rest[row, column] = own.scores((ids != one).astype(float))[self._ranked.metric.name]
        yield from self._leave_one_out(fill("of the {noun}", Message(units[0].noun)), rest, known)

    def _leave_one_out(
        self, noun: str, rest: FloatArray, names: Sequence[str]
    ) -> Iterator[Alternative]:
        yield from self._ranked.alternative(
            translatable("leave out"), fill("one {noun}", Message(noun)), rest, names
        )

    def _is_feasible(self, count: int, noun: str, most: int) -> bool:
        if 1 < count * len(self._ranked.systems) <= most:
            return True
        plural, metric = noun, self._ranked.metric.title
        self._ranked.left_out.append(
            fill(
                "Leaving out each of {count:,} {plural} in turn was skipped: it takes too "
                "long for {metric}.",
                count,
                Message(plural),
                Message(metric),
            )
        )
        return False


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
