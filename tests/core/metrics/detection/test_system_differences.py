"""Objects that one of two systems finds and the other does not."""

import numpy as np

from jurydesk.core.metrics.detection.average_precision import NO_GROUP, DetectionRecords
from jurydesk.core.metrics.detection.system_differences import object_differences
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds

CUT = Thresholds(0.5, 0.1)


def finding(*objects, overlap=0.9, meteor=0.5):
    """Return records that claim these objects, each (image, group)."""
    image, group = np.array([*objects], np.int64).reshape(-1, 2).T
    count = len(image)
    return DetectionRecords(
        image=image,
        detection=np.arange(count),
        group=group,
        overlap=np.full(count, overlap),
        claims=np.ones(count, dtype=bool),
        log_probability=-np.arange(count, dtype=float),
        meteor=np.full(count, meteor),
        objects=10,
    )


def objects(found):
    """Return the objects, each (image, group), that only one system finds."""
    return {(image, group) for image, group in found.objects.tolist()}


def test_objects_found_by_only_one_system_are_listed_by_image():
    found = object_differences(
        finding((0, 1), (2, 0), (2, 1), (3, 3)), finding((0, 1), (3, 4), (5, 0)), CUT
    )
    assert found.image.tolist() == [2, 3, 5]
    assert found.gained.tolist() == [2, 1, 0]
    assert found.lost.tolist() == [0, 1, 1]
    assert objects(found) == {(2, 0), (2, 1), (3, 3), (3, 4), (5, 0)}


def test_equal_systems_have_no_such_objects():
    found = object_differences(finding((0, 1), (2, 0)), finding((2, 0), (0, 1)), CUT)
    assert (len(found.image), objects(found)) == (0, set())


def test_a_detection_that_is_not_true_at_the_thresholds_finds_nothing():
    assert objects(object_differences(finding((0, 1), meteor=0.1), finding(), CUT)) == set()
    assert objects(object_differences(finding((0, 1), overlap=0.4), finding(), CUT)) == set()
    assert (
        objects(object_differences(finding((0, 1)), finding(), Thresholds(0.5, 0.1, 1.0))) == set()
    )
    assert objects(object_differences(finding((0, NO_GROUP)), finding(), Thresholds(0.0))) == set()
