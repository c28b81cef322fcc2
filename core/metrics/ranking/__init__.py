"""Measures of ranked lists: precision at k, average precision, nDCG and trec_eval's other ones."""

from core.metrics.ranking.catalogue import ON_DEMAND, STANDARD_MEASURES, TIE_RANGE, measure
from core.metrics.ranking.declare import Measure, table
from core.metrics.ranking.hits import Hits
from core.metrics.ranking.ranked import Ranked, Rules, share

__all__ = [
    "ON_DEMAND",
    "STANDARD_MEASURES",
    "TIE_RANGE",
    "Hits",
    "Measure",
    "Ranked",
    "Rules",
    "measure",
    "share",
    "table",
]
