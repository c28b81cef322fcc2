"""The texts of a submission, sub-task by sub-task."""

from __future__ import annotations

from collections.abc import Iterator

from core.model import Written
from core.tasks.fusionbrain.competition import Competition, Predictions, contents
from core.tasks.fusionbrain.records import TEXT, Fault
from core.tasks.fusionbrain.subtasks import CAPTIONING, RECOGNITION, SUBTASKS, TEXTQA, VQA

OF_TEXTS = (TEXTQA, CAPTIONING, VQA, RECOGNITION)
TITLES = {one.name: one.title for one in SUBTASKS}


def written(competition: Competition, predictions: Predictions) -> Iterator[Written]:
    """The first text of each prediction; where a written text is to be read, it may well be equal
    to the truth, so that it stands beside none."""
    for name in OF_TEXTS:
        for question in competition.questions.get(name, ()):
            texts = contents(predictions.records.get(question.key), TEXT)
            accepted = question.accepted
            known = name != RECOGNITION and not isinstance(accepted, Fault)
            references = accepted if known and not isinstance(accepted, Fault) else ()
            yield Written(question.id, next(iter(texts), ""), references, TITLES[name])
