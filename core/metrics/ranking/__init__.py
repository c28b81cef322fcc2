"""Measures of ranked lists: precision at k, average precision, nDCG and trec_eval's other ones."""

from jurydesk.core.metrics.ranking.catalogue import ON_DEMAND, STANDARD_MEASURES, TIE_RANGE, measure
from jurydesk.core.metrics.ranking.declare import Measure, table
from jurydesk.core.metrics.ranking.hits import Hits
from jurydesk.core.metrics.ranking.ranked import Ranked, Rules, share

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
