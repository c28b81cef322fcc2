"""The published evaluation of dense captions in plain loops, with METEOR from the jar.

It follows eval_utils.lua and meteor_bridge.py for files in which no two scores are equal.
"""

from __future__ import annotations

from typing import Any

from meteor import CAPTION_FLAGS, Jar

OVERLAPS = (0.3, 0.4, 0.5, 0.6, 0.7)
METEORS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)

Corners = tuple[float, float, float, float]
Record = dict[str, Any]


def evaluate(images: list[Any]) -> float:
    """Return the mean of the 30 average precisions."""
    records: list[Record] = []
    objects = 0
    for image in images:
        groups = merged(image["gt_boxes"], image["gt_captions"])
        objects += len(groups)
        records += matched(image["detections"], groups)
    described(records)
    records.sort(key=lambda record: -record["score"])
    cells = [ap(records, objects, overlap, meteor) for overlap in OVERLAPS for meteor in METEORS]
    return sum(cells) / len(cells)


def corners(box: list[float]) -> Corners:
    """Return x1, y1, x2, y2 of a box (xc, yc, w, h)."""
    x, y, width, height = box
    across, down = (width - 1) / 2, (height - 1) / 2
    return x - across, y - down, x + across, y + down


def overlap(one: Corners, other: Corners) -> float:
    """Return the intersection over union, counting pixels inclusively."""
    across = min(one[2], other[2]) - max(one[0], other[0]) + 1
    down = min(one[3], other[3]) - max(one[1], other[1]) + 1
    if across <= 0 or down <= 0:
        return 0.0
    areas = [(box[2] - box[0] + 1) * (box[3] - box[1] + 1) for box in (one, other)]
    return across * down / (sum(areas) - across * down)


def merged(boxes: list[list[float]], captions: list[str]) -> list[tuple[Corners, list[str]]]:
    """Return the objects: repeatedly, the box with the most near neighbours is merged with them."""
    places = [corners(box) for box in boxes]
    near = [
        [i == j or overlap(one, other) >= 0.7 for j, other in enumerate(places)]
        for i, one in enumerate(places)
    ]
    left = list(range(len(places)))
    groups = []
    while left:
        counts = [sum(near[i][j] for j in left) for i in left]
        chosen = left[counts.index(max(counts))]
        members = [j for j in left if near[chosen][j]]
        mean = [sum(places[j][side] for j in members) / len(members) for side in range(4)]
        groups.append(((mean[0], mean[1], mean[2], mean[3]), [captions[j] for j in members]))
        left = [j for j in left if j not in members]
    return groups


def matched(found: Any, groups: list[tuple[Corners, list[str]]]) -> list[Record]:
    """Return one record per detection, by descending confidence."""
    rows = sorted(range(len(found["boxes"])), key=lambda row: -found["logprobs"][row])
    taken: set[int] = set()
    records = []
    for row in rows:
        box = corners(found["boxes"][row])
        best, best_overlap = len(groups) - 1, 0.0
        for group, (place, _) in enumerate(groups):
            shared = overlap(box, place)
            if shared > best_overlap:
                best, best_overlap = group, shared
        records.append(
            {
                "score": found["logprobs"][row],
                "overlap": best_overlap,
                "claims": best not in taken,
                "caption": found["captions"][row],
                "references": groups[best][1] if best_overlap else [],
            }
        )
        taken.add(best)
    return records


def described(records: list[Record]) -> None:
    """Add METEOR to every record by one SCORE and one EVAL each, as the bridge does."""
    jar = Jar(CAPTION_FLAGS)
    for record in records:
        if record["references"]:
            record["meteor"] = jar.scores([(record["caption"], record["references"])])[0]
        else:
            record["meteor"] = 0.0
    jar.close()


def ap(records: list[Record], objects: int, enough: float, meteor: float) -> float:
    """Return the mean over 100 recall levels of the best precision at that recall or above."""
    true, points = 0, []
    for rank, record in enumerate(records, start=1):
        true += record["claims"] and record["overlap"] >= enough and record["meteor"] > meteor
        points.append((true / objects, true / rank))
    best, at_levels = 0.0, []
    levels = []
    level = 0.0
    while level <= 1:
        levels.append(level)
        level += 0.01
    for level in reversed(levels):
        while points and points[-1][0] >= level:
            best = max(best, points.pop()[1])
        at_levels.append(best)
    return sum(at_levels) / len(levels)
