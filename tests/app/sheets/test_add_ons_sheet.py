"""Sheet of the add-ons: what each brings, trust in plug-ins, and removal."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets.add_ons_sheet import AddOnsSheet
from jurydesk.core.intake import add_ons
from support.plug_ins.wheels import make_wheel

TASKS = "[jurydesk.tasks]\nnumbers = thing:TASK\n[jurydesk.commands]\ncount = thing:COUNT\n"


@pytest.fixture
def sheet(qtbot, below, jobs, monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(add_ons, "_tried", lambda folder, check: "")
    made = AddOnsSheet(LatestJob(below, jobs), below)
    made.open()
    qtbot.waitUntil(lambda: made.summary.text() == "0 add-ons installed.")
    return made


@pytest.fixture
def wheels(tmp_path):
    place = tmp_path / "wheels"
    place.mkdir()
    make_wheel(place, {"thing.py": ""}, entry_points=TASKS)
    return place


def texts(sheet) -> list[str]:
    return [one.text() for one in sheet.list.findChildren(QLabel)]


def test_a_plug_in_is_installed_when_its_name_was_trusted(qtbot, sheet, wheels):
    sheet.add_wheels(wheels)
    qtbot.waitUntil(sheet.trust_button.isVisible)
    assert sheet.summary.text().startswith("thing is a plug-in: its code may do all that you may.")
    assert add_ons.installed() == []
    sheet.trust_button.click()
    qtbot.waitUntil(lambda: sheet.summary.text() == "1 add-on installed.")
    assert not sheet.trust_button.isVisible()
    assert {"thing", "Competitions: numbers.", "Commands: count.", "Packages: thing 1.0."} <= {
        *texts(sheet)
    }


def test_trust_in_one_plug_in_is_none_in_what_replaces_it(qtbot, sheet, wheels):
    sheet.add_wheels(wheels)
    qtbot.waitUntil(sheet.trust_button.isVisible)
    for wheel in wheels.iterdir():
        wheel.unlink()
    make_wheel(wheels, {"thing.py": ""}, name="other", entry_points=TASKS)
    sheet.trust_button.click()
    qtbot.waitUntil(lambda: sheet.summary.text().startswith("other is a plug-in"))
    assert sheet.trust_button.isVisible()
    assert add_ons.installed() == []


def test_an_add_on_is_removed(qtbot, sheet, wheels):
    sheet.add_wheels(wheels, trusted="thing")
    qtbot.waitUntil(lambda: sheet.summary.text() == "1 add-on installed.")
    (remover,) = sheet.list.findChildren(QPushButton)
    assert remover.accessibleName() == "Remove thing"
    remover.click()
    qtbot.waitUntil(lambda: sheet.summary.text() == "0 add-ons installed.")
    assert add_ons.installed() == []


def test_a_folder_without_wheels_is_named_and_another_can_be_chosen(qtbot, sheet, tmp_path):
    sheet.add_wheels(tmp_path)
    qtbot.waitUntil(sheet.add_button.isEnabled)
    assert sheet.summary.text() == f"{tmp_path} has no wheels (*.whl)."
