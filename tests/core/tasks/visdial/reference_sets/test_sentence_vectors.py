"""Tests of word ids and mean vectors as in the published clustering."""

from types import SimpleNamespace

import numpy as np
import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.tasks.visdial.reference_sets.sentence_vectors import (
    END,
    PAD,
    UNKNOWN,
    WordEmbeddings,
    frequent_words,
    load_word_embeddings,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("No, it isn't", ["no", ",", "it", "isnt"]),
        ("12 dogs", ["twelve", "dogs"]),
        ("about 1234?", ["about", "one", "thousand", ",", "two", "hundred", "and", "thirty",
                         "four", "?"]),
        ("", []),
    ],
)  # fmt: skip
def test_words_have_no_apostrophes_and_spelled_out_numbers(text, words):
    assert words_of(text) == words


def test_the_vocabulary_is_the_words_with_five_occurrences():
    counted = [(["a", "kite"], 3), (["a", "b"], 2), (["kite"], 1)]
    assert frequent_words(counted) == ("<PAD>", "<EOS>", "<UNK>", "a")


def lexicon():
    rows = np.array([[0, 0], [1, 0], [0, 1], [4, 0], [0, 8]], dtype=float)
    return WordEmbeddings({"<PAD>": 0, "<EOS>": 1, "<UNK>": 2, "a": 3, "b": 4}, rows)


def test_texts_end_with_their_end_token_and_padding():
    ids = lexicon().encode([["a", "rare"], [], ["b"] * 20])
    assert ids[0].tolist() == [3, UNKNOWN, END] + [PAD] * 13
    assert ids[1].tolist() == [END] + [PAD] * 15
    assert ids[2].tolist() == [4] * 15 + [END]


def test_a_vector_is_the_mean_over_the_words_and_the_end():
    known = lexicon()
    assert known.vectors(known.encode([["a", "b"]])).tolist() == [[5 / 3, 8 / 3]]


def test_looking_up_word_vectors_can_be_cancelled():
    class Words:
        arguments = SimpleNamespace(dim=2)

        def look_up(self, words):
            cancel.cancel()

        def vector(self, word):
            raise AssertionError(word)

    class Patient(Run):
        def call(self, function, /, *arguments):
            return function(*arguments)

    cancel = CancelToken()
    with pytest.raises(Cancelled):
        load_word_embeddings(["<PAD>", "a"], Words(), Patient(cancel=cancel))
