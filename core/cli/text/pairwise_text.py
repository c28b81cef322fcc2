"""Comparison of two systems as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jurydesk.core.analysis.comparison.pairwise import MetricComparison, PairedItems
from jurydesk.core.analysis.significance.board_verdict import family_of_metrics
from jurydesk.core.language import Message, fill, localize_number, translate, translate_text
from jurydesk.core.tables.numbers import p_value
from jurydesk.core.tables.text_table import align_columns, interval_text, plain_number

SHOWN_ITEMS = 10


def comparison_lines(found: Sequence[MetricComparison], noun: tuple[str, str]) -> list[str]:
    """Format a table of the metrics, then tests and largest differences of the headline metric."""
    if not found:
        return [translate("The two systems have no metric in common.")]
    first = found[0].first.system, found[0].second.system
    head = [translate("metric"), *first, translate("difference"), translate("95 % interval")]
    head += [translate("p, pair alone"), translate("wins"), translate("losses"), translate("ties")]
    lines = align_columns(head, [_row(one) for one in found], right=set(range(1, len(head))))
    tested = [one for one in found if one.tests]
    if family := family_of_metrics(tested):
        lines.append(translate_text(family))
    ordered = sorted(found, key=lambda one: (one.board is None, not one.metric.headline))
    detailed = next((one for one in ordered if one.tests), None)
    if detailed is None:
        remarks = dict.fromkeys(remark for one in ordered for remark in one.remarks(noun))
        lines += map(translate_text, remarks)
    else:
        heading = translate(
            "{metric} over {size}, this pair alone:",
            metric=translate_text(detailed.metric.title),
            size=translate_text(detailed.size(noun)),
        )
        lines += ["", heading]
        lines += align_columns(
            [translate("test"), "p", translate("rounds")],
            [
                [translate_text(test.name), p_text(test.p), _rounds(test.rounds)]
                for test in detailed.tests
            ],
            right={1, 2},
        )
        notes = [
            fill("{name} {note}.", Message(test.name), Message(test.note))
            for test in detailed.tests
            if test.note
        ]
        lines += map(translate_text, notes)
        lines += map(translate_text, detailed.remarks(noun))
        if detailed.board is not None:
            lines.append(translate_text(detailed.board.sentence))
        if detailed.interval is not None:
            method = translate_text(detailed.interval.method)
            lines += [translate("Interval: {method}.", method=method)]
        lines += [
            translate(
                "Differences are {first} minus {second}; seed {seed}.",
                first=first[0],
                second=first[1],
                seed=detailed.seed,
            )
        ]
    per_item = next((one for one in ordered if one.items is not None and one.items.ids), None)
    if per_item is not None and per_item.items is not None:
        unit = per_item.items.unit
        title = translate_text(per_item.metric.title)
        if unit:
            shown = translate(
                "Largest differences by {metric} of single {units}:",
                metric=title,
                units=translate_text(unit),
            )
        else:
            shown = translate("Largest differences by {metric}:", metric=title)
        lines += ["", shown]
        lines += _largest_differences(per_item.items, first, per_item.metric.decimals)
    return lines


def p_text(p: float) -> str:
    """Format a p value with three decimals; small ones as `< 0.001`."""
    return p_value(p) if math.isfinite(p) else "-"


def _rounds(rounds: int) -> str:
    return localize_number(f"{rounds:,}") if rounds else ""


def _row(found: MetricComparison) -> list[str]:
    decimals = found.metric.decimals
    interval = "-"
    if found.interval is not None:
        interval = interval_text(found.interval, decimals, is_signed=True)
    items = found.items
    counts = ["-"] * 3 if items is None else [str(items.wins), str(items.losses), str(items.ties)]
    return [
        found.metric.name,
        *(plain_number(one.value, decimals) for one in (found.first, found.second)),
        plain_number(found.difference, decimals, "+"),
        interval,
        p_text(found.p),
        *counts,
    ]


def _largest_differences(items: PairedItems, systems: tuple[str, str], decimals: int) -> list[str]:
    rows = [
        [
            items.ids[row],
            plain_number(items.first[row], decimals),
            plain_number(items.second[row], decimals),
            plain_number(items.differences[row], decimals, "+"),
        ]
        for row in items.by_disagreement()[:SHOWN_ITEMS].tolist()
    ]
    noun = translate_text(items.unit.removesuffix("s") or "item")
    return align_columns([noun, *systems, translate("difference")], rows, right={1, 2, 3})
