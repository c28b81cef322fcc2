"""Tests of word search in a model's vocabulary, compiled and in pure Python."""

import mmap
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.visdial.embeddings import fasttext as vocabulary
from jurydesk.core.tasks.visdial.embeddings.fasttext import AVAILABLE, find_rows, plain_rows

BEFORE, BEHIND = b"head", b"\0\1matrix"
WORD = st.binary(max_size=20).map(lambda word: word.replace(b"\0", b"o"))
COUNT = st.integers(0, 2**63 - 1)
FINDERS = [
    plain_rows,
    pytest.param(
        find_rows, marks=pytest.mark.skipif(not AVAILABLE, reason="no compiler was at hand")
    ),
]


def mapped(data):
    found = mmap.mmap(-1, len(data))
    found.write(data)
    return found


def entries(words, count=7):
    return b"".join(word + b"\0" + struct.pack("<qb", count, 0) for word in words)


@pytest.mark.parametrize("find", FINDERS)
class TestFinding:
    def test_each_word_has_the_row_of_its_entry(self, find):
        data = entries([b"yes", b"no", "caf\u00e9".encode(), b"a word of more than eight bytes"])
        wanted = ["caf\u00e9".encode(), b"a word of more than eight bytes", b"yes"]
        rows, end = find(mapped(BEFORE + data + BEHIND), 4, 4 + len(data), 4, wanted)
        assert rows.tolist() == [2, 3, 0]
        assert end == 4 + len(data)

    def test_an_unknown_word_has_no_row(self, find):
        data = entries([b"yes", b"eighteen", b"sixteen-bytes-ok"])
        wanted = [b"ye", b"yes\0", b"yess", b"", b"eighteen\0", b"eightee", b"sixteen-"]
        rows, _ = find(mapped(data), 0, len(data), 3, wanted)
        assert set(rows.tolist()) == {-1}

    def test_bytes_of_a_count_are_not_a_word(self, find):
        data = entries([b"yes", b"no"], count=int.from_bytes(b"\0dog\0cat", "little"))
        rows, end = find(mapped(data), 0, len(data), 2, [b"dog", b"no"])
        assert rows.tolist() == [-1, 1]
        assert end == len(data)

    def test_a_repeated_word_has_its_first_row(self, find):
        data = entries([b"no", b"yes", b"yes"])
        assert find(mapped(data), 0, len(data), 3, [b"yes"])[0].tolist() == [1]

    def test_a_search_for_no_word_returns_the_end(self, find):
        data = entries([b"no", b"yes"])
        rows, end = find(mapped(data + BEHIND), 0, len(data + BEHIND), 2, [])
        assert (len(rows), end) == (0, len(data))

    def test_entries_beyond_the_end_are_reported(self, find):
        data = entries([b"no", b"yes"])
        for size in range(1, len(data)):
            assert find(mapped(data[:size]), 0, size, 2, [b"yes"])[1] == -1
        assert find(mapped(data), 0, len(data), 3, [b"yes"])[1] == -1

    def test_a_word_without_an_end_is_reported_at_once(self, find):
        data = b"a" * 3_000_000
        assert find(mapped(data), 0, len(data), 2_000_000, [b"a"])[1] == -1


@pytest.mark.skipif(not AVAILABLE, reason="no compiler was at hand")
@given(st.lists(st.tuples(WORD, COUNT), min_size=1, max_size=30), st.data())
def test_compiled_and_plain_search_agree(words, data):
    body = b"".join(entries([word], count) for word, count in words)
    wanted = data.draw(st.lists(st.sampled_from([w for w, _ in words]) | WORD, unique=True))
    size = data.draw(st.just(len(body)) | st.integers(0, len(body)))
    file = mapped(BEFORE + body[:size] + BEHIND)
    end = data.draw(st.sampled_from([4 + size, len(file)]))
    ours, our_end = find_rows(file, 4, end, len(words), wanted)
    plain, plain_end = plain_rows(file, 4, end, len(words), wanted)
    assert our_end == plain_end
    assert ours.tolist() == plain.tolist()


def test_without_a_compiler_the_plain_search_is_used(monkeypatch):
    monkeypatch.setattr(vocabulary, "AVAILABLE", False)
    data = entries([b"no", b"yes"])
    assert vocabulary.find_rows(mapped(data), 0, len(data), 2, [b"yes"])[0].tolist() == [1]
