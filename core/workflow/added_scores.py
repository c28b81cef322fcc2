"""Scores of another program beside those of a desk, joined by system and item.

They rank, are tested, correlate with ratings and appear in exports like other metrics. Their stamp
names the file with its hash; they are not computed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.intervals import add_intervals
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Reading, error, has_errors, warning
from jurydesk.core.model.evaluation import Evaluation, FloatArray, MetricInfo, Score
from jurydesk.core.model.look_alikes import look_alike_defects
from jurydesk.core.model.stamp import ADDED, Stamp, is_added
from jurydesk.core.model.system_names import file_stem
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_reader import EVERY_ITEM, TableSystem, read_results_table

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class AddedScores:
    """Metrics that were added, the systems that have them, and what was found on the way."""

    metrics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


def add_scores(
    desk: Desk, task: AnyTask, path: Path, options: TableOptions, run: Run
) -> AddedScores:
    """Join the scores of a table to the results of a desk, and store them. Raises Cancelled.

    Scores that were added before under the same name are replaced. Nothing is stored after errors:
    a name that the competition has, or a table without a system and item of the desk.
    """
    reading = read_results_table(path, EVERY_ITEM, options)
    given = _by_system(reading, path)
    defects = [*reading.defects, *(one for found in reading.systems for one in found.defects)]
    if has_errors(reading.defects) or not given:
        return AddedScores(defects=tuple(defects))
    summaries = desk.evaluations()
    names = next(iter(given.values())).scores
    known = {info.name for info in task.scoring.metrics if not is_added(info)}
    taken = sorted(set(names) & known)
    if taken:
        found = fill("The competition has its own {names}.", name_list(taken))
        defects.append(error(Place(str(path)), found, "", "Rename the column."))
        return AddedScores(defects=tuple(defects))
    unknown = sorted(set(given) - {one.system for one in summaries})
    if unknown:
        found = fill("The desk has no system {names}.", name_list(unknown))
        defects.append(warning(Place(str(path)), found, "Its scores are left out."))
    systems = [*(one.system for one in summaries), *given]
    defects += look_alike_defects(str(path), systems)
    source = f"{ADDED}{path.name}, SHA-256 {fingerprint(path, run.check).sha256}, not recomputed"
    changed = []
    for summary in summaries:
        if summary.system in given:
            joined = _joined(desk, task, summary, given[summary.system], source, run)
            if isinstance(joined, Defect):
                defects.append(replace(joined, place=Place(str(path))))
            else:
                evaluation, remarks = joined
                defects += [replace(one, place=Place(str(path))) for one in remarks]
                changed.append(evaluation)
    if not changed:
        found = "No system and item of the table are in the desk."
        defects.append(error(Place(str(path)), found, "", "Compare the names in both."))
        return AddedScores(defects=tuple(defects))
    for evaluation in changed:
        desk.add(evaluation)
    return AddedScores(
        tuple(names), tuple(dict.fromkeys(one.system for one in changed)), tuple(defects)
    )


def join_scores(
    desk: Path, task: AnyTask, path: Path, run: Run, notify: object = None
) -> AddedScores:
    """Join the scores of a table to the results of a desk, by the names of its columns."""
    from jurydesk.core.desk import Desk

    with Desk.open(desk) as opened:
        return add_scores(opened, task, path, TableOptions(), run)


def _by_system(reading: Reading[TableSystem], path: Path) -> dict[str, TableSystem]:
    """Return the systems of a table by name; a file of one system may be named by its file."""
    if reading.data is not None:
        return {reading.name or file_stem(path): reading.data}
    return {one.name: one.data for one in reading.systems if one.data is not None}


def _joined(
    desk: Desk,
    task: AnyTask,
    summary: Summary,
    given: TableSystem,
    source: str,
    run: Run,
) -> tuple[Evaluation, Sequence[Defect]] | Defect:
    """Return a result with the scores of a table, or why it has none of its items."""
    run.check()
    place = Place("")
    evaluation = desk.load(summary.id, task.readers.load_evidence)
    rows = {key: row for row, key in enumerate(given.ids)}
    wanted = np.array([rows.get(key, -1) for key in evaluation.items.ids], np.int64)
    if evaluation.stamp is None or not (wanted >= 0).any():
        found = fill("{system}: no item of the table is in the desk.", summary.system)
        return warning(place, found, "Its scores are left out.")
    remarks = []
    if lacking := int((wanted < 0).sum()):
        found = fill("{system}: {items} without a score.", summary.system, counted(lacking, "item"))
        remarks.append(warning(place, found, "They are left out of the mean."))
    known = set(evaluation.items.ids)
    if unknown := [key for key in given.ids if key not in known]:
        found = fill(
            "{system}: {items} not in the desk: {names}.",
            summary.system,
            counted(len(unknown), "item"),
            name_list(unknown),
        )
        remarks.append(warning(place, found, "Their scores are left out."))
    columns = {
        name: np.where(wanted < 0, np.nan, values[wanted]) for name, values in given.scores.items()
    }
    metrics = tuple(replace(info, source=source, headline=False) for info in given.metrics)
    return _with_columns(desk, task, evaluation, columns, metrics, run), remarks


def _with_columns(
    desk: Desk,
    task: AnyTask,
    evaluation: Evaluation,
    columns: Mapping[str, FloatArray],
    metrics: tuple[MetricInfo, ...],
    run: Run,
) -> Evaluation:
    """Return a result with further columns and scores, in its stamp, too."""
    items = replace(evaluation.items, columns={**evaluation.items.columns, **columns})
    scores = tuple(_mean(name, values) for name, values in columns.items())
    plain = tuple(replace(info, aggregate="mean", statistics=(), combine=None) for info in metrics)
    added = replace(evaluation, items=items, scores=scores, metrics=plain)
    added = add_intervals(task, added, run, RESAMPLES, SEED, load_inference(desk))
    stamp = Stamp.from_json(evaluation.stamp)
    every = (*(one for one in evaluation.scores if one.metric not in columns), *added.scores)
    declared = (*(one for one in stamp.metrics if one.name not in columns), *plain)
    stamp = replace(stamp, scores=every, metrics=declared)
    return replace(added, scores=every, metrics=declared, stamp=stamp.to_json())


def _mean(name: str, values: FloatArray) -> Score:
    found = values[np.isfinite(values)]
    if not len(found):
        return Score(name, float("nan"), 0)
    return Score(name, float(found.mean()), len(found), float(found.std()))
