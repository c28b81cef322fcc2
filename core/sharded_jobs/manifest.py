"""The manifest of a job: what is scored, how, and the hash of every shard."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from jurydesk.core.model.evaluation import Json, Source
from jurydesk.core.model.json_codec import require_member, source_from_json, source_json
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.version import __version__

SCHEMA = 1
FILE = "manifest.json"
SHARDS, RESULTS = "shards", "results"
LONGEST = 64 << 20
"""Bytes of a manifest that is read at all."""

NAME = re.compile(r"[0-9]{4,9}")
"""The name of a shard; no other becomes part of a path."""


class JobError(Exception):
    """The folder is no job that this version can read; the message says why."""


@dataclass(frozen=True, slots=True)
class ShardEntry:
    """A shard file: its name (`0001`), SHA-256, the keys of its chunks, and their items."""

    name: str
    sha256: str
    chunks: tuple[str, ...]
    items: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a job is made of; `options` and `names` are those of the run that was split."""

    job: str
    task: str
    options: Mapping[str, Json]
    names: Mapping[str, str]
    inputs: tuple[Source, ...]
    shards: tuple[ShardEntry, ...]
    jurydesk: str = __version__

    def to_json(self) -> dict[str, Json]:
        """The manifest as JSON values."""
        return {
            "schema": SCHEMA,
            "jurydesk": self.jurydesk,
            "job": self.job,
            "task": self.task,
            "options": dict(self.options),
            "names": dict(self.names),
            "inputs": [source_json(source) for source in self.inputs],
            "shards": [asdict(shard) for shard in self.shards],
        }

    def by_hash(self) -> dict[str, ShardEntry]:
        """The shards by the hashes of their files."""
        return {shard.sha256: shard for shard in self.shards}


def shard_path(folder: Path, name: str) -> Path:
    """Where a shard of a job lies."""
    return folder / SHARDS / f"{name}.shard"


def result_path(results: Path, name: str) -> Path:
    """Where the result of a shard lies in a folder of results."""
    return results / f"{name}.result"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put the manifest into the job's folder, whole or not at all."""
    text = json.dumps(manifest.to_json(), indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / FILE, text.encode("ascii"))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a job; JobError where there is none that can be read."""
    path = folder / FILE
    if not path.is_file():
        raise JobError(f"{folder} is no job: it has no {FILE}. `jurydesk shards split` makes one.")
    if path.stat().st_size > LONGEST:
        raise JobError(f"{path} is too large for a manifest.")
    try:
        data = json.loads(path.read_bytes())
        schema = require_member(data, "schema", int)
        if schema > SCHEMA:
            raise JobError(f"{path} has schema {schema}; this version reads up to {SCHEMA}.")
        return Manifest(
            job=require_member(data, "job", str),
            task=require_member(data, "task", str),
            options=require_member(data, "options", dict),
            names=require_member(data, "names", dict),
            inputs=tuple(map(source_from_json, require_member(data, "inputs", list))),
            shards=_shards(require_member(data, "shards", list)),
            jurydesk=require_member(data, "jurydesk", str),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise JobError(f"{path} is no manifest: {error}.") from error


def _shards(data: Sequence[Json]) -> tuple[ShardEntry, ...]:
    shards = []
    for one in data:
        name, chunks = require_member(one, "name", str), require_member(one, "chunks", list)
        if NAME.fullmatch(name) is None or not all(isinstance(key, str) for key in chunks):
            raise ValueError(f"a shard has the name {name!r}")
        sha256, items = require_member(one, "sha256", str), require_member(one, "items", int)
        shards.append(ShardEntry(name, sha256, tuple(chunks), items))
    return tuple(shards)
