"""Dense captions scored as the programs of today score them, against their recorded results."""

import numpy as np
import pytest

from support.kits.dense_programs import PROGRAMS, case, evaluate, names, recorded, values
from support.oracles import oracle

CASES = sorted(path.stem for path in oracle("densecap_today").glob("[01]*.json"))


def files(content):
    if "result_file" in content:
        return content["ground_truth_file"], content["result_file"]
    return {key: content[key] for key in ("images", "annotations")}, content["detections"]


RUN = [
    (name, profile)
    for name in CASES
    for profile in PROGRAMS
    if "map" in names(recorded(case(name)["expected"], profile) or {})
]
STOPPED = [
    (name, profile)
    for name in CASES
    for profile in PROGRAMS
    if "error" in (recorded(case(name)["expected"], profile) or {})
]


def test_all_recorded_results_are_compared():
    assert (len(RUN), len(STOPPED)) == (76, 6)


@pytest.mark.parametrize(("name", "profile"), RUN)
def test_all_numbers_equal_those_of_the_program(tmp_path, name, profile):
    content = case(name)
    expected = names(recorded(content["expected"], profile))
    assert len(expected) == (31 if profile == "jivc" else 37)
    evaluation, _ = evaluate(tmp_path, *files(content), profile)
    assert values(evaluation) == pytest.approx(expected, abs=1e-12)


WITH_RECORDS = [
    (name, profile)
    for name, profile in RUN
    if "records" in recorded(case(name)["expected"], profile)
]


def rows_of(evaluation):
    """Yield claim, IoU, METEOR and number of references of each detection, in matching order."""
    images = dict.fromkeys(evaluation.items.columns["image"].tolist())
    first = {image: evaluation.items.columns["image"].tolist().index(image) for image in images}
    for image in sorted(images):
        scene = evaluation.items.show(first[image]).with_meteor()
        for one in scene.detections:
            references = len(scene.objects[one.object].captions) if one.object >= 0 else 0
            yield [int(one.claims), one.overlap, one.meteor or 0.0, references]


@pytest.mark.parametrize(("name", "profile"), WITH_RECORDS)
def test_claim_iou_meteor_and_references_of_each_detection_equal_the_program_s(
    tmp_path, name, profile
):
    content = case(name)
    evaluation, _ = evaluate(tmp_path, *files(content), profile)
    expected = recorded(content["expected"], profile)["records"]
    assert np.array(list(rows_of(evaluation))) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize(("name", "profile"), STOPPED)
def test_where_a_program_stops_a_warning_says_so_and_all_images_count(tmp_path, name, profile):
    content = case(name)
    evaluation, defects = evaluate(tmp_path, *files(content), profile)
    corrected, _ = evaluate(tmp_path, *files(content), "corrected")
    assert values(evaluation)["map"] > 0
    said = " ".join(f"{defect.found} {defect.expected}" for defect in defects)
    assert "stops at such images" in said or "without area" in said
    assert len(corrected.items.ids) > 0
