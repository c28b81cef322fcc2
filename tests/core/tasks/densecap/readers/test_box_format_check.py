from __future__ import annotations

import numpy as np

from jurydesk.core.tasks.densecap.readers import box_format_check


def test_the_extent_of_boxes_is_their_larger_edge(monkeypatch) -> None:
    class Boxes:
        boxes = np.array([[1, 1, 90, 10], [1, 1, 10, 70]])

        def rows(self, image):
            return slice(0, 2)

    monkeypatch.setattr(box_format_check, "corners", lambda boxes: boxes)
    assert box_format_check._median_extent(Boxes(), 0) == (90 + 70) / 2
