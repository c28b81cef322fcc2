"""Evidence for one query: its candidates, the correct ones, and their similarities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.model.evaluation import Passage, ScoredItem
from jurydesk.core.model.evidence_columns import EvidenceRow


@dataclass(frozen=True, slots=True)
class Candidate:
    """Candidate of a query: name, text or picture, similarity, and whether it is correct."""

    name: str
    text: str
    picture: str
    similarity: float
    is_own: bool


@dataclass(frozen=True, slots=True)
class RetrievalEvidence:
    """Query with its text or picture, its correct candidates and the best ones of the system."""

    name: str
    text: str
    picture: str
    own: tuple[str, ...]
    own_texts: tuple[str, ...]
    candidates: tuple[Candidate, ...]

    @property
    def is_image(self) -> bool:
        """Whether the query is an image, whose candidates are captions."""
        return self.name.startswith("image ")

    @classmethod
    def from_row(cls, row: EvidenceRow) -> RetrievalEvidence:
        """Load the evidence of a query from evidence columns."""
        own = set(row["own"])
        candidates = zip(
            row["names"], row["texts"], row["pictures"], row["similarities"], strict=True
        )
        return cls(
            row["name"],
            row["text"],
            row["picture"],
            tuple(row["own"]),
            tuple(row["own_texts"]),
            tuple(
                Candidate(name, text, picture, similarity, name in own)
                for name, text, picture, similarity in candidates
            ),
        )


def explain_item(evidence: RetrievalEvidence) -> Sequence[Passage]:
    """Return the query with its correct candidates, and the best ones of the system."""
    correct = "\n".join(
        f"{name}: {text}" if text else name
        for name, text in zip(evidence.own, evidence.own_texts, strict=True)
    )
    lines = [
        f"{number}. {'✓ ' if one.is_own else ''}{one.text or one.name} ({one.similarity:.4g})"
        for number, one in enumerate(evidence.candidates, start=1)
    ]
    pictures = (evidence.picture,) if evidence.picture else ()
    found = tuple(one.picture for one in evidence.candidates if one.picture)
    return (
        Passage("Query", evidence.text or evidence.name, shared=True, pictures=pictures),
        Passage("Correct candidates", correct, shared=True),
        Passage("Best candidates", "\n".join(lines), pictures=found),
    )


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain why the ranks of a query differ between the profiles."""
    published, corrected = one.values, other.values
    if published["rank"] == corrected["rank"]:
        return ()
    ties = int(published["rank_worst"] - published["rank_best"])
    found = fill("Other candidates with the same similarity as the correct one: {ties:,}.", ties)
    return (join_messages([found, translatable("The corrected profile takes the mean rank.")]),)
