from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from jurydesk.app.startup.first_paint import FileOpenFilter
from jurydesk.core.system.this_program import program_command


@pytest.fixture
def opener(qapp: QApplication, window):
    opener = FileOpenFilter(window)
    qapp.installEventFilter(opener)
    yield opener
    qapp.removeEventFilter(opener)


def open_by_the_system(qapp: QApplication, path: Path) -> None:
    qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(path))))


def test_a_file_open_event_opens_a_desk(qtbot, qapp, opener, scored, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.files.close()
    open_by_the_system(qapp, tmp_path / "kept.jurydesk")
    qtbot.waitUntil(lambda: scored.session.has_desk)
    assert scored.session.desk.path == tmp_path / "kept.jurydesk"


def test_a_packet_is_opened_in_a_separate_process(qapp, opener, window, monkeypatch, tmp_path):
    commands = []
    monkeypatch.setattr("subprocess.Popen", commands.append)
    open_by_the_system(qapp, tmp_path / "r01.jurypacket")
    assert commands == [[*program_command(), str(tmp_path / "r01.jurypacket")]]
    assert not window.session.has_desk


def test_other_events_are_not_consumed(opener, window):
    assert not opener.eventFilter(window, QEvent(QEvent.Type.User))
