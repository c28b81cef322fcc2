"""A competition inside the repository, made as the manual and CONTRIBUTING say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jurydesk.core.tasks
from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
GENERIC = (
    "tests/core/competition",
    "tests/core/verification/test_conformance.py",
    "tests/core/participant_kit/test_check.py",
    "tests/app/inspectors/test_inspector_registry.py",
    "tests/app/test_plugin.py",
    "tests/test_manual.py",
)
"""Tests that go through all competitions."""
PLUGIN = """
import jurydesk.core.tasks

jurydesk.core.tasks.__path__.append({folder!r})


def pytest_collection_modifyitems(config, items):
    def is_of_another(item):
        case = item.callspec.id if hasattr(item, "callspec") else ""
        return any(case == name or case.startswith((name + " ", name + ",")) for name in {others!r})

    found = [item for item in items if is_of_another(item)]
    items[:] = [item for item in items if item not in found]
    config.hook.pytest_deselected(items=found)
"""


def write_competition(tree: Path) -> Path:
    """Write the manual's module where the manual says; return the folder of competitions."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    (path,) = re.findall(
        r"in this repository, write it to `(.*?\.py)` below\s`(.*?)`, with an `(.*?)`", PAGE
    )
    module = tree / path[1] / path[0]
    module.parent.mkdir(parents=True)
    module.write_text(code)
    (module.parent / path[2]).write_text("")
    return module.parent.parent


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder `core/tasks` of a tree in which the manual was followed."""
    folder = write_competition(tmp_path)
    places = [*jurydesk.core.tasks.__path__, str(folder)]
    monkeypatch.setattr(jurydesk.core.tasks, "__path__", places)
    registry.cache_clear()
    yield folder
    registry.cache_clear()
    for name in [one for one in sys.modules if one.startswith("jurydesk.core.tasks.numbers")]:
        del sys.modules[name]


def write_numbers(folder: Path) -> list[str]:
    """Write a small competition of numbers; return the arguments with its files."""
    contents = {"truth": {"a": 1, "b": 2}, "near": {"a": 1.5, "b": 2}, "far": {"a": 4}}
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    truth, near, far = (str(folder / f"{name}.json") for name in contents)
    return ["--truth", truth, "--guesses", near, far]


def test_a_competition_of_the_readme_in_the_repository_scores(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, desk = write_numbers(tmp_path), str(tmp_path / "numbers.jurydesk")
    assert main(["check", "numbers", *files]) == 0
    assert main(["score", "numbers", *files, "--desk", desk]) == 0
    assert main(["board", desk]) == 0
    assert "near" in capsys.readouterr().out


def test_contributing_names_the_same_files_as_the_readme(tmp_path: Path) -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (folder, module) = re.findall(
        r"Make a folder `(core/tasks/<name>/)` with `__init__.py` and `(<name>_task.py)`",
        contributing,
    )[0]
    made = write_competition(tmp_path)
    assert (made.parent.parent / (folder + module).replace("<name>", "numbers")).is_file()


@pytest.mark.parametrize(
    ("present", "lacking"),
    [("__init__.py", "numbers_task.py that declares TASK"), ("numbers_task.py", "__init__.py")],
)
def test_a_folder_that_lacks_a_file_is_named_with_it(
    present: str, lacking: str, tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tasks / "numbers").iterdir():
        if path.name != present:
            path.unlink()
    assert main(["score", "numbers"]) == 2
    error = capsys.readouterr().err
    assert (
        f'The competition "numbers" could not be loaded: core/tasks/numbers has no {lacking}'
        in (" ".join(error.split()))
    )


def test_a_competition_without_example_kit_or_descriptions_fails_no_test(tmp_path: Path) -> None:
    folder = write_competition(tmp_path / "tree")
    plugin = PLUGIN.format(folder=str(folder), others=[*registry().tasks])
    (tmp_path / "one_more_competition.py").write_text(plugin)
    found = [path for path in (str(tmp_path), os.environ.get("PYTHONPATH")) if path]
    command = [sys.executable, "-m", "pytest", "-p", "one_more_competition", "-q", *GENERIC]
    done = subprocess.run(
        [
            *(*command, "--deselect", "tests/core/competition/test_recipe.py"),
            *("-m", "not slow"),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(found)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
