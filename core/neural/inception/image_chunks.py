"""Pictures on their way to a network: where they lie, or their bytes, by the hash of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.chunk import Check
from jurydesk.core.model.chunk_codec import NO_IDENTITY
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool
from jurydesk.core.readers.images import PictureError, open_picture

Rows = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


def _no_starts() -> IntArray:
    return np.empty(0, np.int64)


def _no_content() -> Bytes:
    return np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class PictureChunk:
    """Pictures by their SHA-256, with or without their bytes.

    `content` holds the bytes of their files where they travel along: those of picture i are
    `content[starts[i]:starts[i + 1]]`. Otherwise `paths` says where they lie; `shared` is False
    where nobody else can have that path.
    """

    hashes: Sequence[str]
    paths: Sequence[str] = field(metadata=NO_IDENTITY)
    shared: bool = field(default=True, metadata=NO_IDENTITY)
    starts: IntArray = field(default_factory=_no_starts, metadata=NO_IDENTITY)
    content: Bytes = field(default_factory=_no_content, metadata=NO_IDENTITY)

    def __post_init__(self) -> None:
        if len(self.hashes) != len(self.paths):
            raise ValueError("hashes and paths are not equally many")

    def __len__(self) -> int:
        return len(self.hashes)

    def sources(self) -> Iterator[tuple[Path, bytes | None]]:
        """Yield the path of each, and its bytes where they are here."""
        for number, path in enumerate(self.paths):
            if len(self.starts):
                first, last = self.starts[number : number + 2].tolist()
                yield Path(path), self.content[first:last].tobytes()
            else:
                yield Path(path), None


def with_picture_bytes(chunk: PictureChunk, by_path: bool) -> PictureChunk:
    """Return the pictures with their bytes, unless all machines have their paths.

    One that cannot be read here has none, which is told by whoever opens it.
    """
    if by_path and chunk.shared:
        return chunk
    contents = [_bytes(Path(path)) for path in chunk.paths]
    starts = np.cumsum([0, *map(len, contents)], dtype=np.int64)
    return replace(chunk, starts=starts, content=np.frombuffer(b"".join(contents), np.uint8))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFeatures:
    """What a network made of k pictures: rows (k, width), of zeros for one that has a reason.

    Where no picture can be used, the width is 0.

    `reasons` says of each why it cannot be used, or nothing; `remarks` what is odd about it.
    """

    rows: Rows
    reasons: Sequence[str]
    remarks: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        lengths = {len(self.rows), len(self.reasons), len(self.remarks)}
        if self.rows.ndim != 2 or len(lengths) != 1:
            raise ValueError("rows, reasons and remarks do not go together")

    def __len__(self) -> int:
        return len(self.rows)


def picture_features(
    chunk: PictureChunk,
    prepare: Callable[[Any], Any],
    lanes: DevicePool[Batches],
    check: Check,
    mode: str | None = "RGB",
) -> PictureFeatures:
    """Decode and prepare the pictures of a chunk, then have them done by the next free device.

    `mode` is the mode in which `prepare` gets them; None keeps that of each file.
    """
    import torch

    arrays, reasons, remarks = [], [], []
    for path, content in chunk.sources():
        check()
        try:
            picture = open_picture(path, mode=mode, content=content)
            arrays.append(prepare(picture.image))
            reasons.append("")
            remarks.append(list(picture.remarks))
        except PictureError as fault:
            reasons.append(str(fault))
            remarks.append([])
    if not arrays:
        return PictureFeatures(np.zeros((len(chunk), 0), np.float32), reasons, remarks)
    with lanes.taken() as batches:
        found = batches.rows(torch.from_numpy(np.stack(arrays)), check=check).numpy()
    rows = np.zeros((len(chunk), found.shape[1]), np.float32)
    rows[[not reason for reason in reasons]] = found
    return PictureFeatures(rows, reasons, remarks)
