"""Markers of sentences for the catalogue."""

from __future__ import annotations


class Homograph(str):
    """English text with the key of its meaning in the catalogue.

    It is an ordinary text everywhere but at its translation.
    """

    __slots__ = ("key",)
    key: str

    def __new__(cls, text: str, meaning: str) -> Homograph:
        """Make a text whose key is, for example, `Rank (of a hit)`."""
        made = super().__new__(cls, text)
        made.key = f"{text} ({meaning})"
        return made


def translatable(sentence: str, meaning: str = "") -> str:
    """Return a sentence unchanged; marks it for the catalogue where it is defined.

    A word that other languages translate in more than one way has a `meaning`, of which the
    catalogue shows the translator `word (meaning)`.
    """
    return Homograph(sentence, meaning) if meaning else sentence
