"""Explanation of one question: the true answers as given and as compared, and the system's."""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import join_messages, translatable
from jurydesk.core.model.evaluation import Passage, ScoredItem
from jurydesk.core.tasks.vqa.answer_rules import rule_notes
from jurydesk.core.tasks.vqa.questions import VqaEvidence


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
