"""Measures of ranked lists: precision, recall, average precision, nDCG and others of trec_eval."""

from jurydesk.core.metrics.ranking.catalogue import (
    ON_DEMAND,
    STANDARD_MEASURES,
    TIE_RANGE,
    measure_by_name,
    measure_names,
    split_measures,
)
from jurydesk.core.metrics.ranking.declare import Measure, measure_table
from jurydesk.core.metrics.ranking.hits import Hits
from jurydesk.core.metrics.ranking.ranking_statistics import (
    MeasureRules,
    RankingStatistics,
    safe_ratio,
)

__all__ = [
    "ON_DEMAND",
    "STANDARD_MEASURES",
    "TIE_RANGE",
    "Hits",
    "Measure",
    "MeasureRules",
    "RankingStatistics",
    "measure_by_name",
    "measure_names",
    "measure_table",
    "safe_ratio",
    "split_measures",
]
