"""Recognition of a table of results by the beginning of its file."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from jurydesk.core.readers.foreign_tables.column_maps import column_maps, find_map
from jurydesk.core.readers.foreign_tables.column_roles import (
    find_roles,
    is_metric_name,
    normalize_name,
)
from jurydesk.core.readers.foreign_tables.delimited_table import (
    find_separator,
    looks_like_header,
)
from jurydesk.core.readers.foreign_tables.parquet_table import MAGIC
from jurydesk.core.readers.text_file import UTF16_MARKS

OWN_ITEMS = re.compile(r'system,profile,item,|\{"system": "[^"]*", "profile": "[^"]*", "item": ')
"""Beginning of items that this program exported."""
RETRIEVED = frozenset({"candidate", "entry"})
"""Names of a system that also head what a query has retrieved."""


def is_results_table(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of a table with items and scores.

    A table in JSON is one only if a column map has its members.
    """
    if head.startswith(MAGIC):
        return True
    text = _decode(head)
    first = text.lstrip()[:1]
    if OWN_ITEMS.match(text):
        return True
    if first in ("{", "["):
        return any(
            one.members and all(f'"{name.split(".")[-1]}"' in text for name in one.members)
            for one in column_maps().values()
        )
    if find_map("auto", path=Path(), text=text) is not None:
        return True
    names = _header(text)
    return len(names) > 1 and looks_like_header(names) and _has_roles(names)


def names_systems(head: bytes) -> bool:
    """Return whether the header of a text names systems, items and a score in words of its own."""
    names = _header(_decode(head))
    system = find_roles(names, ("system", "item")).get("system")
    return system is not None and normalize_name(system) not in RETRIEVED and _has_roles(names)


def _decode(head: bytes) -> str:
    encoding = "utf-16" if head.startswith(UTF16_MARKS) else "utf-8-sig"
    return head.decode(encoding, "replace")


def _header(text: str) -> list[str]:
    """Return the cells of the first line; empty without a separator, or with nothing else."""
    separator, start = find_separator(text)
    line = text[start:].partition("\n")[0]
    if not 0 < line.count(separator) < len(line):
        return []
    try:
        return next(csv.reader(io.StringIO(line.rstrip("\r"), newline=""), delimiter=separator), [])
    except csv.Error:
        return []


def _has_roles(names: list[str]) -> bool:
    found = find_roles(names, ("system", "item", "metric", "score"))
    has_scores = any(is_metric_name(name) for name in names if name not in found.values())
    return "item" in found and ("score" in found or "metric" in found or has_scores)
