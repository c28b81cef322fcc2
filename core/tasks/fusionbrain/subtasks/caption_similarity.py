"""Similarity of two texts: METEOR with RuWordNet, or a ratio of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from jurydesk.core.metrics.russian_meteor.caption_words import (
    NumberTagger,
    answer_form,
    answer_form_by_words,
    caption_tokens,
    nltk_tokens,
    number_ratio,
)
from jurydesk.core.metrics.russian_meteor.number_words import number_words_to_digits
from jurydesk.core.metrics.russian_meteor.russian_words import lemma, stemmer
from jurydesk.core.metrics.russian_meteor.ruwordnet import RuWordNet
from jurydesk.core.metrics.russian_meteor.staged_meteor import StagedCounts, StagedMeteor
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING

CAPTION_GAMMA = 0.5

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Score against one accepted text, from METEOR's counts or from two numbers."""

    score: float
    counts: StagedCounts | None
    number: str = ""
    accepted_number: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class TextComparer:
    """Comparer of texts by tokenizers, METEOR, and a tagger if numbers are compared as such."""

    predicted: Callable[[str], Words]
    accepted: Callable[[str], Words]
    meteor: StagedMeteor
    tagger: NumberTagger | None = None

    def compare_all(self, text: str, accepted: Sequence[str]) -> tuple[TextComparison, ...]:
        """Compare a predicted text with every accepted text."""
        words = self.predicted(text)
        return tuple(self.compare(words, self.accepted(answer)) for answer in accepted)

    def compare(self, predicted: Words, accepted: Words) -> TextComparison:
        """Compare the words of a predicted and an accepted text."""
        if self.tagger is not None and len(accepted) == 1 and accepted[0].isnumeric():
            ratio, word = number_ratio(predicted, accepted[0], self.tagger)
            return TextComparison(ratio, None, word, accepted[0])
        counts = self.meteor.counts(predicted, accepted)
        return TextComparison(counts.score, counts)


def text_comparer(
    subtask: str, wordnet: RuWordNet, tagger: NumberTagger, *, published: bool
) -> TextComparer:
    """Return the text comparer of a sub-task in a profile."""
    is_caption = subtask == CAPTIONING
    related = _related_stems(wordnet) if published else _share_synset(wordnet)
    meteor = StagedMeteor(
        stemmer("russian" if is_caption or not published else "english"),
        related,
        CAPTION_GAMMA if is_caption and published else 0.0,
        documented=not published,
    )
    if is_caption:
        accepted = partial(caption_tokens, predicted=False)
        predicted = partial(caption_tokens, predicted=True) if published else accepted
        return TextComparer(predicted, accepted, meteor)
    if published:
        return TextComparer(_predicted_answer, _accepted_answer, meteor, tagger)
    return TextComparer(_answer_by_words, _answer_by_words, meteor, tagger)


def _predicted_answer(text: str) -> Words:
    return nltk_tokens(number_words_to_digits(answer_form(text)))


def _accepted_answer(text: str) -> Words:
    return nltk_tokens(answer_form(text))


def _answer_by_words(text: str) -> Words:
    return nltk_tokens(number_words_to_digits(answer_form_by_words(text)))


def _related_stems(wordnet: RuWordNet) -> Callable[[str, str], bool]:
    return lambda word, other: other in wordnet.related(word)


def _share_synset(wordnet: RuWordNet) -> Callable[[str, str], bool]:
    def related(word: str, other: str) -> bool:
        return not wordnet.synsets(lemma(word)).isdisjoint(wordnet.synsets(lemma(other)))

    return related
