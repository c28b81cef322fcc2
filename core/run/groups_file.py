"""The file that assigns items to groups: two columns, the item and its group."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.model import UsageError

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
