"""VQA accuracy with the answer processing of the official program (VQA v1 and v2).

Source: GT-Vision-Lab/VQA, `vqaEval.py`, in Python 2.7.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

SIGNS = ';/[]"{}()=+\\_-><@`,?!'
"""Punctuation that is deleted or replaced by a blank, in the order of the program."""
MOST_PERIODS = 32
"""Periods that are deleted at most: in the program a flag stands in the place of the count."""
NUMBERS = {
    "none": "0",
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}
ARTICLES = frozenset(("a", "an", "the"))
_WRITTEN = """
    ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've
    hasn't haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am mightn't
    mightn't've might've mustn't must've needn't not've o'clock oughtn't 'ow's'at shan't
    she'd've should've shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd
    someone'd've someone'll someone's something'd something'd've something'll that's there'd
    there'd've there're there's they'd they'd've they'll they're they've 'twas wasn't we'd've
    we've weren't what'll what're what's what've when's where'd where's where've who'd who'd've
    who'll who's who've why'll why're why's won't would've wouldn't wouldn't've y'all y'all'll
    y'all'd've you'd you'd've you'll you're you've
"""
CONTRACTED = tuple(_WRITTEN.split())
"""Contractions that are restored where one of their apostrophes is missing."""
_COMMA = re.compile(r"[0-9],[0-9]")
_PERIOD = re.compile(r"\.(?![0-9])")
_COMMA_3 = re.compile(r"\d,\d")
_PERIOD_3 = re.compile(r"\.(?!\d)")
"""The same in Python 3, where digits of all scripts are digits."""


def _restored() -> dict[str, str]:
    found = {"somebody'd": "somebodyd"}  # backwards in the program
    for word in CONTRACTED:
        for place in (match.start() for match in re.finditer("'", word)):
            found.setdefault(word[:place] + word[place + 1 :], word)
    return found


CONTRACTIONS = _restored()


def clean_answer(text: str) -> str:
    """Return an answer on one line without surrounding white space, as it is compared first."""
    return text.replace("\n", " ").replace("\t", " ").strip()


def process_punctuation(
    text: str, *, limited: bool = True, python3: bool = False, deleted: bool | None = None
) -> str:
    """Delete punctuation, or replace it by blanks; without `limited` every period is deleted.

    A sign is deleted everywhere if a blank stands beside it somewhere, or if there is a comma
    between digits; `deleted` says that all are deleted, or none.
    """
    comma, period = (_COMMA_3, _PERIOD_3) if python3 else (_COMMA, _PERIOD)
    processed, has_comma = text, comma.search(text) is not None
    for sign in SIGNS:
        if sign in text:
            is_deleted = deleted
            if is_deleted is None:
                is_deleted = has_comma or f"{sign} " in text or f" {sign}" in text
            processed = processed.replace(sign, "" if is_deleted else " ")
    return period.sub("", processed, MOST_PERIODS if limited else 0)


def process_words(text: str, *, python3: bool = False, without: Container[str] = ()) -> str:
    """Lower the case, write numbers as digits, drop articles and restore contractions.

    `without` names steps that are left out: `case`, `number words`, `articles`.
    """
    folded = text if "case" in without else text.lower() if python3 else lower(text)
    numbers = {} if "number words" in without else NUMBERS
    articles = () if "articles" in without else ARTICLES
    numbered = (numbers.get(word, word) for word in folded.split())
    return " ".join([CONTRACTIONS.get(word, word) for word in numbered if word not in articles])


def lower(text: str) -> str:
    """Return the text in lower case, each character by itself, as in Python 2."""
    if text.isascii():
        return text.lower()
    return "".join(one.lower()[:1] for one in text)


def process(
    text: str,
    *,
    limited: bool = True,
    python3: bool = False,
    deleted: bool | None = None,
    without: Container[str] = (),
) -> str:
    """Return an answer as it is compared where human answers differ.

    `python3` is the processing of the program's ports to Python 3. With `deleted` all punctuation
    is deleted, or none; `without` names steps that are left out, such as `punctuation`.
    """
    if "punctuation" not in without:
        text = process_punctuation(text, limited=limited, python3=python3, deleted=deleted)
    return process_words(text, python3=python3, without=without)


def accuracies(
    matches: BoolArray, counts: IntArray, *, others: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Return the accuracies (questions,) of results that equal the human answers of `matches`.

    Each human answer is compared with the others: a third for each match, at most 1. The values are
    summed from left to right, which decides roundings. Without `others` all are compared at once.
    Also returned is the value of each human answer.

    Args:
        matches: Whether the result equals each human answer, of all questions one after the other.
        counts: Number (questions,) of human answers, at least 1.
        others: Whether each human answer is left out in turn.
    """
    starts = np.cumsum(counts) - counts
    equal = np.repeat(np.add.reduceat(matches, starts, dtype=np.float64), counts)
    values = np.minimum(1.0, (equal - matches if others else equal) / 3)
    if not others:
        return values[starts], values
    totals, rows = np.zeros(len(counts)), np.arange(len(counts))
    for place in range(int(counts.max(initial=0))):
        rows = rows[counts[rows] > place]
        totals[rows] += values[starts[rows] + place]
    return totals / counts, values


def parts_of_records(records: Sequence[object], matches: Sequence[bool]) -> list[float]:
    """Return the value of each human answer where the program leaves out equal records together."""
    pairs = list(zip(records, matches, strict=True))
    counts = (sum(match for other, match in pairs if other != record) for record in records)
    return [min(1.0, count / 3) for count in counts]


def mean(values: Sequence[float]) -> float:
    """Return the mean of values, summed from left to right."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)
