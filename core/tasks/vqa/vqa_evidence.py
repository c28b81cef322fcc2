"""Evidence for one question: the true answers as given and as compared, and the system's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import join_messages, translatable
from jurydesk.core.model.evaluation import Passage, ScoredItem
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import fields_of_row
from jurydesk.core.tasks.vqa.answer_rules import rule_notes


@dataclass(frozen=True, slots=True)
class VqaEvidence:
    """Question with its true answers, the system's answer, and the value of each true answer.

    `classes` are the question's classes, `kinds` what kind each of them is, `fields` its other
    members.
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
    fields: Mapping[str, str] = field(default_factory=dict)

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
            fields_of_row(row),
        )


def explain_item(evidence: VqaEvidence) -> Sequence[Passage]:
    """Return the question, the true answers and the system's answer as compared."""
    changed = evidence.compared != evidence.answers
    listed = "\n".join(
        f"{one} → {other}" if changed and one != other else one
        for one, other in zip(evidence.answers, evidence.compared, strict=True)
    )
    pictures = (evidence.image,) if evidence.image else ()
    return (
        Passage("Question", evidence.question or evidence.id, shared=True, pictures=pictures),
        Passage("True answers", listed, shared=True),
        Passage("Answer", evidence.given or "–", join_messages(rule_notes(evidence))),
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
