"""Numbers become words, words become vectors."""

import json

import numpy as np
import pytest
from golden import golden, oracle

from core.tasks.visdial.fasttext import FastText, FastTextError
from core.tasks.visdial.words import number_words, sentence_vectors, spelled_out

NUMBERS = json.loads(oracle("visdial/shared_inflect_numbers.json").read_text(encoding="utf-8"))
VECTORS = json.loads(oracle("visdial/shared_fasttext_vectors.json").read_text(encoding="utf-8"))


def test_numbers_in_words_equal_inflect_0_2_5():
    assert {digits: number_words(digits) for digits in NUMBERS} == NUMBERS


def test_digits_are_spelled_out_where_they_stand():
    assert spelled_out("12 dogs and 007") == "twelve dogs and seven"


@pytest.fixture(scope="module")
def model():
    return FastText(golden("visdial/toy300.bin"))


@pytest.mark.parametrize("word", VECTORS)
def test_vectors_equal_gensim(model, word):
    assert model.vector(word) == pytest.approx(VECTORS[word]["vec"], abs=1e-6)


def test_text_is_the_mean_of_its_lower_case_words(model):
    both = np.mean([model.vector("yes"), model.vector("no")], axis=0)
    assert sentence_vectors(["Yes NO"], model)[0] == pytest.approx(both)


def test_text_without_words_has_no_vector(model):
    assert np.isnan(sentence_vectors([" "], model)).all()


def old_header(model_bytes):
    """The same model under the header of the format before the present one."""
    arguments, sizes = model_bytes[8 : 8 + 56], model_bytes[64 : 64 + 20]
    body = model_bytes[92:]
    matrix = model_bytes.index(np.array([2511, 300], "<i8").tobytes())
    return arguments + sizes + body[: matrix - 1 - 92] + model_bytes[matrix:]


def test_old_header_gives_the_same_vectors(model, tmp_path):
    path = tmp_path / "old.bin"
    path.write_bytes(old_header(golden("visdial/toy300.bin").read_bytes()))
    old = FastText(path)
    assert old.vector("yes").tolist() == model.vector("yes").tolist()


@pytest.mark.parametrize(
    ("cut", "sentence"),
    [(10, "too short"), (1000, "within the vocabulary"), (200_000, "within the matrix")],
)
def test_truncated_model_is_refused(tmp_path, cut, sentence):
    path = tmp_path / "cut.bin"
    path.write_bytes(golden("visdial/toy300.bin").read_bytes()[:cut])
    with pytest.raises(FastTextError, match=sentence):
        FastText(path)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "text.bin"
    path.write_bytes(b"nothing of that kind" * 20)
    with pytest.raises(FastTextError, match="no fastText model"):
        FastText(path)
