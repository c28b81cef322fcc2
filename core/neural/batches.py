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
MOST, PROBE = 512, 4
"""Maximum size of a batch, and size of the first one, from whose memory the size is chosen."""
SHORT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")


class Network(Protocol):
    """Network on a device, which maps a batch (n, ...) to rows (n, width)."""

    def __call__(self, batch: Any) -> Any:
        """Return the rows of a batch."""

    def to(self, device: str) -> Network:
        """Return the same network on another device."""


class Batches:
    """Network with an adaptive batch size.

    On CUDA the size follows from the free memory and that of a first small batch. If the device
    runs out of memory, the batch size is halved and the batch repeated; if a single item is too
    large, the network moves to the CPU. The size is kept for later calls.
    """

    def __init__(self, network: Network, device: str, size: int = 0) -> None:
        self.network = network
        self.device = device
        self.size = size or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        self._is_probing = not size and device.startswith("cuda")

    def rows(self, items: Any, run: Run | None = None, *, check: Check | None = None) -> Any:
        """Return the rows (n, width) of items (n, ...), in order.

        With `run`, cancelling does not wait for the device; `check` is called between batches.
        """
        import torch

        return torch.cat(list(self._parts(items, run, check)))

    def _parts(self, items: Any, run: Run | None, check: Check | None) -> Iterator[Any]:
        start = 0
        while start < len(items):
            is_probe = self._is_probing and len(items) > PROBE and _has_cuda()
            part = items[start : start + (PROBE if is_probe else self.size)]
            if check is not None:
                check()
            compute = self._probe if is_probe else self.network
            try:
                with full_precision():
                    rows = compute(part) if run is None else run.call(compute, part)
            except RuntimeError as error:
                if not is_out_of_memory(error) or not self._reduce_load():
                    raise
                continue
            start += len(part)
            yield rows

    def _probe(self, part: Any) -> Any:
        """Compute a small batch, and choose the size from the memory that it takes."""
        from torch import cuda

        cuda.reset_peak_memory_stats(self.device)
        before = cuda.memory_allocated(self.device)
        rows = self.network(part)
        used = cuda.max_memory_allocated(self.device) - before
        free, _ = cuda.mem_get_info(self.device)
        self.size, self._is_probing = fitting_size(free, used, len(part)), False
        return rows

    def _reduce_load(self) -> bool:
        """Halve the batch size or move to the CPU; return False if neither is possible."""
        free_device_memory(self.device)
        self.size, self._is_probing = PROBE if self._is_probing else self.size, False
        if self.size > 1:
            self.size //= 2
        elif self.device != "cpu":
            self.network, self.device = self.network.to("cpu"), "cpu"
            self.size = CPU_BATCH
        else:
            return False
        return True


def _has_cuda() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def fitting_size(free: int, used: int, items: int) -> int:
    """Return the largest power of two of items for half of the free bytes, if `items` use `used`.

    The other half is for networks of other processes, which start with a size of their own.
    """
    fitting = free // 2 * items // max(used, 1)
    return min(MOST, 1 << max(fitting.bit_length() - 1, 0))


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
