from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from jurydesk.core.execution.run import Run
from jurydesk.core.neural.inception import image_chunks
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.neural.inception.image_features import picture_hashes
from jurydesk.core.neural.inception.joint_features import (
    JointFeatures,
    compute_together,
    distances_together,
)
from jurydesk.core.readers.images import open_picture
from support.tiny_models import Kept, maker, picture, torch_or_skip

torch_or_skip()


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    maker().make_inception(folder / "inception.safetensors")
    maker().make_open_clip(folder / "clip")
    return {"inception": folder / "inception.safetensors", "clip": folder / "clip"}


@pytest.fixture
def decoded(monkeypatch):
    """Return the names of the pictures in the order in which they are decoded."""
    names: list[str] = []

    def count(path, **settings):
        names.append(path.name)
        return open_picture(path, **settings)

    monkeypatch.setattr(image_chunks, "open_picture", count)
    return names


def pictures(folder):
    """Write pictures in the modes that the two networks convert at different steps."""
    for number, mode in enumerate(("RGB", "L", "CMYK", "P")):
        ending = "tif" if mode == "CMYK" else "png"
        picture(folder / f"{number}.{ending}", number, size=(90, 70), mode=mode)
    see_through = Image.new("RGBA", (60, 50), (200, 30, 90, 70))
    see_through.paste((0, 0, 255, 255), (10, 10, 30, 30))
    see_through.save(folder / "4.png")
    see_through.quantize(8).save(folder / "5.png", transparency=0)
    return folder


def calculators(weights, cache):
    return [
        FidCalculator(weights, trace="exact", dims=64, cache=cache, network=network)
        for network in ("inception", "clip")
    ]


def rows(results):
    return [side.gaussian.features for found in results for side in (found.one, found.other)]


def test_each_picture_is_decoded_once_and_has_the_features_of_each_network_alone(
    weights, tmp_path, decoded
):
    one, other = pictures(tmp_path / "a"), tmp_path / "b"
    for number in range(3):
        picture(other / f"{number}.png", 10 + number)
    with Run(device="cpu", jobs=1) as run:
        together = distances_together(calculators(weights, Kept()), one, other, run)
        names = [file.name for folder in (one, other) for file in folder.iterdir()]
        assert sorted(decoded) == sorted(names)
        alone = [each.between(one, other, run) for each in calculators(weights, Kept())]
    for found, expected in zip(rows(together), rows(alone), strict=True):
        assert np.array_equal(found, expected)
    assert [found.value for found in together] == [found.value for found in alone]
    assert [found.defects for found in together] == [found.defects for found in alone]


def test_only_what_a_network_lacks_is_computed(weights, tmp_path, decoded):
    folder, cache = pictures(tmp_path / "a"), Kept()
    inception, clip = calculators(weights, cache)
    with Run(device="cpu", jobs=1) as run:
        readers = [inception.reader(run), clip.reader(run)]
        readers[1].read(clip.pictures(folder), run)
        decoded.clear()
        files = inception.pictures(folder).files
        hashes = picture_hashes(files, "", run)
        compute_together(readers, files, hashes, run)
        assert decoded == []
        assert readers[0].lacks(hashes)
        assert not readers[1].lacks(hashes)


def test_a_picture_that_cannot_be_read_is_left_to_each_network(weights, tmp_path):
    folder, cache = pictures(tmp_path / "a"), Kept()
    (folder / "0.png").write_bytes(b"no picture")
    with Run(device="cpu", jobs=1) as run:
        readers = [each.reader(run) for each in calculators(weights, cache)]
        files = sorted(folder.iterdir())
        hashes = picture_hashes(files, "", run)
        compute_together(readers, files, hashes, run)
        assert all(reader.lacks(hashes) for reader in readers)


def test_rows_of_other_widths_are_refused():
    with pytest.raises(ValueError, match="the widths are not those of the rows"):
        JointFeatures(np.zeros((2, 5), np.float32), [2, 2], ["", ""], [[], []])
