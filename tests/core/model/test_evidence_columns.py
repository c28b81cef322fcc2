from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model import evidence_columns
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
    pack_columns,
    unpack_columns,
)

TEXT = st.text(st.characters(exclude_categories=()), max_size=5)


def rows(columns: EvidenceColumns) -> list[dict[str, Any]]:
    return [columns.row(item) for item in range(columns.items_count)]


def flat(lists: list[list[Any]]) -> list[Any]:
    return [entry for entries in lists for entry in entries]


@given(st.lists(st.lists(st.tuples(TEXT, st.lists(st.integers(-(2**40), 2**40), max_size=3)))))
def test_nested_lists_of_texts_and_numbers_are_read_back(items: list[list[Any]]) -> None:
    counts, inner = list_lengths(items), [numbers for _, numbers in flat(items)]
    columns = EvidenceColumns(
        {
            "texts": EvidenceColumn.texts([text for text, _ in flat(items)], counts),
            "numbers": EvidenceColumn(np.array(flat(inner), np.int64), counts, list_lengths(inner)),
        }
    )
    back = unpack_columns(*pack_columns(columns))
    assert back.items_count == len(items)
    for found in (columns, back):
        assert rows(found) == [
            {"texts": [text for text, _ in one], "numbers": [numbers for _, numbers in one]}
            for one in items
        ]


@given(st.lists(st.floats()))
def test_floats_are_read_back_exactly(values: list[float]) -> None:
    array = np.array(values, np.float64)
    back = unpack_columns(*pack_columns(EvidenceColumns({"x": EvidenceColumn(array)})))["x"]
    assert repr([back.value(item) for item in range(len(values))]) == repr(values)


def test_floats_that_fit_in_four_bytes_take_four() -> None:
    columns = {
        "short": EvidenceColumn(np.array([0.5, np.nan, np.inf])),
        "long": EvidenceColumn(np.full(3, 0.1)),
    }
    back = unpack_columns(*pack_columns(EvidenceColumns(columns)))
    assert [column.values.dtype.str for column in back.values()] == ["<f4", "<f8"]


def test_floats_with_many_equal_numbers_are_compressed() -> None:
    sparse, dense = np.zeros(1000), np.random.default_rng(1).random(1000)
    sparse[::50] = 1 / 3
    columns = {"sparse": EvidenceColumn(sparse), "dense": EvidenceColumn(dense)}
    content, fractions = pack_columns(EvidenceColumns(columns))
    assert fractions == dense.tobytes()
    back = unpack_columns(content, fractions)
    assert np.array_equal(back["sparse"].values, sparse)
    assert np.array_equal(back["dense"].values, dense)


def test_the_first_block_with_numbers_decides_for_the_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[int] = []
    judge = evidence_columns.is_worth_packing
    monkeypatch.setattr(
        evidence_columns, "is_worth_packing", lambda raw: judged.append(len(raw)) or judge(raw)
    )
    counts = np.concatenate([np.zeros(10_000, np.int64), np.ones(90_000, np.int64)])
    equal = EvidenceColumn(np.full(90_000, 0.1), counts)
    other = np.random.default_rng(1).random(100_000)
    columns = EvidenceColumns({"equal": equal, "other": EvidenceColumn(other)})
    shrinks: dict[str, bool] = {}
    blocks = [pack_columns(block, shrinks) for _, block in columns.blocks()]
    assert len(blocks) > 20
    assert len(judged) == 2
    size = sum(len(zlib.compress(content, 1)) + len(rest) for content, rest in blocks)
    assert 8 * 100_000 < size < 8 * 100_000 + 100_000
    assert unpack_columns(*blocks[-1])["other"].values[-1] == other[-1]


@pytest.mark.parametrize(
    ("largest", "dtype"),
    [(0, "|u1"), (255, "|u1"), (256, "<u2"), (65_536, "<u4"), (2**32, "<i8")],
)
def test_integers_take_as_few_bytes_as_possible(largest: int, dtype: str) -> None:
    back = unpack_columns(
        *pack_columns(EvidenceColumns({"x": EvidenceColumn(np.array([0, largest]))}))
    )
    assert back["x"].values.dtype.str == dtype
    assert back["x"].value(1) == largest


def test_rows_of_integers_booleans_and_negative_numbers_are_read_back() -> None:
    columns = {
        "corners": EvidenceColumn(np.array([[1.5, 2.5], [3.5, 4.5]], np.float32)),
        "claims": EvidenceColumn(np.array([True, False])),
        "object": EvidenceColumn(np.array([-1, 7])),
    }
    back = unpack_columns(*pack_columns(EvidenceColumns(columns)))
    assert rows(back) == [
        {"corners": [1.5, 2.5], "claims": 1, "object": -1},
        {"corners": [3.5, 4.5], "claims": 0, "object": 7},
    ]


def test_an_item_larger_than_a_block_has_a_block_of_its_own() -> None:
    texts = ["a" * 100] * 5000 + ["b" * (evidence_columns.BLOCK_BYTES + 1)] + ["c"] * 9
    columns = EvidenceColumns({"text": EvidenceColumn.texts(texts)})
    blocks = list(columns.blocks())
    firsts = [first for first, _ in blocks]
    assert firsts == [0, 2621, 5000, 5001]
    assert firsts == np.cumsum([0, *(part.items_count for _, part in blocks)]).tolist()[:-1]
    assert [row["text"] for _, part in blocks for row in rows(part)] == texts


def test_texts_of_several_batches_keep_their_sequence_and_letters() -> None:
    batch = evidence_columns.TEXT_BATCH
    texts = [f"plain {number}" for number in range(batch)] + ["", "naïve", "\ud800", "plain"]
    column = EvidenceColumn.texts(iter(texts))
    assert [column.value(item) for item in range(len(column))] == texts


def test_empty_items_are_divided_into_blocks_as_well() -> None:
    columns = EvidenceColumns(
        {"text": EvidenceColumn.texts([""] * (evidence_columns.MOST_ITEMS + 1))}
    )
    assert [first for first, _ in columns.blocks()] == [0, evidence_columns.MOST_ITEMS]


@pytest.mark.parametrize("item", [-1, 2])
def test_indexes_out_of_range_are_refused(item: int) -> None:
    with pytest.raises(IndexError):
        EvidenceColumns({"text": EvidenceColumn.texts(["a", "b"])}).row(item)


def test_evidence_is_decoded_when_it_is_first_read() -> None:
    built = []

    def build() -> list[EvidenceColumns]:
        built.append(True)
        return [
            EvidenceColumns({"meant": EvidenceColumn.texts(["x", "y"])}),
            EvidenceColumns({"said": EvidenceColumn.texts(["a", "b"])}),
        ]

    found = ColumnEvidence(build, dict)
    assert built == []
    assert [found(1), found(0)] == [{"meant": "y", "said": "b"}, {"meant": "x", "said": "a"}]
    assert built == [True]


def block(header: Any, content: bytes = b"") -> bytes:
    head = json.dumps(header).encode()
    return len(head).to_bytes(4, "little") + head + content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xff\xff\x7f[]",
        block({"x": 1}),
        block([["x", False, [["|O", [1], True]]]], b"12345678"),
        block([["x", False, [["<f8", [1], False]]]], b"12345678"),
        block([["x", False, [["<i8", [2], True]]]], b"12345678"),
        block([["x", False, [["|u1", [2**62], True]]]], b"1"),
        block([["x", False, [["|u1", [-1], True]]]], b"1"),
        block([["x", False, [["|u1", [1.0], True]]]], b"1"),
        block([["x", False, [["|u1", [1, 0], True]]]], b""),
        block([["x", False, [["|u1", [1, 1, 1], True]]]], b"1"),
        block([["x", False, [["|u1", [1], True]]]], b"12"),
        block([["x", False, [["|u1", [1], True], ["|u1", [1], True]]]], b"\x02a"),
        block([["x", False, [["|i1", [2], True], ["|u1", [1], True]]]], b"\xff\x02a"),
        block([["x", True, [["|u1", [1], True]]]], b"a"),
        block([["x", True, [["|u1", [1], True], ["|u1", [1, 1], True]]]], b"\x01a"),
        block([["x", False, [["|u1", [1], True]]], ["y", False, [["|u1", [2], True]]]], b"123"),
        block([[1, False, [["|u1", [1], True]]]], b"1"),
        block([["x", False, [["|u1", [1], True]] * 9]], b"\1" * 9),
    ],
)
def test_other_bytes_are_refused_before_decoding(content: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the desk's own sentence follows
        unpack_columns(content)


@pytest.mark.parametrize(
    ("header", "content", "fractions"),
    [
        ([["x", False, [["<f8", [2], False]]]], b"", b"12345678"),
        ([["x", False, [["<f8", [1], False]]]], b"", b"123456789"),
        ([["x", False, [["<f4", [1], False], ["|u1", [1], True]]]], b"a", b"\0\0\x80?"),
    ],
)
def test_fractions_of_the_wrong_size_are_refused(
    header: Any, content: bytes, fractions: bytes
) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        unpack_columns(block(header, content), fractions)
