from __future__ import annotations

import pytest

from jurydesk.core.execution.device import full_precision
from jurydesk.core.execution.run import Run
from jurydesk.core.neural.batches import CPU_BATCH, Batches, fitting_size
from support.tiny_models import torch_or_skip

torch = torch_or_skip()


class Narrow:
    """Network whose device has memory for a limited number of items."""

    def __init__(self, room, device="cuda:0", said="CUDA out of memory. Tried to allocate"):
        self.room, self.device, self.said = room, device, said
        self.sizes = []

    def __call__(self, batch):
        self.sizes.append(len(batch))
        if len(batch) > self.room and self.device != "cpu":
            raise RuntimeError(self.said)
        return 2 * batch

    def to(self, device):
        return Narrow(self.room, device)


@pytest.fixture(autouse=True)
def no_card(monkeypatch):
    monkeypatch.setattr("jurydesk.core.neural.batches.free_device_memory", lambda device: None)


ITEMS = torch.arange(20.0)[:, None]


def test_the_batch_is_halved_until_it_fits_and_no_item_is_lost():
    network = Narrow(room=3)
    batches = Batches(network, "cuda:0", size=16)
    assert torch.equal(batches.rows(ITEMS, Run()), 2 * ITEMS)
    assert network.sizes[:4] == [16, 8, 4, 2]
    assert batches.size == 2


def test_the_size_found_is_used_for_later_batches():
    batches = Batches(Narrow(room=5), "cuda:0", size=16)
    batches.rows(ITEMS, Run())
    batches.network.sizes.clear()
    batches.rows(ITEMS, Run())
    assert set(batches.network.sizes) == {4}


def test_if_one_item_is_too_large_the_processor_is_used():
    batches = Batches(Narrow(room=0), "cuda:0", size=4)
    assert torch.equal(batches.rows(ITEMS, Run()), 2 * ITEMS)
    assert (batches.device, batches.size) == ("cpu", CPU_BATCH)


def test_another_error_is_not_mistaken_for_a_lack_of_memory():
    batches = Batches(Narrow(room=0, said="shapes do not fit"), "cuda:0")
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        batches.rows(ITEMS, Run())


def test_full_precision_is_set_inside_the_block_and_restored_after_it():
    before = torch.backends.cudnn.allow_tf32
    with full_precision():
        assert not torch.backends.cudnn.allow_tf32
        assert not torch.backends.cuda.matmul.allow_tf32
    assert torch.backends.cudnn.allow_tf32 == before


@pytest.mark.parametrize(
    ("free", "used", "size"),
    [(8000, 400, 32), (8000, 401, 32), (7900, 400, 32), (100, 400, 1), (10**12, 4, 512), (0, 0, 1)],
)
def test_the_size_is_a_power_of_two_of_items_in_half_of_the_free_memory(free, used, size):
    """By hand: 8000 / 2 bytes hold 40 items of 100 bytes each, so 32."""
    assert fitting_size(free, used, 4) == size


def test_a_first_small_batch_on_cuda_chooses_the_size(monkeypatch):
    from torch import cuda

    seen = []

    class Doubled:
        def __call__(self, batch):
            seen.append(len(batch))
            return batch * 2

        def to(self, device):
            return self

    for name, value in {
        "reset_peak_memory_stats": None,
        "memory_allocated": 100,
        "max_memory_allocated": 500,
        "mem_get_info": (1600, 2000),
    }.items():
        monkeypatch.setattr(cuda, name, lambda device, value=value: value)
    monkeypatch.setattr(cuda, "is_available", lambda: True)
    batches = Batches(Doubled(), "cuda:0")
    items = torch.arange(21.0)[:, None]
    assert batches.rows(items).tolist() == (items * 2).tolist()
    assert (seen, batches.size) == ([4, 8, 8, 1], 8)
