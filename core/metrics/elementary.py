"""Elementary functions with the same last digit on every processor.

NumPy's exponentials, logarithms and powers differ in the last bit where it has its own for a
processor (AVX-512); those of the C library, which the original programs call, do not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray


def by_value(function: Callable[[float], float], values: FloatArray | IntArray) -> FloatArray:
    """Return a function of `math` of each value, in their shape; it is called once for each."""
    distinct, codes = np.unique(values, return_inverse=True)
    found = np.array([function(value) for value in distinct.tolist()], np.float64)
    return found[codes].reshape(values.shape)
