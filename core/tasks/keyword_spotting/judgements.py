"""Protocols common to both formats: relevance judgements and ranked lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from jurydesk.core.metrics.ranking import Hits
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.model.evaluation import IntArray
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem

Format = Literal["trec", "xml"]


class RelevanceJudgements(Protocol):
    """The relevance judgements of a competition, read from a file of either format."""

    @property
    def format(self) -> Format:
        """Which format the file has; the results must have the same."""

    @property
    def path(self) -> str:
        """The file, for the places of defects."""

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, in natural order (`cv2` before `cv10`)."""

    def keywords(self) -> IntArray | None:
        """Return the number (queries,) of every query's keyword; None where none is known."""


class RankedLists(Protocol):
    """The ranked lists of one system, matched with the relevance judgements."""

    @property
    def path(self) -> str:
        """The file, for the places of defects."""

    def hits(self, profile: str) -> Hits:
        """Return the hits of all queries of the relevance file, in its order, under a profile."""

    def ranked(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the first `SHOWN` items of a query's list, and every hit below them."""

    def missed(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the relevant items that a query's list lacks (rank 0)."""

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return the defects of these lists under a profile."""
