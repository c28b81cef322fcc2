"""Command `addon`: the example plug-in is installed, scores its example, and is removed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from jurydesk.core.system.add_ons import add_ons_folder
from support.plug_ins.wheels import example_wheel, make_wheel


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))


def program(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the program as its user does."""
    command = [sys.executable, "-m", "jurydesk", "--lang=en", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=dict(os.environ)
    )


def test_a_plug_in_is_installed_scores_its_example_and_is_removed(jurydesk, tmp_path):
    wheel = example_wheel(tmp_path)
    refused = jurydesk("addon", "install", wheel)
    assert (refused.code, "say --plug-in to trust it" in refused.err) == (2, True)
    done = jurydesk("addon", "install", wheel, "--plug-in", "--json", "-")
    assert done.code == 0, done.err
    (made,) = json.loads(done.out)["add_ons"]
    assert made["name"] == "jurydesk-signs"
    assert ["tasks", ["signs"]] in made["brings"]
    scored = program("demo", "signs", "--text")
    assert scored.returncode == 0, scored.stderr
    assert "careful" in scored.stdout
    removed = jurydesk("addon", "remove", "jurydesk-signs")
    assert (removed.code, removed.out) == (0, "No add-on is installed.\n")
    assert list(add_ons_folder().glob("*")) == [add_ons_folder() / ".lock"]


def test_a_plug_in_that_cannot_be_loaded_is_not_installed(tmp_path):
    points = "[jurydesk.tasks]\nnumbers = thing:TASK\n"
    wheel = make_wheel(tmp_path, {"thing.py": "import absent_module\n"}, entry_points=points)
    done = program("addon", "install", wheel, "--plug-in")
    assert done.returncode == 2
    reason = "ModuleNotFoundError: No module named 'absent_module'"
    assert f"thing does not work here: Error: {reason}" in done.stderr


def test_a_broken_add_on_never_stops_the_start_and_is_named_by_doctor(jurydesk, monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.device._accelerators", list)
    broken = add_ons_folder() / "torn"
    broken.mkdir(parents=True)
    (broken / "add-on.json").write_text("{")
    (broken / "torn-1.0.dist-info").mkdir()
    (broken / "torn-1.0.dist-info" / "entry_points.txt").write_text("[jurydesk.tasks")
    assert program("--version").returncode == 0
    outcome = jurydesk("doctor")
    assert outcome.code == 0
    assert "torn" in outcome.out
    assert "Its record is damaged: remove it, and add it again." in outcome.out


def test_the_list_names_what_each_brings(jurydesk, tmp_path, monkeypatch):
    assert jurydesk("addon", "list").out == "No add-on is installed.\n"
    monkeypatch.setattr("jurydesk.core.intake.add_ons._tried", lambda folder, check: "")
    points = "[jurydesk.tasks]\nnumbers = thing:TASK\nsigns = thing:SIGNS\n"
    wheel = make_wheel(tmp_path, {"thing.py": ""}, entry_points=points)
    assert jurydesk("addon", "install", wheel, "--plug-in").code == 0
    lines = jurydesk("addon", "list").out.splitlines()
    assert lines[0].startswith("thing (")
    assert [line.split(maxsplit=1) for line in lines[1:]] == [
        ["tasks", "numbers, signs"],
        ["packages", "thing 1.0"],
    ]
