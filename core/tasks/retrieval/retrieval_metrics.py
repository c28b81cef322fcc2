"""Metric declarations of image-text retrieval."""

from __future__ import annotations

import math

import numpy as np

from jurydesk.core.competition.task import GROUP, Statistic
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.metrics.retrieval_ranks import CUTOFFS
from jurydesk.core.model.evaluation import FloatArray, MetricInfo

SOURCE = "Faghri et al., VSE++, BMVC 2018; evaluation.py of fartashf/vsepp"
DIRECTIONS = ("i2t", "t2i")
QUERIES = {"i2t": translatable("images"), "t2i": translatable("captions")}
TITLES = {"i2t": translatable("Image to text"), "t2i": translatable("Text to image")}
RECALLS = tuple(f"{one}_r{k}" for one in DIRECTIONS for k in CUTOFFS)


def median_rank(ranks: FloatArray, folds: FloatArray, *, rounded: bool) -> float:
    """Return the mean over folds of the median rank; NaN without a rank.

    The median of ranks counted from 0 is `rounded` down, as in the published program.
    """
    medians = [float(np.median(ranks[folds == fold])) - 1.0 for fold in np.unique(folds)]
    if rounded:
        medians = [math.floor(one) for one in medians]
    return math.fsum(medians) / len(medians) + 1.0 if medians else math.nan


def _recall(direction: str, k: int) -> MetricInfo:
    return MetricInfo(
        f"{direction}_r{k}",
        fill("{title} R@{k}", Message(TITLES[direction]), k),
        fill(
            "Share of {queries} with a correct candidate among the first {k}.",
            Message(QUERIES[direction]),
            k,
        ),
        (0.0, 1.0),
        "higher",
        SOURCE,
        headline=k == 1,
    )


def _others(direction: str) -> tuple[MetricInfo, ...]:
    title = Message(TITLES[direction])
    return (
        MetricInfo(
            f"{direction}_medr",
            fill("{title} median rank", title),
            "Median rank of the best correct candidate, rounded down if published.",
            (1.0, math.inf),
            "lower",
            SOURCE,
            aggregate="own",
            decimals=1,
        ),
        MetricInfo(
            f"{direction}_meanr",
            fill("{title} mean rank", title),
            "Mean rank of the best correct candidate.",
            (1.0, math.inf),
            "lower",
            SOURCE,
            decimals=1,
            log_counts=True,
        ),
        MetricInfo(
            f"{direction}_mrr",
            fill("{title} reciprocal rank", title),
            "Mean reciprocal rank of the best correct candidate; not in the published program.",
            (0.0, 1.0),
            "higher",
            "Voorhees, TREC-8 Question Answering Track, 1999",
        ),
    )


METRICS = (
    MetricInfo(
        "rsum",
        translatable("Sum of recalls"),
        "Sum of R@1, R@5 and R@10 of both directions in percent; a query has its share.",
        (0.0, 600.0),
        "higher",
        SOURCE,
        headline=True,
        decimals=1,
    ),
    *(_recall(direction, k) for direction in DIRECTIONS for k in CUTOFFS),
    *(metric for direction in DIRECTIONS for metric in _others(direction)),
)

STATISTICS = {
    "rank": Statistic("Rank", "Rank of the best correct candidate, counted from 1."),
    "rank_best": Statistic("Best rank", "Rank if equal similarities go well."),
    "rank_worst": Statistic("Worst rank", "Rank if equal similarities go badly."),
    "similarity": Statistic("Similarity", "Similarity of the best correct candidate."),
    "foreign": Statistic("Best other", "Greatest similarity of the other candidates."),
    "margin": Statistic("Margin", "Similarity of the best correct candidate minus the best other."),
    "times_first": Statistic("Times first", "Number of queries that rank this candidate first."),
    "fold": Statistic("Fold", "Fold of the item, counted from 1."),
    GROUP: Statistic("Image", "Number of the image, counted from 0."),
}
