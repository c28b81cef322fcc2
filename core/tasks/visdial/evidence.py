"""What the inspector shows of a question: its references, the answers and how they compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.model import Json

DIGITS = 6
"""Significant digits that are kept of a score against a single reference."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A generated answer: as written, as compared, and its measures against each reference.

    An empty answer has no measures.
    """

    written: str
    compared: str
    measures: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class DialogEvidence:
    """A question with its reference set and all answers of one system."""

    image: int
    round: int
    question: str
    truth: str
    references: tuple[str, ...]
    chosen: tuple[int, ...] | None
    answers: tuple[Answer, ...]

    def to_json(self) -> Json:
        """The evidence as JSON values; `from_json` reads it back."""
        return {
            "image": self.image,
            "round": self.round,
            "question": self.question,
            "truth": self.truth,
            "references": list(self.references),
            "chosen": None if self.chosen is None else list(self.chosen),
            "answers": [
                {
                    "written": answer.written,
                    "compared": answer.compared,
                    "measures": {
                        name: [float(f"{value:.{DIGITS}g}") for value in values]
                        for name, values in answer.measures.items()
                    },
                }
                for answer in self.answers
            ],
        }

    @classmethod
    def from_json(cls, data: Json) -> DialogEvidence:
        """The evidence that `to_json` wrote."""
        answers = tuple(
            Answer(
                entry["written"],
                entry["compared"],
                {name: tuple(values) for name, values in entry["measures"].items()},
            )
            for entry in data["answers"]
        )
        chosen = data["chosen"]
        return cls(
            data["image"],
            data["round"],
            data["question"],
            data["truth"],
            tuple(data["references"]),
            None if chosen is None else tuple(chosen),
            answers,
        )
