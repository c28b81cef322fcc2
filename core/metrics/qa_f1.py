"""Answers to questions: F1 over tokens, exact match, and FusionBrain's letter rule.

Source: FusionBrain Challenge 2.0 (AI Journey 2022), metrics of TextQA and MathQA.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jurydesk.core.metrics.russian_meteor.russian_words import answer_words

LETTER_THRESHOLD = 0.5
"""An answer that scores no more than this is taken for the letter of a choice."""

KEPT_TEXTS = 1 << 16
_LETTER = re.compile("[abcde]")


@dataclass(frozen=True, slots=True)
class TokenOverlap:
    """A prediction against one accepted answer: its score, and the counts that it follows from."""

    score: float
    common: int
    predicted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """A prediction against all accepted answers.

    `used` is the text that was scored: the prediction, or the letter found in it (`by_letter`).
    `best` is the first accepted answer with the highest score.
    """

    overlaps: tuple[TokenOverlap, ...]
    best: int
    used: str
    by_letter: bool

    @property
    def overlap(self) -> TokenOverlap:
        """The overlap that counts."""
        return self.overlaps[self.best]


Measure = Callable[[str, str], TokenOverlap]
"""Compares an accepted answer with a predicted one."""


@lru_cache(maxsize=KEPT_TEXTS)
def text_words(text: str) -> tuple[str, ...]:
    """Return the tokens of an answer to a question about a text; nothing for the empty one."""
    return tuple(answer_words(text))


@lru_cache(maxsize=KEPT_TEXTS)
def math_words(text: str) -> tuple[str, ...]:
    """The tokens of an answer to a question of mathematics: as of a text, but hyphens stay."""
    return tuple(answer_words(text, keep_hyphen=True))


def token_f1(accepted: str, predicted: str) -> TokenOverlap:
    """F1 of the tokens as multisets; where one side has none, 1 if both have none, else 0."""
    gold, found = text_words(accepted), text_words(predicted)
    if not gold or not found:
        return TokenOverlap(float(gold == found), 0, len(found), len(gold))
    common = (Counter(gold) & Counter(found)).total()
    if common == 0:
        return TokenOverlap(0.0, 0, len(found), len(gold))
    precision, recall = common / len(found), common / len(gold)
    score = 2 * precision * recall / (precision + recall)
    return TokenOverlap(score, common, len(found), len(gold))


def exact_match(accepted: str, predicted: str) -> TokenOverlap:
    """1 where the normalised texts are equal, else 0."""
    gold, found = math_words(accepted), math_words(predicted)
    equal = gold == found
    return TokenOverlap(float(equal), len(gold) if equal else 0, len(found), len(gold))


def score_answer(
    prediction: str, accepted: Sequence[str], measure: Measure, *, letter_rule: bool
) -> AnswerScore:
    """Return the prediction against every accepted answer (at least one).

    With `letter_rule`, a prediction that scores no more than `LETTER_THRESHOLD` is replaced by
    the first of the letters a to e in it, even inside of a word, and scored anew: that may lower
    its score.
    """
    plain = _compared(prediction, accepted, measure, by_letter=False)
    if not letter_rule or plain.overlap.score > LETTER_THRESHOLD:
        return plain
    letter = _LETTER.search(prediction)
    return plain if letter is None else _compared(letter[0], accepted, measure, by_letter=True)


def _compared(
    text: str, accepted: Sequence[str], measure: Measure, *, by_letter: bool
) -> AnswerScore:
    overlaps = tuple(measure(one, text) for one in accepted)
    scores = [overlap.score for overlap in overlaps]
    return AnswerScore(overlaps, scores.index(max(scores)), text, by_letter)
