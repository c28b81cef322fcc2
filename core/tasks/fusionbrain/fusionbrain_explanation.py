"""Explanations of FusionBrain items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import AcceptedAnswer, ItemEvidence
from jurydesk.core.tasks.fusionbrain.integral_score import (
    CAPTIONING,
    RECOGNITION,
    SUBTASKS,
    TEXTQA,
    VQA,
)
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, contents
from jurydesk.core.tasks.fusionbrain.readers.records import TEXT, RecordFault


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the sub-task of each item."""
    return {"subtask": lambda: [key.partition("/")[0] for key in items.ids]}


def explain_item(evidence: ItemEvidence) -> Sequence[Passage]:
    """Return the question with its accepted answers, then the prediction as compared."""
    accepted = "\n".join(one.text for one in evidence.accepted)
    shared = [
        Passage("Question", evidence.question, shared=True),
        Passage("Accepted", accepted, shared=True),
    ]
    prediction = evidence.prediction
    shown = "There is no prediction." if prediction is None else prediction
    return (
        *(passage for passage in shared if passage.text),
        Passage(
            "Prediction", shown, " ".join([_comparison_text(evidence), *evidence.rules]).strip()
        ),
    )


def _comparison_text(evidence: ItemEvidence) -> str:
    if not evidence.form or evidence.form == evidence.prediction:
        return ""
    return f"Compared as “{evidence.form}”."


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return the compared forms and the rules that hold in one profile only."""
    published, corrected = one.evidence, other.evidence
    if published is None or corrected is None:
        return ()
    found = []
    if published.form != corrected.form:
        found.append(
            f"The prediction is compared as “{published.form}” when published, as "
            f"“{corrected.form}” when corrected."
        )
    accepted = next(_differing_answers(published.accepted, corrected.accepted), None)
    if accepted is not None:
        found.append(
            f"The accepted answer is compared as “{accepted[0]}” when published, as "
            f"“{accepted[1]}” when corrected."
        )
    found += [f"When published: {rule}" for rule in published.rules if rule not in corrected.rules]
    found += [f"When corrected: {rule}" for rule in corrected.rules if rule not in published.rules]
    if found:
        return found
    return _metric_difference(published.subtask)


def _differing_answers(
    published: Sequence[AcceptedAnswer], corrected: Sequence[AcceptedAnswer]
) -> Iterator[tuple[str, str]]:
    """Yield the accepted answers whose forms differ."""
    for mine, theirs in zip(published, corrected, strict=False):
        if mine.form != theirs.form:
            yield mine.form, theirs.form


def _metric_difference(subtask: str) -> Sequence[str]:
    """Return how the metric itself differs between the profiles, for equal texts."""
    if subtask == CAPTIONING:
        return (
            "When published, METEOR takes off up to half for broken order, and RuWordNet relates "
            "stems; when corrected nothing is taken off, and words with a common meaning match.",
        )
    if subtask == VQA:
        return (
            "When published, METEOR stems by English rules, and RuWordNet relates stems; when "
            "corrected it stems by Russian rules, and words with a common meaning match.",
        )
    return ()


TEXT_SUBTASKS = (TEXTQA, CAPTIONING, VQA, RECOGNITION)
TITLES = {one.name: one.title for one in SUBTASKS}


def submission_texts(competition: Challenge, predictions: Predictions) -> Iterator[SubmissionText]:
    """Yield the first text of each prediction.

    A text that was to be read may well equal the truth, so it is compared with none.
    """
    for name in TEXT_SUBTASKS:
        for question in competition.questions.get(name, ()):
            texts = contents(predictions.records.get(question.key), TEXT)
            accepted = question.accepted
            known = name != RECOGNITION and not isinstance(accepted, RecordFault)
            references = accepted if known and not isinstance(accepted, RecordFault) else ()
            yield SubmissionText(question.id, next(iter(texts), ""), references, TITLES[name])
