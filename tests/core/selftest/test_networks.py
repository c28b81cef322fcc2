"""The self-test of networks detects features that depend on batches, threads or the device."""

from __future__ import annotations

import pytest

from jurydesk.core.cli import main
from jurydesk.core.execution.device import DeviceError
from jurydesk.core.selftest import networks
from support.tiny_models import torch_or_skip

torch = torch_or_skip()
PICTURES = torch.linspace(-1, 1, networks.PICTURES * 3).reshape(networks.PICTURES, 3)


class Doubling:
    """Features that are twice the picture, plus the error of a faulty device."""

    def __init__(self, fault=lambda batch: 0.0):
        self.fault = fault
        self.sizes = []

    def __call__(self, batch):
        self.sizes.append(len(batch))
        return 2 * batch + self.fault(batch)

    def to(self, device):
        return self


def check(device="cpu", fault=lambda batch: 0.0):
    reference = (2 * PICTURES).numpy()
    return networks.device_check("toy", Doubling(fault), device, PICTURES, reference)


def test_all_batch_sizes_are_tested():
    network = Doubling()
    networks.device_check("toy", network, "cpu", PICTURES, (2 * PICTURES).numpy())
    assert network.sizes == [1] * 64 + [7] * 9 + [1] + [64] + [64]


def test_equal_features_pass():
    found = check()
    assert found.outcome == "ok"
    assert "batches of 7" in found.text
    assert "all threads" in found.text


def test_a_batch_size_that_changes_features_is_named():
    found = check(fault=lambda batch: 0.01 if len(batch) == 7 else 0.0)
    assert found.outcome == "differs"
    assert "batches of 7 by 0.005 " in found.text
    assert "batches of 64" not in found.text


def test_features_that_depend_on_threads_are_reported():
    found = check(fault=lambda batch: 0.01 * (torch.get_num_threads() > 1))
    everyone = networks.default_jobs() > 1
    assert ("all threads" in found.text and found.outcome == "differs") == everyone


def test_the_number_of_threads_is_restored_afterwards():
    before = torch.get_num_threads()
    with networks.limited_threads(before + 1):
        assert torch.get_num_threads() == before + 1
    assert torch.get_num_threads() == before


def test_features_that_are_not_numbers_fail():
    assert check(fault=lambda batch: float("nan")).outcome == "differs"


def test_a_gpu_may_differ_more_than_a_processor_and_its_speed_is_reported():
    def fault(batch):
        return 1e-3

    assert check("cpu", fault).outcome == "differs"
    found = check("cuda:0", fault)
    assert found.outcome == "ok"
    assert "(5.0e-04); " in found.text
    assert found.text.endswith(" a second.")


def test_a_gpu_that_differs_much_is_named():
    assert check("cuda:0", lambda batch: 1e-2).outcome == "differs"


def test_clip_is_tested_with_random_weights_where_there_are_no_others():
    (found,) = networks.checks_of("clip", networks.load_clip, [], is_small=True)
    assert (found.outcome, found.name) == ("ok", "CLIP, cpu, random weights")


def test_inception_without_weights_is_tested_on_gpus_only():
    (found,) = networks.checks_of(
        "inception", networks.load_inception_extractor, [], is_small=False
    )
    assert found.outcome == "absent"


def test_an_unknown_device_is_refused():
    with pytest.raises(DeviceError, match="no device 'cuda:77' here"):
        list(networks.network_checks("cuda:77"))


def test_the_command_tests_the_requested_device(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "jurydesk.core.selftest.checks.run_checks",
        lambda on_part, device: asked.append(device) or [],
    )
    assert main(["selftest", "--device", "cpu", "--quiet"]) == 0
    assert asked == ["cpu"]
