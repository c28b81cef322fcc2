"""Settings of inference from option values, and the file of groups (item and group per line)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from jurydesk.core.language import Message, counted, failure_reason, fill, name_list
from jurydesk.core.model.evaluation import Source, UsageError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import absolute_path, fingerprint

NO_GROUPS = "none"
"""Value in place of a file for resampling individual items."""
OWN_ROLE = "groups"
"""Role of the file in a stamp."""
SEPARATORS = ("\t", ";", ",", None)
TITLE_WORDS = frozenset(
    (
        *("item", "id", "name", "key", "entry", "number", "no", "file", "document", "doc"),
        *("query", "qid", "topic", "question", "dialogue", "sequence", "story", "word"),
        *("image", "img", "picture", "album", "keyword", "group", "cluster", "class"),
        *("category", "label", "set"),
    )
)
"""Words of the titles of columns, in the singular."""
LARGEST = 1 << 28
"""Size limit in bytes; a million items take about 30 MB."""


def read_groups(path: Path) -> Mapping[str, str]:
    """Read the group of every item from a file.

    A line holds an item and its group, separated by a tab, a semicolon, a comma or blanks; cells
    may be in quotation marks. A first line of titles, such as `item,group`, is left out. Raises
    UsageError if the file cannot be read or has other lines.
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
    is_first = True
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        item, group = _columns(line, path, number)
        was_first, is_first = is_first, False
        if was_first and _is_title(item) and _is_title(group):
            continue
        if groups.setdefault(item, group) != group:
            raise UsageError(
                fill(
                    '{path}, line {number}: item "{item}" already belongs to group '
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
    for separator in SEPARATORS:
        cells = [_unquoted(cell.strip()) for cell in line.split(separator)]
        if len(cells) == 2 and all(cells):
            return cells[0], cells[1]
    raise UsageError(
        fill(
            "{path}, line {number}: expected an item and its group, separated by a tab, a "
            "semicolon, a comma or blanks.",
            path,
            number,
        )
    )


def _unquoted(cell: str) -> str:
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _is_title(cell: str) -> bool:
    """Return whether a cell is the title of a column, such as `query_id`."""
    words = re.split(r"[\W_]+", cell.casefold())
    return all({word, word.removesuffix("s")} & TITLE_WORDS for word in words)


def require_groups(inference: Inference, ids: Iterable[str]) -> None:
    """Raise UsageError if groups of items are given, and none of these items has one."""
    known, first = inference.labels, ""
    for one in ids:
        if not known or one in known:
            return
        first = first or one
    if first:
        raise UsageError(
            fill(
                "{path} names no item of this competition: its first is {name}, an item is {item}.",
                *(_file_name(inference), next(iter(known)), first),
            )
        )


def describe_missing_groups(inference: Inference, ids: Iterable[str], noun: tuple[str, str]) -> str:
    """Say how many of these items have no group, if groups are given; empty if all have one."""
    every = dict.fromkeys(ids)
    missing = [one for one in every if one not in inference.labels]
    if not inference.labels or not missing:
        return ""
    return fill(
        "{missing:,} of {items} have no group in {path} (first: {names}): each counts alone.",
        *(len(missing), counted(len(every), *noun), _file_name(inference), name_list(missing)),
    )


def _file_name(inference: Inference) -> str:
    """Return the name of the file of groups; `groups` if they are from elsewhere."""
    return "groups" if inference.source is None else PurePath(inference.source.path).name


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
        source = Source(OWN_ROLE, str(absolute_path(path)), file.size, file.sha256)
        inference = replace(inference, grouped=True, labels=labels, source=source)
    for name in ("interval", "correction", "rank_by"):
        if values.get(name):
            inference = replace(inference, **{name: values[name]})
    return inference
