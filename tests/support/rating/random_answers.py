"""Random actions of raters."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jurydesk.core.human_evaluation.answers.rater_state import RaterState, RatingEvent
from jurydesk.core.human_evaluation.design.questionnaire import (
    PHOTOS_MISSING,
    Questionnaire,
    RatingQuestion,
)
from jurydesk.core.model.evaluation import Json
from support.rating.questionnaires import builtin_questionnaire

QUESTIONNAIRE = builtin_questionnaire("vist2018")
FOUR_KINDS = Questionnaire(
    "four-kinds",
    "Which one?",
    (
        RatingQuestion("rank", "best-worst", "Which is the best story, which the worst?"),
        RatingQuestion("why", "comment", "Why?", required=False),
    ),
    stories=3,
)
PAIR = Questionnaire(
    "pair",
    "Which of two?",
    (
        RatingQuestion("better", "pairwise", "Which story is better?"),
        RatingQuestion("why", "comment", "Why?", required=False),
    ),
    stories=2,
)


def some_value(question: RatingQuestion, questionnaire: Questionnaire, dice: random.Random) -> Json:
    """Return an answer that the question accepts."""
    if question.kind == "comment":
        return dice.choice(["well told", "", "<b>bold</b>"])
    if question.kind == "best-worst":
        return dice.sample(range(1, questionnaire.stories + 1), 2)
    most = len(questionnaire.scale) if question.kind == "likert" else questionnaire.stories
    return dice.randint(1, most)


def random_events(
    items: Sequence[str], questionnaire: Questionnaire, seed: int, tries: int
) -> tuple[list[RatingEvent], RaterState]:
    """Return events of a rater who tries anything; impossible ones are not recorded."""
    dice = random.Random(seed)
    sitting = RaterState(items, questionnaire)
    events = []
    for _ in range(tries):
        event = random_event(sitting, dice)
        if sitting.possible(event):
            sitting.apply(event)
            events.append(event)
    return events, sitting


def random_event(sitting: RaterState, dice: random.Random) -> RatingEvent:
    """Return anything that a rater might try."""
    act = dice.choice(["answer"] * 8 + ["next"] * 3 + ["previous", "undo", "skip"])
    question = ""
    value: Json = None
    if act == "answer" and dice.random() < 0.1:
        question, value = PHOTOS_MISSING, dice.choice([True, None])
    elif act == "answer":
        asked = dice.choice(sitting.questionnaire.questions)
        question = asked.id
        value = some_value(asked, sitting.questionnaire, dice) if dice.random() < 0.95 else None
    elif act == "next" and dice.random() < 0.5:
        value = dice.choice(sitting.queue)
    at = "2026-01-02T03:04:05Z"
    return RatingEvent(sitting.number + 1, act, sitting.item, question, value, dice.random(), at)  # type: ignore[arg-type]


def whole_sitting(
    items: Sequence[str], questionnaire: Questionnaire, dice: random.Random
) -> list[RatingEvent]:
    """Return events of a rater who answers every question of every item, in order."""
    events: list[RatingEvent] = []
    for item in items:
        for question in questionnaire.questions:
            value = some_value(question, questionnaire, dice)
            events.append(
                RatingEvent(len(events) + 1, "answer", item, question.id, value, 2.0, "2026-01-02")
            )
        events.append(RatingEvent(len(events) + 1, "next", item, "", None, 1.0, "2026-01-02"))
    return events
