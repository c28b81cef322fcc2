"""Pools of devices with one copy of a network each, so that each device runs one chunk at a time.

A thread acquires a device only after it has decoded its pictures, so that devices stay busy. A
worker of a cluster uses all devices that it sees: on a machine with several GPUs, start one worker
per GPU, each with its own CUDA_VISIBLE_DEVICES.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from jurydesk.core.execution.device import Device, choose_device, devices
from jurydesk.core.neural.batches import Batches

T = TypeVar("T")

MOST_LOADED = 2
"""Maximum number of networks that a worker keeps loaded."""


class DevicePool(Generic[T]):
    """Pool of devices with an object loaded once on each, used by one thread at a time."""

    def __init__(self, ids: Sequence[str], load: Callable[[str], T]) -> None:
        self._load = load
        self._loaded: dict[str, T] = {}
        self._free: queue.Queue[str] = queue.Queue()
        for id in ids:
            self._free.put(id)

    def put(self, device: str, loaded: T) -> None:
        """Add the object that is already loaded on a device."""
        self._loaded[device] = loaded

    @contextmanager
    def acquire(self) -> Iterator[T]:
        """Wait for a free device and yield its object, which is loaded on first use."""
        device = self._free.get()
        try:
            if device not in self._loaded:
                self._loaded[device] = self._load(device)
            yield self._loaded[device]
        finally:
            self._free.put(device)


def device_ids(name: str, available: Callable[[], Sequence[Device]] = devices) -> tuple[str, ...]:
    """Return the device with this id, or all devices of a kind (`cuda`; `auto` chooses one)."""
    if name == "cpu" or ":" in name:
        return (name,)
    kind = choose_device(name).kind if name == "auto" else name
    return tuple(device.id for device in available() if device.kind == kind)


_shared: WeakValueDictionary[str, DevicePool[Batches]] = WeakValueDictionary()
_loaded: dict[str, DevicePool[Batches]] = {}
_lock = threading.Lock()


def share_networks(key: str, pool: DevicePool[Batches]) -> None:
    """Share networks with the chunks of this process for as long as the caller holds them."""
    _shared[key] = pool


def shared_networks(key: str, device: str, load: Callable[[str], Batches]) -> DevicePool[Batches]:
    """Return the networks shared under `key`, or load them; the last ones stay loaded."""
    with _lock:
        pool = _shared.get(key) or _loaded.get(key)
        if pool is None:
            pool = DevicePool(device_ids(device), load)
            while len(_loaded) >= MOST_LOADED:
                del _loaded[next(iter(_loaded))]
            _loaded[key] = pool
        return pool
