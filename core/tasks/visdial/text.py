"""Generated answers as the published evaluation prepares them: tokenised, then put together again.

The tokens are NLTK's; the way back is that of NLTK 3.4, which later versions replaced. Each step
is one substitution from left to right, and their order matters.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer

STAR = "\ue000"
"""Stands for `*` while tokenising: NLTK 3.4 left it alone, later versions split it off."""

_CONTRACTIONS = (
    (r"(?i) ('t)\s(is|was)\b", r" \1\2"),
    (r"(?i)\b(can)\s(not)\b", r"\1\2"),
    (r"(?i)\b(d)\s('ye)\b", r"\1\2"),
    (r"(?i)\b(gim)\s(me)\b", r"\1\2"),
    (r"(?i)\b(gon)\s(na)\b", r"\1\2"),
    (r"(?i)\b(got)\s(ta)\b", r"\1\2"),
    (r"(?i)\b(lem)\s(me)\b", r"\1\2"),
    (r"(?i)\b(more)\s('n)\b", r"\1\2"),
    (r"(?i)\b(wan)\s(na)\s", r"\1\2"),
)
_ENDINGS = (
    (r"([^' ])\s('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1\2 "),
    (r"([^' ])\s('[sSmMdD]|') ", r"\1\2 "),
)
_CLOSING_QUOTES = ((r"(\S'')", r"\1 "), (r" '' ", '"'), (r"^\s+|\s+$", ""))
_DASHES = ((r" -- ", "--"),)
_BRACKETS = (
    (r"\s([\[({<])\s", r" \1"),
    (r"\s([\])}>])\s", r"\1 "),
    (r"([\])}>])\s([:;,.])", r"\1\2"),
)
_PUNCTUATION = (
    (r"([^'])\s'\s", r"\1' "),
    (r"\s([?!])", r"\1"),
    (r"([^.])\s(\.)([\])}>\"']*)\s*$", r"\1\2\3"),
    (r"\s([#$])\s", r" \1"),
    (r"\s([;%])\s", r"\1 "),
    (r"\s(&)\s", r" \1"),
    (r"\s\.\.\.\s", "..."),
    (r"\s([:,])\s$", r"\1"),
    (r"\s([:,])\s(\D)", r"\1 \2"),
)
_OPENING_QUOTES = ((r"([ (\[{<])\s``", r'\1"'), (r"\s``\s", "``"), (r"^``", r"\\" + '"'))

_STEPS = tuple(
    (re.compile(pattern), result)
    for pattern, result in (
        *_CONTRACTIONS,
        *_ENDINGS,
        *_CLOSING_QUOTES,
        *_DASHES,
        *_BRACKETS,
        *_PUNCTUATION,
        *_OPENING_QUOTES,
    )
)


def detokenise(tokens: list[str]) -> str:
    """The text that NLTK 3.4's TreebankWordDetokenizer makes of tokens."""
    text = " ".join(tokens)
    for step, result in _STEPS:
        text = step.sub(result, text)
    return text.strip()


def tokenise(text: str) -> list[str]:
    """The words of a text, as NLTK's word tokenizer splits them, without sentence splitting."""
    tokens: list[str] = _tokenizer().tokenize(text.replace("*", STAR))
    return [token.replace(STAR, "*") for token in tokens]


def prepared(text: str) -> str:
    """A generated answer as the published evaluation compares it with the references."""
    return detokenise(tokenise(text))


@cache
def _tokenizer() -> NLTKWordTokenizer:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()
