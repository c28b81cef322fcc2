"""Options of ranked answers in visual dialogues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jurydesk.core.competition.task import Policy
from jurydesk.core.model.options import option

PUBLISHED, CORRECTED = "published", "corrected"
MISSING = ("error", "worst", "chance")
ROUNDS = ("auto", "all", "dense", "last")


@dataclass(frozen=True, slots=True)
class VisDialRanksOptions:
    """Options of an evaluation of ranks."""

    profile: str = option(
        PUBLISHED,
        "published has no NDCG if a round has no relevant option; corrected leaves the round out.",
        choices=(PUBLISHED, CORRECTED),
    )
    rounds: str = option(
        "auto",
        "Required rounds: all with options, those with dense annotations, or the last of each "
        "dialogue; auto takes the dense ones if the file has exactly these.",
        label="Rounds",
        choices=ROUNDS,
    )
    missing: str = option(
        "error",
        "Required rounds without ranks are an error, or count as the worst ranks, or as the "
        "expectation of random ones.",
        label="Rounds without ranks",
        choices=MISSING,
    )
    round_base: str = option(
        "auto",
        "The first round of a dialogue in the file; auto finds out.",
        label="First round",
        choices=("auto", "0", "1"),
    )
    rank_base: str = option(
        "1",
        "The best rank in the file; 0 adds one to every rank.",
        label="Best rank",
        choices=("1", "0"),
    )

    lists: str = option(
        "ranks",
        "What the lists hold: the rank of every option (ranks), or the options by rank (order).",
        label="Lists",
        choices=("ranks", "order"),
    )

    @property
    def corrected(self) -> bool:
        """True for the corrected profile."""
        return self.profile == CORRECTED


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the treatments of missing rounds."""
    return (
        Policy("rounds without ranks", "the worst ranks", {"missing": "worst"}),
        Policy("rounds without ranks", "random ranks", {"missing": "chance"}),
    )
