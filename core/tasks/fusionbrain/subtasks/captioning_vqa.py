"""Scoring of captioning and VQA against the best accepted text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.model.chunk import ChunkRequest, split_items
from jurydesk.core.model.defects import Defect
from jurydesk.core.tasks.fusionbrain.damage_policy import (
    LEFT_OUT,
    SCORES_0,
    accepts_character_lists,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING
from jurydesk.core.tasks.fusionbrain.questions import Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import first_text
from jurydesk.core.tasks.fusionbrain.subtasks.caption_chunks import (
    TEXT_CHUNKS,
    ImageTextSettings,
    PredictedTexts,
)
from jurydesk.core.tasks.fusionbrain.subtasks.caption_similarity import TextComparer, TextComparison

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

TEXTS_PER_CHUNK = 200
"""About 0.1 s (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPrediction:
    """A predicted text with its comparisons with every accepted text.

    `best` is the index of the first highest score above 0, or -1.
    """

    question: SubtaskQuestion
    text: str | None
    comparisons: tuple[TextComparison, ...]
    best: int
    score: float


def score_image_texts(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    comparer: TextComparer,
    settings: ImageTextSettings,
    pictures: PictureFinder,
    run: Run,
) -> list[FusionBrainItem]:
    """Score captioning or VQA; return the items in the order of the questions."""
    texts = [_text(one, predictions, published=settings.published) for one in questions]
    accepted = [_accepted_texts(question) for question in questions]
    pairs = [
        (text, answers)
        for text, answers in zip(texts, accepted, strict=True)
        if text is not None and answers
    ]
    chunks = [
        PredictedTexts([text for text, _ in part], [answers for _, answers in part])
        for part in split_items(pairs, TEXTS_PER_CHUNK)
    ]
    request = ChunkRequest(
        TEXT_CHUNKS, settings, chunks, fill("METEOR of {subtask}", settings.subtask)
    )
    gamma = comparer.meteor.gamma
    comparisons = (rows for part in run.each(request) for rows in part.comparisons(gamma))
    default = 0.0 if settings.published else float("nan")
    compared = (
        _select_best(question, text, next(comparisons))
        if text is not None and answers
        else ComparedPrediction(question, text, (), -1, default)
        for question, text, answers in zip(questions, texts, accepted, strict=True)
    )
    metric = f"{settings.subtask}_meteor"
    return [_item(one, comparer, metric, pictures) for one in compared]


def _text(question: SubtaskQuestion, predictions: Predictions, *, published: bool) -> str | None:
    record = predictions.records.get(question.key)
    if record is None:
        return None
    of_characters = accepts_character_lists(question.subtask, published=published)
    text = first_text(record, published=False, of_characters=of_characters)
    return text if isinstance(text, str) else None


def _accepted_texts(question: SubtaskQuestion) -> Sequence[str]:
    return () if isinstance(question.accepted, Defect) else question.accepted


def _select_best(
    question: SubtaskQuestion, text: str, comparisons: tuple[TextComparison, ...]
) -> ComparedPrediction:
    best, score = -1, 0.0
    for number, comparison in enumerate(comparisons):
        if comparison.score > score:
            best, score = number, comparison.score
    return ComparedPrediction(question, text, comparisons, best, score)


def _item(
    one: ComparedPrediction, comparer: TextComparer, metric: str, pictures: PictureFinder
) -> FusionBrainItem:
    values = {metric: one.score}
    if one.comparisons:
        best = one.comparisons[max(one.best, 0)]
        values["by_number"] = float(best.counts is None)
        if best.counts is not None:
            values |= {
                "matches": float(best.counts.matches),
                "chunks": float(best.counts.chunks),
                "predicted_words": float(best.counts.hypothesis),
                "accepted_words": float(best.counts.reference),
            }
    return FusionBrainItem(one.question, values, partial(_evidence, one, comparer, pictures))


def _evidence(
    one: ComparedPrediction, comparer: TextComparer, pictures: PictureFinder
) -> ItemEvidence:
    question = one.question
    accepted = _accepted_texts(question)
    words = comparer.predicted(one.text) if one.text is not None else ()
    forms = [comparer.accepted(answer) for answer in accepted]
    scores: list[float | None] = [comparison.score for comparison in one.comparisons]
    scores = scores or [None] * len(accepted)
    best = max(one.best, 0)
    by_meteor = bool(one.comparisons) and one.comparisons[best].counts is not None
    return ItemEvidence(
        question.subtask,
        question.key,
        question.text,
        one.text,
        " ".join(words),
        tuple(
            AcceptedAnswer(answer, " ".join(form), score)
            for answer, form, score in zip(accepted, forms, scores, strict=True)
        ),
        one.best,
        nan_to_none(one.score),
        tuple(_rules(one, best)),
        pictures.question_picture(question),
        alignment=comparer.meteor.align(words, forms[best], best) if by_meteor else None,
    )


def _rules(one: ComparedPrediction, best: int) -> Iterator[str]:
    if one.text is None:
        yield join_messages(["There is no text.", _outcome(one)])
    elif not one.comparisons:
        yield join_messages(["There is no accepted answer.", _outcome(one)])
    elif one.comparisons[best].counts is None:
        comparison = one.comparisons[best]
        if comparison.number:
            yield (
                fill(
                    "The accepted answer is the number {accepted_number}: the score is its "
                    "ratio to {number}, at most 1.",
                    comparison.accepted_number,
                    comparison.number,
                )
            )
        else:
            yield (
                fill(
                    "The accepted answer is the number {accepted_number}; the prediction "
                    "contains no number.",
                    comparison.accepted_number,
                )
            )
    elif one.best < 0:
        yield "No word matches an accepted text."


def _outcome(one: ComparedPrediction) -> str:
    return SCORES_0 if one.score == 0 else LEFT_OUT


def unscored_items(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    metric: str,
    pictures: PictureFinder,
) -> list[FusionBrainItem]:
    """Return items without scores, for a missing RuWordNet."""

    def evidence(question: SubtaskQuestion) -> ItemEvidence:
        record = predictions.records.get(question.key)
        text = None if record is None else first_text(record, published=False)
        return ItemEvidence(
            question.subtask,
            question.key,
            question.text,
            text if isinstance(text, str) else None,
            "",
            tuple(AcceptedAnswer(answer, "", None) for answer in _accepted_texts(question)),
            -1,
            None,
            ("METEOR was not computed: RuWordNet is missing.",),
            pictures.question_picture(question),
        )

    values = {metric: float("nan")}
    return [FusionBrainItem(one, values, partial(evidence, one)) for one in questions]


def add_clip_scores(
    items: Sequence[FusionBrainItem], values: Sequence[float], reasons: Sequence[str]
) -> list[FusionBrainItem]:
    """Return the items with the CLIP scores and failure reasons (or "") of their pairs."""

    def evidence(item: FusionBrainItem, value: float, reason: str) -> ItemEvidence:
        texts = item.evidence()
        rules = (*texts.rules, fill("CLIP: {reason}", Message(reason))) if reason else texts.rules
        return replace(texts, clip=None if reason else nan_to_none(value), rules=rules)

    return [
        FusionBrainItem(
            item.question,
            {**item.values, f"{CAPTIONING}_clip": value, "failed": float(bool(reason))},
            partial(evidence, item, value, reason),
        )
        for item, value, reason in zip(items, values, reasons, strict=True)
    ]
