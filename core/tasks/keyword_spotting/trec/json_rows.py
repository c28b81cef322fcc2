"""Ranked lists and judgements in JSON: by query and document, by record, and hits of a query.

ranx and pytrec_eval write `{query: {document: score}}`, others lists of pairs; Pyserini and RankLLM
write a record for each query with its `hits` or `candidates`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jurydesk.core.model.json_text import is_too_deep
from jurydesk.core.tasks.keyword_spotting.trec.trec_sniff import Role

QUERY_WORDS = frozenset(
    (b"qid", b"query", b"query_id", b"query-id", b"queryid", b"q_id", b"topic", b"topic_id")
)
DOCUMENT_WORDS = frozenset(
    (*(b"docid", b"doc_id", b"docno", b"did", b"document", b"document_id", b"doc"),
     *(b"corpus-id", b"corpus_id", b"pid", b"passage_id", b"iteration"))
)  # fmt: skip
SCORE_WORDS = frozenset((b"score", b"sim", b"similarity"))
GRADE_WORDS = frozenset((b"relevance", b"rel", b"label", b"grade", *SCORE_WORDS))
HITS = ("hits", "candidates")
"""Members with the documents of a query."""
LARGEST = 1e300
_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile("[^#\\s\0\ud800-\udfff][^\\s\0\ud800-\udfff]*", re.ASCII)


def json_rows(text: bytes, role: Role) -> list[tuple[str, str, float]]:
    """Return query, document and number of each entry; nothing if there is anything else."""
    values = _json_values(text)
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    elif len(values) == 1 and isinstance(values[0], dict) and _json_row(values[0], role) is None:
        values = list(_entries(values[0]))
    rows = [_json_row(one, role) for one in _with_hits(values)]
    found = [row for row in rows if row is not None]
    return found if len(found) == len(rows) else []


def _entries(queries: Mapping[str, Any]) -> Iterator[Any]:
    """Yield a record for each number by query and document; None for anything else."""
    for query, documents in queries.items():
        pairs = documents.items() if isinstance(documents, dict) else documents
        if not isinstance(documents, dict | list) or not all(
            len(one) == 2 for one in _sized(pairs)
        ):
            yield None
            continue
        for document, value in pairs:
            yield {"query": query, "document": document, "score": value}


def _sized(pairs: Any) -> Iterator[Any]:
    """Yield pairs; an empty text for anything that is none."""
    return (one if isinstance(one, tuple | list) else "" for one in pairs)


def _with_hits(values: list[Any]) -> Iterator[Any]:
    """Yield the records, those of a query with hits as a record for each hit."""
    for one in values:
        listed = _hits(one)
        if listed is None:
            yield one
            continue
        query = one.get("query")
        known = [_query_id(query) if isinstance(query, dict) else None, _query_id(one), query]
        for hit in listed:
            ids = [_query_id(hit), *known] if isinstance(hit, dict) else []
            id = next((key for key in ids if _name(key) is not None), None)
            yield {**_without_query(hit), "query": id} if ids else None


def _hits(value: Any) -> list[Any] | None:
    if not isinstance(value, dict):
        return None
    return next((value[name] for name in HITS if isinstance(value.get(name), list)), None)


def _query_id(record: Mapping[str, Any]) -> Any:
    """Return the id of a query, whose text may be a member as well."""
    return _member(record, QUERY_WORDS - {b"query", b"topic"})


def _without_query(hit: Mapping[str, Any]) -> dict[str, Any]:
    return {name: held for name, held in hit.items() if _word(name) not in QUERY_WORDS | {b"doc"}}


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
