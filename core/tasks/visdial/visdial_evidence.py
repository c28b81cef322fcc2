"""Evidence for one question: references, generated answers and their measures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor import profile, shared_meteor
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import Json
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METEOR_PROFILE = "coco"
BARS = "|||"
"""Field separator of METEOR's protocol."""
DIGITS = 6
"""Significant digits of a stored score against a single reference."""


def answer_candidate(text: str) -> str:
    """Return an answer as the published program passes it to METEOR: one line, without bars."""
    return _on_a_line(text.replace(BARS, ""))


def references_in(text: str) -> list[str]:
    """Split a text at bars into METEOR's references."""
    return [_on_a_line(part) for part in text.split(BARS)]


def _on_a_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """A generated answer as written and as compared, with its measures by reference if any."""

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
    answers: tuple[AnswerEvidence, ...]
    correlations: tuple[float, ...] | None = None
    threshold: float | None = None
    sets: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)

    def members(self) -> tuple[int | None, ...]:
        """Return the candidate index of each reference; None if unknown."""
        marked = [i for i, mark in enumerate(self.chosen or ()) if mark]
        return tuple(marked) if len(marked) == len(self.references) else (None,) * len(
            self.references
        )  # fmt: skip

    def correlation(self, reference: int) -> float:
        """Return the correlation of a reference with the true answer; NaN if unknown."""
        member = self.members()[reference]
        if self.correlations is None or member is None:
            return math.nan
        return self.correlations[member]

    def align(self, answer: int, reference: int, run: Run | None = None) -> Alignment:
        """Align an answer with a reference by METEOR; `run` can cancel building its index.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
        """
        with language_data():
            text = answer_candidate(self.answers[answer].compared)
            parts = references_in(self.references[reference])
            return shared_meteor(run).score(text, parts, profile(METEOR_PROFILE))

    def explanation(self, answer: int, reference: int) -> str:
        """Explain a CIDEr-1 of 0 against a reference; return "" if it is not 0."""
        compared = self.answers[answer].compared.split()
        if not compared or self.answers[answer].measures["cider_1"][reference] != 0:
            return ""
        shared = sorted(set(compared) & set(self.references[reference].split()))
        if not shared:
            return "CIDEr is 0: the answer and this reference have no word in common."
        words = " and ".join(f"\u201c{word}\u201d" for word in shared)
        stand = "stands" if len(shared) == 1 else "stand"
        return (
            f"CIDEr is 0: of the words in common, {words} {stand} in each of the {self.sets:,} "
            f"reference sets, and a word weighs ln({self.sets:,} / sets with it)."
        )

    def to_json(self) -> Json:
        """Return the evidence as JSON values; `from_json` reads it back."""
        return {
            "image": self.image,
            "round": self.round,
            "question": self.question,
            "truth": self.truth,
            "references": list(self.references),
            "chosen": None if self.chosen is None else list(self.chosen),
            "correlations": None if self.correlations is None else list(self.correlations),
            "threshold": self.threshold,
            "sets": self.sets,
            "frequencies": dict(self.frequencies),
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
        """Load the evidence that `to_json` wrote."""
        answers = tuple(
            AnswerEvidence(
                entry["written"],
                entry["compared"],
                {name: tuple(values) for name, values in entry["measures"].items()},
            )
            for entry in data["answers"]
        )
        chosen, correlations = data["chosen"], data["correlations"]
        return cls(
            data["image"],
            data["round"],
            data["question"],
            data["truth"],
            tuple(data["references"]),
            None if chosen is None else tuple(chosen),
            answers,
            None if correlations is None else tuple(correlations),
            data["threshold"],
            data["sets"],
            data["frequencies"],
        )
