"""METEOR's four matchers: all matches between two lines, in the jar's order.

The compiled twin is `_beam.pyx`; this one is the text to read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.metrics.meteor.config import EXACT, PARAPHRASE, STEM, SYNONYM, Stages
from core.metrics.meteor.paraphrases import Paraphrases
from core.metrics.meteor.words import Words

RawMatch = tuple[int, int, int, int, int]
"""start, length, match_start, match_length, stage; see `alignment.Match`."""


@dataclass(slots=True)
class Line:
    """A sentence as word numbers, with the places of its keys, stems, synonym sets and phrases."""

    words: Words
    numbers: Sequence[int]
    exact: list[int] = field(init=False)
    stem: list[int] = field(init=False)
    paraphrase: list[int] = field(init=False)
    sets: list[list[int]] = field(init=False)
    exact_places: dict[int, list[int]] = field(init=False)
    stem_places: dict[int, list[int]] = field(init=False)
    set_places: dict[int, int] | None = field(init=False, default=None)
    paraphrase_places: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        words = self.words
        self.exact = [words.exact[number] for number in self.numbers]
        self.stem = [words.stem[number] for number in self.numbers]
        self.paraphrase = [words.paraphrase[number] for number in self.numbers]
        self.sets = [words.sets(number) for number in self.numbers]
        self.exact_places = _places(self.exact)
        self.stem_places = _places(self.stem)
        self.paraphrase_places = _places(self.paraphrase)
        self.paraphrase_places.pop(-1, None)

    def __len__(self) -> int:
        return len(self.numbers)

    def bits_of_sets(self) -> dict[int, int]:
        """For every synonym set, the places of its words as bits."""
        if self.set_places is None:
            self.set_places = defaultdict(int)
            for place, sets in enumerate(self.sets):
                for number in sets:
                    self.set_places[number] |= 1 << place
        return self.set_places


def _places(values: Sequence[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    return places


@dataclass(frozen=True, slots=True)
class Matches:
    """All matches by their first word in the reference, and those that stand in nobody's way.

    `fixed` has for each word of the reference the match that begins there and is the only one for
    every word it covers in both lines, or None.
    """

    lists: list[list[RawMatch]]
    fixed: list[RawMatch | None]


def find(hypothesis: Line, reference: Line, paraphrases: Paraphrases, stages: Stages) -> Matches:
    """All matches between two lines."""
    lists: list[list[RawMatch]] = [[] for _ in range(len(reference))]
    _add_exact(hypothesis, reference, lists)
    if hypothesis.exact != reference.exact:
        if stages[STEM] >= 0:
            _add_stems(hypothesis, reference, lists, stages[STEM])
        if stages[SYNONYM] >= 0:
            _add_synonyms(hypothesis, reference, lists, stages[SYNONYM])
        if stages[PARAPHRASE] >= 0:
            _add_paraphrases(hypothesis, reference, paraphrases, lists, stages[PARAPHRASE])
    return Matches(lists, _fixed(lists, len(hypothesis)))


def _add_exact(hypothesis: Line, reference: Line, lists: list[list[RawMatch]]) -> None:
    for start, key in enumerate(reference.exact):
        for place in hypothesis.exact_places.get(key, ()):
            lists[start].append((start, 1, place, 1, EXACT))


def _add_stems(hypothesis: Line, reference: Line, lists: list[list[RawMatch]], stage: int) -> None:
    for start, stem in enumerate(reference.stem):
        for place in hypothesis.stem_places.get(stem, ()):
            if hypothesis.exact[place] != reference.exact[start]:
                lists[start].append((start, 1, place, 1, stage))


def _add_synonyms(
    hypothesis: Line, reference: Line, lists: list[list[RawMatch]], stage: int
) -> None:
    bits_of_sets = hypothesis.bits_of_sets()
    for start, sets in enumerate(reference.sets):
        bits = 0
        for number in sets:
            bits |= bits_of_sets.get(number, 0)
        for place in _places_of_bits(bits):
            if hypothesis.exact[place] != reference.exact[start]:
                lists[start].append((start, 1, place, 1, stage))


def _places_of_bits(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _add_paraphrases(
    hypothesis: Line,
    reference: Line,
    paraphrases: Paraphrases,
    lists: list[list[RawMatch]],
    stage: int,
) -> None:
    for start, length, place, size in paraphrases.between(
        reference.paraphrase, hypothesis.paraphrase, hypothesis.paraphrase_places
    ):
        lists[start].append((start, length, place, size, stage))
    for start, length, place, size in paraphrases.between(
        hypothesis.paraphrase, reference.paraphrase, reference.paraphrase_places
    ):
        lists[place].append((place, size, start, length, stage))


def _fixed(lists: list[list[RawMatch]], hypothesis_length: int) -> list[RawMatch | None]:
    in_reference, in_hypothesis = _coverage(lists, hypothesis_length)

    def is_alone(match: RawMatch) -> bool:
        start, length, place, size, _ = match
        return (
            in_reference[start : start + length] == [1] * length
            and in_hypothesis[place : place + size] == [1] * size
        )

    return [matches[0] if len(matches) == 1 and is_alone(matches[0]) else None for matches in lists]


def _coverage(lists: list[list[RawMatch]], hypothesis_length: int) -> tuple[list[int], list[int]]:
    """How many matches cover each word of the reference and of the hypothesis."""
    in_reference, in_hypothesis = [0] * len(lists), [0] * hypothesis_length
    for matches in lists:
        for start, length, place, size, _ in matches:
            for word in range(start, start + length):
                in_reference[word] += 1
            for word in range(place, place + size):
                in_hypothesis[word] += 1
    return in_reference, in_hypothesis
