"""Merging: results from anywhere, in any order, become the same evaluation as a run here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.analysis.verify import locate_input
from jurydesk.core.execution.local_workers import LocalWorkers
from jurydesk.core.model.defects import Defect, Place, counted, error, name_list, note, warning
from jurydesk.core.sharded_jobs.manifest import RESULTS, JobError, Manifest, ShardEntry, shard_path
from jurydesk.core.sharded_jobs.shard_file import DamagedFileError, Parcel
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


ENDING = ".result"


class MergeWorkers(LocalWorkers):
    """This machine, for what is left to do after shards were scored elsewhere."""

    place = "shards"


@dataclass(slots=True, eq=False)
class ShardResults:
    """The statistics of a job's chunks, as a cache that is read only.

    `take` looks at a file and tells what is wrong with it; a result that is there already is
    taken once, and of two that differ the first by name.
    """

    manifest: Manifest
    defects: list[Defect] = field(default_factory=list)
    _places: dict[str, Parcel] = field(default_factory=dict)
    _shards: dict[str, Parcel] = field(default_factory=dict)

    def take(self, path: Path) -> None:
        """Take a result file."""
        try:
            parcel = Parcel(path)
            shard = self._shard_of(parcel)
            contents = {key: parcel.read(key) for key in shard.chunks}
            first = self._shards.setdefault(shard.name, parcel)
            if first is not parcel and any(first.read(key) != contents[key] for key in contents):
                hint = f"{first.path} is taken. A network on another device may round otherwise."
                self.defects.append(
                    warning(Place(str(path)), f"Shard {shard.name} has another result here.", hint)
                )
            for key in shard.chunks:
                self._places.setdefault(key, first)
        except DamagedFileError as fault:
            self.defects.append(
                error(
                    Place(str(path)),
                    f"This result cannot be taken: {fault}.",
                    hint="Score its shard again, or remove the file.",
                )
            )

    def _shard_of(self, parcel: Parcel) -> ShardEntry:
        """The shard that a result belongs to; DamagedFileError where it is foreign."""
        head, known = parcel.head, self.manifest.by_hash()
        if head.get("job") != self.manifest.job:
            raise DamagedFileError("it belongs to another job")
        shard = known.get(str(head.get("shard")))
        if shard is None:
            raise DamagedFileError("its shard is none of this job, or was altered")
        if head.get("jurydesk") != self.manifest.jurydesk:
            raise DamagedFileError(
                f"it was made by Jurydesk {head.get('jurydesk')}, and the job by "
                f"{self.manifest.jurydesk}"
            )
        if set(shard.chunks) != set(parcel.numbers):
            raise DamagedFileError(f"it has not the chunks of shard {shard.name}")
        return shard

    @property
    def missing(self) -> list[ShardEntry]:
        """The shards without a result."""
        return [shard for shard in self.manifest.shards if shard.name not in self._shards]

    is_empty = False

    def get(self, key: str) -> bytes | None:
        """The statistics of a chunk."""
        parcel = self._places.get(key)
        return None if parcel is None else parcel.read(key)

    def put(self, key: str, value: bytes) -> None:
        """Nothing is kept: what is here came from shards."""

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Nothing is kept."""


def gather_results(manifest: Manifest, folder: Path, places: Sequence[Path]) -> ShardResults:
    """The results in the job's own folder and elsewhere, in an order that is always the same."""
    results = ShardResults(manifest)
    if manifest.jurydesk != __version__:
        results.defects.append(
            error(
                Place(str(folder)),
                f"The job was split by Jurydesk {manifest.jurydesk}, and this is {__version__}.",
                hint="Merge it with the version that split it.",
            )
        )
    own = [folder / RESULTS] if (folder / RESULTS).is_dir() else []
    for place in (*own, *places):
        files = sorted(place.glob(f"*{ENDING}")) if place.is_dir() else [place]
        for path in files:
            if path.is_file():
                results.take(path)
            else:
                results.defects.append(error(Place(str(path)), "There is no such file or folder."))
    return results


def check_shards(manifest: Manifest, folder: Path) -> Iterator[Defect]:
    """What is wrong with the shard files of a job: missing, altered or foreign ones."""
    names = {shard.name: shard for shard in manifest.shards}
    for shard in manifest.shards:
        path = shard_path(folder, shard.name)
        if not path.is_file():
            yield error(Place(str(path)), f"Shard {shard.name} is missing.")
        elif fingerprint(path).sha256 != shard.sha256:
            hint = "Copy it again from where the job was split."
            yield error(Place(str(path)), f"Shard {shard.name} was altered.", hint=hint)
    for path in sorted((folder / "shards").glob("*")):
        if path.suffix != ".shard" or path.stem not in names:
            yield warning(Place(str(path)), "This file is no shard of the job.")


def unscored_shards(results: ShardResults, folder: Path) -> Iterator[Defect]:
    """Which shards have no result yet."""
    names = [shard.name for shard in results.missing]
    if names:
        found = f"{counted(len(names), 'shard')} of {len(results.manifest.shards):,} not scored: "
        yield note(
            Place(str(folder)),
            f"{found}{name_list(names, 10)}.",
            "`jurydesk shards score` scores them.",
            count=len(names),
        )


def locate_inputs(
    manifest: Manifest, folders: Sequence[Path], run: Run
) -> tuple[dict[str, list[Path]], dict[Path, str]]:
    """The job's inputs by role, and the systems' names by their files.

    Every file is looked for where it was, then by its name in `folders`. Raises JobError with the
    sentence about one that is missing or changed.
    """
    inputs: dict[str, list[Path]] = {}
    names: dict[Path, str] = {}
    for source in manifest.inputs:
        if not source.sha256:
            inputs.setdefault(source.role, []).append(_folder(source.path, folders))
            continue
        one = locate_input(source, folders, run)
        if one.path is None or one.difference is not None:
            raise JobError(one.difference.sentence if one.difference else source.path)
        inputs.setdefault(source.role, []).append(one.path)
        if source.path in manifest.names:
            names[one.path] = str(manifest.names[source.path])
    return inputs, names


def _folder(path: str, folders: Sequence[Path]) -> Path:
    """A folder of pictures where it was, or of its name elsewhere."""
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    places = (Path(path), *(folder / name for folder in folders))
    return next((place for place in places if place.is_dir()), Path(path))
