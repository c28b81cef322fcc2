"""Models with random weights, for trying neural metrics without a download.

They have the format of the real models (Inception its true size, the others a tiny one); their
scores are meaningless. They are used only if requested by `ROLE=random-numbers`, and are
reproducible, since each tensor is seeded by its name.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.fid.inception_weights import shapes
from jurydesk.core.neural.weights.weight_loading import require_torch
from jurydesk.core.system.paths import atomic_replacement, cache_folder, write_atomically

WORD = "random-numbers"
"""Value that requests random weights, in place of a path."""

FOLDER = f"{WORD}-1"
"""Folder below the cache, with a version number."""

INCEPTION = "inception.safetensors"
LETTERS = "\u2581абвгдежзийклмнопрстуфхцчшщъыьэюяёabcdefghijklmnopqrstuvwxyz0123456789.,!?-—«»"
SPECIAL = "1 0 2 3"  # unknown, padding, begin, end

RUCLIP: Mapping[str, Any] = {
    "embed_dim": 16,
    "image_resolution": 32,
    "vision_layers": 1,
    "vision_width": 64,
    "vision_patch_size": 16,
    "context_length": 77,
    "vocab_size": 4 + len(LETTERS),
    "transformer_width": 32,
    "transformer_heads": 2,
    "transformer_layers": 1,
}
OPEN_CLIP: Mapping[str, Any] = {
    "model_cfg": {
        "embed_dim": 16,
        "quick_gelu": True,
        "vision_cfg": {
            "image_size": 32,
            "layers": 1,
            "width": 64,
            "head_width": 32,
            "patch_size": 16,
        },
        "text_cfg": {
            "context_length": 77,
            "vocab_size": 49408,
            "width": 16,
            "heads": 2,
            "layers": 1,
        },
    },
    "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25]},
}


def random_weights(role: str) -> Path:
    """Return the file or folder of a role's random weights, created on first use.

    Raises ResourceMissing without PyTorch, KeyError for a role without random weights, and OSError.
    """
    make = MAKERS[role]
    folder = cache_folder() / FOLDER / role
    target = folder / INCEPTION if role == "inception" else folder
    done = folder / "made"
    if not done.is_file():
        require_torch("Making models with random weights")
        make(target)
        write_atomically(done, b"These numbers are random: scores by them mean nothing.\n")
    return target


def make_inception(path: Path) -> None:
    """Write a file of random Inception weights."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_random_tensors(shapes(), path)


def make_ruclip(folder: Path) -> None:
    """Write a folder in ruCLIP's format, whose vocabulary consists of letters."""
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "config.json", json.dumps(RUCLIP).encode())
    letters = [f"{ord(letter)} {id}" for id, letter in enumerate(LETTERS, start=4)]
    lines = [f"{len(letters)} 0", *letters, SPECIAL, ""]
    write_atomically(folder / "bpe.model", "\n".join(lines).encode())
    vision = CLIPVisionCfg(
        layers=RUCLIP["vision_layers"],
        width=RUCLIP["vision_width"],
        patch_size=RUCLIP["vision_patch_size"],
        image_size=RUCLIP["image_resolution"],
    )
    text = CLIPTextCfg(
        context_length=RUCLIP["context_length"],
        vocab_size=RUCLIP["vocab_size"],
        width=RUCLIP["transformer_width"],
        heads=RUCLIP["transformer_heads"],
        layers=RUCLIP["transformer_layers"],
    )
    network = CLIP(RUCLIP["embed_dim"], vision, text, quick_gelu=True)
    save_random_tensors(tensor_shapes(network), folder / "model.safetensors")


def make_open_clip(folder: Path) -> None:
    """Write a folder in open_clip's format."""
    from open_clip import CLIP

    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "open_clip_config.json", json.dumps(OPEN_CLIP).encode())
    save_random_tensors(
        tensor_shapes(CLIP(**OPEN_CLIP["model_cfg"])), folder / "open_clip_model.safetensors"
    )


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "inception": make_inception,
    "ruclip": make_ruclip,
    "clip": make_open_clip,
}
"""Functions that write random weights, by role."""


def tensor_shapes(network: Any) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a network's tensors by name."""
    return {name: tuple(part.shape) for name, part in network.state_dict().items()}


def save_random_tensors(shapes: Mapping[str, tuple[int, ...]], path: Path) -> None:
    """Write random tensors of these names and shapes atomically."""
    from safetensors.numpy import save_file

    with atomic_replacement(path) as temporary:
        save_file({name: random_tensor(name, shape) for name, shape in shapes.items()}, temporary)


def random_tensor(name: str, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return float32 numbers of a plausible scale for a network, seeded by the name."""
    random = np.random.RandomState(zlib.crc32(name.encode()))
    if name.endswith("running_var"):
        numbers = random.uniform(0.5, 1.5, shape)
    elif name.endswith("bn.weight"):
        numbers = random.uniform(0.8, 1.2, shape)
    elif name.endswith(("running_mean", "bias")):
        numbers = random.randn(*shape) * 0.05
    else:
        numbers = random.randn(*shape) * np.sqrt(2 / max(math.prod(shape[1:]), 1))
    return np.asarray(numbers, dtype=np.float32)
