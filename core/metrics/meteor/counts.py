"""The 23 counts of an alignment: all that METEOR's score and its sums are made from."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.meteor.matching import Line, RawMatch

NUMBER = 23
CHUNKS, MATCHED_1, MATCHED_2 = 20, 21, 22


def count(
    hypothesis: Line, reference: Line, matches: Sequence[RawMatch], *, characters: bool
) -> list[int]:
    """The counts (see `alignment.Counts`) of an alignment whose matches are sorted by start.

    With `characters`, lengths and matches are sums of the lengths of words; chunks and the two
    totals stay counts of words.
    """
    counts = [0] * NUMBER
    sizes_1, functions_1 = _sizes(hypothesis, characters)
    sizes_2, functions_2 = _sizes(reference, characters)
    counts[0], counts[1] = sum(sizes_1), sum(sizes_2)
    counts[2] = sum(size for size, function in zip(sizes_1, functions_1, strict=True) if function)
    counts[3] = sum(size for size, function in zip(sizes_2, functions_2, strict=True) if function)
    end, match_end = -1, -1
    for start, length, place, size, stage in matches:
        for word in range(place, place + size):
            counts[4 + 4 * stage + 2 * functions_1[word]] += sizes_1[word]
        for word in range(start, start + length):
            counts[5 + 4 * stage + 2 * functions_2[word]] += sizes_2[word]
        counts[CHUNKS] += (start, place) != (end, match_end)
        counts[MATCHED_1] += size
        counts[MATCHED_2] += length
        end, match_end = start + length, place + size
    return counts


def _sizes(line: Line, characters: bool) -> tuple[list[int], list[int]]:
    return (line.length if characters else [1] * len(line)), line.function
