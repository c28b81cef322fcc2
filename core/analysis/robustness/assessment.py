"""Robustness of the ranking under other reasonable choices: profile, ties, groups, items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.equal_rules import under_equal_rules
from jurydesk.core.analysis.leaderboard import headline_metric, make_leaderboard
from jurydesk.core.analysis.robustness.item_choices import ItemChoices
from jurydesk.core.analysis.robustness.other_samples import OtherSamples
from jurydesk.core.analysis.robustness.ranked_systems import (
    RankedSystems,
    known_value,
    score_places,
)
from jurydesk.core.analysis.robustness.rescored_choices import RescoredChoices
from jurydesk.core.analysis.robustness.robustness import Robustness
from jurydesk.core.analysis.significance.board_verdict import corrected_family
from jurydesk.core.analysis.significance.leaderboard_significance import (
    load_entrants,
    significance_by_profile,
)
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run


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
    """Rank the systems of a profile under every choice; None below two reliable scores.

    Without `rescoring` only results in the desk are used, and no file is read. `tested` are the
    tests of the board by profile, if there are any under the same settings: those of many systems
    take long. Raises Cancelled.
    """
    summaries, _ = under_equal_rules(task, desk.evaluations())
    systems = [one for one in summaries if one.profile == profile]
    settings = load_inference(desk) if inference is None else inference
    metric = headline_metric(task, systems, settings.rank_by)
    if metric is None or metric.doubt:
        return None
    systems = [one for one in systems if known_value(one, metric.name) is not None]
    values = np.array([known_value(one, metric.name) for one in systems], float)
    if len(systems) < 2:
        return None
    places = score_places(values[None, :], metric)[0]
    order = np.lexsort((np.array([one.system for one in systems]), places))
    systems = [systems[row] for row in order.tolist()]
    tests = {name: one for name, one in tested.items() if (name, one.metric) == (profile, metric)}
    if not tests:
        load = partial(load_entrants, desk, task)
        tests = significance_by_profile(task, systems, load, run, settings, power=False)
    board = make_leaderboard(task, systems, tests, settings.rank_by)
    ranks = {row.summary.system: row.places for row in board.rows}
    ranked = RankedSystems(desk, task, metric, profile, systems, places[order], settings, run)
    samples, rescored = OtherSamples(ranked), RescoredChoices(ranked)
    alternatives = [*ranked.profiles(summaries), *ranked.metrics()]
    alternatives += ItemChoices(ranked, samples).alternatives()
    if rescoring:
        alternatives += rescored.alternatives(summaries)
    return Robustness(
        metric,
        profile,
        tuple(one.system for one in systems),
        tuple(ranked.base.tolist()),
        tuple(alternatives),
        tuple(ranked.left_out),
        rescored.failure,
        tuple(ranks[one.system] for one in systems),
        samples.sampling,
        _corrected_p([one.system for one in systems], tests.get(profile)),
        corrected_family(tests[profile]) if profile in tests else "",
        samples.no_sampling,
        ranked.answered,
        ranked.different_items,
    )


def _corrected_p(
    systems: Sequence[str], tests: PairwiseSignificance | None
) -> tuple[tuple[float, ...], ...]:
    """Return the corrected p values (systems, systems), NaN where untested.

    They are empty without any, and where the tests claim no ranks.
    """
    if tests is None or not tests.pairs or not tests.claims_ranks:
        return ()
    known = {(one.first, one.second): one.corrected for one in tests.pairs}
    known |= {(other, one): p for (one, other), p in known.items()}
    return tuple(tuple(known.get((one, other), math.nan) for other in systems) for one in systems)
