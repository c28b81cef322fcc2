"""The words of a text as NLTK 3.4's word tokenizer splits it, without sentence splitting.

Later versions split stars and some apostrophes in another way. Each step is one substitution from
left to right, and their order matters. Source: NLTK 3.4, TreebankWordTokenizer and word_tokenize.
"""

from __future__ import annotations

import re

_OPENING_QUOTES = (
    (r"([«“‘„]|`+)", r" \1 "),
    (r'^"', "``"),
    (r"(``)", r" \1 "),
    (r"""([ (\[{<])("|'{2})""", r"\1 `` "),
    (r"(?i)(')(?!re|ve|ll|m|t|s|d)(\w)\b", r"\1 \2"),
)
_PUNCTUATION = (
    # Possessive, as a blank is in the class and behind it: else a run of blanks takes its square.
    (r"""([^.])(\.)([\])}>"'»”’ ]*+)\s*$""", r"\1 \2 \3 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.\.\.", " ... "),
    (r"([;@#$%&])", r" \1 "),
    (r"""([^.])(\.)([\])}>"']*)\s*$""", r"\1 \2\3 "),
    (r"([?!])", r" \1 "),
    (r"([^'])' ", r"\1 ' "),
)
_BRACKETS = ((r"([][(){}<>])", r" \1 "),)
_DASHES = ((r"--", " -- "),)
_CLOSING_QUOTES = (
    (r"\A|\Z", " "),
    (r"([»”’])", r" \1 "),
    (r'"', " '' "),
    (r"(\S)('')", r"\1 \2 "),
    (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_CONTRACTIONS = (
    (r"(?i)\b(can)(not)\b", r" \1 \2 "),
    (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
    (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
    (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
    (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
    (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
    (r"(?i)\b(mor)('n)\b", r" \1 \2 "),
    (r"(?i)\b(wan)(na)\s", r" \1 \2 "),
    (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)

_STEPS = tuple(
    (re.compile(pattern), result)
    for pattern, result in (
        *_OPENING_QUOTES,
        *_PUNCTUATION,
        *_BRACKETS,
        *_DASHES,
        *_CLOSING_QUOTES,
        *_CONTRACTIONS,
    )
)


def tokenise(text: str) -> list[str]:
    """The words and punctuation marks of a text."""
    for step, result in _STEPS:
        text = step.sub(result, text)
    return text.split()
