"""Manifest of a job: task, options, inputs, and the hash of every shard."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.language import Message, fill
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json, Source
from jurydesk.core.model.json_codec import from_json, require_member, to_json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.version import __version__

SCHEMA = 1
FILE = "manifest.json"
SHARDS, RESULTS = "shards", "results"
MAX_BYTES = 64 << 20
"""Limit on the size of a manifest."""

NAME = re.compile(r"[0-9]{4,9}")
"""Valid names of shards, which become parts of paths."""


class JobError(Exception):
    """Folder that is not a job or cannot be read; the message is for the user."""


@dataclass(frozen=True, slots=True)
class ShardEntry:
    """Shard file: its name (`0001`), SHA-256, the keys of its chunks, and its number of items."""

    name: str
    sha256: str
    chunks: tuple[str, ...]
    items: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of a job; `options` and `names` are those of the run that was split."""

    job: str
    task: str
    options: Mapping[str, Json]
    names: Mapping[str, str]
    inputs: tuple[Source, ...]
    shards: tuple[ShardEntry, ...]
    jurydesk: str = __version__

    def to_json(self) -> dict[str, Json]:
        """Return the manifest as JSON values."""
        return {"schema": SCHEMA, **to_json(self)}

    def by_hash(self) -> dict[str, ShardEntry]:
        """Return the shards by the hashes of their files."""
        return {shard.sha256: shard for shard in self.shards}


def shard_path(folder: Path, name: str) -> Path:
    """Return the path of a shard in a job."""
    return folder / SHARDS / f"{name}.shard"


def result_path(results: Path, name: str) -> Path:
    """Return the path of a shard's result in a folder of results."""
    return results / f"{name}.result"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest to the job's folder, atomically."""
    text = json.dumps(manifest.to_json(), indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / FILE, text.encode("ascii"))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a job; raise JobError if there is none that can be read."""
    path = folder / FILE
    if not path.is_file():
        raise JobError(
            fill(
                "{folder} is not a job: it has no {file}. `jurydesk shards split` creates jobs.",
                folder,
                FILE,
            )
        )
    if path.stat().st_size > MAX_BYTES:
        raise JobError(fill("{path} is too large for a manifest.", path))
    try:
        data = parse_json(path.read_bytes(), unique=True, not_finite=True)
        schema = require_member(data, "schema", int)
        if schema > SCHEMA:
            raise JobError(
                fill(
                    "{path} has schema {schema}; this version reads up to {schema2}.",
                    path,
                    schema,
                    SCHEMA,
                )
            )
        manifest = from_json(Manifest, data)
        invalid = [one.name for one in manifest.shards if NAME.fullmatch(one.name) is None]
        if invalid:
            raise ValueError(fill("a shard has the name {invalid}", repr(invalid[0])))
        return manifest
    except DAMAGE as error:
        raise JobError(
            fill("{path} is not a manifest: {error}.", path, Message(str(error)))
        ) from error
