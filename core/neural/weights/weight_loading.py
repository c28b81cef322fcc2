"""Safe loading of tensors from weight files, without executing their content.

Supported are safetensors, and PyTorch's format by its restricted loader. Anything else raises
ResourceMissing; there is no unsafe fallback.
"""

from __future__ import annotations

import importlib.util
import json
import pickle
import pickletools
import struct
import warnings
import zipfile
from collections import deque
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from jurydesk.core.language import Message, failure_reason, fill, join_messages, name_list
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.weights.incomplete_downloads import (
    AGAIN,
    ENDING,
    cut_file,
    require_complete,
)
from jurydesk.core.system.extras import install_hint
from jurydesk.core.system.paths import atomic_replacement
from jurydesk.core.system.zip_members import TooManyMembersError, open_zip

UNSOUND = (
    *(OSError, RuntimeError, ValueError, EOFError, LookupError),
    *(TypeError, AttributeError, AssertionError, MemoryError, struct.error),
)
"""Exceptions of the restricted loader for bytes that are not a pickle of tensors."""

MOST_STORAGES = 100_000
"""Most members of an archive of PyTorch, which has one for each tensor."""

Shapes = Mapping[str, tuple[int, ...]]
Tensors = dict[str, Any]

ADVICE = "Convert it to safetensors where it was made, or ask for a file in that format."


def load_tensors(path: Path) -> Tensors:
    """Return the tensors of a weight file by name, on the CPU, memory-mapped if possible.

    The prefix `module.` of some training loops is removed. Raises ResourceMissing.
    """
    require_complete(path)
    content = _safetensors(path) if path.suffix == ENDING else _pytorch(path)
    if isinstance(content, dict) and isinstance(content.get("state_dict"), dict):
        content = content["state_dict"]
    tensors = _require_tensors(content, path)
    if all(name.startswith("module.") for name in tensors):
        return {name.removeprefix("module."): tensor for name, tensor in tensors.items()}
    return tensors


_PICKLE_STARTS = (b"\x80", b"(", b"c", b"}", b"]", b"P")
"""First bytes of pickles of all protocols, and of archives of them."""


def require_torch(purpose: str) -> None:
    """Import PyTorch; ResourceMissing with a hint if that fails."""
    try:
        import torch  # noqa: F401 - tried only
    except ImportError as fault:
        raise ResourceMissing(_no_torch_sentence(purpose)) from fault


def require_torch_installed(purpose: str) -> None:
    """Raise ResourceMissing if PyTorch is not installed, without its slow import."""
    if importlib.util.find_spec("torch") is None:
        raise ResourceMissing(_no_torch_sentence(purpose))


def _no_torch_sentence(purpose: str) -> str:
    return fill(
        "{purpose} needs PyTorch, which is not installed: {install_hint}.",
        purpose,
        install_hint("neural"),
    )


def matching_tensors(
    tensors: Tensors, shapes: Shapes, path: Path, optional: Collection[str] = ()
) -> Tensors:
    """Return the tensors named in `shapes`, as float32.

    Raises ResourceMissing unless all are there with their shapes, and no others but `optional`.
    """
    missing = [name for name in shapes if name not in tensors]
    unknown = [name for name in tensors if name not in shapes and name not in optional]
    if missing or unknown:
        raise ResourceMissing(_mismatch_text(path, missing, unknown))
    for name, shape in shapes.items():
        actual = tuple(tensors[name].shape)
        if actual != tuple(shape):
            raise ResourceMissing(
                fill(
                    "{path}: the tensor {name} has the shape {times}, not {times2}: these "
                    "are the weights of another network.",
                    path,
                    name,
                    _times(actual),
                    _times(tuple(shape)),
                )
            )
    return {name: tensors[name].float() for name in shapes}


def _mismatch_text(path: Path, missing: list[str], unknown: list[str]) -> str:
    parts = []
    if missing:
        parts.append(
            fill("{count:,} tensors are missing ({names})", len(missing), name_list(missing))
        )
    if unknown:
        parts.append(fill("{count:,} are not known ({names})", len(unknown), name_list(unknown)))
    return fill(
        "{path}: {parts}: these are the weights of another network.",
        path,
        join_messages(parts, " and "),
    )


def _times(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "of a single number"


def _safetensors(path: Path) -> Any:
    require_torch("Loading weights")
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as fault:
        raise ResourceMissing(
            fill("{path} is not a valid safetensors file: {fault}.", path, Message(str(fault)))
        ) from fault


def _pytorch(path: Path) -> Any:
    require_torch("Loading weights")
    import torch

    archive = _is_archive(path)
    try:
        with warnings.catch_warnings():
            # PyTorch warns of pickles by other programs; only their content matters.
            warnings.simplefilter("ignore", UserWarning)
            return torch.load(path, map_location="cpu", weights_only=True, mmap=archive)
    except pickle.UnpicklingError as fault:
        if _ends_within_a_pickle(path):
            raise cut_file(path) from fault
        if _first_byte(path) not in _PICKLE_STARTS:
            raise ResourceMissing(
                fill(
                    "{path} is not a valid file of PyTorch weights. {advice}", path, Message(AGAIN)
                )
            ) from fault
        raise ResourceMissing(
            fill(
                "{path} holds a pickle that is more than tensors, and could run a program: "
                "it is not loaded. {advice}",
                path,
                Message(ADVICE),
            )
        ) from fault
    except UNSOUND as fault:
        # The former format is pickles and the tensors' bytes: nothing tells its whole size before.
        if "unexpected EOF" in str(fault) or _ends_within_a_pickle(path):
            raise cut_file(path) from fault
        reason = str(fault).splitlines()[0].rstrip(".") if str(fault) else type(fault).__name__
        raise ResourceMissing(
            fill("{path} is not a valid file of PyTorch weights: {reason}.", path, Message(reason))
        ) from fault


def _ends_within_a_pickle(path: Path) -> bool:
    """Return whether a file of pickles ends before the last one does; nothing of it is run."""
    with path.open("rb") as file:
        try:
            while file.peek(1):
                deque(pickletools.genops(file), maxlen=0)
        except (ValueError, IndexError, UnicodeDecodeError):
            return not file.peek(1)
    return False


def _first_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1)


def _is_archive(path: Path) -> bool:
    """Return whether this is PyTorch's ZIP format; a TorchScript program is refused."""
    try:
        with open_zip(path, MOST_STORAGES) as archive:
            names = archive.namelist()
    except TooManyMembersError as fault:
        raise ResourceMissing(
            fill(
                "{path} has more than {most:,} members: it is not loaded. {advice}",
                path,
                MOST_STORAGES,
                Message(AGAIN),
            )
        ) from fault
    except (zipfile.BadZipFile, OSError, RuntimeError):  # the last: an unknown version of ZIP
        return False
    if any(name.endswith("/constants.pkl") or "/code/" in name for name in names):
        raise ResourceMissing(
            fill(
                "{path} is a TorchScript program, not a file of weights: it is not run. {advice}",
                path,
                Message(ADVICE),
            )
        )
    return True


def _require_tensors(content: Any, path: Path) -> Tensors:
    import torch

    if not isinstance(content, dict) or not content:
        raise ResourceMissing(
            fill("{path} holds no tensors by name. {advice}", path, Message(ADVICE))
        )
    others = [str(name) for name, value in content.items() if not isinstance(value, torch.Tensor)]
    if others:
        raise ResourceMissing(
            fill("{path} holds more than tensors by name ({name_list}).", path, name_list(others))
        )
    return {str(name): value for name, value in content.items()}


CONVERTED = {
    "pytorch_model.bin": "model.safetensors",
    "open_clip_pytorch_model.bin": "open_clip_model.safetensors",
}
"""Names of converted files by those that they replace in a model folder."""


def convert(path: Path, target: Path) -> None:
    """Write the tensors of a weight file to the safetensors file `target` atomically.

    Raises UsageError for a target with another suffix, ResourceMissing for an invalid file, and
    OSError.
    """
    if target.suffix != ENDING:
        raise UsageError(fill("{target}: the name should end with {ending}.", target, ENDING))
    tensors = load_tensors(path)
    from safetensors.torch import save_file

    # The format refuses tensors that share memory.
    copies = {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}
    with atomic_replacement(target) as temporary:
        save_file(copies, temporary)


def convertible_file(files: tuple[Path, ...]) -> tuple[Path, Path] | None:
    """Return the file of a model folder that can be converted, with its target, or None."""
    for path in files:
        if path.name in CONVERTED:
            return path, path.with_name(CONVERTED[path.name])
    return None


def read_network_settings(path: Path) -> Any:
    """Return the JSON of a network's settings; raise ResourceMissing if it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ResourceMissing(fill("{path}: {reason}.", path, failure_reason(fault))) from fault
    except (ValueError, RecursionError) as fault:
        raise ResourceMissing(fill("{path} is not valid JSON.", path)) from fault
