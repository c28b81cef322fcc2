"""Metric declarations of keyword spotting by overlap, beside those of ranked lists."""

from __future__ import annotations

import math

from jurydesk.core.competition.task import Statistic
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Better, MetricInfo

KWS_EVAL = "Puigcerver et al., ICDAR 2017; kws-eval"
ASSESSMENT = "PRHLT, kws-assessment"
UNIT = (0.0, 1.0)
COUNT = (0.0, math.inf)
ANY = (-math.inf, math.inf)


def _own(name: str, title: str, summary: str, source: str, *, headline: bool = False) -> MetricInfo:
    return MetricInfo(
        name, title, summary, UNIT, "higher", source, aggregate="own", headline=headline
    )


def _mean(name: str, title: str, summary: str, source: str) -> MetricInfo:
    return MetricInfo(name, title, summary, UNIT, "higher", source)


def _count(name: str, title: str, summary: str) -> MetricInfo:
    return MetricInfo(name, title, summary, COUNT, "neither", KWS_EVAL, aggregate="sum", decimals=0)


def _other(name: str, title: str, summary: str, *, lower: bool = False) -> MetricInfo:
    better: Better = "lower" if lower else "neither"
    return MetricInfo(name, title, summary, ANY, better, ASSESSMENT, aggregate="own")


METRICS = (
    _mean(
        "mAP",
        translatable("Mean AP (kws-eval)"),
        "Area below recall and precision over blocks of equal scores, averaged over queries.",
        KWS_EVAL,
    ),
    _own(
        "gAP",
        translatable("Global AP"),
        "Average precision of all queries as one list; no mean of queries, so without interval.",
        KWS_EVAL,
        headline=True,
    ),
    _mean(
        "mNDCG",
        translatable("Mean nDCG (kws-eval)"),
        "Discounted gain of each query, equal scores sharing theirs, averaged over queries.",
        KWS_EVAL,
    ),
    _own(
        "gNDCG",
        translatable("Global nDCG"),
        "Discounted gain of all queries as one list; no mean of queries, so without interval.",
        KWS_EVAL,
    ),
    _count("num_matches", translatable("Hits"), "The number of listed places that are hits."),
    _count(
        "num_false_positives",
        translatable("False positives"),
        "The number of listed places that find nothing.",
    ),
    _count(
        "num_false_negatives",
        translatable("Misses"),
        "The number of relevant places that are not found.",
    ),
    _count(
        "num_repeated",
        translatable("Repetitions"),
        "The number of listed places that find what was found before.",
    ),
    _mean(
        "recall",
        translatable("Recall"),
        "The share of a query's relevant places that are found, averaged over queries.",
        "Wilkinson et al., ICCV 2017",
    ),
    _mean(
        "map_all",
        translatable("Mean AP, all queries"),
        "Mean average precision with the queries whose average precision is 0.",
        "Sudholt and Fink, ICFHR 2016; phocnet",
    ),
    _mean(
        "MAP",
        translatable("Mean AP (kws-assessment)"),
        "Average precision over the levels of the scores, averaged over relevant words.",
        ASSESSMENT,
    ),
    _own(
        "AP",
        translatable("AP (kws-assessment)"),
        "Average precision of all words as one table; of a query, its own.",
        ASSESSMENT,
    ),
    _own("RP", translatable("R = P"), "Recall where it is nearest to precision.", ASSESSMENT),
    _other(
        "RP_difference",
        translatable("Difference at R = P"),
        "Difference of recall and precision where they are nearest.",
    ),
    _own("F1max", translatable("Largest F1"), "The largest F1 over all thresholds.", ASSESSMENT),
    _other("F1max_threshold", translatable("Threshold of F1"), "The score at which F1 is largest."),
    _own("RCmax", translatable("Largest recall"), "Recall of the whole list.", ASSESSMENT),
    _own("PRres", translatable("Last precision"), "Precision of the whole list.", ASSESSMENT),
    _other(
        "CERmin",
        translatable("Least error rate"),
        "The least share of events that are decided wrongly.",
        lower=True,
    ),
    _other(
        "CERmin_threshold",
        translatable("Threshold of the error rate"),
        "The score at which the error rate is least.",
    ),
    _other(
        "CER_above_1",
        translatable("Error rate without results"),
        "The share of events that are relevant.",
    ),
    _own(
        "AROC",
        translatable("Area below ROC"),
        "The share of pairs in which the relevant event has the higher score.",
        ASSESSMENT,
    ),
    MetricInfo(
        "num_rel_words",
        translatable("Relevant words"),
        "The number of words with a relevant event.",
        COUNT,
        "neither",
        ASSESSMENT,
        aggregate="own",
        decimals=0,
    ),
)

STATISTICS = {
    "NDCG": Statistic(translatable("nDCG"), "Discounted gain of the query."),
    "relevant": Statistic(translatable("Relevant"), "Number of relevant events of the word."),
    "events": Statistic(translatable("Events"), "Number of events of the word."),
    "num_mislocated": Statistic(
        translatable("Mislocated"), "Listed boxes that meet a word of the query too little."
    ),
    "num_split": Statistic(
        translatable("Parts of words"),
        "Listed boxes that are a part of a word of the query.",
    ),
    "num_merged": Statistic(
        translatable("With other words"),
        "Listed boxes that cover a word of the query and more than half of another.",
    ),
    "num_wrong_word": Statistic(
        translatable("Wrong words"), "Listed boxes on words of other queries."
    ),
    "num_background": Statistic(translatable("Background"), "Listed boxes that meet no word."),
}
