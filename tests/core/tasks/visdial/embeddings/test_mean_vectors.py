"""Tests of spelled-out numbers and mean word vectors."""

import json
import struct

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.tasks.visdial.embeddings import fasttext
from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText
from jurydesk.core.tasks.visdial.embeddings.mean_vectors import (
    number_words,
    sentence_vectors,
    spell_out_numbers,
)
from support.oracles import oracle

NUMBERS = json.loads(oracle("visdial/shared_inflect_numbers.json").read_text(encoding="utf-8"))
VECTORS = json.loads(oracle("visdial/shared_fasttext_vectors.json").read_text(encoding="utf-8"))


def test_numbers_in_words_equal_inflect_0_2_5():
    assert {digits: number_words(digits) for digits in NUMBERS} == NUMBERS


def test_digits_are_spelled_out_in_place():
    assert spell_out_numbers("12 dogs and 007") == "twelve dogs and seven"
    assert spell_out_numbers("\u0661\u0662 dogs and 0\u0663") == "twelve dogs and three"


def test_a_number_that_has_no_name_is_unchanged():
    assert number_words("9" * 36).startswith("nine hundred and ninety nine decillion, ")
    assert number_words("9" * 37) == "9" * 37
    assert spell_out_numbers(f"{'1' * 5000} dogs") == f"{'1' * 5000} dogs"


SHAPE = np.array([2511, 300], "<i8").tobytes()
"""What stands before the matrix of the model."""


@pytest.fixture(scope="module")
def model():
    return FastText(oracle("visdial/toy300.bin"))


@pytest.mark.parametrize("word", VECTORS)
def test_vectors_equal_gensim(model, word):
    assert model.vector(word) == pytest.approx(VECTORS[word]["vec"], abs=1e-6)


def test_a_text_has_the_mean_vector_of_its_lower_case_words(model):
    both = np.mean([model.vector("yes"), model.vector("no")], axis=0)
    assert sentence_vectors(["Yes NO"], model)[0] == pytest.approx(both)


def test_a_text_without_words_has_no_vector(model):
    assert np.isnan(sentence_vectors([" "], model)).all()


def old_header(model_bytes):
    """Write the same model with the header of the previous format."""
    arguments, sizes = model_bytes[8 : 8 + 56], model_bytes[64 : 64 + 20]
    body = model_bytes[92:]
    matrix = model_bytes.index(SHAPE)
    return arguments + sizes + body[: matrix - 1 - 92] + model_bytes[matrix:]


def test_an_old_header_gives_the_same_vectors(model, tmp_path):
    path = tmp_path / "old.bin"
    path.write_bytes(old_header(oracle("visdial/toy300.bin").read_bytes()))
    old = FastText(path)
    assert old.vector("yes").tolist() == model.vector("yes").tolist()


@pytest.mark.parametrize(
    ("cut", "sentence"),
    [(10, "too short"), (1000, "within the vocabulary"), (200_000, "within the matrix")],
)
def test_a_truncated_model_is_refused(tmp_path, cut, sentence):
    path = tmp_path / "cut.bin"
    path.write_bytes(oracle("visdial/toy300.bin").read_bytes()[:cut])
    with pytest.raises(ResourceMissing, match=sentence):
        FastText(path)


@pytest.mark.parametrize("rows", [0, 200])
def test_a_model_truncated_after_its_first_matrix_gives_the_same_vectors(model, tmp_path, rows):
    whole = oracle("visdial/toy300.bin").read_bytes()
    path = tmp_path / "cut.bin"
    path.write_bytes(whole[: whole.index(SHAPE) + 16 + 4 * 300 * (2511 + rows)])
    assert FastText(path).vector("yes").tolist() == model.vector("yes").tolist()


def test_a_model_with_appended_bytes_gives_the_same_vectors(model, tmp_path):
    path = tmp_path / "longer.bin"
    path.write_bytes(oracle("visdial/toy300.bin").read_bytes() + b"something")
    assert FastText(path).vector("yes").tolist() == model.vector("yes").tolist()


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "text.bin"
    path.write_bytes(b"nothing of that kind" * 20)
    with pytest.raises(ResourceMissing, match=r"text\.bin: it is not a fastText word model\."):
        FastText(path)


def test_an_absent_model_is_reported_by_name(tmp_path):
    with pytest.raises(ResourceMissing, match=r"none\.bin: No such file or directory\."):
        FastText(tmp_path / "none.bin")


@pytest.mark.parametrize(
    ("at", "form", "value", "sentence"),
    [
        (4, "<i", 99, "version 99"),
        (8, "<i", 0, "not a fastText word model"),  # dim
        (8, "<i", 301, "does not fit the header"),
        (8 + 4 * 8, "<i", -2, "not a fastText word model"),  # buckets
        (8 + 4 * 8, "<i", 2**31 - 1, "does not fit the header"),
        (64, "<2i", (2**31 - 1, 2**31 - 1), "within the vocabulary"),  # words
        (64, "<2i", (-1, -1), "not a fastText word model"),
        (72, "<i", 3, "not a fastText word model"),  # labels
        (84, "<q", 2**62, "ends before the model does"),  # pruned n-grams
        (84, "<q", 2**63 - 1, "ends before the model does"),
    ],
)
def test_an_invalid_header_is_refused(tmp_path, at, form, value, sentence):
    data = bytearray(oracle("visdial/toy300.bin").read_bytes())
    struct.pack_into(form, data, at, *(value if isinstance(value, tuple) else (value,)))
    path = tmp_path / "lie.bin"
    path.write_bytes(data)
    with pytest.raises(ResourceMissing, match=sentence):
        FastText(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_a_vector_that_is_not_finite_is_reported_with_its_word(tmp_path, value):
    data = bytearray(oracle("visdial/toy300.bin").read_bytes())
    at = data.index(SHAPE) + 16
    data[at:] = np.full((len(data) - at) // 4, value, "<f4").tobytes()
    path = tmp_path / "not_finite.bin"
    path.write_bytes(data)
    with pytest.raises(ResourceMissing, match="the vector of “yes” is not finite"):
        sentence_vectors(["yes"], FastText(path))


def test_a_compressed_model_is_refused(tmp_path):
    data = bytearray(oracle("visdial/toy300.bin").read_bytes())
    data[data.index(SHAPE) - 1] = 1
    path = tmp_path / "model.ftz"
    path.write_bytes(data)
    with pytest.raises(ResourceMissing, match="compressed model"):
        FastText(path)


def test_a_damaged_vocabulary_is_reported_when_words_are_looked_up(tmp_path):
    data = bytearray(oracle("visdial/toy300.bin").read_bytes())
    data[1000:1100] = b"x" * 100  # some words become one
    path = tmp_path / "damaged.bin"
    path.write_bytes(data)
    with pytest.raises(ResourceMissing, match="does not end where the matrix begins"):
        sentence_vectors(["yes"], FastText(path))


def test_a_lone_surrogate_has_the_vector_of_an_unknown_word(model):
    assert np.isfinite(model.vector("a\ud800")).all()


def test_the_vocabulary_is_scanned_once(model, monkeypatch):
    walks = []
    find_rows = fasttext.find_rows

    def noted(*arguments):
        walks.append(arguments[-1])
        return find_rows(*arguments)

    monkeypatch.setattr(fasttext, "find_rows", noted)
    fresh = FastText(oracle("visdial/toy300.bin"))
    sentence_vectors(["yes no", "no, or what"], fresh)
    sentence_vectors(["no yes"], fresh)
    assert walks == [[b"yes", b"no", b"no,", b"or", b"what"]]


def test_memory_of_rows_is_released_after_a_few_and_read_again(monkeypatch):
    freed = []
    release = FastText._release_pages

    def noted(model):
        freed.append(model)
        release(model)

    monkeypatch.setattr(fasttext, "TOUCHED", 3)
    monkeypatch.setattr(FastText, "_release_pages", noted)
    small = FastText(oracle("visdial/toy300.bin"))
    small.look_up(VECTORS)
    freed.clear()
    found = {word: small.vector(word) for word in VECTORS}
    assert len(freed) > 1
    for word, vector in found.items():
        assert vector == pytest.approx(VECTORS[word]["vec"], abs=1e-6)
