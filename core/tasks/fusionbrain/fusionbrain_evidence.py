"""Evidence for one FusionBrain item: question, accepted answers, prediction and scoring rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from jurydesk.core.metrics.edit_distance import Edit
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import from_json, to_json


class AcceptedAnswer(NamedTuple):
    """An accepted answer, its normalized form, and the score against it (None: undefined)."""

    text: str
    form: str
    score: float | None


class ItemPicture(NamedTuple):
    """A picture of an item.

    `role` is the input folder, `name` the path in the JSON files, `found` the path of the file or
    "" if it does not exist.
    """

    title: str
    role: str
    name: str
    found: str


@dataclass(frozen=True, slots=True)
class ItemEvidence:
    """Evidence for one key of one sub-task.

    Attributes:
        form: Normalized prediction.
        best: Index of the accepted answer that counts; -1 for none.
        rules: Sentences that explain the score.
        edits: Edits from the recognized text to the best accepted one.
        alignment: METEOR's alignment with the best accepted answer.
        clip: Cosine of picture and text; None if it was not computed or failed.
        nearest: Captions nearest to a generated picture, with cosines.
        rank: Rank of the picture's caption `among` all captions.
    """

    subtask: str
    key: str
    question: str
    prediction: str | None
    form: str
    accepted: tuple[AcceptedAnswer, ...]
    best: int
    score: float | None
    rules: tuple[str, ...]
    pictures: tuple[ItemPicture, ...] = ()
    edits: tuple[Edit, ...] = ()
    alignment: Alignment | None = None
    clip: float | None = None
    nearest: tuple[tuple[str, float], ...] = ()
    rank: int = 0
    among: int = 0

    def to_json(self) -> Json:
        """Return the evidence as JSON values; `from_json` reads it back."""
        found: Json = to_json(self, messages=True)
        return found

    @classmethod
    def from_json(cls, data: Json) -> ItemEvidence:
        """Load the evidence that `to_json` wrote."""
        return from_json(cls, data)


def nan_to_none(value: float) -> float | None:
    """Return the number, or None for NaN, which JSON lacks."""
    return None if value != value else value
