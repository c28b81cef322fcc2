"""Tokenization: normalized, lower-cased and split texts as word numbers."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping
from functools import partial
from struct import Struct
from typing import Protocol

from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.java_semantics import split_tokens

_NUMBER = Struct("=i")
_DOT_BEFORE_WORD = re.compile(r"\. +(?=([a-z])|[0-9])")


class Pieces(Protocol):
    """Word numbers of the pieces between blanks, each resolved once."""

    def numbers(self, text: str) -> bytes | None:
        """Return the words of a text as int32 numbers.

        None for a text that is not printable, and, if pieces are normalized, for one in which a
        rule of the normalizer may cross a blank.
        """


class InterpretedPieces(dict[str, bytes]):
    """`Pieces` in Python; the compiled version is in `_words.pyx`."""

    def __init__(self, resolve: Callable[[str], bytes], normalise: bool) -> None:
        super().__init__()
        self._resolve = resolve
        self._normalise = normalise

    def __missing__(self, piece: str) -> bytes:
        resolved = self[piece] = self._resolve(piece)
        return resolved

    def numbers(self, text: str) -> bytes | None:
        """See `Pieces`."""
        if not text.isprintable() or (self._normalise and _rule_crosses_blank(text)):
            return None
        # Of what `str.split` splits at, only the blank is printable.
        return b"".join(map(self.__getitem__, text.split()))


class Preparation:
    """Tokenizer for one configuration.

    Most sentences consist of known pieces, most of which are normalized independently.
    """

    def __init__(
        self,
        words: WordNumbers,
        prefixes: Mapping[str, bool],
        config: Config,
        pieces: Callable[[Callable[[str], bytes], bool], Pieces] = InterpretedPieces,
    ) -> None:
        self._words = words
        self._normalise = _normalizer(prefixes, config) if config.normalise else None
        self._lowercase = config.lowercase
        resolve = self._pack_tokens if config.normalise else self._pack_word
        self._pieces = pieces(resolve, config.normalise)
        self._dotted_pieces = InterpretedPieces(self._pack_before_word, normalise=True)

    def numbers(self, text: str) -> bytes:
        """Return the words of a text as int32 numbers."""
        numbers = self._pieces.numbers(text)
        if numbers is None and self._normalise is not None and _pieces_are_independent(text):
            numbers = self._numbers_around_dots(text)
        return self._pack_tokens(text) if numbers is None else numbers

    def _numbers_around_dots(self, text: str) -> bytes | None:
        """Return the words of a text with dots within it; None if it has to be prepared whole.

        A last dot depends on whether a small letter or a digit follows.
        """
        found, end = [], 0
        for dot in _DOT_BEFORE_WORD.finditer(text):
            start = max(end, text.rfind(" ", end, dot.start()) + 1)
            piece = text[start : dot.start()]
            if not piece.isprintable():
                return None
            found.append(self._pieces.numbers(text[end:start]))
            found.append(self._dotted_pieces[f"{piece}. {'a' if dot[1] else '0'}"])
            end = dot.end()
        found.append(self._pieces.numbers(text[end:]))
        known = [numbers for numbers in found if numbers is not None]
        return b"".join(known) if len(known) == len(found) else None

    def _pack_before_word(self, context: str) -> bytes:
        """Return the words of a piece without those of the single letter or digit after it."""
        return self._pack_tokens(context)[: -_NUMBER.size]

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text."""
        if self._normalise is not None:
            text = self._normalise(text)
        return split_tokens(text.lower() if self._lowercase else text)

    def _pack_tokens(self, text: str) -> bytes:
        return array("i", map(self._words.__getitem__, self.tokens(text))).tobytes()

    def _pack_word(self, piece: str) -> bytes:
        """Return the number of a piece that is a single word."""
        return _NUMBER.pack(self._words[piece.lower() if self._lowercase else piece])


def _normalizer(prefixes: Mapping[str, bool], config: Config) -> Callable[[str], str]:
    # Its regular expressions take some milliseconds, and stories need none.
    from jurydesk.core.metrics.meteor.normalizer import normalise

    return partial(
        normalise,
        prefixes=prefixes,
        keep_punctuation=config.keep_punctuation,
        language=config.language,
    )


def _pieces_are_independent(text: str) -> bool:
    """Return whether no rule of the normalizer but that of dots crosses a blank of this text.

    A comma or an apostrophe consumes the blank beside it.
    """
    if ", ," in text or "' " in text or "` " in text:
        return False
    return text.isascii() or ("\u2018 " not in text and "\u2019 " not in text)


def _rule_crosses_blank(text: str) -> bool:
    return not _pieces_are_independent(text) or _DOT_BEFORE_WORD.search(text) is not None
