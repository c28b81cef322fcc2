"""A ranked list as a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jurydesk.app.inspectors.keyword_spotting.keyword_spotting_inspector import (
    caption,
    ranked_columns,
    ranking_summary,
    running_precision,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList

NAN = float("nan")
LIST = RankedList(
    "sb0001",
    listed=900,
    relevant=4,
    items=(
        RankedItem(1, "p1", True, 1.0, NAN, (1, 2, 3, 4), "word"),
        RankedItem(2, "p1", False, NAN, NAN, (5, 6, 7, 8)),
        RankedItem(3, "p2", True, 0.5, NAN, (1, 1, 1, 1), "words"),
        RankedItem(600, "p2", True, 1.0, NAN, (2, 2, 2, 2), "word"),
    ),
    missed=(RankedItem(0, "p3", False, 1.0, NAN, (9, 9, 9, 9), "word"),),
    values=(("ap", 0.4),),
)
DOCUMENTS = RankedList("q", 1, 1, (RankedItem(1, "d1", True, 1.0, 0.5),), (), ())


def column(title: str, ranked: RankedList = LIST) -> list[str]:
    found = next(column for column in ranked_columns(ranked) if column.title == title)
    return [found.text(row) for row in range(len(found.values))]


def test_precision_continues_below_the_gap_and_is_undefined_for_missed_items() -> None:
    expected = [1.0, 1 / 2, 2 / 3, 3 / 600, NAN]
    assert np.array_equal(running_precision(LIST), expected, equal_nan=True)


def test_hits_and_missed_items_are_marked_by_words_not_only_colours() -> None:
    found = ranked_columns(LIST)[1]
    assert column("Found") == ["hit", "", "hit", "hit", "missed"]
    assert found.paint is not None
    assert [found.paint(row) for row in (0, 1, 4)] == ["good", "", "bad"]


def test_a_missed_item_has_no_rank() -> None:
    assert column("Rank") == ["1", "2", "3", "600", "–"]


def test_the_summary_states_the_shown_part() -> None:
    assert ranking_summary(LIST) == (
        "3 of 4 relevant items found in 900 ranks; shown: first 3 ranks and every hit below."
    )
    assert ranking_summary(DOCUMENTS) == "1 of 1 relevant item found in 1 rank."


def test_hits_that_count_an_item_again_are_not_counted_as_found() -> None:
    again = replace(LIST.items[0], rank=4)
    once = replace(LIST, listed=4, relevant=3, items=(*LIST.items[:3], again))
    assert ranking_summary(once) == (
        "2 of 3 relevant items found in 4 ranks. 1 more hit counts a relevant item again."
    )
    twice = replace(once, listed=5, items=(*once.items, replace(again, rank=5)))
    assert ranking_summary(twice) == (
        "2 of 3 relevant items found in 5 ranks. 2 more hits count relevant items again."
    )


def test_empty_columns_are_omitted() -> None:
    titles = [column.title for column in ranked_columns(LIST)]
    assert titles == ["Rank", "Found", "Page", "Text", "Precision", "Gain", "Box"]
    titles = [column.title for column in ranked_columns(DOCUMENTS)]
    assert titles == ["Rank", "Found", "Document", "Precision", "Gain", "Score"]


def test_an_empty_list_is_a_table_without_rows() -> None:
    empty = RankedList("q", 0, 0, (), (), ())
    assert all(len(column.values) == 0 for column in ranked_columns(empty))
    assert ranking_summary(empty) == "0 of 0 relevant items found in 0 ranks."


def test_a_box_has_a_caption() -> None:
    assert [caption(item) for item in (*LIST.items, *LIST.missed)] == [
        "rank 1, hit",
        "rank 2",
        "rank 3, hit",
        "rank 600, hit",
        "relevant, not listed",
    ]
