"""Metric declarations of ranked answers in visual dialogues."""

from __future__ import annotations

import math

from jurydesk.core.competition.task import Statistic
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import MetricInfo

SOURCE = "Das et al., Visual Dialog, CVPR 2017; visdialch/metrics.py"
CUTOFFS = (1, 5, 10)


def _recall(k: int) -> MetricInfo:
    return MetricInfo(
        f"r@{k}",
        fill("R@{k}", k),
        fill("Share of rounds whose true answer is among the first {k} options.", k),
        (0.0, 1.0),
        "higher",
        SOURCE,
    )


METRICS = (
    MetricInfo(
        "ndcg",
        "NDCG",
        "Mean NDCG of the rounds with dense annotations, cut at the number of relevant options.",
        (0.0, 1.0),
        "higher",
        SOURCE,
        headline=True,
    ),
    MetricInfo(
        "mrr",
        "MRR",
        "Mean reciprocal rank of the true answer.",
        (0.0, 1.0),
        "higher",
        SOURCE,
        headline=True,
    ),
    *map(_recall, CUTOFFS),
    MetricInfo(
        "mean",
        translatable("Mean rank"),
        "Mean rank of the true answer.",
        (1.0, math.inf),
        "lower",
        SOURCE,
        log_counts=True,
    ),
    MetricInfo(
        "median",
        translatable("Median rank"),
        "Lower median of the ranks of the true answer, as printed for v0.9.",
        (1.0, math.inf),
        "lower",
        "Das et al., Visual Dialog, CVPR 2017; utils.lua",
        aggregate="own",
        decimals=0,
    ),
    MetricInfo(
        "mrr_dense",
        translatable("MRR of dense rounds"),
        "Mean reciprocal rank in the rounds of NDCG alone, which can be compared with it.",
        (0.0, 1.0),
        "higher",
        SOURCE,
    ),
)

STATISTICS = {
    "rank": Statistic("Rank", "Rank of the true answer, counted from 1."),
    "reciprocal_rank": Statistic("Reciprocal rank", "Reciprocal rank of the true answer."),
    "n_relevant": Statistic("Relevant", "Number of options with a relevance above 0."),
    "answer_relevance": Statistic("Relevance of the answer", "Relevance of the true answer."),
    "missing": Statistic("Missing", "1 if the file has no ranks for the round."),
}
