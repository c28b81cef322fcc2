"""Columns of trec_eval lines grouped by query, and the line-by-line reader."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from jurydesk.core.language import counted, fill, reason
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.keyword_spotting.trec.document_names import ListedNames, Names, decode_name
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece

Column = TypeVar("Column", FloatArray, IntArray)

RESULT_FIELDS = "query, Q0, document, rank, score, run name"
JUDGEMENT_FIELDS = "query, 0, document, relevance"
NUMBER = re.compile(
    rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?", re.IGNORECASE
)
WHOLE = re.compile(rb"[-+]?\d{1,18}")
_DECIMAL_COMMA = re.compile(rb"[-+]?\d+,(?!\d{3}$)\d+")
_C_NUMBER = re.compile(
    rb"[-+]?(?:(?P<hex>0x(?:[\da-f]{1,13}\.?[\da-f]{0,4}|\.[\da-f]{1,13})(?:p[-+]?\d{1,3})?)"
    rb"|(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|infinity|inf|nan)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class RowsByQuery:
    """Rows grouped by query: query `i` owns the rows `starts[i]:starts[i + 1]`.

    `order` are the rows as they were read, where queries were interleaved. `lines` is the line of
    each row, or that of the first where there is a row on every line.
    """

    queries: tuple[str, ...]
    starts: IntArray
    order: IntArray | None
    lines: IntArray | int

    def line(self, row: int) -> int:
        """Return the line number of a row."""
        if isinstance(self.lines, int):
            return self.lines + int(row if self.order is None else self.order[row])
        return int(self.lines[row])

    def owners(self) -> IntArray:
        """Return the query of each row, as its number."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))


@dataclass(frozen=True, slots=True, eq=False)
class ResultRows:
    """Lines of a result file, grouped by query: documents, scores and the rank column.

    `ranks` is None where one of them is no whole number.
    """

    blocks: RowsByQuery
    names: Names
    sims: FloatArray
    ranks: IntArray | None
    run_name: str
    defects: BoundedDefects = field(default_factory=BoundedDefects)


@dataclass(frozen=True, slots=True, eq=False)
class JudgementRows:
    """Lines of a relevance file, grouped by query: documents and their relevance."""

    blocks: RowsByQuery
    names: Names
    relevance: FloatArray
    defects: BoundedDefects = field(default_factory=BoundedDefects)


def group_rows(queries: Sequence[str], starts: IntArray, lines: IntArray | int) -> RowsByQuery:
    """Group rows by query, from runs of rows of the same query."""
    codes: dict[str, int] = {}
    run_codes = np.array([codes.setdefault(query, len(codes)) for query in queries], np.int64)
    if len(codes) == len(queries):
        return RowsByQuery(tuple(queries), starts, None, lines)
    owners = np.repeat(run_codes, np.diff(starts))
    order = np.argsort(owners, kind="stable")
    counts = np.bincount(owners, minlength=len(codes))
    if not isinstance(lines, int):
        lines = lines[order]
    return RowsByQuery(tuple(codes), np.concatenate([[0], np.cumsum(counts)]), order, lines)


@dataclass(slots=True)
class _Lines:
    """Collector of valid lines' fields and of invalid lines' defects."""

    path: str
    fields: list[list[bytes]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    wrong: BoundedDefects = field(default_factory=BoundedDefects)

    def refuse(self, line: int, found: str, expected: str, hint: str) -> None:
        self.wrong.append(error(Place(self.path, line), found, expected, hint))

    def blocks(self) -> RowsByQuery:
        queries = [fields[0] for fields in self.fields]
        begins = [i for i in range(len(queries)) if i == 0 or queries[i] != queries[i - 1]]
        starts = np.array([*begins, len(queries)], dtype=np.int64)
        lines = np.array(self.numbers, dtype=np.int64)
        return group_rows([decode_name(queries[i]) for i in begins], starts, lines)


def read_result_rows(piece: Piece, path: str) -> ResultRows:
    """Return the rows of a piece of a result file, and a defect for every line that is none."""
    lines = _read(piece, path, _is_result)
    blocks = lines.blocks()
    sims = np.array([float(fields[4]) for fields in lines.fields])
    ranks = [fields[3] for fields in lines.fields]
    whole = all(map(WHOLE.fullmatch, ranks))
    return ResultRows(
        blocks,
        _names(lines, blocks),
        to_row_order(sims, blocks),
        to_row_order(np.array(list(map(int, ranks)), dtype=np.int64), blocks) if whole else None,
        decode_name(lines.fields[-1][5]) if lines.fields else "",
        lines.wrong,
    )


def read_judgement_rows(piece: Piece, path: str) -> JudgementRows:
    """Return the rows of a piece of a relevance file, and a defect for every line that is none."""
    lines = _read(piece, path, _is_judgement)
    blocks = lines.blocks()
    relevance = to_row_order(np.array([float(fields[3]) for fields in lines.fields]), blocks)
    return JudgementRows(blocks, _names(lines, blocks), relevance, lines.wrong)


def _read(piece: Piece, path: str, is_sound: Callable[[_Lines, int, list[bytes]], bool]) -> _Lines:
    """Return the valid lines of a piece; `is_sound` reports the others."""
    lines = _Lines(path)
    for number, fields in _content(piece):
        if is_sound(lines, number, fields):
            lines.fields.append(fields)
            lines.numbers.append(number)
    return lines


def _content(piece: Piece) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the fields of every line that is neither blank nor a comment, with its number.

    A comment with a NUL is yielded too: no line may hold one.
    """
    for number, line in enumerate(piece.data.split(b"\n"), piece.first_line):
        fields = line.split()
        if fields and (not fields[0].startswith(b"#") or b"\0" in line):
            yield number, fields


def _is_result(lines: _Lines, number: int, fields: list[bytes]) -> bool:
    if any(b"\0" in text for text in fields):
        _refuse_nul(lines, number)
    elif len(fields) < 6:
        lines.refuse(
            number,
            _count(fields),
            fill("6 are expected: {result_fields}.", RESULT_FIELDS),
            _field_hint(fields),
        )
    elif not NUMBER.fullmatch(fields[4]):
        hint = "Give every document a number as its score."
        if fields[4].lower().lstrip(b"+-") == b"nan":
            expected = "Nothing is more or less than that, so the document has no rank."
            lines.refuse(number, "The score is NaN.", expected, hint)
        else:
            found = fill('The score "{decode_name}" is not a number.', decode_name(fields[4]))
            if _DECIMAL_COMMA.fullmatch(fields[4]):
                point = fields[4].replace(b",", b".").decode()
                hint = fill("Write a decimal point: {point}.", point)
            read = fill(
                "trec_eval would read it as {value} without a warning.", c_number(fields[4])
            )
            lines.refuse(number, found, read, hint)
    else:
        return True
    return False


def c_number(text: bytes) -> str:
    """Return the number that C's `atof` reads at the start of a text; 0 without one."""
    match = _C_NUMBER.match(text)
    if match is None:
        return "0"
    found = match[0].decode()
    value = float.fromhex(found) if match["hex"] else float(found)
    is_whole = abs(value) < 1e15 and value.is_integer()
    return str(int(value)) if is_whole else repr(value)


def _is_judgement(lines: _Lines, number: int, fields: list[bytes]) -> bool:
    if any(b"\0" in text for text in fields):
        _refuse_nul(lines, number)
    elif len(fields) != 4:
        hint = (
            _field_hint(fields)
            if len(fields) < 4
            else reason("Are the fields separated by tabs? Names have no blanks.")
        )
        lines.refuse(
            number,
            _count(fields),
            fill("4 are expected: {judgement_fields}.", JUDGEMENT_FIELDS),
            hint,
        )
    elif not _is_relevance(fields[3]):
        found = fill('The relevance "{decode_name}" is not a number.', decode_name(fields[3]))
        lines.refuse(number, found, "A finite number is expected.", "Correct the line.")
    else:
        return True
    return False


def _is_relevance(text: bytes) -> bool:
    return NUMBER.fullmatch(text) is not None and math.isfinite(float(text))


def _refuse_nul(lines: _Lines, number: int) -> None:
    hint = "Write the file again; it may be damaged."
    lines.refuse(number, "The line holds a NUL byte.", "Plain text is expected.", hint)


def _count(fields: list[bytes]) -> str:
    return fill("{fields_were} found.", counted(len(fields), "field was", "fields were"))


def _field_hint(fields: list[bytes]) -> str:
    if len(fields) == 1 and re.search(rb"[,;|]", fields[0]):
        return "Separate the fields by blanks or tabs."
    return "Complete the line."


def _names(lines: _Lines, blocks: RowsByQuery) -> ListedNames:
    names = ListedNames([decode_name(fields[2]) for fields in lines.fields])
    return names if blocks.order is None else names.take(blocks.order)


def to_row_order(column: Column, blocks: RowsByQuery) -> Column:
    """Return a column in file order in the order of the grouped rows."""
    return column if blocks.order is None else column[blocks.order]
