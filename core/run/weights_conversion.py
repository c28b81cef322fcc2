"""Weights of PyTorch's own format written once as safetensors, which open quicker and hold no code.

The tensors stay as they are, so that no score changes; the SHA-256 of the file is another.
"""

from __future__ import annotations

from pathlib import Path

from core.model import UsageError
from core.paths import replacing
from core.run.weights_loading import load_tensors

ENDING = ".safetensors"
CONVERTED = {
    "pytorch_model.bin": "model.safetensors",
    "open_clip_pytorch_model.bin": "open_clip_model.safetensors",
}
"""The file of a model folder that a converted one takes the place of, and its name."""


def convert(path: Path, target: Path) -> None:
    """Write the tensors of a file of weights to `target`, whole or not at all.

    Raises UsageError for a target of another ending, ResourceMissing for an unsound file, and
    OSError.
    """
    if target.suffix != ENDING:
        raise UsageError(f"{target}: the name should end with {ENDING}.")
    tensors = load_tensors(path)
    from safetensors.torch import save_file

    # Copies, since the format refuses tensors that share their memory.
    copies = {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}
    with replacing(target) as temporary:
        save_file(copies, temporary)


def convertible(files: tuple[Path, ...]) -> tuple[Path, Path] | None:
    """The file of a model folder that can be converted, and where to; None where there is none."""
    for path in files:
        if path.name in CONVERTED:
            return path, path.with_name(CONVERTED[path.name])
    return None
