"""Captions and answers about pictures as FusionBrain's METEOR gets them.

Source: FusionBrain Challenge 2.0 (AI Journey 2022), evaluation code of captioning and VQA. Since
sentence ends are removed before, NLTK's tokenizer needs no sentence splitter and no data here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from jurydesk.core.metrics.russian_meteor.number_words import number_words_to_digits
from jurydesk.core.metrics.russian_meteor.russian_words import counted_lemma, without_punctuation


def with_closed_quotes(text: str, quote: str) -> str:
    """Return the text with the white space inside of its quotes gone."""
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
    """Return the quoted pieces with white space inside; a match uses up both of its quotes."""
    finds, free = list[str](), 1
    for place in range(1, len(pieces) - 1):
        piece = pieces[place]
        if place >= free and len(piece) > 2 and piece[0].isspace() and piece[-1].isspace():
            finds.append(piece)
            free = place + 2
    return finds


KEPT_TEXTS = 1 << 16
DROPPED = str.maketrans("", "", ",.!?:;%)]}([")
"""Characters that the published program takes out of captions; an opening brace stays."""

SMILEY = 5  # characters that razdel's longest one has
UNKNOWN_WORD = ("@@UNKNOWN@@", "<unk>")

# Texts of plain words alone, on which the tokenizers do no more than split at blanks.
_WORDS_OF_ONE_ALPHABET = re.compile(r"(?:(?:[а-яёА-ЯЁ]+|[a-zA-Z]+)(?: |$))*")
_UNTOUCHED_BY_NLTK = re.compile(r"(?:\w|-(?!-)| )*")
_CONTRACTED = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")

NumberTagger = Callable[[Sequence[str]], Sequence[bool]]
"""Which of a sentence's tokens are cardinal numbers."""


@lru_cache(maxsize=KEPT_TEXTS)
def caption_tokens(text: str, *, predicted: bool) -> tuple[str, ...]:
    """Return the tokens of a caption; English number words of a predicted one become digits."""
    plain = without_caption_marks(text.strip())
    if predicted:
        plain = plain.replace(*UNKNOWN_WORD)
    spaced = " ".join(razdel_tokens(plain)).lower()
    return nltk_tokens(number_words_to_digits(spaced) if predicted else spaced)


def razdel_tokens(text: str) -> list[str]:
    """Return the tokens of a text by razdel, which leaves words of one alphabet whole."""
    if _WORDS_OF_ONE_ALPHABET.fullmatch(text):
        return text.split()
    return ["".join(atoms) for atoms in _joined_atoms(text)]


def _joined_atoms(text: str) -> Iterator[list[str]]:
    """Yield the atoms of each of razdel's tokens, by its rules.

    Of a token so far only smileys are recognised, so that its beginning is enough; razdel's own
    loop copies all of it for every atom.
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
    """Return the caption without punctuation, quotes closed up with what they hold."""
    plain = text.translate(DROPPED)
    for quote in "\"'":
        plain = with_closed_quotes(plain, quote)
    return plain.replace("' s", "'s").replace(" 's", "'s").strip()


@lru_cache(maxsize=KEPT_TEXTS)
def answer_form(text: str) -> str:
    """An answer about a picture: without punctuation, in lower case, its whole text as a lemma."""
    return counted_lemma(without_punctuation(text).lower())


@lru_cache(maxsize=KEPT_TEXTS)
def answer_form_by_words(text: str) -> str:
    """Return the same, but each word is replaced by its own lemma, as the description has it."""
    return " ".join(map(counted_lemma, without_punctuation(text).lower().split()))


@lru_cache(maxsize=KEPT_TEXTS)
def nltk_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of one sentence by NLTK's regular expressions."""
    if _UNTOUCHED_BY_NLTK.fullmatch(text) and not _CONTRACTED.search(text):
        return tuple(text.split())
    return tuple(_tokenizer()(text))


@cache
def _tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokenize: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return tokenize


def digit_tagger(words: Sequence[str]) -> list[bool]:
    """What a part-of-speech tagger would call a number, as far as `float` can read it."""
    return [word[:1].isdigit() for word in words]


def number_ratio(words: Sequence[str], number: str, tagger: NumberTagger) -> tuple[float, str]:
    """The lesser by the greater of a number and the first number among the words, and that word.

    0 and no word where there is none that `float` reads; 1 where both are 0. `number` is numeric
    for `str.isnumeric`, but `float` may still refuse it (²): then the ratio is 0, too.
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
