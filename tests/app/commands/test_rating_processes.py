"""A packet that is opened in the window is rated in a separate process."""

from __future__ import annotations

import sys

import pytest

from jurydesk.app.commands import file_commands as sittings
from jurydesk.app.commands.file_commands import RatingProcesses


@pytest.fixture
def made(qtbot, monkeypatch):
    """Return rating processes whose program is a line of Python with the packet as its argument."""

    def make(line: str) -> RatingProcesses:
        monkeypatch.setattr(sittings, "program_command", lambda: [sys.executable, "-c", line])
        return RatingProcesses()

    return make


def test_the_end_of_a_rating_process_is_reported(qtbot, made, tmp_path):
    packet, mark = tmp_path / "r01.jurypacket", tmp_path / "mark"
    found = made(f"import sys; open({str(mark)!r}, 'w').write(sys.argv[1])")
    with (
        qtbot.waitSignal(found.ended) as ended,
        qtbot.assertNotEmitted(found.refused),
    ):
        found.open(packet)
        assert found.packets == [packet]
    assert ended.args == [packet]
    assert mark.read_text() == str(packet)
    assert found.packets == []


def test_the_reason_why_nothing_can_be_shown_is_reported(qtbot, made, tmp_path):
    found = made("import sys; sys.stderr.write('There is no display.'); sys.exit(2)")
    with qtbot.waitSignal(found.refused) as refused:
        found.open(tmp_path / "r01.jurypacket")
    assert refused.args == ["There is no display."]


def test_an_error_already_shown_in_a_window_is_not_repeated(qtbot, made, tmp_path):
    found = made("import sys; sys.stderr.write('error ...'); sys.exit(1)")
    with qtbot.waitSignal(found.ended), qtbot.assertNotEmitted(found.refused):
        found.open(tmp_path / "r01.jurypacket")


def test_a_crash_of_the_rating_page_is_reported_to_the_rater(qtbot, made, tmp_path):
    found = made("import os; os.abort()")
    with qtbot.waitSignal(found.refused) as refused:
        found.open(tmp_path / "r01.jurypacket")
    assert refused.args[0].startswith("The rating page of r01.jurypacket ended unexpectedly.")


def test_a_program_that_cannot_be_started_is_reported(qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(sittings, "program_command", lambda: [str(tmp_path / "gone")])
    found = RatingProcesses()
    with qtbot.waitSignal(found.refused) as refused:
        found.open(tmp_path / "r01.jurypacket")
    assert refused.args == ["The rating page cannot be opened: No such file or directory."]


def test_a_dropped_packet_opens_the_rating_page(window, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(RatingProcesses, "open", lambda self, path: opened.append(path))
    packet = tmp_path / "R01.JURYPACKET"
    window.files.open_paths([packet])
    assert opened == [packet]
    assert not window.session.has_desk
