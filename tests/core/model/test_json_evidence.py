"""Evidence as JSON: packed in blocks once, and read from them item by item."""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import dataclass

import pytest

from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_evidence import EVIDENCE_BLOCK, PackedJsonEvidence, json_blocks

COUNTS = [0, 1, EVIDENCE_BLOCK, EVIDENCE_BLOCK + 1, 3 * EVIDENCE_BLOCK]


@dataclass(frozen=True)
class Word:
    text: Json

    def to_json(self) -> Json:
        return self.text


def word(number: int) -> Word:
    return Word([number, "straße \ud800"])


@pytest.mark.parametrize("count", COUNTS)
def test_evidence_is_packed_in_blocks(count):
    blocks = list(json_blocks(word, count))
    found = [value for block in blocks for value in json.loads(zlib.decompress(block))]
    assert found == [[number, "straße \ud800"] for number in range(count)]
    assert len(blocks) == math.ceil(count / EVIDENCE_BLOCK)


@pytest.mark.parametrize("count", COUNTS[1:])
def test_packed_evidence_is_that_which_was_packed(count):
    packed = PackedJsonEvidence(list(json_blocks(word, count)), Word)
    assert [packed(number) for number in range(count)] == [word(number) for number in range(count)]
    with pytest.raises(IndexError):
        packed(count)


def test_packed_evidence_is_not_unpacked_to_be_stored():
    def load(data: Json) -> Word:
        raise AssertionError("the evidence of an item was created")

    blocks = list(json_blocks(word, 2 * EVIDENCE_BLOCK))
    assert list(json_blocks(PackedJsonEvidence(blocks, load), 2 * EVIDENCE_BLOCK)) == blocks
