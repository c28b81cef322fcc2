from __future__ import annotations

import json
import re
import sys

import pytest

from jurydesk.core.cli.commands.running import doctor
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.version import __version__
from support.plug_ins.installation import THEIRS, plug_in


@pytest.fixture(autouse=True)
def without_torch(monkeypatch):
    """Skip importing torch, which takes seconds and does not matter here."""
    monkeypatch.setattr("jurydesk.core.execution.device._accelerators", list)


def test_an_intact_installation_ends_with_exit_code_0(jurydesk):
    outcome = jurydesk("doctor")
    assert outcome.code == 0
    assert __version__ in outcome.out
    assert "competition  keyword-spotting" in outcome.out
    assert "METEOR       aligner" in outcome.out
    assert "broken" not in outcome.out


@pytest.mark.parametrize(
    ("available", "why"),
    [
        (True, "chosen by JURYDESK_METEOR_ENGINE"),
        (False, "no compiler was found at installation"),
    ],
)
def test_the_slow_aligner_is_reported_with_the_reason(jurydesk, monkeypatch, available, why):
    monkeypatch.setenv("JURYDESK_METEOR_ENGINE", "python")
    monkeypatch.setattr(
        "jurydesk.core.metrics.meteor.alignment.engine_compiled.AVAILABLE", available
    )
    reported = f"Python: same numbers, about ten times slower ({why})"
    assert reported in jurydesk("doctor").out


def test_two_packages_with_the_same_chunk_name_are_reported_with_both_names(
    jurydesk, monkeypatch, tmp_path
):
    (tmp_path / "theirs.py").write_text(THEIRS)
    for name in ("first", "second"):
        plug_in(tmp_path, name, f"theirs:{name.upper()}")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.cache_clear()
    try:
        outcome = jurydesk("doctor")
    finally:
        registry.cache_clear()
        sys.modules.pop("theirs", None)
    assert outcome.code == 0
    assert re.search("competition +first +First", outcome.out)
    reason = '"Second" and "First" have different chunks with the same id "sums"'
    assert re.search(f"plug-in +second +absent +could not be loaded: .*{reason}", outcome.out)
    assert "Traceback" not in outcome.out + outcome.err


def test_a_broken_base_package_ends_with_exit_code_3(jurydesk, monkeypatch):
    monkeypatch.setattr(doctor, "IMPORTED_PACKAGES", ("numpy", "no_such_package"))
    outcome = jurydesk("doctor", "--quiet")
    assert outcome.code == 3
    assert outcome.out == (
        "package  no_such_package  broken  ModuleNotFoundError: No module named 'no_such_package'\n"
    )


def test_a_missing_neural_package_is_not_an_error(jurydesk, monkeypatch):
    monkeypatch.setattr(doctor, "NEURAL_PACKAGES", ("no_such_package",))
    outcome = jurydesk("doctor", "--json", "-")
    assert outcome.code == 0
    findings = {one["name"]: one for one in json.loads(outcome.out)["findings"]}
    assert findings["no_such_package"]["state"] == "absent"
    assert "jurydesk[neural]" in findings["no_such_package"]["text"]


def test_a_temporary_folder_in_the_place_of_an_unusable_one_is_reported_with_everything_else(
    jurydesk, monkeypatch, tmp_path, caplog
):
    (tmp_path / "home").write_text("a file where the folder should be")
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    outcome = jurydesk("doctor")
    assert outcome.code == 0
    assert "competition  keyword-spotting" in outcome.out
    places = {one.getMessage() for one in caplog.records}
    assert all("a temporary folder serves until the program ends" in one for one in places)
    assert {str(tmp_path / "home" / "data") in one for one in places} == {True, False}
    caplog.clear()


def test_models_are_listed_with_their_expected_files_and_folders(jurydesk, monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    folder = tmp_path / "weights" / "fasttext"
    folder.mkdir(parents=True)
    (folder / "own.bin").touch()
    outcome = jurydesk("doctor", "--json", "-")
    found = {one["name"]: one for one in json.loads(outcome.out)["findings"]}
    assert (found["fasttext"]["state"], found["fasttext"]["text"]) == (
        "ok",
        str(folder / "own.bin"),
    )
    assert found["inception"]["state"] == "absent"
    assert str(tmp_path / "weights" / "inception") in found["inception"]["text"]


def test_a_packaged_program_needs_no_package_of_the_python_interface(jurydesk, monkeypatch):
    monkeypatch.setattr(doctor, "INTERFACE_PACKAGES", ("no_such_package",))
    outcome = jurydesk("doctor")
    assert outcome.code == 0
    assert "need it: pip install 'jurydesk[frames]'" in outcome.out
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert "no_such_package" not in jurydesk("doctor").out
