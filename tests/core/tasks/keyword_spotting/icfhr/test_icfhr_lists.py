"""Ranked list of a query in an inspector, and the reported differences of the profiles."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest

from jurydesk.core.tasks.keyword_spotting import keyword_spotting_evidence
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_lists import XmlLists
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem
from support.files.icfhr import lists_of, word
from support.files.trec import missed_of, ranked_of

JUDGED = {
    "a": [word(0, relevance="1", text="the"), word(20, relevance="0.5", text="thee")],
    "b": [word(40, relevance="1")],
}


def difference_texts(lists: XmlLists, profile: str) -> list[str]:
    return [str(defect) for defect in lists.defects(profile)]


def test_the_list_of_a_query_shows_hits_with_their_text_and_gain(tmp_path: Path) -> None:
    lists = lists_of(tmp_path, JUDGED, {"b": [word(1)], "a": [word(9), word(20), word(8)]})
    first, hit, last = ranked_of(lists, 0, "corrected")
    box = (20, 0, 10, 10)
    assert hit == dataclasses.replace(
        RankedItem(2, "p1", True, 0.5, box=box, text="thee"), score=hit.score
    )
    assert (first.rank, first.hit, first.box) == (1, False, (9, 0, 10, 10))
    assert math.isnan(first.gain)
    assert math.isnan(hit.score)
    assert last.rank == 3


def test_hits_below_the_displayed_ranks_are_shown_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_spotting_evidence, "SHOWN", 2)
    words = [word(100 + place) for place in range(5)]
    lists = lists_of(tmp_path, JUDGED, {"a": [*words, word(20), *words]})
    assert [item.rank for item in ranked_of(lists, 0, "corrected")] == [1, 2, 6]


def test_words_never_found_are_listed(tmp_path: Path) -> None:
    lists = lists_of(tmp_path, JUDGED, {"a": [word(0)]})
    (missed,) = missed_of(lists, 0, "corrected")
    assert (missed.rank, missed.hit, missed.gain, missed.text) == (0, False, 0.5, "thee")
    assert missed.box == (20, 0, 10, 10)
    assert [item.box for item in missed_of(lists, 1, "corrected")] == [(40, 0, 10, 10)]
    assert list(ranked_of(lists, 1, "corrected")) == []


def test_equal_boxes_on_another_page_are_reported(tmp_path: Path) -> None:
    filling = [word(500 + n) for n in range(10)]
    ranked = {"a": [word(0, document="p2"), *filling], "b": [word(40, document="p2"), *filling]}
    lists = lists_of(tmp_path, JUDGED, ranked)
    assert difference_texts(lists, "published") == [
        "warning  res.xml, line 4: 2 words have the box of a relevant word on another page, in "
        'queries "a", "b".\n'
        "       Each counts as a hit, because the published program ignores the document. "
        "--profile corrected asks for the same document."
    ]
    assert difference_texts(lists, "corrected") == []
    assert difference_texts(lists, "icfhr") == []


def test_repetitions_are_reported(tmp_path: Path) -> None:
    filling = [word(500 + n) for n in range(10)]
    lists = lists_of(tmp_path, JUDGED, {"a": [word(0), word(0), word(0), *filling]})
    assert difference_texts(lists, "published") == [
        'warning  res.xml, line 5: 2 relevant words are listed again, in query "a".\n'
        "       Each repetition is a hit in the published program; AP can exceed 1. "
        "--profile corrected counts the first alone."
    ]
    assert difference_texts(lists, "corrected") == [
        'warning  res.xml, line 5: 2 relevant words are listed again, in query "a".\n'
        "       Each repetition is a miss."
    ]


def test_repetitions_on_another_page_are_reported_once(tmp_path: Path) -> None:
    filling = [word(500 + n) for n in range(10)]
    twice = [word(0, document="p2"), word(0, document="p2")]
    lists = lists_of(tmp_path, JUDGED, {"a": [word(0), *twice, *filling]})
    assert [defect.count for defect in lists.defects("published")] == [2]


@pytest.mark.parametrize(
    ("profile", "hint"),
    [
        ("published", "Misses fill up the list; rusteval itself stops at such a file."),
        ("corrected", "Misses fill up the list."),
        ("icfhr", "Precision is divided by the length of the list."),
    ],
)
def test_short_lists_are_reported(profile: str, hint: str, tmp_path: Path) -> None:
    lists = lists_of(tmp_path, JUDGED, {"a": [word(0)]})
    assert difference_texts(lists, profile) == [
        f'note  res.xml, line 4: 1 query lists fewer than 10 words: "a".\n       {hint}'
    ]
