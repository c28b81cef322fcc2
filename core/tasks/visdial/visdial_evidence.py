"""Evidence for one question: references, generated answers and their measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jurydesk.core.language import fill
from jurydesk.core.metrics.meteor import profile, shared_meteor
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import fields_of_row
from jurydesk.core.tasks.meteor_resources import language_data
from jurydesk.core.tasks.visdial.visdial_metrics import MEASURES

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METEOR_PROFILE = "coco"
BARS = "|||"
"""Field separator of METEOR's protocol."""


def answer_candidate(text: str) -> str:
    """Return an answer as the published program passes it to METEOR: one line, without bars."""
    return _join_lines(text.replace(BARS, ""))


def references_in(text: str) -> list[str]:
    """Split a text at bars into METEOR's references."""
    return [_join_lines(part) for part in text.split(BARS)]


def dialogue_words(texts: Iterable[str]) -> list[str]:
    """Return the distinct words of the answers to a question, in alphabetical order."""
    return sorted({word for text in texts for word in text.split()})


def _join_lines(text: str) -> str:
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
    ranks: tuple[int, ...] = ()
    """The system's rank of each reference among the options; empty where it gave none."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Other members of the reference set."""

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
        if len(shared) == 1:
            return fill(
                "CIDEr is 0: of the words in common, {words} occurs in each of the "
                "{sets:,} reference sets. A word weighs ln({sets2:,} / sets with it).",
                words,
                self.sets,
                self.sets,
            )
        return fill(
            "CIDEr is 0: of the words in common, {words} occur in each of the {sets:,} "
            "reference sets. A word weighs ln({sets2:,} / sets with it).",
            words,
            self.sets,
            self.sets,
        )

    @classmethod
    def from_row(cls, row: EvidenceRow) -> DialogEvidence:
        """Load the evidence of a question from evidence columns."""
        measured = {name: row[name] for name in MEASURES if name in row}
        answers = tuple(
            AnswerEvidence(
                written,
                compared,
                {
                    name: tuple(values[number])
                    for name, values in measured.items()
                    if values[number]
                },
            )
            for number, (written, compared) in enumerate(
                zip(row["written"], row["compared"], strict=True)
            )
        )
        words = dialogue_words(row["compared"])
        threshold = row["threshold"]
        return cls(
            row["image"],
            row["round"],
            row["question"],
            row["truth"],
            tuple(row["references"]),
            tuple(row["chosen"]) or None,
            answers,
            tuple(row["correlations"]) or None,
            None if threshold != threshold else threshold,
            row["sets"],
            dict(zip(words, row["frequencies"], strict=True)),
            tuple(row["ranks"]) if "ranks" in row else (),
            fields_of_row(row),
        )
