"""Window, command line, demo and merged shards write the same desk, table by table."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.desk import Desk
from core.intake.classify import classify_files
from core.intake.files import ReceivedFile
from core.options import options_json
from core.run.run import Run
from core.tasks.example import copy_example, example_inputs, example_options, example_title
from core.tasks.registry import AnyTask, registry
from core.workflow.desk_state import load_state
from core.workflow.files import paths_by_role
from core.workflow.role_assignment import assign_roles
from core.workflow.score import Competition, Received, check, score

TASKS = ("vist", "densecap", "keyword-spotting", "fusionbrain", "visdial", "captions")
TIMES = frozenset(("created", "at", "seen", "received", "modified"))
KEYS = frozenset(("id", "record"))
"""Numbers of rows, which say how often something was written."""

IN_A_STAMP = ("created", "place")


class Example:
    """A copy of an example competition, whose last submission has an error."""

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
        """The inputs and the options as those of the command line."""
        given: dict[str, Sequence[Any]] = dict(self.inputs)
        default = self.task.scoring.options()
        for entry in fields(self.options):
            value = getattr(self.options, entry.name)
            if value != getattr(default, entry.name):
                given[entry.name] = value if isinstance(value, tuple) else (value,)
        return [one for name, values in given.items() for one in (f"--{name}", *map(str, values))]


@pytest.fixture(params=TASKS)
def task(request: pytest.FixtureRequest) -> AnyTask:
    return registry().tasks[request.param]


@pytest.fixture
def example(task: AnyTask, tmp_path: Path) -> Example:
    return Example(task, tmp_path / "files")


def with_title(example: Example, path: Path) -> None:
    """Make a desk with the competition's own title."""
    task = example.task
    with Desk.create(path) as desk:
        desk.set_competition(
            task.id, example.title or task.title, options_json(task.scoring.options())
        )
        desk.cache.put("left over from a run that was stopped", b"chunk")


def by_window(example: Example, path: Path) -> Path:
    """Do what the jobs of the window do with files that are dropped, checked and scored."""
    task = example.task
    given = [file for files in example.inputs.values() for file in files]
    assignment = assign_roles(classify_files(given, Run()), (), task)
    with_title(example, path)
    files = tuple(file for file in assignment.files if file.role)
    assert {file.path for file in files} == set(given)
    role = task.submission_input().role
    received = Received(
        tuple(ReceivedFile(one.path, one.parts, one.stamped) for one in files if one.role == role)
    )
    with Desk.open(path) as desk:
        desk.set_competition(task.id, desk.competition.title, options_json(example.options))
    competition = Competition(path, task, paths_by_role(files), example.options, received)
    check(competition, Run())
    score(competition, Run())
    return path


def by_command(example: Example, path: Path) -> Path:
    with_title(example, path)
    main(["score", example.task.id, *example.arguments, "--desk", str(path), "--quiet"])
    return path


def tables(path: Path, root: Path) -> dict[str, list[Any]]:
    """Every row of every table without times, numbers of rows, and the folder `root`."""
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
            # Of checks the last one counts: the window has checked before it scored.
            rows = [row for row in rows if row.get("record", row.get("id")) == last]
        found[name] = sorted(repr(comparable(row, root)) for row in rows)
    connection.close()
    return found


def comparable(row: Mapping[str, Any], root: Path) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in TIMES | KEYS}
    if "stamp" in kept:
        stamp = json.loads(kept["stamp"])
        kept["stamp"] = json.dumps({k: v for k, v in stamp.items() if k not in IN_A_STAMP})
    if "paths" in kept:
        kept["paths"] = json.loads(kept["paths"])[1]
    if "block" in kept:
        kept["content"] = zlib.decompress(kept["content"]).decode()
    return {
        name: value.replace(str(root), "ROOT") if isinstance(value, str) else value
        for name, value in kept.items()
    }


def differences(
    one: Mapping[str, Sequence[Any]], other: Mapping[str, Sequence[Any]]
) -> dict[str, list[Any]]:
    """The rows of each table that only one of the two desks has."""
    assert one.keys() == other.keys()
    return {name: sorted({*one[name]} ^ {*other[name]}) for name in one if one[name] != other[name]}


def test_the_command_line_writes_the_desk_of_the_window(example: Example, tmp_path: Path) -> None:
    window = tables(by_window(example, tmp_path / "window.jurydesk"), tmp_path)
    command = tables(by_command(example, tmp_path / "command.jurydesk"), tmp_path)
    assert differences(window, command) == {}
    assert len(window["submission"]) == len(example.submissions)
    assert any("'failed'" in row for row in window["check_file"])
    assert any("'error'" in row for row in window["check_defect"])
    assert window["chunk"] == []


def test_merged_shards_write_the_desk_of_the_window(
    task: AnyTask, example: Example, tmp_path: Path
) -> None:
    job, path = tmp_path / "job", tmp_path / "shards.jurydesk"
    with_title(example, path)
    main(["shards", "split", task.id, *example.arguments, "--out", str(job), "--quiet"])
    assert main(["shards", "score", str(job), "--quiet"]) == 0
    main(["shards", "merge", str(job), "--desk", str(path), "--quiet"])
    window = tables(by_window(example, tmp_path / "window.jurydesk"), tmp_path)
    assert differences(window, tables(path, tmp_path)) == {}


def test_the_demo_writes_the_desk_of_the_window(task: AnyTask, tmp_path: Path) -> None:
    main(["demo", task.id, "--folder", str(tmp_path / "demo"), "--text", "--quiet"])
    (path,) = (tmp_path / "demo").rglob("*.jurydesk")
    example = Example(task, tmp_path / "files", damage=False)
    window = tables(by_window(example, tmp_path / "window.jurydesk"), example.folder)
    assert differences(window, tables(path, path.parent)) == {}


def test_one_competition_in_several_runs_keeps_what_its_board_comes_from(
    tmp_path: Path,
) -> None:
    example = Example(registry().tasks["vist"], tmp_path / "files", damage=False)
    folder = example.folder
    first, second = folder / "happy.json", folder / "storyteller.json"
    shared = ["--references", str(example.inputs["references"][0])]
    path = tmp_path / "a.jurydesk"
    for file in (first, second):
        options = ["--submission", str(file), "--desk", str(path), "--quiet"]
        main(["score", "vist", *shared, *options])
    with Desk.open(path) as desk:
        state = load_state(desk)
    names = sorted(Path(one.path).name for one in state.checked.files)
    assert names == sorted(["human-stories.json", first.name, second.name])
    assert {one.outcome for one in state.checked.files} <= {"passed", "failed"}
    times = {re.match(r"\d{4}-\d\d-\d\dT", one.time) is not None for one in state.checked.files}
    assert times == {True}
