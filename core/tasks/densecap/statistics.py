"""What the columns of detections and missed objects hold, in plain words."""

from __future__ import annotations

from core.task import Statistic

STATISTICS: dict[str, Statistic] = {
    "image": Statistic("Image", "Which image of the ground truth it is, counted from 0."),
    "detection": Statistic("Detection", "Which detection of its image, from 0; -1 if missed."),
    "object": Statistic("Object", "Which merged object it lies on, from 0; -1 for none."),
    "overlap": Statistic("Overlap (IoU)", "How far the box and the object's cover one another."),
    "claims": Statistic("Claims it", "1 where it is the one detection that counts for its object."),
    "meteor": Statistic("METEOR", "How near its caption is to those of its object."),
    "score": Statistic("Confidence", "The score that the system gave it."),
    "rank": Statistic("Rank", "Its place among all detections by that score, from 1."),
}
