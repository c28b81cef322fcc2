"""Queries of one direction, image to text or text to image, with their ranks."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.metrics.retrieval_ranks import CUTOFFS, QueryRanks
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.tasks.retrieval.retrieval_options import RetrievalOptions


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """Queries of one direction over all folds: ranks, fold and image of each query."""

    name: str
    ranks: QueryRanks
    fold: IntArray
    image: IntArray
    options: RetrievalOptions

    @property
    def places(self) -> FloatArray:
        """Rank of each query, counted from 1."""
        return self.ranks.rank + 1.0

    def columns(self) -> dict[str, FloatArray]:
        """Return the metrics of each query by name."""
        order = self.options.order
        recalls = {f"{self.name}_r{k}": self.ranks.recall(k, order) for k in CUTOFFS}
        mrr = self.ranks.reciprocal(order)
        return {**recalls, f"{self.name}_meanr": self.places, f"{self.name}_mrr": mrr}

    def select(self, kept: IntArray) -> Direction:
        """Return some of the queries."""
        fields = (getattr(self.ranks, name) for name in QueryRanks.__slots__)
        ranks = QueryRanks(*(one[kept] for one in fields))
        return Direction(self.name, ranks, self.fold[kept], self.image[kept], self.options)
