"""Generator of tiny models, with pictures and runs for tests."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from jurydesk.core.neural.weights import random_weights


def torch_or_skip() -> ModuleType:
    """Return PyTorch on one thread, which suits tiny networks; else skip the module."""
    torch: ModuleType = pytest.importorskip("torch", reason="PyTorch is not installed")
    torch.set_num_threads(1)
    return torch


def maker() -> ModuleType:
    """Return the module that makes models with random weights."""
    return random_weights


class Kept(dict[str, bytes]):
    """Cache in memory."""

    def put(self, key: str, value: bytes) -> None:
        self[key] = value


def picture(path: Path, seed: int, size: tuple[int, int] = (40, 30), mode: str = "RGB") -> Path:
    """Return a picture of random colours."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.RandomState(seed).randint(0, 256, (*reversed(size), 3), dtype=np.uint8)
    Image.fromarray(noise).convert(mode).save(path)
    return path
