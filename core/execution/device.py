"""Devices for neural metrics: detection and selection."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.execution.run import default_jobs
from jurydesk.core.language import fill
from jurydesk.core.system.extras import install_hint

ORDER = ("cuda", "xpu", "mps", "cpu")
"""Order of preference of `auto`."""


class DeviceError(Exception):
    """Request for a device that does not exist; the message names the existing ones."""


@dataclass(frozen=True, slots=True)
class Device:
    """Compute device: id (`cpu`, `cuda:0`), product name, and memory in bytes if known.

    `cores` is the number of processors that may be used; 0 for anything but the CPU.
    """

    id: str
    name: str
    memory: int | None = None
    cores: int = 0

    @property
    def kind(self) -> str:
        """Id without its number."""
        return self.id.partition(":")[0]


def devices() -> tuple[Device, ...]:
    """Return all devices of this machine, the CPU first.

    Imports torch if it is installed, which takes seconds; call it on a background thread. Raises
    DeviceError if that fails.
    """
    return (cpu_device(), *_accelerators())


def choose_device(name: str) -> Device:
    """Return the device named `auto`, `cpu`, `cuda`, `cuda:1`, `xpu` or `mps`.

    `auto` is the first accelerator, else the CPU. Raises DeviceError for an unknown device.
    """
    if name == "cpu":
        return cpu_device()
    available = devices()
    if name == "auto":
        return min(available, key=lambda device: ORDER.index(device.kind))
    for device in available:
        if name in (device.id, device.kind):
            return device
    if importlib.util.find_spec("torch") is None:
        raise DeviceError(
            fill(
                "There is no device {name}: PyTorch is not installed, so only the CPU is "
                "known. Other devices need it: {install_hint}.",
                repr(name),
                install_hint("neural"),
            )
        )
    ids = ", ".join(device.id for device in available)
    raise DeviceError(
        fill("There is no device {name} here. Choose auto or one of: {ids}.", repr(name), ids)
    )


def device_in_use(name: str) -> str:
    """Return the id of the device that a finished run used: the CPU if torch was not imported."""
    return choose_device(name).id if "torch" in sys.modules else "cpu"


def cpu_device() -> Device:
    """Return the CPU with the available processors and the machine's memory."""
    return Device("cpu", _cpu_name(), _machine_memory(), default_jobs())


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def _machine_memory() -> int | None:
    if sys.platform == "win32":
        import ctypes

        kilobytes = ctypes.c_ulonglong()
        known = ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
        return kilobytes.value * 1024 if known else None
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def _accelerators() -> list[Device]:
    if importlib.util.find_spec("torch") is None:
        return []
    try:
        import torch
    except Exception as error:  # it loads what packages of strangers offer
        raise DeviceError(
            fill("PyTorch cannot be imported ({error}).", f"{type(error).__name__}: {error}")
        ) from error
    found = [_numbered_device("cuda", torch.cuda, i) for i in range(torch.cuda.device_count())]
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and xpu.is_available():
        found += [_numbered_device("xpu", xpu, i) for i in range(xpu.device_count())]
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple graphics", _machine_memory()))
    return found


def _numbered_device(kind: str, backend: Any, index: int) -> Device:
    properties = backend.get_device_properties(index)
    return Device(f"{kind}:{index}", properties.name, properties.total_memory)


@contextlib.contextmanager
def full_precision() -> Iterator[None]:
    """Disable TF32 within the block, so that float32 is computed in full precision."""
    import torch

    matmul, convolution = torch.backends.cuda.matmul, torch.backends.cudnn
    before = matmul.allow_tf32, convolution.allow_tf32
    matmul.allow_tf32 = convolution.allow_tf32 = False
    try:
        yield
    finally:
        matmul.allow_tf32, convolution.allow_tf32 = before
