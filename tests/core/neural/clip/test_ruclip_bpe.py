from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.clip.ruclip import Encoder, read_encoder
from support.oracles import oracle

RECORDED = json.loads(oracle("neural/shared_ruclip.json").read_text(encoding="utf-8"))
ENCODER = read_encoder(oracle("neural/toy_ruclip/bpe.model"))
SMALL = Encoder(
    {"\u2581": 4, "a": 5, "b": 6},
    {(5, 5): (0, 7), (4, 7): (1, 8), (7, 6): (2, 9)},
    unknown=1,
    padding=0,
    begin=2,
    end=3,
)


@pytest.mark.parametrize(
    ("text", "ids"), list(zip(RECORDED["texts"], RECORDED["input_ids"], strict=True))
)
def test_the_ids_equal_those_of_youtokentome(text, ids):
    assert ENCODER.encode_padded(text.lower(), 77) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", []),
        ("aab", [8, 6]),  # the rule of the word's beginning precedes the other
        ("baab", [4, 6, 9]),
        ("aaa", [8, 5]),  # from the left
        ("axyb", [4, 5, 1, 6]),  # consecutive unknown letters are one
        ("b \t\n b\u2581b", [4, 6, 4, 6, 4, 6]),
        ("b\u00a0b", [4, 6, 1, 6]),  # no space to C
    ],
)
def test_pairs_are_merged_by_the_earliest_rule_first(text, ids):
    assert SMALL.encode(text) == ids


def test_a_long_text_is_truncated_between_begin_and_end():
    assert SMALL.encode_padded("b" * 9, 6) == [2, 4, 6, 6, 6, 3]


@given(st.text())
def test_every_text_has_ids_of_the_model(text):
    ids = ENCODER.encode_padded(text, 20)
    assert len(ids) == 20
    assert (ids[0], ids.count(ENCODER.end)) == (2, 1)
    assert all(0 <= id < 900 for id in ids)


@pytest.mark.parametrize("content", ["", "x", "2 0\n97 4\n", "1 1\n97 4\n4 4\n1 0 2 3\n"])
def test_another_file_is_reported(tmp_path, content):
    (tmp_path / "bpe.model").write_text(content)
    with pytest.raises(ResourceMissing, match="is not a YouTokenToMe model"):
        read_encoder(tmp_path / "bpe.model")
