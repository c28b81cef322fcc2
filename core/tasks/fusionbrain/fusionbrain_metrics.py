"""Metric declarations of the FusionBrain competition."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from jurydesk.core.competition.task import Statistic
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

METRICS = (
    _metric(
        "integral",
        "Integral score",
        "A fifteenth of each open sub-task's score and a tenth of each hidden one's.",
        aggregate="own",
        headline=True,
    ),
    _metric(
        "integral_open",
        "Open part",
        "What the six open sub-tasks give to the integral score: at most 0.4.",
        range=(0.0, 0.4),
        aggregate="own",
    ),
    _metric(
        "integral_so_far",
        "Points so far",
        "What the known sub-tasks give to the integral score; compare equal shares known only.",
        aggregate="own",
        headline=True,
    ),
    _metric(
        "textqa_f1",
        "Text QA",
        "Mean F1 of the answer's lemmas with the best accepted answer's.",
        headline=True,
    ),
    _metric(
        "mathqa_em",
        "Math QA",
        "Share of answers that equal an accepted one after normalisation.",
        headline=True,
    ),
    _metric(
        "generation",
        "Generation",
        "Half the CLIP score, and half of 1 - FID / 200 (FID at most 200).",
        range=(-0.5, 1.0),
        aggregate="own",
        headline=True,
    ),
    _metric(
        "generation_fid",
        "Generation FID",
        "Frechet distance of generated and real pictures in Inception's features.",
        range=(0.0, math.inf),
        better="lower",
        source="Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017; " + SOURCE,
        aggregate="own",
        decimals=2,
    ),
    _metric(
        "generation_clip",
        "Generation CLIP",
        "Mean cosine of a generated picture with the text it was made for.",
        range=(-1.0, 1.0),
    ),
    _metric(
        "captioning",
        "Captioning",
        "The mean of captions' METEOR and CLIP score.",
        range=(-0.5, 1.0),
        aggregate="own",
        statistics=("captioning_meteor", "captioning_clip"),
        combine=_mean_of_means,
        headline=True,
    ),
    _metric(
        "captioning_meteor",
        "Captioning METEOR",
        "Mean METEOR with RuWordNet of a caption with its best accepted one.",
    ),
    _metric(
        "captioning_clip",
        "Captioning CLIP",
        "Mean cosine of a picture with its caption.",
        range=(-1.0, 1.0),
    ),
    _metric(
        "vqa_meteor",
        "Visual QA",
        "Mean METEOR with RuWordNet of an answer, or the ratio of two numbers.",
        headline=True,
    ),
    _metric(
        "text_recognition_ned",
        "Recognition",
        "Mean 1 - edit distance by the longer length, with the nearest accepted text.",
        headline=True,
    ),
    _metric(
        "integral_share",
        "Share known",
        "How much of the greatest possible integral score the known sub-tasks are about.",
        better="neither",
        aggregate="own",
        decimals=2,
    ),
)

SUBTASK_METRICS = {
    "textqa": ("textqa_f1",),
    "mathqa": ("mathqa_em",),
    "generation": ("generation", "generation_fid", "generation_clip"),
    "captioning": ("captioning", "captioning_meteor", "captioning_clip"),
    "vqa": ("vqa_meteor",),
    "text_recognition": ("text_recognition_ned",),
}
"""The metrics of every sub-task; the first is the one that counts."""

INTEGRAL_METRICS = ("integral", "integral_open", "integral_so_far", "integral_share")


STATISTICS: dict[str, Statistic] = {
    "group": Statistic(
        "Group", "Questions about the same picture or passage share it; counted from 0."
    ),
    "matches": Statistic(
        "Words in common", "Words of the prediction that the best accepted answer has too."
    ),
    "chunks": Statistic(
        "Chunks", "Runs of matched words in the same order in both texts: fewer are better."
    ),
    "predicted_words": Statistic("Words predicted", "Words of the prediction, as it is compared."),
    "accepted_words": Statistic(
        "Words accepted", "Words of the best accepted answer, as it is compared."
    ),
    "by_letter": Statistic(
        "By its letter", "1 where the first letter of a to e was scored in the answer's place."
    ),
    "by_number": Statistic(
        "By its number",
        "1 where the accepted answer is a number, and the two numbers are compared.",
    ),
    "reused": Statistic(
        "Used again",
        "1 where there is no text, so that the published program scores that of the item before.",
    ),
    "failed": Statistic(
        "Failed", "1 where the picture or the text could not be compared; the published score is 0."
    ),
    "caption_rank": Statistic(
        "Rank of its text",
        "Where the item's own text stands among all, by nearness to the picture; 1 is the nearest.",
    ),
    "edits": Statistic(
        "Edits", "Letters to insert, remove or replace until the accepted text stands there."
    ),
    "longest": Statistic(
        "Longer text", "Letters of the longer of the two texts: the edits are divided by them."
    ),
}
