"""Rules for questions with an invalid truth or prediction."""

from __future__ import annotations

from jurydesk.core.language import Message, fill
from jurydesk.core.model.defects import Defect, Place, Severity, warning
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
"""Sub-tasks in which any failure of the published program makes the whole score 0."""


def accepts_character_lists(subtask: str, *, published: bool) -> bool:
    """Return True if a list of characters is accepted as a text, as in the published programs."""
    return published and subtask in (RECOGNITION, VQA)


def damage_outcome(subtask: str, *, published: bool) -> tuple[Severity, str]:
    """Return the severity and the consequence of an invalid value in the published program."""
    if not published:
        return Severity.WARNING, LEFT_OUT
    if subtask in QUESTIONS:
        return Severity.WARNING, STOPS
    if subtask == GENERATION:
        return Severity.WARNING, SCORES_0
    return Severity.ERROR, FAILS


def clip_defect(place: Place, reason: str, *, published: bool) -> Defect:
    """Return the warning that a picture has no CLIP score."""
    outcome = SCORES_0 if published else LEFT_OUT
    return warning(place, fill("CLIP: {reason}", Message(reason)), outcome)


def reuse_sentence(key: str) -> str:
    """Describe the published program's reuse of a previous prediction."""
    return fill('The published program scores the prediction of key "{key}" again.', key)
