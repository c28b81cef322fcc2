"""Dense-captioning average precisions against the original Lua evaluator."""

import json
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    NO_GROUP,
    DetectionRecords,
    average_precisions,
    concatenate_records,
    match_detections,
    merge_ground_truth,
)
from support.oracles import oracle

CASES = sorted(path.stem for path in oracle("densecap").glob("*.json"))
PROFILES = {"published": "official", "corrected": "corrected"}


def case(name):
    return json.loads(oracle(f"densecap/{name}.json").read_text(encoding="utf-8"))


def float32(rows, *shape):
    return np.array(rows, np.float32).reshape(*shape)


def places(rows, *shape):
    return average_precision.corners(float32(rows, *shape))


def records_of(images, profile):
    scored = []
    for image in images:
        groups = merge_ground_truth(places(image["gt_boxes"], -1, 4), profile)
        found = image["detections"]
        boxes, scores = places(found["boxes"], -1, 4), float32(found["logprobs"], -1)
        scored.append(match_detections(boxes, scores, groups, profile))
    return concatenate_records(scored)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", CASES)
def test_average_precisions_of_detection_equal_the_original(name, profile):
    recorded = case(name)
    aps = average_precisions(records_of(recorded["images"], profile), profile).by_name()
    expected = recorded["expected"][PROFILES[profile]]
    assert {cell: aps[cell] for cell in expected["det"]} == expected["det"]
    assert aps["detmap"] == pytest.approx(expected["detmap"], abs=1e-12)


def recorded_rows(recorded):
    if "records" in recorded:
        rows = recorded["records"]
        return [[row[key] for row in rows] for key in ("detection", "group", "ok", "meteor")]
    columns = recorded["record_columns"]
    return [columns[key] for key in ("detection", "group", "ok", "meteor")]


@pytest.mark.parametrize("name", CASES)
def test_records_and_cells_equal_the_original_with_its_meteor(name):
    recorded = case(name)
    records = records_of(recorded["images"], "published")
    detection, group, claims, meteor = recorded_rows(recorded)
    assert records.detection.tolist() == detection
    assert records.group.tolist() == group
    assert records.claims.astype(int).tolist() == claims

    records.meteor[:] = meteor
    aps = average_precisions(records, "published").by_name()
    expected = recorded["expected"]["official"]
    assert {cell: aps[cell] for cell in expected["ap"]} == expected["ap"]
    assert aps["map"] == pytest.approx(expected["map"], abs=1e-12)


SQUARE = places([[50, 50, 21, 21], [90, 90, 11, 11]], 2, 4)
NOWHERE = places([[500, 500, 9, 9]], 1, 4)


def test_a_detection_without_overlap_gets_the_last_box_in_the_published_profile():
    claimed = match_detections(NOWHERE, float32([1.0], 1), merge_ground_truth(SQUARE), "published")
    assert (claimed.claims.tolist(), claimed.group.tolist()) == ([True], [NO_GROUP])


def test_a_detection_without_overlap_gets_nothing_in_the_corrected_profile():
    assert not match_detections(
        NOWHERE, float32([1.0], 1), merge_ground_truth(SQUARE), "corrected"
    ).claims.any()


def test_merging_joins_only_direct_neighbours_of_the_chosen_box():
    chain = places([[50, 50, 21, 21], [53, 50, 21, 21], [56, 50, 21, 21], [59, 50, 21, 21]], 4, 4)
    assert merge_ground_truth(chain).members == ((0, 1, 2), (3,))


def test_a_multiple_of_256_neighbours_loses_the_remaining_boxes_in_the_published_profile():
    heap = np.repeat(SQUARE[:1], 256, axis=0)
    assert merge_ground_truth(heap, "published").members == ()
    assert len(merge_ground_truth(heap, "corrected").members) == 1


def test_no_detection_scores_zero():
    none = concatenate_records(
        [match_detections(places([], 0, 4), float32([], 0), merge_ground_truth(SQUARE))]
    )
    assert average_precisions(none).map == 0.0
    assert none.objects == 2


def test_no_image_scores_zero():
    assert average_precisions(concatenate_records([])).detection_map == 0.0


coordinate = st.integers(0, 60)
boxes = st.lists(
    st.tuples(coordinate, coordinate, st.integers(1, 40), st.integers(1, 40)), max_size=8
)


@st.composite
def scenes(draw):
    found = draw(boxes)
    order = draw(st.permutations(range(len(found))))
    detections = {"boxes": found, "logprobs": [float(i) for i in order]}
    return {"gt_boxes": draw(boxes), "detections": detections}


@given(st.lists(scenes(), max_size=4), st.sampled_from(sorted(PROFILES)))
def test_average_precision_lies_between_zero_and_one(images, profile):
    aps = average_precisions(records_of(images, profile), profile)
    assert 0.0 <= aps.detection.min() <= aps.detection.max() <= 1.0


@given(st.lists(scenes(), max_size=4), st.sampled_from(sorted(PROFILES)))
def test_the_order_of_images_does_not_matter_without_ties(images, profile):
    for step, image in enumerate(images):
        logprobs = image["detections"]["logprobs"]
        image["detections"]["logprobs"] = [x + step / 8 for x in logprobs]
    forward = average_precisions(records_of(images, profile), profile)
    backward = average_precisions(records_of(images[::-1], profile), profile)
    assert forward.detection.tolist() == backward.detection.tolist()


@given(st.lists(scenes(), max_size=3), st.sampled_from(sorted(PROFILES)), st.integers(1, 9))
def test_chunks_of_any_size_give_the_same_records(images, profile, size):
    whole = records_of(images, profile)
    with mock.patch.object(average_precision, "BLOCK_IOUS", size):
        parts = records_of(images, profile)
    assert parts.group.tolist() == whole.group.tolist()
    assert parts.overlap.tolist() == whole.overlap.tolist()
    assert (parts.claims.tolist(), parts.objects) == (whole.claims.tolist(), whole.objects)


@given(st.lists(scenes(), max_size=4), st.sampled_from([0.5, 2.0, 64.0]))
def test_scaling_all_scores_does_not_matter(images, factor):
    before = average_precisions(records_of(images, "published"))
    for image in images:
        found = image["detections"]
        found["logprobs"] = [x * factor for x in found["logprobs"]]
    assert average_precisions(records_of(images, "published")).detection.tolist() == (
        before.detection.tolist()
    )


@given(st.lists(boxes.filter(bool), min_size=1, max_size=4))
def test_perfect_detections_score_one_in_the_corrected_profile(truths):
    truths = [[box for box in truth if merged_alone(truth, box)] for truth in truths]
    if not any(truths):
        return
    images = [
        {"gt_boxes": truth, "detections": {"boxes": truth, "logprobs": [1.0] * len(truth)}}
        for truth in truths
    ]
    aps = average_precisions(records_of(images, "corrected"), "corrected")
    assert aps.detection.tolist() == [1.0] * 5


def merged_alone(truth, box):
    """Return whether the box shares no merged group, so that repeating it is a perfect answer."""
    one = average_precision.corners(float32([box], 1, 4)).astype(float)
    others = average_precision.corners(float32(truth, -1, 4)).astype(float)
    return (average_precision.iou_matrix(one, others) > 0).sum() == 1


@given(st.lists(scenes(), min_size=1, max_size=3))
def test_repeating_every_detection_never_helps(images):
    before = average_precisions(records_of(images, "corrected"), "corrected")
    for image in images:
        found = image["detections"]
        found["boxes"] = found["boxes"] * 2
        found["logprobs"] = found["logprobs"] + [x - 100 for x in found["logprobs"]]
    after = average_precisions(records_of(images, "corrected"), "corrected")
    assert (after.detection <= before.detection).all()


def test_meteor_is_needed_from_the_lowest_threshold_on():
    records = DetectionRecords(
        image=np.zeros(3, np.int64),
        detection=np.arange(3),
        group=np.zeros(3, np.int64),
        overlap=np.array([0.29, 0.3, 0.3]),
        claims=np.array([True, True, False]),
        log_probability=np.zeros(3),
        meteor=np.zeros(3),
        objects=1,
    )
    assert records.deciding().tolist() == [False, True, False]
