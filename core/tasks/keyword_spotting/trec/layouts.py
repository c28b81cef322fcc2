"""Other layouts of ranked lists and judgements, read as trec_eval's lines.

Tables with a header line or other delimiters, three and four columns (BEIR, MS MARCO), and JSON by
query and document (ranx, pytrec_eval) or by record. The lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.keyword_spotting.trec.json_rows import (
    DOCUMENT_WORDS,
    GRADE_WORDS,
    QUERY_WORDS,
    SCORE_WORDS,
    json_rows,
)
from jurydesk.core.tasks.keyword_spotting.trec.lines import NUMBER, WHOLE
from jurydesk.core.tasks.keyword_spotting.trec.named_columns import name_columns, split_cells
from jurydesk.core.tasks.keyword_spotting.trec.trec_sniff import HEAD, Role, is_role

DELIMITERS: Mapping[bytes | None, str] = {
    b",": translatable("commas"),
    b";": translatable("semicolons"),
    b"|": translatable("bars"),
    None: translatable("blanks"),
}
TAB = b"\t"
"""Delimiter of tables whose columns are named; tabs are blanks otherwise."""
RANK_WORDS = frozenset((b"rank",))
RUN_NAME = b"run"
DECISIVE = 3
"""First rows that decide on the layout of a table."""
SEPARATOR = re.compile(rb"[\"']?sep=[,;\t|][\"']?\s*$", re.IGNORECASE)
"""First line by which Excel knows the delimiter."""
READ = translatable("It was read as trec_eval's lines.")
OF_RANKS = translatable("It was read as trec_eval's lines; the score is the negative rank.")


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of a file: a function that returns trec_eval's lines, and a note about it.

    The function raises `UnfitLineError`, or returns None if the file has another layout.
    """

    convert: Callable[[bytes], bytes | None]
    found: str
    hint: str = READ


class UnfitLineError(Exception):
    """Line that does not have the layout of the first ones."""

    def __init__(self, line: int, hint: str = "") -> None:
        super().__init__(line)
        self.line, self.hint = line, hint


@dataclass(frozen=True, slots=True)
class LineBlocks:
    """Blocks of trec_eval's lines, what was read otherwise, and the layout unless it is theirs."""

    blocks: Iterator[bytes]
    defects: tuple[Defect, ...] = ()
    layout: Layout | None = None


def read_lines(blocks: Iterator[bytes], role: Role, path: str) -> LineBlocks:
    """Return the blocks of a file as those of trec_eval's lines, if it has another layout.

    An error is among the defects if some lines do not have that layout.
    """
    held = b""
    while len(held) <= HEAD + len(UTF8_MARK) and (block := next(blocks, b"")):
        held += block
    text = held.removeprefix(UTF8_MARK)
    head = text[:HEAD]
    indexed = _index_layout(head, role)
    if indexed is None and is_role(head, role):
        return LineBlocks(chain((held,), blocks))
    at = _header_start(head, role)
    if at is not None:
        line = text.count(b"\n", 0, at) + 1
        defect = note(Place(path, line), "The line names the columns.", "It was left out.")
        masked = text[:at] + b"#" + text[at + 1 :]
        return LineBlocks(chain((masked,), blocks), (defect,))
    layout = indexed or find_layout(head, role)
    if layout is None:
        return LineBlocks(chain((held,), blocks))
    whole = b"".join((text, *blocks))
    try:
        lines = layout.convert(whole)
    except UnfitLineError as unfit:
        place = Place(path, unfit.line or None)
        expected = "Here is another layout."
        return LineBlocks(iter((whole,)), (error(place, layout.found, expected, unfit.hint),))
    if lines is None:
        return LineBlocks(iter((whole,)))
    return LineBlocks(iter((lines,)), (note(Place(path), layout.found, layout.hint),), layout)


def find_layout(head: bytes, role: Role) -> Layout | None:
    """Return the layout that the first lines of a file have; None for an unknown one."""
    start = head.lstrip()
    if start.startswith((b"{", b"[")):
        return _json_layout(role)
    if b"\0" in head or start.startswith(b"<"):
        return None
    for delimiter in (TAB, *DELIMITERS):
        layout = _table_layout(head, role, delimiter)
        if layout is not None:
            return layout
    return None


def has_named_columns(head: bytes, role: Role) -> bool:
    """Return whether a file begins with the names of its columns, and has such a layout."""
    text = text_head(head).removeprefix(UTF8_MARK)
    line = next(filter(_has_content, text.split(b"\n")), b"")
    named = any(are_names(split_cells(line, one)) for one in (TAB, *DELIMITERS))
    return named and find_layout(text, role) is not None


def _header_start(head: bytes, role: Role) -> int | None:
    """Return where the line of column names begins, after which trec_eval's lines follow."""
    start = 0
    for line in head.split(b"\n")[:-1]:
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            rest = head[start + len(line) + 1 :]
            is_header = are_names(fields) and len(fields) == LEAST[role]
            return head.find(fields[0], start) if is_header and is_role(rest, role) else None
        start += len(line) + 1
    return None


def are_names(fields: Sequence[bytes]) -> bool:
    """Return whether fields name the columns of a table with queries, and documents or grades."""
    words = {field.strip(b'"').lower() for field in fields}
    return bool(words & QUERY_WORDS) and bool(words & (DOCUMENT_WORDS | GRADE_WORDS | RANK_WORDS))


LEAST = {"relevance": 4, "results": 6}
"""Fields of trec_eval's lines."""


def _table_layout(head: bytes, role: Role, delimiter: bytes | None) -> Layout | None:
    lines = head.split(b"\n")
    complete = lines[:-1] if len(lines) > 1 else lines
    rows = [split_cells(line, delimiter) for line in complete if _has_content(line)]
    names = rows.pop(0) if rows and are_names(rows[0]) else None
    rows = rows[:DECISIVE]
    counts = {len(row) for row in rows} | ({len(names)} if names else set())
    if not rows or len(counts) != 1:
        return None
    count = counts.pop()
    columns = _columns(rows, role, count, names)
    named = None if names is None else name_columns(names, rows, role)
    if named is not None and not _agree(columns, named):
        pairs = zip(names or (), named, strict=True)
        shown = [name.decode(errors="replace") for name, is_read in pairs if is_read]
        found = fill(
            "The lines have {count} fields, of which these are read: {names}.",
            count,
            ", ".join(shown),
        )
        hint = READ if role == "relevance" or "score" in named else OF_RANKS
        return Layout(_Table(delimiter, count, named, role, is_named=True).convert, found, hint)
    if columns is None or delimiter == TAB or (delimiter is None and count >= LEAST[role]):
        return None
    found = fill(
        "The lines have {count} fields, separated by {phrase}: {names}.",
        count,
        DELIMITERS[delimiter],
        ", ".join(columns),
    )
    hint = READ
    if role == "results" and "score" not in columns:
        hint = OF_RANKS
    table = _Table(delimiter, count, columns, role)
    return Layout(table.convert, found, hint)


def _agree(columns: tuple[str, ...] | None, named: tuple[str, ...]) -> bool:
    """Return whether the columns by their places are those that their names tell."""
    pairs = zip_longest(columns or (), named, fillvalue="")
    return columns is not None and all(one == other for one, other in pairs if other)


def _has_content(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"#") and not SEPARATOR.match(line)


def _are_constant(rows: Sequence[Sequence[bytes]], column: int) -> bool:
    """Return whether a column is the second one of trec_eval's lines: 0 or Q0."""
    return all(row[column].lower() in (b"0", b"q0") for row in rows)


def _index_layout(head: bytes, role: Role) -> Layout | None:
    """Return the layout of trec_eval's lines after a column that counts them, as pandas' index."""
    lines = head.split(b"\n")
    complete = [line for line in (lines[:-1] if len(lines) > 1 else lines) if _has_content(line)]
    for delimiter in (None, TAB, b",", b";"):
        rows = [split_cells(line, delimiter) for line in complete[:DECISIVE]]
        count = LEAST[role] + 1
        if len(rows) < 2 or {len(row) for row in rows} != {count} or not _are_constant(rows, 2):
            continue
        first = rows[0][0]
        if first not in (b"0", b"1") or _are_constant(rows, 1):
            continue
        if [row[0] for row in rows] == [b"%d" % (int(first) + i) for i in range(len(rows))]:
            found = translatable("The first column counts the lines.")
            return Layout(partial(_without_index, delimiter=delimiter, count=count), found)
    return None


def _without_index(text: bytes, delimiter: bytes | None, count: int) -> bytes:
    """Return the lines without their first field; raise UnfitLineError for another layout."""
    lines = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        is_row = _has_content(line)
        row = split_cells(line, delimiter) if is_row else []
        if is_row and (len(row) != count or any(len(cell.split()) != 1 for cell in row)):
            raise UnfitLineError(number, "Every line needs the same fields, without blanks inside.")
        lines.append(b" ".join(row[1:]) if is_row else line)
    return b"\n".join(lines)


def _columns(
    rows: Sequence[Sequence[bytes]], role: Role, count: int, names: Sequence[bytes] | None
) -> tuple[str, ...] | None:
    """Return what the columns of a table are; None if they are unknown."""

    def are_numbers(column: int) -> bool:
        return all(NUMBER.fullmatch(row[column]) for row in rows)

    if role == "relevance":
        if count == 4 and are_numbers(3):
            return ("query", "0", "document", "relevance")
        is_third = count == 3 and are_numbers(2)
        return ("query", "document", "relevance") if is_third else None
    if count >= 6 and are_numbers(4):
        return ("query", "Q0", "document", "rank", "score", "run name")
    constant = _are_constant(rows, 1) if count > 1 else True
    if count == 5 and constant and are_numbers(4):
        return ("query", "Q0", "document", "rank", "score")
    if count == 4 and not constant and are_numbers(3):
        is_ranked = all(WHOLE.fullmatch(row[2]) for row in rows)
        return ("query", "document", "rank", "score") if is_ranked else None
    if count == 3 and are_numbers(2):
        last = names[2].strip(b'"').lower() if names else b""
        if last in SCORE_WORDS or not all(WHOLE.fullmatch(row[2]) for row in rows):
            return ("query", "document", "score")
        return ("query", "document", "rank")
    return None


@dataclass(frozen=True, slots=True)
class _Table:
    """Table whose rows become trec_eval's lines."""

    delimiter: bytes | None
    count: int
    columns: tuple[str, ...]
    role: Role
    is_named: bool = False

    def convert(self, text: bytes) -> bytes:
        """Return a line for every line; raise UnfitLineError for one of another layout."""
        lines: list[bytes] = []
        ranks: dict[bytes, list[int]] = {}
        is_first = True
        for number, line in enumerate(text.split(b"\n"), start=1):
            if not _has_content(line):
                lines.append(b"#" if SEPARATOR.match(line) else line)
                continue
            row = split_cells(line, self.delimiter)
            if is_first and are_names(row):
                lines.append(b"#")
            else:
                lines.append(self._line(row, number, ranks))
            is_first = False
        if (
            not self.is_named
            and "rank" in self.columns[:3]
            and not all(map(_is_sequence, ranks.values()))
        ):
            raise UnfitLineError(0, "The third column holds no ranks from 1: give six columns.")
        return b"\n".join(lines)

    def _line(self, row: Sequence[bytes], number: int, ranks: dict[bytes, list[int]]) -> bytes:
        if len(row) != self.count:
            raise UnfitLineError(number, "Every line needs the same fields, without blanks inside.")
        read = {name: cell for name, cell in zip(self.columns, row, strict=False) if name}
        cells = list(read.values()) if self.is_named else row
        if b"\0" in b"".join(cells) or not all(len(one.split()) == 1 for one in cells):
            raise UnfitLineError(number, "Every line needs the same fields, without blanks inside.")
        if not self.is_named and self.count >= LEAST[self.role]:
            return b" ".join(row)
        query, document = read["query"], read["document"]
        if self.role == "relevance":
            return b" ".join((query, b"0", document, read["relevance"]))
        rank, score = read.get("rank", b"0"), read.get("score")
        if "rank" in read and not WHOLE.fullmatch(rank):
            raise UnfitLineError(number, "The rank is not a whole number.")
        if "rank" in read:
            ranks.setdefault(query, []).append(int(rank))
        score = str(-int(rank)).encode() if score is None else score
        return b" ".join((query, b"Q0", document, rank, score, RUN_NAME))


def _is_sequence(ranks: Sequence[int]) -> bool:
    first = min(ranks)
    return first in (0, 1) and sorted(ranks) == list(range(first, first + len(ranks)))


def _json_layout(role: Role) -> Layout:
    found = translatable("The file is JSON, not lines with fields.")
    return Layout(partial(_convert_json, role=role), found)


def _convert_json(text: bytes, role: Role) -> bytes | None:
    rows = json_rows(text, role)
    return "".join(_json_line(*row, role) for row in rows).encode() if rows else None


def _json_line(query: str, document: str, value: float, role: Role) -> str:
    if role == "relevance":
        return f"{query} 0 {document} {value!r}\n"
    return f"{query} Q0 {document} 0 {value!r} {RUN_NAME.decode()}\n"
