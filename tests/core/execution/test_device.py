from __future__ import annotations

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import pytest

from jurydesk.core.cli.commands.running import doctor
from jurydesk.core.execution import device
from jurydesk.core.execution.device import Device, DeviceError, choose_device, devices
from jurydesk.core.execution.run import default_jobs

CPU = Device("cpu", "Processor", 1 << 30, 4)
GPUS = [Device("cuda:0", "H100", 80 << 30), Device("cuda:1", "H100", 80 << 30)]


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_accelerators", lambda: list(GPUS))


def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "torch" else find(name)
    )


def test_the_cpu_is_first_with_its_cores_and_memory() -> None:
    first = device.cpu_device()
    assert (first.id, first.kind, first.cores) == ("cpu", "cpu", default_jobs())
    assert first.name
    assert first.memory is not None
    assert first.memory > 1 << 28


def test_without_torch_the_cpu_is_the_only_device(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    assert [one.id for one in devices()] == ["cpu"]
    assert choose_device("auto").id == "cpu"


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("auto", "cuda:0"), ("cuda", "cuda:0"), ("cuda:1", "cuda:1"), ("cpu", "cpu")],
)
def test_auto_prefers_an_accelerator(wanted: str, expected: str) -> None:
    assert choose_device(wanted).id == expected


@pytest.mark.usefixtures("two_gpus")
def test_an_unknown_device_is_reported_with_the_existing_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    sentence = r"^There is no device 'cuda:7' here. Choose auto or one of: cpu, cuda:0, cuda:1.$"
    with pytest.raises(DeviceError, match=sentence):
        choose_device("cuda:7")


def test_without_torch_the_message_explains_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_torch(monkeypatch)
    with pytest.raises(DeviceError, match=r"pip install 'jurydesk\[neural\]'\.$"):
        choose_device("cuda")


def test_torch_lists_the_accelerators(monkeypatch: pytest.MonkeyPatch) -> None:
    properties = SimpleNamespace(name="H100", total_memory=80 << 30)
    backend = SimpleNamespace(
        device_count=lambda: 1,
        is_available=lambda: True,
        get_device_properties=lambda i: properties,
    )
    torch = ModuleType("torch")
    vars(torch).update(
        cuda=backend,
        xpu=backend,
        backends=SimpleNamespace(mps=SimpleNamespace(is_available=lambda: True)),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    found = devices()
    assert [one.id for one in found] == ["cpu", "cuda:0", "xpu:0", "mps"]
    assert found[1] == Device("cuda:0", "H100", 80 << 30)
    assert device.device_in_use("auto") == "cuda:0"


def test_the_device_of_a_run_without_torch_is_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert device.device_in_use("cuda:3") == "cpu"


def test_a_torch_that_cannot_be_imported_is_reported_with_its_error(tmp_path, monkeypatch):
    """As with a damaged `entry_points.txt` of any package, which torch reads at import."""
    for name in [one for one in sys.modules if one.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "torch.py").write_text("b'\\xff'.decode()")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DeviceError, match=r"^PyTorch cannot be imported \(UnicodeDecodeError: "):
        devices()
    (found,) = doctor.computing()
    assert (found.part, found.state) == ("device", "broken")
    assert found.text.startswith("PyTorch cannot be imported")
