"""Data classes of visual question answering: questions, answers, and the evidence of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import Fields, fields_of_row

QuestionId = int | float | str
"""A question's id, compared as in Python: 5 equals 5.0 but not "5"."""


def parse_question_id(value: Json) -> QuestionId | None:
    """Return a number or text as a question's id; None for anything else."""
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its true answers.

    Attributes:
        answers: True answers as written.
        records: What distinguishes equal human answers, such as their ids; empty if nothing does.
        image: What questions about the same image have in common; empty if unknown.
        types: Names of classes by kind: `answer_type`, `question_type`, `structural`.
        choices: Allowed answers of multiple choice.
        is_balanced, entailed, group, detailed: Members of a question of GQA.
        valid, plausible: Answers that GQA's choices allow, if they are given.
        fields: Other members of the question, which slices use.
    """

    id: QuestionId
    answers: tuple[str, ...]
    text: str = ""
    image: str = ""
    records: tuple[object, ...] = ()
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choices: tuple[str, ...] | None = None
    is_balanced: bool = True
    entailed: tuple[str, ...] = ()
    group: str | None = None
    detailed: str = ""
    valid: tuple[str, ...] | None = None
    plausible: tuple[str, ...] | None = None
    fields: Fields = ()


@dataclass(frozen=True, slots=True, eq=False)
class VqaReferences:
    """Questions in the order of their file, and the program that they fit.

    `scored` are the ids of the questions that are scored, with repetitions. `has_answers` is False
    for the redacted data of a participant kit.
    """

    path: str
    named_by: str
    program: str
    questions: Mapping[QuestionId, Question]
    scored: tuple[QuestionId, ...]
    has_choices: bool = False
    has_answers: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """One system's answers by question."""

    path: str
    answers: Mapping[QuestionId, str]


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
