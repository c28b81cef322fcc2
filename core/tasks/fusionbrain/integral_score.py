"""Sub-tasks of FusionBrain (six open, six hidden) and the integral score.

Source: FusionBrain Challenge 2.0 (AI Journey 2022), its rules and evaluation code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

TEXTQA, MATHQA, GENERATION = "textqa", "mathqa", "generation"
CAPTIONING, VQA, RECOGNITION = "captioning", "vqa", "text_recognition"

OPEN_WEIGHT, HIDDEN_WEIGHT = 1 / 15, 1 / 10
"""Weights of a sub-task's score in the integral score, whose maximum is 1."""


@dataclass(frozen=True, slots=True)
class SubTask:
    """An open sub-task, with its number in the file of ids and the metric that counts.

    `threshold` is the lowest score that was eligible for a prize.
    """

    name: str
    number: int
    title: str
    metric: str
    threshold: float


SUBTASKS = (
    SubTask(TEXTQA, 0, "Text QA", "textqa_f1", 0.20),
    SubTask(MATHQA, 1, "Math QA", "mathqa_em", 0.25),
    SubTask(GENERATION, 2, "Image generation", "generation", 0.21),
    SubTask(CAPTIONING, 3, "Image captioning", "captioning", 0.15),
    SubTask(VQA, 4, "Visual QA", "vqa_meteor", 0.24),
    SubTask(RECOGNITION, 5, "Text recognition", "text_recognition_ned", 0.13),
)
NAMES = tuple(one.name for one in SUBTASKS)
BY_NUMBER = {str(one.number): one.name for one in SUBTASKS}
HIDDEN = tuple(f"hidden{number}" for number in range(1, 7))


@dataclass(frozen=True, slots=True)
class Integral:
    """Integral score and its known parts.

    Attributes:
        value: Integral score; NaN if a sub-task's score is unknown.
        open_part: Sum over the open sub-tasks, at most 0.4; NaN if a score is unknown.
        so_far: Sum over the known sub-tasks.
        share: Maximum of `so_far`, from 0 to 1.
    """

    value: float
    open_part: float
    so_far: float
    share: float


def integral(open_scores: Mapping[str, float], hidden: Mapping[str, float]) -> Integral:
    """Return the integral score from open and hidden scores; NaN marks an unknown score."""
    open_values = [open_scores.get(one.metric, math.nan) for one in SUBTASKS]
    hidden_values = [hidden.get(name, math.nan) for name in HIDDEN]
    open_part, hidden_part = OPEN_WEIGHT * sum(open_values), HIDDEN_WEIGHT * sum(hidden_values)
    known_open = [score for score in open_values if not math.isnan(score)]
    known_hidden = [score for score in hidden_values if not math.isnan(score)]
    return Integral(
        open_part + hidden_part,
        open_part,
        OPEN_WEIGHT * sum(known_open) + HIDDEN_WEIGHT * sum(known_hidden),
        (len(known_open) + 1.5 * len(known_hidden)) / 15,
    )
