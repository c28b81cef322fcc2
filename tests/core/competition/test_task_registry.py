from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import jurydesk.core.tasks
from jurydesk.core.competition.task_registry import NEW_NAMES, Registry, find_competition, registry
from support import toy
from support.plug_ins.installation import THEIRS, plug_in


@pytest.fixture
def fresh() -> Iterator[None]:
    """Load the competitions again, with what this test installs."""
    registry.cache_clear()
    yield
    registry.cache_clear()
    sys.modules.pop("theirs", None)


def test_a_competition_is_found_by_its_id() -> None:
    for id, task in registry().tasks.items():
        assert find_competition(id) is task


@pytest.mark.parametrize("id", ["nothing", "", "registry", "vist.task", "keyword_spotting", "..x"])
def test_an_invalid_id_finds_no_competition(id: str) -> None:
    assert find_competition(id) is None


def test_one_competition_is_found_without_loading_the_others() -> None:
    program = (
        "import sys; from jurydesk.core.competition.task_registry import find_competition; "
        "find_competition('keyword-spotting'); "
        "print(*(name for name in sys.modules if '.tasks.' in name and name.endswith('_task')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["jurydesk.core.tasks.keyword_spotting.keyword_spotting_task"]


@pytest.mark.usefixtures("fresh")
def test_packages_whose_names_are_taken_are_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs.py").write_text(THEIRS)
    for name in ("first", "second", "third", "fourth"):
        plug_in(tmp_path, name, f"theirs:{name.upper()}")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = registry()
    assert "first" in found.tasks
    assert found.chunks["sums"] is found.tasks["first"].scoring.chunks[0]
    assert {broken.name: broken.error for broken in found.broken} == {
        "second": 'ValueError: "Second" and "First" have different chunks with the same id "sums"',
        "third": 'ValueError: "Visual storytelling" has the id "vist" already',
        "fourth": "ValueError: an input and an option are both called guesses: rename one",
    }


@pytest.mark.usefixtures("fresh")
def test_a_folder_without_init_is_no_competition_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "half"
    folder.mkdir()
    (folder / "half_task.py").write_text(
        "from dataclasses import replace\nfrom support import toy\n"
        "TASK = replace(toy.TASK, id='half')\n"
    )
    monkeypatch.setattr(
        jurydesk.core.tasks, "__path__", [*jurydesk.core.tasks.__path__, str(tmp_path)]
    )
    assert find_competition("half") is None
    (folder / "__init__.py").write_text("")
    registry.cache_clear()
    for name in [name for name in sys.modules if name.startswith("jurydesk.core.tasks.half")]:
        del sys.modules[name]
    found = find_competition("half")
    assert found is not None
    assert registry().tasks["half"] is found


def test_a_failure_of_a_plug_ins_sniffing_does_not_affect_other_competitions() -> None:
    def fail(head: bytes) -> None:
        raise IndexError(head)

    theirs = replace(toy.TASK, readers=replace(toy.TASK.readers, sniff=fail))
    known = Registry({"theirs": theirs, "vist": registry().tasks["vist"]}, ())
    (found,) = known.sniff(b'{"team_name": "n", "evaluation_info": {}, "output_stories": []}')
    assert found[0].id == "vist"


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("module", ["core", "core.task"])
def test_the_error_of_a_plug_in_with_old_import_names_contains_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    # `from core.task import Task` fails with `core.task` in a folder that contains `core`.
    (tmp_path / "older.py").write_text(
        f"""raise ModuleNotFoundError("No module named '{module}'", name="{module}")"""
    )
    monkeypatch.syspath_prepend(plug_in(tmp_path / "site", "older", "older:TASK"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (broken,) = registry().broken
    assert broken.name == "older"
    assert broken.error.startswith(
        f"ModuleNotFoundError: No module named '{module}'. Since version 0.2 every module of "
        "Jurydesk is below `jurydesk`: core.task is jurydesk.core.competition.task; "
    )


def test_every_new_name_that_a_plug_in_is_given_can_be_imported() -> None:
    for name in NEW_NAMES.values():
        assert importlib.util.find_spec(name) is not None, name
