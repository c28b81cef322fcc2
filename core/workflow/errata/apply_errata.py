"""Application of an erratum: score every system with new reference data, and list the changes.

Submissions are read at their recorded paths; a system whose file is missing or changed is reported
and not scored. The desk keeps the previous scores with intervals, ranks, stamps, and the headline
value of every item.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.comparison.pairwise import PairedItems, pair_items
from jurydesk.core.analysis.leaderboard import find_score, headline_metric
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrant
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.execution.check_record import check_record
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.export.tables.result_tables import changed_entries
from jurydesk.core.language import Message, fill, join_messages, name_list, translatable
from jurydesk.core.model.checks import CheckRecord, combine
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, Json, MetricInfo, Score, Source, UsageError
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.stamp import Stamp, utc_now
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.rank_intervals import RankInterval
from jurydesk.core.workflow.errata.erratum import Erratum, ProfileEffect, ScoreChange

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


class ReferenceErrors(Exception):  # noqa: N818 - says what is wrong
    """New reference data with errors, which are in `defects`."""

    def __init__(self, defects: Sequence[Defect]) -> None:
        super().__init__("The new reference data have errors.")
        self.defects = tuple(defects)


STATES = (translatable("changed"), translatable("missing"))
"""States of a file that is not scored again."""


StampPairs = Mapping[str, tuple[Json, Json]]
"""Stamps before and after an erratum, by `system (profile)`; None where there is no result."""


def result_key(system: str, profile: str) -> str:
    """Return `system (profile)`."""
    return f"{system} ({profile})"


def pair_stamps(before: Mapping[str, Json], after: Mapping[str, Json]) -> StampPairs:
    """Return the stamps before and after by `system (profile)`."""
    keys = dict.fromkeys([*before, *after])
    return {key: (before.get(key), after.get(key)) for key in keys}


@dataclass(frozen=True, slots=True, eq=False)
class PreparedErratum:
    """Erratum that is not in the desk yet; `errata_record.apply_erratum` writes it."""

    erratum: Erratum
    evaluations: tuple[Evaluation, ...]
    sources: tuple[Source, ...]
    check: CheckRecord
    stamps: Mapping[str, Any]
    """Previous stamps by `system (profile)`."""
    inference: Inference

    def new_stamps(self) -> dict[str, Json]:
        """Return the new stamps by `system (profile)`."""
        return {result_key(one.system, one.profile): one.stamp for one in self.evaluations}

    def stamp_pairs(self) -> StampPairs:
        """Return the stamps of each result before and after."""
        return pair_stamps(self.stamps, self.new_stamps())


def prepare_erratum(
    desk: Desk, task: AnyTask, new: Mapping[str, Sequence[Path]], run: Run
) -> PreparedErratum:
    """Score every system of the desk with these reference files, by role, and compare.

    Roles that are not in `new` keep their files. Raises ReferenceErrors, UsageError if the desk has
    no system to score again, and Cancelled.
    """
    summaries = desk.evaluations()
    stamps = load_stamps(desk)
    files, lost = _submissions(desk, task, summaries, stamps)
    if not files:
        raise UsageError(_no_submission_sentence(desk, lost))
    references = files_by_role(_references(desk, task, new))
    role = task.submission_input().role
    scorable = [summary for summary in summaries if summary.system in files]
    left_out = {
        system: fill("Its file is {state}.", Message(state)) for system, state in lost.items()
    }
    parts: list[ProfileEffect] = []
    results: list[CompetitionResult] = []
    checks, inference = desk.check_records(), load_inference(desk)
    for profile in dict.fromkeys(summary.profile for summary in scorable):
        of_profile = [summary for summary in scorable if summary.profile == profile]
        options = options_of_stamp(task, Stamp.from_json(stamps[of_profile[0].id]))
        inputs = [*references, *(files[one.system] for one in of_profile)]
        result = score_submissions(task, inputs, options, run, inference=inference)
        if has_errors(result.reference_defects):
            raise ReferenceErrors(result.reference_defects)
        left_out |= _unscored_reasons(result)
        part = profile_effect(desk, task, profile, result.evaluations, inference, run)
        parts += [part] if part else []
        results.append(result)
        log = replace(combine(checks).defects, reading=result.defects)
        checks.append(replace(check_record(task, inputs, result), defects=log))
    old, replacements = changed_references(
        [entry.source for entry in desk.inputs() if entry.source.role != role],
        [source for source in results[-1].sources if source.role != role],
    )
    return PreparedErratum(
        Erratum(utc_now(), old, replacements, tuple(parts), tuple(sorted(left_out.items()))),
        tuple(evaluation for result in results for evaluation in result.evaluations),
        results[-1].sources,
        combine(checks, [str(one.path) for one in files.values()]),
        {result_key(one.system, one.profile): stamps.get(one.id) for one in summaries},
        inference,
    )


def _no_submission_sentence(desk: Desk, lost: Mapping[str, str]) -> str:
    """Explain that no system can be scored again, with the states of their files."""
    sentences = [fill("{name} has no submission that can be scored again.", desk.path.name)]
    for state in dict.fromkeys(lost.values()):
        systems = [system for system, other in lost.items() if other == state]
        names = name_list(systems)
        sentences.append(
            fill("The file of {names} is {state}.", names, Message(state))
            if len(systems) == 1
            else fill("The files of {names} are {state}.", names, Message(state))
        )
    return join_messages(sentences)


def _unscored_reasons(result: CompetitionResult) -> dict[str, str]:
    return {
        entry.system: "It cannot be scored with the new reference data."
        for entry in result.entries
        if entry.evaluation is None
    }


def changed_references(
    old: Sequence[Source], new: Sequence[Source]
) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """Return the reference files no longer used, and their replacements, by role and path."""
    changed = {source.sha256 for source in new} ^ {source.sha256 for source in old}
    before, after = (
        sorted(
            (source for source in side if source.sha256 in changed),
            key=lambda one: (one.role, one.path),
        )
        for side in (old, new)
    )
    return tuple(before), tuple(after)


def _submissions(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], stamps: Mapping[int, Any]
) -> tuple[dict[str, InputFile], dict[str, str]]:
    """Return the current file of each system, and the state of files that are not current."""
    role = task.submission_input().role
    recorded = [entry for entry in desk.inputs() if entry.source.role == role]
    files: dict[str, InputFile] = {}
    lost: dict[str, str] = {}
    for one in summaries:
        stamp = stamps.get(one.id)
        sha256 = stamp["submission"]["sha256"] if stamp else ""
        path = stamp["submission"]["path"] if stamp else ""
        entries = [entry for entry in recorded if entry.source.sha256 == sha256]
        entries.sort(key=lambda entry: (entry.source.path != path, entry.state != "current"))
        if entries and entries[0].state == "current":
            files[one.system] = InputFile(entries[0].path, role, name=one.system)
        else:
            lost[one.system] = (
                entries[0].state if entries else translatable("not recorded in the desk")
            )
    return files, lost


def _references(
    desk: Desk, task: AnyTask, new: Mapping[str, Sequence[Path]]
) -> dict[str, Sequence[Path]]:
    """Return the reference files and folders by role, with the new ones."""
    role = task.submission_input().role
    found: dict[str, Sequence[Path]] = {}
    for entry in desk.inputs():
        if entry.source.role == role or entry.source.role in new:
            continue
        if entry.state != "current" and entry.source.sha256:
            raise UsageError(
                fill(
                    "{name} is {state}: it is needed to score again.",
                    entry.path.name,
                    Message(entry.state),
                )
            )
        found[entry.source.role] = (*found.get(entry.source.role, ()), entry.path)
    return {**found, **new}


def profile_effect(
    desk: Desk,
    task: AnyTask,
    profile: str,
    evaluations: Sequence[Evaluation],
    inference: Inference,
    run: Run,
) -> ProfileEffect | None:
    """Return the changes from a desk's results of a profile to these new ones.

    None if no metric ranks the systems.
    """
    of_profile = [summary for summary in desk.evaluations() if summary.profile == profile]
    metric = headline_metric(task, of_profile, inference.rank_by)
    if metric is None:
        return None
    before = {
        summary.system: (summary, load_entrant(desk, task, metric, summary))
        for summary in of_profile
        if find_score(summary, metric.name) is not None
    }
    after = {
        evaluation.system: Entrant(
            evaluation.system, evaluation.score(metric.name).value, evaluation.items
        )
        for evaluation in evaluations
        if any(score.metric == metric.name for score in evaluation.scores)
    }
    earlier = [old for _, old in before.values()]
    ranks_before = compare_all_pairs(task, metric, profile, earlier, run, inference=inference)
    later = list(after.values())
    ranks_after = compare_all_pairs(task, metric, profile, later, run, inference=inference)
    scored = {evaluation.system: evaluation for evaluation in evaluations}
    changes = []
    for system in sorted(before.keys() & after.keys()):
        summary, old = before[system]
        new = after[system]
        units = [resampling_units(task, one.items, profile) for one in (new, old)]
        items = pair_items(metric, *units)
        old_score = find_score(summary, metric.name)
        if old_score is not None:
            new_score = scored[system].score(metric.name)
            ranks = _rank(ranks_before, system), _rank(ranks_after, system)
            change = _change(metric, new, old, items)
            changes.append(_score_change(system, old_score, new_score, ranks, change, items))
    return ProfileEffect(profile, metric, tuple(_sort_changes(changes, metric)))


def _change(info: MetricInfo, new: Entrant, old: Entrant, items: PairedItems | None) -> float:
    """Return new minus old, of a mean over the items that both have; NaN without any."""
    if info.aggregate != "mean" or items is None:
        return new.value - old.value
    return float(items.differences.mean()) if items.ids else math.nan


def _rank(significance: PairwiseSignificance | None, system: str) -> RankInterval | None:
    return None if significance is None else significance.rank(system)


def _score_change(
    system: str,
    before: Score,
    after: Score,
    ranks: tuple[RankInterval | None, RankInterval | None],
    change: float,
    items: PairedItems | None,
) -> ScoreChange:
    changed = [] if items is None else changed_entries(items)
    entries = tuple((one.item, one.before, one.after) for one in changed)
    return ScoreChange(system, before, after, *ranks, change, entries)


def _sort_changes(changes: Sequence[ScoreChange], info: MetricInfo) -> list[ScoreChange]:
    sign = -1.0 if info.better == "higher" else 1.0
    return sorted(changes, key=lambda one: (sign * one.after.value, one.system))
