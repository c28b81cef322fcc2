"""Explanations of questions and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from jurydesk.core.model.defects import counted
from jurydesk.core.model.evaluation import ItemTable, Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.visdial.dialogs import DialogReferences, Generations, question_id
from jurydesk.core.tasks.visdial.visdial_evidence import AnswerEvidence, DialogEvidence

SHOWN = 10
"""The maximum number of answers shown."""


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return image, round and first word (`is`, `what`, ...) of each question."""

    def first_words() -> Sequence[str]:
        shown = (items.show(row) for row in range(len(items)))
        return [_first_word(one) if isinstance(one, DialogEvidence) else "" for one in shown]

    return {
        "image": lambda: [key.rpartition("-")[0] for key in items.ids],
        "round": lambda: [key.rpartition("-")[2] for key in items.ids],
        "first_word": first_words,
    }


def _first_word(evidence: DialogEvidence) -> str:
    return next(iter(evidence.question.casefold().split()), "")


def explain_item(evidence: DialogEvidence) -> Sequence[Passage]:
    """Return the question with its reference set, then a system's answers."""
    shared = [
        Passage("Question", evidence.question, shared=True),
        Passage("True answer", evidence.truth, shared=True),
        Passage("Reference set", "\n".join(evidence.references), shared=True),
    ]
    answers = "\n".join(map(_line, evidence.answers[:SHOWN]))
    more = len(evidence.answers) - SHOWN
    title = "Answer" if len(evidence.answers) == 1 else "Answers"
    return (*shared, Passage(title, answers, f"and {more:,} more" if more > 0 else ""))


def _line(answer: AnswerEvidence) -> str:
    if not answer.compared:
        return f"{answer.written}  (empty)".strip()
    if answer.compared == answer.written:
        return answer.written
    return f"{answer.written}  (compared as “{answer.compared}”)"


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return the answers that the published program rewrites before comparing them."""
    published, corrected = one.evidence, other.evidence
    if published is None or corrected is None:
        return ()
    apart = [
        (mine.compared, theirs.compared)
        for mine, theirs in zip(published.answers, corrected.answers, strict=False)
        if mine.compared != theirs.compared
    ]
    if not apart:
        return ()
    first = f"“{apart[0][0]}” instead of “{apart[0][1]}”"
    count = counted(len(apart), "answer")
    return (f"{count} tokenised and put together again when published: {first}.",)


def submission_texts(
    references: DialogReferences, generations: Generations
) -> Iterator[SubmissionText]:
    """Yield all answers to each question as one text.

    They stand beside no reference: an answer is meant to be one of its set.
    """
    for question, answers in generations.answers.items():
        yield SubmissionText(question_id(question), " / ".join(answers))
