"""The set-up script, without setting anything up."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "bootstrap.py"


@pytest.fixture
def bootstrap(tmp_path, monkeypatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / "jurydesk-setup.json")
    monkeypatch.setattr(module, "LOG", tmp_path / "build" / "setup.log")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / ".venv").mkdir()
    return module


def test_the_script_is_in_the_syntax_of_python_3_9():
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_it_imports_the_standard_library_only():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= set(sys.stdlib_module_names)


def test_an_old_python_gets_a_sentence(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: name == "python3.12" and name)
    with pytest.raises(bootstrap.Trouble, match=r"needs Python 3\.11 or later") as trouble:
        bootstrap.require_python()
    assert str(trouble.value).endswith("Run: python3.12 packaging/bootstrap.py")


def test_nothing_is_installed_twice(bootstrap, monkeypatch):
    bootstrap.STAMP.write_text(
        json.dumps({"made_from": bootstrap.fingerprint(), "extras": bootstrap.FULL_EXTRAS})
    )
    monkeypatch.setattr(bootstrap, "run_logged", lambda command: pytest.fail("pip was called"))
    bootstrap.install_project(light=False)
    bootstrap.install_project(light=True)


@pytest.mark.parametrize(("light", "gigabytes"), [(True, 500), (False, 3)])
def test_torch_is_left_out_where_it_is_not_wanted_or_does_not_fit(
    bootstrap, monkeypatch, capsys, light, gigabytes
):
    commands = []
    monkeypatch.setattr(bootstrap, "run_logged", commands.append)
    monkeypatch.setattr(bootstrap, "require_qt", lambda: None)
    monkeypatch.setattr(
        bootstrap.shutil, "disk_usage", lambda path: SimpleNamespace(free=gigabytes * 10**9)
    )
    bootstrap.install_project(light=light)
    assert commands[0][-1] == ".[cluster,test,dev]"
    assert ("Only 3 GB are free here" in capsys.readouterr().out) is not light


def test_a_change_of_the_project_file_is_installed(bootstrap, monkeypatch):
    commands = []
    monkeypatch.setattr(bootstrap, "run_logged", commands.append)
    monkeypatch.setattr(bootstrap, "require_qt", lambda: None)
    bootstrap.install_project(light=True)
    bootstrap.install_project(light=True)
    (bootstrap.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    bootstrap.install_project(light=True)
    assert len(commands) == 2


def test_a_failed_step_names_the_command_its_last_words_and_the_log(bootstrap):
    command = [
        sys.executable,
        "-c",
        "print('fine'); print('ERROR: no network'); raise SystemExit(1)",
    ]
    with pytest.raises(bootstrap.Trouble) as trouble:
        bootstrap.run_logged(command)
    assert "This command failed" in str(trouble.value)
    assert "\n  ERROR: no network\n" in str(trouble.value)
    assert str(bootstrap.LOG) in str(trouble.value)
    assert "fine\nERROR: no network" in bootstrap.LOG.read_text()


DPKG = "libgl1 installed\nlibegl1 not-installed\nlibglib2.0-0t64 installed\n"
APT = "Package: libasound2t64\nVersion: 1.2\n\nPackage: libasound2t64\nVersion: 1.1\n"


def test_missing_packages_are_looked_for_under_both_names(bootstrap, monkeypatch):
    monkeypatch.setattr(
        bootstrap.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, DPKG)
    )
    missing = bootstrap.missing_packages()
    assert "libegl1" in missing
    assert not {"libgl1", "libglib2.0-0"} & set(missing)


def test_packages_are_asked_for_under_the_name_of_this_release(bootstrap, monkeypatch):
    monkeypatch.setattr(
        bootstrap.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, APT)
    )
    assert bootstrap.available(["libasound2", "libgl1"]) == ["libasound2t64", "libgl1"]


def test_without_the_right_to_install_the_exact_line_is_printed(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap, "missing_packages", lambda more: ["libegl1", "libxcb-cursor0"])
    monkeypatch.setattr(bootstrap, "available", list)
    monkeypatch.setattr(bootstrap, "administrator_prefix", lambda: None)
    bootstrap.install_system_packages()
    assert "  sudo apt-get install -y libegl1 libxcb-cursor0\n" in capsys.readouterr().out


def test_without_a_display_the_examples_are_scored(bootstrap, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(bootstrap, "run_shown", lambda command: commands.append(command) or 0)
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    assert bootstrap.start([]) == 0
    assert commands == [[bootstrap.program(), "demo"]]
    assert "There is no display here" in capsys.readouterr().out


def test_the_web_engine_is_tested_in_a_process_of_its_own(bootstrap, monkeypatch):
    calls = []
    monkeypatch.setattr(bootstrap, "run_shown", lambda *arguments: calls.append(arguments) or 0)
    assert bootstrap.test([]) == 0
    assert [command[-1] for command, _, _ in calls] == [
        f"--ignore={bootstrap.WEB_TESTS}",
        bootstrap.WEB_TESTS,
    ]
    assert (SCRIPT.parent.parent / bootstrap.WEB_TESTS).is_dir()


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


def test_only_packaging_asks_for_a_display_server(bootstrap, monkeypatch):
    monkeypatch.setattr(
        bootstrap.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, DPKG)
    )
    assert "xvfb" not in bootstrap.missing_packages()
    assert "xvfb" in bootstrap.missing_packages(bootstrap.PACKAGING_PACKAGES)


def test_tests_run_without_a_display_and_get_further_arguments(bootstrap, monkeypatch):
    calls = []
    monkeypatch.setattr(bootstrap, "run_shown", lambda *arguments: calls.append(arguments) or 5)
    assert bootstrap.test(["-k", "spotting"]) == 5
    ((command, settings, folder),) = calls
    assert command == [bootstrap.python(), "-m", "pytest", "-k", "spotting"]
    assert settings["QT_QPA_PLATFORM"] == "offscreen"
    assert folder == bootstrap.ROOT
