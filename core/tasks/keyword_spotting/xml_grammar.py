"""The lines of a result file that are no words: declaration, root, query begins, query ends."""

from __future__ import annotations

import re

import numpy as np

from core.model import IntArray
from core.tasks.keyword_spotting.xml_bytes import UnusualError, plain_text

_ROOT = rb'<RelevanceListings((?:[ \t]+[A-Za-z:]+="[\x21\x23-\x25\x27-\x3b\x3d-\x7e]*")*)[ \t]*>'
_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    rb'(?:<\?xml[ \t]+version="1\.0"(?:[ \t]+encoding="[Uu][Tt][Ff]-8")?[ \t]*\?>)?[ \t]*'
    rb"(?:(?P<root>" + _ROOT + rb")[ \t]*)?\r?"
)
_ATTRIBUTE_NAME = re.compile(rb"(?<![A-Za-z:])([A-Za-z:]++)=")
_BEGIN = re.compile(rb'[ \t]*<Rel[ \t]+queryid[ \t]*=[ \t]*"([^"]+)"[ \t]*>[ \t]*\r?')
_END = re.compile(rb"[ \t]*</Rel>[ \t]*\r?")
_CLOSE = re.compile(rb"[ \t]*</RelevanceListings>[ \t]*\r?")
_BLANK = re.compile(rb"[ \t]*\r?")


class Grammar:
    """Follows the nesting of queries, and remembers where the words of each begin."""

    def __init__(self) -> None:
        self.queries: dict[str, int] = {}
        self._starts: list[int] = []
        self._take = self._before_root
        self._outside_since = 0
        """The number of words when the last query ended: none may follow before the next."""

    def take(self, line: bytes, number: int, rows: int) -> None:
        """Follow one line that is no word; `rows` words stand before it."""
        self._take(line, number, rows)

    def finish(self, rows: int) -> IntArray:
        """Where the words of each query begin and the last one's end."""
        if self._take != self._after_root or not rows:
            raise UnusualError("not closed")
        self._outside(rows)
        return np.array([*self._starts, rows], np.int64)

    def _outside(self, rows: int) -> None:
        if rows != self._outside_since:
            raise UnusualError("words outside of a query")

    def _before_root(self, line: bytes, number: int, rows: int) -> None:
        match = _PROLOG.fullmatch(line)
        if not match or (number > 1 and match["root"] is None):
            raise UnusualError("another beginning")
        self._outside(rows)
        if match["root"] is None:
            return
        names = _ATTRIBUTE_NAME.findall(match["root"])
        if len(set(names)) < len(names) or (number > 1 and not _is_root_alone(line)):
            raise UnusualError("an odd root")
        self._take = self._between_queries

    def _between_queries(self, line: bytes, number: int, rows: int) -> None:
        self._outside(rows)
        if match := _BEGIN.fullmatch(line):
            query = plain_text(match[1])
            if query in self.queries:
                raise UnusualError("a query twice")
            self.queries[query] = number
            self._starts.append(rows)
            self._take = self._inside_query
        elif _CLOSE.fullmatch(line):
            self._take = self._after_root
        elif not _BLANK.fullmatch(line):
            raise UnusualError("an odd line")

    def _inside_query(self, line: bytes, number: int, rows: int) -> None:
        if _END.fullmatch(line):
            self._outside_since = rows
            self._take = self._between_queries
        elif not _BLANK.fullmatch(line):
            raise UnusualError("an odd line")

    def _after_root(self, line: bytes, number: int, rows: int) -> None:
        self._outside(rows)
        if not _BLANK.fullmatch(line):
            raise UnusualError("something after the end")


def _is_root_alone(line: bytes) -> bool:
    return line.lstrip(b" \t").startswith(b"<RelevanceListings")
