"""Figures of answers to questions: accuracy by human agreement, given against true answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Axis, Curve, Figure, Heatmap, ItemTable
from jurydesk.core.tasks.vqa.judgement import Judgement
from jurydesk.core.tasks.vqa.vqa_evidence import VqaEvidence

MOST_ANSWERS = 30
"""Most frequent answers of the matrix of given and majority answers."""
FEWEST = 2


def figures(program: str, judged: Judgement) -> Iterator[Figure]:
    """Yield the figures of the answers of one system."""
    if program == "vqa":
        yield from _agreement_curve(judged)
    yield from _answer_matrix(judged)


def _agreement_curve(judged: Judgement) -> Iterator[Curve]:
    """Yield the accuracy by size of the largest group of equal human answers."""
    sizes = np.unique(judged.agreement)
    if len(sizes) < FEWEST:
        return
    parts = [judged.values[judged.agreement == size] for size in sizes]
    means = np.array([float(part.mean()) for part in parts])
    errors = np.array([1.96 * float(part.std()) / math.sqrt(len(part)) for part in parts])
    yield Curve(
        "accuracy_by_agreement",
        translatable("Accuracy by human agreement"),
        Axis("Equal human answers"),
        Axis("Accuracy", limits=(0.0, 1.0)),
        sizes.astype(np.float64),
        means,
        np.clip(means - errors, 0.0, 1.0),
        np.clip(means + errors, 0.0, 1.0),
        translatable("normal 95 % interval"),
    )


def _answer_matrix(judged: Judgement) -> Iterator[Heatmap]:
    """Yield how often which answer was given for which most frequent true answer."""
    majority = [judged.texts[code] for code in judged.majority.tolist()]
    common = [text for text, _ in Counter(majority).most_common(MOST_ANSWERS)]
    if len(common) < FEWEST:
        return
    places = {text: number for number, text in enumerate(common)}
    counts = np.zeros((len(common), len(common)))
    for wanted, given in zip(majority, judged.processed, strict=True):
        if wanted in places and given in places:
            counts[places[wanted], places[given]] += 1
    ticks = tuple(float(number) for number in range(len(common)))
    labels = tuple(text[:12] for text in common)
    yield Heatmap(
        "answers",
        translatable("Given and true answers"),
        Axis("Given answer", ticks=ticks, labels=labels),
        Axis("Most frequent true answer", ticks=ticks, labels=labels),
        counts,
        decimals=0,
    )


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the types and first words of the questions, and the answers, computed on demand."""

    def shown() -> list[VqaEvidence]:
        found = (items.show(row) for row in range(len(items)))
        return [one for one in found if isinstance(one, VqaEvidence)]

    return {
        "question type": lambda: [one.class_of("question_type") for one in shown()],
        "answer type": lambda: [one.class_of("answer_type") for one in shown()],
        "question begins": lambda: [" ".join(one.question.lower().split()[:2]) for one in shown()],
        "answer": lambda: [one.processed for one in shown()],
    }
