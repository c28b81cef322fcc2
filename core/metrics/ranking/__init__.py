"""Measures of ranked lists: precision at k, average precision, nDCG and trec_eval's other ones."""

from core.metrics.ranking.hits import Hits

__all__ = ["Hits"]
