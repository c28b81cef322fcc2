"""BLEU, METEOR, ROUGE-L and CIDEr-D of captions against pycocoevalcap."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.captioning.bleu import bleu
from jurydesk.core.metrics.captioning.cider import cider_d
from jurydesk.core.metrics.captioning.rouge_l import rouge_l
from jurydesk.core.metrics.meteor import corpus_score, profile, score_many
from support.oracles import oracle

CASES = json.loads(oracle("captions/own_eval.json").read_bytes())["cases"]
TOLERANCE = 1e-12

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6).map(" ".join)
captions = st.lists(
    st.tuples(words, st.lists(words, min_size=1, max_size=4)), min_size=1, max_size=5
)


def words_of(case):
    """Return the candidates and their references, as tokenized by the original."""
    candidates = dict(map(tuple, case["tokens"]["results"]))
    references = dict(map(tuple, case["tokens"]["references"]))
    images = list(references)
    return (
        [candidates[image][0] for image in images],
        [references[image] for image in images],
        images,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_scores_equal_pycocoevalcap(case):
    candidates, references, images = words_of(case)
    meteor = score_many(list(zip(candidates, references, strict=True)), "coco")
    blocks = bleu(candidates, references)
    columns = {f"bleu_{n + 1}": blocks.scores[:, n] for n in range(4)}
    columns |= {
        "meteor": meteor.scores,
        "rouge_l": rouge_l(candidates, references).scores,
        "cider": cider_d(candidates, references),
    }
    totals = {f"bleu_{n + 1}": blocks.corpus[n] for n in range(4)}
    totals |= {
        "meteor": corpus_score(meteor.rows, profile("coco").weights),
        "rouge_l": columns["rouge_l"].mean(),
        "cider": columns["cider"].mean(),
    }
    assert totals == pytest.approx(case["aggregate"], abs=TOLERANCE)
    rows = {row["image_id"]: row for row in case["per_image"]}
    for name, values in columns.items():
        expected = [rows[image][name] for image in images]
        assert values == pytest.approx(np.array(expected), abs=TOLERANCE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_bleu_s_counts_equal_those_that_the_original_prints(case):
    candidates, references, _ = words_of(case)
    rows = bleu(candidates, references).rows
    printed = case["bleu_totals"]
    assert rows[:, 0].sum() == printed["testlen"]
    assert rows[:, 1].sum() == printed["reflen"]
    assert rows[:, 2:].sum(axis=0).tolist() == printed["correct"]


def test_bleu_s_length_is_that_of_the_closest_reference_and_the_shorter_of_two_equally_close():
    found = bleu(["a b c d"], [["a b c d e", "a b c", "a"]])
    assert found.rows[0, 1] == 3
    assert found.reference.tolist() == [1]


def test_precision_and_recall_of_rouge_come_from_different_references():
    found = rouge_l(["a b"], [["a b c d e f", "b"]])
    assert (found.precision_reference[0], found.recall_reference[0]) == (0, 1)
    single = rouge_l(["a b"], [["a b c d e f", "b"]], one_reference=True)
    assert single.scores[0] < found.scores[0]


def test_rouge_of_two_empty_texts_is_one_in_the_published_profile_only():
    assert rouge_l([""], [[""]]).scores[0] == 1
    assert rouge_l([""], [[""]], one_reference=True).scores[0] == 0


def test_no_word_and_one_word_are_equally_long_for_the_published_cider():
    candidates, references = ["cat", "dog runs"], [["cat", "cat sits"], ["dog runs"]]
    assert (
        cider_d(candidates, references)[0] > cider_d(candidates, references, by_words=True)[0] - 1
    )
    assert cider_d(["cat", "dog"], [["cat"], ["dog"]]).tolist() == [2.5, 2.5]


@given(captions)
def test_scores_stay_in_their_ranges(pairs):
    candidates, references = [one for one, _ in pairs], [texts for _, texts in pairs]
    blocks = bleu(candidates, references)
    assert ((blocks.scores >= 0) & (blocks.scores <= 1 + 1e-9)).all()
    rouge = rouge_l(candidates, references).scores
    assert ((rouge >= 0) & (rouge <= 1)).all()
    values = cider_d(candidates, references)
    assert ((values >= 0) & (values <= 10 + 1e-9)).all()


@given(captions, st.randoms())
def test_the_order_of_images_does_not_matter(pairs, chooser):
    shuffled = sorted(range(len(pairs)), key=lambda _: chooser.random())
    there = cider_d([one for one, _ in pairs], [texts for _, texts in pairs])
    mixed = [pairs[place] for place in shuffled]
    assert cider_d([one for one, _ in mixed], [texts for _, texts in mixed]) == pytest.approx(
        there[shuffled], abs=1e-12
    )


def test_the_best_single_reference_of_each_image_counts():
    """The second reference of the second image equals its caption: both scores are 1."""
    found = rouge_l(["a b", "c d"], [["a b", "x"], ["y", "c d"]], one_reference=True)
    assert found.scores.tolist() == [1.0, 1.0]
