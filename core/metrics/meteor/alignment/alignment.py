"""Alignment of a pair of sentences: matches, counts and the parts of METEOR's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

Counts = tuple[int, ...]
"""Counts of one pair, in the order of METEOR's `MeteorStats`:

0 length of the hypothesis, 1 of the reference, 2 and 3 the function words in them; for each of
four stages content words matched in the hypothesis, in the reference, function words in the
hypothesis, in the reference; 20 chunks, 21 and 22 all matched words of both.
"""


class AlignmentMatch(NamedTuple):
    """Match of words of the reference with words of the hypothesis by one module.

    `start` and `length` count words of the reference, `match_start` and `match_length` words of
    the hypothesis, both from 0. `module` is the stage: 0 exact, 1 stem, 2 synonym, 3 paraphrase
    (1 is paraphrase in the task `universal`).
    """

    start: int
    length: int
    match_start: int
    match_length: int
    module: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Alignment of a hypothesis with one reference, with the parts of its score.

    `alpha`, `beta`, `gamma`, `delta` and `weights` (one for each stage) are those of the task.
    `reference_index` is the index of the reference among several; -1 without any.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[AlignmentMatch, ...]
    counts: Counts
    precision: float
    recall: float
    fmean: float
    fragmentation: float
    penalty: float
    score: float
    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]
    modules: tuple[str, ...]
    reference_index: int = 0

    @property
    def chunks(self) -> int:
        """Number of chunks: runs of matches in the same order in both sentences."""
        return self.counts[20]

    def chunk_of_matches(self) -> tuple[int, ...]:
        """Return the chunk of each match, numbered from 0 in the reference's order."""
        return tuple(chunk_numbers(self.matches))


def chunk_numbers(matches: Sequence[AlignmentMatch]) -> list[int]:
    """Return the chunk of each match, numbered from 0; `matches` are sorted by start."""
    numbers: list[int] = []
    chunk = -1
    end, match_end = -1, -1
    for match in matches:
        if match.start != end or match.match_start != match_end:
            chunk += 1
        numbers.append(chunk)
        end, match_end = match.start + match.length, match.match_start + match.match_length
    return numbers
