"""Window, command line, cluster, demo and merged shards write the same desk, table by table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.model.options import options_json
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.role_assignment import assign_roles
from jurydesk.core.workflow.score import (
    CompetitionFiles,
    check_competition,
    score_competition,
)
from support.desks.comparison import TASKS, Example, by_command, differences, tables, with_title
from support.execution.elsewhere import Elsewhere

pytestmark = pytest.mark.usefixtures("quick_fid")


@pytest.fixture(params=TASKS)
def task(request: pytest.FixtureRequest) -> AnyTask:
    return registry().tasks[request.param]


@pytest.fixture(scope="module")
def copy_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Example]:
    """Return a function that returns the example of a competition, copied once."""
    return cache(
        lambda name: Example(registry().tasks[name], tmp_path_factory.mktemp(name) / "files")
    )


@pytest.fixture
def example(task: AnyTask, copy_of: Callable[[str], Example]) -> Example:
    return copy_of(task.id)


@cache
def window_tables(example: Example) -> dict[str, list[Any]]:
    """Return the tables of the desk that the window writes, scored once."""
    root = example.folder.parent
    return tables(by_window(example, root / "window.jurydesk"), root)


def by_window(example: Example, path: Path, workers: Elsewhere | None = None) -> Path:
    """Run the jobs that the window runs for dropped, checked and scored files."""
    task = example.task
    given = [file for files in example.inputs.values() for file in files]
    assignment = assign_roles(classify_files(given, Run()), (), task)
    with_title(example, path)
    files = tuple(file for file in assignment.files if file.role)
    assert {file.path for file in files} == set(given)
    with Desk.open(path) as desk:
        desk.set_competition(task.id, desk.competition.title, options_json(example.options))
    competition = CompetitionFiles(path, task, files, example.options)
    check_competition(competition, Run())
    with Run(jobs=1, workers=workers and (lambda: workers)) as run:
        score_competition(competition, run)
    return path


def test_the_command_line_writes_the_desk_of_the_window(example: Example) -> None:
    window, root = window_tables(example), example.folder.parent
    command = tables(by_command(example, root / "command.jurydesk"), root)
    assert differences(window, command) == {}
    assert len(window["submission"]) == len(example.submissions)
    assert any("'failed'" in row for row in window["check_file"])
    assert any("'error'" in row for row in window["check_defect"])
    assert window["chunk"] == []


@pytest.mark.parametrize("task", sorted({*TASKS} - {"fusionbrain"}), indirect=True)
def test_workers_of_a_cluster_write_the_desk_of_the_window(task: AnyTask, example: Example) -> None:
    workers, root = Elsewhere(by_path=task.id in ("densecap", "vist")), example.folder.parent
    cluster = tables(by_window(example, root / "cluster.jurydesk", workers), root)
    assert differences(window_tables(example), cluster) == {}
    # A competition whose networks may read the folder of photos is scored by the desk.
    whole = () if task.scoring.pictures else example.submissions
    assert workers.scored == [str(one) for one in whole]


def test_merged_shards_write_the_desk_of_the_window(task: AnyTask, example: Example) -> None:
    if not task.scoring.chunks:
        return  # it has no shards
    root = example.folder.parent
    job, path = root / "job", root / "shards.jurydesk"
    with_title(example, path)
    main(["shards", "split", task.id, *example.arguments, "--out", str(job), "--quiet"])
    assert main(["shards", "score", str(job), "--quiet"]) == 0
    main(["shards", "merge", str(job), "--desk", str(path), "--quiet"])
    assert differences(window_tables(example), tables(path, root)) == {}


def test_the_demo_writes_the_desk_of_the_window(task: AnyTask, tmp_path: Path) -> None:
    main(["demo", task.id, "--folder", str(tmp_path / "demo"), "--text", "--quiet"])
    (path,) = (tmp_path / "demo").rglob("*.jurydesk")
    example = Example(task, tmp_path / "files", damage=False)
    window = tables(by_window(example, tmp_path / "window.jurydesk"), example.folder)
    assert differences(window, tables(path, path.parent)) == {}


def test_one_competition_in_several_runs_keeps_the_sources_of_its_board(
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
