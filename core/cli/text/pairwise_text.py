"""Comparison of two systems as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jurydesk.core.analysis.pairwise import MetricComparison, PairedItems
from jurydesk.core.cli.text.text_table import align_columns

SHOWN_ITEMS = 10


def comparison_lines(found: Sequence[MetricComparison], noun: tuple[str, str]) -> list[str]:
    """Format a table of the metrics, then tests and largest differences of the headline metric."""
    if not found:
        return ["The two systems have no metric in common."]
    first = found[0].first.system, found[0].second.system
    head = ["metric", *first, "difference", "95 % interval", "p", "wins", "losses", "ties"]
    lines = align_columns(head, [_row(one) for one in found], right=set(range(1, len(head))))
    ordered = sorted(found, key=lambda one: not one.metric.headline)
    detailed = next((one for one in ordered if one.tests), None)
    if detailed is not None:
        lines += ["", f"{detailed.metric.title} over {detailed.size(noun)}:"]
        lines += align_columns(
            ["test", "p", "rounds"],
            [[test.name, p_text(test.p), _rounds(test.rounds)] for test in detailed.tests],
            right={1, 2},
        )
        lines += [f"{test.name} {test.note}." for test in detailed.tests if test.note]
        lines += detailed.remarks(noun)
        if detailed.interval is not None:
            lines += [f"Interval: {detailed.interval.method}."]
        lines += [f"Differences are {first[0]} minus {first[1]}; seed {detailed.seed}."]
    per_item = next((one for one in ordered if one.items is not None and one.items.ids), None)
    if per_item is not None and per_item.items is not None:
        unit = per_item.items.unit
        basis = f"{per_item.metric.title} of single {unit}" if unit else per_item.metric.title
        lines += ["", f"Largest differences by {basis}:"]
        lines += _largest(per_item.items, first, per_item.metric.decimals)
    return lines


def count_text(count: int, noun: tuple[str, str], unit: str = "") -> str:
    """Return `1,938 sequences`, or a count of another `unit`."""
    return f"{count:,} {unit or noun[count != 1]}"


def p_text(p: float) -> str:
    """Format a p value with three decimals; small ones as `< 0.001`."""
    if not math.isfinite(p):
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _rounds(rounds: int) -> str:
    return f"{rounds:,}" if rounds else ""


def _row(found: MetricComparison) -> list[str]:
    decimals = found.metric.decimals
    interval = "-"
    if found.interval is not None:
        low, high = found.interval.low, found.interval.high
        interval = f"[{low:+.{decimals}f}, {high:+.{decimals}f}]"
    items = found.items
    counts = ["-"] * 3 if items is None else [str(items.wins), str(items.losses), str(items.ties)]
    return [
        found.metric.name,
        *(_number(one.value, decimals) for one in (found.first, found.second)),
        _number(found.difference, decimals, "+"),
        interval,
        p_text(found.p),
        *counts,
    ]


def _number(value: float, decimals: int, sign: str = "") -> str:
    return f"{value:{sign}.{decimals}f}" if math.isfinite(value) else "-"


def _largest(items: PairedItems, systems: tuple[str, str], decimals: int) -> list[str]:
    rows = [
        [
            items.ids[row],
            _number(items.first[row], decimals),
            _number(items.second[row], decimals),
            _number(items.differences[row], decimals, "+"),
        ]
        for row in items.by_disagreement()[:SHOWN_ITEMS].tolist()
    ]
    return align_columns(
        [items.unit.removesuffix("s") or "item", *systems, "difference"], rows, right={1, 2, 3}
    )
