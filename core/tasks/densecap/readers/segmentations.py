"""Boxes of COCO segmentations: polygons, and runs of pixels (RLE), compressed or not."""

from __future__ import annotations

from jurydesk.core.model.evaluation import Json

MAX_RUNS = 1_000_000
MAX_DIGITS = 7
"""Digits of five bits of a run's length in compressed text."""


def segmentation_box(segmentation: Json) -> list[float] | None:
    """Return x1, y1, x2, y2 around all points, or of the first and last pixels; None if invalid.

    The last pixel is inclusive, as ControlCap's evaluator has it: no pixel is added.
    """
    if isinstance(segmentation, dict):
        return _box_of_runs(segmentation.get("size"), segmentation.get("counts"))
    if not isinstance(segmentation, list):
        return None
    rings = segmentation if any(isinstance(ring, list) for ring in segmentation) else [segmentation]
    if not all(map(_is_ring, rings)):
        return None
    across = [value for ring in rings for value in ring[::2]]
    down = [value for ring in rings for value in ring[1::2]]
    return [min(across), min(down), max(across), max(down)] if across else None


def _is_ring(ring: Json) -> bool:
    if not isinstance(ring, list) or len(ring) % 2:
        return False
    return all(type(value) in (int, float) for value in ring)


def _box_of_runs(size: Json, counts: Json) -> list[float] | None:
    """Return the box of runs down the columns, of pixels outside and inside by turns."""
    if not isinstance(size, list) or len(size) != 2 or not all(type(one) is int for one in size):
        return None
    runs = _decompressed(counts) if isinstance(counts, str) else counts
    height = size[0]
    if not isinstance(runs, list) or height < 1 or len(runs) > MAX_RUNS:
        return None
    position, boxes = 0, list[tuple[int, int, int, int]]()
    for number, run in enumerate(runs):
        if type(run) is not int or run < 0:
            return None
        if number % 2 and run:
            (left, top), (right, bottom) = (
                divmod(pixel, height) for pixel in (position, position + run - 1)
            )
            boxes.append(
                (left, top, right, bottom) if left == right else (left, 0, right, height - 1)
            )
        position += run
    if not boxes or position > size[0] * size[1]:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return [min(lefts), min(tops), max(rights), max(bottoms)]


def _decompressed(text: str) -> list[int] | None:
    """Return the runs of COCO's compressed text: digits of five bits, differences from the third.

    Each character holds a digit, whether another follows, and in the last the sign.
    """
    runs, value, digits = list[int](), 0, 0
    for letter in text:
        code = ord(letter) - 48
        if not 0 <= code < 64 or digits == MAX_DIGITS:
            return None
        value |= (code & 31) << (5 * digits)
        digits += 1
        if code & 32:
            continue
        if code & 16:
            value -= 1 << (5 * digits)
        runs.append(value + runs[-2] if len(runs) > 2 else value)
        value = digits = 0
    return None if digits else runs
