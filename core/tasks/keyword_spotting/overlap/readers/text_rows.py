"""Rows of a text file whose columns are separated by blanks, or of CSV, read as a whole."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.readers.byte_blocks import UnreadableBytesError, read_blocks
from jurydesk.core.readers.text_file import UTF8_MARK, UTF16_MARKS
from jurydesk.core.tasks.keyword_spotting.overlap.readers.field_columns import PADDING, FieldColumn
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import SEPARATORS

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

BLOCK = 1 << 20
"""Bytes of a text that are looked at together."""
COMMENT = re.compile(rb"(?m)^[^\S\n]*#[^\n]*")


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """Rows of a file: row `i` has the fields `first[i]` to `first[i] + counts[i]` of a text.

    `lines` (n,) are the rows' lines, counted from 1. Comments and blank lines have no row.
    """

    path: str
    text: bytes
    begin: IntArray
    size: IntArray
    first: IntArray
    counts: IntArray
    lines: IntArray
    comments: tuple[bytes, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def row(self, number: int) -> list[bytes]:
        """Return the fields of a row."""
        start = int(self.first[number])
        return self._column(np.arange(start, start + int(self.counts[number]))).texts()

    def __iter__(self) -> Iterator[list[bytes]]:
        return map(self.row, range(len(self)))

    def column(self, number: int) -> FieldColumn:
        """Return a field of each row, all of which have it; -1 is the last."""
        return self._column(self.first + (number if number >= 0 else self.counts + number))

    def take(self, rows: IntArray | BoolArray) -> TextRows:
        """Return some of the rows."""
        return TextRows(
            *(self.path, self.text, self.begin, self.size, self.first[rows]),
            *(self.counts[rows], self.lines[rows], self.comments),
        )

    def place(self, row: int) -> Place:
        """Return the place of a row."""
        return Place(self.path, int(self.lines[row]))

    def _column(self, fields: IntArray) -> FieldColumn:
        return FieldColumn(self.text, self.begin[fields], self.size[fields])


@dataclass(frozen=True, slots=True, eq=False)
class FileBytes:
    """Unpacked bytes of a text file without its byte-order mark, and what reading them found."""

    path: str
    data: bytes
    defects: tuple[Defect, ...] = ()


def read_text_bytes(path: Path, run: Run) -> FileBytes:
    """Return the bytes of a text file; an error among the defects if there is no text."""
    name = str(path)
    place = Place(name, 1)
    try:
        data = b"".join(read_blocks(path, run))
    except UnreadableBytesError as fault:
        return FileBytes(name, b"", (fault.defect,))
    if data.startswith(UTF16_MARKS):
        found = "The text is UTF-16."
        return FileBytes(
            name, b"", (error(place, found, "UTF-8 is expected.", "Save it as UTF-8."),)
        )
    if b"\0" in data:
        return FileBytes(name, b"", (_not_text(name, data),))
    if data.startswith(UTF8_MARK):
        mark = note(Place(name), "The byte order mark at the start was skipped.")
        return FileBytes(name, data[len(UTF8_MARK) :], (mark,))
    return FileBytes(name, data)


def _not_text(name: str, data: bytes) -> Defect:
    """Return the error for a text with a NUL, which an archive has."""
    if data.startswith(b"PK"):
        found, hint = "The file is a zip archive.", "Unpack it, and give the file within."
        return error(Place(name), found, "Lines of text are expected.", hint)
    place = Place(name, data.count(b"\n", 0, data.index(b"\0")) + 1)
    hint = "Plain text is expected."
    return error(place, "The line holds a NUL byte.", hint, "Save the file again as text.")


def split_rows(path: str, data: bytes) -> TextRows:
    """Return the rows of a text; CR alone ends a line where no LF does."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    comments: tuple[bytes, ...] = ()
    if b"#" in data:
        comments = tuple(COMMENT.findall(data))
        data = COMMENT.sub(b"", data) if comments else data
    text = b"".join((b"\n", data, PADDING))
    codes = np.frombuffer(text, np.uint8)[: len(data) + 2]
    edges, ends = _edges(codes)
    begin, size = edges[::2].copy(), edges[1::2] - edges[::2]
    del edges
    firsts = np.searchsorted(begin, ends)
    counts = np.diff(firsts)
    filled = np.flatnonzero(counts)
    return TextRows(
        path, text, begin, size, firsts[:-1][filled], counts[filled], filled + 1, comments
    )


def field_counts(path: Path, run: Run) -> IntArray:
    """Return the number of fields of each line (n,) of a file; none if it cannot be read."""
    file = read_text_bytes(path, run)
    return split_rows(file.path, file.data).counts


def _edges(codes: npt.NDArray[np.uint8]) -> tuple[IntArray, IntArray]:
    """Return where fields begin and end, by turns, and where lines end; block by block.

    Places are numbers of 32 bits where these suffice: a long file has millions of fields.
    """
    kind = np.int32 if len(codes) <= np.iinfo(np.int32).max else np.int64
    edges, ends = [np.empty(0, kind)], [np.empty(0, kind)]
    for start in range(0, len(codes), BLOCK):
        part = codes[start : start + BLOCK + 1]
        is_blank = (part - 9) < 5  # unsigned: below 9 turns round
        is_blank |= part == 32
        edges.append((np.flatnonzero(is_blank[1:] != is_blank[:-1]) + (start + 1)).astype(kind))
        ends.append((np.flatnonzero(part[:BLOCK] == 10) + start).astype(kind))
    return np.concatenate(edges), np.concatenate(ends)


def csv_rows(path: str, data: bytes, delimiter: str) -> tuple[list[str], TextRows]:
    """Return the head of a CSV file, and its other rows; ValueError if a quotation is open."""
    reader = csv.reader(
        io.StringIO(data.lstrip().decode("utf-8", "surrogateescape"), newline=""),
        delimiter=delimiter,
        strict=True,
    )
    rows: list[list[bytes]] = []
    lines: list[int] = []
    skipped = data[: len(data) - len(data.lstrip())].count(b"\n")
    try:
        head = next(reader, [])
        for row in reader:
            if any(row):
                rows.append([one.strip().encode("utf-8", "surrogateescape") for one in row])
                lines.append(reader.line_num + skipped)
    except csv.Error as fault:
        raise ValueError(reader.line_num) from fault
    counts = np.array(list(map(len, rows)), np.int64)
    sizes = [len(field) for row in rows for field in row]
    text = b"".join(field for row in rows for field in row) + PADDING
    size = np.array(sizes, np.int64)
    begin = np.array([0, *accumulate(sizes)][: len(sizes)], np.int64)
    first = np.cumsum(counts) - counts
    return head, TextRows(path, text, begin, size, first, counts, np.array(lines, np.int64))


def separator_note(path: str, mark: bytes) -> Iterator[Defect]:
    """Yield the note about a sign that separates the fields in the place of blanks, if any."""
    if mark:
        found = fill("The fields are separated by {signs}.", translatable(SEPARATORS[mark]))
        yield note(Place(path), found, "They were read as if by blanks.")


def comment_note(rows: TextRows, columns: Sequence[int]) -> tuple[Defect, ...]:
    """Return the note about comments that look like rows: a query may begin with `#`."""
    alike = [one for one in rows.comments if len(one.split()) in columns]
    if not alike:
        return ()
    comments = counted(len(alike), "comment")
    found = fill("{comments} with as many columns as the other lines.", comments)
    hint = "Lines that begin with # are skipped; the name of a query cannot begin with it."
    return (note(Place(rows.path), found, hint, count=len(alike)),)
