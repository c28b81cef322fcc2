"""Measures of ranked lists: precision at k, average precision, nDCG and trec_eval's other ones."""

from __future__ import annotations

from dataclasses import dataclass

from core.model import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What the measures need of every query's ranked list: the judged items found in it.

    Query `i` owns the rows `starts[i]:starts[i + 1]` of `ranks` (1-based, ascending), `gains` and
    `relevant`: one row for each judged item in its list. It owns the rows
    `judged_starts[i]:judged_starts[i + 1]` of `judged_gains` and `judged_relevant`: one for each
    judged item, found or not. `listed` counts all items of each list, judged or not.
    """

    queries: tuple[str, ...]
    listed: IntArray
    starts: IntArray
    ranks: IntArray
    gains: FloatArray
    relevant: BoolArray
    judged_starts: IntArray
    judged_gains: FloatArray
    judged_relevant: BoolArray
