"""The answers of a submission, question by question."""

from __future__ import annotations

from collections.abc import Iterator

from core.model import Written
from core.tasks.visdial.dialogs import Generations, References, question_id


def written(references: References, generations: Generations) -> Iterator[Written]:
    """All answers to each question as one text.

    They stand beside no reference: an answer is meant to be one of its set.
    """
    for question, answers in generations.answers.items():
        yield Written(question_id(question), " / ".join(answers))
