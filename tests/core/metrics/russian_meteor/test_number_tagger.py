"""NLTK's tagger from its own files, which a test can train."""

import json

import pytest
from nltk.tag.perceptron import PerceptronTagger

from jurydesk.core.metrics.russian_meteor.number_tagger import (
    NAME,
    perceptron_numbers,
    tagger_files,
)
from jurydesk.core.model.evaluation import ResourceMissing

SENTENCES = [
    [("5", "CD"), ("cats", "NNS")],
    [("inf", "CD"), ("of", "IN"), ("3", "CD")],
    [("house", "NN"), ("of", "IN"), ("cats", "NNS")],
]


@pytest.fixture
def data(tmp_path):
    """Return a data folder with a tagger that was trained on three sentences."""
    tagger = PerceptronTagger(load=False)
    tagger.train(SENTENCES)
    folder = tmp_path / "taggers" / NAME
    folder.mkdir(parents=True)
    parts = (tagger.model.weights, tagger.tagdict, sorted(tagger.classes))
    for path, part in zip(tagger_files(tmp_path), parts, strict=True):
        path.write_text(json.dumps(part), encoding="utf-8")
    return tmp_path


def test_numbers_are_the_words_that_the_tagger_marks_as_such(data):
    assert perceptron_numbers(data)(["inf", "cats", "of", "5"]) == [True, False, False, True]
    assert perceptron_numbers(data)([]) == []


def test_a_missing_file_is_named(data):
    tagger_files(data)[1].unlink()
    with pytest.raises(ResourceMissing, match=rf"nltk_data: .*{NAME}.tagdict.json cannot be read"):
        perceptron_numbers(data)


@pytest.mark.parametrize("content", ["[]", "{}", "no JSON", "7"])
def test_a_damaged_file_is_reported(data, content):
    tagger_files(data)[2].write_text(content)
    with pytest.raises(ResourceMissing, match="nltk_data:"):
        perceptron_numbers(data)
