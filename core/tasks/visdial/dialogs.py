"""Data classes of visual dialogue: questions, reference sets and generated answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jurydesk.core.metrics.captioning.cider import DocumentFrequencies

ROUNDS = 10
"""Questions of a dialogue, numbered from 0."""

QuestionKey = tuple[int, int]
"""A question: the id of its image and its round in the dialogue."""


def question_id(question: QuestionKey) -> str:
    """Return the question as one word: `486531-3`."""
    return f"{question[0]}-{question[1]}"


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """The answers that count as right for one question; the same answer may stand there twice.

    `question` and `truth` are empty and `chosen` is None where the file does not tell them.
    `chosen` marks which of the 100 candidates are in the set; `correlations` are theirs with the
    true answer, and `threshold` is the least that lets one in.
    """

    answers: tuple[str, ...]
    question: str = ""
    truth: str = ""
    chosen: tuple[int, ...] | None = None
    correlations: tuple[float, ...] | None = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DialogReferences:
    """The reference set of every question, in the order of image and round; all count for CIDEr.

    `frequencies` are saved ones that take the place of those of the sets.
    """

    sets: Mapping[QuestionKey, ReferenceSet]
    path: str
    frequencies: DocumentFrequencies | None = None

    def texts(self) -> list[tuple[str, ...]]:
        """Return the answers of every set."""
        return [one.answers for one in self.sets.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Generations:
    """The answers that one system generated for every question that has references.

    Texts are as written; an answer may be empty.
    """

    answers: Mapping[QuestionKey, tuple[str, ...]]
