"""Protocols common to both formats: relevance judgements and ranked lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol

from jurydesk.core.tasks.item_fields import Fields

if TYPE_CHECKING:
    from jurydesk.core.metrics.ranking import Hits
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.model.evaluation import IntArray
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import ItemColumns

Format = Literal["trec", "xml", "overlap"]


class RelevanceJudgements(Protocol):
    """Relevance judgements of a competition, from a file of either format."""

    @property
    def format(self) -> Format:
        """Format of the file; the results must have the same."""

    @property
    def path(self) -> str:
        """Path of the file, for the places of defects."""

    @property
    def queries(self) -> tuple[str, ...]:
        """All queries, in natural order (`cv2` before `cv10`)."""

    @property
    def fields(self) -> Mapping[str, Fields]:
        """Columns of each query in the table of queries; empty without one."""

    def keywords(self) -> IntArray | None:
        """Return the keyword number of each query (queries,); None if keywords are unknown."""


class RankedLists(Protocol):
    """Ranked lists of one system, matched with the relevance judgements."""

    @property
    def path(self) -> str:
        """Path of the file, for the places of defects."""

    def hits(self, profile: str) -> Hits:
        """Return the hits of all queries of the relevance file, in its order, under a profile."""

    def ranked_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the first `SHOWN` items of the queries' lists, and every hit below them."""

    def missed_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the relevant items that the queries' lists lack (rank 0)."""

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return the defects of these lists under a profile."""
