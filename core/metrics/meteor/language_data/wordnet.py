"""Base forms by WordNet's detachment rules in METEOR's order."""

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
