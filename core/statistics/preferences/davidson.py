"""Davidson's model of preferences: strengths of systems, the effect of position, and ties.

With the strength s of a system, the first of two entries is preferred with a probability in
proportion to exp(s + position), the second to exp(s), and neither to exp(ties + mean strength).
Without ties it is the model of Bradley and Terry. Sources: Bradley and Terry, Rank Analysis of
Incomplete Block Designs (1952); Davidson, On Extending the Bradley-Terry Model to Accommodate Ties
(1970); Davidson and Beaver, On Extending the Bradley-Terry Model to Incorporate Within-Pair Order
Effects (1977).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

FIRST, SECOND, NEITHER = range(3)
"""Outcomes of a comparison: the preferred entry."""
MOST_STEPS = 60
"""An estimate that Newton's method has not found after so many steps is not finite."""
PRECISION = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Comparisons of two entries: the systems shown `first` and `second`, and who preferred what.

    All arrays are (comparisons,): codes of systems, the outcome, and codes from 0 of raters and of
    items. The answers to one question of one rater about one item are not independent.
    """

    systems: int
    first: IntArray
    second: IntArray
    outcome: IntArray
    rater: IntArray
    item: IntArray

    @property
    def wins(self) -> FloatArray:
        """Number of times (systems, systems) that one system was preferred to another."""
        found = np.zeros((self.systems, self.systems))
        for winner, loser, outcome in (
            (self.first, self.second, FIRST),
            (self.second, self.first, SECOND),
        ):
            chosen = self.outcome == outcome
            np.add.at(found, (winner[chosen], loser[chosen]), 1)
        return found

    @property
    def ties(self) -> FloatArray:
        """Number of times (systems, systems) that neither of two systems was preferred."""
        found = np.zeros((self.systems, self.systems))
        chosen = self.outcome == NEITHER
        np.add.at(found, (self.first[chosen], self.second[chosen]), 1)
        return found + found.T


class DavidsonDesign:
    """Linear predictors of the distinct comparisons, as functions of the parameters.

    `features` (cells, 3, parameters) are those of the outcomes: contrasts of strengths, whose sum
    is 0, then the position and, if any comparison ended so, ties. `contrasts` (systems, systems -
    1) turn the first parameters into strengths.
    """

    def __init__(self, comparisons: Comparisons, *, position: bool = True) -> None:
        systems = comparisons.systems
        pairs = np.column_stack([comparisons.first, comparisons.second])
        cells, self._cell = np.unique(pairs, axis=0, return_inverse=True)
        self._outcome = comparisons.outcome
        self.has_ties = bool((comparisons.outcome == NEITHER).any())
        self.has_position = position
        own = np.eye(systems)
        self.contrasts = np.linalg.qr(own[:, :-1] - 1 / systems)[0] if systems > 1 else own[:, :0]
        of_first, of_second = (self.contrasts[cells[:, side]] for side in (0, 1))
        parts = [np.stack([of_first, of_second, (of_first + of_second) / 2], axis=1)]
        for is_there, outcome in ((position, FIRST), (self.has_ties, NEITHER)):
            effect = np.zeros((len(cells), 3, 1))
            effect[:, outcome] = 1.0
            parts += [effect] if is_there else []
        self.features = np.concatenate(parts, axis=2)

    def counts(self, codes: IntArray | None = None) -> FloatArray:
        """Return the numbers (groups, cells, 3) of outcomes in each group of comparisons.

        `codes` (comparisons,) are the groups; without them all are one.
        """
        groups = np.zeros(len(self._outcome), np.int64) if codes is None else codes
        found = np.zeros((int(groups.max(initial=0)) + 1, len(self.features), 3))
        np.add.at(found, (groups, self._cell.reshape(-1), self._outcome), 1)
        return found

    def probabilities(self, parameters: FloatArray) -> FloatArray:
        """Return the probabilities (cells, 3) of the outcomes."""
        predictor = self.features @ parameters
        if not self.has_ties:
            predictor[:, NEITHER] = -np.inf
        weight = np.exp(predictor - predictor.max(axis=1, keepdims=True))
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))

    def log_likelihood(self, counts: FloatArray, parameters: FloatArray) -> float:
        """Return the log likelihood of counts (cells, 3)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(counts > 0, counts * np.log(self.probabilities(parameters)), 0.0)
        return float(logs.sum())

    def scores(self, counts: FloatArray, parameters: FloatArray) -> FloatArray:
        """Return the gradients (groups, parameters) of counts (groups, cells, 3)."""
        expected = counts.sum(axis=2, keepdims=True) * self.probabilities(parameters)
        return np.asarray(np.einsum("gco,cop->gp", counts - expected, self.features))

    def information(self, counts: FloatArray, parameters: FloatArray) -> FloatArray:
        """Return the information (groups, parameters, parameters) of counts (groups, cells, 3)."""
        chance = self.probabilities(parameters)
        mean = np.einsum("co,cop->cp", chance, self.features)
        squares = np.einsum("co,cop,coq->cpq", chance, self.features, self.features)
        of_cells = squares - mean[:, :, np.newaxis] * mean[:, np.newaxis]
        return np.asarray(np.tensordot(counts.sum(axis=2), of_cells, axes=1))

    def fit(self, counts: FloatArray, start: FloatArray | None = None) -> FloatArray | None:
        """Return the parameters of maximum likelihood of counts (cells, 3); None if not finite."""
        parameters = np.zeros(self.features.shape[2]) if start is None else start
        value = self.log_likelihood(counts, parameters)
        for _ in range(MOST_STEPS):
            (gradient,) = self.scores(counts[np.newaxis], parameters)
            (information,) = self.information(counts[np.newaxis], parameters)
            try:
                step = np.linalg.solve(information, gradient)
            except np.linalg.LinAlgError:
                return None
            if not np.isfinite(step).all():
                return None
            if np.abs(step).max(initial=0.0) < PRECISION:
                return parameters
            while (found := self.log_likelihood(counts, parameters + step)) < value - PRECISION:
                step = step / 2
            parameters, value = parameters + step, found
        return None


def strong_components(links: FloatArray) -> list[tuple[int, ...]]:
    """Return the strongly connected components of links (nodes, nodes), from one to another.

    A component is listed before those that it leads to.
    """
    reach = np.asarray(links > 0) | np.eye(len(links), dtype=np.bool_)
    for middle in range(len(reach)):
        reach |= reach[:, middle : middle + 1] & reach[middle]
    mutual = reach & reach.T
    found = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in mutual)
    return sorted(found, key=lambda one: -int(reach[one[0]].sum()))
