"""Batched inference with batches that fit the memory of the device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from jurydesk.core.execution.device import full_precision
from jurydesk.core.model.chunk import Check

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CPU_BATCH = 20
GPU_BATCH = 64
SHORT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")


class Network(Protocol):
    """Network on a device, which maps a batch (n, ...) to rows (n, width)."""

    def __call__(self, batch: Any) -> Any:
        """Return the rows of a batch."""

    def to(self, device: str) -> Network:
        """Return the same network on another device."""


class Batches:
    """Network with an adaptive batch size.

    If the device runs out of memory, the batch size is halved and the batch repeated; if a single
    item is too large, the network moves to the CPU. The size is kept for later calls.
    """

    def __init__(self, network: Network, device: str, size: int = 0) -> None:
        self.network = network
        self.device = device
        self.size = size or (CPU_BATCH if device == "cpu" else GPU_BATCH)

    def rows(self, items: Any, run: Run | None = None, *, check: Check | None = None) -> Any:
        """Return the rows (n, width) of items (n, ...), in order.

        With `run`, cancelling does not wait for the device; `check` is called between batches.
        """
        import torch

        return torch.cat(list(self._parts(items, run, check)))

    def _parts(self, items: Any, run: Run | None, check: Check | None) -> Iterator[Any]:
        start = 0
        while start < len(items):
            part = items[start : start + self.size]
            if check is not None:
                check()
            try:
                with full_precision():
                    rows = self.network(part) if run is None else run.call(self.network, part)
            except RuntimeError as error:
                if not is_out_of_memory(error) or not self._reduce_load():
                    raise
                continue
            start += len(part)
            yield rows

    def _reduce_load(self) -> bool:
        """Halve the batch size or move to the CPU; return False if neither is possible."""
        free_device_memory(self.device)
        if self.size > 1:
            self.size //= 2
        elif self.device != "cpu":
            self.network, self.device = self.network.to("cpu"), "cpu"
            self.size = CPU_BATCH
        else:
            return False
        return True


def is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether an error is an out-of-memory error of a device."""
    text = str(error).lower()
    return any(sentence in text for sentence in SHORT_OF_MEMORY)


def free_device_memory(device: str) -> None:
    """Release the memory that PyTorch caches for a device."""
    import torch

    kind = device.partition(":")[0]
    if kind != "cpu":
        getattr(torch, kind).empty_cache()
