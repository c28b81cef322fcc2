"""Generated answers as the published evaluation prepares them: tokenised, then put together again.

The way back is that of NLTK 3.4, which later versions replaced. Each step is one substitution from
left to right, and their order matters.
"""

from __future__ import annotations

import re

from core.tasks.visdial.tokens import (
    CLOSING,
    LONG_ENDINGS,
    OPENING,
    SHORT_ENDINGS,
    contractions,
    tokenise,
)

_PAIRS, _WANNA, *_TIS = contractions(" ")
_STEPS = tuple(
    (re.compile(pattern), result)
    for pattern, result in (
        *((one, r"\1\2") for one in _TIS),
        (_PAIRS, r"\1\2"),
        (_WANNA, r"\1\2"),  # without the blank behind it
        (rf"([^' ]) ({LONG_ENDINGS}) ", r"\1\2 "),
        (rf"([^' ]) ({SHORT_ENDINGS}) ", r"\1\2 "),
        (r"\S''", r"\g<0> "),
        (r" '' ", '"'),
        (r"^ +| +$", ""),
        (r" -- ", "--"),
        (rf" ([{OPENING}]) ", r" \1"),
        (rf" ([{CLOSING}]) ", r"\1 "),
        (rf"([{CLOSING}]) ([:;,.])", r"\1\2"),
        (r"([^']) ' ", r"\1' "),
        (r" ([?!])", r"\1"),
        (rf"""([^.]) (\.[{CLOSING}"']*)$""", r"\1\2"),
        (r" ([#$]) ", r" \1"),
        (r" ([;%]) ", r"\1 "),
        (r" \.\.\. ", "..."),
        (r" ([:,]) (\D)", r"\1 \2"),
        (rf"([ {OPENING}]) ``", r'\1"'),
        (r" `` ", "``"),
        (r"^``", r'\\"'),
    )
)


def detokenise(tokens: list[str]) -> str:
    """The text that NLTK 3.4's TreebankWordDetokenizer makes of what `tokenise` found."""
    text = " ".join(tokens)
    for step, result in _STEPS:
        text = step.sub(result, text)
    return text.strip()


def prepared(text: str) -> str:
    """A generated answer as the published evaluation compares it with the references."""
    return detokenise(tokenise(text))
