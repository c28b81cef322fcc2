"""Matches of a system as lines of text: each listed place, then each one that was missed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurydesk.core.metrics.spotting.claims import FALSE_POSITIVE, HIT, REPETITION
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingMatch

HEAD = (
    *("query", "document", "x", "y", "w", "h", "score", "verdict"),
    *("ref_x", "ref_y", "ref_w", "ref_h", "overlap"),
)
VERDICTS = {HIT: "hit", FALSE_POSITIVE: "false positive", REPETITION: "repetition"}
MISSED = "missed"
NO_BOX = ("", "", "", "")


def match_lines(matching: SpottingMatch) -> Iterator[str]:
    """Yield the lines of a table, with tabs between its columns."""
    lists, claims = matching.lists, matching.claims
    yield _line(HEAD)
    rows = matching.ranked.tolist()
    for row in rows:
        near = int(claims.relevant[row])
        box = NO_BOX if near < 0 else tuple(map(str, lists.relevant.boxes[near].tolist()))
        yield _line(
            (
                *_place(matching, lists.listed, row),
                f"{lists.listed.scores[row]:.9g}",
                VERDICTS[int(claims.verdict[row])],
                *box,
                f"{claims.overlap[row]:.6g}",
            )
        )
    units = lists.unit_of_query[lists.relevant.query]
    for row in np.flatnonzero(~claims.is_found & (units >= 0)).tolist():
        place = _place(matching, lists.relevant, row)
        yield _line((*place[:2], *NO_BOX, "", MISSED, *place[2:], ""))


def _place(matching: SpottingMatch, spots: Spots, row: int) -> tuple[str, ...]:
    lists = matching.lists
    names = lists.queries[int(spots.query[row])], lists.documents[int(spots.document[row])]
    return (*names, *map(str, spots.boxes[row].tolist()))


def _line(fields: tuple[str, ...]) -> str:
    return "\t".join(fields) + "\n"
