"""Visual Genome's regions as the programs prepare them: boxes and captions of ground truth.

Sources: DenseCap, preprocess.py; densecap-pytorch, preprocess.py; ControlCap's and JIVC's
processors. Boxes are (x, y, width, height) in pixels of images of (width, height).
"""

from __future__ import annotations

import numpy as np

from jurydesk.core.model.evaluation import FloatArray

LUA_SIDE = 720.0  # pixels of the longer side
MAX_WORDS, MAX_JIVC_WORDS = 15, 10
FEWEST_UNKNOWN = 15  # occurrences from which a word is known


def round_half_away(values: FloatArray) -> FloatArray:
    """Round as C and Python 2 do: halves away from zero."""
    rounded: FloatArray = np.copysign(np.floor(np.abs(values) + 0.5), values)
    return rounded


def lua_boxes(boxes: FloatArray, sides: FloatArray) -> FloatArray:
    """Return xc, yc, w, h (n, 4), 1-based, in images of 720 pixels on the longer side."""
    scale = LUA_SIDE / sides.max(axis=1, keepdims=True)
    low = np.clip(round_half_away(scale * (boxes[:, :2] - 1) + 1), 1, LUA_SIDE - 1)
    size = round_half_away(scale * boxes[:, 2:])
    size = np.where(low + size > LUA_SIDE, LUA_SIDE - low, size)
    return np.column_stack([low + np.floor(size / 2), size])
