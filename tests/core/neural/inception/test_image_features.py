"""Features of a folder, by a network that averages the colour."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.metrics.fid.preprocessing import PRESETS
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.feature_cache import RowCache
from jurydesk.core.neural.inception import image_features
from jurydesk.core.neural.inception.image_features import PictureReader, UnusablePictures
from jurydesk.core.neural.inception.picture_sets import folder_pictures, listed_pictures
from support.tiny_models import Kept, picture, torch_or_skip

torch = torch_or_skip()


class MeanColour:
    """Features of three dimensions; counts the pictures that it got."""

    def __init__(self):
        self.seen = 0

    def __call__(self, batch):
        self.seen += len(batch)
        return batch.float().mean(dim=(1, 2))

    def to(self, device):
        return self


@pytest.fixture
def folder(tmp_path):
    for number in range(70):
        picture(tmp_path / "pictures" / f"{number:03}.png", number, size=(9, 7))
    return tmp_path / "pictures"


def fusionbrain(folder):
    return folder_pictures(folder, PRESETS["fusionbrain"])


def reader(cache, *, size=16, preset="fusionbrain"):
    batches = Batches(MeanColour(), "cpu", size)
    return PictureReader(
        batches, PRESETS[preset], 3, "ab12", RowCache(cache, ("mean colour", preset))
    )


def test_features_do_not_depend_on_the_batch_or_the_workers(folder):
    rows = [
        reader(Kept(), size=size).read(fusionbrain(folder), Run(jobs=jobs))[0].rows
        for size, jobs in ((1, 1), (16, 2), (64, 4))
    ]
    assert rows[0].shape == (70, 3)
    assert rows[1] == pytest.approx(rows[0], rel=1e-6)
    assert rows[2] == pytest.approx(rows[0], rel=1e-6)


def test_a_second_run_computes_nothing_and_gives_the_same_features(folder):
    cache = Kept()
    first, second = reader(cache), reader(cache)
    rows, pictures = first.read(fusionbrain(folder), Run())
    again, same_pictures = second.read(fusionbrain(folder), Run())
    assert (first.batches.network.seen, second.batches.network.seen) == (70, 0)
    assert np.array_equal(again.rows, rows.rows)
    assert same_pictures == pictures


def test_a_stopped_run_resumes(folder):
    cache, cancel = Kept(), CancelToken()
    stopped = reader(cache)
    shown = stopped.batches.network

    def stop_after_some(progress):
        if shown.seen:
            cancel.cancel()

    with pytest.raises(Cancelled):
        stopped.read(fusionbrain(folder), Run(progress=stop_after_some, cancel=cancel))
    resumed = reader(cache)
    resumed.read(fusionbrain(folder), Run())
    assert 0 < resumed.batches.network.seen < 70


def test_renamed_pictures_keep_their_cached_features(folder):
    cache = Kept()
    reader(cache).read(fusionbrain(folder), Run())
    folder.joinpath("000.png").rename(folder / "zzz.png")
    renamed = reader(cache)
    renamed.read(fusionbrain(folder), Run())
    assert renamed.batches.network.seen == 0


def test_another_preset_has_its_own_cached_features(folder):
    cache = Kept()
    reader(cache).read(fusionbrain(folder), Run())
    other = reader(cache, preset="clean")
    other.read(fusionbrain(folder), Run())
    assert other.batches.network.seen == 70


def test_of_many_pictures_only_the_sums_are_returned(folder, monkeypatch):
    few = reader(Kept()).read(fusionbrain(folder), Run())[0].gaussian()
    monkeypatch.setattr(image_features, "MOST_ROWS", 10)
    many = reader(Kept()).read(fusionbrain(folder), Run())[0]
    assert many.rows is None
    assert many.gaussian().mean == pytest.approx(few.mean, rel=1e-6)
    assert many.gaussian().covariance == pytest.approx(few.covariance, rel=1e-6, abs=1e-9)


def test_all_unusable_pictures_are_reported_at_once(folder):
    (folder / "010.png").write_text("no picture")
    (folder / "020.png").write_bytes((folder / "021.png").read_bytes()[:90])
    with pytest.raises(UnusablePictures) as reported:
        reader(Kept()).read(fusionbrain(folder), Run())
    assert str(reported.value).startswith(f"{folder}: 2 pictures cannot be read (")
    assert sorted(str(defect).partition("\n")[0] for defect in reported.value.defects) == [
        "error  010.png: The picture is not in a known image format.",
        "error  020.png: The picture is damaged: image file is truncated.",
    ]


def test_unusual_pictures_are_reported_and_counted(folder):
    picture(folder / "inks.jpg", 1, mode="CMYK")
    found, _ = reader(Kept()).read(fusionbrain(folder), Run())
    assert found.n == 71
    assert [str(defect.place) for defect in found.defects] == ["inks.jpg"]


def test_a_single_picture_is_not_a_distribution(tmp_path):
    picture(tmp_path / "one" / "a.png", 0)
    with pytest.raises(UsageError, match="holds 1 picture, and a distribution needs two"):
        reader(Kept()).read(fusionbrain(tmp_path / "one"), Run())


def test_the_progress_shows_images_per_second(folder):
    reported = []
    reader(Kept()).read(fusionbrain(folder), Run(progress=reported.append))
    last = [one for one in reported if one.text == "Inception, images of pictures"][-1]
    assert (last.done, last.total, last.unit) == (70, 70, "images")
    assert replace(last, done=20, seconds_left=25.0).rate == "2.0 images/s"


def test_a_cancellation_does_not_wait_for_the_network(folder):
    entered, leave, left = threading.Event(), threading.Event(), threading.Event()
    cancel = CancelToken()

    class Slow(MeanColour):
        def __call__(self, batch):
            entered.set()
            leave.wait(30)
            left.set()
            return super().__call__(batch)

    slow = reader(Kept())
    slow.batches.network = Slow()
    threading.Thread(target=lambda: (entered.wait(30), cancel.cancel())).start()
    try:
        with pytest.raises(Cancelled):
            slow.read(fusionbrain(folder), Run(cancel=cancel))
        assert not left.is_set()
    finally:
        leave.set()
    shutil.rmtree(folder)


def test_remarks_on_pictures_are_the_same_in_every_run_and_for_every_copy(folder, tmp_path):
    picture(folder / "cmyk.jpg", 1, mode="CMYK")
    cache = Kept()
    told = [
        [str(one) for one in reader(cache).read(fusionbrain(folder), Run())[0].defects]
        for _ in range(2)
    ]
    assert told[0][0].startswith("warning  cmyk.jpg: The picture is in CMYK and was converted")
    assert told[1] == told[0]
    copy = shutil.copytree(folder, tmp_path / "copy")
    ((defect),) = reader(cache).read(fusionbrain(copy), Run())[0].defects
    assert defect.place.path == str(copy / "cmyk.jpg")


def test_what_is_left_out_is_told_in_every_run(folder):
    (folder / "empty.png").mkdir()
    (folder / "._000.png").touch()
    cache = Kept()
    told = [reader(cache).read(fusionbrain(folder), Run())[0].defects for _ in range(2)]
    assert [one.found for one in told[0]] == [
        "Not read: 1 folder (empty.png).",
        "Not read: 1 file (._000.png).",
    ]
    assert told[1] == told[0]


def test_a_run_that_fails_on_one_picture_tells_the_remarks_on_the_others(folder):
    picture(folder / "cmyk.jpg", 1, mode="CMYK")
    (folder / "010.png").write_text("no picture")
    with pytest.raises(UnusablePictures) as reported:
        reader(Kept()).read(fusionbrain(folder), Run())
    names = [Path(defect.place.path).name for defect in reported.value.defects]
    assert names == ["cmyk.jpg", "010.png"]
    assert "1 picture cannot be read (010.png)" in str(reported.value)


def test_of_pictures_that_a_file_lists_that_file_and_their_own_names_are_told(folder):
    picture(folder / "cmyk.jpg", 1, mode="CMYK")
    (folder / "010.png").write_text("no picture")
    listed = [folder / name for name in ("000.png", "010.png", "cmyk.jpg")]
    pictures = listed_pictures(folder / "team.json", listed, PRESETS["fusionbrain"])
    with pytest.raises(UnusablePictures) as reported:
        reader(Kept()).read(pictures, Run())
    begin = f"{folder / 'team.json'}: 1 picture cannot be read (010.png). "
    assert str(reported.value).startswith(begin)
    places = [defect.place.path for defect in reported.value.defects]
    assert places == [str(folder / "cmyk.jpg"), str(folder / "010.png")]
