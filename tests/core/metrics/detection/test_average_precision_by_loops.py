"""Merging, matching and averaging of dense captions compared with plain loops of the specification.

The loops round each step of a box's corners to float32 and look at one box at a time, as the Lua
evaluator does; what is under test does all of it at once.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.detection.average_precision import (
    average_precisions,
    concatenate_records,
    match_detections,
    merge_ground_truth,
)
from jurydesk.core.metrics.detection.average_precision import corners as corners_of
from jurydesk.core.metrics.detection.detection_rules import descending_order

F = np.float32
PROFILES = st.sampled_from(["published", "corrected"])


def corners(box):
    x, y, width, height = map(F, box)
    across, down = (width - F(1)) / F(2), (height - F(1)) / F(2)
    return [x - across, y - down, x + across, y + down]


def overlap(one, other):
    a, b = [float(side) for side in one], [float(side) for side in other]
    across = min(a[2], b[2]) - max(a[0], b[0]) + 1
    down = min(a[3], b[3]) - max(a[1], b[1]) + 1
    if across <= 0 or down <= 0:
        return 0.0
    areas = [(box[2] - box[0] + 1) * (box[3] - box[1] + 1) for box in (a, b)]
    return across * down / ((areas[0] + areas[1]) - across * down)


def groups_of(boxes):
    """Return the members and the box of every group."""
    places = [corners(box) for box in boxes]
    left, found = list(range(len(boxes))), []

    def near(i):
        return [j for j in left if i == j or overlap(places[i], places[j]) >= 0.7]

    while left:
        chosen = max(left, key=lambda i: len(near(i)))  # the first of equal ones
        members = near(chosen)
        sums = list(places[members[0]])
        for member in members[1:]:
            sums = [one + other for one, other in zip(sums, places[member], strict=True)]
        found.append((members, [float(total / F(len(members))) for total in sums]))
        left = [j for j in left if j not in members]
    return found


def claims_of(boxes, order, groups, profile):
    """Return whether each detection claims a group, its group (-1: none) and its IoU."""
    taken, found = set(), []
    for detection in order:
        place, best, most = corners(boxes[detection]), -1, 0.0
        for number, (_, group) in enumerate(groups):
            shared = overlap(place, group)
            if shared > most:
                best, most = number, shared
        wanted = best
        if best < 0 and profile == "published" and groups:
            wanted = len(groups) - 1
        found.append((wanted >= 0 and wanted not in taken, best, most))
        taken.add(wanted)
    return found


def average_precision(hits, objects, profile):
    points, true = [], 0
    for rank, hit in enumerate(hits, start=1):
        true += hit
        points.append((true / objects if objects else float("nan"), true / rank))
    total, level = 0.0, 0.0
    for k in range(100):
        wanted = level if profile == "published" else k / 100
        total += max((precision for recall, precision in points if recall >= wanted), default=0.0)
        level += 0.01
    return total / 100


side = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 9.0, 10.0]), st.floats(0, 12, width=32, allow_subnormal=False)
)
place = st.one_of(st.integers(-3, 12).map(float), st.floats(-3, 12, width=32))
box = st.tuples(place, place, side, side)


@st.composite
def scene(draw):
    truth = draw(st.lists(box, max_size=9))
    found = draw(st.lists(st.one_of(box, st.sampled_from(truth)) if truth else box, max_size=14))
    scores = draw(
        st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0]), min_size=len(found), max_size=len(found))
    )
    return truth, found, scores


def places_of(rows):
    return corners_of(np.array(rows, np.float32).reshape(-1, 4))


@given(st.lists(scene(), max_size=3), PROFILES)
def test_every_step_equals_that_of_the_loops(scenes, profile):
    images, claimed, scores, objects = [], [], [], 0
    for truth, found, logprobs in scenes:
        groups, expected = merge_ground_truth(places_of(truth), profile), groups_of(truth)
        assert [list(members) for members in groups.members] == [one for one, _ in expected]
        assert groups.corners.tolist() == [corner for _, corner in expected]
        records = match_detections(
            places_of(found), np.array(logprobs, np.float32), groups, profile
        )
        order = descending_order(np.array(logprobs, np.float64), profile).tolist()
        claims = claims_of(found, order, expected, profile)
        got = (records.claims, records.group, records.overlap)
        assert list(zip(*(column.tolist() for column in got), strict=True)) == claims
        images.append(records)
        claimed += claims
        scores += [logprobs[detection] for detection in order]
        objects += len(expected)
    places = descending_order(np.array(scores, np.float64), profile).tolist()
    aps = average_precisions(concatenate_records(images), profile)
    for threshold, ap in zip((0.3, 0.4, 0.5, 0.6, 0.7), aps.detection.tolist(), strict=True):
        hits = [claimed[at][0] and claimed[at][2] >= threshold for at in places]
        assert ap == average_precision(hits, objects, profile)
