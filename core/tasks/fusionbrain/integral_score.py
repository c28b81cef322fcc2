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
"""What a sub-task's score weighs in the integral score, whose greatest value is 1."""


@dataclass(frozen=True, slots=True)
class SubTask:
    """An open sub-task: its number in the file of ids, its title, and the metric that counts.

    `threshold` is the lowest score with which a prize place was possible.
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
    """The integral score as far as it is known.

    `open_part` is what the open sub-tasks give (at most 0.4) and `value` the whole; both are NaN
    where a part of them is missing. `so_far` sums what is known, and `share` says how much of the
    greatest possible score that is about (0 to 1).
    """

    value: float
    open_part: float
    so_far: float
    share: float


def integral(open_scores: Mapping[str, float], hidden: Mapping[str, float]) -> Integral:
    """Return the integral score from open and hidden scores; NaN marks an unknown score."""
    opened = [open_scores.get(one.metric, math.nan) for one in SUBTASKS]
    concealed = [hidden.get(name, math.nan) for name in HIDDEN]
    open_part, hidden_part = OPEN_WEIGHT * sum(opened), HIDDEN_WEIGHT * sum(concealed)
    known_open = [score for score in opened if not math.isnan(score)]
    known_hidden = [score for score in concealed if not math.isnan(score)]
    return Integral(
        open_part + hidden_part,
        open_part,
        OPEN_WEIGHT * sum(known_open) + HIDDEN_WEIGHT * sum(known_hidden),
        (len(known_open) + 1.5 * len(known_hidden)) / 15,
    )
