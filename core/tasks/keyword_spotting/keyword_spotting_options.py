"""Options of keyword spotting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from jurydesk.core.competition.task import Policy
from jurydesk.core.model.options import option

Profile = Literal["published", "corrected", "icfhr"]
Compat = Literal["trec9", "trec10"]
Missing = Literal["skip", "zero"]
Ties = Literal["docno", "file", "rank"]
FOR_TREC = ("level", "ties", "tie_range")
"""Options that apply only to files in trec_eval's format."""
PROFILES: tuple[Profile, ...] = ("published", "corrected", "icfhr")


@dataclass(frozen=True, slots=True)
class KeywordSpottingOptions:
    """Options: profile, and policies for missing queries, ties and graded relevance."""

    profile: str = option(
        "published",
        "published gives rusteval's or trec_eval's numbers; corrected asks for the same document "
        "and counts each word once; icfhr gives the numbers of the ICFHR 2014 tool.",
        label="Profile",
        choices=PROFILES,
    )
    compat: str = option(
        "trec9",
        "trec9 compares scores in single precision, as trec_eval 9 and pytrec_eval; trec10 in "
        "double precision, and rounds recall levels as trec_eval 10.",
        label="Version of trec_eval",
        choices=("trec9", "trec10"),
    )
    missing: str = option(
        "skip",
        "A query without results is left out of the means (skip), or counts as 0 (zero).",
        label="Queries without results",
        choices=("skip", "zero"),
    )
    level: float | None = option(
        None,
        "The lowest relevance that counts as relevant in trec_eval files; default above 0.",
        label="Relevant from grade",
        form="NUMBER",
    )
    ties: str = option(
        "docno",
        "Documents with equal scores are ranked by descending docno as trec_eval does, by their "
        "order in the file, or by the rank column.",
        label="Order of equal scores",
        choices=("docno", "file", "rank"),
    )
    tie_range: bool = option(
        False,
        "Also give the lowest, expected and highest value over all orders of equal scores, for AP, "
        "precision at 5 and 10, nDCG, reciprocal rank and R-precision of trec_eval files.",
        label="Range over equal scores",
    )
    measures: str = option(
        "",
        "More measures by trec_eval's names, separated by commas, such as P_7,ndcg_cut_3.",
        label="More measures",
        form="NAME,NAME...",
    )


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the policies that decide an order, for files of the settings' format."""
    missing = (
        Policy("queries without results", "left out", {"missing": "skip"}),
        Policy("queries without results", "count 0", {"missing": "zero"}),
    )
    if settings.get("format") != "trec":
        return missing
    return (
        *missing,
        Policy("equal scores", "by docno", {"ties": "docno"}),
        Policy("equal scores", "as in the file", {"ties": "file"}),
        Policy("equal scores", "in the worst order", {"tie_range": True}, "_min"),
        Policy("equal scores", "in any order", {"tie_range": True}, "_expected"),
        Policy("equal scores", "in the best order", {"tie_range": True}, "_max"),
        Policy("relevant from", "grade 2", {"level": 2.0}),
        Policy("relevant from", "grade 3", {"level": 3.0}),
        Policy("compatible with", "trec_eval 9", {"compat": "trec9"}),
        Policy("compatible with", "trec_eval 10", {"compat": "trec10"}),
    )
