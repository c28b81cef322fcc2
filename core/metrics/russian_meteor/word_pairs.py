"""Pairing the words of two sentences in stages: equal words, equal stems, related words.

Source: Lavie and Agarwal, METEOR (2007), and NLTK's meteor_score, which FusionBrain's follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

EXACT, STEM, RELATED = range(3)


@dataclass(frozen=True, slots=True)
class WordPair:
    """Positions of a word of the hypothesis and one of the reference, with the stage."""

    hypothesis: int
    reference: int
    stage: int


Words = list[tuple[int, str]]
"""Unpaired words with their positions."""
Related = Callable[[str, str], bool]


def published_pairs(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stem: Callable[[str], str],
    related: Related,
) -> list[WordPair]:
    """Return the pairs of NLTK's METEOR, which scans both sentences from the end.

    The last stage compares the stems of the words left by the first two.
    """
    left = [(i, word.lower()) for i, word in enumerate(hypothesis)]
    right = [(i, word.lower()) for i, word in enumerate(reference)]
    pairs, left, right = _pair_equal(left, right, EXACT)
    left = [(i, stem(word)) for i, word in left]
    right = [(i, stem(word)) for i, word in right]
    more, left, right = _pair_equal(left, right, STEM)
    return [*pairs, *more, *_pair_related(left, right, related)]


def _pair_equal(left: Words, right: Words, stage: int) -> tuple[list[WordPair], Words, Words]:
    places: dict[str, list[int]] = defaultdict(list)
    for position, word in right:
        places[word].append(position)
    pairs = []
    unpaired = []
    for position, word in reversed(left):
        free = places.get(word)
        if free:
            pairs.append(WordPair(position, free.pop(), stage))
        else:
            unpaired.append((position, word))
    taken = {pair.reference for pair in pairs}
    return pairs, unpaired[::-1], [entry for entry in right if entry[0] not in taken]


def _pair_related(left: Words, right: Words, related: Related) -> list[WordPair]:
    pairs = []
    free = right[::-1]
    for position, word in reversed(left):
        for place, (other, candidate) in enumerate(free):
            if related(word, candidate):
                pairs.append(WordPair(position, other, RELATED))
                del free[place]
                break
    return pairs


def documented_pairs(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stem: Callable[[str], str],
    related: Related,
) -> list[WordPair]:
    """Return pairs as described by the challenge: most matches in every stage, few crossings.

    All stages compare words. Crossings are reduced by local search: moving one match or exchanging
    two.
    """
    stages = _stages(
        [word.lower() for word in hypothesis], [word.lower() for word in reference], stem, related
    )
    return _remove_crossings(_best_assignment(stages, len(hypothesis), len(reference)), stages)


Stages = dict[tuple[int, int], int]
"""First stage in which two positions match."""


def _stages(
    left: Sequence[str], right: Sequence[str], stem: Callable[[str], str], related: Related
) -> Stages:
    stages: Stages = {}
    for i, word in enumerate(left):
        for j, other in enumerate(right):
            if word == other:
                stages[i, j] = EXACT
            elif stem(word) == stem(other):
                stages[i, j] = STEM
            elif related(word, other):
                stages[i, j] = RELATED
    return stages


def _best_assignment(stages: Stages, rows: int, columns: int) -> dict[int, int]:
    """Return an assignment with most exact, then most stem and then most related matches.

    Ties are broken by similar relative positions in the sentences.
    """
    if not stages:
        return {}
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    most = min(rows, columns) + 1
    values = np.zeros((rows, columns))
    for (i, j), stage in stages.items():
        distance = abs(i / rows - j / columns)
        values[i, j] = most ** (RELATED - stage) - distance / (2 * most)
    chosen = zip(*linear_sum_assignment(values, maximize=True), strict=True)
    return {int(i): int(j) for i, j in chosen if (int(i), int(j)) in stages}


def _remove_crossings(assigned: dict[int, int], stages: Stages) -> list[WordPair]:
    while (better := _reduce_crossings(assigned, stages)) is not None:
        assigned = better
    return [WordPair(i, j, stages[i, j]) for i, j in assigned.items()]


def _reduce_crossings(assigned: dict[int, int], stages: Stages) -> dict[int, int] | None:
    now = count_crossings(assigned)
    if not now:
        return None
    for changed in (*_exchanges(assigned, stages), *_moves(assigned, stages)):
        if count_crossings(changed) < now:
            return changed
    return None


def _exchanges(assigned: dict[int, int], stages: Stages) -> list[dict[int, int]]:
    """Return the assignments with two reference words exchanged, stages preserved."""
    exchanges = []
    for (i, j), (k, m) in combinations(assigned.items(), 2):
        before = sorted((stages[i, j], stages[k, m]))
        after = sorted((stages.get((i, m), -1), stages.get((k, j), -1)))
        if before == after:
            exchanges.append({**assigned, i: m, k: j})
    return exchanges


def _moves(assigned: dict[int, int], stages: Stages) -> list[dict[int, int]]:
    """Return the assignments with one match moved to an unmatched word, stages preserved."""
    matched = set(assigned.values())
    moves = []
    for (i, j), stage in stages.items():
        if i in assigned and j not in matched and stages[i, assigned[i]] == stage:
            moves.append({**assigned, i: j})
        elif i not in assigned and j in matched:
            owner = next(k for k, m in assigned.items() if m == j)
            if stages[owner, j] == stage:
                moves.append({i: j, **{k: m for k, m in assigned.items() if k != owner}})
    return moves


def count_crossings(assigned: dict[int, int]) -> int:
    """Return the number of pairs of matches whose order differs between the sentences."""
    return sum((i < k) != (j < m) for (i, j), (k, m) in combinations(assigned.items(), 2))
