"""Data classes of visual question answering: questions with their true answers, and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jurydesk.core.tasks.item_fields import Fields

QuestionId = int | float | str
"""A question's id, compared as in Python: 5 equals 5.0 but not "5"."""


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
