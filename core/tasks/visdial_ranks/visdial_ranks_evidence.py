"""Evidence for one round: dialogue, question, and the options with their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.model.evaluation import Passage
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.item_fields import fields_of_row

LISTED = 10


@dataclass(frozen=True, slots=True)
class RankedOption:
    """Option of a round: text, rank (0 if it is missing), relevance, and whether it is true."""

    text: str
    rank: int
    relevance: float
    is_true: bool


@dataclass(frozen=True, slots=True)
class RankEvidence:
    """Round of a dialogue with its options in the order of a system's ranks."""

    image: int
    round: int
    caption: str
    history: tuple[str, ...]
    question: str
    options: tuple[RankedOption, ...]
    has_relevance: bool
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def truth(self) -> RankedOption | None:
        """The true answer, if the file states it."""
        return next((one for one in self.options if one.is_true), None)

    @classmethod
    def from_row(cls, row: EvidenceRow) -> RankEvidence:
        """Load the evidence of a round from evidence columns."""
        ranks = row["ranks"] or [0] * len(row["options"])
        relevance = row["relevance"] or [float("nan")] * len(row["options"])
        options = [
            RankedOption(text, rank, value, number == row["truth"])
            for number, (text, rank, value) in enumerate(
                zip(row["options"], ranks, relevance, strict=True)
            )
        ]
        return cls(
            row["image"],
            row["round"],
            row["caption"],
            tuple(row["history"]),
            row["question"],
            tuple(sorted(options, key=lambda one: one.rank)),
            bool(row["relevance"]),
            fields_of_row(row),
        )


def explain_item(evidence: RankEvidence) -> Sequence[Passage]:
    """Return the dialogue, the true answer and the first options of the system."""
    dialogue = "\n".join(filter(None, (evidence.caption, *evidence.history)))
    truth = evidence.truth
    lines = [
        f"{one.rank}. {'✓ ' if one.is_true else ''}{one.text}" for one in evidence.options[:LISTED]
    ]
    return (
        Passage("Dialogue so far", dialogue, shared=True),
        Passage("Question", evidence.question or f"{evidence.image}-{evidence.round}", shared=True),
        *([Passage("True answer", truth.text, shared=True)] if truth else []),
        Passage("First options", "\n".join(lines)),
    )


def list_round(evidence: RankEvidence) -> ItemListEntry:
    """Return the question of a round for the item list."""
    name = f"{evidence.image}-{evidence.round}"
    return ItemListEntry(f"{name}  {evidence.question}" if evidence.question else name)
