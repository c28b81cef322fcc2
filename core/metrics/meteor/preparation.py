"""From a text to the numbers of its words: normalised, lower-cased and split as configured."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping

from core.metrics.meteor.config import Config
from core.metrics.meteor.normalizer import normalise, tokens
from core.metrics.meteor.words import Words

_DOT_THEN_SMALL = re.compile(r"\. +[a-z0-9]")


class Preparation(dict[str, bytes]):
    """Prepares texts in one way; `preparation[piece]` is what becomes of a piece between blanks.

    A sentence is mostly made of pieces met before, and mostly each is normalised as if it stood
    alone.
    """

    def __init__(self, words: Words, prefixes: Mapping[str, bool], config: Config) -> None:
        super().__init__()
        self._words = words
        self._prefixes = prefixes
        self._normalise = config.normalise
        self._keep_punctuation = config.keep_punctuation
        self._lowercase = config.lowercase

    def __missing__(self, piece: str) -> bytes:
        prepared = self[piece] = self._directly(piece)
        return prepared

    def numbers(self, text: str) -> bytes:
        """The words of a text as int32 numbers."""
        if text.isprintable() and (not self._normalise or _pieces_are_independent(text)):
            return b"".join(map(self.__getitem__, text.split()))
        return self._directly(text)

    def tokens(self, text: str) -> list[str]:
        """The words of a text."""
        if self._normalise:
            text = normalise(text, self._prefixes, keep_punctuation=self._keep_punctuation)
        return tokens(text.lower() if self._lowercase else text)

    def _directly(self, text: str) -> bytes:
        return array("i", map(self._words.__getitem__, self.tokens(text))).tobytes()


def _pieces_are_independent(text: str) -> bool:
    """Whether no rule of the normaliser looks beyond a blank of this printable text.

    Two do: a last dot depends on whether a small letter or a digit follows, and a comma or an
    apostrophe uses up the blank beside it, which the next one would need.
    """
    if ". " in text and _DOT_THEN_SMALL.search(text):
        return False
    if ", ," in text or "' " in text or "` " in text:
        return False
    return text.isascii() or ("\u2018 " not in text and "\u2019 " not in text)
