"""Blockwise reading of files, plain or compressed, within a size limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.readers.compression import (
    DAMAGES,
    LONGEST_MAGIC,
    compression,
    unpacked_stream,
)
from jurydesk.core.readers.text_file import gzip_damage
from jurydesk.core.system.paths import is_pipe_or_device

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

BLOCK = 2**17
"""Bytes per block; scanning a block holds the interpreter lock, which the window waits for."""


class UnreadableBytesError(Exception):
    """File that cannot be read; `defect` says why."""

    def __init__(self, defect: Defect) -> None:
        super().__init__(str(defect))
        self.defect = defect


def read_blocks(path: Path, run: Run) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file in blocks; raises `UnreadableBytesError`."""
    try:
        with _open_checked(path) as raw:
            packed = compression(raw.peek(LONGEST_MAGIC))  # type: ignore[attr-defined]
            stream = unpacked_stream(raw, packed)
            size, unpacked = path.stat().st_size, 0
            while block := stream.read(BLOCK):
                unpacked += len(block)
                most = min(limits.GZIP_BYTES, max(limits.GZIP_RATIO_FROM, limits.GZIP_RATIO * size))
                if packed and unpacked > most:
                    raise UnreadableBytesError(_too_large(path, unpacked, size))
                yield block
                run.report(min(raw.tell(), size), size, fill("Reading {name}", path.name))
    except DAMAGES as fault:
        defect = error(Place(str(path), 1), gzip_damage(fault), hint="Compress the file again.")
        raise UnreadableBytesError(defect) from fault
    except OSError as fault:
        raise UnreadableBytesError(_unreadable_error(path, fault)) from fault


def _open_checked(path: Path) -> BinaryIO:
    """Open a file; a pipe is refused first, because opening it could block forever."""
    if is_pipe_or_device(path):
        found = "This is a pipe or a device, not a file."
        defect = error(Place(str(path), 1), found, hint="Save the data to a file first.")
        raise UnreadableBytesError(defect)
    return path.open("rb")


def _too_large(path: Path, unpacked: int, size: int) -> Defect:
    found = fill("The gzip file unpacks to more than {value:g} GiB.", limits.GZIP_BYTES / 2**30)
    if unpacked <= limits.GZIP_BYTES:
        found = fill(
            "The gzip file of {size:,} bytes unpacks to more than {max_ratio} times its size.",
            size,
            limits.GZIP_RATIO,
        )
    return error(
        Place(str(path), 1),
        found,
        "A result file is far smaller.",
        "Check that it is the right file; if it is, unpack it first.",
    )


def _unreadable_error(path: Path, fault: OSError) -> Defect:
    place = Place(str(path), 1)
    if isinstance(fault, FileNotFoundError):
        return error(place, "The file does not exist.", hint="Check its name and folder.")
    if isinstance(fault, IsADirectoryError):
        return error(place, "This is a folder, not a file.", hint="Give the file itself.")
    found = fill("The file cannot be read: {value}.", failure_reason(fault))
    return error(place, found, hint="Check its permissions.")
