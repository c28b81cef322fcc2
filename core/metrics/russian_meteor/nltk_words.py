"""NLTK 3.7's word tokenizer for one sentence, whatever version of NLTK is installed.

The published program ran with NLTK 3.7. Later versions part dashes (3.10) and apostrophes that are
glued to words, so that scores would depend on the installation. Each step is one substitution from
left to right; the order of steps matters.
"""

from __future__ import annotations

import re

_CONTRACTIONS = (
    *(r"(can)(not)\b", r"(d)('ye)\b", r"(gim)(me)\b", r"(gon)(na)\b", r"(got)(ta)\b"),
    *(r"(lem)(me)\b", r"(more)('n)\b", r"(wan)(na)(?=\s)"),
)
_SENTENCE = (
    # Opening quotes.
    (r"[«“‘„]|`+", r" \g<0> "),
    (r'^"', "``"),
    (r"``", r" \g<0> "),
    (r"""([ ([{<])(?:"|'')""", r"\1 `` "),
    (r"(?i)'(?!re|ve|ll|[mtsdn])(?=\w\b)", "' "),
    # Punctuation. The class holds the blank, too: a greedy run would take quadratic time.
    (r"""([^.])\.([\])}>"'»”’ ]*+)\s*$""", r"\1 . \2 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"[:,]$", r" \g<0> "),
    (r"\.{2,}|[;@#$%&]", r" \g<0> "),
    (r"""([^.])\.([\])}>"']*)\s*$""", r"\1 .\2 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*\]\[(){}<>]|--", r" \g<0> "),
)
_WORDS = (
    # Closing quotes and endings, which need a blank behind them.
    (r"[»”’]|''", r" \g<0> "),
    (r'"', " '' "),
    (r"([^' ])('[sSmMdD]?) ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
    *((rf"(?i)\b{pattern}", r" \1 \2 ") for pattern in _CONTRACTIONS),
    *((rf"(?i) ('t)({verb})\b", r" \1 \2 ") for verb in ("is", "was")),
)
_SENTENCE_STEPS, _WORD_STEPS = (
    tuple((re.compile(pattern), result) for pattern, result in steps)
    for steps in (_SENTENCE, _WORDS)
)


def nltk_words(sentence: str) -> list[str]:
    """Return the words and marks of a sentence as NLTK 3.7's `NLTKWordTokenizer` does."""
    for pattern, result in _SENTENCE_STEPS:
        sentence = pattern.sub(result, sentence)
    words = f" {sentence} "
    for pattern, result in _WORD_STEPS:
        words = pattern.sub(result, words)
    return words.split()
