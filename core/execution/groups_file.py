"""Settings of inference from option values, and the file of groups (item and group per line)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jurydesk.core.language import Message, failure_reason, fill
from jurydesk.core.model.evaluation import Source, UsageError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import absolute_path, fingerprint

NO_GROUPS = "none"
"""Value in place of a file for resampling individual items."""
LARGEST = 1 << 28
"""Size limit in bytes; a million items take about 30 MB."""


def read_groups(path: Path) -> Mapping[str, str]:
    """Read the group of every item from a file.

    A line holds an item and its group, separated by a tab, a comma or blanks. Raises UsageError if
    the file cannot be read or has other lines.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as fault:
        raise UsageError(
            fill("{path} cannot be read: {value}.", path, failure_reason(fault))
        ) from fault
    except UnicodeDecodeError as fault:
        raise UsageError(
            fill("{path} is not UTF-8 text (byte {start:,}).", path, fault.start)
        ) from fault
    if len(content) > LARGEST:
        raise UsageError(
            fill(
                "{path} is too large for a file of groups: more than {largest:,} bytes.",
                path,
                LARGEST,
            )
        )
    groups: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        item, group = _columns(line, path, number)
        if groups.setdefault(item, group) != group:
            raise UsageError(
                fill(
                    '{path}, line {number:,}: item "{item}" already belongs to group '
                    '"{groups}". Give every item one group.',
                    path,
                    number,
                    Message(item),
                    groups[item],
                )
            )
    if not groups:
        raise UsageError(fill("{path} does not assign any item to a group.", path))
    return groups


def _columns(line: str, path: Path, number: int) -> tuple[str, str]:
    for separator in ("\t", ",", None):
        cells = [cell.strip() for cell in line.split(separator)]
        if len(cells) == 2 and all(cells):
            return cells[0], cells[1]
    raise UsageError(
        fill(
            "{path}, line {number:,}: expected an item and its group, separated by a tab, a "
            "comma or blanks.",
            path,
            number,
        )
    )


def inference_from_values(values: Mapping[str, Any], base: Inference) -> Inference:
    """Return `base` with the settings in `values`.

    `values` may have `groups` (a file, or `none`), `interval`, `correction` and `rank_by`. Raises
    UsageError if the file of groups cannot be read.
    """
    inference = base
    groups = values.get("groups")
    if groups == NO_GROUPS:
        inference = replace(inference, grouped=False, labels={}, source=None)
    elif groups:
        path = Path(groups)
        labels, file = read_groups(path), fingerprint(path)
        source = Source("groups", str(absolute_path(path)), file.size, file.sha256)
        inference = replace(inference, grouped=True, labels=labels, source=source)
    for name in ("interval", "correction", "rank_by"):
        if values.get(name):
            inference = replace(inference, **{name: values[name]})
    return inference
