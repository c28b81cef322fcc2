"""Matching rules of the three profiles, on small files and as properties."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.icfhr import word_match as xml_join
from jurydesk.core.tasks.keyword_spotting.icfhr.word_match import covered_share, equal_rows
from jurydesk.core.tasks.keyword_spotting.icfhr.words import first_equal
from support.files.icfhr import lists_of, word

JUDGED = {"a": [word(0, relevance="1"), word(20, relevance="0.5"), word(40)]}


def ranks(folder: Path, ranked: list[str], profile: str) -> list[int]:
    return lists_of(folder, JUDGED, {"a": ranked}).hits(profile).ranks.tolist()


class TestPublished:
    def test_the_document_is_ignored(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(5), word(20, document="other")], "published") == [2]

    def test_each_repetition_is_a_hit(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(0), word(0), word(0)], "published") == [1, 2, 3]

    def test_the_box_must_be_equal(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(1), word(19)], "published") == []

    def test_a_word_judged_twice_counts_twice(self, tmp_path: Path) -> None:
        twice = {"a": [word(0, relevance="1"), word(0, relevance="1")]}
        lists = lists_of(tmp_path, twice, {"a": [word(0)]})
        assert lists.hits("published").judged_gains.tolist() == [1.0, 1.0]
        assert lists.hits("corrected").judged_gains.tolist() == [1.0]

    def test_of_equal_boxes_the_one_on_the_same_page_gives_the_gain(self, tmp_path: Path) -> None:
        judged = {
            "a": [word(0, document="p1", relevance="0.2"), word(0, document="p2", relevance="0.9")]
        }
        ranked = {"a": [word(0, document="p2"), word(0, document="p3")]}
        assert lists_of(tmp_path, judged, ranked).hits("published").gains.tolist() == [0.9, 0.2]


class TestCorrected:
    def test_document_and_box_must_be_equal(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(0, document="other"), word(20)], "corrected") == [2]

    def test_only_the_first_repetition_is_a_hit(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(0), word(0), word(20), word(0)], "corrected") == [1, 3]


class TestIcfhr:
    @pytest.mark.parametrize(("shift", "hit"), [(0, True), (2, True), (3, False), (-2, True)])
    def test_more_than_seven_tenths_must_be_covered(
        self, tmp_path: Path, shift: int, hit: bool
    ) -> None:
        assert ranks(tmp_path, [word(20 + shift)], "icfhr") == ([1] if hit else [])

    def test_the_document_must_be_equal(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(0, document="other")], "icfhr") == []

    def test_a_relevant_word_is_matched_once(self, tmp_path: Path) -> None:
        assert ranks(tmp_path, [word(1), word(0)], "icfhr") == [1]

    def test_a_listed_word_matches_the_first_free_one(self, tmp_path: Path) -> None:
        judged = {"a": [word(0, relevance="0.9"), word(2, relevance="0.1")]}
        lists = lists_of(tmp_path, judged, {"a": [word(1), word(1), word(1)]})
        hits = lists.hits("icfhr")
        assert (hits.ranks.tolist(), hits.gains.tolist()) == ([1, 2], [0.9, 0.1])

    def test_missing_relevance_has_no_gain(self, tmp_path: Path) -> None:
        lists = lists_of(tmp_path, JUDGED, {"a": [word(40)]})
        assert lists.hits("icfhr").gains.tolist() == [0.0]
        assert lists.hits("published").gains.tolist() == [1.0]
        assert lists.hits("icfhr").judged_gains.tolist() == [1.0, 0.5, 0.0]


def test_all_queries_are_in_the_order_of_the_relevance_file(tmp_path: Path) -> None:
    judged = {"q2": [word(0)], "q10": [word(0), word(5)], "q1": [word(7)]}
    ranked = {"q10": [word(9), word(5), word(0)], "q2": [word(0)]}
    hits = lists_of(tmp_path, judged, ranked).hits("corrected")
    assert hits.queries == ("q1", "q2", "q10")
    assert hits.listed.tolist() == [0, 1, 3]
    assert hits.starts.tolist() == [0, 0, 1, 3]
    assert hits.ranks.tolist() == [1, 2, 3]
    assert hits.judged_starts.tolist() == [0, 1, 2, 4]
    assert hits.relevant.all()
    assert hits.judged_relevant.all()


def test_a_relevance_of_zero_is_relevant_without_gain(tmp_path: Path) -> None:
    hits = lists_of(tmp_path, {"a": [word(0, relevance="0")]}, {"a": [word(0)]}).hits("corrected")
    assert (hits.relevant.tolist(), hits.gains.tolist()) == ([True], [0.0])


def test_areas_do_not_overflow() -> None:
    box = np.array([[0, 0, 999_999_999, 999_999_999]], np.int32)
    assert covered_share(box, box).tolist() == [1.0]


small = st.integers(-2, 2)
table = st.lists(st.tuples(small, small, small), max_size=25)


@given(table, table, st.sampled_from([1, 5, 10_000]))
def test_equal_rows_are_those_of_a_loop(
    left: list[tuple[int, ...]], right: list[tuple[int, ...]], most: int
) -> None:
    columns = [np.array(rows, np.int32).reshape(-1, 3).T for rows in (left, right)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_join, "MOST_PAIRS", most)
        chunks = list(equal_rows(tuple(columns[0]), tuple(columns[1])))
    found = [pair for a, b in chunks for pair in zip(a.tolist(), b.tolist(), strict=True)]
    places = product(range(len(left)), range(len(right)))
    assert found == [(i, j) for i, j in places if left[i] == right[j]]


@given(table)
def test_the_first_equal_row_is_that_of_a_loop(rows: list[tuple[int, ...]]) -> None:
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    assert first_equal(*columns).tolist() == [rows.index(row) for row in rows]
