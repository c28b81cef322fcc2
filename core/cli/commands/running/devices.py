"""Command `jurydesk devices`: list the devices for neural metrics."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.execution.device import Device, choose_device, devices
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.text_table import align_columns


@click.pass_obj
def list_devices(context: CommandContext, /, json: Path | None) -> int:
    """Print all devices, with a mark on the one that `auto` or `--device` selects."""
    found = devices()
    chosen = choose_device(context.device)
    document = {"schema": 1, "devices": [device_json(device) for device in found]}
    return deliver(device_lines(found, chosen), (json, document))


def device_lines(found: tuple[Device, ...], chosen: Device) -> list[str]:
    """Format a line per device: id, name, memory, and whether it is in use."""
    rows = [
        (
            device.id,
            translate_text(device.name),
            memory_text(device),
            translate("in use") if device.id == chosen.id else "",
        )
        for device in found
    ]
    heads = (translate("device"), translate("name"), translate("memory"), "")
    return align_columns(heads, rows, right={2})


def memory_text(device: Device) -> str:
    """Return the memory in gigabytes."""
    if device.memory is None:
        return ""
    return translate("{gigabytes:.0f} GB", gigabytes=device.memory / 1e9)


def device_json(device: Device) -> dict[str, str | int | None]:
    """Return a device as JSON values; memory in bytes."""
    return {"id": device.id, "name": device.name, "memory": device.memory}


command = CliCommand(
    "devices",
    callback=list_devices,
    uses=("device",),
    params=[json_option()],
    help="List the devices that can compute neural metrics.",
)
