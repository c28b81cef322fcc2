"""Catalogue of the measures of ranked lists, under the names of trec_eval and rusteval."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from jurydesk.core.metrics.ranking import bpref, experimental, gain, precision, rank_biased, sets
from jurydesk.core.metrics.ranking.declare import (
    Family,
    Measure,
    counting_measure,
    geometric_mean_measure,
    query_measure,
)
from jurydesk.core.metrics.ranking.families import (
    FAMILIES,
    ICFHR,
    IPREC,
    MAP_CUT,
    NDCG_CUT,
    PREC_AT,
    PRECISION,
    R_PREC_MULT,
    RECALL,
    SUCCESS,
)
from jurydesk.core.metrics.ranking.ties import (
    expected_average_precision,
    expected_ndcg,
    expected_precision,
    expected_r_precision,
    expected_reciprocal_rank,
    tie_range,
)

TREC_EVAL_10 = "Moffat and Zobel, TOIS 2008; trec_eval 10.0"

AP = query_measure(
    "ap",
    "Mean average precision",
    "The sum of the precision at each relevant item found, over the number of relevant items.",
    precision.average_precision_of_rules,
    source=ICFHR,
    headline=True,
)
MAP = query_measure(
    "map",
    "Mean average precision (map)",
    "Average precision under trec_eval's name.",
    precision.average_precision,
)
NDCG = query_measure(
    "ndcg",
    "nDCG",
    "Discounted graded gain of the whole list, divided by that of the best possible list.",
    gain.ndcg,
    source="Järvelin and Kekäläinen, TOIS 2002; trec_eval 9.0.8",
)
NDCG_BINARY = query_measure(
    "ndcg_binary",
    "nDCG, binary",
    "nDCG with a gain of 1 for every relevant item, whatever its grade.",
    gain.ndcg_binary,
    source="Pratikakis et al., ICFHR 2014",
)
RECIP_RANK = query_measure(
    "recip_rank",
    "Reciprocal rank",
    "One divided by the rank of the first relevant item.",
    precision.reciprocal_rank,
)
R_PREC = query_measure(
    "Rprec",
    "R-precision",
    "Precision at the rank that equals the number of relevant items.",
    precision.r_precision,
)
BPREF = query_measure(
    "bpref",
    "Binary preference",
    "The share of judged pairs with the relevant item above the other; unjudged items are ignored.",
    bpref.bpref,
    source="Buckley and Voorhees, SIGIR 2004; trec_eval 9.0.8",
)
ELEVEN_POINTS = query_measure(
    "11pt_avg",
    "11-point average",
    "The mean of the interpolated precision at recall 0.0, 0.1 ... 1.0.",
    precision.eleven_point_average,
)
NUM_Q = counting_measure(
    "num_q", "Queries", "The number of queries averaged.", lambda ranked: np.ones(ranked.queries)
)
NUM_RET = counting_measure(
    "num_ret",
    "Listed items",
    "The number of items in the ranked lists.",
    lambda ranked: ranked.hits.listed.astype(np.float64),
)
NUM_REL = counting_measure(
    "num_rel",
    "Relevant items",
    "The number of relevant items.",
    lambda ranked: ranked.relevant.astype(np.float64),
)
NUM_REL_RET = counting_measure(
    "num_rel_ret",
    "Relevant items found",
    "The number of relevant items in the ranked lists.",
    lambda ranked: ranked.found.astype(np.float64),
)
NUM_NONREL_JUDGED_RET = counting_measure(
    "num_nonrel_judged_ret",
    "Rejected items listed",
    "The number of listed items that were judged not relevant.",
    lambda ranked: np.bincount(
        ranked.owner[(ranked.hits.gains >= 0) & ~ranked.hits.relevant], minlength=ranked.queries
    ).astype(np.float64),
)
GM_MAP = geometric_mean_measure(
    "gm_map",
    "Geometric mean average precision",
    "The geometric mean of average precision over queries, which punishes the worst ones.",
    precision.geometric_average_precision,
)
GM_BPREF = geometric_mean_measure(
    "gm_bpref",
    "Geometric mean binary preference",
    "The geometric mean of bpref over queries, which punishes the worst ones.",
    bpref.geometric_bpref,
)
INF_AP = query_measure(
    "infAP",
    "Inferred average precision",
    "Average precision estimated from a pool of which only a sample was judged.",
    bpref.inferred_ap,
    source="Yilmaz and Aslam, CIKM 2006; trec_eval 9.0.8",
)
BIN_G = query_measure(
    "binG",
    "Binary G",
    "The mean over relevant items of 1 / log2(2 + non-relevant items above it).",
    gain.bin_g,
)
G = query_measure(
    "G",
    "Normalized gain",
    "Gains discounted by how far the list lags behind the ideal one, over all gains.",
    experimental.normalized_gain,
)
NDCG_REL = query_measure(
    "ndcg_rel",
    "nDCG at relevant items",
    "The mean of nDCG at every relevant item, at the end of the list for those not found.",
    experimental.ndcg_rel,
)
R_NDCG = query_measure(
    "Rndcg",
    "nDCG at gain levels",
    "The mean of nDCG at the ranks where the ideal gain changes, and at the end.",
    experimental.r_ndcg,
)
SET_P = query_measure(
    "set_P",
    "Set precision",
    "The share of relevant items among the listed ones.",
    sets.set_precision,
)
SET_RECALL = query_measure(
    "set_recall",
    "Set recall",
    "The share of listed items among the relevant ones.",
    sets.set_recall,
)
SET_RELATIVE_P = query_measure(
    "set_relative_P",
    "Relative set precision",
    "Set precision, divided by the highest possible one for a list of this length.",
    sets.set_relative_precision,
)
SET_MAP = query_measure(
    "set_map", "Set map", "Precision times recall of the listed items.", sets.set_map
)
SET_F = query_measure(
    "set_F", "Set F", "The harmonic mean of set precision and set recall.", sets.set_f
)
UTILITY = query_measure(
    "utility",
    "Utility",
    "Relevant items listed, minus the other items listed.",
    sets.utility,
    range=(-float("inf"), float("inf")),
)
RBP = query_measure(
    "rbp",
    "Rank-biased precision",
    "The gain that a reader meets who goes on to the next rank with probability 0.9.",
    rank_biased.rank_biased_precision,
    source=TREC_EVAL_10,
)
RBP_RESIDUAL = query_measure(
    "rbp_resid",
    "Residual of rank-biased precision",
    "The part of rank-biased precision that unjudged items leave open.",
    rank_biased.rank_biased_residual,
    source=TREC_EVAL_10,
    better="lower",
)

STANDARD: tuple[Measure | Family, ...] = (
    PREC_AT, AP, MAP, PRECISION, RECALL, SUCCESS, NDCG, NDCG_CUT, RECIP_RANK, R_PREC, BPREF,
    IPREC, ELEVEN_POINTS, NUM_Q, NUM_RET, NUM_REL, NUM_REL_RET,
)  # fmt: skip
"""Measures of every evaluation of ranked lists, in the order of display."""

ON_DEMAND: tuple[Measure, ...] = (
    NDCG_BINARY, GM_MAP, GM_BPREF, INF_AP, BIN_G, G, NDCG_REL, R_NDCG, SET_P, SET_RECALL,
    SET_RELATIVE_P, SET_MAP, SET_F, UTILITY, NUM_NONREL_JUDGED_RET, RBP, RBP_RESIDUAL,
)  # fmt: skip

TIE_RANGE: tuple[Measure, ...] = tuple(
    variant
    for measure, expected in (
        (AP, expected_average_precision),
        (PRECISION.member("5"), expected_precision(5)),
        (PRECISION.member("10"), expected_precision(10)),
        (NDCG, expected_ndcg),
        (RECIP_RANK, expected_reciprocal_rank),
        (R_PREC, expected_r_precision),
    )
    for variant in tie_range(measure, expected)
)
"""Lowest, expected and highest value of measures over all orders of equal scores."""


def family_members(entry: Measure | Family) -> tuple[Measure, ...]:
    """Return a measure itself, or the members of a family with the default parameters."""
    if isinstance(entry, Measure):
        return (entry,)
    return tuple(entry.member(parameter) for parameter in entry.defaults)


STANDARD_MEASURES = tuple(measure for entry in STANDARD for measure in family_members(entry))
_BY_NAME = {measure.info.name: measure for measure in (*STANDARD_MEASURES, *ON_DEMAND, *TIE_RANGE)}


@lru_cache(maxsize=1024)
def measure_by_name(name: str) -> Measure | None:
    """Return the measure of a name, also of a family (`P_7`, `iprec_at_recall_0.25`), or None."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    for family in FAMILIES:
        match = re.fullmatch(family.stem + family.pattern, name)
        if match and (family is not IPREC or family.parse(match[1]) <= 100):
            return family.member(match[1])
    return None


_OTHER_NAMES = {
    "ap": "map",
    "mrr": "recip_rank",
    "rr": "recip_rank",
    "setp": "set_P",
    "setr": "set_recall",
    "setf": "set_F",
    "setap": "set_map",
    **{name.replace("_", ""): name for name in ("num_q", "num_ret", "num_rel", "num_rel_ret")},
}
"""Names of ir_measures without a rank, in lower case."""
_AT_RANKS = {
    **dict.fromkeys(("p", "precision"), PRECISION),
    **dict.fromkeys(("r", "recall"), RECALL),
    **dict.fromkeys(("ap", "map"), MAP_CUT),
    "ndcg": NDCG_CUT,
    "success": SUCCESS,
    "iprec": IPREC,
}
"""Families by the names that ir_measures and others write before `@`, in lower case."""


def measure_names(name: str) -> tuple[str, ...]:
    """Return trec_eval's names of a measure, as trec_eval or ir_measures write it.

    `ndcg_cut.5,10` has two, `ndcg_cut` one for each of the default ranks, an unknown name none.
    """
    if measure_by_name(name):
        return (name,)
    stem, at, rank = name.partition("@")
    if at:
        return _members(_AT_RANKS.get(stem.casefold()), [rank])
    families = {family.stem.rstrip("_"): family for family in FAMILIES}
    stem, dot, parameters = name.partition(".")
    if stem in families:
        family = families[stem]
        return _members(family, parameters.split(",") if dot else family.defaults)
    known = {one.casefold(): one for one in _BY_NAME} | _OTHER_NAMES
    return tuple(filter(None, [known.get(name.casefold())]))


def _members(family: Family | None, parameters: Sequence[str]) -> tuple[str, ...]:
    if family is None:
        return ()
    if family in (IPREC, R_PREC_MULT):
        parameters = [_two_decimals(one) for one in parameters]
    names = [family.stem + one.strip() for one in parameters]
    return tuple(names) if all(map(measure_by_name, names)) else ()


def _two_decimals(text: str) -> str:
    return f"{float(text):.2f}" if re.fullmatch(r"\d\.?\d*", text.strip()) else text


def split_measures(text: str) -> list[str]:
    """Return the names in a list with commas or blanks; `ndcg_cut.5,10` is one of them."""
    parts = re.split(r",(?!\s*\d+(?:\.\d+)?\s*(?:[,\s]|$))|\s+(?!\d)", text)
    return [part.strip() for part in parts if part.strip()]
