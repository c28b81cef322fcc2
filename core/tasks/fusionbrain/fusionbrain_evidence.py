"""Evidence for one FusionBrain item: question, accepted answers, prediction and scoring rules."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.metrics.edit_distance import Edit
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import Json


@dataclass(frozen=True, slots=True)
class AcceptedAnswer:
    """An accepted answer, its normalized form, and the score against it (None: undefined)."""

    text: str
    form: str
    score: float | None


@dataclass(frozen=True, slots=True)
class ItemPicture:
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
        return {
            "subtask": self.subtask,
            "key": self.key,
            "question": self.question,
            "prediction": self.prediction,
            "form": self.form,
            "accepted": [[one.text, one.form, one.score] for one in self.accepted],
            "best": self.best,
            "score": self.score,
            "rules": list(self.rules),
            "pictures": [[one.title, one.role, one.name, one.found] for one in self.pictures],
            "edits": [[one.kind, one.recognised, one.accepted] for one in self.edits],
            "alignment": None if self.alignment is None else self.alignment.to_json(),
            "clip": self.clip,
            "nearest": [[text, cosine] for text, cosine in self.nearest],
            "rank": self.rank,
            "among": self.among,
        }

    @classmethod
    def from_json(cls, data: Json) -> ItemEvidence:
        """Load the evidence that `to_json` wrote."""
        alignment = data["alignment"]
        return cls(
            data["subtask"],
            data["key"],
            data["question"],
            data["prediction"],
            data["form"],
            tuple(AcceptedAnswer(*entry) for entry in data["accepted"]),
            data["best"],
            data["score"],
            tuple(data["rules"]),
            tuple(ItemPicture(*entry) for entry in data["pictures"]),
            tuple(Edit(*entry) for entry in data["edits"]),
            None if alignment is None else Alignment.from_json(alignment),
            data["clip"],
            tuple((text, cosine) for text, cosine in data.get("nearest", [])),
            data.get("rank", 0),
            data.get("among", 0),
        )


def nan_to_none(value: float) -> float | None:
    """Return the number, or None for NaN, which JSON lacks."""
    return None if value != value else value
