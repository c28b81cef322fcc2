"""What the board's tests say of two systems, beside the test of this pair alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.statistics.inference import CORRECTION_NAMES, Correction

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance

ALONE = translatable("this pair alone")
"""Family of a p value that is corrected for no other pair."""
CHANCE = 0.05
"""Expected share of tests that find a difference between equal systems."""


@dataclass(frozen=True, slots=True)
class BoardVerdict:
    """Corrected p value of two systems in the family of all pairs of a board.

    `better` is the system that the board ranks above the other; empty if the data cannot say.
    `method` is that of the p value, if it is not the board's.
    """

    corrected: float
    pairs: int
    systems: int
    correction: Correction
    better: str = ""
    method: str = ""

    @property
    def family(self) -> str:
        """Family of the corrected p value, such as `780 pairs of 40 systems (Romano-Wolf)`."""
        return _family(self.pairs, self.systems, self.correction)

    @property
    def sentence(self) -> str:
        """Verdict of the board with its p value and family."""
        p = "< 0.001" if self.corrected < 0.001 else f"= {self.corrected:.3f}"
        if self.method:
            p = fill("{p} ({method})", p, Message(self.method))
        if self.better:
            return fill(
                "On the board {system} is ahead: p {p}, corrected over the {family}.",
                *(self.better, p, self.family),
            )
        return fill(
            "On the board the data cannot say which is better: p {p}, corrected over the {family}.",
            *(p, self.family),
        )


def _family(pairs: int, systems: int, correction: Correction) -> str:
    name = CORRECTION_NAMES[correction]
    return fill("{pairs:,} pairs of {systems:,} systems ({correction})", pairs, systems, name)


def corrected_family(significance: PairwiseSignificance) -> str:
    """Return the family over which a board's p values are corrected."""
    pairs, systems = significance.tested, len(significance.systems)
    family = ALONE if pairs < 2 else _family(pairs, systems, significance.correction)
    if significance.slices < 2:
        return family
    return fill("{family} in {count:,} slices (Holm)", Message(family), significance.slices)


def board_verdict(
    significance: PairwiseSignificance | None, systems: tuple[str, str]
) -> BoardVerdict | None:
    """Return the verdict on two systems; None without a test, or if the board has no other pair."""
    if significance is None or significance.tested < 2:
        return None
    pair = next((one for one in significance.pairs if {one.first, one.second} == {*systems}), None)
    if pair is None or not pair.corrected <= 1:
        return None
    ahead = [better for better, worse in significance.differing if {better, worse} == {*systems}]
    return BoardVerdict(
        pair.corrected,
        significance.tested,
        len(significance.systems),
        significance.correction,
        ahead[0] if ahead else "",
        significance.method_of(pair) if pair.is_overruled else "",
    )


def family_of_profiles(tested: Sequence[PairwiseSignificance]) -> str:
    """Say how many false claims chance alone makes on boards of profiles; empty for one."""
    several = [one for one in tested if one.tested]
    if len(several) < 2:
        return ""
    return fill(
        "{count} profiles, each tested by itself: expect {expected:g} differences by chance.",
        *(len(several), round(CHANCE * len(several), 2)),
    )


def family_of_metrics(tested: Sequence[object]) -> str:
    """Say how many differences chance alone shows among metrics that are each tested by itself."""
    if len(tested) < 2:
        return ""
    return fill(
        "{count} metrics, each tested by itself: expect {expected:g} differences by chance.",
        *(len(tested), CHANCE * len(tested)),
    )
