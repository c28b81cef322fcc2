"""Evaluator of FusionBrain: every sub-task, then the integral score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.execution.system_names import file_stem
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing, Score
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem, subtask_items
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import (
    INTEGRAL_METRICS,
    METRICS,
    SUBTASK_METRICS,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import HIDDEN, SUBTASKS, integral
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.subtask_scorer import SubtaskResult, SubtaskScorer

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

UNKNOWN_HIDDEN = "The scores of these hidden sub-tasks are not known:"


def evaluate(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Evaluation:
    """Return the scores of one system, with one item for every key of every sub-task.

    What lacks its model or its files is NaN, and a note says so. Raises ResourceMissing where
    nothing at all could be computed, and Cancelled.
    """
    scorer = SubtaskScorer(competition, predictions, options, run)
    names = list(competition.questions)
    found = run.gather(*(partial(scorer.part, name) for name in names))
    parts: dict[str, SubtaskResult] = dict(zip(names, found, strict=True))
    items = [item for part in parts.values() for item in part.items]
    known = {name: value for part in parts.values() for name, value in part.scores.items()}
    lacking = tuple(dict.fromkeys(text for part in parts.values() for text in part.lacking))
    if lacking and all(math.isnan(value) for value in known.values()):
        raise ResourceMissing(" ".join(lacking))
    hidden = options.hidden_scores(file_stem(predictions.path))
    place = Place(str(predictions.path))
    defects = [defect for part in parts.values() for defect in part.defects]
    defects += [note(place, f"Not computed: {text}") for text in lacking]
    defects += _random_model_warning(options, place)
    if competition.whole:
        known |= integral_scores(known, hidden)
        defects += _missing_scores(competition, hidden, place)
    return Evaluation(
        task="fusionbrain",
        system="",
        profile=options.profile,
        scores=tuple(_scores(competition, known, items)),
        items=subtask_items(items),
        defects=tuple(defects),
    )


def _random_model_warning(options: FusionBrainOptions, place: Place) -> Iterator[Defect]:
    """Yield a warning if models with random weights were requested, as in the example."""
    roles = [role for role, path in options.weight_paths().items() if str(path) == WORD]
    if roles:
        found = f"Random numbers stand in the place of models: {', '.join(roles)}."
        yield warning(place, found, "Scores of pictures mean nothing then.", "Name real models.")


def integral_scores(known: Mapping[str, float], hidden: Mapping[str, float]) -> dict[str, float]:
    """Return the scores of the whole submission by metric, from those of its sub-tasks."""
    found = integral(known, hidden)
    values = (found.value, found.open_part, found.so_far, found.share)
    return dict(zip(INTEGRAL_METRICS, values, strict=True))


def _missing_scores(
    competition: Challenge, hidden: Mapping[str, float], place: Place
) -> Iterator[Defect]:
    """Yield the reasons other than missing models why the integral score is unknown."""
    absent = [one.title for one in SUBTASKS if one.name not in competition.questions]
    if absent:
        found = f"No key belongs to: {', '.join(absent)}."
        yield note(place, found, "The integral score is not known.")
    yield from missing_hidden_scores(hidden, place)


def missing_hidden_scores(hidden: Mapping[str, float], place: Place) -> Iterator[Defect]:
    """Yield a defect that names the hidden scores that were not given."""
    unknown = [name for name in HIDDEN if name not in hidden]
    if unknown:
        found = f"{UNKNOWN_HIDDEN} {', '.join(unknown)}."
        yield note(place, found, "Give them with --hidden, or on the page of the submission.")


def _scores(
    competition: Challenge, known: Mapping[str, float], items: Sequence[FusionBrainItem]
) -> Iterator[Score]:
    """Yield the scores of the requested sub-tasks and the whole, in declaration order."""
    asked = SUBTASKS if competition.whole else ()
    names = {one.name for one in asked} | set(competition.questions)
    wanted = {metric for name in names for metric in SUBTASK_METRICS[name]}
    wanted |= set(INTEGRAL_METRICS) if competition.whole else set()
    for info in METRICS:
        if info.name in wanted:
            value = known.get(info.name, math.nan)
            yield _score(info.name, value, items)


def _score(metric: str, value: float, items: Sequence[FusionBrainItem]) -> Score:
    """Return a score with the number and spread of its items; of a whole, the number of all."""
    column = np.array([item.values[metric] for item in items if metric in item.values])
    defined = column[~np.isnan(column)] if len(column) else column
    if len(column):
        return Score(
            metric, value, len(defined), float(defined.std()) if len(defined) else math.nan
        )
    owner = next((name for name, metrics in SUBTASK_METRICS.items() if metric in metrics), "")
    count = sum(not owner or item.question.subtask == owner for item in items)
    return Score(metric, value, count if value == value else 0)
