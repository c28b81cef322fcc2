"""Output in trec_eval's format: measure, query (or `all`) and value per line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from jurydesk.core.metrics.ranking import measure_by_name
from jurydesk.core.metrics.ranking.declare import CUTOFFS
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, UsageError
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import SHOWN, RankedList
from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import RUN

RANKS = tuple(str(cutoff) for cutoff in CUTOFFS)
LEVELS = tuple(f"{level / 10:.2f}" for level in range(11))
RUN_ID = "runid"
RELEVANCE_STRING = "relstring"
"""The relevance of the first documents as a string of characters; printed of queries only."""

STRING_LENGTH = 10
FINEST = 1e-9
"""Levels are hundredths: trec_eval would take another one, and print it under a rounded name."""

SUMMED = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
ShownQueries = Literal["none", "listed", "every"]
"""The queries with lines of their own: none, those with results, or all."""

ONLY_FOR_ALL = (RUN_ID, "num_q", "gm_map", "gm_bpref")

MEASURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((RUN_ID, "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map"), ()),
    **dict.fromkeys(("Rprec", "bpref", "recip_rank"), ()),
    "iprec_at_recall": LEVELS,
    "P": RANKS,
    RELEVANCE_STRING: (),
    "recall": RANKS,
    **dict.fromkeys(("infAP", "gm_bpref"), ()),
    "Rprec_mult": tuple(f"{level / 5:.2f}" for level in range(1, 11)),
    **dict.fromkeys(("utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg"), ()),
    "ndcg_cut": RANKS,
    "map_cut": RANKS,
    "relative_P": RANKS,
    "success": ("1", "5", "10"),
    **dict.fromkeys(("set_P", "set_relative_P", "set_recall", "set_map", "set_F"), ()),
    "num_nonrel_judged_ret": (),
}
"""trec_eval 9's measures with their default parameters, in the order in which it prints them."""

COUNTED = (RUN_ID, "num_q", "num_ret", "num_rel", "num_rel_ret")
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*COUNTED, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*COUNTED, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "all_trec": tuple(MEASURES),
}


def requested_measures(requests: Sequence[str]) -> list[str]:
    """Return the measures requested by `-m`, in trec_eval's print order.

    A request is a measure (`map`, `P`), one with parameters (`P.5,10`, or `P_5` as pytrec_eval
    writes it), or a set (`official`, `set`, `all_trec`). As in trec_eval, the first parameters
    that stand after a dot are those of the measure, whatever else asks for it. UsageError for an
    unknown one.
    """
    wanted: dict[str, set[str]] = {}
    decided: set[str] = set()
    for request in requests or ("official",):
        for base, parameters in _expand(request):
            if request.startswith(f"{base}."):
                if base not in decided:
                    wanted[base] = set(parameters)
                decided.add(base)
            elif base not in decided:
                wanted.setdefault(base, set()).update(parameters)
    return [name for base in MEASURES if base in wanted for name in _names(base, wanted[base])]


def _expand(request: str) -> Iterator[tuple[str, Sequence[str]]]:
    if request in NICKNAMES:
        yield from ((base, MEASURES[base]) for base in NICKNAMES[request])
    elif request in MEASURES:
        yield request, MEASURES[request]
    else:
        base, parameters = _with_parameters(request)
        if not all(map(_is_known, _names(base, parameters))) or not parameters:
            stem = request.partition(".")[0]
            near = difflib.get_close_matches(stem, [*NICKNAMES, *MEASURES], n=1)
            advice = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(MEASURES)}."
            raise UsageError(f'trec_eval has no measure "{request}". {advice}')
        yield base, parameters


def _is_known(name: str) -> bool:
    if name.startswith(RELEVANCE_STRING):
        length = name.removeprefix(f"{RELEVANCE_STRING}_")
        return length.isdecimal() and int(length) <= SHOWN
    return measure_by_name(name) is not None


def _with_parameters(request: str) -> tuple[str, list[str]]:
    """Split `P.5,10` or `P_5` into the measure and its parameters ("" without any)."""
    base, _, parameters = request.partition(".")
    if base not in MEASURES:
        base, _, parameters = request.rpartition("_")
    listed = [parameter for parameter in parameters.split(",") if parameter]
    if base not in ("iprec_at_recall", "Rprec_mult"):
        return base, listed
    try:
        levels = {f"{float(level):.2f}": float(level) for level in listed}
    except ValueError:
        return base, []
    exact = all(abs(float(name) - level) < FINEST for name, level in levels.items())
    return base, list(levels) if exact else []


def _names(base: str, parameters: Iterable[str]) -> list[str]:
    by_value = sorted(parameters, key=lambda parameter: (len(parameter), parameter))
    return [f"{base}_{parameter}" for parameter in by_value] or [base]


def measures_option(names: Sequence[str]) -> str:
    """Return the names as the option `measures` takes them."""
    printed_only = (RUN_ID, RELEVANCE_STRING)
    return ",".join(name for name in names if not name.startswith(printed_only))


def trec_eval_lines(
    evaluation: Evaluation,
    names: Sequence[str],
    tag: str,
    shown: ShownQueries,
    totals: Mapping[str, float] = MappingProxyType({}),
    *,
    summary: bool = True,
) -> Iterator[str]:
    """Yield trec_eval's lines: of the shown queries, then of all if `summary`.

    `totals` are numbers of all queries that do not follow from those of each.
    Queries stand in byte order, and their values are added in it, one after the other.
    """
    items = evaluation.items
    order = sorted(range(len(items)), key=lambda i: items.ids[i].encode())
    listed = items.columns["num_ret"] > 0
    for item in order:
        if shown == "every" or (shown == "listed" and listed[item]):
            yield from _query_lines(items, item, names)
    for name in names if summary else ():
        if name == RUN_ID:
            yield f"{name:<22}\tall\t{tag}"
        elif name in totals:
            yield trec_eval_line(name, "all", totals[name])
        elif name in SUMMED or name in ONLY_FOR_ALL:
            yield trec_eval_line(name, "all", evaluation.score(name).value)
        elif not name.startswith(RELEVANCE_STRING):
            yield trec_eval_line(name, "all", trec_eval_mean(items.columns[name][order]))


def _query_lines(items: ItemTable, item: int, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if name.startswith(RELEVANCE_STRING):
            yield f"{name:<22}\t{items.ids[item]}\t'{relevance_string(items, item, name)}'"
        elif name not in ONLY_FOR_ALL:
            yield trec_eval_line(name, items.ids[item], items.columns[name][item])


def relevance_string(items: ItemTable, item: int, name: str) -> str:
    """Return a character per top document of a query: its relevance, `>` above 9.

    A document outside the pool is `-`, one of the pool that nobody judged `.`.
    """
    length = int(name.removeprefix(RELEVANCE_STRING).removeprefix("_") or STRING_LENGTH)
    evidence = items.show(item)
    ranked = evidence.items if isinstance(evidence, RankedList) else ()
    return "".join(_relevance_character(one.gain) for one in ranked if one.rank <= length)


def _relevance_character(gain: float) -> str:
    if math.isnan(gain):
        return "-"
    if gain < 0:
        return "."
    return ">" if gain >= 10 else str(int(gain))


def trec_eval_mean(values: FloatArray) -> float:
    """Return the mean as trec_eval adds it up, which decides the fourth decimal of a tie."""
    return float(np.cumsum(values)[-1] / len(values)) if len(values) else 0.0


def trec_eval_line(name: str, query: str, value: float) -> str:
    """Format a line of trec_eval: counts as integers, all else with four decimals."""
    shown = f"{value:.0f}" if name in SUMMED else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{shown}"


def run_id(evaluation: Evaluation) -> str:
    """Return the name of the run: that of the last line of its file, which trec_eval keeps."""
    return evaluation.about.removeprefix(RUN)
