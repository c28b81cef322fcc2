"""Plug-ins that end the program, print, or have damaged metadata are contained and reported."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest

from jurydesk.core.competition.plug_ins import PlugInError, entry_points_of, load_plug_in
from jurydesk.core.competition.task_registry import ENTRY_POINTS, registry
from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.input_file import files_by_role
from support import toy
from support.plug_ins.installation import plug_in


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a module with this code as the plug-in `odd`, and return the registry."""

    def install(code: str):
        folder = plug_in(tmp_path / "site", "odd", "jurydesk_odd:TASK")
        (folder / "jurydesk_odd.py").write_text(code)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(__import__("sys").modules, "jurydesk_odd", raising=False)
        registry.cache_clear()
        return folder

    yield install
    registry.cache_clear()


def test_a_plug_in_that_exits_is_broken_and_ends_nothing(installed):
    installed("import sys\nsys.exit(5)")
    (broken,) = registry().broken
    assert (broken.name, broken.error) == (
        "odd",
        "PlugInError: it ends the program at import (code 5)",
    )
    assert "vist" in registry().tasks
    (entry,) = (one for one in entry_points_of(ENTRY_POINTS)[0] if one.name == "odd")
    with pytest.raises(PlugInError):
        load_plug_in(entry)


def test_a_plug_in_that_interrupts_is_broken_and_interrupts_nothing(installed):
    installed("raise KeyboardInterrupt")
    (broken,) = registry().broken
    assert broken.error == "PlugInError: it interrupts the program at import"
    assert "vist" in registry().tasks


def test_ctrl_c_while_a_plug_in_is_loaded_is_the_user_s(installed):
    handler = signal.getsignal(signal.SIGINT)
    installed("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time\ntime.sleep(9)")
    with pytest.raises(KeyboardInterrupt):
        registry()
    assert signal.getsignal(signal.SIGINT) is handler


ENDS = {
    "exit": (SystemExit(5), "it ends the program while it works (code 5)"),
    "interrupt": (KeyboardInterrupt(), "it interrupts the program while it works"),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("part", ["evaluate", "read_submission", "read_references"])
def test_a_competition_that_ends_the_program_ends_its_own_work_alone(tmp_path, end, jobs, part):
    raised, sentence = ENDS[end]

    def stop(*_: object, **__: object) -> None:
        raise raised

    task = toy.TASK
    if part == "evaluate":
        task = replace(task, scoring=replace(task.scoring, evaluate=stop))
    else:
        task = replace(task, readers=replace(task.readers, **{part: stop}))
    files = [toy.write(tmp_path / f"{name}.txt", {"a": 0.5, "b": 0.25}) for name in "tuv"]
    inputs = {"truth": files[:1], "guesses": files[1:]}
    works = [score_submissions] if part == "evaluate" else [score_submissions, check_inputs]
    for work in works:
        with Run(jobs=jobs) as run, pytest.raises(UsageError) as told:
            work(task, files_by_role(inputs), toy.Options(), run)
        assert str(told.value) == f"The competition {task.title} has a fault: {sentence}."


def test_ctrl_c_while_a_competition_works_is_the_user_s(tmp_path):
    def pressed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(9)

    task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, evaluate=pressed))
    files = [toy.write(tmp_path / f"{name}.txt", {"a": 0.5, "b": 0.25}) for name in "tu"]
    inputs = {"truth": files[:1], "guesses": files[1:]}
    with pytest.raises(KeyboardInterrupt):
        score_submissions(task, files_by_role(inputs), toy.Options(), Run())


def test_a_plug_in_that_exits_while_it_looks_at_a_file_guesses_nothing(installed):
    code = "import sys\nfrom dataclasses import replace\nfrom support import toy\n"
    code += "readers = replace(toy.TASK.readers, sniff=lambda head: sys.exit(3))\n"
    installed(f"{code}TASK = replace(toy.TASK, readers=readers)")
    assert "toy" not in {task.id for task, _ in registry().sniff(b"{}")}


def test_what_a_plug_in_prints_at_import_goes_to_standard_error(installed, capsys):
    installed("print('hello')\nfrom support.toy import TASK")
    assert "toy" in registry().tasks
    assert capsys.readouterr() == ("", "hello\n")


def test_damaged_metadata_of_a_package_are_reported_and_hide_no_other_plug_in(installed):
    folder = installed("from support.toy import TASK")
    other = folder / "strange-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text("no section = x\n[a]\nwithout equals\n= = =\n")
    entries, damaged = entry_points_of(ENTRY_POINTS)
    assert "odd" in {one.name for one in entries}
    assert {name for name, _ in damaged} <= {"strange"}
    registry.cache_clear()
    assert "toy" in registry().tasks
    assert {one.name for one in registry().broken} == {name for name, _ in damaged}
