"""Metric declarations of visual question answering, and the families of scores by type."""

from __future__ import annotations

import math

from jurydesk.core.competition.task import GROUP, Statistic
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Aggregate, MetricInfo

VQA = "Goyal et al., VQA v2, CVPR 2017; vqaEval.py"
ANLS = "Biten et al., ST-VQA, ICCV 2019; evaluation of the Robust Reading Competition"
CHARTQA = "Masry et al., ChartQA, ACL 2022; metrics.py of pix2struct"
GQA = "Hudson and Manning, GQA, CVPR 2019; eval.py"
UNIT = (0.0, 1.0)
HEADLINES = {"vqa": "overall", "anls": "anls", "relaxed": "relaxed_accuracy", "gqa": "accuracy"}
"""Metric of each program that ranks systems."""
HEADLINE_TITLES = {
    "vqa": translatable("VQA accuracy"),
    "anls": "ANLS",
    "relaxed": translatable("Relaxed accuracy"),
    "gqa": translatable("Accuracy"),
}
CLASS_TITLES = {
    "answer_type": translatable("Answer types"),
    "question_type": translatable("Question types"),
    "evidence": translatable("Evidence"),
    "reasoning": translatable("Reasoning"),
    "structural": translatable("Structural types"),
    "semantic": translatable("Semantic types"),
    "words": translatable("Numbers of words"),
    "steps": translatable("Numbers of steps"),
}
"""Titles of the figures of classes."""
FAMILIES = {
    "answer_type": translatable("Answer type {name}"),
    "question_type": translatable("Question type {name}"),
    "evidence": translatable("Evidence {name}"),
    "reasoning": translatable("Reasoning {name}"),
    "structural": translatable("Structural type {name}"),
    "semantic": translatable("Semantic type {name}"),
    "words": translatable("Words {name}"),
    "steps": translatable("Steps {name}"),
}
"""Titles of the scores of a class of questions, by the beginning of their names."""

METRICS = (
    MetricInfo(
        "overall",
        HEADLINE_TITLES["vqa"],
        "Mean of min(1, matches / 3) over the human answers, each left out in turn.",
        UNIT,
        "higher",
        VQA,
        headline=True,
    ),
    MetricInfo(
        "anls",
        "ANLS",
        "Mean similarity to the nearest true answer; 0 below the threshold.",
        UNIT,
        "higher",
        ANLS,
    ),
    MetricInfo(
        "relaxed_accuracy",
        HEADLINE_TITLES["relaxed"],
        "Share of answers that are equal, or numbers within 5 % of the target.",
        UNIT,
        "higher",
        CHARTQA,
    ),
    MetricInfo(
        "accuracy",
        HEADLINE_TITLES["gqa"],
        "Share of balanced questions whose answer is right.",
        UNIT,
        "higher",
        GQA,
    ),
    MetricInfo(
        "binary",
        translatable("Binary"),
        "Accuracy of balanced questions that offer the answers.",
        UNIT,
        "higher",
        GQA,
    ),
    MetricInfo(
        "open", translatable("Open"), "Accuracy of balanced open questions.", UNIT, "higher", GQA
    ),
    MetricInfo(
        "consistency",
        translatable("Consistency"),
        "Share of entailed questions answered right, over questions answered right.",
        UNIT,
        "higher",
        GQA,
    ),
    MetricInfo(
        "validity",
        translatable("Validity"),
        "Share of answers that are possible for their question.",
        UNIT,
        "higher",
        GQA,
    ),
    MetricInfo(
        "plausibility",
        translatable("Plausibility"),
        "Share of answers that are plausible for their question.",
        UNIT,
        "higher",
        GQA,
    ),
    MetricInfo(
        "distribution",
        translatable("Distribution"),
        "Chi-square distance of the answers to the true ones within groups, divided by 100.",
        (0.0, math.inf),
        "lower",
        GQA,
        aggregate="own",
    ),
)

STATISTICS = {
    "correct": Statistic("Correct", "1 if the answer is right."),
    "agreement": Statistic("Agreement", "Size of the largest group of equal human answers."),
    "unprocessed": Statistic(
        "Lost unprocessed",
        "Accuracy lost because unanimous answers are not processed.",
    ),
    "answer_length": Statistic("Length", "Number of characters of the answer."),
    GROUP: Statistic("Image", "Number of the image, counted from 0."),
}


def class_metric(name: str) -> MetricInfo | None:
    """Return the declaration of a score of one class of questions, such as `answer_type/number`."""
    kind, slash, value = name.partition("/")
    if not slash or kind not in FAMILIES:
        return None
    title = fill(FAMILIES[kind], value)
    summary = fill("The headline metric over the questions of this class: {name}.", value)
    aggregate: Aggregate = "mean" if kind == "answer_type" else "own"
    return MetricInfo(name, title, summary, UNIT, "higher", VQA, aggregate=aggregate)
