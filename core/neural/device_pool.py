"""One copy of a network on each device: as many chunks at once as there are devices.

Whoever decodes pictures waits for a free device only when the pictures are ready, so that the
devices stay busy. A worker of a cluster takes the devices that it sees: with several GPUs in a
machine, start one worker for each, and let it see that one alone (CUDA_VISIBLE_DEVICES).
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

KEPT = 2
"""Networks that a worker keeps loaded."""


class DevicePool(Generic[T]):
    """What is loaded once for each device, and used by one chunk at a time."""

    def __init__(self, ids: Sequence[str], load: Callable[[str], T]) -> None:
        self._load = load
        self._loaded: dict[str, T] = {}
        self._free: queue.Queue[str] = queue.Queue()
        for id in ids:
            self._free.put(id)

    def put(self, device: str, loaded: T) -> None:
        """Use what is loaded on a device already."""
        self._loaded[device] = loaded

    @contextmanager
    def taken(self) -> Iterator[T]:
        """A device of one's own, waited for; what is on it is loaded on first use."""
        device = self._free.get()
        try:
            if device not in self._loaded:
                self._loaded[device] = self._load(device)
            yield self._loaded[device]
        finally:
            self._free.put(device)


def device_ids(wanted: str, found: Callable[[], Sequence[Device]] = devices) -> tuple[str, ...]:
    """The devices for `auto` or a kind (`cuda`): all of that kind; else the one that is named."""
    if wanted == "cpu" or ":" in wanted:
        return (wanted,)
    kind = choose_device(wanted).kind if wanted == "auto" else wanted
    return tuple(device.id for device in found() if device.kind == kind)


_offered: WeakValueDictionary[str, DevicePool[Batches]] = WeakValueDictionary()


def share_networks(key: str, lanes: DevicePool[Batches]) -> None:
    """Let the chunks of this process use these networks as long as somebody holds them."""
    _offered[key] = lanes


def shared_networks(key: str, wanted: str, load: Callable[[str], Batches]) -> DevicePool[Batches]:
    """The networks that were offered under `key`; else they are loaded, and the last ones stay."""
    with _keeping:
        found = _offered.get(key) or _kept.get(key)
        if found is None:
            found = DevicePool(device_ids(wanted), load)
            while len(_kept) >= KEPT:
                del _kept[next(iter(_kept))]
            _kept[key] = found
        return found


_kept: dict[str, DevicePool[Batches]] = {}
_keeping = threading.Lock()
