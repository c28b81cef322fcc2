"""What becomes of a question whose truth or prediction is not as it should be."""

from __future__ import annotations

from jurydesk.core.model.defects import Severity
from jurydesk.core.tasks.fusionbrain.integral_score import (
    GENERATION,
    MATHQA,
    RECOGNITION,
    TEXTQA,
    VQA,
)

STOPS = "The published program stops there and gives the whole sub-task 0."
FAILS = "The published program fails there."
LEFT_OUT = "It is left out of the mean."
SCORES_0 = "It scores 0."
EMPTY_TEXT = "An empty text is scored."

QUESTIONS = frozenset((TEXTQA, MATHQA))
"""Sub-tasks whose published program turns any failure into a score of 0 for all of them."""


def takes_characters(subtask: str, *, published: bool) -> bool:
    """Whether a text may as well be a list of its characters: published programs go through it."""
    return published and subtask in (RECOGNITION, VQA)


def damage_outcome(subtask: str, *, published: bool) -> tuple[Severity, str]:
    """How bad damage is that the published program meets, and what comes of it."""
    if not published:
        return Severity.WARNING, LEFT_OUT
    if subtask in QUESTIONS:
        return Severity.WARNING, STOPS
    if subtask == GENERATION:
        return Severity.WARNING, SCORES_0
    return Severity.ERROR, FAILS


def reuse_sentence(key: str) -> str:
    """What the published program does with a prediction that has no element."""
    return f'The published program scores the prediction of key "{key}" once more.'
