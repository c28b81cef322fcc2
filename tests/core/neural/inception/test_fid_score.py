from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import TRACES, exact_trace
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.feature_cache import RowCache, split_into_shards
from jurydesk.core.neural.inception.fid_score import FidCalculator
from support.oracles import oracle
from support.tiny_models import Kept, maker, picture, torch_or_skip

RECORDED = json.loads(oracle("neural/shared_fid.json").read_text())["runs"]
CASE = "d64_n40_rank_deficient"
FULL = "d64_n200"
NOTE = "       Compare only distances of equally many pictures; 10,000 and more are usual."


@pytest.fixture
def sides(tmp_path):
    """Return a function that writes the recorded features of a case as two files."""

    def of(case):
        with np.load(oracle("neural/shared_fid_features.npz")) as file:
            for side in "ab":
                np.savez(tmp_path / f"{side}.npz", features=file[f"{case}_{side}"])
        return tmp_path / "a.npz", tmp_path / "b.npz"

    return of


def test_the_distance_of_features_equals_the_original_one(sides):
    found = FidCalculator({}).between(*sides(CASE), Run())
    assert found.value == pytest.approx(RECORDED["scipy 1.17.1 numpy 2.4.6"][CASE]["fid"], rel=1e-6)


def test_the_exact_distance_is_computed_on_request(sides):
    found = FidCalculator({}, trace="exact").between(*sides(CASE), Run())
    exact = RECORDED["scipy 1.17.1 numpy 2.4.6"][CASE]["exact_nuclear_norm_value"]
    assert found.value == pytest.approx(exact, rel=1e-9)


def test_few_pictures_are_reported(sides, monkeypatch):
    monkeypatch.setitem(TRACES, "published", lambda *given: exact_trace(*given) - 0.05)
    found = FidCalculator({}).between(*sides(CASE), Run())
    reported = [str(defect) for defect in found.defects]
    assert reported[:2] == [
        "warning  a.npz: 40 pictures for 64 dimensions: the covariance is singular.\n"
        "       The published root then carries rounding noise; --exact has none.",
        f"note  a.npz: The distance of 40 pictures is larger than that of many.\n{NOTE}",
    ]
    exact = RECORDED["scipy 1.17.1 numpy 2.4.6"][CASE]["exact_nuclear_norm_value"]
    assert reported[-1] == (
        "note  b.npz: Rounding noise in the published root moves the distance by "
        f"1.0e-01.\n       --exact gives {exact:.6g}."
    )
    monkeypatch.setitem(TRACES, "published", exact_trace)
    (*_, last) = FidCalculator({}).between(*sides(CASE), Run()).defects
    assert "Rounding noise" not in str(last)
    assert len(FidCalculator({}).between(*sides(FULL), Run()).defects) == 2


def test_the_distance_of_pictures_from_themselves_has_the_noise_that_is_told(sides):
    path, _ = sides(CASE)
    found, exact = (FidCalculator({}, trace=name).between(path, path, Run())
                    for name in ("published", "exact"))  # fmt: skip
    assert exact.value == pytest.approx(0, abs=1e-9)
    noise = abs(found.value - exact.value)
    assert noise > 1e-9
    assert str(found.defects[-1]).startswith(
        f"note  a.npz: Rounding noise in the published root moves the distance by {noise:.1e}."
    )


def test_statistics_of_another_preset_or_other_weights_are_reported(tmp_path):
    for side, preset, weights in (("a", "clean", "ab"), ("b", "fusionbrain", "cd")):
        np.savez(
            tmp_path / f"{side}.npz",
            mu=np.zeros(2),
            sigma=np.eye(2),
            preset=preset,
            weights=weights,
        )
    found = FidCalculator({}).between(tmp_path / "a.npz", tmp_path / "b.npz", Run())
    assert [defect.found for defect in found.defects] == [
        "The statistics were made by the preset clean, and this is fusionbrain.",
        "Its features come from other weights than those of a.npz.",
    ]


def test_features_of_different_widths_are_refused(tmp_path):
    for side, width in (("a", 2), ("b", 3)):
        np.savez(tmp_path / f"{side}.npz", mu=np.zeros(width), sigma=np.eye(width))
    with pytest.raises(UsageError, match=r"features of 2 dimensions, .* of 3"):
        FidCalculator({}).between(tmp_path / "a.npz", tmp_path / "b.npz", Run())


def test_an_unknown_preset_is_refused():
    with pytest.raises(UsageError, match='There is no preset "cleann"'):
        FidCalculator({}, "cleann")


def test_missing_weights_are_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    with pytest.raises(ResourceMissing, match="There are no weights for Inception"):
        FidCalculator({}).between(tmp_path, tmp_path, Run())


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    torch_or_skip()
    path = tmp_path_factory.mktemp("weights") / "inception.safetensors"
    maker().make_inception(path)
    return {"inception": path}


def test_a_folder_has_the_features_of_the_original(weights, tmp_path):
    cache = Kept()
    distances = FidCalculator(weights, trace="exact", cache=cache)
    folder = oracle("neural/shared_fid_images")
    found, _ = distances.statistics(folder, distances.reader(Run()), Run())
    with np.load(oracle("neural/shared_fid_activations.npz")) as file:
        expected = file["act"]
    assert found.gaussian.features == pytest.approx(expected, rel=1e-4, abs=1e-4)
    same = distances.between(folder, folder, Run())
    assert same.value == pytest.approx(0, abs=1e-6)
    (unpublished,) = {d.found for d in same.defects if d.place.path == "inception"}
    assert unpublished.startswith("The Inception weights are not the published ones")


def test_the_distance_does_not_depend_on_the_batch_or_the_workers(weights, tmp_path, monkeypatch):
    for number in range(10):
        picture(tmp_path / "ab"[number % 2] / f"{number}.png", number)
    sides = tmp_path / "a", tmp_path / "b"

    def distance(run):
        return (
            FidCalculator(weights, trace="exact", dims=64, cache=Kept()).between(*sides, run).value
        )

    before = distance(Run(device="cpu"))
    monkeypatch.setattr("jurydesk.core.neural.batches.CPU_BATCH", 3)
    assert distance(Run(device="cpu", jobs=3)) == pytest.approx(before, rel=1e-6)


def test_a_missing_path_is_reported(weights, tmp_path):
    with pytest.raises(UsageError, match="gone: there is no such folder"):
        FidCalculator(weights).between(tmp_path / "gone", tmp_path / "gone", Run())


def test_a_file_that_is_not_statistics_is_reported(weights, tmp_path):
    (tmp_path / "a.zip").write_bytes(b"PK")
    with pytest.raises(UsageError, match=r"a\.zip is a file, and no \.npz of statistics: a folder"):
        FidCalculator(weights).between(tmp_path / "a.zip", tmp_path, Run())


def test_weights_of_another_network_are_reported(tmp_path):
    torch = torch_or_skip()

    torch.save({"fc.weight": torch.ones(2, 2)}, tmp_path / "x.pth")
    picture(tmp_path / "a" / "a.png", 0)
    with pytest.raises(ResourceMissing, match="471 tensors are missing"):
        FidCalculator({"inception": tmp_path / "x.pth"}).between(tmp_path / "a", tmp_path, Run())


class TestCache:
    @pytest.fixture
    def pictures(self, tmp_path):
        paths = [tmp_path / f"{number}.png" for number in range(70)]
        for number, path in enumerate(paths):
            path.write_bytes(bytes([number]))
        return paths

    @pytest.fixture
    def weights(self, tmp_path):
        path = tmp_path / "inception.pth"
        path.write_bytes(b"weights")
        return {"inception": path}

    def test_features_are_in_the_order_of_the_pictures(self, pictures, weights):
        rows = np.arange(140, dtype=np.float32).reshape(70, 2)
        cache = Kept()
        sha256 = hashlib.sha256(b"weights").hexdigest()
        put = RowCache(cache, ("inception", sha256, "fusionbrain", "2"))
        for shard in split_into_shards(
            [hashlib.sha256(path.read_bytes()).hexdigest() for path in pictures]
        ):
            put.put(shard, rows[list(shard.places)])
        distances = FidCalculator(weights, dims=2, cache=cache)
        np.testing.assert_equal(distances.cached_features(pictures, Run()), rows)

    def test_uncached_features_are_reported(self, pictures, weights):
        with pytest.raises(UsageError) as reported:
            FidCalculator(weights, cache=Kept()).cached_features(pictures, Run())
        assert str(reported.value) == (
            "The Inception features of 70 pictures are not kept on this computer: "
            "score the system here, and ask again."
        )
