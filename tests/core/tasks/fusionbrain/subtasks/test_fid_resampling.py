"""Tests of resampling generated pictures with cached features."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Gaussian, gaussian_frechet_distance
from jurydesk.core.metrics.fid.kernel_distance import kernel_distance
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.subtasks.fid_resampling import fid_units, kid_units

KEYS = ("a", "b", "c", "d", "e")


def features(paths) -> np.ndarray:
    """Return generated features that depend only on the pictures."""
    rows = [np.random.default_rng(int(path.read_bytes())).normal(size=6) for path in paths]
    return np.array(rows, dtype=np.float32)


@pytest.fixture
def kept(monkeypatch):
    """Return cached features of all pictures."""
    monkeypatch.setattr(FidCalculator, "cached_features", lambda self, paths, run: features(paths))


def picture(name: str) -> list[dict[str, str]]:
    return [{"type": "text", "content": ""}, {"type": "image", "content": name}]


def units(folder: Path, keys=KEYS, made=fid_units):
    for number, name in enumerate(
        [f"made/{k}.png" for k in KEYS] + [f"real/{k}.png" for k in KEYS]
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(str(number).encode())
    truth = {key: picture(f"real/{key}.png")[1:] for key in KEYS}
    said = {key: picture(f"out/made/{key if key in keys else 'gone'}.png") for key in KEYS}
    paths = {"truth": truth, "predictions": said}
    for name, content in paths.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    options, run = FusionBrainOptions(subtask="generation"), Run()
    inputs = {role: [folder / f"{role}.json"] for role in paths}
    competition = TASK.readers.read_references(inputs, options, run).data
    assert competition is not None
    predictions = TASK.readers.read_submission(
        folder / "predictions.json", competition, options, run
    ).data
    assert predictions is not None
    return made(competition, predictions, options, run)


def test_all_pictures_once_give_the_distance(kept, tmp_path):
    found = units(tmp_path)
    assert found.ids == KEYS
    assert found.noun == "pictures"
    made, real = (
        Gaussian.of(features([tmp_path / side / f"{key}.png" for key in KEYS]))
        for side in ("made", "real")
    )
    expected = gaussian_frechet_distance(made, real, "exact")
    assert found.scores(np.ones(5))["generation_fid"] == pytest.approx(expected, abs=1e-6)


def test_a_missing_picture_is_not_drawn(kept, tmp_path):
    assert units(tmp_path, KEYS[:3]).ids == KEYS[:3]


def test_a_single_picture_is_refused(kept, tmp_path):
    with pytest.raises(UsageError, match="At least two generated and two real pictures"):
        units(tmp_path, KEYS[:1])


def test_all_pictures_once_give_kid(kept, tmp_path):
    found = units(tmp_path, made=kid_units)
    made, real = (
        features([tmp_path / side / f"{key}.png" for key in KEYS]) for side in ("made", "real")
    )
    expected = kernel_distance(made, real).value
    assert found.scores(np.ones(5)) == {"generation_kid_full": pytest.approx(expected, rel=1e-9)}
