"""Question answering scores: token F1, exact match, and FusionBrain's letter rule.

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
"""Maximum score at which a prediction is replaced by its letter of a choice."""

KEPT_TEXTS = 1 << 16
_LETTER = re.compile("[abcde]")


@dataclass(frozen=True, slots=True)
class TokenOverlap:
    """Score of a prediction against one accepted answer, with its token counts."""

    score: float
    common: int
    predicted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """Scores of a prediction against all accepted answers.

    `used` is the scored text: the prediction, or the letter found in it (`by_letter`). `best` is
    the index of the first accepted answer with the highest score.
    """

    overlaps: tuple[TokenOverlap, ...]
    best: int
    used: str
    by_letter: bool

    @property
    def overlap(self) -> TokenOverlap:
        """Overlap with the best accepted answer."""
        return self.overlaps[self.best]


Measure = Callable[[str, str], TokenOverlap]
"""Compares an accepted answer with a predicted one."""


@lru_cache(maxsize=KEPT_TEXTS)
def text_words(text: str) -> tuple[str, ...]:
    """Return the tokens of an answer to a question about a text."""
    return tuple(answer_words(text))


@lru_cache(maxsize=KEPT_TEXTS)
def math_words(text: str) -> tuple[str, ...]:
    """Return the tokens of an answer in mathematics, with hyphens."""
    return tuple(answer_words(text, keep_hyphen=True))


def token_f1(accepted: str, predicted: str) -> TokenOverlap:
    """Compute F1 of the token multisets; without tokens, 1 if both are empty, else 0."""
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
    """Return score 1 if the normalised texts are equal, else 0."""
    gold, found = math_words(accepted), math_words(predicted)
    equal = gold == found
    return TokenOverlap(float(equal), len(gold) if equal else 0, len(found), len(gold))


def score_answer(
    prediction: str, accepted: Sequence[str], measure: Measure, *, letter_rule: bool
) -> AnswerScore:
    """Score a prediction against every accepted answer (at least one).

    With `letter_rule`, a prediction that scores at most `LETTER_THRESHOLD` is replaced by the first
    letter a to e in it, even within a word, and scored again, which may lower its score.
    """
    plain = _compare_text(prediction, accepted, measure, by_letter=False)
    if not letter_rule or plain.overlap.score > LETTER_THRESHOLD:
        return plain
    letter = _LETTER.search(prediction)
    return plain if letter is None else _compare_text(letter[0], accepted, measure, by_letter=True)


def _compare_text(
    text: str, accepted: Sequence[str], measure: Measure, *, by_letter: bool
) -> AnswerScore:
    overlaps = tuple(measure(one, text) for one in accepted)
    scores = [overlap.score for overlap in overlaps]
    return AnswerScore(overlaps, scores.index(max(scores)), text, by_letter)
