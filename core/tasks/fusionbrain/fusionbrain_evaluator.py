"""Evaluator of FusionBrain: sub-tasks and integral score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import Message, fill, join_messages, translatable
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing, Score
from jurydesk.core.model.system_names import file_stem
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem, subtask_items
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import (
    GENERATION_MEASURES,
    INTEGRAL_METRICS,
    METRICS,
    SUBTASK_METRICS,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import (
    CAPTIONING,
    GENERATION,
    HIDDEN,
    SUBTASKS,
    integral,
)
from jurydesk.core.tasks.fusionbrain.picture_check import picture_remarks
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.subtask_scorer import (
    NO_INPUT,
    NO_REAL,
    SubtaskResult,
    SubtaskScorer,
)
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import real_source

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

UNKNOWN_HIDDEN = translatable("The scores of these hidden sub-tasks are not known: {join}.")


def evaluate(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Evaluation:
    """Score one system, with one item for every key of every sub-task.

    Scores without their model or files are NaN, with a note.

    Raises:
        ResourceMissing: No score could be computed.
        Cancelled: The run was cancelled.
    """
    scorer = SubtaskScorer(competition, predictions, options, run)
    jobs = (partial(scorer.score, name) for name in competition.questions)
    results: Sequence[SubtaskResult] = run.gather(*jobs)
    items = [item for result in results for item in result.items]
    known = {name: value for result in results for name, value in result.scores.items()}
    missing = tuple(dict.fromkeys(text for result in results for text in result.missing))
    if missing and all(math.isnan(value) for value in known.values()):
        raise ResourceMissing(join_messages(missing))
    hidden = options.hidden_scores(file_stem(predictions.path))
    defects = [defect for result in results for defect in result.defects]
    defects += _not_computed(predictions.path, missing)
    defects += _setting_remarks(competition, predictions, options)
    if competition.whole:
        known |= integral_scores(known, hidden)
    return Evaluation(
        task="fusionbrain",
        system="",
        profile=options.profile,
        scores=tuple(_scores(competition, known, items)),
        items=subtask_items(items),
        defects=tuple(defects),
    )


def scoring_remarks(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports without its models."""
    yield from picture_remarks(competition, predictions, options, run)
    missing = list[str]()
    if competition.input is None and {GENERATION, CAPTIONING} & set(competition.questions):
        missing.append(NO_INPUT)
    finder = PictureFinder(competition, predictions)
    if GENERATION in competition.questions and real_source(competition, finder) is None:
        missing.append(NO_REAL)
    yield from _not_computed(predictions.path, missing)
    yield from _setting_remarks(competition, predictions, options)


def _not_computed(path: Path, reasons: Sequence[str]) -> list[Defect]:
    place = Place(str(path))
    return [note(place, fill("Not computed: {reason}", Message(reason))) for reason in reasons]


def _setting_remarks(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions
) -> Iterator[Defect]:
    """Yield what options and task ids leave unknown."""
    place = Place(str(predictions.path))
    yield from _random_model_warning(options, place)
    if competition.whole:
        hidden = options.hidden_scores(file_stem(predictions.path))
        yield from _missing_scores(competition, hidden, place)


def _random_model_warning(options: FusionBrainOptions, place: Place) -> Iterator[Defect]:
    roles = [role for role, path in options.weight_paths().items() if str(path) == WORD]
    if roles:
        found = fill("Models with random weights: {join}.", ", ".join(roles))
        yield warning(place, found, "Image scores are meaningless.", "Choose trained models.")


def integral_scores(known: Mapping[str, float], hidden: Mapping[str, float]) -> dict[str, float]:
    """Return the scores of the whole submission by metric, from those of its sub-tasks."""
    result = integral(known, hidden)
    values = (result.value, result.open_part, result.so_far, result.share)
    return dict(zip(INTEGRAL_METRICS, values, strict=True))


def _missing_scores(
    competition: Challenge, hidden: Mapping[str, float], place: Place
) -> Iterator[Defect]:
    """Yield the reasons other than missing models why the integral score is unknown."""
    empty = [one.title for one in SUBTASKS if one.name not in competition.questions]
    if empty:
        found = fill("Sub-tasks without keys: {join}.", ", ".join(empty))
        yield note(place, found, "The integral score is not known.")
    yield from missing_hidden_scores(hidden, place)


def missing_hidden_scores(hidden: Mapping[str, float], place: Place) -> Iterator[Defect]:
    """Yield a note about hidden scores that were not given."""
    unknown = [name for name in HIDDEN if name not in hidden]
    if unknown:
        found = fill(UNKNOWN_HIDDEN, ", ".join(unknown))
        yield note(place, found, "Give them with --hidden, or on the page of the submission.")


def _scores(
    competition: Challenge, known: Mapping[str, float], items: Sequence[FusionBrainItem]
) -> Iterator[Score]:
    """Yield the scores of the sub-tasks and the whole, in the order of declaration."""
    names = set(competition.questions)
    metrics: set[str] = set()
    if competition.whole:
        names |= {one.name for one in SUBTASKS}
        metrics |= set(INTEGRAL_METRICS)
    metrics |= {metric for name in names for metric in SUBTASK_METRICS[name]}
    metrics |= set(GENERATION_MEASURES) & known.keys()
    for info in METRICS:
        if info.name in metrics:
            yield _score(info.name, known.get(info.name, math.nan), items)


def _score(metric: str, value: float, items: Sequence[FusionBrainItem]) -> Score:
    """Return a score with the number and deviation of its items, or the number of all items."""
    column = np.array([item.values[metric] for item in items if metric in item.values])
    defined = column[~np.isnan(column)] if len(column) else column
    if len(column):
        deviation = float(defined.std()) if len(defined) else math.nan
        return Score(metric, value, len(defined), deviation)
    owner = next((name for name, metrics in SUBTASK_METRICS.items() if metric in metrics), "")
    owner = GENERATION if metric in GENERATION_MEASURES else owner
    count = sum(not owner or item.question.subtask == owner for item in items)
    return Score(metric, value, count if value == value else 0)
