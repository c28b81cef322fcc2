"""A packet given on the command line opens directly in its page, in a separate process."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet import PacketContent, write_packet
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from support.processes.program import SECONDS, run
from support.rating import studies
from support.windows.waiting import until_open

IDS = ("focused", "coherent", "share", "human", "grounded", "detailed")

RATER = """
import json, os, sys
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from jurydesk.app.__main__ import main
from jurydesk.app.rating_client import rating_window as window

class Rater(window.RatingWindow):
    # Presses the keys of the list one by one, each when the page shows what the one before did.

    def __init__(self, *args):
        super().__init__(*args)
        self.keys = [getattr(Qt.Key, f"Key_{name}") for name in json.loads(os.environ["KEYS"])]
        self.shown = -1
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(20)

    def look(self):
        code = ("JSON.stringify([Number(document.documentElement.dataset.ready ?? -1),"
                "document.getElementById('sheet')?.open ?? null])")
        self.view.page().runJavaScript(code, self.go_on)

    def go_on(self, found):
        ready, sheet = json.loads(found) if found else (-1, None)
        if ready < 0 or self.timer.isActive() is False:
            return
        if sheet:
            self.press(Qt.Key.Key_Escape)
        elif ready > self.shown:
            self.shown = ready
            if self.keys:
                self.press(self.keys.pop(0))
            else:
                self.timer.stop()
                self.close()

    def press(self, key):
        QTest.keyClick(self.view.focusProxy() or self.view, key)

window.RatingWindow = Rater
raise SystemExit(main(sys.argv[1:2]))
"""


def rate(home: Path, packet: Path, *keys: str) -> subprocess.CompletedProcess[str]:
    return run(home, "-c", RATER, str(packet), KEYS=json.dumps(keys))


def in_database(home: Path) -> list[tuple]:
    (path,) = (home / "data" / "answers").glob("*.db")
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT act, question, value FROM event ORDER BY number").fetchall()
    connection.close()
    return rows


@pytest.fixture
def packet(tmp_path, content: PacketContent) -> Path:
    path = tmp_path / "R01.JuryPacket"
    with path.open("wb") as file:
        write_packet(content, file)
    return path


def test_a_packet_is_rated_from_its_opening_to_the_database(tmp_path, packet):
    done = rate(tmp_path, packet, "1", "2", "3", "4", "5", "1", "Return", "4")
    assert done.returncode == 0, done.stderr
    assert in_database(tmp_path) == [
        *(("answer", id, str(value)) for id, value in zip(IDS, (1, 2, 3, 4, 5, 1), strict=True)),
        ("next", "", "null"),
        ("answer", "focused", "4"),
    ]


def test_a_reopened_packet_continues_where_it_was(tmp_path, packet):
    assert rate(tmp_path, packet, "5", "4").returncode == 0
    assert rate(tmp_path, packet, "3", "U").returncode == 0
    assert [row[:2] for row in in_database(tmp_path)] == [
        *(("answer", id) for id in IDS[:3]),
        ("undo", ""),
    ]


def test_a_completed_packet_writes_its_answers_beside_it(tmp_path, images):
    study = studies.study(sequences=1, raters=1, ratings=1, images=str(images))
    (content,) = studies.contents(study, images)
    path = tmp_path / "r1.jurypacket"
    with path.open("wb") as file:
        write_packet(content, file)
    done = rate(tmp_path, path, *[*["3"] * 6, "Return"] * 3)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "r1.juryanswers").read_text().splitlines()
    assert json.loads(lines[0])["packet"] == read_packet(path).data.sha256
    assert len(lines) == 1 + 21


REFUSED = {
    "no packet": (lambda whole: b"PK is no packet", "damaged or incomplete"),
    "cut off": (lambda whole: whole[: len(whole) // 2], "damaged or incomplete"),
    "empty": (lambda whole: b"", "damaged or incomplete"),
    "altered": (lambda whole: whole.replace(b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe1", 1), ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_incomplete_packet_is_refused_with_a_message(tmp_path, packet, name):
    change, sentence = REFUSED[name]
    packet.write_bytes(change(packet.read_bytes()))
    done = run(tmp_path, "-m", "jurydesk", str(packet))
    assert done.returncode == 1
    first = done.stderr.splitlines()[0]
    assert first.startswith("error")
    assert sentence in first
    assert not (tmp_path / "data" / "answers").exists()


def test_a_missing_packet_is_refused_with_a_message(tmp_path):
    done = run(tmp_path, "-m", "jurydesk", str(tmp_path / "gone.jurypacket"))
    assert done.returncode == 1
    assert "No such file or directory" in done.stderr


def test_the_command_open_opens_packets_too(tmp_path):
    torn = tmp_path / "torn.jurypacket"
    torn.write_bytes(b"PK")
    done = run(tmp_path, "-m", "jurydesk", "open", str(torn))
    assert done.returncode == 1
    assert done.stderr.startswith("error  torn.jurypacket: The packet is damaged or incomplete.")


def test_the_command_open_reports_a_missing_packet(tmp_path):
    done = run(tmp_path, "-m", "jurydesk", "open", str(tmp_path / "gone.jurypacket"))
    assert done.returncode == 1
    assert done.stderr.endswith("gone.jurypacket does not exist or is not a file.\n")


def test_a_packet_is_opened_in_only_one_window(tmp_path, packet, content):
    from jurydesk.core.human_evaluation.answers.rating_session import EventStore

    folder = tmp_path / "data" / "answers"
    folder.mkdir(parents=True)
    store = EventStore(folder / f"{content.sha256}.db", content.sha256)
    done = run(tmp_path, "-m", "jurydesk", str(packet))
    store.close()
    assert done.returncode == 1
    assert "This packet is open in another window." in done.stderr


@pytest.fixture
def only_the_toy() -> None:
    """Keep all competitions: stories are rated in the competition of stories."""


def test_rate_now_opens_the_page_and_closing_it_returns_to_the_window(
    qtbot, window, tmp_path, monkeypatch
):
    """Check that the organiser's own answers are in the desk when the page is closed."""
    path = tmp_path / "stories.jurydesk"
    study = studies.study(sequences=4, raters=2, ratings=1)
    studies.desk_with(path, study).close()
    monkeypatch.setenv("KEYS", json.dumps([*"123454", "Return", "5"]))
    monkeypatch.setattr(
        "jurydesk.app.commands.file_commands.program_command", lambda: [sys.executable, "-c", RATER]
    )
    until_open(qtbot, window, path)
    window.show_page("rate")
    page = window.page
    qtbot.waitUntil(lambda: page.packets.isVisible() and window.jobs.idle)
    page.rate_now()
    qtbot.waitUntil(lambda: bool(page.study_state.answered), timeout=1000 * SECONDS)
    qtbot.waitUntil(lambda: window.session.study_findings is not None)
    (report,) = window.session.study_findings.raters
    assert (report.rater, report.done) == ("r01", 2)
    given = [event.value for event in RatingStore(window.session.desk).histories()[0].events]
    assert given == [1, 2, 3, 4, 5, 4, None, 5]
    qtbot.waitUntil(lambda: window.jobs.idle)
