"""Scoring of TextQA and MathQA: F1 or exact match of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

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
from jurydesk.core.tasks.fusionbrain.damage_policy import LEFT_OUT, reuse_sentence
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.integral_score import TEXTQA
from jurydesk.core.tasks.fusionbrain.questions import Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.records import RecordFault, first_text, json_path


@dataclass(frozen=True, slots=True, eq=False)
class AnswerOutcome:
    """The scored answer to a question, or the reason why there is none.

    `again` is the key whose prediction was scored once more in the place of a missing one.
    """

    question: SubtaskQuestion
    written: str | None
    answer: AnswerScore | None
    again: str = ""
    reason: str = ""


def score_answers(
    questions: Sequence[SubtaskQuestion], predictions: Predictions, metric: str, *, published: bool
) -> list[FusionBrainItem]:
    """Return the items of TextQA or MathQA in their order; `metric` names the score column.

    When published, damage in any of them makes all of them 0, as the original's exception does.
    """
    is_text = questions[0].subtask == TEXTQA
    measure = token_f1 if is_text else exact_match
    answered = list(_answer_outcomes(questions, predictions, measure, published=published))
    damaged = next((one for one in answered if one.answer is None), None)
    stopped = _stop_reason(damaged) if published and damaged is not None else ""
    form = text_words if is_text else math_words
    return [_item(one, metric, form, stopped) for one in answered]


def _stop_reason(damaged: AnswerOutcome) -> str:
    return (
        f'The published program stops at key "{damaged.question.key}" and gives the whole '
        f"sub-task 0. {damaged.reason}"
    )


def _answer_outcomes(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    measure: Measure,
    *,
    published: bool,
) -> Iterator[AnswerOutcome]:
    before: tuple[str, str] | None = None
    for question in questions:
        record = predictions.records.get(question.key)
        text = None if record is None else first_text(record, published=published)
        if text is None and published and before is not None:
            key, used = before
            one = _score_answer(question, used, measure, published=published, again=key)
        elif text is None:
            one = AnswerOutcome(question, None, None, reason="There is no prediction with a text.")
        else:
            one = _score_answer(question, text, measure, published=published)
        if one.answer is not None:
            before = question.key, one.answer.used
        yield one


def _score_answer(
    question: SubtaskQuestion,
    text: str | RecordFault,
    measure: Measure,
    *,
    published: bool,
    again: str = "",
) -> AnswerOutcome:
    if isinstance(question.accepted, RecordFault):
        return AnswerOutcome(
            question, None, None, reason=_where("truth", question, question.accepted)
        )
    if not question.accepted:
        return AnswerOutcome(question, None, None, reason="There is no accepted answer.")
    if isinstance(text, str):
        answer = score_answer(text, question.accepted, measure, letter_rule=published)
        return AnswerOutcome(question, text, answer, again)
    if published and text.is_nothing and measure is token_f1:
        # A null counts as an empty text, until its letter is looked for.
        answer = score_answer("", question.accepted, measure, letter_rule=False)
        if answer.overlap.score > LETTER_THRESHOLD:
            return AnswerOutcome(question, "", answer)
    return AnswerOutcome(question, None, None, reason=_where("prediction", question, text))


def _where(what: str, question: SubtaskQuestion, fault: RecordFault) -> str:
    return f"In the {what}, {json_path(question.key, fault)}: {fault.found}"


def _item(
    one: AnswerOutcome, metric: str, form: Callable[[str], tuple[str, ...]], stopped: str
) -> FusionBrainItem:
    nothing = float("nan")
    values = {metric: 0.0 if stopped else nothing}
    if one.answer is not None:
        overlap = one.answer.overlap
        values = {
            metric: 0.0 if stopped else overlap.score,
            "matches": float(overlap.common),
            "predicted_words": float(overlap.predicted),
            "accepted_words": float(overlap.accepted),
            "by_letter": float(one.answer.by_letter),
            "reused": float(bool(one.again)),
        }
    evidence = partial(_evidence, one, values[metric], form, stopped)
    return FusionBrainItem(one.question, values, evidence)


def _evidence(
    one: AnswerOutcome, score: float, form: Callable[[str], tuple[str, ...]], stopped: str
) -> ItemEvidence:
    question, answer = one.question, one.answer
    accepted = () if isinstance(question.accepted, RecordFault) else question.accepted
    scores = [overlap.score for overlap in answer.overlaps] if answer else [None] * len(accepted)
    return ItemEvidence(
        question.subtask,
        question.key,
        question.text,
        one.written,
        " ".join(form(answer.used)) if answer else "",
        tuple(
            AcceptedAnswer(text, " ".join(form(text)), value)
            for text, value in zip(accepted, scores, strict=True)
        ),
        answer.best if answer else -1,
        nan_to_none(score),
        tuple(_rules(one, stopped)),
    )


def _rules(one: AnswerOutcome, stopped: str) -> Iterator[str]:
    if stopped:
        yield stopped
    elif one.reason:
        yield f"{one.reason} {LEFT_OUT}"
    if one.again:
        yield reuse_sentence(one.again)
    if one.answer is not None and one.answer.by_letter:
        yield (
            f"The answer scored no more than {LETTER_THRESHOLD:g}, so its first letter of a to e, "
            f"“{one.answer.used}”, was scored in its place."
        )
