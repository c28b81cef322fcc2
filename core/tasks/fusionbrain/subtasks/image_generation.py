"""Scoring of image generation: CLIP score with the captions, FID to real pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.metrics.fid.kernel_distance import kernel_distance
from jurydesk.core.metrics.fid.picture_manifolds import DENSE_NEIGHBOURS, manifold_scores
from jurydesk.core.metrics.fid.picture_measures import NEIGHBOURLY
from jurydesk.core.metrics.fid.preprocessing import PRESETS
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.clip.clip_embeddings import select_clip
from jurydesk.core.neural.inception.fid_score import FidCalculator, FidResult
from jurydesk.core.neural.inception.image_features import (
    PictureReader,
    UnusablePictures,
    picture_hashes,
)
from jurydesk.core.neural.inception.joint_features import compute_together
from jurydesk.core.neural.inception.network_reader import network_reader
from jurydesk.core.neural.inception.picture_sets import (
    PictureSet,
    folder_pictures,
    listed_pictures,
)
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import ClipPair
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import NearestCaptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    ItemEvidence,
    ItemPicture,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import OF_PICTURE
from jurydesk.core.tasks.fusionbrain.questions import Challenge, SubtaskQuestion, contents
from jurydesk.core.tasks.fusionbrain.readers.image_paths import (
    IMAGES,
    PictureFinder,
    item_picture,
)
from jurydesk.core.tasks.fusionbrain.readers.records import IMAGE

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_FID = 200.0
"""FID from which its part of the score is 0 (FusionBrain Challenge 2.0, generation metric)."""


def generation_score(clip: float, distance: float) -> float:
    """Return the score of the sub-task: the mean of CLIP score and 1 - FID / 200."""
    if math.isnan(clip) or math.isnan(distance):
        return math.nan
    return 0.5 * (clip + (MAX_FID - min(MAX_FID, distance)) / MAX_FID)


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedPicture:
    """A generated picture with its CLIP score (NaN without a model).

    `reason` is the failure reason of the pair (or ""), `nearest` the picture's nearest captions.
    """

    question: SubtaskQuestion
    pair: ClipPair
    value: float
    reason: str
    nearest: NearestCaptions | None
    measures: Mapping[str, float] = field(default_factory=dict)

    def item(self, pictures: PictureFinder) -> FusionBrainItem:
        """Return the item of the picture."""
        values = {
            "generation_clip": self.value,
            "failed": float(bool(self.reason)),
            **self.measures,
        }
        if self.nearest is not None:
            values["caption_rank"] = float(self.nearest.rank)
        return FusionBrainItem(self.question, values, partial(self._evidence, pictures))

    def _evidence(self, pictures: PictureFinder) -> ItemEvidence:
        generated = item_picture(translatable("Generated"), IMAGES, self.pair.place)
        real = real_picture(self.question, pictures)
        nearest = self.nearest or NearestCaptions((), 0, 0)
        return ItemEvidence(
            self.question.subtask,
            self.question.key,
            self.question.text,
            self.pair.text,
            "",
            (),
            -1,
            nan_to_none(self.value),
            (self.reason,) if self.reason else (),
            (generated,) if real is None else (generated, real),
            clip=None if self.reason else nan_to_none(self.value),
            nearest=nearest.captions,
            rank=nearest.rank,
            among=nearest.among,
        )


def real_picture(question: SubtaskQuestion, pictures: PictureFinder) -> ItemPicture | None:
    """Return the real picture of a question in the truth, for display."""
    names = contents(question.truth, IMAGE)
    return pictures.real_picture(names[0]) if names else None


RealSource = Path | list[Path]
"""Folder of real pictures or file of their statistics, or the pictures themselves."""


def real_source(competition: Challenge, pictures: PictureFinder) -> RealSource | None:
    """Return the source of real pictures: statistics, a folder, the truth's files, or None."""
    source = competition.real_statistics or competition.real_images
    if source is not None:
        return source
    names = (contents(one.truth, IMAGE) for one in competition.questions["generation"])
    files = (pictures.of_truth(paths[0]).file for paths in names if paths)
    return [file for file in files if file is not None] or None


@dataclass(frozen=True, slots=True, eq=False)
class GenerationDistances:
    """FID of generated pictures (NaN if it was not computed), and other measures of their features.

    `scores` are by metric; `by_file` has the values of each generated picture by metric.
    """

    fid: float
    defects: tuple[Defect, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    by_file: Mapping[Path, Mapping[str, float]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


def generated_fid(
    pairs: Sequence[ClipPair],
    real: RealSource,
    weights: Mapping[str, Path],
    path: Path,
    run: Run,
    reader: PictureReader | None = None,
    *,
    published: bool,
) -> GenerationDistances:
    """Return the distances of generated to real pictures, and the defects of the pictures.

    The published program refuses different numbers of pictures: the FID is NaN, with a warning.
    `path` is the file of predictions, `reader` Inception's if it was opened before.

    Raises:
        ResourceMissing: The network is not installed.
    """
    generated = existing_pictures(pairs)
    mismatch = count_mismatch(generated, real, path) if published else None
    if mismatch is not None:
        return GenerationDistances(math.nan, (mismatch,))
    distances = FidCalculator(weights, trace="published" if published else "exact")
    pictures, others = (fid_pictures(one, path, every=not published) for one in (generated, real))
    try:
        found = distances.between(pictures, others, run, reader)
    except UsageError as fault:
        remarks = fault.remarks if isinstance(fault, UnusablePictures) else ()
        sets = (one for one in (pictures, others) if isinstance(one, PictureSet))
        left_out = (defect for one in sets for defect in one.defects)
        defects = dict.fromkeys((*left_out, *remarks, fid_not_computed(path, fault)))
        return GenerationDistances(math.nan, tuple(defects))
    files = pictures.files if isinstance(pictures, PictureSet) else ()
    scores, by_file = run.call(_feature_scores, files, found, run)
    return GenerationDistances(found.value, found.defects, scores, by_file)


def shared_reader(
    pairs: Sequence[ClipPair],
    real: RealSource,
    weights: Mapping[str, Path],
    path: Path,
    run: Run,
    *,
    published: bool,
) -> PictureReader | None:
    """Return Inception's reader, after it and CLIP saw the generated pictures, decoded once.

    None if a network is missing, or the distance is not computed.
    """
    generated = existing_pictures(pairs)
    if run.postpone is not None or (published and count_mismatch(generated, real, path)):
        return None
    try:
        role = select_clip(weights).role.id
        reader = FidCalculator(weights).reader(run)
        pictures = fid_pictures(generated, path, every=not published)
        files = pictures.files if isinstance(pictures, PictureSet) else ()
        hashes = picture_hashes(files, "Looking for the features of pictures", run)
        if reader.lacks(hashes):
            other = network_reader(role, weights, reader.cache.cache, run)
            compute_together([reader, other], files, hashes, run)
    except ResourceMissing:
        return None
    return reader


def _feature_scores(
    files: Sequence[Path], found: FidResult, run: Run
) -> tuple[Mapping[str, float], Mapping[Path, Mapping[str, float]]]:
    """Return the other measures by metric, and those of each picture; none without features."""
    made, real = found.one.gaussian.features, found.other.gaussian.features
    if made is None or real is None or min(len(made), len(real)) <= DENSE_NEIGHBOURS:
        return {}, {}
    manifolds = manifold_scores(real, made, run.check)
    values = {name: getattr(manifolds, name) for name in NEIGHBOURLY}
    scores = {f"generation_{name}": float(one.mean()) for name, one in values.items()}
    scores["generation_kid_full"] = kernel_distance(made, real, run.check).value
    by_file = {
        file: {f"generation_{name}": float(values[name][row]) for name in OF_PICTURE}
        for row, file in enumerate(files)
    }
    return scores, by_file


def existing_pictures(pairs: Sequence[ClipPair]) -> list[Path]:
    """Return the files of the generated pictures."""
    return [pair.place.file for pair in pairs if pair.place.file is not None]


def count_mismatch(generated: Sequence[Path], real: RealSource, path: Path) -> Defect | None:
    """Return the warning that the published program refuses different numbers of pictures."""
    real_count = len(real) if isinstance(real, list) else _count_entries(real)
    if real_count in (None, len(generated)):
        return None
    found = fill(
        "{generated_pictures}, but {real_count:,} real ones.",
        counted(len(generated), "generated picture"),
        real_count,
    )
    consequence = "The published program refuses different numbers; FID was not computed."
    return warning(Place(str(path)), found, consequence)


def fid_not_computed(path: Path, fault: UsageError) -> Defect:
    """Return the warning that the FID is missing, and why; `path` is the file of predictions."""
    return warning(Place(str(path)), fill("FID was not computed: {fault}", Message(str(fault))))


def fid_pictures(source: Path | Sequence[Path], path: Path, *, every: bool) -> Path | PictureSet:
    """Return the pictures of a folder, or of those that the file `path` lists, for FID.

    The published program leaves out files by their suffix; with `every`, all pictures are taken.
    A file of statistics is returned as it is.
    """
    preset = PRESETS["fusionbrain"]
    if not isinstance(source, Path):
        return listed_pictures(path, source, preset, every=every)
    return folder_pictures(source, preset, every=every) if source.is_dir() else source


def _count_entries(path: Path) -> int | None:
    """Return the number of entries of a folder; None for a file of statistics."""
    return sum(1 for _ in path.iterdir()) if path.is_dir() else None
