"""Full float32 precision on every device: graphics cards otherwise round products to TF32."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def full_precision() -> Iterator[None]:
    """Compute in true float32 within this block; the settings before come back after it."""
    import torch

    matmul, convolution = torch.backends.cuda.matmul, torch.backends.cudnn
    before = matmul.allow_tf32, convolution.allow_tf32
    matmul.allow_tf32 = convolution.allow_tf32 = False
    try:
        yield
    finally:
        matmul.allow_tf32, convolution.allow_tf32 = before
