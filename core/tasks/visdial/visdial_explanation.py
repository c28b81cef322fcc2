"""Explanations of questions and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import counted, fill
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.item_fields import field_attributes
from jurydesk.core.tasks.visdial.dialog_reader import without_signs
from jurydesk.core.tasks.visdial.dialogs import DialogReferences, Generations, question_id
from jurydesk.core.tasks.visdial.visdial_evidence import AnswerEvidence, DialogEvidence

MAX_ANSWERS = 10


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the item attributes: image, round and first word of the question."""

    def shown() -> Iterator[object]:
        return (items.show(row) for row in range(len(items)))

    def first_words() -> Sequence[str]:
        return [_first_word(one) if isinstance(one, DialogEvidence) else "" for one in shown()]

    return field_attributes(shown) | {
        "image": lambda: [key.rpartition("-")[0] for key in items.ids],
        "round": lambda: [key.rpartition("-")[2] for key in items.ids],
        "first_word": first_words,
    }


def _first_word(evidence: DialogEvidence) -> str:
    return next(iter(evidence.question.casefold().split()), "")


def list_question(evidence: DialogEvidence) -> ItemListEntry:
    """Return a question for the item list."""
    return ItemListEntry(evidence.question)


def explain_item(evidence: DialogEvidence) -> Sequence[Passage]:
    """Return the question, its reference set, and a system's answers."""
    shared = [
        Passage("Question", evidence.question, shared=True),
        Passage("True answer", evidence.truth, shared=True),
        Passage("Reference set", "\n".join(evidence.references), shared=True),
    ]
    answers = "\n".join(map(_line, evidence.answers[:MAX_ANSWERS]))
    more = len(evidence.answers) - MAX_ANSWERS
    title = "Answer" if len(evidence.answers) == 1 else "Answers"
    return (*shared, Passage(title, answers, fill("and {more:,} more", more) if more > 0 else ""))


def _line(answer: AnswerEvidence) -> str:
    if not answer.compared:
        return f"{answer.written}  (empty)".strip()
    if answer.compared == answer.written:
        return answer.written
    return f"{answer.written}  (compared as “{answer.compared}”)"


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain the difference by the answers that the published profile rewrites."""
    published, corrected = one.evidence, other.evidence
    if published is None or corrected is None:
        return ()
    differing = [
        (before.compared, after.compared)
        for before, after in zip(published.answers, corrected.answers, strict=False)
        if before.compared != after.compared
    ]
    if not differing:
        return ()
    example = fill("“{before}” instead of “{after}”", *differing[0])
    count = counted(len(differing), "answer")
    return (
        fill("The published profile tokenizes and rejoins {count}: {example}.", count, example),
    )


def submission_texts(
    references: DialogReferences, generations: Generations
) -> Iterator[SubmissionText]:
    """Yield all answers to each question as one text.

    Without references: a correct answer equals one of its set. Without signs of special tokens: the
    reader warns of them.
    """
    for question, answers in generations.answers.items():
        yield SubmissionText(question_id(question), " / ".join(map(without_signs, answers)))
