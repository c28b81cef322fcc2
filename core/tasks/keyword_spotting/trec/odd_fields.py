"""Fields of a result file that are read, or passed over, without being what they should be.

A blank in the id of a document shifts all fields after it: the score that is read is the rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from jurydesk.core.language import counted, fill, reason
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name
from jurydesk.core.tasks.keyword_spotting.trec.lines import (
    NUMBER,
    RESULT_FIELDS,
    WHOLE,
    ResultRows,
)
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece

FIELDS = 6
SHIFTED = reason("A blank in the id of a document shifts all fields after it.")


class OddLine(NamedTuple):
    """A line with its number of fields, its rank, and the field of the run name."""

    line: int
    fields: int
    rank: str
    run_name: bytes

    @property
    def is_shifted(self) -> bool:
        """Whether a number in the place of the run name shows that the fields are shifted."""
        return self.fields > FIELDS and NUMBER.fullmatch(self.run_name) is not None


class OddLines(NamedTuple):
    """First line of a piece whose rank is no whole number, and first shifted one, or None."""

    rank: OddLine | None = None
    shifted: OddLine | None = None


NOTHING_ODD = OddLines()


def odd_lines(piece: Piece, rows: ResultRows) -> OddLines:
    """Return the odd lines of a piece of valid lines; ordinary pieces are not searched."""
    is_ranked = rows.ranks is not None
    if rows.defects or (is_ranked and _count_fields(piece.data) <= FIELDS * len(rows.sims)):
        return NOTHING_ODD
    rank: OddLine | None = None
    shifted: OddLine | None = None
    for found in _lines(piece):
        if rank is None and not WHOLE.fullmatch(found.rank.encode()):
            rank = found
        if shifted is None and found.is_shifted:
            shifted = found
        if (is_ranked or rank is not None) and shifted is not None:
            break
    return OddLines(rank, shifted)


def _lines(piece: Piece) -> Iterator[OddLine]:
    for number, line in enumerate(piece.data.split(b"\n"), piece.first_line):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield OddLine(number, len(fields), decode_name(fields[3]), fields[5])


def _count_fields(data: bytes) -> int:
    """Return the number of texts between blanks."""
    text = np.frombuffer(data, np.uint8)
    is_blank = (text == ord(" ")) | ((text >= ord("\t")) & (text <= ord("\r")))
    begins = np.count_nonzero(is_blank[:-1] & ~is_blank[1:])
    return int(begins) + int(len(text) > 0 and not is_blank[0])


def odd_line_defects(
    pieces: Sequence[OddLines], path: str, *, needs_ranks: bool
) -> Iterator[Defect]:
    """Yield a warning about the first rank that is none, or about the first shifted line."""
    rank = next((one.rank for one in pieces if one.rank is not None), None)
    shifted = next((one.shifted for one in pieces if one.shifted is not None), None)
    expected = fill("The fields are {result_fields}.", RESULT_FIELDS)
    if rank is not None and not needs_ranks:
        found = fill('The rank "{rank}" is not a whole number.', rank.rank)
        hint = SHIFTED if rank.fields > FIELDS else reason("It is not used: the scores decide.")
        yield warning(Place(path, rank.line), found, expected, hint)
    if shifted is not None and (rank is None or rank.fields <= FIELDS or needs_ranks):
        found = fill(
            'The line has {fields}; "{name}" is in the place of the run name.',
            counted(shifted.fields, "field"),
            decode_name(shifted.run_name),
        )
        yield warning(Place(path, shifted.line), found, expected, SHIFTED)
