"""Resampling units of generated pictures for the uncertainty of FID and KID."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.metrics.fid.frechet_distance import Gaussian, ResampledDistances
from jurydesk.core.metrics.fid.kernel_distance import ResampledKernelDistances
from jurydesk.core.model.evaluation import Units, UsageError
from jurydesk.core.neural.feature_cache import Rows
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.neural.inception.npz_statistics import read_statistics
from jurydesk.core.neural.inception.picture_sets import PictureSet
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import generation_pairs
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import GENERATION
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import fid_pictures, real_source

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def fid_units(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Units:
    """Return the pictures of one system as resampling units of FID; the real ones are fixed.

    Raises:
        UsageError: Features are not cached, or there are too few pictures.
        ResourceMissing: The network is not installed.
        Cancelled: The run was cancelled.
    """
    keys, features, real = _sides(competition, predictions, options, run)
    resampled = ResampledDistances(features, real)
    return Units(keys, lambda counts: {"generation_fid": resampled.draw(counts)}, "pictures")


def kid_units(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Units:
    """Return the pictures of one system as resampling units of KID, as `fid_units` does."""
    keys, features, real = _sides(competition, predictions, options, run)
    if real.features is None:
        raise UsageError("KID needs real pictures, and not their statistics.")
    resampled = ResampledKernelDistances(features, real.features)
    return Units(keys, lambda counts: {"generation_kid_full": resampled.draw(counts)}, "pictures")


def _sides(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> tuple[tuple[str, ...], Rows, Gaussian]:
    """Return the keys of generated pictures, their features, and the real distribution."""
    pictures = PictureFinder(competition, predictions)
    questions = competition.questions.get(GENERATION, ())
    pairs = generation_pairs(questions, predictions, pictures, published=options.published)
    every = not options.published
    listed = {pair.key: pair.place.file for pair in pairs if pair.place.file is not None}
    taken = fid_pictures(tuple(listed.values()), predictions.path, every=every)
    assert isinstance(taken, PictureSet)  # noqa: S101 - a list is never a statistics file
    kept = set(taken.files)
    keys = tuple(key for key, file in listed.items() if file in kept)
    real = real_source(competition, pictures)
    if len(keys) < 2 or real is None:
        raise UsageError("At least two generated and two real pictures are needed.")
    distances = FidCalculator(options.weight_paths())
    features = distances.cached_features(taken.files, run)
    others = fid_pictures(real, predictions.path, every=every)
    return keys, features, _real_distribution(others, distances, run)


def _real_distribution(source: Path | PictureSet, distances: FidCalculator, run: Run) -> Gaussian:
    if isinstance(source, Path):
        return read_statistics(source).gaussian
    return Gaussian.of(distances.cached_features(source.files, run))
