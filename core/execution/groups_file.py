"""Resampling units from a file of two columns, the item and its group, and other choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jurydesk.core.model.evaluation import Source, UsageError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import fingerprint

NO_GROUPS = "none"
"""The name in the place of a file that resamples items."""
LARGEST = 1 << 28
"""Bytes; two columns of a million items take some 30 MB."""


def read_groups(path: Path) -> Mapping[str, str]:
    """Return the group of every item that the file names.

    A line is an item and its group, with a tab, a comma or blanks between them. UsageError where
    the file cannot be read, or a line is something else.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as fault:
        raise UsageError(f"{path} cannot be read: {fault.strerror or fault}.") from fault
    except UnicodeDecodeError as fault:
        raise UsageError(f"{path} is no text in UTF-8 (byte {fault.start:,}).") from fault
    if len(content) > LARGEST:
        raise UsageError(f"{path} is too large for a file of groups: more than {LARGEST:,} bytes.")
    groups: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        item, group = _columns(line, path, number)
        if groups.setdefault(item, group) != group:
            raise UsageError(
                f'{path}, line {number:,}: item "{item}" already belongs to group '
                f'"{groups[item]}". Give every item one group.'
            )
    if not groups:
        raise UsageError(f"{path} assigns no item to a group.")
    return groups


def _columns(line: str, path: Path, number: int) -> tuple[str, str]:
    for separator in ("\t", ",", None):
        cells = [cell.strip() for cell in line.split(separator)]
        if len(cells) == 2 and all(cells):
            return cells[0], cells[1]
    raise UsageError(
        f"{path}, line {number:,}: expected an item and its group, separated by a tab, a comma or "
        "blanks."
    )


def inference_from_values(values: Mapping[str, Any], base: Inference) -> Inference:
    """Return the choices of `values`, and those of `base` for what they do not say.

    `values` may have `groups` (a file, or `none`), `interval` and `correction`.
    Raises UsageError where the file of groups cannot be read.
    """
    found = base
    given = values.get("groups")
    if given == NO_GROUPS:
        found = replace(found, grouped=False, labels={}, source=None)
    elif given:
        found = _of_file(found, Path(given))
    for name in ("interval", "correction"):
        if values.get(name):
            found = replace(found, **{name: values[name]})
    return found


def _of_file(base: Inference, path: Path) -> Inference:
    labels, print_ = read_groups(path), fingerprint(path)
    source = Source("groups", str(path.absolute()), print_.size, print_.sha256)
    return replace(base, grouped=True, labels=labels, source=source)
