"""Pairs of generated answers and references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.tasks.visdial.dialogs import DialogReferences, Generations, QuestionKey
from jurydesk.core.tasks.visdial.tokenizer import prepare_answer

BEST = "meteor"
"""Measure against the best reference instead of the mean over references."""

Measures = dict[str, FloatArray]
"""Values by measure, for every pair (pairs,) or every non-empty answer (answers,)."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerPairs:
    """All answers of a system by question, paired with their references.

    Attributes:
        questions: Keys of the questions.
        sets: Reference set of each question.
        question: Index (answers,) in `questions` of each answer's question.
        written: Answers as in the file.
        texts: Answers as compared.
        filled: Indices of the non-empty answers.
        pair_answer: Index (pairs,) in `filled`.
        pair_reference: Index (pairs,) in the question's reference set.
    """

    questions: tuple[QuestionKey, ...]
    sets: tuple[tuple[str, ...], ...]
    question: IntArray
    written: tuple[str, ...]
    texts: tuple[str, ...]
    filled: IntArray
    pair_answer: IntArray
    pair_reference: IntArray

    def filled_texts(self) -> list[str]:
        """Return the texts of the non-empty answers."""
        return [self.texts[i] for i in self.filled.tolist()]

    def filled_sets(self) -> list[tuple[str, ...]]:
        """Return the references of the non-empty answers."""
        return [self.sets[i] for i in self.question[self.filled].tolist()]

    def pairs(self) -> list[tuple[str, str]]:
        """Return the texts (answer, reference) of every pair."""
        texts, questions = self.filled_texts(), self.question[self.filled].tolist()
        return [
            (texts[answer], self.sets[questions[answer]][reference])
            for answer, reference in zip(
                self.pair_answer.tolist(), self.pair_reference.tolist(), strict=True
            )
        ]

    def by_answer(self, of_pairs: FloatArray) -> FloatArray:
        """Return the mean (filled answers,) of a measure over the references of an answer."""
        return mean_by_owner(of_pairs, self.pair_answer, len(self.filled))

    def best_by_answer(self, of_pairs: FloatArray) -> FloatArray:
        """Return the maximum (filled answers,) of a measure over the references of an answer."""
        return max_by_owner(of_pairs, np.bincount(self.pair_answer, minlength=len(self.filled)))

    def of_answers(self, values: FloatArray) -> FloatArray:
        """Return the mean (questions,) of the values (filled answers,) of each question."""
        return mean_by_owner(values, self.question[self.filled], len(self.questions))


def mean_by_owner(values: FloatArray, owner: IntArray, owners: int) -> FloatArray:
    """Return the mean (owners,) of the values of each owner; NaN without values."""
    with np.errstate(invalid="ignore"):
        sums = np.bincount(owner, values, minlength=owners)
        return np.asarray(sums / np.bincount(owner, minlength=owners))


def max_by_owner(values: FloatArray, counts: IntArray) -> FloatArray:
    """Return the maximum of each owner's values, of which it has `counts` (at least 1) in a row."""
    return np.maximum.reduceat(values, np.cumsum(counts) - counts) if len(counts) else values


def pair_answers(
    references: DialogReferences, generations: Generations, profile: str
) -> AnswerPairs:
    """Prepare the answers and pair them with the references of their questions."""
    answers = generations.answers
    questions = tuple(question for question in references.sets if question in answers)
    sets = tuple(references.sets[question].answers for question in questions)
    written = [text for question in questions for text in answers[question]]
    prepare = prepare_answer if profile == "published" else str.strip
    known = {text: prepare(text) for text in dict.fromkeys(written)}
    owner = np.repeat(np.arange(len(questions)), [len(answers[one]) for one in questions])
    sizes = np.array([len(one) for one in sets], np.int64)
    filled = np.array(
        [i for i, text in enumerate(written) if known[text].strip() and sizes[owner[i]]], np.int64
    )
    lengths = sizes[owner[filled]]
    pair_answer = np.repeat(np.arange(len(filled)), lengths)
    first = np.concatenate([[0], np.cumsum(lengths)])[pair_answer]
    return AnswerPairs(
        questions,
        sets,
        owner,
        tuple(written),
        tuple(known[text] for text in written),
        filled,
        pair_answer,
        np.arange(len(pair_answer)) - first,
    )
