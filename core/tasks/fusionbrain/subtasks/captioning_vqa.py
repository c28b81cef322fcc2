"""Captions and answers about pictures as items, each with the accepted text that it is nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from jurydesk.core.model.chunk import Request, pieces
from jurydesk.core.tasks.fusionbrain.damage_policy import LEFT_OUT, SCORES_0, takes_characters
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    defined,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import Item
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING
from jurydesk.core.tasks.fusionbrain.questions import Predictions, Question
from jurydesk.core.tasks.fusionbrain.readers.image_paths import Pictures
from jurydesk.core.tasks.fusionbrain.readers.records import Fault, first_text
from jurydesk.core.tasks.fusionbrain.subtasks.caption_chunks import (
    WORK,
    DescribedSettings,
    Predicted,
)
from jurydesk.core.tasks.fusionbrain.subtasks.caption_similarity import Compared, Comparison

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CHUNK = 200
"""Texts in a chunk: some 0.1 s (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """A question with its predicted text and what it is against every accepted one.

    `best` is the first with the highest score above 0; -1 where there is none.
    """

    question: Question
    text: str | None
    compared: tuple[Compared, ...]
    best: int
    score: float


def score_described(
    questions: Sequence[Question],
    predictions: Predictions,
    how: Comparison,
    settings: DescribedSettings,
    pictures: Pictures,
    run: Run,
) -> list[Item]:
    """The items of captioning or VQA in their order, compared as `settings` and `how` say."""
    texts = [_text(one, predictions, published=settings.published) for one in questions]
    accepted = [_accepted(question) for question in questions]
    pairs = [
        (text, gold)
        for text, gold in zip(texts, accepted, strict=True)
        if text is not None and gold
    ]
    chunks = [
        Predicted([text for text, _ in part], [gold for _, gold in part])
        for part in pieces(pairs, CHUNK)
    ]
    request = Request(WORK, settings, chunks, f"METEOR of {settings.subtask}")
    found = (one for part in run.each(request) for one in part.compared(how.meteor.gamma))
    score = 0.0 if settings.published else float("nan")
    described = (
        _best(question, text, next(found))
        if text is not None and gold
        else Described(question, text, (), -1, score)
        for question, text, gold in zip(questions, texts, accepted, strict=True)
    )
    metric = f"{settings.subtask}_meteor"
    return [_item(one, how, metric, pictures) for one in described]


def _text(question: Question, predictions: Predictions, *, published: bool) -> str | None:
    """The predicted text; None where there is none."""
    record = predictions.records.get(question.key)
    if record is None:
        return None
    of_characters = takes_characters(question.subtask, published=published)
    text = first_text(record, published=False, of_characters=of_characters)
    return text if isinstance(text, str) else None


def _accepted(question: Question) -> Sequence[str]:
    return () if isinstance(question.accepted, Fault) else question.accepted


def _best(question: Question, text: str, compared: tuple[Compared, ...]) -> Described:
    best, score = -1, 0.0
    for number, one in enumerate(compared):
        if one.score > score:
            best, score = number, one.score
    return Described(question, text, compared, best, score)


def _item(one: Described, how: Comparison, metric: str, pictures: Pictures) -> Item:
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
    return Item(one.question, values, partial(_evidence, one, how, pictures))


def _evidence(one: Described, how: Comparison, pictures: Pictures) -> ItemEvidence:
    question = one.question
    accepted = () if isinstance(question.accepted, Fault) else question.accepted
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
        defined(one.score),
        tuple(_rules(one, shown)),
        pictures.asked(question),
        alignment=how.meteor.align(words, forms[shown], shown) if by_meteor else None,
    )


def _rules(one: Described, shown: int) -> Iterator[str]:
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


def _outcome(one: Described) -> str:
    return SCORES_0 if one.score == 0 else LEFT_OUT


def unscored(
    questions: Sequence[Question], predictions: Predictions, metric: str, pictures: Pictures
) -> list[Item]:
    """The items without any number, where RuWordNet is not there."""

    def evidence(question: Question) -> ItemEvidence:
        record = predictions.records.get(question.key)
        text = None if record is None else first_text(record, published=False)
        accepted = () if isinstance(question.accepted, Fault) else question.accepted
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
    return [Item(one, {metric: nothing}, partial(evidence, one)) for one in questions]


def with_clip(items: Sequence[Item], values: Sequence[float], reasons: Sequence[str]) -> list[Item]:
    """The items with the CLIP score of their pictures, and why a pair failed (or "")."""

    def evidence(item: Item, value: float, reason: str) -> ItemEvidence:
        plain = item.evidence()
        rules = (*plain.rules, f"CLIP: {reason}") if reason else plain.rules
        return replace(plain, clip=None if reason else defined(value), rules=rules)

    return [
        Item(
            item.question,
            {**item.values, f"{CAPTIONING}_clip": value, "failed": float(bool(reason))},
            partial(evidence, item, value, reason),
        )
        for item, value, reason in zip(items, values, reasons, strict=True)
    ]
