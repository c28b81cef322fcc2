"""A few lines of a file around one place, whatever the file's size; nothing here knows Qt."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from core.defects import Place
    from core.run.run import Run

AROUND = 6
LONGEST_LINE = 400
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Peek:
    """Lines of a file with the number of the first (1-based), and the one that is meant.

    `problem` says why there are none.
    """

    first: int = 1
    lines: tuple[str, ...] = ()
    meant: int | None = None
    problem: str = ""


def peek(place: Place, run: Run) -> Peek:
    """The lines around a place; the first lines of a file where the place names none."""
    path = Path(place.path)
    if not path.is_file():
        return Peek(problem="There is no such file any more.")
    meant = place.line
    first = max(1, (meant or 1) - AROUND)
    last = (meant or 1) + AROUND
    try:
        with _open(path) as file:
            lines = _lines(file, first, last, run)
    except (OSError, EOFError, zlib.error) as error:
        return Peek(problem=f"The file cannot be read ({error}).")
    if not lines:
        return Peek(problem="The file has no such line any more.")
    column = place.column or 1
    return Peek(first, tuple(_shown(line, column) for line in lines), meant)


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def _lines(file: BinaryIO, first: int, last: int, run: Run) -> list[bytes]:
    """The lines from `first` to `last`; a line is cut after a block, so that memory is bounded."""
    found: list[bytes] = []
    number, begun = 1, b""
    for block in _blocks(file, run):
        breaks = block.count(b"\n")
        if number + breaks < first:
            number += breaks
            continue
        for piece in block.splitlines(keepends=True):
            begun = (begun + piece)[:BLOCK_BYTES] if first <= number <= last else b""
            if piece.endswith(b"\n"):
                if first <= number <= last:
                    found.append(begun)
                number, begun = number + 1, b""
            if number > last:
                return found
    return [*found, begun] if begun else found


def _blocks(file: BinaryIO, run: Run) -> Iterator[bytes]:
    while block := file.read(BLOCK_BYTES):
        run.check()
        yield block


def _shown(line: bytes, column: int) -> str:
    """The line as text; of a very long one, the part around the column."""
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    if len(text) <= LONGEST_LINE:
        return text
    start = max(0, min(column - 1 - LONGEST_LINE // 2, len(text) - LONGEST_LINE))
    head = "… " if start else ""
    return f"{head}{text[start : start + LONGEST_LINE]} …"
