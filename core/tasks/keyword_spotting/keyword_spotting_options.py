"""Options of keyword spotting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from jurydesk.core.competition.task import Policy
from jurydesk.core.language import translatable
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS
from jurydesk.core.model.options import option
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import FORMATS

Profile = Literal["published", "corrected", "icfhr"]
Compat = Literal["trec9", "trec10"]
Missing = Literal["skip", "zero"]
Ties = Literal["docno", "file", "rank"]
FOR_TREC = ("level", "ties", "tie_range")
"""Options that apply only to files in trec_eval's format."""
FOR_OVERLAP = (
    *("strict", "claim", "repeated", "order", "collapse", "interpolate", "trapezoid", "top"),
    *("limit_relevant", "drop_first", "case", "letters", "min_length", "min_count", "lines"),
    *("keep_negative", "format", "curve", "dump_matches"),
)
"""Options that apply only to scoring by overlap, and do not ask for it."""
PROFILES: tuple[Profile, ...] = ("published", "corrected", "icfhr")
OF_RULES = translatable("as the rules say")
OF_PROTOCOL = translatable("as in the protocol")


RULE_OPTIONS = (
    *("protocol", "overlap_measure", "overlap", "strict", "claim", "repeated", "order"),
    *("collapse", "interpolate", "trapezoid", "top", "limit_relevant", "drop_first"),
    *("case", "letters", "min_length", "min_count", "lines", "keep_negative"),
)
"""Options by which protocols differ: their numbers are not set side by side."""


@dataclass(frozen=True, slots=True)
class TrecPolicy:
    """Options of trec_eval files."""

    compat: Compat = "trec9"
    ties: Ties = "docno"
    level: float | None = None
    missing: Missing = "skip"
    needs_common_query: bool = True
    """Whether results for none of the judged queries are an error."""


def _switch(help: str, label: str) -> Any:
    """Return a rule that is on, off, or as in the protocol."""
    titles = {None: OF_PROTOCOL, True: translatable("on"), False: translatable("off")}
    return option(None, help, label=label, choices=(None, True, False), titles=titles)


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
        "",
        "A query without results is left out of the means (skip), or counts as 0 (zero); default "
        "skip for ranked lists of documents and ICFHR 2014, zero for the other protocols.",
        label="Queries without results",
        choices=("", "skip", "zero"),
        titles={"": OF_RULES},
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
    protocol: str = option(
        "",
        "The rules of keyword spotting by overlap; default as the files suggest. ICFHR 2014 XML "
        "and trec_eval's files keep theirs.",
        label="Protocol",
        choices=("", *PROTOCOLS),
        titles={"": translatable("by content")},
    )
    overlap_measure: str = option(
        "",
        "Overlap of boxes: intersection over union, over the listed box (hypothesis), over the "
        "relevant box (reference), or over its ink.",
        label="Overlap of boxes",
        choices=("", "iou", "hypothesis", "reference", "ink"),
        titles={"": OF_PROTOCOL},
    )
    overlap: float | None = option(
        None, "The least overlap of a hit.", label="Least overlap", form="NUMBER"
    )
    strict: bool | None = _switch(
        "A hit must exceed the least overlap.", translatable("Overlap above it")
    )
    claim: str = option(
        "",
        "In the order of scores each box takes the free relevant one it overlaps most (greedy), or "
        "the nearest word (nearest), or each relevant one takes a box (best).",
        label="Assignment of boxes",
        choices=("", "greedy", "nearest", "best"),
        titles={"": OF_PROTOCOL},
    )
    repeated: str = option(
        "",
        "A box that finds what was found before is left out (ignore) or is a miss.",
        label="Repetitions",
        choices=("", "ignore", "miss"),
        titles={"": OF_PROTOCOL},
    )
    order: str = option(
        "",
        "Large scores first (desc), small ones first (asc), or the order of the file.",
        label="Order of results",
        choices=("", "desc", "asc", "file"),
        titles={"": OF_PROTOCOL},
    )
    collapse: bool | None = _switch(
        "Neighbours with equal scores are one point of the curve.",
        translatable("Collapse equal scores"),
    )
    interpolate: bool | None = _switch(
        "Precision is the largest at its recall or above.", translatable("Interpolate precision")
    )
    trapezoid: bool | None = _switch(
        "The area below the curve is made of trapezoids.", translatable("Trapezoids")
    )
    top: int = option(
        0, "Only the first results of a query count.", label="First results", form="NUMBER"
    )
    limit_relevant: bool = option(
        False,
        "A query has at most as many relevant boxes as results that count.",
        label="Limit relevant boxes",
    )
    drop_first: bool = option(
        False,
        "Leave out the first result of each query, which is meant to be the query itself.",
        label="Drop the first result",
    )
    case: str = option(
        "exact",
        "Words are compared as they are, or without regard to capital letters (fold).",
        label="Capital letters",
        choices=("exact", "fold"),
    )
    letters: str = option(
        "",
        "Letters that are left of a word, such as a-z0-9; mask makes others *, and such words no "
        "queries.",
        label="Letters",
        form="LETTERS",
    )
    min_length: int = option(
        0, "Least length of a word that is a query.", label="Least length", form="NUMBER"
    )
    min_count: int = option(
        0,
        "Least number of occurrences of a word that is a query.",
        label="Least occurrences",
        form="NUMBER",
    )
    lines: int | None = option(
        None,
        "Number of lines of a table with a word list; default those that it names.",
        label="Lines of the table",
        form="NUMBER",
    )
    keep_negative: bool = option(
        False,
        "Negative scores of a table mean not found; without it they are 0.",
        label="Negative scores mean not found",
    )
    format: str = option(
        "",
        "Shape of the files of boxes, segments or tables, if their content does not decide.",
        label="Shape of the files",
        choices=("", *FORMATS),
        titles={"": translatable("by content")},
    )
    curve_points: int = option(
        101,
        "Points of the curves of precision and recall.",
        label="Points of curves",
        form="NUMBER",
    )
    curve: str = option(
        "",
        "File for the global curve as kws-eval writes it; the mean curve is beside it (.mean).",
        form="FILE",
        target=True,
    )
    dump_matches: str = option(
        "",
        "File for a row per listed and per missed box, with its verdict and overlap (TSV).",
        form="FILE",
        target=True,
    )

    def missing_rule(self, format: str) -> Missing:
        """Return what a query without results is, for files of a format."""
        if self.missing in ("skip", "zero"):
            return cast(Missing, self.missing)
        return "zero" if format == "overlap" else "skip"


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the policies that decide an order, for files of the settings' format."""
    missing = (
        Policy("queries without results", "left out", {"missing": "skip"}),
        Policy("queries without results", "count 0", {"missing": "zero"}),
    )
    if settings.get("format") == "overlap":
        present = settings.get("protocol", "").partition(",")[0]
        places = PROTOCOLS[present].places if present in PROTOCOLS else ""
        others = [one.name for one in PROTOCOLS.values() if one.places == places]
        return (
            *missing,
            *(Policy("protocol", name, {"protocol": name}) for name in others if name != present),
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
