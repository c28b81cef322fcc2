"""Tests of pictures in stamps: changed ones are named."""

import shutil
from dataclasses import replace

import pytest

from jurydesk.core.competition.examples import copy_example, example_inputs, example_options
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.verification.verify_stamp import verify_stamp


@pytest.fixture
def folder(tmp_path):
    return copy_example(TASK, tmp_path / "example")


@pytest.fixture
def stamp(folder):
    inputs = example_inputs(TASK, folder)
    only = {**inputs, "predictions": [folder / "hasty.json"]}
    options = replace(example_options(TASK, folder), weights=())
    (found,) = score_submissions(TASK, files_by_role(only), options, Run(), resamples=0).evaluations
    return Stamp.from_json(found.stamp)


def reports(stamp, *folders):
    return [one.sentence for one in verify_stamp(stamp, TASK, folders, Run()).differences]


def test_pictures_that_affect_scores_are_named_with_their_hashes(stamp, folder):
    assert sorted(stamp.pictures) == [
        *(f"generated/hasty-pictures/{key}.png" for key in (10, 11, 8, 9)),
        *(f"input/images/{key}.png" for key in (12, 13, 14, 15)),
        *(f"real/{key}.png" for key in (10, 11, 8, 9)),
    ]
    assert {len(digest) for digest in stamp.pictures.values()} == {64}
    assert [source.role for source in stamp.folders] == ["images", "real-images"]
    assert reports(stamp) == []


def test_changed_missing_and_new_pictures_are_reported(stamp, folder):
    shutil.copy(folder / "images" / "13.png", folder / "images" / "12.png")
    (folder / "hasty-pictures" / "8.png").unlink()
    shutil.copy(folder / "images" / "13.png", folder / "real-images" / "new.png")
    assert reports(stamp)[:3] == [
        "1 picture changed since: input/images/12.png.",
        "1 picture no longer found: generated/hasty-pictures/8.png.",
        "1 picture not in the stamp: real/new.png.",
    ]


def test_a_folder_is_found_beside_the_stamp(stamp, folder, tmp_path):
    moved = tmp_path / "moved"
    folder.rename(moved)
    options = {**stamp.options, "ruwordnet": str(moved / "ruwordnet.db")}
    elsewhere = replace(stamp, options=options)
    assert reports(elsewhere, moved) == []
    (moved / "real-images").rename(moved / "other")
    assert reports(elsewhere, moved)[0].startswith(
        "The folder real-images is missing: searched for "
    )


def test_deleted_pictures_leave_nothing_to_compare(stamp, folder):
    shutil.rmtree(folder / "hasty-pictures")
    found = verify_stamp(stamp, TASK, (), Run())
    assert not found.compared
    assert [one.sentence for one in found.differences] == [
        "4 pictures no longer found: generated/hasty-pictures/10.png, "
        "generated/hasty-pictures/11.png, generated/hasty-pictures/8.png and 1 more."
    ]


def test_pictures_no_longer_requested_by_a_changed_file_are_not_missing_inputs(stamp, folder):
    (folder / "ids.json").write_text((folder / "ids.json").read_text() + " ")
    shutil.rmtree(folder / "hasty-pictures")
    found = verify_stamp(stamp, TASK, (), Run())
    assert found.compared
    assert [one.kind for one in found.differences[:2]] == ["input", "input"]
