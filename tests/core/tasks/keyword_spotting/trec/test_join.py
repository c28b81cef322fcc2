"""Joins of judged documents: every one is found, and every repetition is detected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.trec import join as trec_join
from jurydesk.core.tasks.keyword_spotting.trec.document_names import ListedNames, Names
from jurydesk.core.tasks.keyword_spotting.trec.fast_lines import AVAILABLE, ByteNames
from jurydesk.core.tasks.keyword_spotting.trec.join import join
from support.files.trec import WAYS, Pair, read_in_one_way, write_pair

KINDS: list[type[Names]] = [ListedNames, *([ByteNames] if AVAILABLE else [])]
KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20), max_size=40)


@given(KEYS, KEYS)
def test_a_join_is_equivalent_to_a_dictionary(keys: list[int], wanted: list[int]) -> None:
    found = join(np.array(keys, dtype=np.uint64), np.array(wanted, dtype=np.uint64))
    for key, row in zip(wanted, found.found.tolist(), strict=True):
        assert (row == -1) == (key not in keys)
        assert row == -1 or keys[row] == key
    repeated = {key for key in keys if keys.count(key) > 1}
    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert {keys[row] for row, _ in pairs} == repeated
    assert all(first < second and keys[first] == keys[second] for first, second in pairs)
    assert len(pairs) == len(keys) - len(set(keys))


@pytest.mark.parametrize("names", [kind.of(["b", "a", "é"]) for kind in KINDS])
class TestNames:
    def test_rows_are_taken_in_order(self, names: Names) -> None:
        assert names.take(np.array([2, 0])).texts(np.array([0, 1])) == ["é", "b"]

    def test_equal_names_have_equal_keys(self, names: Names) -> None:
        again = names.take(np.array([1, 1, 0]))
        assert again.keys.tolist() == names.keys[[1, 1, 0]].tolist()
        assert len(set(names.keys.tolist())) == 3

    def test_names_are_compared_one_by_one(self, names: Names) -> None:
        rows = np.array([0, 1, 2])
        assert names.differ(rows, names, np.array([0, 2, 2])).tolist() == [False, True, False]

    def test_names_descend_in_byte_order(self, names: Names) -> None:
        groups = np.array([1, 0, 1])
        assert names.descending(np.array([0, 1, 2]), groups).tolist() == [1, 2, 0]

    def test_another_storage_holds_the_same_names(self, names: Names) -> None:
        for kind in KINDS:
            assert kind.of(names.texts(np.arange(3))).texts(np.arange(3)) == ["b", "a", "é"]

    def test_a_column_can_be_empty(self, names: Names) -> None:
        nothing = type(names).of([])
        rows = np.zeros(0, dtype=np.int64)
        assert len(nothing) == len(nothing.keys) == 0
        assert nothing.descending(rows, rows).tolist() == []


@pytest.fixture
def pair(tmp_path: object) -> Pair:
    qrels = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\n"
    run = "q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\nq1 Q0 b 3 1 r\nq2 Q0 c 1 1 r\n"
    return write_pair(tmp_path, qrels, run)  # type: ignore[arg-type]


@pytest.fixture(params=WAYS)
def one_hash(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all names the same hash, in both readers."""
    read_in_one_way(request.param, monkeypatch)
    for kind in KINDS:
        monkeypatch.setattr(kind, "keys", property(lambda names: np.ones(len(names), np.uint64)))


@pytest.mark.usefixtures("one_hash")
def test_equal_hashes_of_different_names_are_no_match(pair: Pair) -> None:
    reading = pair.lists()
    assert reading.data is not None
    assert not reading.defects
    assert reading.data.hits("published").ranks.tolist() == [2, 3, 1]


@pytest.mark.usefixtures("one_hash")
def test_equal_hashes_hide_no_repetition(pair: Pair) -> None:
    pair.run.write_text("q1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq1 Q0 a 3 1 r\n")
    assert [str(defect.place) for defect in pair.lists().defects][:1] == ["run.txt, line 3"]


def test_many_keys_are_joined_with_a_smaller_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_join, "_FEW", 0)
    keys = np.random.default_rng(1).integers(0, 2**63, 5000).astype(np.uint64)
    assert join(keys, keys[::-1]).found.tolist() == list(range(4999, -1, -1))
