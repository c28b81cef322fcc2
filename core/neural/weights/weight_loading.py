"""Tensors from weight files, without ever running what a file says.

Read are safetensors, and PyTorch's own format by its restricted loader. Everything else ends in
ResourceMissing with a sentence; there is no unsafe way round.
"""

from __future__ import annotations

import importlib.util
import pickle
import struct
import warnings
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from jurydesk.core.model.defects import name_list
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.system.extras import install_hint
from jurydesk.core.system.paths import atomic_replacement

UNSOUND = (
    *(OSError, RuntimeError, ValueError, EOFError, LookupError),
    *(TypeError, AttributeError, AssertionError, MemoryError, struct.error),
)
"""What the restricted loader raises over bytes that are no pickle of tensors."""

Shapes = Mapping[str, tuple[int, ...]]
Tensors = dict[str, Any]

ADVICE = "Convert it to safetensors where it was made, or ask for a file in that format."


def load_tensors(path: Path) -> Tensors:
    """All tensors of a weight file by name, on the CPU, read from the disk as they are needed.

    Names lose the prefix `module.` that some training loops leave. Raises ResourceMissing.
    """
    content = _safetensors(path) if path.suffix == ".safetensors" else _pytorch(path)
    if isinstance(content, dict) and isinstance(content.get("state_dict"), dict):
        content = content["state_dict"]
    tensors = _only_tensors(content, path)
    if all(name.startswith("module.") for name in tensors):
        return {name.removeprefix("module."): tensor for name, tensor in tensors.items()}
    return tensors


def require_torch(purpose: str) -> None:
    """ResourceMissing with what to do about it, where PyTorch cannot be imported."""
    try:
        import torch  # noqa: F401 - tried only
    except ImportError as fault:
        raise ResourceMissing(_without_torch(purpose)) from fault


def require_torch_installed(purpose: str) -> None:
    """The same where PyTorch is not there at all, which is told without the wait for its import."""
    if importlib.util.find_spec("torch") is None:
        raise ResourceMissing(_without_torch(purpose))


def _without_torch(purpose: str) -> str:
    return f"{purpose} needs PyTorch, which is not installed: {install_hint('neural')}."


def matching_tensors(
    tensors: Tensors, shapes: Shapes, path: Path, optional: Collection[str] = ()
) -> Tensors:
    """Return the tensors named in `shapes`, as float32; ResourceMissing where they do not fit.

    Every name must be there with its shape, and no other but those of `optional`.
    """
    missing = [name for name in shapes if name not in tensors]
    unknown = [name for name in tensors if name not in shapes and name not in optional]
    if missing or unknown:
        raise ResourceMissing(_misfit(path, missing, unknown))
    for name, shape in shapes.items():
        found = tuple(tensors[name].shape)
        if found != tuple(shape):
            raise ResourceMissing(
                f"{path}: the tensor {name} has the shape {_times(found)}, "
                f"not {_times(tuple(shape))}: these are the weights of another network."
            )
    return {name: tensors[name].float() for name in shapes}


def _misfit(path: Path, missing: list[str], unknown: list[str]) -> str:
    parts = []
    if missing:
        parts.append(f"{len(missing):,} tensors are missing ({name_list(missing)})")
    if unknown:
        parts.append(f"{len(unknown):,} are not known ({name_list(unknown)})")
    return f"{path}: {' and '.join(parts)}: these are the weights of another network."


def _times(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "of a single number"


def _safetensors(path: Path) -> Any:
    require_torch("Loading weights")
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as fault:
        raise ResourceMissing(f"{path} is no sound safetensors file: {fault}.") from fault


def _pytorch(path: Path) -> Any:
    require_torch("Loading weights")
    import torch

    archive = _is_archive(path)
    try:
        with warnings.catch_warnings():
            # PyTorch remarks on pickles of another kind than its own; what they hold decides.
            warnings.simplefilter("ignore", UserWarning)
            return torch.load(path, map_location="cpu", weights_only=True, mmap=archive)
    except pickle.UnpicklingError as fault:
        raise ResourceMissing(
            f"{path} holds a pickle that is more than tensors, and could run a program: "
            f"it is not loaded. {ADVICE}"
        ) from fault
    except UNSOUND as fault:
        reason = str(fault).splitlines()[0].rstrip(".") if str(fault) else type(fault).__name__
        raise ResourceMissing(f"{path} is no sound file of PyTorch weights: {reason}.") from fault


def _is_archive(path: Path) -> bool:
    """Return whether this is PyTorch's format of today; a TorchScript program is refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, RuntimeError):  # the last: a ZIP of a version to come
        return False
    if any(name.endswith("/constants.pkl") or "/code/" in name for name in names):
        raise ResourceMissing(
            f"{path} is a TorchScript program, not a file of weights: it is not run. {ADVICE}"
        )
    return True


def _only_tensors(content: Any, path: Path) -> Tensors:
    import torch

    if not isinstance(content, dict) or not content:
        raise ResourceMissing(f"{path} holds no tensors by name. {ADVICE}")
    strange = [str(name) for name, value in content.items() if not isinstance(value, torch.Tensor)]
    if strange:
        raise ResourceMissing(f"{path} holds more than tensors by name ({name_list(strange)}).")
    return {str(name): value for name, value in content.items()}


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
    with atomic_replacement(target) as temporary:
        save_file(copies, temporary)


def convertible_file(files: tuple[Path, ...]) -> tuple[Path, Path] | None:
    """The file of a model folder that can be converted, and where to; None where there is none."""
    for path in files:
        if path.name in CONVERTED:
            return path, path.with_name(CONVERTED[path.name])
    return None
