"""Metric declarations of the FusionBrain competition."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from jurydesk.core.competition.task import Statistic
from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.fid.picture_measures import MEASURES
from jurydesk.core.model.evaluation import FloatArray, MetricInfo

SOURCE = "FusionBrain Challenge 2.0 (AI Journey 2022)"


def _mean_of_means(rows: FloatArray) -> float:
    """Return the mean of two columns' means; rows of other sub-tasks are NaN."""
    defined = np.isfinite(rows)
    if not defined.any(axis=0).all():
        return math.nan
    means = np.where(defined, rows, 0.0).sum(axis=0) / defined.sum(axis=0)
    return float(means.mean())


_metric = partial(MetricInfo, range=(0.0, 1.0), better="higher", source=SOURCE)

PICTURE_MEASURES = ("kid_full", "precision", "recall", "density", "coverage")
"""Measures of generated and real pictures by Inception, beside the published FID."""
OF_PICTURE = ("precision", "density")
"""Measures that are means over the generated pictures; the others have no column of items."""


def _of_generation(info: MetricInfo) -> MetricInfo:
    """Return the declaration of a measure as that of generated pictures."""
    return replace(
        info,
        name=f"generation_{info.name}",
        title=fill("Generation: {measure}", Message(info.title)),
        aggregate="mean" if info.name in OF_PICTURE else "own",
    )


METRICS = (
    _metric(
        "integral",
        "Integral score",
        "Sum of a fifteenth of each open sub-task's score and a tenth of each hidden one's.",
        aggregate="own",
        headline=True,
    ),
    _metric(
        "integral_open",
        "Open part",
        "Share of the six open sub-tasks in the integral score, at most 0.4.",
        range=(0.0, 0.4),
        aggregate="own",
    ),
    _metric(
        "integral_so_far",
        "Points so far",
        "Sum over the known sub-tasks; compare systems with equal shares known only.",
        aggregate="own",
        headline=True,
    ),
    _metric(
        "textqa_f1",
        "Text QA",
        "Mean F1 of lemmas against the best accepted answer.",
        headline=True,
    ),
    _metric(
        "mathqa_em",
        "Math QA",
        "Share of answers that equal an accepted answer after normalization.",
        headline=True,
    ),
    _metric(
        "generation",
        "Generation",
        "Mean of the CLIP score and 1 - FID / 200 (FID at most 200).",
        range=(-0.5, 1.0),
        aggregate="own",
        headline=True,
    ),
    _metric(
        "generation_fid",
        "Generation FID",
        "Fréchet distance of generated and real pictures in Inception features.",
        range=(0.0, math.inf),
        better="lower",
        source="Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017; " + SOURCE,
        aggregate="own",
        decimals=2,
    ),
    _metric(
        "generation_clip",
        "Generation CLIP",
        "Mean cosine of generated pictures with their texts.",
        range=(-1.0, 1.0),
    ),
    *(_of_generation(info) for info in MEASURES if info.name in PICTURE_MEASURES),
    _metric(
        "captioning",
        "Captioning",
        "Mean of METEOR and CLIP score of captions.",
        range=(-0.5, 1.0),
        aggregate="own",
        statistics=("captioning_meteor", "captioning_clip"),
        combine=_mean_of_means,
        fewest_groups=5,
        headline=True,
    ),
    _metric(
        "captioning_meteor",
        "Captioning METEOR",
        "Mean METEOR with RuWordNet against the best accepted caption.",
    ),
    _metric(
        "captioning_clip",
        "Captioning CLIP",
        "Mean cosine of pictures with their captions.",
        range=(-1.0, 1.0),
    ),
    _metric(
        "vqa_meteor",
        "Visual QA",
        "Mean METEOR with RuWordNet, or ratio of two numbers, against the best accepted answer.",
        headline=True,
    ),
    _metric(
        "text_recognition_ned",
        "Recognition",
        "Mean of 1 - normalized edit distance to the nearest accepted text.",
        headline=True,
    ),
    _metric(
        "integral_share",
        "Share known",
        "Share of the known sub-tasks in the maximum integral score.",
        better="neither",
        aggregate="own",
        decimals=2,
    ),
)

GENERATION_MEASURES = tuple(f"generation_{name}" for name in PICTURE_MEASURES)
"""Metrics of generation that are there only where the features of real pictures are known."""

SUBTASK_METRICS = {
    "textqa": ("textqa_f1",),
    "mathqa": ("mathqa_em",),
    "generation": ("generation", "generation_fid", "generation_clip"),
    "captioning": ("captioning", "captioning_meteor", "captioning_clip"),
    "vqa": ("vqa_meteor",),
    "text_recognition": ("text_recognition_ned",),
}
"""Metrics of every sub-task; the first counts in the integral score."""

INTEGRAL_METRICS = ("integral", "integral_open", "integral_so_far", "integral_share")


STATISTICS: dict[str, Statistic] = {
    "group": Statistic(
        "Group", "Number of the group of questions about one picture or passage, from 0."
    ),
    "matches": Statistic("Words in common", "Words in common with the best accepted answer."),
    "chunks": Statistic(
        "Chunks", "Runs of matched words in the same order in both texts: fewer are better."
    ),
    "predicted_words": Statistic("Words predicted", "Words of the normalized prediction."),
    "accepted_words": Statistic("Words accepted", "Words of the normalized best accepted answer."),
    "by_letter": Statistic(
        "Scored by letter", "1 if the first letter of a to e was scored instead of the answer."
    ),
    "by_number": Statistic(
        "Scored by number", "1 if the accepted answer is a number and two numbers are compared."
    ),
    "reused": Statistic(
        "Reused",
        "1 if there is no text and the published program scores that of the previous item.",
    ),
    "failed": Statistic(
        "Failed", "1 if the picture or the text could not be compared; the published score is 0."
    ),
    "caption_rank": Statistic(
        "Rank of its text",
        "Rank of the item's text among all texts by cosine with the picture, from 1.",
    ),
    "edits": Statistic("Edits", "Insertions, deletions and substitutions of characters."),
    "longest": Statistic(
        "Longer text", "Characters of the longer text, by which the edits are divided."
    ),
}
