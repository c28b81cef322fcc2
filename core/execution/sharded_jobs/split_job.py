"""Splitting of a run into shards: all files are read and checked, and all chunks are written."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.sharded_jobs.manifest import (
    Manifest,
    ShardEntry,
    shard_path,
    write_manifest,
)
from jurydesk.core.execution.sharded_jobs.shard_file import ParcelMember, write_parcel
from jurydesk.core.model.chunk import ChunkRequest
from jurydesk.core.model.chunk_codec import pack_dataclass
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.options import options_json
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.execution.workers.worker import Data

CHUNKS = 32
"""Default number of chunks per shard: a few seconds of METEOR."""


@dataclass(slots=True, eq=False)
class ShardWriter:
    """Writer of requests into shards of `per_shard` chunks.

    A chunk that several systems share is written once.
    """

    folder: Path
    per_shard: int = CHUNKS
    data: Data = "chunks"
    job: str = field(default_factory=lambda: secrets.token_hex(8))
    shards: list[ShardEntry] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _waiting: list[tuple[ChunkRequest[Any, Any, Any], str, Any]] = field(default_factory=list)

    def take(self, request: ChunkRequest[Any, Any, Any]) -> None:
        """Add the chunks of a request."""
        for chunk in request.chunks:
            key = request.key(chunk)
            if key not in self._seen:
                self._seen.add(key)
                self._waiting.append((request, key, chunk))
            if len(self._waiting) == self.per_shard:
                self.write()

    def write(self) -> None:
        """Write the remaining chunks as a shard."""
        if not self._waiting:
            return
        name = f"{len(self.shards) + 1:04d}"
        path = shard_path(self.folder, name)
        requests = list({id(request): request for request, _, _ in self._waiting}.values())
        head: dict[str, Json] = {
            "jurydesk": __version__,
            "job": self.job,
            "requests": [_describe(one, self._waiting) for one in requests],
        }
        write_parcel(path, head, (self._member(*one) for one in self._waiting))
        chunks = tuple(key for _, key, _ in self._waiting)
        items = sum(len(chunk) for _, _, chunk in self._waiting)
        self.shards.append(ShardEntry(name, fingerprint(path).sha256, chunks, items))
        self._waiting = []

    def _member(self, request: ChunkRequest[Any, Any, Any], key: str, chunk: Any) -> ParcelMember:
        embed_files = request.kind.embed_files
        if embed_files is not None:
            chunk = embed_files(chunk, self.data == "paths")
        return ParcelMember(key, pack_dataclass(chunk))


def _describe(
    request: ChunkRequest[Any, Any, Any],
    waiting: list[tuple[ChunkRequest[Any, Any, Any], str, Any]],
) -> Json:
    return {
        "work": request.kind.id,
        "settings": asdict(request.settings),
        "chunks": [key for one, key, _ in waiting if one is request],
    }


def split_job(
    task: AnyTask, files: Sequence[InputFile], options: Any, run: Run, splitter: ShardWriter
) -> tuple[CompetitionResult, Manifest | None]:
    """Write a job into the splitter's folder; the manifest is None if all systems have errors.

    A system with errors is left out. Raises OSError, Cancelled.
    """
    run.postpone = splitter.take
    result = score_submissions(task, files, options, run)
    splitter.write()
    sound = [entry for entry in result.entries if not has_errors(entry.defects)]
    if not sound:
        return result, None
    manifest = Manifest(
        job=splitter.job,
        task=task.id,
        options=options_json(options),
        names={str(one.path.absolute()): one.file.name for one in result.entries if one.file.name},
        inputs=result.sources,
        shards=tuple(splitter.shards),
    )
    write_manifest(splitter.folder, manifest)
    return result, manifest
