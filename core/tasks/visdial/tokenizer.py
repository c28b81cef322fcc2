"""Preparation of generated answers: Treebank tokenization and detokenization.

Detokenization is that of NLTK 3.4, which later versions replaced. Each step is one substitution
from left to right; the order of steps matters.
"""

from __future__ import annotations

import re

OPENING, CLOSING = re.escape("([{<"), re.escape(")]}>")
LONG_ENDINGS = "|".join(form for one in ("'ll", "'re", "'ve", "n't") for form in (one, one.upper()))
SHORT_ENDINGS = "'[sSmMdD]?"  # or the apostrophe alone, of a plural
PAIRS = {"can": "not", "d": "'ye", "gim": "me", "gon": "na", "got": "ta", "lem": "me", "mor": "'n"}


def contractions(between: str) -> tuple[re.Pattern[str], ...]:
    """Return patterns of contractions as two groups, with `between` between the words.

    The first pattern finds those that are contracted anywhere, the second `wanna`, which is before
    white space alone, the last two `'tis` and `'twas`, which are after a blank alone.
    """
    first, second = "|".join(PAIRS), "|".join(PAIRS.values())
    known = "|".join(map(between.join, PAIRS.items()))
    return (
        re.compile(rf"(?i)\b(?={known})({first}){between}({second})\b"),
        re.compile(rf"(?i)\b(wan){between}(na)\s"),
        *(re.compile(rf"(?i) ('t){between}({verb})\b") for verb in ("is", "was")),
    )


_MARKS = (
    # Quotes open after a blank or a bracket; those that only may close have their turn below.
    (r"[«“‘„]|``?", r" \g<0> "),
    (r'^"', " `` "),
    (rf"""([ {OPENING}])(?:"|'')""", r"\1 `` "),
    # An apostrophe parts from one letter or digit, unless that is an ending.
    (r"(?i)'(?=\w\b)(?![mtsd])", "' "),
    # The last full stop; if ellipses of three dots leave one over, drop the space after it.
    (rf"""(?<=[^.])\.([{CLOSING}"'»”’ ]*+)\s*$""", r" . \1 "),
    (rf"""(?<!\.)((?:\.\.\.)++\.[{CLOSING}"']*)\s+$""", r"\1"),
    # Not in 1,000 or 12:30. The mark after such a mark is passed over.
    (r"([:,])(\D|$)", r" \1 \2"),
    (r"\.\.\.|[;@#$%&?!]", r" \g<0> "),
    (r"(?<=[^'])' ", " ' "),
    (rf"--|[{OPENING}{CLOSING}»”’]", r" \g<0> "),
    (r'"', " '' "),
)
_WORDS = (
    (r"(\S)('')", r"\1 \2 "),
    (rf"(?<=[^' ]){SHORT_ENDINGS}(?= )", r" \g<0>"),
    (rf"([^' ])({LONG_ENDINGS}) ", r"\1 \2 "),
    *((one, r" \1 \2 ") for one in contractions("")),
)
_MARK_STEPS, _WORD_STEPS = (
    tuple((re.compile(pattern), result) for pattern, result in steps) for steps in (_MARKS, _WORDS)
)


def tokenise(text: str) -> list[str]:
    """Return the words and punctuation marks of a text."""
    for step, result in _MARK_STEPS:
        text = step.sub(result, text)
    text = f" {text} "  # an ending has a blank behind it
    for step, result in _WORD_STEPS:
        text = step.sub(result, text)
    return text.split()


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
    """Join tokens of `tokenise` like NLTK 3.4's TreebankWordDetokenizer."""
    text = " ".join(tokens)
    for step, result in _STEPS:
        text = step.sub(result, text)
    return text.strip()


def prepare_answer(text: str) -> str:
    """Tokenize and detokenize a generated answer as in the published evaluation."""
    return detokenise(tokenise(text))
