"""Families of measures with a rank, recall level or weight."""

from __future__ import annotations

from jurydesk.core.metrics.ranking import experimental, gain, precision, sets
from jurydesk.core.metrics.ranking.declare import Family, at_ranks

ICFHR = "Pratikakis et al., ICFHR 2014; rusteval"
LEVEL_PATTERN = r"([01]\.\d\d)"

PREC_AT = at_ranks(
    "precAt",
    "Precision at {k}, of possible",
    "Hits among the first {k} items, divided by the smaller of {k} and the number of relevant "
    "items.",
    precision.precision_of_possible,
    (5, 10),
    ICFHR,
)
PRECISION = at_ranks(
    "P_",
    "Precision at {k}",
    "The share of relevant items among the first {k}; a shorter list is filled with misses.",
    precision.precision,
)
RECALL = at_ranks(
    "recall_",
    "Recall at {k}",
    "The share of the relevant items among the first {k}.",
    precision.recall,
)
SUCCESS = at_ranks(
    "success_",
    "Success at {k}",
    "The share of queries with a relevant item among the first {k}.",
    precision.success,
    (1, 5, 10),
)
NDCG_CUT = at_ranks(
    "ndcg_cut_",
    "nDCG at {k}",
    "Discounted graded gain of the first {k} items, divided by that of the best possible list.",
    gain.ndcg_cut,
)
MAP_CUT = at_ranks(
    "map_cut_",
    "Mean average precision at {k}",
    "Average precision of the first {k} items.",
    precision.average_precision_cut,
)
RELATIVE_P = at_ranks(
    "relative_P_",
    "Relative precision at {k}",
    "Precision among the first {k} items, divided by the highest possible one.",
    precision.relative_precision,
)


def _hundredths(level: str) -> int:
    return round(100 * float(level))


IPREC = Family(
    "iprec_at_recall_",
    LEVEL_PATTERN,
    _hundredths,
    "Interpolated precision at recall {k}",
    "The highest precision at any rank whose recall reaches {k}.",
    precision.interpolated_precision,
    tuple(f"{level / 10:.2f}" for level in range(11)),
)
R_PREC_MULT = Family(
    "Rprec_mult_",
    r"(\d\.\d\d)",
    _hundredths,
    "Precision at {k} times R",
    "Precision at {k} times the number of relevant items.",
    experimental.r_precision_multiple,
    tuple(f"{level / 5:.2f}" for level in range(1, 11)),
)
SET_F_WEIGHTED = Family(
    "set_F_",
    r"(\d{1,9}(?:\.\d{1,3})?)",
    lambda weight: round(1000 * float(weight)),
    "Set F, recall weighing {k}",
    "The harmonic mean of set precision and set recall, in which recall weighs {k} times as much.",
    sets.weighted_set_f,
    (),
)
FAMILIES = (
    PREC_AT, IPREC, R_PREC_MULT, PRECISION, RECALL, NDCG_CUT, MAP_CUT, SUCCESS, RELATIVE_P,
    SET_F_WEIGHTED,
)  # fmt: skip
