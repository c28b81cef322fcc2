"""Reader of separated values: CSV and TSV of spreadsheets and programs."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Reading, error, warning
from jurydesk.core.readers.foreign_tables.foreign_table import (
    MOST_CELLS,
    ColumnBuilder,
    ForeignTable,
)
from jurydesk.core.tables.table_file import FORMULA_STARTS, unique_names

SEPARATORS = "\t;,|"
SAMPLE_LINES = 50
BLOCK_ROWS = 1 << 14
MOST_COLUMNS = 2000
MOST_LISTED = 10
"""Lines that a defect names one by one."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?")


def read_delimited(path: str, text: str, header: Sequence[str] = ()) -> Reading[ForeignTable]:
    """Read a table with a first line of names, or with the names of `header` if it has none.

    Lines that are shorter end with missing cells, with a warning; longer ones are an error.
    """
    separator, start = find_separator(text)
    body = text[start:]
    before = text.count("\n", 0, start)
    quoting = csv.QUOTE_MINIMAL
    if separator == "\t" and _fails(body, separator):
        quoting = csv.QUOTE_NONE  # programs write tabs without quoting anything
    rows = _Rows(path, body, separator, quoting, before)
    names = [*header] or rows.first()
    if rows.fault is not None:
        return Reading(None, (rows.fault,))
    found = list(_faults_of_names(path, names, before + 1))
    if found:
        return Reading(None, tuple(found))
    shown = [_clean(name) or f"column {i}" for i, name in enumerate(names, 1)]
    titles = unique_names(shown)
    builders = [ColumnBuilder() for _ in titles]
    for block in rows.blocks(len(titles)):
        for builder, cells in zip(builders, zip(*block, strict=True), strict=True):
            builder.extend(cells)
    defects = [*rows.defects()]
    if rows.fault is not None or any(one.severity == "error" for one in defects):
        return Reading(None, tuple(defects))
    if not rows.count:
        found = [error(Place(path), "The table has names of columns, and no row.")]
        return Reading(None, tuple(found))
    if repeated := sorted(name for name, count in Counter(shown).items() if count > 1):
        sentence = fill("Columns of the same name: {names}.", name_list(repeated))
        defects.append(warning(Place(path, before + 1), sentence, "The later ones got a number."))
    columns = tuple(builder.column(title) for title, builder in zip(titles, builders, strict=True))
    return Reading(ForeignTable(path, columns, rows.place, separator, tuple(defects)), ())


def find_separator(text: str) -> tuple[str, int]:
    """Return the character between fields, and where the table begins.

    `sep=;`, which Excel reads, and comments that begin with # are skipped.
    """
    start = 0
    if match := re.match(r"[\"']?sep=([,;\t|])[\"']?\r?\n", text, re.IGNORECASE):
        return match[1], match.end()
    while match := re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n").match(text, start):
        comment, follower = match[0], text[match.end() : text.find("\n", match.end()) + 1]
        if any(0 < comment.count(one) == follower.count(one) for one in SEPARATORS):
            break  # names of columns after a sign
        start = match.end()
    sample = text[start : start + (1 << 16)]
    best, most = ",", (0, 0)
    for separator in SEPARATORS:
        sizes = _line_sizes(sample, separator)
        if not sizes or sizes[0] < 2:
            continue
        usual = max(set(sizes), key=sizes.count)
        found = (sizes.count(usual) * (usual > 1), usual)
        if found > most:
            best, most = separator, found
    return best, start


def _line_sizes(sample: str, separator: str) -> list[int]:
    """Return the numbers of fields of the first lines that can be read."""
    sizes: list[int] = []
    with contextlib.suppress(csv.Error):
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=separator):
            if row:
                sizes.append(len(row))
            if len(sizes) == SAMPLE_LINES:
                break
    return sizes


def looks_like_header(cells: Sequence[str]) -> bool:
    """Return whether cells are names: texts that differ, of which none is a number."""
    texts = [cell.strip() for cell in cells]
    return not any(_NUMBER.fullmatch(text) for text in texts) and any(texts)


def _clean(name: str) -> str:
    """Return the name of a column on one line, without a sign of comments or against formulas."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    text = " ".join(shown.split()).removeprefix("#").strip()
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA_STARTS) else text


def _fails(text: str, separator: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            pass
    except csv.Error:
        return True
    return False


def _faults_of_names(path: str, names: Sequence[str], line: int) -> Iterator[Defect]:
    place = Place(path, line)
    if len(names) < 2:
        found = "The file has a single column."
        expected = "A table with commas, semicolons or tabs is expected."
        yield error(place, found, expected)
    elif len(names) > MOST_COLUMNS:
        found = fill("The table has {count:,} columns.", len(names))
        yield error(place, found, fill("At most {most:,} are read.", MOST_COLUMNS))
    elif not looks_like_header(names):
        found = "The first line has numbers, not the names of the columns."
        yield error(place, found, "", "Write the names into the first line.")


class _Rows:
    """Rows of a text in blocks, with the defects of their lengths."""

    def __init__(self, path: str, text: str, separator: str, quoting: int, before: int) -> None:
        self.path, self.count = path, 0
        self._text, self._before = text, before
        self._format = {"delimiter": separator, "quoting": quoting, "strict": True}
        self._skip_first = False
        self._short: list[int] = []
        self._long: list[tuple[int, int]] = []
        self._added = 0
        self._width = 0
        self.fault: Defect | None = None

    def first(self) -> list[str]:
        """Return the fields of the first line, which is then none of the rows."""
        self._skip_first = True
        return next(self._read(), [])

    def _read(self) -> Iterator[list[str]]:
        """Yield the fields of every line that is not blank; set `fault` for damaged quoting."""
        reader = csv.reader(io.StringIO(self._text, newline=""), **self._format)  # type: ignore[arg-type]
        try:
            for row in reader:
                if _is_row(row):
                    yield row
        except csv.Error as fault:
            line = self._before + reader.line_num
            self.fault = _quoting_defect(self.path, line, str(fault))

    def blocks(self, width: int) -> Iterator[list[list[str]]]:
        """Yield rows of `width` fields in blocks."""
        self._width = width
        rows = self._read()
        if self._skip_first:
            next(rows, None)
        while block := list(islice(rows, BLOCK_ROWS)):
            if set(map(len, block)) != {width}:
                for number, row in enumerate(block, self.count):
                    if len(row) != width:
                        block[number - self.count] = self._fit(number, row, width)
            self.count += len(block)
            if self._added > MOST_CELLS:
                found = fill("The lines lack more than {most:,} fields of the first.", MOST_CELLS)
                self.fault = error(Place(self.path), found, "", "Check the first line.")
                return
            yield block

    def _fit(self, number: int, row: list[str], width: int) -> list[str]:
        if len(row) < width:
            self._short.append(number)
            self._added += width - len(row)
            return [*row, *[""] * (width - len(row))]
        if any(cell.strip() for cell in row[width:]):
            self._long.append((number, len(row)))
        return row[:width]

    def defects(self) -> Iterator[Defect]:
        """Yield the defects of the rows that were read."""
        if self.fault is not None:
            yield self.fault
        for number, size in self._long[:MOST_LISTED]:
            found = fill(
                "The line has {count} fields; the first line has {width}.", size, self._width
            )
            yield error(self.place(number), found, "", "Quote fields that contain a separator.")
        more = len(self._long) - MOST_LISTED
        if more > 0:
            yield error(Place(self.path), fill("{lines} like these.", counted(more, "more line")))
        if self._short:
            count = len(self._short)
            found = fill("{lines} with fewer fields than the first.", counted(count, "line"))
            expected = "Their last cells are missing."
            yield warning(self.place(self._short[0]), found, expected, count=count)

    def place(self, number: int) -> Place:
        """Return the line of a row, counted from 0; a quoted field may hold lines of its own."""
        wanted = min(number + self._skip_first, len(self._lines) - 1)
        return Place(self.path, self._before + self._lines[wanted])

    @cached_property
    def _lines(self) -> array[int]:
        """Lines of all rows, and the line where reading ends."""
        reader = csv.reader(io.StringIO(self._text, newline=""), **self._format)  # type: ignore[arg-type]
        lines, line = array("q"), 1
        try:
            for row in reader:
                if _is_row(row):
                    lines.append(line)
                line = reader.line_num + 1
        except csv.Error:
            pass
        lines.append(line)
        return lines


def _is_row(cells: Sequence[str]) -> bool:
    """Return whether a line has cells, other than one of blanks."""
    return len(cells) > 1 or bool(cells and cells[0].strip(" "))


def _quoting_defect(path: str, line: int, reason: str) -> Defect:
    place = Place(path, line)
    if "unexpected end" in reason:
        return error(place, "A quotation mark is not closed before the end of the file.")
    if "field larger" in reason:
        found = "A field has more than 131,072 characters."
        return error(place, found, "", "Check for a quotation mark that is not closed.")
    if "expected after" in reason:
        found = "Text follows a closing quotation mark."
        return error(place, found, "", "Write a quotation mark inside a field twice.")
    return error(place, fill("The line cannot be read as a table: {reason}.", reason))
