"""Evidence for one question: the true answers as given and as compared, and the system's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.metrics.question_answering.vqa_accuracy import ARTICLES, NUMBERS, lower
from jurydesk.core.model.evaluation import Passage, ScoredItem
from jurydesk.core.model.evidence_columns import EvidenceRow


@dataclass(frozen=True, slots=True)
class VqaEvidence:
    """Question with its true answers, the system's answer, and the value of each true answer.

    `classes` are the question's classes, `kinds` what kind each of them is.
    """

    id: str
    image: str
    question: str
    program: str
    answers: tuple[str, ...]
    compared: tuple[str, ...]
    given: str
    processed: str
    values: tuple[float, ...]
    kinds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def class_of(self, kind: str) -> str:
        """Return the first class of the question of one kind, such as its question type."""
        found = (one for one, name in zip(self.classes, self.kinds, strict=True) if name == kind)
        return next(found, "")

    @property
    def is_unprocessed(self) -> bool:
        """Whether all human answers are equal, so that the program compares them as they are."""
        return self.program == "vqa" and self.compared == self.answers

    @classmethod
    def from_row(cls, row: EvidenceRow) -> VqaEvidence:
        """Load the evidence of a question from evidence columns."""
        return cls(
            row["id"],
            row["image"],
            row["question"],
            row["program"],
            tuple(row["answers"]),
            tuple(row["compared"]),
            row["given"],
            row["processed"],
            tuple(row["values"]),
            tuple(row["kinds"]),
            tuple(row["classes"]),
        )


RULES = {
    "empty": translatable("The answer is empty after processing."),
    "articles": translatable("Articles are left out."),
    "number words": translatable("Number words are written as digits; none is 0."),
    "punctuation": translatable("Punctuation is deleted or replaced by blanks."),
}
"""Rules of the processing, by the names with which items are filtered."""


def processing_rules(evidence: VqaEvidence) -> Sequence[str]:
    """Return the names of the rules that change the system's answer."""
    if evidence.program != "vqa" or evidence.processed == evidence.given:
        return ()
    words = lower(evidence.given).split()
    is_changed = {
        "empty": not evidence.processed,
        "articles": any(word in ARTICLES for word in words),
        "number words": any(word in NUMBERS for word in words),
        "punctuation": any(not (sign.isalnum() or sign.isspace()) for sign in evidence.given),
    }
    return [name for name, changes in is_changed.items() if changes]


def explain_item(evidence: VqaEvidence) -> Sequence[Passage]:
    """Return the question, the true answers and the system's answer as compared."""
    changed = evidence.compared != evidence.answers
    listed = "\n".join(
        f"{one} → {other}" if changed and one != other else one
        for one, other in zip(evidence.answers, evidence.compared, strict=True)
    )
    notes = [RULES[name] for name in processing_rules(evidence)]
    if evidence.is_unprocessed and len(evidence.answers) > 1:
        notes.append(translatable("All human answers are equal: nothing is processed."))
    elif evidence.processed != evidence.given:
        notes.append(fill("It is compared as: {answer}", evidence.processed))
    pictures = (evidence.image,) if evidence.image else ()
    return (
        Passage("Question", evidence.question or evidence.id, shared=True, pictures=pictures),
        Passage("True answers", listed, shared=True),
        Passage("Answer", evidence.given or "–", join_messages(notes)),
    )


def list_item(evidence: VqaEvidence) -> ItemListEntry:
    """Return the question and its picture for the item list."""
    return ItemListEntry(evidence.question or evidence.id, evidence.image)


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain why a question's value differs between the published and the corrected profile."""
    published, corrected = one.evidence, other.evidence
    if not isinstance(published, VqaEvidence) or not isinstance(corrected, VqaEvidence):
        return ()
    if published.compared != corrected.compared or published.processed != corrected.processed:
        return (translatable("The corrected profile processes every answer."),)
    if published.program == "anls":
        return (translatable("The corrected profile divides by the cleaned lengths."),)
    if published.values != corrected.values:
        return (translatable("The corrected profile counts human answers by position."),)
    return ()
