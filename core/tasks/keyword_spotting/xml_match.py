"""Which listed words are hits, under the rules of each profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.defects import Defect
from core.metrics.ranking import Hits
from core.model import IntArray
from core.tasks.keyword_spotting.xml_words import Judgements, Results

if TYPE_CHECKING:
    from core.run.run import Run

Profile = Literal["published", "corrected", "icfhr"]


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """The hits of every query of the relevance file (in its order), and which words they are.

    Row `j` of `hits.ranks` is the word `listed[j]` of the results and the word `judged[j]` of the
    relevance file. `rows[i]` is the first word of query `i` in the results (-1 where it has none;
    then `hits.listed[i]` is 0). `hits.relevant` is true throughout: every judged word counts for
    precision and AP, whatever its relevance; gains hold the relevance (missing: 1, icfhr: 0).
    `defects` says what the profile makes of repetitions, equal boxes and short lists.
    """

    hits: Hits
    listed: IntArray
    judged: IntArray
    rows: IntArray
    defects: tuple[Defect, ...]


def match(judgements: Judgements, results: Results, profile: Profile, run: Run) -> Matching:
    """Match the results with the relevance file under the rules of `profile`.

    `published`: equal boxes, whatever the document, each repetition a hit. `corrected`: equal
    document and box, the first only. `icfhr`: same document, more than 0.7 of the relevant box
    covered, one to one in the order of the ranking.
    """
    raise NotImplementedError
