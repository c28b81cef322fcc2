"""METEOR's four matchers: all matches between two lines, in the jar's order.

The compiled version is `_beam.pyx`; this is the readable one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jurydesk.core.metrics.meteor.alignment.word_keys import COLUMNS, WordNumbers
from jurydesk.core.metrics.meteor.bit_positions import Bits, position_bits, set_positions
from jurydesk.core.metrics.meteor.config import EXACT, PARAPHRASE, STEM, SYNONYM, Stages
from jurydesk.core.metrics.meteor.language_data.paraphrases import Phrase

RawMatch = tuple[int, int, int, int, int]
"""start, length, match_start, match_length, stage; see `alignment.Match`."""


class MatcherSentence:
    """Sentence as word numbers, with the lookup tables of the matchers, made on demand."""

    exact: list[int]
    stem: list[int]
    paraphrase: list[int]
    function: list[int]
    length: list[int]

    def __init__(self, words: WordNumbers, numbers: list[int]) -> None:
        self.words = words
        self.numbers = numbers
        facts = words.table()[numbers].T.tolist() if numbers else [[]] * COLUMNS
        self.exact, self.stem, self.paraphrase, self.function, self.length = facts[:5]

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def exact_places(self) -> Bits:
        """Positions of each word key."""
        return position_bits(self.exact)

    @cached_property
    def stem_places(self) -> Bits:
        """Positions of each stem key."""
        return position_bits(self.stem)

    @cached_property
    def paraphrase_places(self) -> Bits:
        """Positions of each word of the paraphrase table."""
        places = position_bits(self.paraphrase)
        places.pop(-1, None)
        return places

    @cached_property
    def sets(self) -> list[list[int]]:
        """Synonym sets of each word."""
        return [self.words.sets(number) for number in self.numbers]

    @cached_property
    def set_places(self) -> Bits:
        """Positions of the words of each synonym set."""
        found: Bits = {}
        for place, sets in enumerate(self.sets):
            bit = 1 << place
            for number in sets:
                found[number] = found.get(number, 0) | bit
        return found

    @cached_property
    def phrases(self) -> list[Phrase]:
        """Phrases of the paraphrase table in the line."""
        return self.words.paraphrases.phrases(self.paraphrase)


@dataclass(frozen=True, slots=True)
class MatchLists:
    """All matches by their first word in the reference, with the unambiguous ones.

    `fixed` has for each word of the reference the match that begins there, if no other match
    covers any of its words in either line, else None.
    """

    lists: list[list[RawMatch]]
    fixed: list[RawMatch | None]


def find_matches(
    hypothesis: MatcherSentence, reference: MatcherSentence, stages: Stages
) -> MatchLists:
    """Return all matches between two lines, of one module after another."""
    lists: list[list[RawMatch]] = [[] for _ in range(len(reference))]
    _add_exact(hypothesis, reference, lists)
    if hypothesis.exact != reference.exact:
        others = {STEM: _add_stems, SYNONYM: _add_synonyms, PARAPHRASE: _add_paraphrases}
        for module in sorted(others, key=lambda module: stages[module]):
            if stages[module] >= 0:
                others[module](hypothesis, reference, lists, stages[module])
    return MatchLists(lists, _fixed_matches(lists, len(hypothesis)))


def _add_exact(
    hypothesis: MatcherSentence, reference: MatcherSentence, lists: list[list[RawMatch]]
) -> None:
    for start, key in enumerate(reference.exact):
        for place in set_positions(hypothesis.exact_places.get(key, 0)):
            lists[start].append((start, 1, place, 1, EXACT))


def _add_stems(
    hypothesis: MatcherSentence, reference: MatcherSentence, lists: list[list[RawMatch]], stage: int
) -> None:
    for start, stem in enumerate(reference.stem):
        bits = hypothesis.stem_places.get(stem, 0)
        _add_unlike(start, bits, hypothesis, reference, lists, stage)


def _add_synonyms(
    hypothesis: MatcherSentence, reference: MatcherSentence, lists: list[list[RawMatch]], stage: int
) -> None:
    set_places = hypothesis.set_places
    for start, sets in enumerate(reference.sets):
        bits = 0
        for number in sets:
            if number in set_places:
                bits |= set_places[number]
        _add_unlike(start, bits, hypothesis, reference, lists, stage)


def _add_unlike(
    start: int,
    bits: int,
    hypothesis: MatcherSentence,
    reference: MatcherSentence,
    lists: list[list[RawMatch]],
    stage: int,
) -> None:
    """Add matches with the positions in `bits`, except those of the same word."""
    if bits:
        bits &= ~hypothesis.exact_places.get(reference.exact[start], 0)
        for place in set_positions(bits):
            lists[start].append((start, 1, place, 1, stage))


def _add_paraphrases(
    hypothesis: MatcherSentence, reference: MatcherSentence, lists: list[list[RawMatch]], stage: int
) -> None:
    between = reference.words.paraphrases.between
    for start, length, place, size in between(
        reference.phrases, hypothesis.paraphrase, hypothesis.paraphrase_places
    ):
        lists[start].append((start, length, place, size, stage))
    for start, length, place, size in between(
        hypothesis.phrases, reference.paraphrase, reference.paraphrase_places
    ):
        lists[place].append((place, size, start, length, stage))


def _fixed_matches(lists: list[list[RawMatch]], hypothesis_length: int) -> list[RawMatch | None]:
    in_reference, in_hypothesis = _coverage(lists, hypothesis_length)

    def is_alone(match: RawMatch) -> bool:
        start, length, place, size, _ = match
        return (
            in_reference[start : start + length] == [1] * length
            and in_hypothesis[place : place + size] == [1] * size
        )

    return [matches[0] if len(matches) == 1 and is_alone(matches[0]) else None for matches in lists]


def _coverage(lists: list[list[RawMatch]], hypothesis_length: int) -> tuple[list[int], list[int]]:
    """Return the number of matches that cover each word of the reference and of the hypothesis."""
    in_reference, in_hypothesis = [0] * len(lists), [0] * hypothesis_length
    for matches in lists:
        for start, length, place, size, _ in matches:
            for word in range(start, start + length):
                in_reference[word] += 1
            for word in range(place, place + size):
                in_hypothesis[word] += 1
    return in_reference, in_hypothesis
