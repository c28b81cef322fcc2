"""Chunked computation of the ranking measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from jurydesk.core.language import translatable
from jurydesk.core.metrics.ranking import (
    Measure,
    MeasureRules,
    RankingStatistics,
    measure_by_name,
    measure_table,
)
from jurydesk.core.metrics.ranking.hits import Hits
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items
from jurydesk.core.model.evaluation import FloatArray

QUERIES = 10_000
"""Queries in a chunk: about 0.2 s (measured); most competitions have fewer."""


@dataclass(frozen=True, slots=True)
class RankSettings:
    """Names of the measures, separated by commas, and their rules."""

    measures: str
    cut: str
    recall: str
    discount: str
    precision: str = "double"

    @property
    def rules(self) -> MeasureRules:
        """Rules of the measures."""
        return MeasureRules(self.cut, self.recall, self.discount, self.precision)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class MeasureValues:
    """Values (queries, measures) of the queries of a chunk."""

    values: FloatArray

    def __post_init__(self) -> None:
        if self.values.ndim != 2:
            raise ValueError(f"the values have the shape {self.values.shape}")

    def __len__(self) -> int:
        return len(self.values)


def measure_lists(settings: RankSettings, chunk: Hits, check: Check) -> MeasureValues:
    """Return every measure of the ranked lists of a chunk."""
    measures = [cast(Measure, measure_by_name(name)) for name in settings.measures.split(",")]
    return MeasureValues(measure_table(measures, RankingStatistics(chunk, settings.rules), check).T)


BRIEF = 500
"""Queries computed in about 10 ms."""

WORK = ChunkKind(
    "keyword-spotting", measure_lists, RankSettings, Hits, MeasureValues, inline_limit=BRIEF
)


def measure_request(
    measures: Sequence[Measure], ranked: RankingStatistics
) -> ChunkRequest[RankSettings, Hits, MeasureValues]:
    """Return the request for these measures of all queries."""
    rules = ranked.rules
    names = ",".join(one.info.name for one in measures)
    settings = RankSettings(names, rules.cut, rules.recall, rules.discount, rules.precision)
    chunks = [ranked.hits.select(part) for part in split_items(range(ranked.queries), QUERIES)]
    return ChunkRequest(WORK, settings, chunks, translatable("Measuring"), "queries")
