"""Other layouts of ranked lists and judgements, read as trec_eval's lines.

Tables with a header line or other delimiters, three and four columns (BEIR, MS MARCO), and JSON by
query and document (ranx, pytrec_eval) or by record. The lines keep their numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from typing import Any

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.model.json_text import is_too_deep
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
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
QUERY_WORDS = frozenset(
    (b"qid", b"query", b"query_id", b"query-id", b"queryid", b"q_id", b"topic", b"topic_id")
)
DOCUMENT_WORDS = frozenset(
    (*(b"docid", b"doc_id", b"docno", b"did", b"document", b"document_id", b"doc"),
     *(b"corpus-id", b"corpus_id", b"pid", b"passage_id", b"iteration"))
)  # fmt: skip
SCORE_WORDS = frozenset((b"score", b"sim", b"similarity"))
GRADE_WORDS = frozenset((b"relevance", b"rel", b"label", b"grade", *SCORE_WORDS))
RANK_WORDS = frozenset((b"rank",))
RUN_NAME = b"run"
LARGEST = 1e300
DECISIVE = 3
"""First rows that decide on the layout of a table."""
SEPARATOR = re.compile(rb"[\"']?sep=[,;\t|][\"']?\s*$", re.IGNORECASE)
"""First line by which Excel knows the delimiter."""
_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile("[^#\\s\0\ud800-\udfff][^\\s\0\ud800-\udfff]*", re.ASCII)
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
    if is_role(head, role):
        return LineBlocks(chain((held,), blocks))
    at = _header_start(head, role)
    if at is not None:
        line = text.count(b"\n", 0, at) + 1
        defect = note(Place(path, line), "The line names the columns.", "It was left out.")
        masked = text[:at] + b"#" + text[at + 1 :]
        return LineBlocks(chain((masked,), blocks), (defect,))
    layout = find_layout(head, role)
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
    constant = {row[1].lower() for row in rows} <= {b"0", b"q0"} if count > 1 else True
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
    rows = _json_rows(text, role)
    return "".join(_json_line(*row, role) for row in rows).encode() if rows else None


def _json_line(query: str, document: str, value: float, role: Role) -> str:
    if role == "relevance":
        return f"{query} 0 {document} {value!r}\n"
    return f"{query} Q0 {document} 0 {value!r} {RUN_NAME.decode()}\n"


def _json_rows(text: bytes, role: Role) -> list[tuple[str, str, float]]:
    """Return query, document and number of each entry; nothing if there is anything else."""
    values = _json_values(text)
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    elif len(values) == 1 and isinstance(values[0], dict) and _json_row(values[0], role) is None:
        values = list(_entries(values[0]))
    rows = [_json_row(one, role) for one in values]
    found = [row for row in rows if row is not None]
    return found if len(found) == len(rows) else []


def _entries(queries: Mapping[str, Any]) -> Iterator[Any]:
    """Yield a record for each number by query and document; None for anything else."""
    for query, documents in queries.items():
        if not isinstance(documents, dict):
            yield None
            continue
        for document, value in documents.items():
            yield {"query": query, "document": document, "score": value}


def _json_values(text: bytes) -> list[Any]:
    """Return the JSON values of a text, one or several; nothing if it is not JSON."""

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise ValueError("duplicate members")
        return value

    decoder, values = json.JSONDecoder(object_pairs_hook=build), []
    try:
        shown = text.decode("utf-8")
        at = _skip_space(shown, 0)
        while at < len(shown):
            value, end = decoder.raw_decode(shown, at)
            values.append(value)
            at = _skip_space(shown, end)
        return [] if is_too_deep(shown) else values
    except (ValueError, RecursionError):
        return []


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _json_row(value: Any, role: Role) -> tuple[str, str, float] | None:
    if not isinstance(value, dict):
        return None
    query = _name(_member(value, QUERY_WORDS))
    document = _name(_member(value, DOCUMENT_WORDS))
    number = _member(value, SCORE_WORDS if role == "results" else GRADE_WORDS)
    if query is None or document is None or not _is_finite(number):
        return None
    return query, document, number


def _member(record: Mapping[str, Any], words: frozenset[bytes]) -> Any:
    found = (value for name, value in record.items() if _word(name) in words)
    return next(found, None)


def _word(name: str) -> bytes:
    return name.lower().encode("utf-8", "replace")


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LARGEST <= value <= LARGEST


def _name(value: Any) -> str | None:
    """Return an id as text, if trec_eval's lines can hold it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and _WORD.fullmatch(value) else None
