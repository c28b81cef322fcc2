"""Systems of the Compare page; large ones are read in a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from jurydesk.app.inspectors.inspector import InspectedItem, inspected_item
from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import DeskJob
from jurydesk.core.analysis.comparison.pairwise import align_values
from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.language import translate
from jurydesk.core.workflow.evaluation_cache import QUICK_ITEMS, load_rated

if TYPE_CHECKING:
    from jurydesk.core.analysis.comparison.pairwise import MetricComparison, PairedItems
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.model.evaluation import Evaluation, FloatArray, MetricInfo

KNOWN_PAIRS = 2
QUICK_ITEMS_IN_UNITS = 500
"""Number of items that are read at once although units are scored again."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedSystem:
    """One compared system: its evaluation, and its items (or units) by id."""

    evaluation: Evaluation
    entries: ResamplingUnits
    places: Mapping[str, int]

    @classmethod
    def of(cls, task: AnyTask, evaluation: Evaluation) -> ComparedSystem:
        """Return the side of a system."""
        found = resampling_units(task, evaluation.items, evaluation.profile)
        return cls(evaluation, found, {key: place for place, key in enumerate(found.ids)})

    def row(self, key: str) -> int:
        """Return the item row that shows an id."""
        return int(self.entries.rows[self.places[key]])

    def inspected_item(self, task: AnyTask, key: str, folders: Inputs) -> InspectedItem | None:
        """Return the item for an inspector.

        None if there is no evidence, or if another job has just scored the system again.
        """
        try:
            return inspected_item(task, self.evaluation, self.row(key), folders)
        except DeskError:
            return None


Loads = Mapping[int, Callable[[], "Evaluation"]]
"""Functions that load evaluations, by their numbers in the desk."""


class ComparedSystems(DeskJob[frozenset[int], Mapping[int, ComparedSystem]]):
    """Cache of the last compared systems, by their numbers in the desk."""

    def of(self, systems: Sequence[str]) -> tuple[ComparedSystem, ...]:
        """Return these systems; empty if one is missing or being read."""
        session = self._session
        task, people = session.task, session.study_findings
        wanted = [found for name in systems if (found := session.summary(name)) is not None]
        if len(wanted) < len(systems):
            return ()
        known = {key: side for pair in self.results() for key, side in pair.items()}
        missing = [summary for summary in wanted if summary.id not in known]
        if not missing:
            self.cancel()
            return tuple(known[summary.id] for summary in wanted)
        there = {one.id: known[one.id] for one in wanted if one.id in known}
        key = frozenset(summary.id for summary in wanted)
        if sum(one.n_items for one in missing) > (
            QUICK_ITEMS if task.scoring.units is None else QUICK_ITEMS_IN_UNITS
        ):
            stored = session.evaluation_loaders()
            loads = {summary.id: stored[summary.system] for summary in missing}
            work = partial(read_sides, task, loads, people, there)
            self.request(key, translate("Reading systems"), work)
            return ()
        for summary in missing:
            evaluation = session.evaluation(summary.system)
            if evaluation is None:
                return ()
            there[summary.id] = ComparedSystem.of(task, evaluation)
        self.cancel()
        self.put(key, there)
        return tuple(there[summary.id] for summary in wanted)


def read_sides(
    task: AnyTask,
    loads: Loads,
    people: StudyFindings | None,
    known: Mapping[int, ComparedSystem],
    run: Run,
    notify: Notify,
) -> Mapping[int, ComparedSystem]:
    """Return the known systems and those loaded with their ratings; the work of a job."""
    found = dict(known)
    for key, load in loads.items():
        run.check()
        found[key] = ComparedSystem.of(task, load_rated(load, people))
    return found


class OtherSystems(DeskJob[tuple[str, tuple[str, str], frozenset[int]], Mapping[str, Any]]):
    """Values (items,) of the systems that are not compared, by name."""

    def values(
        self, items: PairedItems, systems: tuple[str, str], metric: MetricInfo
    ) -> Mapping[str, FloatArray]:
        """Return the other systems' values of these items; empty while they are read."""
        session = self._session
        others = [one for one in session.profile_systems() if one.system not in systems]
        key = (metric.name, systems, frozenset(one.id for one in session.profile_systems()))
        work = partial(read_values, session.desk, session.task, metric, others, items)
        return (
            self.request(key, translate("Reading the other systems"), work) if others else None
        ) or {}


def read_values(
    desk: Desk,
    task: AnyTask,
    metric: MetricInfo,
    summaries: Sequence[Summary],
    items: PairedItems,
    run: Run,
    notify: Notify,
) -> Mapping[str, FloatArray]:
    """Return the metric's values of these items by system; the work of a job."""
    from jurydesk.core.desk.item_queries import load_item_columns

    wanted = (metric.name,) if task.scoring.units is None else None
    found: dict[str, FloatArray] = {}
    for one in summaries:
        run.report(len(found), len(summaries), translate("reading {system}", system=one.system))
        columns = resampling_units(task, load_item_columns(desk, one.id, wanted), one.profile)
        found[one.system] = align_values(items, columns, metric.name)
    return found


def pair_test(
    task: AnyTask,
    metric: MetricInfo,
    profile: str,
    pair: tuple[Evaluation, Evaluation],
    summaries: Sequence[Summary],
    desk: Desk,
    run: Run,
    notify: Notify,
) -> MetricComparison:
    """Test the difference of two systems with the desk's inference settings; the work of a job.

    By the ranking metric it has the verdict of the board with these systems.
    """
    from jurydesk.core.analysis.comparison.pairwise import compare_systems
    from jurydesk.core.analysis.contradictions import contradictions
    from jurydesk.core.analysis.leaderboard import headline_metric
    from jurydesk.core.analysis.significance.board_verdict import board_verdict
    from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
    from jurydesk.core.analysis.significance.significance_methods import Entrant
    from jurydesk.core.desk.inference_settings import load_inference

    def entrant(evaluation: Evaluation) -> Entrant:
        value = next((s.value for s in evaluation.scores if s.metric == metric.name), float("nan"))
        return Entrant(evaluation.system, value, evaluation.items)

    one, other = map(entrant, pair)
    inference = load_inference(desk)
    found = compare_systems(task, metric, profile, one, other, run, inference=inference)
    compared = [summary for summary in summaries if summary.system in (one.system, other.system)]
    sentences = (sentence for _, sentence in contradictions(desk, task, compared, run.check))
    found = replace(found, contradictions=tuple(sentences))
    ranking = headline_metric(task, summaries, inference.rank_by)
    if len(summaries) < 3 or ranking is None or ranking.name != metric.name:
        return found
    tests = desk_significance(desk, task, summaries, run, inference)
    return replace(found, board=board_verdict(tests.get(profile), (one.system, other.system)))
