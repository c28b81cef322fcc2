"""Data classes of FusionBrain: questions, accepted answers and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.model.defects import Defect
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING, TEXTQA, VQA
from jurydesk.core.tasks.fusionbrain.readers.records import (
    IMAGE,
    TEXT,
    Records,
    element_content,
    element_kind,
    elements,
)

Accepted = tuple[str, ...] | Defect
"""Accepted answers to a question, or the fault of their record."""


@dataclass(frozen=True, slots=True, eq=False)
class SubtaskQuestion:
    """A question of a sub-task and its accepted answers.

    `asked` is its record in the input, `truth` that in the truth.
    """

    subtask: str
    key: str
    accepted: Accepted
    truth: JsonCursor | None = None
    asked: JsonCursor | None = None

    @property
    def id(self) -> str:
        """Id of the question, such as `vqa/17`."""
        return f"{self.subtask}/{self.key}"

    @property
    def text(self) -> str:
        """Text of the question."""
        return "\n".join(contents(self.asked, TEXT))

    @property
    def picture(self) -> str:
        """Path of the question's picture, or empty."""
        return next(iter(contents(self.asked, IMAGE)), "")

    @property
    def source(self) -> str:
        """Picture or passage that several questions may share, or empty."""
        if self.subtask in (CAPTIONING, VQA):
            return self.picture
        texts = contents(self.asked, TEXT)
        return texts[0] if self.subtask == TEXTQA and len(texts) > 1 else ""


@dataclass(frozen=True, slots=True, eq=False)
class Challenge:
    """Questions by sub-task, in the order of the published program.

    `whole` is True if all sub-tasks are evaluated, `is_split` if task ids assign the keys.
    `input` and the folders are None or empty if not given.
    """

    questions: Mapping[str, tuple[SubtaskQuestion, ...]]
    whole: bool
    is_split: bool
    truth: Path
    input: Path | None = None
    images: tuple[Path, ...] = ()
    real_images: Path | None = None
    real_statistics: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Records of one system by key."""

    records: Records
    path: Path


def contents(record: JsonCursor | None, kind: str) -> list[str]:
    """Return the text contents of a record's valid elements of a kind."""
    if record is None:
        return []
    values = (element_content(one) for one in elements(record) if element_kind(one) == kind)
    return [content for content in values if isinstance(content, str)]
