"""CIDEr against the published evaluation of visual dialogue."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.captioning.cider import DocumentFrequencies, document_frequencies
from jurydesk.core.metrics.captioning.cider import cider_pair_scores as against_sets
from support.oracles import golden

CASES = ("single_gen_full_refs", "multi_gen_full_refs", "multi_gen_human_refs_offset10")


def cider(texts, *arguments):
    return against_sets(texts, *arguments).means(len(texts))


def recorded(name):
    path = golden("visdial/shared_evaluate.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    items = next(case for case in cases if case["name"] == name)["per_item_sorted_by_image_round"]
    return [item["refs"] for item in items], [
        (text, number, scores["cider"])
        for number, item in enumerate(items)
        for text, scores in zip(item["generations_detok"], item["gen_scores"], strict=True)
        if text.strip()
    ]


@pytest.mark.parametrize("name", CASES)
def test_scores_equal_the_published_evaluation(name):
    sets, generations = recorded(name)
    texts, numbers, expected = zip(*generations, strict=True)
    assert cider(texts, numbers, sets) == pytest.approx(np.array(expected), abs=1e-9)


SETS = [["a red kite", "a kite"], ["two dogs", "a dog"], ["no"]]


def test_a_rare_shared_word_has_the_score_calculated_by_hand():
    """Use three sets: two contain "a", one contains "red" and "kite"."""
    a, rare = math.log(3 / 2), math.log(3)
    whole = math.hypot(a, rare, rare)
    of_first = 1.0
    of_second = (a * a + rare * rare) / (whole * math.hypot(a, rare))
    (scores,) = cider(["a red kite"], [0], SETS)
    assert scores[0] == pytest.approx((of_first + of_second) / 2, abs=1e-12)


def test_a_text_without_known_words_scores_zero():
    assert cider(["purple"], [0], SETS).tolist() == [[0.0] * 4]


def test_a_text_shorter_than_n_words_adds_zero_for_n():
    (scores,) = cider(["no"], [2], SETS)
    assert scores == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])


def test_an_empty_set_is_undefined():
    assert np.isnan(cider(["no"], [0], [[]])).all()


def test_saved_frequencies_give_the_same_scores():
    saved = DocumentFrequencies.from_value(json.loads(document_frequencies(SETS).to_json()))
    assert saved.counts["a"] == 2
    assert cider(["a kite"], [1], SETS, saved).tolist() == cider(["a kite"], [1], SETS).tolist()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "These are not document frequencies."),
        ({"sets": 2}, "These are not document frequencies."),
        ({"sets": 1.5, "counts": {}}, '"sets" is 1.5, not the number of reference sets.'),
        ({"sets": 10**300, "counts": {}}, f'"sets" is 1{"0" * 39}, not the number of reference'),
        ({"sets": 1, "counts": {"a": -1}}, '"a" is in -1 of 1 sets.'),
        ({"sets": 1, "counts": {"a b": 2}}, '"a b" is in 2 of 1 sets.'),
        ({"sets": 1, "counts": {"a": True}}, '"a" is in True of 1 sets.'),
    ],
)
def test_other_files_are_not_frequencies(value, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        DocumentFrequencies.from_value(value)


words = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
families = st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=4)


@given(words, families)
def test_scores_lie_between_zero_and_one(text, sets):
    scores = cider([text], [0], sets)
    assert 0 <= scores.min() <= scores.max() <= 1 + 1e-12


@given(words, families, st.randoms())
def test_the_order_of_references_does_not_matter(text, sets, random):
    shuffled = [random.sample(one, len(one)) for one in sets]
    assert cider([text], [0], shuffled) == pytest.approx(cider([text], [0], sets), abs=1e-12)
