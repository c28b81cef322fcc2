"""Resampling units of generated pictures for the uncertainty of FID."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.metrics.fid.frechet_distance import Gaussian, ResampledDistances
from jurydesk.core.model.evaluation import FloatArray, Units, UsageError
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.neural.inception.npz_statistics import read_statistics
from jurydesk.core.readers.images import FID_ENDINGS, fid_pictures
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import generation_pairs
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import GENERATION
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import real_source

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def fid_units(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Units:
    """Return the pictures of one system as resampling units; the real pictures are fixed.

    Raises:
        UsageError: Features are not cached, or there are too few pictures.
        ResourceMissing: The network is not installed.
        Cancelled: The run was cancelled.
    """
    pictures = PictureFinder(competition, predictions)
    questions = competition.questions.get(GENERATION, ())
    pairs = generation_pairs(questions, predictions, pictures, published=options.published)
    files = {
        pair.key: pair.place.file
        for pair in pairs
        if pair.place.file is not None and pair.place.file.suffix in FID_ENDINGS
    }
    real = real_source(competition, pictures)
    if len(files) < 2 or real is None:
        raise UsageError("At least two generated and two real pictures are needed.")
    distances = FidCalculator(options.weight_paths())
    features = distances.cached_features(list(files.values()), run)
    resampled = ResampledDistances(features, _real_distribution(real, distances, run))

    def scores(counts: FloatArray) -> Mapping[str, float]:
        return {"generation_fid": resampled.draw(counts)}

    return Units(tuple(files), scores, "pictures")


def _real_distribution(source: Path | list[Path], distances: FidCalculator, run: Run) -> Gaussian:
    if isinstance(source, Path) and source.is_file():
        return read_statistics(source).gaussian
    files = fid_pictures(source) if isinstance(source, Path) else source
    return Gaussian.of(distances.cached_features(files, run))
