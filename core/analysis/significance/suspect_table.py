"""Items that decide as sentences and tables, for terminal, report and window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurydesk.core.analysis.significance.item_discrimination import (
    FEWEST_SYSTEMS,
    ItemDiscrimination,
)
from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

DISCRIMINATION, SUSPECT = "discrimination", "suspect"
"""Names of the columns."""
TITLE = translatable("Items that decide")


def item_sentences(found: ItemDiscrimination) -> Iterator[str]:
    """Yield how many items are suspects, how many chance alone gives, and what to do."""
    items, count = counted(len(found.ids), *found.noun), len(found.suspects)
    yield fill(
        "Of {items}, {count:,} may have a wrong reference, by {metric} ({profile}).",
        *(items, count, Message(found.metric.title), found.profile),
    )
    if found.is_correlation:
        yield fill(
            "By chance alone, about {expected:.1f} {items} would disagree with the ranking.",
            *(found.expected, Message(found.noun[1])),
        )
    elif found.differing == 1:
        yield fill(
            "With fewer than {fewest} systems, an item disagrees if it reverses the only pair that "
            "the board tells apart.",
            FEWEST_SYSTEMS,
        )
    elif found.differing:
        yield fill(
            "With fewer than {fewest} systems, an item disagrees if it reverses most of the "
            "{pairs} that the board tells apart.",
            *(FEWEST_SYSTEMS, counted(found.differing, "pair")),
        )
    else:
        yield "The board tells no systems apart, so that no item disagrees with it."
    if count:
        yield "`jurydesk errata` scores again with corrected references."


def discrimination_columns(found: ItemDiscrimination, rows: IntArray) -> list[Column]:
    """Return the discrimination of these rows, and their places among the suspects."""
    reasons = {one.row: one.reason for one in found.suspects}
    known = rows >= 0
    at = np.where(known, rows, 0)
    places = found.places[at] if len(found.ids) else np.full(len(rows), np.nan)

    def reason(row: int) -> str:
        return reasons.get(int(rows[row]), "")

    return [
        NumberColumn(
            DISCRIMINATION,
            translatable("Discrimination"),
            np.where(known, found.discrimination[at], np.nan),
            decimals=2,
            is_signed=True,
            tooltip=translatable(
                "How the item agrees with the ranking of all systems: below 0 it disagrees."
            ),
        ),
        NumberColumn(
            SUSPECT,
            translatable("Suspect"),
            np.where(known, places, np.nan),
            decimals=0,
            tooltip=translatable("Items that may have a wrong reference, the first first."),
            detail=reason,
        ),
    ]


def suspect_table(found: ItemDiscrimination, most: int | None = None) -> list[Column]:
    """Return the suspects, or the first `most`, with their reasons."""
    shown = found.suspects[:most]
    rows = np.array([one.row for one in shown], dtype=np.int64)
    columns: list[Column] = [
        TextColumn("item", fill("{noun:capital}", Message(found.noun[0])), _ids(found, rows)),
        TextColumn("reason", translatable("Reason"), [one.reason for one in shown], is_prose=True),
        NumberColumn(
            found.metric.name,
            _mean_title(found.metric.title),
            found.mean[rows],
            decimals=found.metric.decimals,
        ),
        NumberColumn(
            DISCRIMINATION,
            fill("{measure:capital}", found.measure),
            found.discrimination[rows],
            decimals=2,
            is_signed=True,
        ),
    ]
    if found.is_correlation:
        columns.append(NumberColumn("p", translatable("p, item alone"), found.p[rows], is_p=True))
    return columns


def _mean_title(title: str) -> str:
    return title if title.startswith("Mean") else fill("Mean {title}", Message(title))


def _ids(found: ItemDiscrimination, rows: IntArray) -> list[str]:
    return [found.ids[row] for row in rows.tolist()]
