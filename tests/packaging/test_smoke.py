"""Smoke test: it reports what it cannot test here, and skips nothing silently."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from support.processes.quiet_program import run_quietly
from support.sealed_entries import QUERIES, ranked_lists

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "bundle" / "smoke.py"


@pytest.fixture
def smoke() -> ModuleType:
    spec = importlib.util.spec_from_file_location("packaging_smoke", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "jurydesk").write_text("#!/bin/sh\n")
    return tmp_path / "built"


def refusal(smoke: ModuleType, built: Path) -> str:
    with pytest.raises(smoke.Trouble) as trouble:
        smoke.confined(built, with_network=False)
    return str(trouble.value)


def test_without_a_program_it_names_the_command_to_run(smoke, tmp_path):
    assert refusal(smoke, tmp_path).endswith("run packaging/bundle/build.py first.")


def test_without_a_display_server_it_names_what_to_install(smoke, built, monkeypatch):
    monkeypatch.setattr(smoke.shutil, "which", lambda name: None)
    assert "apt-get install xvfb" in refusal(smoke, built)


def test_a_network_that_cannot_be_switched_off_is_reported(smoke, monkeypatch):
    monkeypatch.setattr(
        smoke.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, returncode=1)
    )
    with pytest.raises(smoke.Trouble, match="network cannot be taken away"):
        smoke.prefix(with_network=False)
    assert "unshare" not in smoke.prefix(with_network=True)


def test_root_drops_its_privileges(smoke, monkeypatch):
    monkeypatch.setattr(smoke.os, "geteuid", lambda: 0)
    monkeypatch.setattr(
        smoke.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, returncode=0)
    )
    command = smoke.prefix(with_network=False)
    assert command[:2] == ["unshare", "--net"]
    assert f"--reuid={smoke.NOBODY}" in command


class TestInside:
    @pytest.fixture(autouse=True)
    def ordinary(self, smoke, monkeypatch):
        monkeypatch.setattr(smoke.os, "geteuid", lambda: 1000)
        monkeypatch.setattr(smoke.os, "access", lambda path, mode: False)
        monkeypatch.setattr(smoke.socket, "if_nameindex", lambda: [(1, "lo")])

    def check(self, smoke, tmp_path) -> None:
        (tmp_path / "home").mkdir(exist_ok=True)
        smoke.require_confinement(tmp_path / "program", tmp_path / "home", with_network=False)

    def test_an_unprivileged_environment_is_accepted(self, smoke, tmp_path):
        self.check(smoke, tmp_path)

    def test_root_is_refused(self, smoke, tmp_path, monkeypatch):
        monkeypatch.setattr(smoke.os, "geteuid", lambda: 0)
        with pytest.raises(smoke.Trouble, match="no sandbox"):
            self.check(smoke, tmp_path)

    def test_a_writable_program_is_refused(self, smoke, tmp_path, monkeypatch):
        monkeypatch.setattr(smoke.os, "access", lambda path, mode: mode == os.W_OK)
        with pytest.raises(smoke.Trouble, match="can be written"):
            self.check(smoke, tmp_path)

    def test_a_network_is_refused(self, smoke, tmp_path, monkeypatch):
        monkeypatch.setattr(smoke.socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0")])
        with pytest.raises(smoke.Trouble, match="There is a network: eth0"):
            self.check(smoke, tmp_path)

    def test_a_home_with_content_is_refused(self, smoke, tmp_path):
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "file").write_text("")
        with pytest.raises(smoke.Trouble, match="not empty"):
            self.check(smoke, tmp_path)


class TestSteps:
    def step(self, smoke, script: str, **settings: str) -> None:
        smoke.step("it", ["sh", "-c", script], **settings)

    def test_an_exit_code_is_a_failure(self, smoke):
        with pytest.raises(smoke.Trouble, match="exit code 3"):
            self.step(smoke, "exit 3")

    def test_a_warning_of_python_is_a_failure(self, smoke):
        with pytest.raises(smoke.Trouble, match="DeprecationWarning: old"):
            self.step(smoke, "echo 'DeprecationWarning: old' >&2")

    def test_a_command_may_report_defects(self, smoke, capsys):
        self.step(smoke, "echo 'note  x.json: odd' >&2")
        assert capsys.readouterr().err.startswith("it: ")

    def test_a_window_may_print_nothing(self, smoke):
        with pytest.raises(smoke.Trouble, match="the console shows"):
            self.step(smoke, "echo hello >&2", DISPLAY=":7")

    def test_a_warning_in_the_log_is_a_failure(self, smoke, tmp_path):
        (tmp_path / "jurydesk.log").write_text("2018 INFO fine\n2018 WARNING Vulkan\n")
        smoke.complain_of_the_log(tmp_path)
        (tmp_path / "jurydesk.log").write_text("2018 ERROR lost\n")
        with pytest.raises(smoke.Trouble, match="ERROR lost"):
            smoke.complain_of_the_log(tmp_path)


def test_an_example_without_a_desk_is_named(smoke, monkeypatch, tmp_path):
    for name in ("vist", "visdial-ranks"):
        folder = smoke.example_folder(tmp_path) / name
        folder.mkdir(parents=True)
        (folder / "example.json").write_text(f'{{"task": "{name}"}}')
    desk = tmp_path / smoke.OF_EXAMPLES / "vist" / "vist.jurydesk"
    program = tmp_path / "jurydesk"
    program.write_text(f"#!/bin/sh\n[ $1 = demo ] && mkdir -p '{desk.parent}' && : > '{desk}'\n")
    program.chmod(0o755)
    with pytest.raises(smoke.Trouble, match=r"These examples have no desk: visdial-ranks\."):
        smoke.scores_examples(program, tmp_path)


def test_an_entry_goes_from_its_seal_to_its_certificate(smoke, monkeypatch, tmp_path, capsys):
    def ran(command):
        code, output = run_quietly(command[1:])
        return subprocess.CompletedProcess(command, code, output, "")

    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    monkeypatch.setattr(smoke, "ran", ran)
    small = tmp_path / "keyword_spotting"
    small.mkdir()
    for name, places in (("word-shapes", [4, 5, 6]), ("column-profiles", [1, 2, 3])):
        (small / f"{name}.xml").write_text(ranked_lists(places))
    judged = "".join(f"q{one} 0 rel 1\n" for one in range(QUERIES))
    (small / "relevance.xml").write_text(judged)
    smoke.seals_opens_and_verifies(tmp_path / "jurydesk", tmp_path)
    assert "its certificate: " in capsys.readouterr().err
