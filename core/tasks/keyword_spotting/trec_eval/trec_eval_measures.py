"""Measures of trec_eval by name and parameters, as its option `-m` requests them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from jurydesk.core.language import fill
from jurydesk.core.metrics.ranking import RankingStatistics, measure_by_name, measure_names
from jurydesk.core.metrics.ranking.declare import CUTOFFS
from jurydesk.core.metrics.ranking.experimental import precision_at_share, with_gains
from jurydesk.core.metrics.ranking.precision import (
    mean_precision_at_recall,
    precision_at_recall,
    smoothed_average_precision,
)
from jurydesk.core.metrics.ranking.preferences import PREFERENCE_MEASURES
from jurydesk.core.metrics.ranking.rank_biased import (
    PERSISTENCE,
    rank_biased_precision,
    rank_biased_residual,
    unjudged_share,
)
from jurydesk.core.metrics.ranking.sets import f_measure, utility
from jurydesk.core.model.evaluation import FloatArray, UsageError

Values = Callable[[RankingStatistics], FloatArray]

RUN_ID = "runid"
NUMBER_OF_QUERIES = "num_q"
RELEVANCE_STRING = "relstring"
"""Relevance of the first documents as a string of characters; printed for queries only."""

STRING_LENGTH = 10
COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
GEOMETRIC = ("gm_map", "gm_bpref")

RANKS = tuple(map(str, CUTOFFS))
LEVELS = tuple(f"{level / 10:.2f}" for level in range(11))
MULTIPLES = tuple(f"{level / 5:.2f}" for level in range(1, 11))
AT_RANKS = {
    **dict.fromkeys(("P", "recall", "ndcg_cut", "map_cut", "relative_P", "P_avgjg"), RANKS),
    "success": ("1", "5", "10"),
    "unj": ("5", "10", "20"),
}
AT_LEVELS = {
    "iprec_at_recall": LEVELS,
    "Rprec_mult": MULTIPLES,
    "Rprec_mult_avgjg": MULTIPLES,
}
WITH_NUMBERS = (RELEVANCE_STRING, "utility", "11pt_avg", "set_F")
WITH_GAINS = ("ndcg", "dcg", "ideal_dcg", "ndcg_rel", "Rndcg", "G", "rbp")
GROUP_MEASURES = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg")

_COUNTED = (RUN_ID, NUMBER_OF_QUERIES, "num_ret", "num_rel", "num_rel_ret")
_TREC = (
    *_COUNTED, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P",
    RELEVANCE_STRING, "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG",
    "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P",
    "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret",
)  # fmt: skip
_PREFERENCES = (
    "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp",
    "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret",
    "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp",
    "prefs_avgjg_imp",
)  # fmt: skip
_IN_TREC_10 = ("rbp", "rbp_resid", "unj")
_AFTER_G = _TREC.index("G") + 1
MEASURES: Mapping[str, tuple[str, ...]] = {
    "trec9": (*_TREC, *_PREFERENCES, *GROUP_MEASURES, "yaap"),
    "trec10": (
        *_TREC[:_AFTER_G], "dcg", "ideal_dcg", *_TREC[_AFTER_G:],
        *_PREFERENCES, *GROUP_MEASURES, "yaap", *_IN_TREC_10,
    ),
}  # fmt: skip
"""Measures of both versions of trec_eval, in the order in which they are printed."""

_SETS = {
    "official": _TREC[: _TREC.index("P") + 1],
    "set": (
        *_COUNTED, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    ),
    "all_trec": _TREC,
    "all_prefs": (RUN_ID, NUMBER_OF_QUERIES, *_PREFERENCES),
    "prefs": (RUN_ID, NUMBER_OF_QUERIES, *_PREFERENCES[:6]),
    "qrels_jg": (RUN_ID, NUMBER_OF_QUERIES, *GROUP_MEASURES),
}  # fmt: skip
MEASURE_SETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "trec9": _SETS,
    "trec10": {**_SETS, "all_trec": (*_TREC, *_IN_TREC_10)},
}


@dataclass(frozen=True, slots=True)
class RequestedMeasure:
    """Measure to print: its name in trec_eval's table, its full name, and its parameters."""

    base: str
    name: str
    numbers: tuple[float, ...] = ()
    gains: tuple[tuple[str, float], ...] = ()

    @property
    def is_count(self) -> bool:
        """True if it is an integer, which is summed over queries."""
        return self.base in COUNTS or self.base.startswith("prefs_num_")

    @property
    def is_for_queries(self) -> bool:
        """True if it is printed for each query."""
        return self.base not in (RUN_ID, NUMBER_OF_QUERIES, *GEOMETRIC)


def requested_measures(requests: Sequence[str], version: str = "trec9") -> list[RequestedMeasure]:
    """Return the measures of the options `-m`, in trec_eval's print order.

    A request is a measure (`map`, `P`), one with parameters (`P.5,10`, or `P_5` as in
    pytrec_eval), or a set (`official`, `all_trec`). As in trec_eval, the first parameters after a
    dot are those of the measure, whatever else requests it.

    Raises:
        UsageError: A measure is unknown, or a parameter does not fit it.
    """
    parameters: dict[str, dict[str, None]] = {}
    decided: set[str] = set()
    for request in requests or ("official",):
        for base, values, has_dot in _expand(request, version):
            if base in decided:
                continue
            if has_dot:
                decided.add(base)
                parameters[base] = {}
            parameters.setdefault(base, {}).update(dict.fromkeys(values))
    return [
        measure
        for base in MEASURES[version]
        if base in parameters
        for measure in _requested_measures(base, parameters[base])
    ]


def _expand(request: str, version: str) -> Iterator[tuple[str, Iterable[str], bool]]:
    """Yield measures with parameters, and whether those follow a dot."""
    name, dot, text = request.partition(".")
    known = MEASURES[version]
    if name in MEASURE_SETS[version]:
        yield from ((base, _defaults(base), False) for base in MEASURE_SETS[version][name])
    elif name in known and (text or not dot):
        if dot and _takes_parameters(name):
            yield name, [text], True
        else:
            yield name, _defaults(name), False
    else:
        base, _, parameter = request.rpartition("_")
        if base in known and parameter and _takes_parameters(base):
            yield base, [parameter], False
            return
        names = [*MEASURE_SETS[version], *known]
        near = measure_names(request)[:1] or difflib.get_close_matches(name, names, n=1)
        advice = (
            fill("Did you mean {near}?", near[0])
            if near
            else fill("Measures are: {join}.", ", ".join(known))
        )
        raise UsageError(fill('trec_eval has no measure "{request}". {advice}', request, advice))


def _takes_parameters(base: str) -> bool:
    return base in AT_RANKS or base in AT_LEVELS or base in (*WITH_NUMBERS, *WITH_GAINS)


def _defaults(base: str) -> tuple[str, ...]:
    if base in AT_RANKS:
        return AT_RANKS[base]
    return AT_LEVELS.get(base, ("",))


def _requested_measures(base: str, texts: Iterable[str]) -> Iterator[RequestedMeasure]:
    """Yield a measure once per cutoff, or once per text of parameters ("" without any)."""
    if base in AT_RANKS or base in AT_LEVELS:
        values = [value for text in texts for value in text.split(",")]
        numbers = list(map(_leading_integer if base in AT_RANKS else _leading_number, values))
        if base in AT_RANKS and min(numbers) <= 0:
            raise UsageError(
                fill("A cutoff of {base} is not a number above 0: {join}.", base, ",".join(values))
            )
        if len(set(numbers)) < len(numbers):
            raise UsageError(
                fill("A cutoff of {base} is repeated: {join}.", base, ",".join(values))
            )
        shape = "{:d}" if base in AT_RANKS else "{:.2f}"
        for number in sorted(numbers):
            yield RequestedMeasure(base, f"{base}_{shape.format(number)}", (number,))
        return
    for text in sorted(texts, key=lambda text: (len(text), text)):
        name = f"{base}_{text}" if text else base
        if base in WITH_GAINS:
            yield RequestedMeasure(base, name, gains=tuple(_gain_pairs(text)))
        else:
            numbers = [_leading_number(value) for value in text.split(",")] if text else []
            if base == "utility" and text and len(numbers) != 4:
                raise UsageError(
                    fill(
                        "utility has 4 coefficients, but {numbers} are given: {text}.",
                        len(numbers),
                        text,
                    )
                )
            yield RequestedMeasure(base, name, tuple(numbers))


def _gain_pairs(text: str) -> Iterator[tuple[str, float]]:
    for pair in text.split(",") if text else ():
        grade, equals, gain = pair.partition("=")
        if not equals or "=" in gain:
            raise UsageError(fill('"{pair}" is not a pair of grade and gain, such as 2=9.', pair))
        yield grade, _leading_number(gain)


def _leading_integer(text: str) -> int:
    """Return the integer at the start of a text, else 0, as C's `atol`."""
    match = re.match(r"\s*([+-]?\d+)", text)
    return int(match[1]) if match else 0


def _leading_number(text: str) -> float:
    """Return the number at the start of a text, else 0, as C's `atof`."""
    match = re.match(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", text)
    return float(match[1]) if match else 0.0


def measure_function(measure: RequestedMeasure, collection: int = 0) -> Values:
    """Return the function for a measure of judged documents.

    `collection` is the number of documents of the collection, which utility uses.
    """
    base, numbers = measure.base, measure.numbers
    if base in _SIMPLE:
        return _SIMPLE[base]
    if base in AT_RANKS:
        cutoff = int(numbers[0])
        return partial(unjudged_share, k=cutoff) if base == "unj" else _measure_values(measure.name)
    if base == "iprec_at_recall":
        return partial(precision_at_recall, share=numbers[0])
    if base == "Rprec_mult":
        return partial(precision_at_share, share=numbers[0])
    if base == "utility":
        weights = numbers or (1.0, -1.0, 0.0, 0.0)
        return partial(utility, weights=weights, collection=collection)
    if base == "11pt_avg" and numbers:
        return partial(mean_precision_at_recall, shares=numbers)
    if base == "set_F" and numbers:
        return partial(f_measure, weight=numbers[0])
    if base == "rbp":
        return partial(rank_biased_precision, p=dict(measure.gains).get("p", PERSISTENCE))
    if base in WITH_GAINS and (measure.gains or base in ("dcg", "ideal_dcg")):
        gains = [(_leading_integer(grade), gain) for grade, gain in measure.gains]
        return partial(with_gains, base, gains)
    return _measure_values(base)


_SIMPLE: Mapping[str, Values] = {
    "yaap": smoothed_average_precision,
    "rbp_resid": rank_biased_residual,
}


def _measure_values(name: str) -> Values:
    found = measure_by_name(name)
    if found is None:
        raise KeyError(name)
    return found.values


def is_preference(measure: RequestedMeasure) -> bool:
    """Return whether a measure needs preference judgements."""
    return measure.base in PREFERENCE_MEASURES
