"""Recomputation of the integral score with other hidden scores, from stored scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jurydesk.core.language.message import templates
from jurydesk.core.model.defects import Defect, Place
from jurydesk.core.model.evaluation import Evaluation, Score
from jurydesk.core.model.stamp import Stamp, utc_now
from jurydesk.core.model.system_names import file_stem
from jurydesk.core.tasks.fusionbrain.fusionbrain_evaluator import (
    UNKNOWN_HIDDEN,
    integral_scores,
    missing_hidden_scores,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions

LIGHT_OPTIONS = ("hidden",)


def replace_hidden_scores(evaluation: Evaluation, options: FusionBrainOptions) -> Evaluation:
    """Return the evaluation, its stamp and its defects with other hidden scores."""
    stamp = Stamp.from_json(evaluation.stamp)
    path = stamp.submission.path
    hidden = options.hidden_scores(file_stem(Path(path)))
    scores = tuple(_scores(evaluation, hidden))
    settings = {name: value for name, value in stamp.settings.items() if name != "hidden"}
    defects = tuple(_defects(evaluation, hidden, path))
    new_stamp = replace(
        stamp,
        options={**stamp.options, "hidden": list(options.hidden)},
        settings={**options.settings(), **settings},
        scores=scores,
        created=utc_now(),
    )
    return replace(evaluation, scores=scores, defects=defects, stamp=new_stamp.to_json())


def _scores(evaluation: Evaluation, hidden: Mapping[str, float]) -> Iterator[Score]:
    known = {score.metric: score.value for score in evaluation.scores}
    whole = integral_scores(known, hidden)
    for score in evaluation.scores:
        if score.metric in whole:
            value = whole[score.metric]
            count = len(evaluation.items) if value == value else 0
            yield replace(score, value=value, n=count)
        else:
            yield score


def _defects(evaluation: Evaluation, hidden: Mapping[str, float], path: str) -> Iterator[Defect]:
    yield from (one for one in evaluation.defects if UNKNOWN_HIDDEN not in templates([one.found]))
    if any(score.metric == "integral" for score in evaluation.scores):
        yield from missing_hidden_scores(hidden, Place(path))
