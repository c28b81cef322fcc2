"""Sealed entries in the window, from the drop to the certificate, with real keys and mouse."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import HELD, SCORED, read_ledger
from jurydesk.core.sealed.certificate import read_certificate
from jurydesk.core.workflow.entries.entry_policy import find_policy
from support.plug_ins.example import installed
from support.processes.quiet_program import run_quietly
from support.sealed_cases import CASES, homes
from support.sealed_entries import OPEN, Contest
from support.windows.waiting import use_desk

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def drop(window, *paths) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    plain = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, LEFT, plain)
    window.dropEvent(event)


def said(widget) -> str:
    return "\n".join(one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget))


@pytest.fixture(scope="module")
def contest(tmp_path_factory):
    made = Contest.make(tmp_path_factory.mktemp("contest"))
    made.desk.close()
    return made


@pytest.fixture
def window(make_real_window):
    made = make_real_window()
    made.resize(1024, 700)
    return made


@pytest.fixture
def opened(window, contest, qtbot, monkeypatch):
    """Return the window with the desk of the competition, whose organiser is its user."""
    organiser = contest.organiser
    name = "jurydesk.core.sealed.key_store.key_pair"
    monkeypatch.setattr(name, lambda role, folder=None: (organiser, False))
    use_desk(window, contest.desk.path)
    window.files.opened.emit()
    qtbot.waitUntil(lambda: window.jobs.idle)
    return window


def sheet_of(qtbot, window, entries: int):
    qtbot.waitUntil(lambda: window.views.sheet is not None and window.jobs.idle)
    sheet = window.views.sheet
    qtbot.waitUntil(lambda: len(sheet.cards) == entries)
    return sheet


def test_the_policy_is_set_in_the_sheet_and_its_change_can_be_undone(
    qtbot, contest, opened
) -> None:
    opened.actions_.run("run.entries")
    sheet = opened.views.sheet
    qtbot.waitUntil(lambda: opened.jobs.idle and sheet.ledger.table_model.rowCount() > 0)
    sheet.parts.setFocus()
    qtbot.keyClick(sheet.parts, Key.Key_Right)
    assert sheet.ledger.isVisible()
    numbers = [row.number for row in reversed(read_ledger(opened.session.desk))]
    shown = sheet.ledger.table_model
    assert [int(shown.index(row, 0).data()) for row in range(shown.rowCount())] == numbers
    assert "The chain is unbroken." in said(sheet)
    sheet.parts.choose(2)
    box = sheet.policy.boxes["total"]
    assert box.value() == OPEN.total
    box.setFocus()
    qtbot.keyClick(box, Key.Key_Up)
    qtbot.mouseClick(sheet.policy.keep, LEFT)
    qtbot.waitUntil(lambda: opened.jobs.idle)
    desk = opened.session.desk
    assert find_policy(read_ledger(desk)).total == OPEN.total + 1
    opened.evaluator.undo.undo()
    assert find_policy(read_ledger(desk)).total == OPEN.total
    qtbot.waitUntil(lambda: opened.jobs.idle)


def test_entries_are_reviewed_scored_and_certified(
    qtbot, contest, opened, tmp_path, monkeypatch
) -> None:
    contest.desk = Desk.open(contest.desk.path)
    contest.change_policy(approval=True, total=1)
    contest.approve("south", "South")
    contest.look([2, 3], "South", "south")
    new = contest.seal([1, 2], name="new")
    over = contest.seal([1, 1], "South", "south", name="over")
    other = contest.seal([1], name="other", reference="ab" * 32)
    before = read_ledger(contest.desk)
    contest.desk.close()

    drop(opened, new, over, other)
    sheet = sheet_of(qtbot, opened, 3)
    assert read_ledger(opened.session.desk) == before
    shown = said(sheet)
    for part in (
        "new.juryentry – North",
        "held: the key is new",
        contest.key("north").words,
        "refused: budget of 1 used",
        "refused: made for another competition or reference version",
        "0 of 3 entries can be scored.",
    ):
        assert part in shown
    assert not sheet.score.isEnabled()
    held, used, wrong = sheet.cards
    assert wrong.consent is None
    assert wrong.reason is None
    held.consent.setFocus()
    qtbot.keyClick(held.consent, Key.Key_Space)
    used.reason.setFocus()
    qtbot.keyClicks(used.reason, "a prize")
    assert "2 of 3 entries can be scored." in said(sheet)

    qtbot.mouseClick(sheet.score, LEFT)
    qtbot.waitUntil(lambda: sheet.save.isVisible() and opened.jobs.idle)
    assert QApplication.focusWidget() is sheet.save
    assert "2 entries have a certificate." in said(sheet)
    assert "ledger number" in said(held)
    rows = read_ledger(opened.session.desk)[len(before) :]
    assert [row.reason for row in rows if row.kind == SCORED] == ["", "a prize"]
    assert not [row for row in rows if row.kind == HELD]
    assert sum(name.startswith("North") for name in opened.session.scored_systems) == 1

    folder = tmp_path / "back"
    folder.mkdir()
    name = "PySide6.QtWidgets.QFileDialog.getExistingDirectory"
    monkeypatch.setattr(name, lambda *_: str(folder))
    qtbot.keyClick(sheet.save, Key.Key_Return)
    assert len([*folder.glob("*.html")]) == 2
    found = {one.team: one for one in map(read_certificate, folder.glob("*.jurycert"))}
    assert found["South"].overruled == "a prize"
    assert found["North"].organiser == contest.organiser.public

    qtbot.keyClick(sheet, Key.Key_Escape)
    drop(opened, new)
    sheet = sheet_of(qtbot, opened, 1)
    assert "same entry again" in said(sheet)


@pytest.fixture
def _signs(monkeypatch):
    yield from installed(monkeypatch)


@pytest.mark.usefixtures("_signs")
@pytest.mark.parametrize("case", CASES, ids=lambda one: one.task)
def test_an_entry_goes_from_the_kit_to_the_public_board_by_the_window(
    qtbot, make_real_window, case, tmp_path, monkeypatch
) -> None:
    enter = homes(tmp_path, monkeypatch)
    names = ("d.jurydesk", "k.jurycomp", "e.juryentry", "board.html")
    desk, kit, entry, page = (tmp_path / one for one in names)

    def at(home: str, *arguments: object) -> str:
        enter(home)
        code, output = run_quietly(arguments)
        assert code == 0, output
        return output

    files = (*case.references, case.option, case.published)
    at("organiser", "score", case.task, *files, "--desk", desk)
    window = make_real_window()
    use_desk(window, desk)
    window.files.opened.emit()
    qtbot.waitUntil(lambda: window.jobs.idle)
    name = "PySide6.QtWidgets.QFileDialog.getSaveFileName"
    monkeypatch.setattr(name, lambda *_: (str(kit), ""))
    window.actions_.run("file.kit")
    qtbot.waitUntil(lambda: window.views.sheet is not None)
    asked = window.views.sheet
    asked.entries.setFocus()
    qtbot.keyClick(asked.entries, Key.Key_Space)
    asked.program.setFocus()
    qtbot.keyClick(asked.program, Key.Key_Return)
    assert kit.is_file()
    assert "A key without a passphrase was made: " in window.toast.text.text()

    at("team", "entry", "seal", kit, case.entry, "--team", "North", "--out", entry)
    words = at("team", "entry", "key").splitlines()[1]
    enter("organiser")
    drop(window, entry)
    sheet = sheet_of(qtbot, window, 1)
    assert "held: the key is new" in said(sheet)
    assert words in said(sheet)
    sheet.cards[0].consent.setFocus()
    qtbot.keyClick(sheet.cards[0].consent, Key.Key_Space)
    qtbot.mouseClick(sheet.score, LEFT)
    qtbot.waitUntil(lambda: sheet.save.isVisible() and window.jobs.idle)
    name = "PySide6.QtWidgets.QFileDialog.getExistingDirectory"
    monkeypatch.setattr(name, lambda *_: str(tmp_path))
    qtbot.keyClick(sheet.save, Key.Key_Return)

    (certificate,) = tmp_path.glob("*.jurycert")
    organiser = at("organiser", "entry", "key", "--role", "organiser").split()[0]
    told = at("reader", "entry", "verify", certificate, "--key", organiser)
    score = read_certificate(certificate).scores[0]
    assert f"{score.metric} {score.value} [" in told
    at("reader", "entry", "board", certificate, "--key", organiser, "--out", page)
    assert f"{score.value} [{score.low}, {score.high}]" in page.read_text(encoding="utf-8")

    enter("organiser")
    own = tmp_path / "own.html"
    name = "PySide6.QtWidgets.QFileDialog.getSaveFileName"
    monkeypatch.setattr(name, lambda *_: (str(own), ""))
    qtbot.waitUntil(lambda: window.jobs.idle)
    sheet.parts.setFocus()
    qtbot.keyClick(sheet.parts, Key.Key_Right)
    sheet.board.setFocus()
    qtbot.keyClick(sheet.board, Key.Key_Return)
    assert own.read_bytes() == page.read_bytes()


def test_without_a_desk_entries_are_not_taken(qtbot, window, contest) -> None:
    drop(window, contest.seal([1]))
    assert "Open the desk of the competition first" in window.notice.findChildren(QLabel)[0].text()
    assert window.views.sheet is None


@pytest.mark.parametrize("change", ["content = content || 'x'", "message = '\"held\"'"])
def test_an_altered_ledger_gives_no_public_board(qtbot, opened, change) -> None:
    with closing(sqlite3.connect(opened.session.desk.path)) as desk, desk:
        before = desk.execute("SELECT content, message, number FROM entry_ledger").fetchall()
        desk.execute(f"UPDATE entry_ledger SET {change}")
    with qtbot.waitSignal(opened.entries.refused) as told:
        opened.entries.save_board()
    assert "ledger" in str(told.args[0])
    with closing(sqlite3.connect(opened.session.desk.path)) as desk, desk:
        desk.executemany(
            "UPDATE entry_ledger SET content = ?, message = ? WHERE number = ?", before
        )
