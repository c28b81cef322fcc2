from __future__ import annotations

import pytest

from jurydesk.core.tasks.captions import captions_terms
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence, ReferenceEvidence
from jurydesk.core.tasks.captions.captions_explanation import _differences
from jurydesk.core.tasks.captions.captions_terms import _count_ngrams, _meteor_terms, _rouge_terms


def evidence(words: str, *references: str, recall: int = 0, meteor: int = 0) -> CaptionEvidence:
    """Return a caption whose ROUGE-L has its precision from the first reference."""
    made = tuple(ReferenceEvidence(text, text, 0.0, ()) for text in references)
    return CaptionEvidence(
        "1", "1.png", "published", words, words, made, 0, meteor, 0, recall, (), (), 1
    )


def test_n_grams_of_each_length_are_counted() -> None:
    assert _count_ngrams(["a", "b", "a"], 2) == {"a b": 1, "b a": 1}
    assert _count_ngrams(["a", "b", "a"], 4) == {}


@pytest.mark.parametrize(
    ("recall", "titles"),
    [(0, ["Precision", "a b", "Recall"]), (1, ["Precision", "a b", "Recall", "a c"])],
)
def test_the_words_of_recall_are_shown_where_it_has_another_reference(
    recall: int, titles: list[str]
) -> None:
    found = list(_rouge_terms(evidence("a b c", "a b", "a c", recall=recall)))
    assert [term.title for term in found] == titles


def test_matches_of_meteor_are_places_of_the_caption_and_of_the_reference() -> None:
    if not captions_terms_available():
        pytest.skip("METEOR's language data are not installed")
    found = list(_meteor_terms(evidence("a dog runs", "x", "the dog runs", meteor=1)))
    assert [term.places for term in found if term.places] == [
        {-1: (1,), 1: (1,)},
        {-1: (2,), 1: (2,)},
    ]


def captions_terms_available() -> bool:
    try:
        captions_terms.align("a", "a", captions_terms.METEOR_PROFILE)
    except captions_terms.LanguageDataMissing:
        return False
    return True


def test_lengths_of_empty_captions_are_compared_in_other_units_in_each_profile() -> None:
    def explained(words: str, *references: str) -> bool:
        one = evidence(words, *references)
        return any("compares lengths in bigrams" in text for text in _differences(one, one))

    assert explained("", "a")
    assert explained("a", "a", "")
    assert not explained("a", "a b")
    assert not explained("", "")
