from __future__ import annotations

from pathlib import Path

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.metrics.fid.kernel_distance import kernel_distance
from jurydesk.core.metrics.fid.picture_manifolds import manifold_scores
from jurydesk.core.neural.inception.fid_score import FidCalculator, FidResult
from jurydesk.core.neural.inception.npz_statistics import Statistics
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import ClipPair
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import GENERATION_MEASURES
from jurydesk.core.tasks.fusionbrain.questions import SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFile, PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import (
    GeneratedPicture,
    generated_fid,
)


def test_a_picture_without_nearest_captions_has_no_rank(tmp_path: Path) -> None:
    question = SubtaskQuestion("generation", "1", ())
    pair = ClipPair("1", PictureFile("x.png", None, "There is none."), "a dog")
    made = GeneratedPicture(question, pair, 0.5, "", None)._evidence(
        PictureFinder(None, None)  # type: ignore[arg-type]
    )
    assert (made.nearest, made.rank, made.among) == ((), 0, 0)


def pair(file: Path) -> ClipPair:
    return ClipPair(file.stem, PictureFile(file.name, file, ""), "a dog")


def test_measures_of_the_same_features_stand_beside_the_distance(monkeypatch, tmp_path):
    random = np.random.RandomState(0)
    made, real = random.randn(8, 4), random.randn(7, 4)
    sides = [Statistics(Gaussian.of(rows)) for rows in (made, real)]
    found = FidResult(9.0, *sides, ())
    monkeypatch.setattr(FidCalculator, "between", lambda *_: found)
    pairs = [pair(tmp_path / f"{number}.png") for number in range(8)]
    result = generated_fid(pairs, tmp_path, {}, tmp_path / "p.json", Run(), published=False)
    expected = manifold_scores(real, made)
    assert result.fid == 9.0
    assert result.scores["generation_recall"] == expected.recall.mean()
    assert result.scores["generation_kid_full"] == kernel_distance(made, real).value
    assert set(result.scores) == set(GENERATION_MEASURES)
    for row in range(8):
        assert result.by_file[tmp_path / f"{row}.png"] == {
            "generation_precision": expected.precision[row],
            "generation_density": expected.density[row],
        }


def test_statistics_of_real_pictures_have_a_distance_only(monkeypatch, tmp_path):
    made = Statistics(Gaussian.of(np.random.RandomState(0).randn(8, 4)))
    found = FidResult(9.0, made, Statistics(Gaussian(np.zeros(4), np.eye(4))), ())
    monkeypatch.setattr(FidCalculator, "between", lambda *_: found)
    pairs = [pair(tmp_path / f"{number}.png") for number in range(8)]
    result = generated_fid(pairs, tmp_path, {}, tmp_path / "p.json", Run(), published=False)
    assert (result.fid, result.scores, result.by_file) == (9.0, {}, {})
