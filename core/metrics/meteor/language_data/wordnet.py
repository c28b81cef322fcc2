"""Base forms by WordNet's detachment rules in METEOR's order, and the stemmer."""

from __future__ import annotations

from collections.abc import Callable

# Suffix and what takes its place (edu.cmu.meteor.aligner.SynonymDictionary of meteor-1.5.jar).
_DETACHMENTS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)


def base_form(word: str, is_known: Callable[[str], bool]) -> str:
    """Return the first known base of a word; a word without detachable suffix itself.

    The empty string if no base is known.
    """
    if word.endswith("ss") or len(word) <= 2:
        return word
    for suffix, ending in _DETACHMENTS:
        if word.endswith(suffix):
            candidate = word[: -len(suffix)] + ending
            if is_known(candidate):
                return candidate
    return ""


def english_stemmer() -> Callable[[str], str]:
    """Return a new stemmer; it serves one thread at a time."""
    # The package's own entry would take PyStemmer where that is installed, of any version.
    from snowballstemmer.english_stemmer import EnglishStemmer

    stem: Callable[[str], str] = EnglishStemmer().stemWord
    return stem
