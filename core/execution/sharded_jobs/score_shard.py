"""Scoring of shard files, without other inputs, on any machine with the same version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.execution.sharded_jobs.shard_file import (
    DamagedFileError,
    Parcel,
    ParcelMember,
    write_parcel,
)
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.chunk import ChunkKind, ChunkRequest
from jurydesk.core.model.chunk_codec import DamagedBundleError, pack_dataclass, unpack_dataclass
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

ChunkKinds = Mapping[str, ChunkKind[Any, Any, Any]]
"""Every known kind of chunk, by id."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenShard:
    """Shard file that was read: its hash, its job, and its requests with their keys."""

    path: Path
    sha256: str
    job: str
    requests: tuple[tuple[ChunkRequest[Any, Any, Any], tuple[str, ...]], ...]


def open_shard(path: Path, kinds: ChunkKinds) -> OpenShard:
    """Read a shard file; raise DamagedFileError if it is damaged or from another version."""
    parcel = Parcel(path)
    made_by = parcel.head.get("jurydesk")
    if made_by != __version__:
        raise DamagedFileError(
            fill("it was made by Jurydesk {made_by}, but this is {version}", made_by, __version__)
        )
    try:
        requests = tuple(_request(one, parcel, kinds) for one in parcel.head["requests"])
        job = str(parcel.head["job"])
    except (KeyError, TypeError, ValueError, DamagedBundleError) as error:
        raise DamagedFileError(fill("it is not a shard ({error})", Message(str(error)))) from error
    return OpenShard(path, fingerprint(path).sha256, job, requests)


def _request(
    data: Json, parcel: Parcel, kinds: ChunkKinds
) -> tuple[ChunkRequest[Any, Any, Any], tuple[str, ...]]:
    work = kinds.get(data["work"])
    if work is None:
        raise ValueError(fill("the kind of chunk {data} is unknown", repr(data["work"])))
    keys = tuple(map(str, data["chunks"]))
    chunks = [unpack_dataclass(work.chunk, parcel.read(key)) for key in keys]
    request = ChunkRequest(
        work, work.settings(**data["settings"]), chunks, fill("Shard {name}", parcel.path.stem)
    )
    for key, chunk in zip(keys, chunks, strict=True):
        if request.key(chunk) != key:
            raise ValueError(translatable("a chunk does not match its key"))
    return request, keys


def score_shard(shard: OpenShard, target: Path, run: Run) -> None:
    """Score a shard and write its result to `target`, atomically.

    Raises errors of the chunk's function, Cancelled and OSError.
    """
    head: dict[str, Json] = {"jurydesk": __version__, "job": shard.job, "shard": shard.sha256}
    write_parcel(target, head, _score_requests(shard, run))


def _score_requests(shard: OpenShard, run: Run) -> Iterator[ParcelMember]:
    for request, keys in shard.requests:
        for key, statistics in zip(keys, run.each(request), strict=True):
            yield ParcelMember(key, pack_dataclass(statistics))
