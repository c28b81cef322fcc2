"""Features of pictures by several networks, for which each picture is decoded once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.language import Message, fill, join_messages
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.neural.clip import clip_chunks
from jurydesk.core.neural.device_pool import share_networks
from jurydesk.core.neural.feature_cache import FeatureShard, split_into_shards
from jurydesk.core.neural.inception import inception_chunks
from jurydesk.core.neural.inception.fid_score import FidCalculator, FidResult
from jurydesk.core.neural.inception.image_chunks import (
    PictureChunk,
    PictureFeatures,
    PicturePreparation,
    Rows,
    picture_features,
    with_picture_bytes,
)
from jurydesk.core.neural.inception.image_features import (
    PictureReader,
    picture_hashes,
    shard_chunks,
)
from jurydesk.core.neural.inception.npz_statistics import is_statistics_file
from jurydesk.core.readers.images import ARRAY_ENDING

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

KINDS: Mapping[str, tuple[type[Any], Callable[[Any], PicturePreparation]]] = {
    inception_chunks.WORK.id: (
        inception_chunks.InceptionSettings,
        inception_chunks.inception_preparation,
    ),
    clip_chunks.CLIP_CHUNKS.id: (clip_chunks.ClipSettings, clip_chunks.clip_preparation),
}
"""Settings of each kind of network, and their preparation of pictures."""


@dataclass(frozen=True, slots=True)
class JointSettings:
    """Kinds of the networks, digests of their settings, and these as JSON values."""

    kinds: Sequence[str]
    digests: Sequence[str]
    networks: Sequence[Mapping[str, Any]] = field(metadata=NO_IDENTITY)


@dataclass(frozen=True, slots=True, eq=False)
class JointFeatures:
    """Features of k pictures: rows (k, sum of widths) of all networks, reasons and remarks.

    The width of a network is 0 if no picture can be used.
    """

    rows: Rows
    widths: Sequence[int]
    reasons: Sequence[str]
    remarks: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        if self.rows.ndim != 2 or self.rows.shape[1] != sum(self.widths):
            raise ValueError("the widths are not those of the rows")

    def __len__(self) -> int:
        return len(self.rows)

    def by_network(self) -> list[Rows]:
        """Return the rows (k, width) of each network."""
        return np.split(self.rows, list(accumulate(self.widths))[:-1], axis=1)


def score_joint_chunk(settings: JointSettings, chunk: PictureChunk, check: Check) -> JointFeatures:
    """Return the features of a chunk; ResourceMissing if this machine has other weights."""
    networks = []
    for kind, values in zip(settings.kinds, settings.networks, strict=True):
        kept, prepare = KINDS[kind]
        networks.append(prepare(kept(**values)))
    found: list[PictureFeatures] = picture_features(chunk, networks, check)
    rows = [one.rows for one in found]
    widths = [one.shape[1] for one in rows]
    return JointFeatures(np.hstack(rows), widths, found[0].reasons, found[0].remarks)


WORK = ChunkKind(
    "pictures",
    score_joint_chunk,
    JointSettings,
    PictureChunk,
    JointFeatures,
    on_device=True,
    embed_files=with_picture_bytes,
)


def compute_together(
    readers: Sequence[PictureReader], paths: Sequence[Path], hashes: Sequence[str], run: Run
) -> None:
    """Compute and cache the features of pictures that two networks or more lack.

    `hashes` are the SHA-256 of the pictures. Those that cannot be read are left to each reader, and
    so are all in shards of a job. Raises Cancelled.
    """
    if run.postpone is not None:
        return
    absent: dict[tuple[int, ...], list[FeatureShard]] = defaultdict(list)
    for shard in split_into_shards(hashes):
        if not any(paths[place].suffix == ARRAY_ENDING for place in shard.places):
            lacking = [n for n, reader in enumerate(readers) if reader.cached(shard) is None]
            absent[tuple(lacking)].append(shard)
    for numbers, shards in absent.items():
        if len(numbers) > 1:
            _compute([readers[number] for number in numbers], shards, paths, run)


def _compute(
    readers: Sequence[PictureReader],
    shards: Sequence[FeatureShard],
    paths: Sequence[Path],
    run: Run,
) -> None:
    networks = [reader.shared_network(run) for reader in readers]
    for _, settings, pool in networks:
        share_networks(settings.key, pool)
    joint = JointSettings(
        [kind.id for kind, _, _ in networks],
        [content_digest(settings) for _, settings, _ in networks],
        [asdict(settings) for _, settings, _ in networks],
    )
    names = join_messages([Message(reader.title) for reader in readers], " + ")
    text = fill("{network}, images of {folder}", names, paths[0].parent.name)
    request = ChunkRequest(WORK, joint, shard_chunks(shards, paths), text, "images", False)
    for shard, found in zip(shards, run.each(request), strict=True):
        if not any(found.reasons):
            for reader, rows in zip(readers, found.by_network(), strict=True):
                reader.cache.put(shard, rows, found.remarks)


def distances_together(
    calculators: Sequence[FidCalculator], one: Path, other: Path, run: Run
) -> list[FidResult]:
    """Return the distance of two sets by each network; a picture is decoded once for all.

    Raises what `FidCalculator.between` does.
    """
    if len(calculators) < 2 or not calculators[0].reads_pictures(one, other):
        return [calculator.between(one, other, run) for calculator in calculators]
    readers = [calculator.reader(run) for calculator in calculators]
    for side in (one, other):
        if not is_statistics_file(side):
            listed = [set(calculator.pictures(side).files) for calculator in calculators]
            files = sorted(set.intersection(*listed))
            hashes = picture_hashes(files, fill("Looking through {folder}", side.name), run)
            compute_together(readers, files, hashes, run)
    return [
        calculator.between(one, other, run, reader)
        for calculator, reader in zip(calculators, readers, strict=True)
    ]
