"""Every example competition: small, and complete. A competition needs none."""

from __future__ import annotations

import json

import pytest

from jurydesk.core.competition.examples import example_inputs, example_title
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from support.examples import TASKS_WITH_EXAMPLE, folder_of

LARGEST = 700_000


@pytest.fixture(params=TASKS_WITH_EXAMPLE, scope="module")
def task(request: pytest.FixtureRequest) -> AnyTask:
    return registry().tasks[request.param]


def test_an_example_is_small(task: AnyTask) -> None:
    assert sum(path.stat().st_size for path in folder_of(task).rglob("*")) < LARGEST


def test_the_manifest_lists_every_file_with_its_role(task: AnyTask) -> None:
    folder = folder_of(task)
    manifest = json.loads((folder / "example.json").read_text(encoding="utf-8"))
    assert manifest["task"] == task.id
    assert example_title(folder) == manifest["title"] != ""
    found = example_inputs(task, folder)
    named = {role: sorted(names) for role, names in manifest["inputs"].items()}
    assert named == {role: sorted(path.name for path in paths) for role, paths in found.items()}
