"""Make models of random numbers: `python packaging/tiny_models.py FOLDER`.

They have the form of the real ones (Inception its true size, the others a tiny one), so that every
path of the program can be walked without a download. Their scores mean nothing. Making them again
gives the same numbers, since each tensor is drawn by its name.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

INCEPTION = "pt_inception-2015-12-05-6726825d.pth"
LETTERS = "\u2581абвгдежзийклмнопрстуфхцчшщъыьэюяёabcdefghijklmnopqrstuvwxyz0123456789.,!?-—«»"
SPECIAL = "1 0 2 3"  # unknown, padding, begin, end

RUCLIP = {
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
OPEN_CLIP = {
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


def make_models(folder: Path) -> str:
    """Write all of them into a folder; the options of the command line that use them."""
    make_inception(folder / INCEPTION)
    make_ruclip(folder / "ruclip")
    make_open_clip(folder / "clip")
    roles = {"ruclip": folder / "ruclip", "inception": folder / INCEPTION}
    return " ".join(f"--weights {role}={path}" for role, path in roles.items())


def make_inception(path: Path) -> None:
    """A file of Inception weights."""
    import torch

    from core.metrics.inception import shapes

    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(
        {name: torch.from_numpy(drawn(name, shape)) for name, shape in shapes().items()}, path
    )


def make_ruclip(folder: Path) -> None:
    """A folder in ruCLIP's form, whose pieces of words are letters."""
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(RUCLIP), encoding="utf-8")
    letters = [f"{ord(letter)} {id}" for id, letter in enumerate(LETTERS, start=4)]
    lines = [f"{len(letters)} 0", *letters, SPECIAL, ""]
    (folder / "bpe.model").write_text("\n".join(lines), encoding="ascii")
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
    save(CLIP(RUCLIP["embed_dim"], vision, text, quick_gelu=True), folder / "model.safetensors")


def make_open_clip(folder: Path) -> None:
    """A folder in open_clip's form."""
    from open_clip import CLIP

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "open_clip_config.json").write_text(json.dumps(OPEN_CLIP), encoding="utf-8")
    save(CLIP(**OPEN_CLIP["model_cfg"]), folder / "open_clip_model.safetensors")


def save(network: Any, path: Path) -> None:
    """The weights of a network, each drawn by its name."""
    from safetensors.torch import save_file
    from torch import from_numpy

    shapes: Mapping[str, Any] = {name: part.shape for name, part in network.state_dict().items()}
    save_file({name: from_numpy(drawn(name, tuple(shape))) for name, shape in shapes.items()}, path)


def drawn(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Random float32 numbers such as a network bears, the same for the same name."""
    random = np.random.RandomState(zlib.crc32(name.encode()))
    if name.endswith("running_var"):
        numbers = random.uniform(0.5, 1.5, shape)
    elif name.endswith("bn.weight"):
        numbers = random.uniform(0.8, 1.2, shape)
    elif name.endswith(("running_mean", "bias")):
        numbers = random.randn(*shape) * 0.05
    else:
        numbers = random.randn(*shape) * np.sqrt(2 / max(np.prod(shape[1:]), 1))
    return np.asarray(numbers, dtype=np.float32)


if __name__ == "__main__":
    print(make_models(Path(sys.argv[1])))
