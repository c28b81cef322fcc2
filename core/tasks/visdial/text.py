"""Generated answers as the published evaluation prepares them: tokenised, then put together again.

The way back is that of NLTK 3.4, which later versions replaced. Each step is one substitution from
left to right, and their order matters. Source: NLTK 3.4, TreebankWordDetokenizer.
"""

from __future__ import annotations

import re

from core.tasks.visdial.tokens import tokenise

_CONTRACTIONS = (
    (r"(?i) ('t)\s(is)\b", r"\1\2"),
    (r"(?i) ('t)\s(was)\b", r"\1\2"),
    (r"(?i)\b(can)\s(not)\b", r"\1\2"),
    (r"(?i)\b(d)\s('ye)\b", r"\1\2"),
    (r"(?i)\b(gim)\s(me)\b", r"\1\2"),
    (r"(?i)\b(gon)\s(na)\b", r"\1\2"),
    (r"(?i)\b(got)\s(ta)\b", r"\1\2"),
    (r"(?i)\b(lem)\s(me)\b", r"\1\2"),
    (r"(?i)\b(mor)\s('n)\b", r"\1\2"),
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
    (r"\s(&)\s", r" \1 "),
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


def prepared(text: str) -> str:
    """A generated answer as the published evaluation compares it with the references."""
    return detokenise(tokenise(text))
