"""Columns of ranked lists and judgements, told by the line of names of a table.

PyTerrier's frames, for example, hold the text of a query, two ids of a document, and pandas' index.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from jurydesk.core.tasks.keyword_spotting.trec.lines import NUMBER, WHOLE
from jurydesk.core.tasks.keyword_spotting.trec.trec_sniff import Role

MEANINGS: Mapping[str, tuple[bytes, ...]] = {
    "query": (
        *(b"qid", b"query_id", b"query-id", b"queryid", b"q_id", b"topic_id", b"topic", b"query"),
    ),
    "document": (
        *(b"docno", b"corpus-id", b"corpus_id", b"doc_id", b"document_id", b"docid", b"pid"),
        *(b"passage_id", b"did", b"document", b"doc"),
    ),
    "score": (b"score", b"sim", b"similarity"),
    "rank": (b"rank",),
    "relevance": (b"relevance", b"rel", b"label", b"grade", b"score", b"sim", b"similarity"),
}
"""Names of columns, those first that are ids where there are texts or numbers of a program too."""


def name_columns(
    names: Sequence[bytes], rows: Sequence[Sequence[bytes]], role: Role
) -> tuple[str, ...] | None:
    """Return what each column is, "" for those that are not read; None if one is missing."""
    known = [name.lower() for name in names]
    wanted = ("query", "document", "relevance" if role == "relevance" else "score", "rank")
    places = {meaning: _place(known, MEANINGS[meaning]) for meaning in wanted}
    if role == "relevance" or not _are(rows, places["rank"], WHOLE):
        places["rank"] = -1
    value = places[wanted[2]]
    if value < 0 and role == "results":
        value = places["rank"]
    has_value = _are(rows, value, NUMBER)
    if min(places["query"], places["document"], value) < 0 or not has_value:
        return None
    meant = {place: meaning for meaning, place in places.items() if place >= 0}
    return tuple(meant.get(place, "") for place in range(len(names)))


def _place(names: Sequence[bytes], wanted: Sequence[bytes]) -> int:
    found = next((name for name in wanted if name in names), None)
    return -1 if found is None else names.index(found)


def _are(rows: Sequence[Sequence[bytes]], place: int, pattern: re.Pattern[bytes]) -> bool:
    return place >= 0 and all(pattern.fullmatch(row[place]) for row in rows)


def split_cells(line: bytes, delimiter: bytes | None) -> list[bytes]:
    """Return the fields of a line, without quotation marks and formulas of a spreadsheet."""
    if delimiter is None:
        return line.split()
    if b'"' not in line:
        return [field.strip() for field in line.strip(b" \r\n").split(delimiter)]
    text = line.strip(b" \r\n").decode("latin-1")
    try:
        cells = next(csv.reader([text], delimiter=delimiter.decode(), skipinitialspace=True), [])
    except csv.Error:  # a line end within the line
        return []
    return [_without_formula(cell.strip().encode("latin-1")) for cell in cells]


def _without_formula(cell: bytes) -> bytes:
    r"""Return the text of a formula `="text"`, by which Excel keeps it as text."""
    return cell.removeprefix(b"=").strip(b'"') if cell.startswith(b'="') else cell.strip(b'"')
