"""Leaderboard of a slice: scores, intervals, tests and ranks over its items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard, find_score, make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import significance_by_profile
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.analysis.slices import ItemSlice
from jurydesk.core.analysis.units import resampling_units, restrict_units
from jurydesk.core.competition.task import Task
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.execution.intervals import MEAN_TOLERANCE, add_intervals
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.evaluation import Evaluation, ItemTable, MetricInfo, Score, Units
from jurydesk.core.statistics.bootstrap import LEVEL, RESAMPLES, SEED
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.paired_tests import holm

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run

AnyTask = Task[Any, Any, Any]


def slice_leaderboards(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    slices: Sequence[ItemSlice],
    run: Run,
    inference: Inference | None = None,
) -> list[tuple[ItemSlice, Leaderboard]]:
    """Compute the leaderboards of several slices, whose claims hold together. Raises Cancelled.

    All slices of a column, requested or not, and those by queries are a family: a slice whose
    smallest corrected p is not significant among them (Holm) claims no difference.
    """
    every = [*slices, *_other_slices(slices)]
    boards = [slice_leaderboard(desk, task, summaries, one, run, inference) for one in every]
    settings = load_inference(desk) if inference is None else inference
    for column in dict.fromkeys(one.column for one in slices):
        family = [number for number, one in enumerate(every) if one.column == column]
        if len(family) > 1:
            together = _claim_together(task, [boards[number] for number in family], settings)
            for number, board in zip(family, together, strict=True):
                boards[number] = board
    return list(zip(slices, boards, strict=False))


def _other_slices(slices: Sequence[ItemSlice]) -> list[ItemSlice]:
    """Return the slices of the same columns that are not among these."""
    present = {(one.column, one.title) for one in slices}
    others = {(one.column, one.title): one for each in slices for one in each.others}
    return [one for key, one in others.items() if key not in present]


def _claim_together(
    task: AnyTask, boards: Sequence[Leaderboard], inference: Inference
) -> list[Leaderboard]:
    """Return boards whose claims hold together."""
    profiles = dict.fromkeys(profile for board in boards for profile in board.significance_tests)
    made: list[dict[str, PairwiseSignificance]] = [{} for _ in boards]
    for profile in profiles:
        tests = [board.significance_tests.get(profile) for board in boards]
        for number, one in enumerate(corrected_over_slices(tests)):
            if one is not None:
                made[number][profile] = one
    return [
        replace(
            make_leaderboard(task, [row.summary for row in board.rows], tests, inference.rank_by),
            title=board.title,
        )
        for board, tests in zip(boards, made, strict=True)
    ]


def corrected_over_slices(
    tests: Sequence[PairwiseSignificance | None],
) -> list[PairwiseSignificance | None]:
    """Raise the corrected p values of each slice to what Holm's procedure makes of its smallest."""
    smallest = [math.nan if one is None else one.smallest_p for one in tests]
    return [
        one if one is None or math.isnan(least) else one.at_least(least, len(tests))
        for one, least in zip(tests, holm(np.array(smallest)).tolist(), strict=True)
    ]


def family_of_slices(slices: Sequence[ItemSlice]) -> str:
    """Say how many of these slices would claim a difference by chance; empty for a single one."""
    count = len(slices) + len(_other_slices(slices))
    if count < 2:
        return ""
    expected = (1 - LEVEL) * count
    return fill(
        "{count} slices: about {expected} claims a difference by chance alone; claims are "
        "corrected over the slices (Holm).",
        *(count, translatable("one") if round(expected) == 1 else fill("{expected:.2g}", expected)),
    )


def slice_leaderboard(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    chosen: ItemSlice,
    run: Run,
    inference: Inference | None = None,
) -> Leaderboard:
    """Compute the leaderboard of a slice from the statistics in the desk. Raises Cancelled.

    A score that does not follow from items, such as one of whole sets of pictures, is left out.
    """
    restricted = _restrict_task(task, chosen.ids)
    inference = load_inference(desk) if inference is None else inference
    rescored: list[Summary] = []
    tables: dict[int, ItemTable] = {}
    for summary in summaries:
        if summary.id:
            run.check()
            whole = load_item_columns(desk, summary.id)
            items = _restrict_items(task, whole, summary.profile, chosen.ids)
            tables[summary.id] = items
            rescored.append(_rescore(restricted, summary, whole, items, run, inference))

    def enter(metric: MetricInfo, alike: Sequence[Summary]) -> list[Entrant]:
        return [
            Entrant(one.system, score.value, tables[one.id])
            for one in alike
            if (score := find_score(one, metric.name)) is not None
        ]

    found = make_leaderboard(
        task,
        rescored,
        significance_by_profile(restricted, rescored, enter, run, inference),
        inference.rank_by,
    )
    return replace(
        found,
        title=fill(
            "{task}: {title} ({size})", Message(task.title), Message(chosen.title), chosen.size
        ),
    )


def _restrict_task(task: AnyTask, ids: frozenset[str]) -> AnyTask:
    units = task.scoring.units
    if units is None:
        return task

    def units_of_slice(items: ItemTable, profile: str) -> Units:
        return restrict_units(units(items, profile), ids)

    return replace(task, scoring=replace(task.scoring, units=units_of_slice))


def _restrict_items(
    task: AnyTask, items: ItemTable, profile: str, ids: frozenset[str]
) -> ItemTable:
    found = resampling_units(task, items, profile)
    chosen = np.array([key in ids for key in found.ids], dtype=np.bool_)
    rows = np.flatnonzero(chosen[found.entry_of]) if len(chosen) else np.empty(0, np.int64)
    return ItemTable(
        tuple(items.ids[row] for row in rows.tolist()),
        {name: column[rows] for name, column in items.columns.items()},
        noun=items.noun,
        evidence_of=None if items.evidence_of is None else items.evidence_of[rows],
    )


def _rescore(
    task: AnyTask,
    summary: Summary,
    whole: ItemTable,
    items: ItemTable,
    run: Run,
    inference: Inference,
) -> Summary:
    infos = {score.metric: _info(task, score.metric) for score in summary.scores}
    of_units: Mapping[str, float] = {}
    if task.scoring.units is not None and len(items):
        units = task.scoring.units(items, summary.profile)
        of_units = units.scores(np.ones(len(units.ids)))
    scores = []
    for score in summary.scores:
        info = infos[score.metric]
        sliced = None if info is None else _score(info, score, whole, items, of_units)
        if sliced is not None:
            scores.append(sliced)
    evaluation = Evaluation(task.id, summary.system, summary.profile, tuple(scores), items)
    scored = add_intervals(task, evaluation, run, RESAMPLES, SEED, inference)
    return replace(summary, scores=scored.scores, n_items=len(items))


def _info(task: AnyTask, name: str) -> MetricInfo | None:
    try:
        return task.metric(name)
    except KeyError:
        return None


def _score(
    info: MetricInfo,
    before: Score,
    whole: ItemTable,
    items: ItemTable,
    of_units: Mapping[str, float],
) -> Score | None:
    """Return a score over the items; None if it does not follow from them."""
    if info.aggregate == "own":
        return _combined_score(info, items, of_units)
    if info.name not in items.columns:
        return None
    every, values = whole.columns[info.name], items.columns[info.name]
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    if info.aggregate == "sum":
        return Score(info.name, float(known.sum()), len(known))
    if not _is_mean(before.value, every[np.isfinite(every)].tolist()):
        return None
    return Score(info.name, float(known.mean()), len(known), float(known.std()))


def _is_mean(value: float, known: Sequence[float]) -> bool:
    """Return whether the score over all items is the mean of their column."""
    if not known:
        return False
    return math.isclose(value, float(np.mean(known)), rel_tol=MEAN_TOLERANCE, abs_tol=1e-9)


def _combined_score(
    info: MetricInfo, items: ItemTable, of_units: Mapping[str, float]
) -> Score | None:
    if info.combine is None:
        value = of_units.get(info.name)
        return None if value is None else Score(info.name, value, len(items))
    if not set(info.statistics) <= items.columns.keys() or not len(items):
        return None
    rows = np.column_stack([items.columns[name] for name in info.statistics])
    return Score(info.name, info.combine(rows), len(items))
