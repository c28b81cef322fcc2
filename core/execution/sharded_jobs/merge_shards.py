"""Merging of shard results into the evaluation that a local run gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.execution.sharded_jobs.manifest import (
    RESULTS,
    JobError,
    Manifest,
    ShardEntry,
    shard_path,
)
from jurydesk.core.execution.sharded_jobs.shard_file import DamagedFileError, Parcel
from jurydesk.core.execution.stamped_files import locate_input
from jurydesk.core.execution.workers.local_workers import LocalWorkers
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


ENDING = ".result"


class MergeWorkers(LocalWorkers):
    """Local workers for what remains after shards were scored elsewhere."""

    place = "shards"


@dataclass(slots=True, eq=False)
class ShardResults:
    """Statistics of a job's chunks, as a read-only cache.

    `take` reads a file and reports its problems; of two different results of a shard, the first by
    name is used.
    """

    manifest: Manifest
    defects: list[Defect] = field(default_factory=list)
    _places: dict[str, Parcel] = field(default_factory=dict)
    _shards: dict[str, Parcel] = field(default_factory=dict)

    def take(self, path: Path) -> None:
        """Add a result file."""
        try:
            parcel = Parcel(path)
            shard = self._shard_of(parcel)
            contents = {key: parcel.read(key) for key in shard.chunks}
            first = self._shards.setdefault(shard.name, parcel)
            if first is not parcel and any(first.read(key) != contents[key] for key in contents):
                hint = fill(
                    "{path} is used. Networks on other devices may round differently.", first.path
                )
                self.defects.append(
                    warning(
                        Place(str(path)),
                        fill("Shard {name} has a different result.", shard.name),
                        hint,
                    )
                )
            for key in shard.chunks:
                self._places.setdefault(key, first)
        except DamagedFileError as fault:
            self.defects.append(
                error(
                    Place(str(path)),
                    fill("This result cannot be used: {fault}.", Message(str(fault))),
                    hint="Score its shard again, or remove the file.",
                )
            )

    def _shard_of(self, parcel: Parcel) -> ShardEntry:
        """Return the shard of a result; raise DamagedFileError if it is of another job."""
        head, known = parcel.head, self.manifest.by_hash()
        if head.get("job") != self.manifest.job:
            raise DamagedFileError(translatable("it belongs to another job"))
        shard = known.get(str(head.get("shard")))
        if shard is None:
            raise DamagedFileError(
                translatable("its shard is not part of this job, or was altered")
            )
        if head.get("jurydesk") != self.manifest.jurydesk:
            raise DamagedFileError(
                fill(
                    "it was made by Jurydesk {get}, but the job by {jurydesk}",
                    head.get("jurydesk"),
                    self.manifest.jurydesk,
                )
            )
        if set(shard.chunks) != set(parcel.numbers):
            raise DamagedFileError(fill("it lacks the chunks of shard {name}", shard.name))
        return shard

    @property
    def missing(self) -> list[ShardEntry]:
        """Shards without a result."""
        return [shard for shard in self.manifest.shards if shard.name not in self._shards]

    is_empty = False

    def get(self, key: str) -> bytes | None:
        """Return the statistics of a chunk."""
        parcel = self._places.get(key)
        return None if parcel is None else parcel.read(key)

    def put(self, key: str, value: bytes) -> None:
        """Ignore a value: the cache is read-only."""

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Ignore values: the cache is read-only."""


def gather_results(manifest: Manifest, folder: Path, places: Sequence[Path]) -> ShardResults:
    """Read the results in the job's folder and in other places, in a fixed order."""
    results = ShardResults(manifest)
    if manifest.jurydesk != __version__:
        results.defects.append(
            error(
                Place(str(folder)),
                fill(
                    "The job was split by Jurydesk {jurydesk}, but this is {version}.",
                    manifest.jurydesk,
                    __version__,
                ),
                hint="Merge it with the version that split it.",
            )
        )
    default = [folder / RESULTS] if (folder / RESULTS).is_dir() else []
    for place in (*default, *places):
        files = sorted(place.glob(f"*{ENDING}")) if place.is_dir() else [place]
        for path in files:
            if path.is_file():
                results.take(path)
            else:
                results.defects.append(error(Place(str(path)), "There is no such file or folder."))
    return results


def check_shards(manifest: Manifest, folder: Path) -> Iterator[Defect]:
    """Yield defects of the shard files of a job: missing, altered or unrelated ones."""
    names = {shard.name: shard for shard in manifest.shards}
    for shard in manifest.shards:
        path = shard_path(folder, shard.name)
        if not path.is_file():
            yield error(Place(str(path)), fill("Shard {name} is missing.", shard.name))
        elif fingerprint(path).sha256 != shard.sha256:
            hint = "Copy it again from where the job was split."
            yield error(Place(str(path)), fill("Shard {name} was altered.", shard.name), hint=hint)
    for path in sorted((folder / "shards").glob("*")):
        if path.suffix != ".shard" or path.stem not in names:
            yield warning(Place(str(path)), "This file is not a shard of the job.")


def unscored_shards(results: ShardResults, folder: Path) -> Iterator[Defect]:
    """Yield a note about shards without a result."""
    names = [shard.name for shard in results.missing]
    if names:
        total = len(results.manifest.shards)
        yield note(
            Place(str(folder)),
            fill(
                "{shards} of {total:,} not scored: {name_list}.",
                counted(len(names), "shard"),
                total,
                name_list(names, 10),
            ),
            "`jurydesk shards score` scores them.",
            count=len(names),
        )


def locate_inputs(manifest: Manifest, folders: Sequence[Path], run: Run) -> tuple[InputFile, ...]:
    """Return the job's files, with the names that were given to systems.

    Each file is searched for at its old path, then by name in `folders`. Raises JobError if one is
    missing or changed.
    """
    found: list[InputFile] = []
    for source in manifest.inputs:
        if not source.sha256:
            found.append(InputFile(_folder(source.path, folders), source.role))
            continue
        one = locate_input(source, folders, run)
        if one.path is None or one.difference is not None:
            raise JobError(one.difference.sentence if one.difference else source.path)
        name = str(manifest.names.get(source.path, ""))
        found.append(InputFile(one.path, source.role, name=name))
    return tuple(found)


def _folder(path: str, folders: Sequence[Path]) -> Path:
    """Return the path of a folder of pictures: its old path, or its name elsewhere."""
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    recorded = () if is_strange_share(path, folders) else (Path(path),)
    places = (*recorded, *(folder / name for folder in folders))
    return next((place for place in places if place.is_dir()), next(iter(places), Path(name)))
