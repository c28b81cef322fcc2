"""Tokenization and normalization of captions and answers for FusionBrain's METEOR.

Source: FusionBrain Challenge 2.0 (AI Journey 2022), evaluation code of captioning and VQA. Sentence
ends are removed first, so that NLTK's rules need no sentence splitter and no data.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from jurydesk.core.metrics.russian_meteor.nltk_words import nltk_words
from jurydesk.core.metrics.russian_meteor.number_words import number_words_to_digits
from jurydesk.core.metrics.russian_meteor.russian_words import counted_lemma, without_punctuation


def with_closed_quotes(text: str, quote: str) -> str:
    """Return the text without the white space at the inner side of its quotes."""
    pieces = text.split(quote)
    inner = range(1, len(pieces) - 1)
    places = defaultdict[str, list[int]](list)
    for place in inner:
        places[pieces[place]].append(place)
    for found in _quoted_spans(pieces):
        closed, kept, last = found[1:-1], list[int](), -1
        for place in sorted(places.pop(found, ())):
            if place == last + 1:
                kept.append(place)
                continue
            pieces[place], last = closed, place
            places[closed].append(place)
        if kept:
            places[found] = kept
    return quote.join(pieces)


def _quoted_spans(pieces: list[str]) -> list[str]:
    """Return the quoted pieces with white space inside; a match consumes both of its quotes."""
    finds, free = list[str](), 1
    for place in range(1, len(pieces) - 1):
        piece = pieces[place]
        if place >= free and len(piece) > 2 and piece[0].isspace() and piece[-1].isspace():
            finds.append(piece)
            free = place + 2
    return finds


KEPT_TEXTS = 1 << 16
DROPPED = str.maketrans("", "", ",.!?:;%)]}([")
"""Characters that the published program removes from captions (no opening brace)."""

SMILEY = 5  # length of razdel's longest smiley
UNKNOWN_WORD = ("@@UNKNOWN@@", "<unk>")

# Texts of words only, which the tokenizers merely split at blanks.
_WORDS_OF_ONE_ALPHABET = re.compile(r"(?:(?:[а-яёА-ЯЁ]+|[a-zA-Z]+)(?: |$))*")
_UNTOUCHED_BY_NLTK = re.compile(r"(?:\w|-(?!-)| )*")
_CONTRACTED = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")

NumberTagger = Callable[[Sequence[str]], Sequence[bool]]
"""Function that returns which tokens of a sentence are cardinal numbers."""


@lru_cache(maxsize=KEPT_TEXTS)
def caption_tokens(text: str, *, predicted: bool) -> tuple[str, ...]:
    """Return the tokens of a caption; English number words of a predicted one become digits."""
    plain = without_caption_marks(text.strip())
    if predicted:
        plain = plain.replace(*UNKNOWN_WORD)
    spaced = " ".join(razdel_tokens(plain)).lower()
    return nltk_tokens(number_words_to_digits(spaced) if predicted else spaced)


def razdel_tokens(text: str) -> list[str]:
    """Return razdel's tokens of a text."""
    if _WORDS_OF_ONE_ALPHABET.fullmatch(text):
        return text.split()
    return ["".join(atoms) for atoms in _joined_atoms(text)]


def _joined_atoms(text: str) -> Iterator[list[str]]:
    """Yield the atoms of each of razdel's tokens, by its rules but in linear time.

    The rules only recognize smileys in the token so far, so that its first characters suffice;
    razdel's own loop copies the whole token for every atom.
    """
    segmenter = _segmenter()
    atoms: list[str] = []
    begun = ""
    for part in segmenter.split(text):
        if isinstance(part, str):
            atoms.append(part)
            begun = (begun + part[:SMILEY])[:SMILEY]
            continue
        part.buffer = begun
        if part.delimiter or not segmenter.join(part):
            yield atoms
            atoms, begun = [], ""
    if atoms:
        yield atoms


@cache
def _segmenter() -> Any:
    from razdel.segmenters.tokenize import TokenSegmenter

    return TokenSegmenter()


def without_caption_marks(text: str) -> str:
    """Return the caption without punctuation and without white space inside quotes."""
    plain = text.translate(DROPPED)
    for quote in "\"'":
        plain = with_closed_quotes(plain, quote)
    return plain.replace("' s", "'s").replace(" 's", "'s").strip()


@lru_cache(maxsize=KEPT_TEXTS)
def answer_form(text: str) -> str:
    """Return an answer without punctuation, in lower case, lemmatized as a single word."""
    return counted_lemma(without_punctuation(text).lower())


@lru_cache(maxsize=KEPT_TEXTS)
def answer_form_by_words(text: str) -> str:
    """Return an answer with each word lemmatized, as in the challenge's description."""
    return " ".join(map(counted_lemma, without_punctuation(text).lower().split()))


@lru_cache(maxsize=KEPT_TEXTS)
def nltk_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of one sentence by the rules of NLTK 3.7."""
    if _UNTOUCHED_BY_NLTK.fullmatch(text) and not _CONTRACTED.search(text):
        return tuple(text.split())
    return tuple(nltk_words(text))


def digit_tagger(words: Sequence[str]) -> list[bool]:
    """Return which words start with a digit, an approximation of a part-of-speech tagger."""
    return [word[:1].isdigit() for word in words]


def number_ratio(words: Sequence[str], number: str, tagger: NumberTagger) -> tuple[float, str]:
    """Return the ratio (at most 1) of a number and the first number among the words, and that word.

    The ratio is 1 if both are 0, and 0, without a word, if `float` reads none of the words, or
    refuses `number`, such as ².
    """
    for word, is_number in zip(words, tagger(words), strict=True):
        if is_number and (ratio := _ratio(word, number)) is not None:
            return ratio, word
    return 0.0, ""


def _ratio(word: str, number: str) -> float | None:
    try:
        low, high = sorted((float(word), float(number)))
    except ValueError:
        return None
    if low == high == 0:
        return 1.0
    return low / high if high else None
