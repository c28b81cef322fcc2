"""Messages of the set-up about a failed command."""

from __future__ import annotations

import sys
import sysconfig

import pytest


def test_a_failed_step_is_reported_with_the_command_its_last_lines_and_the_log(commands):
    command = [
        sys.executable,
        "-c",
        "print('fine'); print('ERROR: no network'); raise SystemExit(1)",
    ]
    with pytest.raises(commands.Trouble) as trouble:
        commands.run_logged(command)
    assert "This command failed" in str(trouble.value)
    assert "\n  ERROR: no network\n" in str(trouble.value)
    assert str(commands.LOG) in str(trouble.value)
    assert "fine\nERROR: no network" in commands.LOG.read_text()


def test_modules_are_compiled_with_pythons_flags_and_two_more_or_as_the_user_says(
    commands, monkeypatch
):
    monkeypatch.delenv("CFLAGS", raising=False)
    own = sysconfig.get_config_var("CFLAGS")
    assert commands.environment()["CFLAGS"] == f"{own} -O2 -g0"
    monkeypatch.setenv("CFLAGS", "-O1")
    assert commands.environment()["CFLAGS"] == "-O1"
    monkeypatch.delenv("CFLAGS")
    monkeypatch.setattr(commands.sysconfig, "get_config_var", lambda name: None)  # Windows
    assert "CFLAGS" not in commands.environment()
