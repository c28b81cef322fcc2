"""Data classes of FusionBrain: questions, accepted answers and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING, TEXTQA, VQA
from jurydesk.core.tasks.fusionbrain.readers.records import (
    IMAGE,
    TEXT,
    Record,
    RecordFault,
    Records,
)

Accepted = tuple[str, ...] | RecordFault
"""The accepted answers to a question, or what is wrong with them."""


@dataclass(frozen=True, slots=True, eq=False)
class SubtaskQuestion:
    """A question of a sub-task and its accepted answers.

    `asked` is its record of the input, where there is one, and `truth` that of the truth.
    """

    subtask: str
    key: str
    accepted: Accepted
    truth: Record | None = None
    asked: Record | None = None

    @property
    def id(self) -> str:
        """The question as one word: `vqa/17`."""
        return f"{self.subtask}/{self.key}"

    @property
    def text(self) -> str:
        """What was asked, as far as it is text."""
        return "\n".join(contents(self.asked, TEXT))

    @property
    def picture(self) -> str:
        """The path of the picture that was asked about; empty where there is none."""
        return next(iter(contents(self.asked, IMAGE)), "")

    @property
    def source(self) -> str:
        """The picture or the passage that several questions may share; empty without one."""
        if self.subtask in (CAPTIONING, VQA):
            return self.picture
        texts = contents(self.asked, TEXT)
        return texts[0] if self.subtask == TEXTQA and len(texts) > 1 else ""


@dataclass(frozen=True, slots=True, eq=False)
class Challenge:
    """The questions by sub-task in the order in which the published program takes them.

    `whole` says that all sub-tasks were asked for, `is_split` that ids tell which keys they have;
    `input` and the folders are None or empty where they were not given.
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
    """One system's records by key."""

    records: Records
    path: Path


def contents(record: Record | None, kind: str) -> list[str]:
    """Return the contents of that kind in a record, as far as they are text."""
    if record is None:
        return []
    found = (one.content for one in record.elements if one.kind == kind and one.fault is None)
    return [content for content in found if isinstance(content, str)]
