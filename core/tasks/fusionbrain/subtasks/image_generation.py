"""Scoring of image generation: CLIP score with the captions, FID to real pictures."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import ClipPair
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import NearestCaptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    ItemEvidence,
    ItemPicture,
    nan_to_none,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem
from jurydesk.core.tasks.fusionbrain.questions import Challenge, SubtaskQuestion, contents
from jurydesk.core.tasks.fusionbrain.readers.image_paths import (
    IMAGES,
    PictureFinder,
    item_picture,
)
from jurydesk.core.tasks.fusionbrain.readers.records import IMAGE

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

TEMPORARY_PREFIX = "jurydesk-fid-"
"""Prefix of temporary folders with pictures of several folders."""

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

    def item(self, pictures: PictureFinder) -> FusionBrainItem:
        """Return the item of the picture."""
        values = {"generation_clip": self.value, "failed": float(bool(self.reason))}
        if self.nearest is not None:
            values["caption_rank"] = float(self.nearest.rank)
        return FusionBrainItem(self.question, values, partial(self._evidence, pictures))

    def _evidence(self, pictures: PictureFinder) -> ItemEvidence:
        generated = item_picture("Generated", IMAGES, self.pair.place)
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


def real_source(competition: Challenge, pictures: PictureFinder) -> Path | list[Path] | None:
    """Return the source of real pictures: statistics, a folder, the truth's files, or None."""
    source = competition.real_statistics or competition.real_images
    if source is not None:
        return source
    names = (contents(one.truth, IMAGE) for one in competition.questions["generation"])
    files = (pictures.of_truth(paths[0]).file for paths in names if paths)
    return [file for file in files if file is not None] or None


def generated_fid(
    pairs: Sequence[ClipPair],
    real: Path | list[Path],
    weights: Mapping[str, Path],
    path: Path,
    run: Run,
    *,
    published: bool,
) -> tuple[float, tuple[Defect, ...]]:
    """Return the FID of generated to real pictures, and the defects of the pictures.

    The published program refuses different numbers of pictures: the FID is NaN, with a warning.
    `path` is the file of predictions.

    Raises:
        ResourceMissing: The network is not installed.
    """
    generated = [pair.place.file for pair in pairs if pair.place.file is not None]
    real_count = len(real) if isinstance(real, list) else _count_entries(real)
    if published and real_count is not None and real_count != len(generated):
        found = fill(
            "{generated_pictures}, but {real_count:,} real ones.",
            counted(len(generated), "generated picture"),
            real_count,
        )
        consequence = "The published program refuses different numbers; FID was not computed."
        return math.nan, (warning(Place(str(path)), found, consequence),)
    distances = FidCalculator(weights, trace="published" if published else "exact")
    try:
        with _folder_of(generated) as folder, _folder_of(real) as truth:
            distance = distances.between(folder, truth, run)
            return distance.value, tuple(
                _replace_temporary_paths(distance.defects, (folder, truth), path)
            )
    except UsageError as fault:
        return math.nan, (
            warning(
                Place(str(path)),
                fill("FID was not computed: {fault}", Message(str(fault))),
            ),
        )


def _replace_temporary_paths(
    defects: Iterable[Defect], folders: Sequence[Path], path: Path
) -> Iterator[Defect]:
    """Yield the defects, with temporary folders replaced by the predictions' file."""
    temporary = tuple(str(folder) for folder in folders if TEMPORARY_PREFIX in folder.name)
    for defect in defects:
        is_temporary = temporary and defect.place.path.startswith(temporary)
        yield replace(defect, place=Place(str(path))) if is_temporary else defect


def _count_entries(path: Path) -> int | None:
    """Return the number of entries of a folder; None for a file of statistics."""
    return sum(1 for _ in path.iterdir()) if path.is_dir() else None


@contextmanager
def _folder_of(files: Path | Sequence[Path]) -> Iterator[Path]:
    """Yield a folder with exactly these files: their own folder, or a temporary copy."""
    if isinstance(files, Path):
        yield files
        return
    parents = {file.parent for file in files}
    if len(parents) == 1:
        (parent,) = parents
        if set(parent.iterdir()) == set(files):
            yield parent
            return
    with tempfile.TemporaryDirectory(prefix=TEMPORARY_PREFIX) as name:
        for number, file in enumerate(files):
            shutil.copyfile(file, Path(name) / f"{number:08d}{file.suffix}")
        yield Path(name)
