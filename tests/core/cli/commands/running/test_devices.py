from __future__ import annotations

import json

from jurydesk.core.execution.device import Device


def test_the_device_in_use_is_marked(jurydesk, monkeypatch):
    found = (Device("cpu", "A processor", 32 * 10**9, 8), Device("cuda:0", "A card", 80 * 10**9))
    monkeypatch.setattr("jurydesk.core.cli.commands.running.devices.devices", lambda: found)
    monkeypatch.setattr(
        "jurydesk.core.cli.commands.running.devices.choose_device", lambda wanted: found[1]
    )
    outcome = jurydesk("devices")
    assert outcome.code == 0
    assert outcome.out == (
        "device  name         memory\n"
        "cpu     A processor   32 GB\n"
        "cuda:0  A card        80 GB  in use\n"
    )
    document = json.loads(jurydesk("devices", "--json", "-").out)
    assert document["devices"][1] == {"id": "cuda:0", "name": "A card", "memory": 80 * 10**9}


def test_the_processor_is_always_listed(jurydesk):
    outcome = jurydesk("devices", "--device", "cpu")
    assert outcome.code == 0
    assert outcome.out.splitlines()[1].startswith("cpu")


def test_a_missing_device_is_refused(jurydesk):
    outcome = jurydesk("devices", "--device", "cuda:99")
    assert outcome.code == 2
    assert outcome.err.startswith("Error: There is no device 'cuda:99'")
