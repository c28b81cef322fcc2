"""Readers of the text shapes: each takes rows and returns places, with all that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from jurydesk.core.language import counted, fill, reason
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.keyword_spotting.overlap.readers.field_columns import (
    LARGEST,
    WHOLE,
    FieldColumn,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import (
    BOX,
    CORNERS,
    DOCUMENT_NAMES,
    QUERY_NAMES,
    YES_NO,
    Shape,
    csv_delimiter,
    csv_names,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import (
    LineFile,
    SpotFile,
    TableFile,
    listed_spots,
    spot_file,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import TextRows, csv_rows
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name
from jurydesk.core.tasks.keyword_spotting.trec.json_rows import QUERY_WORDS

Content = SpotFile | LineFile | TableFile
SIZES = ("w", "h")


class RowReader:
    """Reader of the columns of rows that collects the errors of their fields."""

    def __init__(self, rows: TextRows, shape: Shape) -> None:
        self.rows, self.shape = rows, shape
        self.log = BoundedDefects()

    def require(self, least: int, most: int | None = None) -> None:
        """Drop the rows with too few or too many columns, each with an error."""
        counts = self.rows.counts
        sound = counts >= least
        if most is not None:
            sound &= counts <= most
        for row in np.flatnonzero(~sound).tolist():
            given = counted(int(counts[row]), "column")
            expected = fill("Expected: {columns}.", self.shape.columns)
            is_cut = row == len(counts) - 1 and counts[row] < least
            hint = reason("The file may be cut off: it ends here.") if is_cut else ""
            self._add(row, fill("The line has {columns}.", given), expected, hint)
        if not sound.all():
            self.rows = self.rows.take(sound)

    def boxes(self, columns: Sequence[FieldColumn], names: Sequence[str]) -> IntArray:
        """Return the boxes (n, 4) of four columns, which are sizes or corners."""
        numbers = np.stack([self._wholes(*one) for one in zip(columns, names, strict=True)], 1)
        if tuple(names) == CORNERS:
            numbers[:, 2:] -= numbers[:, :2]
            for row in np.flatnonzero((numbers[:, 2:] < 0).any(axis=1)).tolist():
                found = "The second corner is left of the first, or above it."
                self._add(row, found, fill("Expected: {columns}.", self.shape.columns))
        return numbers

    def _wholes(self, column: FieldColumn, name: str) -> IntArray:
        values, is_whole = column.wholes()
        least = 0 if name in SIZES else -LARGEST
        wrong = ~is_whole | (values < least) | (values > LARGEST)
        for row in np.flatnonzero(wrong).tolist():
            text = decode_name(column[row])
            if not is_whole[row]:
                found = fill('{name} is "{text}", not a whole number.', name, text)
                self._add(row, found, "Boxes are in whole pixels.")
            else:
                found = fill("{name} is {text}.", name, text)
                expected = fill("A number from {least:,} to {most:,} is expected.", least, LARGEST)
                self._add(row, found, expected)
        return values

    def scores(self, column: FieldColumn, name: str = "score") -> FloatArray:
        """Return the finite numbers (n,) of a column."""
        values, is_number = column.decimals()
        for row in np.flatnonzero(~is_number).tolist():
            text = decode_name(column[row])
            found = fill('The {name} is "{text}", not a finite number.', name, text)
            self._add(row, found, "", "Write a decimal point." if "," in text else "")
        return values

    def add_if(self, wrong: BoolArray, column: FieldColumn, sentence: str, expected: str) -> None:
        """Add an error for each row in a mask, with the field in the sentence."""
        for row in np.flatnonzero(wrong).tolist():
            self._add(row, fill(sentence, decode_name(column[row])), expected)

    def _add(self, row: int, found: str, expected: str, hint: str = "") -> None:
        self.log.append(error(self.rows.place(row), found, expected, hint))


def read_boxes(reader: RowReader) -> Content:
    """Return boxes with or without scores: `query document x y w h [score]`."""
    columns = 6 + (reader.shape.role == "results")
    reader.require(columns, columns)
    rows = reader.rows
    boxes = reader.boxes([rows.column(place) for place in range(2, 6)], BOX)
    scores = reader.scores(rows.column(6)) if columns > 6 else None
    return spot_file(rows.path, rows.column(0), rows.column(1), boxes, scores, rows.lines)


def read_page_index(reader: RowReader) -> Content:
    """Return the boxes of an index over pages: `page word score x1 y1 x2 y2`."""
    reader.require(7, 7)
    rows = reader.rows
    boxes = reader.boxes([rows.column(place) for place in range(3, 7)], CORNERS)
    scores = reader.scores(rows.column(2))
    return spot_file(rows.path, rows.column(1), rows.column(0), boxes, scores, rows.lines)


def read_line_index(reader: RowReader) -> Content:
    """Return the segments of an index over lines: `line word score start end total`."""
    reader.require(3)
    rows = reader.rows
    scores = reader.scores(rows.column(2))
    return spot_file(rows.path, rows.column(1), rows.column(0), None, scores, rows.lines)


def read_segments(reader: RowReader) -> Content:
    """Return segments with or without scores: `query location [score]`."""
    columns = 2 + (reader.shape.role == "results")
    reader.require(columns, columns)
    rows = reader.rows
    if len(rows) and columns == 2 and rows.row(0)[0].lower() in QUERY_WORDS:
        found = "The first line looks like names of columns."
        hint = "Remove it, unless it is a query and its place."
        reader.log.append(warning(rows.place(0), found, "It counts as any other line.", hint))
    scores = reader.scores(rows.column(2)) if columns > 2 else None
    return spot_file(rows.path, rows.column(0), rows.column(1), None, scores, rows.lines)


def read_labels(reader: RowReader) -> Content:
    """Return the label of each item as its query: `item label`."""
    reader.require(2, 2)
    rows = reader.rows
    return spot_file(rows.path, rows.column(1), rows.column(0), None, None, rows.lines)


def read_page_words(reader: RowReader) -> Content:
    """Return the words of a page of GW20: `x1 y1 x2 y2 word`, the file's name is the page."""
    reader.require(5, 5)
    rows = reader.rows
    boxes = reader.boxes([rows.column(place) for place in range(4)], CORNERS)
    found = spot_file(rows.path, rows.column(4), rows.column(4), boxes, None, rows.lines)
    page = Place(rows.path).name.partition(".")[0]
    names = [found.queries[number] for number in found.spots.query.tolist()]
    return listed_spots(rows.path, names, [page] * len(rows), boxes.tolist(), rows.lines.tolist())


def read_iam_words(reader: RowReader) -> Content:
    """Return the words of IAM's words.txt; those that are marked as wrong count."""
    reader.require(9)
    rows = reader.rows
    boxes = reader.boxes([rows.column(place) for place in range(3, 7)], BOX)
    ids = [decode_name(text) for text in rows.column(0).texts()]
    words = [decode_name(b" ".join(row[8:])) for row in rows]
    wrong = int(rows.column(1).equals(b"err").sum())
    if wrong:
        count = counted(wrong, "word")
        found = fill("{words} whose segmentation is marked as wrong (err).", count)
        place = Place(rows.path)
        reader.log.append(warning(place, found, "They count like the others.", count=wrong))
    forms = ["-".join(name.split("-")[:2]) for name in ids]
    return listed_spots(rows.path, words, forms, boxes.tolist(), rows.lines.tolist())


def read_line_truth(reader: RowReader) -> Content:
    """Return the words of lines: `page line x1 y1 x2 y2 word word ...`."""
    reader.require(6)
    rows = reader.rows
    lines = reader.boxes([rows.column(place) for place in range(2, 6)], CORNERS).tolist()
    found = [
        (decode_name(word), number, decode_name(row[0]), decode_name(row[1]))
        for number, row in enumerate(rows)
        for word in row[6:]
    ]
    words, numbers, pages, names = zip(*found, strict=True) if found else ((), (), (), ())
    at = [int(rows.lines[number]) for number in numbers]
    boxes = [lines[number] for number in numbers]
    return LineFile(
        listed_spots(rows.path, words, pages, boxes, at),
        listed_spots(rows.path, words, names, None, at),
    )


def read_course(reader: RowReader) -> Content:
    """Return the words of word images: `270-01-01 O-r-d-e-r-s`."""
    reader.require(2, 2)
    rows = reader.rows
    return spot_file(rows.path, rows.column(1), rows.column(0), None, None, rows.lines)


def read_course_results(reader: RowReader) -> Content:
    """Return distances of word images: `keyword,id,distance,id,distance...`; small is good."""
    found: list[tuple[str, str, float, int]] = []
    for number, row in enumerate(reader.rows):
        fields = [field.strip() for field in b" ".join(row).split(b",")]
        if len(fields) < 3 or len(fields) % 2 == 0:
            given = counted(len(fields), "field")
            place = reader.rows.place(number)
            expected = fill("Expected: {columns}.", reader.shape.columns)
            reader.log.append(error(place, fill("The line has {fields}.", given), expected))
            continue
        keyword, line = decode_name(fields[0]), int(reader.rows.lines[number])
        values = _distances(reader, number, fields[2::2])
        names = map(decode_name, fields[1::2])
        found += [(keyword, name, value, line) for name, value in zip(names, values, strict=True)]
    queries, documents, scores, lines = zip(*found, strict=True) if found else ((), (), (), ())
    read = listed_spots(reader.rows.path, queries, documents, None, lines, scores)
    return SpotFile(read.path, read.queries, read.documents, read.spots, "segments", "asc")


def _distances(reader: RowReader, row: int, fields: Sequence[bytes]) -> list[float]:
    values = []
    for field in fields:
        number = float(field) if _is_finite(field) else float("nan")
        if number != number:
            found = fill(
                'The {name} is "{text}", not a finite number.', "distance", decode_name(field)
            )
            reader.log.append(error(reader.rows.place(row), found))
        values.append(number)
    return values


def _is_finite(field: bytes) -> bool:
    try:
        return bool(np.isfinite(float(field))) and b"_" not in field
    except ValueError:
        return False


def read_docexplore(reader: RowReader) -> Content:
    """Return ranked boxes: `query: image_x1_y1_x2_y2 ...`, the best first."""
    queries, documents, boxes, ranks, lines = [], [], [], [], []
    for number, row in enumerate(reader.rows):
        query = decode_name(row[0].removesuffix(b":"))
        for rank, field in enumerate(row[1:]):
            image, *corners = field.rsplit(b"_", 4)
            numbers = [int(one) for one in corners if WHOLE.fullmatch(one) and len(one) < 11]
            if len(numbers) < 4 or numbers[2] < numbers[0] or numbers[3] < numbers[1]:
                text = decode_name(field)
                found = fill('"{text}" is not a box of an image.', text)
                expected = fill("Expected: {columns}.", reader.shape.columns)
                reader.log.append(error(reader.rows.place(number), found, expected))
                continue
            queries.append(query)
            documents.append(decode_name(image))
            left, top, right, bottom = numbers
            boxes.append([left, top, right - left, bottom - top])
            ranks.append(-float(rank))
            lines.append(int(reader.rows.lines[number]))
    read = listed_spots(reader.rows.path, queries, documents, boxes, lines, ranks)
    return SpotFile(read.path, read.queries, read.documents, read.spots, "boxes", has_scores=False)


YES_OR_NO = "0 or 1, yes or no is expected in the third column."


def read_event_table(reader: RowReader) -> Content:
    """Return the events of a table: `line word relevant score`; further columns are ignored."""
    reader.require(4)
    rows = reader.rows
    flags = rows.column(2)
    names, number = flags.names()
    known = np.array([name.lower() in YES_NO or name[:1] in b"01" for name in names], np.bool_)
    wrong = ~known[number] if len(names) else np.zeros(0, np.bool_)
    reader.add_if(wrong, flags, 'The relevance is "{text}".', YES_OR_NO)
    first = np.array([name[:1] in b"1tTyY" for name in names], np.bool_)
    scores = reader.scores(rows.column(3))
    words, word = rows.column(1).names()
    places, place = rows.column(0).names()
    return TableFile(
        rows.path,
        tuple(map(decode_name, words)),
        tuple(map(decode_name, places)),
        word,
        place,
        first[number] if len(names) else np.zeros(0, np.bool_),
        scores,
        rows.lines,
    )


READERS: dict[str, Callable[[RowReader], Content]] = {
    "boxes": read_boxes,
    "page-index": read_page_index,
    "line-index": read_line_index,
    "segments": read_segments,
    "labels": read_labels,
    "gtp": read_page_words,
    "iam": read_iam_words,
    "line-truth": read_line_truth,
    "course": read_course,
    "course-results": read_course_results,
    "docexplore": read_docexplore,
    "table": read_event_table,
}
"""Readers of rows by the name of the shape."""


def read_csv(path: str, data: bytes, shape: Shape) -> tuple[Content | None, tuple[Defect, ...]]:
    """Return the boxes of a CSV file whose head names the columns."""
    places = csv_names(data)
    head = data.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    try:
        names, rows = csv_rows(path, data, csv_delimiter(head))
    except ValueError as fault:
        line = int(str(fault)) if str(fault).isdigit() else 1
        found = "A quotation mark is out of place."
        hint = "Save the table again as CSV."
        return None, (error(Place(path, line), found, "", hint),)
    reader = RowReader(rows, replace(shape, columns=", ".join(names)))
    reader.require(len(names), len(names))
    rows = reader.rows
    kind = BOX if set(BOX) <= set(places) else CORNERS
    query, document = (
        rows.column(next(places[name] for name in known if name in places))
        for known in (QUERY_NAMES, DOCUMENT_NAMES)
    )
    boxes = reader.boxes([rows.column(places[name]) for name in kind], kind)
    scores = reader.scores(rows.column(places["score"])) if "score" in places else None
    content = spot_file(path, query, document, boxes, scores, rows.lines)
    return content, reader.log.to_tuple()
