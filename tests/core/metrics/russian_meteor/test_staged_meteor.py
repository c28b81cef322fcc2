"""Staged METEOR: its two methods of pairing words, and their common properties."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.russian_meteor.russian_words import lemma, stemmer
from jurydesk.core.metrics.russian_meteor.ruwordnet import RuWordNet
from jurydesk.core.metrics.russian_meteor.staged_meteor import StagedMeteor, count_chunks
from jurydesk.core.metrics.russian_meteor.word_pairs import (
    EXACT,
    WordPair,
    count_crossings,
    documented_pairs,
    published_pairs,
)
from jurydesk.core.model.json_codec import from_json, to_json
from support.oracles import oracle

STEM = stemmer("russian")
SENTENCE = st.lists(st.sampled_from(["кот", "коты", "дом", "дома", "река", "у"]), max_size=6)


def unrelated(word, other):
    return False


@pytest.fixture(scope="module")
def wordnet():
    found = RuWordNet(oracle("fusionbrain/shared_toy_ruwordnet.db"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def documented(wordnet):
    def share(word, other):
        return bool(wordnet.synsets(lemma(word)) & wordnet.synsets(lemma(other)))

    return StagedMeteor(STEM, share, 0.0, documented=True)


def published_by_loops(hypothesis, reference):
    """Return the pairs by NLTK's two loops, written plainly."""
    pairs = []
    left, right = list(enumerate(hypothesis)), list(enumerate(reference))
    for stage, form in enumerate((str, STEM)):
        left = [(i, form(word)) for i, word in left]
        right = [(i, form(word)) for i, word in right]
        for i in reversed(range(len(left))):
            for j in reversed(range(len(right))):
                if left[i][1] == right[j][1]:
                    pairs.append(WordPair(left.pop(i)[0], right.pop(j)[0], stage))
                    break
    return pairs


@given(SENTENCE, SENTENCE)
def test_published_pairs_equal_those_of_nltk_s_loops(hypothesis, reference):
    found = published_pairs(hypothesis, reference, STEM, unrelated)
    assert found == published_by_loops(hypothesis, reference)


@given(SENTENCE, SENTENCE)
def test_both_methods_pair_equally_many_words_without_a_wordnet(hypothesis, reference):
    published = published_pairs(hypothesis, reference, STEM, unrelated)
    documented = documented_pairs(hypothesis, reference, STEM, unrelated)
    assert len(published) == len(documented)


@given(st.permutations("абвг"), st.permutations("абвг"))
def test_documented_pairs_of_distinct_words_are_unique(one, other):
    found = documented_pairs(one, other, str, unrelated)
    assert {(pair.hypothesis, pair.reference) for pair in found} == {
        (i, other.index(word)) for i, word in enumerate(one)
    }


@given(st.lists(st.sampled_from("аб"), max_size=4), st.lists(st.sampled_from("аб"), max_size=4))
def test_documented_pairs_have_the_fewest_crossings(one, other):
    found = documented_pairs(one, other, str, unrelated)
    assigned = {pair.hypothesis: pair.reference for pair in found}
    assert count_crossings(assigned) == min(
        count_crossings(way) for way in all_ways(one, other) if len(way) == len(found)
    )


def all_ways(one, other):
    """Return every assignment of equal words."""
    for size in range(min(len(one), len(other)) + 1):
        for left in itertools.combinations(range(len(one)), size):
            for right in itertools.permutations(range(len(other)), size):
                if all(one[i] == other[j] for i, j in zip(left, right, strict=True)):
                    yield dict(zip(left, right, strict=True))


@given(SENTENCE, SENTENCE, st.sampled_from([0.0, 0.5]), st.booleans())
def test_scores_lie_between_0_and_1_and_follow_from_the_alignment(
    hypothesis, reference, gamma, documented
):
    meteor = StagedMeteor(STEM, unrelated, gamma, documented)
    counts, alignment = meteor.counts(hypothesis, reference), meteor.align(hypothesis, reference)
    assert 0 <= counts.score <= 1
    assert (alignment.score, alignment.chunks) == (counts.score, counts.chunks)
    assert len(alignment.matches) == counts.matches
    assert len(set(alignment.chunk_of_matches())) == counts.chunks
    assert from_json(type(alignment), to_json(alignment)) == alignment


def test_chunks_are_matches_adjacent_in_both_texts():
    pairs = [WordPair(0, 3, 0), WordPair(1, 4, 0), WordPair(2, 0, 0), WordPair(4, 1, 0)]
    assert count_chunks(pairs) == 3


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        ("кошка", "кот", 1.0),  # one synset in both directions
        ("кот", "кошка", 1.0),
        ("кошка", "животное", 0.0),  # a hypernym is not a synonym
        ("машины", "автомобилем", 1.0),  # by their lemmas
        ("дом стоит", "дом", 10 * 0.5 * 1 / (1 + 9 * 0.5)),
        ("дом", "дом стоит", 10 * 1 * 0.5 / (0.5 + 9 * 1)),
    ],
)
def test_the_documented_method_pairs_synonyms_in_both_directions(
    documented, hypothesis, reference, score
):
    assert documented.counts(hypothesis.split(), reference.split()).score == pytest.approx(score)


def test_an_equal_word_is_preferred_to_a_synonym(documented):
    alignment = documented.align(["кот", "кошка"], ["кошка"])
    (match,) = alignment.matches
    assert (match.match_start, alignment.modules[match.module]) == (1, "exact")


def test_stages_pair_as_many_words_as_possible(documented):
    alignment = documented.align(["кошка", "коты"], ["кот", "кошки"])
    assert len(alignment.matches) == 2


def test_an_equal_word_is_not_exchanged_for_a_form_to_avoid_a_crossing():
    found = documented_pairs(["дом", "кот", "дома"], ["кот", "дом"], STEM, unrelated)
    assert set(found) == {WordPair(0, 1, EXACT), WordPair(1, 0, EXACT)}


def test_the_counts_of_an_alignment_are_those_of_its_stages(documented):
    """Four counts of each stage, as in METEOR's statistics: equal words, synonyms."""
    alignment = documented.align(["кошка", "дом"], ["кот", "дом", "у"])
    assert alignment.counts[:4] == (2, 3, 0, 0)
    assert alignment.counts[4:20] == (1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0)
