"""Scoring of TextQA and MathQA: F1 or exact match of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.metrics.qa_f1 import (
    LETTER_THRESHOLD,
    AnswerScore,
    Measure,
    exact_match,
    math_words,
    score_answer,
    text_words,
    token_f1,
)
from jurydesk.core.model.defects import Defect
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.tasks.fusionbrain.damage_policy import LEFT_OUT, reuse_sentence
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.integral_score import TEXTQA
from jurydesk.core.tasks.fusionbrain.questions import Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.records import first_text


@dataclass(frozen=True, slots=True, eq=False)
class AnswerOutcome:
    """Scored answer to a question, or the reason for its absence.

    `reused_key` is the key whose prediction replaces a missing one.
    """

    question: SubtaskQuestion
    text: str | None
    answer: AnswerScore | None
    reused_key: str = ""
    reason: str = ""


def score_answers(
    questions: Sequence[SubtaskQuestion], predictions: Predictions, metric: str, *, published: bool
) -> list[FusionBrainItem]:
    """Score TextQA or MathQA; return the items in the order of the questions.

    In the published profile one invalid answer makes all scores 0, as the program's exception
    does. `metric` is the name of the score column.
    """
    is_text = questions[0].subtask == TEXTQA
    measure = token_f1 if is_text else exact_match
    outcomes = list(_answer_outcomes(questions, predictions, measure, published=published))
    failed = next((one for one in outcomes if one.answer is None), None)
    stop_reason = _stop_reason(failed) if published and failed is not None else ""
    normalize = text_words if is_text else math_words
    return [_item(one, metric, normalize, stop_reason) for one in outcomes]


def _stop_reason(failed: AnswerOutcome) -> str:
    stop = fill(
        'The published program stops at key "{key}" and gives the whole sub-task 0.',
        failed.question.key,
    )
    return join_messages([stop, failed.reason])


def _answer_outcomes(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    measure: Measure,
    *,
    published: bool,
) -> Iterator[AnswerOutcome]:
    previous: tuple[str, str] | None = None
    for question in questions:
        record = predictions.records.get(question.key)
        text = None if record is None else first_text(record, published=published)
        if text is None and published and previous is not None:
            key, used = previous
            one = _score_answer(question, used, measure, published=published, reused_key=key)
        elif text is None:
            one = AnswerOutcome(question, None, None, reason="There is no prediction with a text.")
        else:
            one = _score_answer(question, text, measure, published=published, record=record)
        if one.answer is not None:
            previous = question.key, one.answer.used
        yield one


def _score_answer(
    question: SubtaskQuestion,
    text: str | Defect,
    measure: Measure,
    *,
    published: bool,
    reused_key: str = "",
    record: JsonCursor | None = None,
) -> AnswerOutcome:
    if isinstance(question.accepted, Defect):
        reason = _locate("truth", question.accepted)
        return AnswerOutcome(question, None, None, reason=reason)
    if not question.accepted:
        return AnswerOutcome(question, None, None, reason="There is no accepted answer.")
    if isinstance(text, str):
        answer = score_answer(text, question.accepted, measure, letter_rule=published)
        return AnswerOutcome(question, text, answer, reused_key)
    if (
        published
        and record is not None
        and measure is token_f1
        and first_text(record, published=True, nothing_is_empty=True) == ""
    ):
        # A null counts as an empty text unless the published program searches for its letter.
        answer = score_answer("", question.accepted, measure, letter_rule=False)
        if answer.overlap.score > LETTER_THRESHOLD:
            return AnswerOutcome(question, "", answer)
    return AnswerOutcome(question, None, None, reason=_locate("prediction", text))


def _locate(role: str, fault: Defect) -> str:
    path, reason = fault.place.json_path, fault.found
    if role == "truth":
        return fill("In the truth, {path}: {reason}", path, Message(reason))
    return fill("In the prediction, {path}: {reason}", path, Message(reason))


def _item(
    one: AnswerOutcome, metric: str, normalize: Callable[[str], tuple[str, ...]], stop_reason: str
) -> FusionBrainItem:
    values = {metric: 0.0 if stop_reason else float("nan")}
    if one.answer is not None:
        overlap = one.answer.overlap
        values = {
            metric: 0.0 if stop_reason else overlap.score,
            "matches": float(overlap.common),
            "predicted_words": float(overlap.predicted),
            "accepted_words": float(overlap.accepted),
            "by_letter": float(one.answer.by_letter),
            "reused": float(bool(one.reused_key)),
        }
    evidence = partial(_evidence, one, values[metric], normalize, stop_reason)
    return FusionBrainItem(one.question, values, evidence)


def _evidence(
    one: AnswerOutcome, score: float, normalize: Callable[[str], tuple[str, ...]], stop_reason: str
) -> ItemEvidence:
    question, answer = one.question, one.answer
    accepted = () if isinstance(question.accepted, Defect) else question.accepted
    scores = [overlap.score for overlap in answer.overlaps] if answer else [None] * len(accepted)
    return ItemEvidence(
        question.subtask,
        question.key,
        question.text,
        one.text,
        " ".join(normalize(answer.used)) if answer else "",
        tuple(
            AcceptedAnswer(text, " ".join(normalize(text)), value)
            for text, value in zip(accepted, scores, strict=True)
        ),
        answer.best if answer else -1,
        nan_to_none(score),
        tuple(_rules(one, stop_reason)),
    )


def _rules(one: AnswerOutcome, stop_reason: str) -> Iterator[str]:
    if stop_reason:
        yield stop_reason
    elif one.reason:
        yield join_messages([one.reason, LEFT_OUT])
    if one.reused_key:
        yield reuse_sentence(one.reused_key)
    if one.answer is not None and one.answer.by_letter:
        yield (
            fill(
                "The answer scored at most {letter_threshold:g}; its first letter of a to e, "
                "“{used}”, was scored instead.",
                LETTER_THRESHOLD,
                one.answer.used,
            )
        )
