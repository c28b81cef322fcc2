"""Data classes of visual dialogue: questions, reference sets and generated answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.metrics.captioning.cider import DocumentFrequencies
from jurydesk.core.tasks.item_fields import Fields

if TYPE_CHECKING:
    from jurydesk.core.tasks.visdial_ranks.dialog_ranks import Ranking, RankReferences

ROUNDS = 10
"""Questions of a dialogue, numbered from 0."""

QuestionKey = tuple[int, int]
"""A question: the id of its image and its round in the dialogue."""


def question_id(question: QuestionKey) -> str:
    """Return the id of a question, such as `486531-3`."""
    return f"{question[0]}-{question[1]}"


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """Correct answers to one question, possibly repeated.

    Attributes:
        answers: Answers that count as correct.
        question, truth: Texts of question and true answer, or empty.
        chosen: Marks of the candidates (usually 100) in the set, if known.
        correlations: Correlations of the candidates with the true answer, if known.
        threshold: Minimum correlation of the set, if known.
        fields: Other members of the entry, which slices use.
    """

    answers: tuple[str, ...]
    question: str = ""
    truth: str = ""
    chosen: tuple[int, ...] | None = None
    correlations: tuple[float, ...] | None = None
    threshold: float | None = None
    fields: Fields = ()


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRanks:
    """Rounds with options, and the ranks of systems by the stem of their file."""

    references: RankReferences
    rankings: Mapping[str, Ranking]


@dataclass(frozen=True, slots=True, eq=False)
class DialogReferences:
    """Reference sets by question, in the order of image and round.

    `frequencies` are saved document frequencies, which replace those of the sets. `ranks` are those
    of systems that ranked the options of the same questions.
    """

    sets: Mapping[QuestionKey, ReferenceSet]
    path: str
    frequencies: DocumentFrequencies | None = None
    ranks: JoinedRanks | None = None

    def texts(self) -> list[tuple[str, ...]]:
        """Return the answers of every set."""
        return [one.answers for one in self.sets.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Generations:
    """One system's answers to every question with references; an answer may be empty.

    `ranks` are its ranks of the options, if they are given.
    """

    answers: Mapping[QuestionKey, tuple[str, ...]]
    ranks: Ranking | None = None
