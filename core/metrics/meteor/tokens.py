"""From a text to the numbers of its words: normalised, lower-cased and split as configured."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping
from struct import Struct
from typing import Protocol

from jurydesk.core.metrics.meteor.alignment.word_keys import WordNumbers
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.normalizer import normalise, split_tokens

_pack = Struct("=i").pack
_DOT_THEN_SMALL = re.compile(r"\. +[a-z0-9]")


class Pieces(Protocol):
    """The numbers of pieces between blanks, each resolved on first sight."""

    def numbers(self, text: str) -> bytes | None:
        """The words of a text as int32 numbers; None where it is not printable."""


class InterpretedPieces(dict[str, bytes]):
    """`Pieces` in Python; the compiled twin is in `_words.pyx`."""

    def __init__(self, resolve: Callable[[str], bytes]) -> None:
        super().__init__()
        self._resolve = resolve

    def __missing__(self, piece: str) -> bytes:
        resolved = self[piece] = self._resolve(piece)
        return resolved

    def numbers(self, text: str) -> bytes | None:
        """See `Pieces`."""
        # Of what `str.split` splits at, only the blank is printable.
        return b"".join(map(self.__getitem__, text.split())) if text.isprintable() else None


class Preparation:
    """Prepares texts in one way.

    A sentence is mostly made of pieces met before, and mostly each is normalised as if it stood
    alone.
    """

    def __init__(
        self,
        words: WordNumbers,
        prefixes: Mapping[str, bool],
        config: Config,
        pieces: Callable[[Callable[[str], bytes]], Pieces] = InterpretedPieces,
    ) -> None:
        self._words = words
        self._prefixes = prefixes
        self._normalise = config.normalise
        self._keep_punctuation = config.keep_punctuation
        self._lowercase = config.lowercase
        self._pieces = pieces(self._directly if config.normalise else self._single)

    def numbers(self, text: str) -> bytes:
        """The words of a text as int32 numbers."""
        if self._normalise and not _pieces_are_independent(text):
            return self._directly(text)
        numbers = self._pieces.numbers(text)
        return self._directly(text) if numbers is None else numbers

    def tokens(self, text: str) -> list[str]:
        """The words of a text."""
        if self._normalise:
            text = normalise(text, self._prefixes, keep_punctuation=self._keep_punctuation)
        return split_tokens(text.lower() if self._lowercase else text)

    def _directly(self, text: str) -> bytes:
        return array("i", map(self._words.__getitem__, self.tokens(text))).tobytes()

    def _single(self, piece: str) -> bytes:
        """The number of a piece that is a word as it stands."""
        return _pack(self._words[piece.lower() if self._lowercase else piece])


def _pieces_are_independent(text: str) -> bool:
    """Whether no rule of the normaliser looks beyond a blank of this text, if it is printable.

    Two do: a last dot depends on whether a small letter or a digit follows, and a comma or an
    apostrophe uses up the blank beside it, which the next one would need.
    """
    if ". " in text and _DOT_THEN_SMALL.search(text):
        return False
    if ", ," in text or "' " in text or "` " in text:
        return False
    return text.isascii() or ("\u2018 " not in text and "\u2019 " not in text)
