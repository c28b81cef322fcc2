"""Scoring of captioning and VQA against the nearest accepted text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.model.chunk import ChunkRequest, split_items
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
from jurydesk.core.tasks.fusionbrain.readers.records import RecordFault, first_text
from jurydesk.core.tasks.fusionbrain.subtasks.caption_chunks import (
    WORK,
    ImageTextSettings,
    PredictedTexts,
)
from jurydesk.core.tasks.fusionbrain.subtasks.caption_similarity import TextComparer, TextComparison

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CHUNK = 200
"""Texts in a chunk: some 0.1 s (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPrediction:
    """A question with its predicted text and what it is against every accepted one.

    `best` is the first with the highest score above 0; -1 where there is none.
    """

    question: SubtaskQuestion
    text: str | None
    compared: tuple[TextComparison, ...]
    best: int
    score: float


def score_image_texts(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    how: TextComparer,
    settings: ImageTextSettings,
    pictures: PictureFinder,
    run: Run,
) -> list[FusionBrainItem]:
    """Return the scored items of captioning or VQA in their order."""
    texts = [_text(one, predictions, published=settings.published) for one in questions]
    accepted = [_accepted(question) for question in questions]
    pairs = [
        (text, gold)
        for text, gold in zip(texts, accepted, strict=True)
        if text is not None and gold
    ]
    chunks = [
        PredictedTexts([text for text, _ in part], [gold for _, gold in part])
        for part in split_items(pairs, CHUNK)
    ]
    request = ChunkRequest(WORK, settings, chunks, f"METEOR of {settings.subtask}")
    found = (one for part in run.each(request) for one in part.compared(how.meteor.gamma))
    score = 0.0 if settings.published else float("nan")
    described = (
        _select_best(question, text, next(found))
        if text is not None and gold
        else ComparedPrediction(question, text, (), -1, score)
        for question, text, gold in zip(questions, texts, accepted, strict=True)
    )
    metric = f"{settings.subtask}_meteor"
    return [_item(one, how, metric, pictures) for one in described]


def _text(question: SubtaskQuestion, predictions: Predictions, *, published: bool) -> str | None:
    """Return the predicted text; None where there is none."""
    record = predictions.records.get(question.key)
    if record is None:
        return None
    of_characters = accepts_character_lists(question.subtask, published=published)
    text = first_text(record, published=False, of_characters=of_characters)
    return text if isinstance(text, str) else None


def _accepted(question: SubtaskQuestion) -> Sequence[str]:
    return () if isinstance(question.accepted, RecordFault) else question.accepted


def _select_best(
    question: SubtaskQuestion, text: str, compared: tuple[TextComparison, ...]
) -> ComparedPrediction:
    best, score = -1, 0.0
    for number, one in enumerate(compared):
        if one.score > score:
            best, score = number, one.score
    return ComparedPrediction(question, text, compared, best, score)


def _item(
    one: ComparedPrediction, how: TextComparer, metric: str, pictures: PictureFinder
) -> FusionBrainItem:
    values = {metric: one.score}
    if one.compared:
        best = one.compared[max(one.best, 0)]
        values["by_number"] = float(best.counts is None)
        if best.counts is not None:
            values |= {
                "matches": float(best.counts.matches),
                "chunks": float(best.counts.chunks),
                "predicted_words": float(best.counts.hypothesis),
                "accepted_words": float(best.counts.reference),
            }
    return FusionBrainItem(one.question, values, partial(_evidence, one, how, pictures))


def _evidence(one: ComparedPrediction, how: TextComparer, pictures: PictureFinder) -> ItemEvidence:
    question = one.question
    accepted = () if isinstance(question.accepted, RecordFault) else question.accepted
    words = how.predicted(one.text) if one.text is not None else ()
    forms = [how.accepted(gold) for gold in accepted]
    scores: list[float | None] = [compared.score for compared in one.compared]
    scores = scores or [None] * len(accepted)
    shown = max(one.best, 0)
    by_meteor = bool(one.compared) and one.compared[shown].counts is not None
    return ItemEvidence(
        question.subtask,
        question.key,
        question.text,
        one.text,
        " ".join(words),
        tuple(
            AcceptedAnswer(gold, " ".join(form), score)
            for gold, form, score in zip(accepted, forms, scores, strict=True)
        ),
        one.best,
        nan_to_none(one.score),
        tuple(_rules(one, shown)),
        pictures.asked(question),
        alignment=how.meteor.align(words, forms[shown], shown) if by_meteor else None,
    )


def _rules(one: ComparedPrediction, shown: int) -> Iterator[str]:
    if one.text is None:
        yield f"There is no text. {_outcome(one)}"
    elif not one.compared:
        yield f"There is no accepted answer. {_outcome(one)}"
    elif one.compared[shown].counts is None:
        best = one.compared[shown]
        if best.number:
            yield (
                f"The accepted answer is the number {best.wanted}: the lesser of it and "
                f"{best.number} by the greater."
            )
        else:
            yield f"The accepted answer is the number {best.wanted}, and the prediction has none."
    elif one.best < 0:
        yield "No word matches any accepted text."


def _outcome(one: ComparedPrediction) -> str:
    return SCORES_0 if one.score == 0 else LEFT_OUT


def unscored_items(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    metric: str,
    pictures: PictureFinder,
) -> list[FusionBrainItem]:
    """Return the items without scores, if RuWordNet is missing."""

    def evidence(question: SubtaskQuestion) -> ItemEvidence:
        record = predictions.records.get(question.key)
        text = None if record is None else first_text(record, published=False)
        accepted = () if isinstance(question.accepted, RecordFault) else question.accepted
        return ItemEvidence(
            question.subtask,
            question.key,
            question.text,
            text if isinstance(text, str) else None,
            "",
            tuple(AcceptedAnswer(gold, "", None) for gold in accepted),
            -1,
            None,
            ("METEOR was not computed, since RuWordNet is not there.",),
            pictures.asked(question),
        )

    nothing = float("nan")
    return [FusionBrainItem(one, {metric: nothing}, partial(evidence, one)) for one in questions]


def add_clip_scores(
    items: Sequence[FusionBrainItem], values: Sequence[float], reasons: Sequence[str]
) -> list[FusionBrainItem]:
    """Return the items with the CLIP score of their pictures, and why a pair failed (or "")."""

    def evidence(item: FusionBrainItem, value: float, reason: str) -> ItemEvidence:
        plain = item.evidence()
        rules = (*plain.rules, f"CLIP: {reason}") if reason else plain.rules
        return replace(plain, clip=None if reason else nan_to_none(value), rules=rules)

    return [
        FusionBrainItem(
            item.question,
            {**item.values, f"{CAPTIONING}_clip": value, "failed": float(bool(reason))},
            partial(evidence, item, value, reason),
        )
        for item, value, reason in zip(items, values, reasons, strict=True)
    ]
