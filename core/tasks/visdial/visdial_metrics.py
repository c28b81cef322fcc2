"""Metric declarations of visual dialogue."""

from __future__ import annotations

import math

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Better, MetricInfo

SOURCE = "Massiceti et al., A Revised Generative Evaluation of Visual Dialogue, 2020; evaluate.py"

CIDER = tuple(f"cider_{n}" for n in range(1, 5))
DISTANCES = ("fasttext_l2", "fasttext_cs", "bert_l2", "bert_cs")
MEASURES = (*CIDER, "meteor", *DISTANCES)


def _measure(
    name: str, title: str, summary: str, better: Better = "higher", high: float = 1.0
) -> tuple[MetricInfo, MetricInfo]:
    """Return the declarations of a measure's mean and standard deviation."""
    title_phrase = title
    low = -1.0 if name.endswith("_cs") else 0.0
    mean = MetricInfo(name, title, summary, (low, high), better, SOURCE, headline=name in HEADLINES)
    spread = MetricInfo(
        f"{name}_std",
        fill("{title_phrase} (std)", title_phrase),
        fill("Standard deviation over questions of {title_phrase}.", title_phrase),
        (0.0, math.inf),
        "neither",
        SOURCE,
        aggregate="own",
    )
    return mean, spread


def _grams_phrase(longest: int) -> str:
    if longest == 1:
        return translatable("words")
    return fill("n-grams of one to {longest} words", longest)


HEADLINES = ("cider_1", "cider_4", "meteor", "fasttext_cs", "bert_cs")

METRICS = (
    *(
        metric
        for n, name in enumerate(CIDER, start=1)
        for metric in _measure(
            name,
            fill("CIDEr-{n}", n),
            fill(
                "Mean cosine with the references in {grams_phrase}, weighted by inverse frequency.",
                _grams_phrase(n),
            ),
        )
    ),
    *_measure("meteor", "METEOR", "Mean METEOR 1.5 of an answer against its best reference."),
    *_measure(
        "fasttext_l2",
        "fastText L2",
        "Mean Euclidean distance of mean word vectors to those of the references.",
        "lower",
        math.inf,
    ),
    *_measure(
        "fasttext_cs", "fastText CS", "Mean cosine of mean word vectors with the references'."
    ),
    *_measure(
        "bert_l2",
        "BERT L2",
        "Mean Euclidean distance of BERT's [CLS] vector to those of the references.",
        "lower",
        math.inf,
    ),
    *_measure("bert_cs", "BERT CS", "Mean cosine of BERT's [CLS] vector with the references'."),
    MetricInfo(
        "empty",
        "Empty",
        "Number of answers without any text.",
        (0.0, math.inf),
        "neither",
        SOURCE,
        aggregate="sum",
        decimals=0,
    ),
)
