"""CLIPScore of captions with pictures, and RefCLIPScore with references as well.

Source: Hessel et al., EMNLP 2021; jmhessel/clipscore, clipscore.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jurydesk.core.model.evaluation import FloatArray

PROMPT = "A photo depicts "  # clipscore.py puts it before captions and references
WEIGHT = 2.5


def clip_score(cosines: FloatArray) -> FloatArray:
    """Return CLIPScore (n,) of the cosines of captions with their pictures."""
    scores: FloatArray = WEIGHT * np.maximum(cosines, 0.0)
    return scores


def reference_clip_score(scores: FloatArray, similarities: Sequence[FloatArray]) -> FloatArray:
    """Return RefCLIPScore (n,): the harmonic mean of CLIPScore and the nearest reference's cosine.

    `similarities` are the cosines of each caption with its references. A negative cosine counts as
    0, and so does the mean with a 0.
    """
    nearest = np.array([max(0.0, float(one.max(initial=0.0))) for one in similarities])
    total = scores + nearest
    found: FloatArray = np.divide(
        2 * scores * nearest, total, out=np.zeros(len(total)), where=total > 0
    )
    return found
