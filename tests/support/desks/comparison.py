"""Desks that several front ends write from the same files, and their differences by table."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from jurydesk.core.cli import main
from jurydesk.core.competition.examples import (
    copy_example,
    example_inputs,
    example_options,
    example_title,
)
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.model.evidence_columns import unpack_columns
from jurydesk.core.model.options import options_json

TASKS = (
    "vist",
    "densecap",
    "keyword-spotting",
    "fusionbrain",
    "visdial",
    "captions",
    "retrieval",
    "visdial-ranks",
    "vqa",
)
TIMES = frozenset(("created", "at", "seen", "received", "modified"))
KEYS = frozenset(("id", "record"))
"""Numbers of rows, which say how often something was written."""

IN_A_STAMP = ("created", "place")


class Example:
    """A copy of an example competition, with an error in its last submission."""

    def __init__(self, task: AnyTask, folder: Path, *, damage: bool = True) -> None:
        self.task = task
        self.folder = copy_example(task, folder)
        self.inputs = {role: list(paths) for role, paths in example_inputs(task, folder).items()}
        self.options = example_options(task, folder)
        self.title = example_title(folder)
        self.submissions = self.inputs[task.submission_input().role]
        if damage:
            content = self.submissions[-1].read_bytes()
            self.submissions[-1].write_bytes(content[: len(content) // 2])

    @property
    def arguments(self) -> list[str]:
        """Return the inputs and the options as arguments of the command line."""
        given: dict[str, Sequence[Any]] = dict(self.inputs)
        default = self.task.scoring.options()
        for entry in fields(self.options):
            value = getattr(self.options, entry.name)
            if value != getattr(default, entry.name):
                given[entry.name] = value if isinstance(value, tuple) else (value,)
        return [one for name, values in given.items() for one in (f"--{name}", *map(str, values))]


def with_title(example: Example, path: Path) -> None:
    """Make a desk with the competition's own title."""
    task = example.task
    with Desk.create(path) as desk:
        desk.set_competition(
            task.id, example.title or task.title, options_json(task.scoring.options())
        )
        desk.cache.put("left over from a run that was stopped", b"chunk")


def by_command(example: Example, path: Path) -> Path:
    with_title(example, path)
    main(["score", example.task.id, *example.arguments, "--desk", str(path), "--quiet"])
    return path


def tables(path: Path, root: Path) -> dict[str, list[Any]]:
    """Return every row of every table without times, numbers of rows, and the folder `root`."""
    connection = sqlite3.connect(path)
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    (last,) = connection.execute("SELECT max(id) FROM check_record").fetchone()
    found = {}
    for (name,) in names:
        cursor = connection.execute(f"SELECT * FROM {name}")
        columns = [column[0] for column in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor]
        if name.startswith("check_"):
            # Only the last check matters: the window checks before it scores.
            rows = [row for row in rows if row.get("record", row.get("id")) == last]
        found[name] = sorted(repr(comparable(row, root)) for row in rows)
    # Paths in evidence of JSON change the lengths of texts, and so the blocks.
    found["evidence_block"] = []
    found["evidence_part"] = [one.replace(str(root), "ROOT") for one in evidence(connection)]
    connection.close()
    return found


def evidence(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield evaluation, part, number and values of every piece of evidence."""
    rows = connection.execute(
        "SELECT evaluation, part, first, content, fractions FROM evidence_part "
        "JOIN evidence_block USING (sha256) ORDER BY evaluation, part, first"
    )
    for evaluation, part, first, content, fractions in rows:
        columns = unpack_columns(zlib.decompress(content), fractions)
        for number in range(columns.items_count):
            yield f"{evaluation}, {part}, {first + number}: {columns.row(number)}"


def comparable(row: Mapping[str, Any], root: Path) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in TIMES | KEYS}
    if "stamp" in kept:
        stamp = json.loads(kept["stamp"])
        kept["stamp"] = json.dumps({k: v for k, v in stamp.items() if k not in IN_A_STAMP})
    if "paths" in kept:
        kept["paths"] = json.loads(kept["paths"])[1]
    return {
        name: value.replace(str(root), "ROOT") if isinstance(value, str) else value
        for name, value in kept.items()
    }


def differences(
    one: Mapping[str, Sequence[Any]], other: Mapping[str, Sequence[Any]]
) -> dict[str, list[Any]]:
    """Return the rows of each table that only one of the two desks has."""
    assert one.keys() == other.keys()
    return {name: sorted({*one[name]} ^ {*other[name]}) for name in one if one[name] != other[name]}
