"""Table of two systems' items, and sentences on their difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from jurydesk.app.pages.items.items_listing import Listing, listed_column
from jurydesk.app.style.distinct_names import shorten_names
from jurydesk.core.analysis.comparison.pairwise import (
    MetricComparison,
    PairedItems,
    SignificanceTest,
)
from jurydesk.core.analysis.significance.board_verdict import ALONE, BoardVerdict
from jurydesk.core.export.tables.result_tables import BEST, DIFFERENCE, difference_table
from jurydesk.core.language import Message, fill, translate, translate_text
from jurydesk.core.model.evaluation import FloatArray, MetricInfo
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn


def compare_columns(
    items: PairedItems,
    systems: tuple[str, str],
    metric: MetricInfo,
    noun: str,
    others: Mapping[str, FloatArray],
    listing: Listing | None = None,
) -> tuple[Column, ...]:
    """Return the table of two systems for the screen: short names, and what the numbers mean.

    A listing adds its texts to the ids.
    """
    about, short = item_summary(metric, items.unit), shorten_names([*systems, *others])
    found: list[Column] = []
    for column in difference_table(items, systems, others, metric):
        if isinstance(column, NumberColumn) and column.name in short:
            name = column.name
            column = replace(column, title=short[name], tooltip=f"{name}\n{about}")
        elif isinstance(column, NumberColumn) and column.name == DIFFERENCE:
            column = replace(column, is_signed=True)
        elif isinstance(column, TextColumn) and column.name == BEST:
            column = replace(column, show=partial(_best, column, short))
        elif isinstance(column, TextColumn):
            column = replace(column, title=fill("{noun:capital}", Message(noun)))
            column = column if listing is None else listed_column(column, listing)
        found.append(column)
    return tuple(found)


def _best(column: TextColumn, short: Mapping[str, str], row: int) -> str:
    """Return the short name of the best system, or how many share the best value."""
    name = column.values[row]
    return short[name] if name in short else translate_text(name)


def item_summary(metric: MetricInfo, unit: str) -> str:
    """Return a metric's summary for one item, or for one unit scored alone."""
    texts = (metric.doubt, metric.summary, metric.caveat)
    summary = "\n".join(filter(None, map(translate_text, texts)))
    if not unit:
        return summary
    alone = translate("Computed for each of the {unit} alone.", unit=translate(unit))
    return f"{summary}\n{alone}"


def counts_sentence(items: PairedItems, nouns: tuple[str, str]) -> str:
    """Return on how many items the first system is better, worse and the same."""
    of_all = numbers.quantity(len(items.ids), *nouns)
    better, worse, same = (numbers.count(n) for n in (items.wins, items.losses, items.ties))
    return translate(
        "better on {better}, worse on {worse}, the same on {same} of {all}",
        better=better,
        worse=worse,
        same=same,
        all=of_all,
    )


def pair_verdict(found: MetricComparison, nouns: tuple[str, str] = ("item", "items")) -> str:
    """Return which system is better, the difference with its interval, and the p value.

    Values that are not reliable are in parentheses, and an interval of few groups has the sign °.
    """
    difference = _signed(found.difference, found.metric)
    title = translate_text(found.metric.title)
    parts = [translate("{metric} {value}", metric=title, value=difference)]
    limits = found.interval
    if limits is not None:
        low, high = (_signed(end, found.metric) for end in (limits.low, limits.high))
        level = numbers.percent(limits.level)
        shown = translate("{level} interval {low} to {high}", level=level, low=low, high=high)
        if found.board is not None:  # which says by tests of all pairs what may contradict this one
            shown = translate("{p} (this pair alone)", p=shown)
        parts.append(f"{shown}{numbers.FEW if found.has_few_groups else ''}")
    # Beside the board's corrected p, that of the pair alone stands in the tooltip.
    if found.board is None and found.tests and math.isfinite(found.p):
        shown = numbers.p_equation(found.p)
        if found.group_noun:
            size = _size(found, nouns)
            parts.append(translate("{p} (this pair alone, {size})", p=shown, size=size))
        else:
            parts.append(translate("{p} (this pair alone)", p=shown))
    if found.board is None:
        return " · ".join(parts)
    parts.append(_board_part(found.board))
    if not found.board.better:
        verdict = translate("The data cannot say which is better")
    elif found.board.better == found.first.system:
        verdict = translate("The left system is better")
    else:
        verdict = translate("The right system is better")
    return f"{verdict}: {' · '.join(parts)}"


def _board_part(board: BoardVerdict) -> str:
    """Return the corrected p value of the board, with its family."""
    p, family = numbers.p_equation(board.corrected), translate_text(board.family)
    if board.method:
        p = translate("{p} ({method})", p=p, method=translate_text(board.method))
    return translate("board: {p}, corrected over {family}", p=p, family=family)


def _signed(value: float, metric: MetricInfo) -> str:
    text = numbers.signed(value, metric.decimals)
    return numbers.parenthesize(text) if metric.doubt else text


def tests_tip(found: MetricComparison) -> str:
    """Return every test of the difference, one per line."""
    lines = [_test_line(test) for test in found.tests if math.isfinite(test.p)]
    if lines:
        lines.insert(0, translate("p of {family}:", family=translate(ALONE)))
    if found.interval is not None:
        lines.append(translate("interval: {method}", method=translate_text(found.interval.method)))
    return "\n".join([*lines, translate("seed {seed}", seed=found.seed)]) if lines else ""


def _size(found: MetricComparison, nouns: tuple[str, str]) -> str:
    """Return `38 keywords (320 queries)`."""
    one, many = (found.unit.removesuffix("s"), found.unit) if found.unit else nouns
    items = numbers.quantity(found.n, one, many)
    groups = numbers.quantity(found.groups, *(found.group_noun or nouns))
    return f"{groups} ({items})"


def _test_line(test: SignificanceTest) -> str:
    line = f"{translate(test.name)}: {numbers.p_equation(test.p)}"
    if test.rounds:
        line = f"{line}, {numbers.quantity(test.rounds, 'round')}"
    return f"{line} ({translate_text(test.note)})" if test.note else line
