"""Power: how large a difference must be to be seen with so many items."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from core.model import FloatArray

POWER = 0.8


def visible_difference(errors: FloatArray, level: float = 0.95, power: float = POWER) -> float:
    """The smallest true difference that a paired test at `level` finds with probability `power`.

    `errors` (pairs,) are the standard errors of the pairs' differences, whose median counts; NaN
    without any. Cohen, Statistical Power Analysis (1988), chapter 2, in the normal approximation.
    """
    known = errors[np.isfinite(errors)]
    if not len(known):
        return float("nan")
    normal = NormalDist()
    reach = normal.inv_cdf(0.5 + level / 2) + normal.inv_cdf(power)
    return float(np.median(known) * reach)
