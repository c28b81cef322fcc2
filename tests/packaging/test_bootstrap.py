"""Set-up script, tested without setting anything up."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
PACKAGING = PROJECT / "packaging"
PARTS = sorted((PACKAGING / "bootstrap_parts").glob("*.py"))
SCRIPTS = [PACKAGING / "bootstrap.py", *PARTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_scripts_use_only_the_syntax_of_python_3_9(script):
    ast.parse(script.read_text(encoding="utf-8"), feature_version=(3, 9))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_scripts_import_only_the_standard_library_and_one_another(script):
    tree = ast.parse(script.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    known = sys.stdlib_module_names | {"bootstrap_parts"}
    assert {name.split(".")[0] for name in imported} <= known


def test_the_scripts_start_from_any_folder_without_other_modules(tmp_path):
    folder = tmp_path / "a clone" / "packaging"
    (folder / "bootstrap_parts").mkdir(parents=True)
    for script in SCRIPTS:
        shutil.copy(script, folder / script.relative_to(PACKAGING))
    command = [sys.executable, "-S", folder / "bootstrap.py", "--help"]
    bare = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    said = subprocess.check_output(command, cwd=tmp_path, env=bare, text=True)
    assert "Set Jurydesk up on this machine" in said


def test_without_a_display_the_examples_are_scored(bootstrap, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(bootstrap, "run_shown", lambda command: commands.append(command) or 0)
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    assert bootstrap.start([]) == 0
    assert commands == [[bootstrap.program(), "demo"]]
    assert "There is no display here" in capsys.readouterr().out


def test_the_packaged_program_is_built_and_then_tried(bootstrap, monkeypatch):
    commands = []
    monkeypatch.setattr(
        bootstrap, "run_shown", lambda command, *rest: commands.append(command[1:]) or 0
    )
    assert bootstrap.package([]) == 0
    assert [Path(command[0]).name for command in commands] == ["build.py", "smoke.py"]
    assert commands[0][1:] == ["desk", "--no-archive"]


def test_a_package_that_cannot_be_built_is_not_tried(bootstrap, monkeypatch):
    commands = []
    monkeypatch.setattr(
        bootstrap, "run_shown", lambda command, *rest: commands.append(command) or 3
    )
    assert bootstrap.package([]) == 3
    assert len(commands) == 1
