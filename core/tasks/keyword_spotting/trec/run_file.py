"""Random access to the pieces of a trec_eval result file, for the inspector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from jurydesk.core.execution.run import Run
from jurydesk.core.readers.byte_blocks import UnreadableBytesError, read_blocks
from jurydesk.core.readers.compression import LONGEST_MAGIC, compression
from jurydesk.core.readers.text_file import UTF8_MARK
from jurydesk.core.tasks.keyword_spotting.trec.fast_lines import result_rows
from jurydesk.core.tasks.keyword_spotting.trec.layouts import Layout
from jurydesk.core.tasks.keyword_spotting.trec.lines import ResultRows
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece


class PieceSpan(NamedTuple):
    """Position of a piece in the unpacked bytes after the byte order mark."""

    offset: int
    length: int
    first_line: int


class TrecFile:
    """Pieces of a result file; the last one read is cached."""

    def __init__(
        self, path: Path, spans: Sequence[PieceSpan], layout: Layout | None = None
    ) -> None:
        self.path = path
        self.spans = tuple(spans)
        self._layout = layout
        self._state = _file_state(path)
        self._last: tuple[int, ResultRows] | None = None

    def rows_of(self, number: int) -> ResultRows | None:
        """Return the rows of a piece; None for an unknown piece or a changed file."""
        if number < 0:
            return None
        if self._last is None or self._last[0] != number:
            data = self._data(self.spans[number])
            if data is None:
                return None
            span = self.spans[number]
            piece = Piece(data, span.offset, span.first_line)
            self._last = number, result_rows(piece, str(self.path))
        return self._last[1]

    def _data(self, span: PieceSpan) -> bytes | None:
        if _file_state(self.path) != self._state:
            return None
        try:
            with self.path.open("rb") as stream:
                head = stream.read(LONGEST_MAGIC)
                if compression(head) or self._layout is not None:
                    return self._unpacked_content[span.offset : span.offset + span.length]
                mark = len(UTF8_MARK) if head.startswith(UTF8_MARK) else 0
                stream.seek(mark + span.offset)
                return stream.read(span.length)
        except (OSError, UnreadableBytesError):
            return None

    @cached_property
    def _unpacked_content(self) -> bytes:
        """Unpacked content of a compressed file, or lines of another layout: no random access."""
        content = b"".join(read_blocks(self.path, Run())).removeprefix(UTF8_MARK)
        return content if self._layout is None else self._layout.convert(content) or b""


def _file_state(path: Path) -> tuple[int, int] | None:
    """Return the size and modification time of a file; None if it is missing."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
