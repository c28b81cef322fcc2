"""METEOR in three stages with RuWordNet, as FusionBrain's programs compute it.

A variant of NLTK's METEOR: words are matched exactly, then by stem, then by relations in RuWordNet,
each stage among the words left by the previous one. Score: (1 - gamma (chunks / m)^3) P R /
(0.9 P + 0.1 R) of m matches. Sources: Lavie and Agarwal, METEOR, 2007; FusionBrain Challenge 2.0
(AI Journey 2022), evaluation code (`published`) and description of its metrics (`documented`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.metrics.russian_meteor.word_pairs import (
    WordPair,
    documented_pairs,
    published_pairs,
)

ALPHA, BETA = 0.9, 3.0
STAGES = ("exact", "stem", "synonym")
"""The last stage matches relations in RuWordNet: hypernyms and derivations when published."""

Related = Callable[[str, str], bool]
"""Returns whether RuWordNet relates a word of the hypothesis to one of the reference."""


@dataclass(frozen=True, slots=True)
class StagedMeteor:
    """METEOR with a stemmer, a relation of words and the weight of the penalty.

    With `documented`, the relation compares words instead of stems, and of the alignments with
    most matches one with few crossings is chosen.
    """

    stem: Callable[[str], str]
    related: Related
    gamma: float
    documented: bool = False

    def counts(self, hypothesis: Sequence[str], reference: Sequence[str]) -> StagedCounts:
        """Return the counts of one pair of sentences."""
        pairs = self._pairs(hypothesis, reference)
        return StagedCounts(
            len(hypothesis), len(reference), len(pairs), count_chunks(pairs), self.gamma
        )

    def align(
        self, hypothesis: Sequence[str], reference: Sequence[str], index: int = 0
    ) -> Alignment:
        """Return the alignment behind the score; `index` is that of the reference."""
        pairs = self._pairs(hypothesis, reference)
        n = StagedCounts(
            len(hypothesis), len(reference), len(pairs), count_chunks(pairs), self.gamma
        )
        matched = [0] * 16
        for pair in pairs:
            matched[4 * pair.stage] += 1
            matched[4 * pair.stage + 1] += 1
        return Alignment(
            hypothesis=tuple(hypothesis),
            reference=tuple(reference),
            matches=tuple(
                AlignmentMatch(pair.reference, 1, pair.hypothesis, 1, pair.stage)
                for pair in sorted(pairs, key=lambda pair: pair.reference)
            ),
            counts=(n.hypothesis, n.reference, 0, 0, *matched, n.chunks, n.matches, n.matches),
            precision=n.precision,
            recall=n.recall,
            fmean=n.fmean,
            fragmentation=n.chunks / n.matches if n.matches else 0.0,
            penalty=n.penalty,
            score=n.score,
            alpha=ALPHA,
            beta=BETA,
            gamma=self.gamma,
            delta=1.0,
            weights=(1.0, 1.0, 1.0),
            modules=STAGES,
            reference_index=index,
        )

    def _pairs(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[WordPair]:
        pairs = documented_pairs if self.documented else published_pairs
        return pairs(hypothesis, reference, self.stem, self.related)


@dataclass(frozen=True, slots=True)
class StagedCounts:
    """Counts of one pair of sentences, and the resulting score."""

    hypothesis: int
    reference: int
    matches: int
    chunks: int
    gamma: float

    @property
    def precision(self) -> float:
        """Matches per word of the hypothesis; 0 without words."""
        return self.matches / self.hypothesis if self.hypothesis else 0.0

    @property
    def recall(self) -> float:
        """Matches per word of the reference; 0 without words."""
        return self.matches / self.reference if self.reference else 0.0

    @property
    def fmean(self) -> float:
        """Harmonic mean with ninefold weight of recall; 0 without matches."""
        if not self.matches:
            return 0.0
        p, r = self.precision, self.recall
        return p * r / (ALPHA * p + (1 - ALPHA) * r)

    @property
    def penalty(self) -> float:
        """Penalty for fragmentation; 0 without matches."""
        return self.gamma * (self.chunks / self.matches) ** BETA if self.matches else 0.0

    @property
    def score(self) -> float:
        """METEOR of the pair."""
        return (1 - self.penalty) * self.fmean


def count_chunks(pairs: Sequence[WordPair]) -> int:
    """Return the number of runs of adjacent matches in the same order on both sides."""
    joined = {(pair.hypothesis, pair.reference) for pair in pairs}
    return sum((h - 1, r - 1) not in joined for h, r in joined)
