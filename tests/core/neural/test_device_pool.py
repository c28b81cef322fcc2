"""One network for each device, with imaginary devices."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from jurydesk.core.execution.device import Device
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.device_pool import DevicePool, device_ids, share_networks, shared_networks

FOUND = (Device("cpu", "a processor"), Device("cuda:0", "a card"), Device("cuda:1", "another"))


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ("cuda", ("cuda:0", "cuda:1")),
        ("cuda:1", ("cuda:1",)),
        ("cpu", ("cpu",)),
    ],
)
def test_a_kind_selects_all_its_devices_and_a_number_selects_one(wanted, ids):
    assert device_ids(wanted, lambda: FOUND) == ids


def test_auto_selects_all_devices_of_the_best_kind(monkeypatch):
    monkeypatch.setattr("jurydesk.core.neural.device_pool.choose_device", lambda wanted: FOUND[1])
    assert device_ids("auto", lambda: FOUND) == ("cuda:0", "cuda:1")


def test_every_device_runs_one_chunk_at_a_time_and_all_are_used():
    at_work, most, used = Counter(), Counter(), Counter()
    both = threading.Barrier(2, timeout=60)
    lanes = DevicePool(("cuda:0", "cuda:1"), lambda device: device)

    def chunk(number):
        with lanes.acquire() as device:
            at_work[device] += 1
            most[device] = max(most[device], at_work[device])
            if used[device] == 0:
                both.wait()  # returns only when both devices run a chunk
            used[device] += 1
            at_work[device] -= 1

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(chunk, range(20)))
    assert set(used) == {"cuda:0", "cuda:1"}
    assert set(most.values()) == {1}
    assert sum(used.values()) == 20


def test_a_device_is_free_again_after_an_error():
    lanes = DevicePool(("cuda:0",), lambda device: device)
    with pytest.raises(ZeroDivisionError), lanes.acquire():
        raise ZeroDivisionError
    with lanes.acquire() as device:
        assert device == "cuda:0"


def test_a_network_is_loaded_once_on_each_device():
    loaded = []
    lanes = DevicePool(("cuda:0",), lambda device: loaded.append(device) or device)
    for _ in range(3):
        with lanes.acquire():
            pass
    assert loaded == ["cuda:0"]


def test_given_networks_are_used_while_they_are_referenced():
    mine = DevicePool(("cpu",), lambda device: Batches(None, device))
    share_networks("a network", mine)
    assert shared_networks("a network", "cpu", pytest.fail) is mine


def test_other_networks_are_loaded_and_the_last_ones_stay_loaded():
    def load(device):
        return Batches(None, device)

    first = shared_networks("first", "cpu", load)
    assert shared_networks("first", "cpu", load) is first
    shared_networks("second", "cpu", load)
    shared_networks("third", "cpu", load)
    assert shared_networks("first", "cpu", load) is not first
