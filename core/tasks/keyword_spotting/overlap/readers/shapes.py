"""Shapes of the files of keyword spotting by overlap, told apart by their first lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from jurydesk.core.language import translatable
from jurydesk.core.readers.text_file import UTF8_MARK, UTF16_MARKS, text_head
from jurydesk.core.tasks.keyword_spotting.overlap.readers.field_columns import DECIMAL, WHOLE
from jurydesk.core.tasks.keyword_spotting.trec.layouts import are_names

Role = Literal["relevance", "results"]
Holds = Literal["boxes", "segments", "lines", "table"]

LOOKED_AT = 200
"""Lines from the top that are looked at."""
YES_NO = (b"0", b"1", b"yes", b"no", b"y", b"n", b"t", b"f", b"true", b"false")
TREC_SECOND = (b"0", b"Q0")
COURSE_ID = re.compile(rb"[0-9]+-[0-9]+-[0-9]+")
DOCEXPLORE_BOX = re.compile(rb".+_[0-9]+_[0-9]+_[0-9]+_[0-9]+")
DELIMITERS = ",;\t"
BOX = ("x", "y", "w", "h")
CORNERS = ("x1", "y1", "x2", "y2")
QUERY_NAMES = ("query", "word", "keyword")
DOCUMENT_NAMES = ("document", "page", "image")
SEPARATORS = {
    b";": translatable("semicolons"),
    b"|": translatable("bars"),
    b",": translatable("commas"),
}
"""Signs that people write between fields in the place of blanks."""
HEAD = 1 << 16
"""Bytes from the top that tell which sign it is."""
SHORT = 40
"""Letters of a number that is looked at."""
LEAST_LINES = 4
"""Lines from which two or three plain fields say something: many other texts have fewer."""
Fields = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Shape:
    """Shape of a file: its name for `--format`, its role, what it holds, and its columns."""

    name: str
    role: Role
    holds: Holds
    title: str
    columns: str
    confidence: float = 0.9


def _are_whole(fields: Fields) -> bool:
    return all(WHOLE.fullmatch(field) for field in fields)


def _is_number(field: bytes) -> bool:
    return DECIMAL.fullmatch(field) is not None


def _is_fraction(field: bytes) -> bool:
    return _is_number(field) and WHOLE.fullmatch(field) is None


def _is_share(field: bytes) -> bool:
    return _is_number(field) and len(field) < SHORT and 0 <= float(field) <= 1


def _is_score(field: bytes) -> bool:
    """Return whether a field is a number, with a decimal comma too, which its reader refuses."""
    return _is_number(field.replace(b",", b".", 1))


def _is_course_result(fields: Fields) -> bool:
    parts = b" ".join(fields).split(b",")
    if len(parts) == 7 and _are_whole(parts[2:6]):  # a box
        return False
    return len(parts) >= 3 and len(parts) % 2 == 1 and all(map(_is_number, parts[2::2]))


def _names_sizes(fields: Fields) -> bool:
    """Return whether a head names sizes of pictures, which are no distances."""
    names = b" ".join(fields).lower().split(b",")
    return bool({name.strip(b' "') for name in names} & {b"width", b"height", b"w", b"h"})


def _is_docexplore(fields: Fields) -> bool:
    return fields[0].endswith(b":") and all(map(DOCEXPLORE_BOX.fullmatch, fields[1:]))


TEXT_SHAPES: dict[Shape, Callable[[Fields], bool]] = {
    Shape(
        "boxes",
        "relevance",
        "boxes",
        translatable("relevant boxes (text)"),
        "query document x y w h",
    ): lambda f: len(f) == 6 and _are_whole(f[2:]),
    Shape(
        "boxes",
        "results",
        "boxes",
        translatable("listed boxes (text)"),
        "query document x y w h score",
    ): lambda f: len(f) == 7 and _are_whole(f[2:6]) and _is_score(f[6]),
    Shape(
        "page-index",
        "results",
        "boxes",
        translatable("an index over pages"),
        "page word score x1 y1 x2 y2",
    ): lambda f: len(f) == 7 and _is_fraction(f[2]) and _are_whole(f[3:]),
    Shape(
        "line-index",
        "results",
        "segments",
        translatable("an index over lines"),
        "line word score start end total",
    ): lambda f: len(f) == 6 and _is_fraction(f[2]) and _are_whole(f[3:]),
    Shape(
        "iam",
        "relevance",
        "boxes",
        translatable("words of IAM"),
        "id ok|err graylevel x y w h tag word",
    ): lambda f: len(f) >= 9 and f[1] in (b"ok", b"err") and _are_whole(f[2:7]),
    Shape(
        "line-truth",
        "relevance",
        "lines",
        translatable("lines with their words"),
        "page line x1 y1 x2 y2 word...",
    ): lambda f: len(f) >= 7 and _are_whole(f[2:6]),
    Shape(
        "gtp", "relevance", "boxes", translatable("words of a page (.gtp)"), "x1 y1 x2 y2 word"
    ): lambda f: len(f) == 5 and _are_whole(f[:4]),
    Shape(
        "gw20",
        "relevance",
        "boxes",
        translatable("words of a page as shares of its image (GW20)"),
        "x1 x2 y1 y2",
    ): lambda f: len(f) == 4 and all(map(_is_share, f)) and any(map(_is_fraction, f)),
    Shape(
        "table", "results", "table", translatable("a table of events"), "line word relevant score"
    ): lambda f: len(f) >= 4 and f[2].lower() in YES_NO and _is_number(f[3]),
    Shape(
        "docexplore",
        "results",
        "boxes",
        translatable("DocExplore results"),
        "query: image_x1_y1_x2_y2...",
    ): _is_docexplore,
    Shape(
        "course-results",
        "results",
        "segments",
        translatable("distances of word images"),
        "keyword,id,distance,id,distance...",
    ): _is_course_result,
    Shape(
        "course",
        "relevance",
        "segments",
        translatable("transcriptions of word images"),
        "id letters",
    ): lambda f: len(f) == 2 and COURSE_ID.fullmatch(f[0]) is not None,
    Shape(
        "segments",
        "results",
        "segments",
        translatable("listed segments"),
        "query location score",
        0.6,
    ): lambda f: len(f) == 3 and _is_score(f[2]),
    Shape(
        "segments",
        "relevance",
        "segments",
        translatable("relevant segments"),
        "query location",
        0.5,
    ): lambda f: len(f) == 2,
}
"""Text shapes with what each line is, the surest first."""

_CSV_COLUMNS = "query document x y w h"
CSV: dict[Role, Shape] = {
    "relevance": Shape(
        "csv", "relevance", "boxes", translatable("relevant boxes (CSV)"), _CSV_COLUMNS
    ),
    "results": Shape("csv", "results", "boxes", translatable("listed boxes (CSV)"), _CSV_COLUMNS),
}
LABELS = Shape("labels", "relevance", "segments", translatable("labels of items"), "item label")
LOCATIONS = Shape("word-locations", "relevance", "boxes", "wordLocations (XML)", "")
PAGE = Shape("page", "relevance", "boxes", "PAGE (XML)", "")
ROOTS = {"wordLocations": LOCATIONS, "PcGts": PAGE}
ALL_SHAPES = (*TEXT_SHAPES, *CSV.values(), LABELS, LOCATIONS, PAGE)
FORMATS = tuple(dict.fromkeys(shape.name for shape in ALL_SHAPES))
_ROOT = re.compile(rb"<(?![?!])(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")


def shape_of(head: bytes, least_lines: int = 1) -> Shape | None:
    """Return the shape of a file that begins with `head` (gzipped or not); None for another.

    Segments have at least so many lines.
    """
    text = text_head(head).removeprefix(UTF8_MARK)
    if not text.strip() or b"\0" in text or text.startswith(UTF16_MARKS):
        return None
    if text.lstrip().startswith(b"<"):
        root = _ROOT.search(text)
        return ROOTS.get(root[1].decode("ascii", "replace")) if root else None
    if text.lstrip().startswith((b"{", b"[")):
        return None
    if names := csv_names(text):
        return CSV["results" if "score" in names else "relevance"]
    return _shape_of_lines(_first_lines(text), least_lines)


def blank_separated(data: bytes, least_lines: int = 1) -> tuple[bytes, bytes]:
    """Return a text whose fields blanks separate, and the sign that did; empty if it was blanks.

    A text that has a shape as it is, JSON and XML stay.
    """
    head = data[:HEAD].removeprefix(UTF8_MARK)
    if head.lstrip().startswith((b"{", b"[", b"<")) or shape_of(head) is not None:
        return data, b""
    rows = _first_lines(head)
    if len(rows) < least_lines or any(len(row) > 1 for row in rows):
        return data, b""
    for mark in SEPARATORS:
        counts = {row[0].count(mark) for row in rows}
        if len(counts) == 1 and counts != {0}:
            return data.replace(mark, b" "), mark
    return data, b""


def named_shapes(name: str, role: Role) -> list[Shape]:
    """Return the shapes of a name, those of a role first."""
    found = [shape for shape in ALL_SHAPES if shape.name == name]
    return sorted(found, key=lambda shape: shape.role != role)


def csv_names(text: bytes) -> dict[str, int]:
    """Return the places of the columns that a CSV file of boxes names; none for another file."""
    line = text.removeprefix(UTF8_MARK).lstrip().split(b"\n", 1)[0]
    head = line.decode("utf-8", "replace").strip()
    delimiter = csv_delimiter(head)
    if not delimiter:
        return {}
    try:
        names = next(csv.reader([head], delimiter=delimiter), [])
    except csv.Error:
        return {}
    places = {name.strip().lower(): place for place, name in enumerate(names)}
    is_box = set(BOX) <= set(places) or set(CORNERS) <= set(places)
    is_named = any(name in places for name in QUERY_NAMES)
    return places if is_box and is_named and any(one in places for one in DOCUMENT_NAMES) else {}


def csv_delimiter(head: str) -> str:
    """Return the sign that separates the fields of a head of CSV; empty for none."""
    found = max(DELIMITERS, key=head.count)
    return found if found in head else ""


def _first_lines(text: bytes) -> list[list[bytes]]:
    """Return the fields of the first lines without comments; a line cut short is left out."""
    if b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    lines = text.split(b"\n")
    complete = lines[:-1] if len(lines) > 1 else lines
    rows = (line.split() for line in complete)
    found = [row for row in rows if row and not row[0].startswith(b"#")]
    return found[:LOOKED_AT]


def _shape_of_lines(rows: Sequence[Fields], least_lines: int) -> Shape | None:
    """Return the surest shape that most of the lines have; None for trec_eval's files."""
    if not rows or all(len(row) > 3 and row[1] in TREC_SECOND for row in rows):
        return None
    if len(rows) > 1 and len(rows[0]) == 1 and rows[0][0].isdigit():
        rows = rows[1:]  # the number of the others (GW20)
    is_headed = are_names(rows[0])  # as BEIR's judgements are
    return next(
        (
            shape
            for shape, is_line in TEXT_SHAPES.items()
            if sum(map(is_line, rows)) * 2 > len(rows)
            and (shape.name != "segments" or (len(rows) >= least_lines and not is_headed))
            and (shape.name != "course-results" or not _names_sizes(rows[0]))
        ),
        None,
    )
