"""Explanations of FusionBrain items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.model.defects import Defect
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
from jurydesk.core.tasks.fusionbrain.readers.records import TEXT


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the item attribute `subtask`."""
    return {"subtask": lambda: [key.partition("/")[0] for key in items.ids]}


def list_item(evidence: ItemEvidence) -> ItemListEntry:
    """Return the question and the prediction, each on one line, for the item list."""
    question, prediction = (
        " ".join((text or "").split()) for text in (evidence.question, evidence.prediction)
    )
    return ItemListEntry(f"{question} → {prediction or '–'}" if question else prediction)


def explain_item(evidence: ItemEvidence) -> Sequence[Passage]:
    """Return the question, the accepted answers, and the prediction with its scoring rules."""
    accepted = "\n".join(answer.text for answer in evidence.accepted)
    shared = [
        Passage("Question", evidence.question, shared=True),
        Passage("Accepted", accepted, shared=True),
    ]
    prediction = evidence.prediction
    text = "There is no prediction." if prediction is None else prediction
    note = join_messages([_comparison_text(evidence), *evidence.rules])
    return *(passage for passage in shared if passage.text), Passage("Prediction", text, note)


def _comparison_text(evidence: ItemEvidence) -> str:
    if not evidence.form or evidence.form == evidence.prediction:
        return ""
    return fill("Compared as “{form}”.", evidence.form)


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain the forms and the rules that differ between the profiles."""
    published, corrected = one.evidence, other.evidence
    if published is None or corrected is None:
        return ()
    sentences = []
    if published.form != corrected.form:
        forms = f"“{published.form}” (published), “{corrected.form}” (corrected)"
        sentences.append(fill("The prediction is compared as {forms}.", forms))
    accepted = next(_differing_answers(published.accepted, corrected.accepted), None)
    if accepted is not None:
        forms = f"“{accepted[0]}” (published), “{accepted[1]}” (corrected)"
        sentences.append(fill("The accepted answer is compared as {forms}.", forms))
    sentences += [
        fill("Published: {reason}", Message(reason))
        for reason in published.rules
        if reason not in corrected.rules
    ]
    sentences += [
        fill("Corrected: {reason}", Message(reason))
        for reason in corrected.rules
        if reason not in published.rules
    ]
    return sentences or METRIC_DIFFERENCES.get(published.subtask, ())


def _differing_answers(
    published: Sequence[AcceptedAnswer], corrected: Sequence[AcceptedAnswer]
) -> Iterator[tuple[str, str]]:
    for one, other in zip(published, corrected, strict=False):
        if one.form != other.form:
            yield one.form, other.form


METRIC_DIFFERENCES: Mapping[str, Sequence[str]] = {
    CAPTIONING: (
        "Published: METEOR's penalty for word order is up to one half, and stems match by "
        "RuWordNet. Corrected: no penalty, and words with a common synset match.",
    ),
    VQA: (
        "Published: METEOR stems by English rules, and stems match by RuWordNet. Corrected: it "
        "stems by Russian rules, and words with a common synset match.",
    ),
}
"""Differences of the metric between the profiles, for equal texts."""


TEXT_SUBTASKS = (TEXTQA, CAPTIONING, VQA, RECOGNITION)
TITLES = {one.name: one.title for one in SUBTASKS}


def submission_texts(competition: Challenge, predictions: Predictions) -> Iterator[SubmissionText]:
    """Yield the first text of each prediction with its references.

    Recognized texts have no references: a copy of the truth is what they should be.
    """
    for name in TEXT_SUBTASKS:
        for question in competition.questions.get(name, ()):
            texts = contents(predictions.records.get(question.key), TEXT)
            accepted = question.accepted
            known = name != RECOGNITION and not isinstance(accepted, Defect)
            references = accepted if known and not isinstance(accepted, Defect) else ()
            yield SubmissionText(question.id, next(iter(texts), ""), references, TITLES[name])
