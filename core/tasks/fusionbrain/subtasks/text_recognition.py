"""Scoring of text recognition: 1 - normalized edit distance to the nearest accepted text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurydesk.core.language import fill, join_messages
from jurydesk.core.metrics.edit_distance import edits, recognition_scores
from jurydesk.core.model.defects import Defect
from jurydesk.core.tasks.fusionbrain.damage_policy import (
    LEFT_OUT,
    accepts_character_lists,
    reuse_sentence,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.questions import Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import first_text

METRIC = "text_recognition_ned"


@dataclass(frozen=True, slots=True, eq=False)
class RecognizedText:
    """A question with its recognized text, if any, and the accepted texts.

    `reused_key` is the key whose text replaces a missing one.
    """

    question: SubtaskQuestion
    text: str | None
    accepted: tuple[str, ...]
    reused_key: str = ""


@dataclass(frozen=True, slots=True)
class EditDistanceScores:
    """Scores against all accepted texts, with the first best one's edit distance and length."""

    scores: tuple[float, ...] = ()
    best: int = -1
    distance: float = float("nan")
    longest: float = float("nan")

    @property
    def score(self) -> float:
        """Best score; NaN without accepted texts."""
        return self.scores[self.best] if self.scores else float("nan")


def score_recognition(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    pictures: PictureFinder,
    *,
    published: bool,
) -> list[FusionBrainItem]:
    """Score text recognition; return the items in the order of the questions."""
    texts = list(_recognized_texts(questions, predictions, published=published))
    pairs = [(one.text, answer) for one in texts if one.text is not None for answer in one.accepted]
    scores, distances, lengths = recognition_scores(
        [text for text, _ in pairs], [answer for _, answer in pairs]
    )
    items, start = [], 0
    for one in texts:
        count = len(one.accepted) if one.text is not None else 0
        nearest = EditDistanceScores()
        if count:
            rows = slice(start, start + count)
            best = int(np.argmax(scores[rows]))
            nearest = EditDistanceScores(
                tuple(scores[rows].tolist()),
                best,
                float(distances[rows][best]),
                float(lengths[rows][best]),
            )
        start += count
        items.append(_item(one, nearest, pictures))
    return items


def _recognized_texts(
    questions: Sequence[SubtaskQuestion], predictions: Predictions, *, published: bool
) -> Iterator[RecognizedText]:
    previous: tuple[str, str] | None = None
    for question in questions:
        record = predictions.records.get(question.key)
        of_characters = accepts_character_lists(question.subtask, published=published)
        text = (
            None
            if record is None
            else first_text(record, published=published, of_characters=of_characters)
        )
        accepted = () if isinstance(question.accepted, Defect) else question.accepted
        reused_key = ""
        if text is None and published and previous is not None:
            reused_key, text = previous
        if not isinstance(text, str):
            yield RecognizedText(question, None, accepted)
            continue
        previous = question.key, text
        yield RecognizedText(question, text, accepted, reused_key)


def _item(
    one: RecognizedText, nearest: EditDistanceScores, pictures: PictureFinder
) -> FusionBrainItem:
    values = {METRIC: nearest.score}
    if nearest.scores:
        values |= {
            "edits": nearest.distance,
            "longest": nearest.longest,
            "reused": float(bool(one.reused_key)),
        }
    return FusionBrainItem(one.question, values, partial(_evidence, one, nearest, pictures))


def _evidence(
    one: RecognizedText, nearest: EditDistanceScores, pictures: PictureFinder
) -> ItemEvidence:
    scores = nearest.scores or (None,) * len(one.accepted)
    text, best = one.text or "", nearest.best
    return ItemEvidence(
        one.question.subtask,
        one.question.key,
        one.question.text,
        one.text,
        text,
        tuple(
            AcceptedAnswer(answer, answer, score)
            for answer, score in zip(one.accepted, scores, strict=True)
        ),
        best,
        nan_to_none(nearest.score),
        tuple(_rules(one, nearest)),
        pictures.question_picture(one.question),
        tuple(edits(text, one.accepted[best])) if best >= 0 else (),
    )


def _rules(one: RecognizedText, nearest: EditDistanceScores) -> Iterator[str]:
    if one.reused_key:
        yield reuse_sentence(one.reused_key)
    if not nearest.scores:
        yield join_messages(["There is no text to compare.", LEFT_OUT])
    elif not one.text or not one.accepted[nearest.best]:
        yield "A text is empty, which scores 0 even against an empty text."
    else:
        yield fill(
            "1 − {distance:g} / {longest:g}: edits divided by the characters of the longer text.",
            nearest.distance,
            nearest.longest,
        )
