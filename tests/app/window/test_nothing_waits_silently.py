"""Every page says what it waits for; every empty one offers a button that works."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from jurydesk.app.commands import file_commands
from jurydesk.app.jobs.job import Job
from jurydesk.app.pages import PAGES
from jurydesk.app.pages.page import Page
from support.windows import toy_competition
from support.windows.waiting import until_checked

LEFT = Qt.MouseButton.LeftButton
WITH_SCORES = ("board", "items", "compare", "rate", "why")


def visible_buttons(page: Page) -> list[str]:
    bar = page.actions_bar()
    found = page.findChildren(QAbstractButton) + (bar.findChildren(QAbstractButton) if bar else [])
    own = [bar] if isinstance(bar, QAbstractButton) else []
    return [
        one.text() or one.accessibleName()
        for one in (*found, *own)
        if one.isVisible() and one.isEnabled()
    ]


def assert_all_pages_say_something(window) -> dict[str, str]:
    """Return the findings by page."""
    findings = {}
    for entry in PAGES:
        window.show_page(entry.id)
        page = window.page
        findings[entry.id] = page.finding
        assert page.finding.strip(), f"{entry.id} has no sentence"
        assert not page.sentence.isHidden()
        if page.is_empty:
            assert page.step.isVisible(), f"{entry.id} is empty without a button"
            assert page.step.text()
        is_read = "being read" in page.finding
        assert visible_buttons(page) or is_read, f"{entry.id} has no button"
    return findings


def assert_each_button_leads_somewhere(qtbot, window, effect) -> None:
    """Click the button of every empty page; `effect` says whether it did something."""
    for entry in PAGES:
        window.show_page(entry.id)
        if window.page.is_empty:
            before = window.page.id
            qtbot.mouseClick(window.page.step, LEFT)
            assert effect() or window.page.id != before, f"the button of {entry.id} did nothing"


def test_without_a_desk(qtbot, window, monkeypatch):
    asked = []
    monkeypatch.setattr(window.files, "choose", lambda: asked.append(1))
    findings = assert_all_pages_say_something(window)
    assert findings["why"].endswith("A system must be scored first.")

    def effect() -> bool:
        return bool(asked and asked.pop())

    assert_each_button_leads_somewhere(qtbot, window, effect)


def test_with_a_desk_without_results(qtbot, checked, monkeypatch):
    qtbot.waitUntil(lambda: checked.jobs.idle)
    asked = []
    monkeypatch.setattr(checked.evaluator, "score", lambda: asked.append(1))
    findings = assert_all_pages_say_something(checked)
    assert findings["board"] == "Nothing has been scored yet: press Ctrl+R."

    def effect() -> bool:
        return bool(asked and asked.pop())

    assert_each_button_leads_somewhere(qtbot, checked, effect)


def test_while_systems_are_scored(qtbot, checked, monkeypatch):
    qtbot.waitUntil(lambda: checked.jobs.idle)
    monkeypatch.setattr(toy_competition, "SECONDS", 30.0)
    checked.evaluator.score()
    findings = assert_all_pages_say_something(checked)
    assert all("being scored" in findings[page] for page in (*WITH_SCORES, "check"))
    assert_each_button_leads_somewhere(qtbot, checked, lambda: False)
    assert checked.strip.text.text() != "Ready"
    checked.cancel()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
    checked.show_page("compare")
    assert "being scored" not in checked.page.finding


@pytest.fixture
def slow_opening(monkeypatch) -> Iterator[threading.Event]:
    """Let no desk open until the event is set."""
    may_open = threading.Event()
    real = file_commands.open_with_state

    def wait_and_open(path, run, notify):
        while not may_open.wait(0.01):
            run.check()
        return real(path, run, notify)

    monkeypatch.setattr(file_commands, "open_with_state", wait_and_open)
    yield may_open
    may_open.set()


def test_while_a_desk_is_opened_and_its_pages_load(qtbot, scored, tmp_path, slow_opening):
    path = tmp_path / "spring.jurydesk"
    scored.files.save_to(path)
    scored.files.close()
    scored.files.open(path)
    findings = assert_all_pages_say_something(scored)
    opening = {findings[page] for page in (*WITH_SCORES, "check")}
    assert opening == {"Opening spring.jurydesk …"}
    scored.show_page("home")
    assert scored.page.next.name.text() == "Opening spring.jurydesk …"
    assert scored.strip.text.text() == "Opening spring.jurydesk"
    slow_opening.set()
    qtbot.waitUntil(lambda: bool(scored.session.systems))
    findings = assert_all_pages_say_something(scored)
    assert not any("Opening" in finding for finding in findings.values())


def test_opening_is_cancelled_by_the_button_of_an_empty_page(qtbot, scored, tmp_path, slow_opening):
    scored.files.save_to(tmp_path / "spring.jurydesk")
    scored.files.close()
    scored.files.open(tmp_path / "spring.jurydesk")
    scored.show_page("items")
    qtbot.mouseClick(scored.page.step, LEFT)
    qtbot.waitUntil(lambda: not scored.files.opening)
    assert scored.toast.text.text() == "The desk was not opened."
    assert scored.page.step.text() == "Add files …"


def test_while_files_are_read(qtbot, window, files):
    window.files.open_paths(files)
    window.show_page("board")
    assert window.page.finding == "Reading the files …"
    assert window.page.step.text() == "Cancel"
    until_checked(qtbot, window)


def test_while_the_rating_page_starts(qtbot, window, monkeypatch, tmp_path):
    qtbot.waitUntil(lambda: window.jobs.idle)
    may_show = tmp_path / "may show"
    line = (
        "import os, pathlib, time, sys\n"
        f"while not pathlib.Path({str(may_show)!r}).exists(): time.sleep(0.01)\n"
        "pathlib.Path(os.environ['JURYDESK_RATING_SHOWN']).touch()\n"
        f"while pathlib.Path({str(may_show)!r}).exists(): time.sleep(0.01)\n"
    )
    monkeypatch.setattr(file_commands, "program_command", lambda: [sys.executable, "-c", line])
    monkeypatch.setattr(file_commands, "POLL_MS", 10)
    window.files.rating_processes.open(tmp_path / "r01.jurypacket")
    assert window.strip.text.text() == "Opening the rating page …"
    may_show.touch()
    qtbot.waitUntil(lambda: window.strip.text.text() == "Ready")
    assert window.files.rating_processes.packets
    with qtbot.waitSignal(window.files.rating_processes.ended):
        may_show.unlink()


def test_while_a_slice_is_scored(qtbot, scored):
    line = scored.page.slices.line
    line.field.setFocus()
    qtbot.keyClicks(line.field, "closeness > 0.5")
    qtbot.keyClick(line.field, Qt.Key.Key_Return)
    assert scored.page.finding == "The items of the slice are being found and scored."
    qtbot.waitUntil(lambda: not scored.page.slices.busy)
    qtbot.waitUntil(lambda: scored.page.finding.startswith("Only "))


def test_while_reference_sets_are_built(qtbot, window, monkeypatch):
    window.show_page("references")
    page = window.page
    assert page.absent.text() == "Files still to choose: dialogues, word vectors, output file."
    for name in ("dialogs", "embeddings", "out"):
        page.files.lines[name].setText(f"/nowhere/{name}")
    assert page.absent.isHidden()
    go_on = threading.Event()

    def build(spec, run, notify):
        while not go_on.wait(0.01):
            run.check()
        raise AssertionError("it is cancelled before")

    monkeypatch.setattr("jurydesk.app.pages.references.references_page.build", build)
    qtbot.keyClick(page, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert page.finding == "The reference sets are being built."
    window.cancel()
    qtbot.waitUntil(lambda: page.finding.startswith("Stopped. Build again"))


def test_while_a_model_is_checked(qtbot, window, monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    window.show_page("models")
    page = window.page
    qtbot.waitUntil(lambda: page.finding.startswith("0 of "))

    def wait(run, notify):
        while True:
            run.check()

    page._start("Checking RuWordNet", wait)
    assert page.finding == "Checking RuWordNet …"
    window.cancel()
    qtbot.waitUntil(lambda: page.finding.startswith("0 of "))


def test_the_strip_is_never_ready_while_a_job_runs(qtbot, window):
    qtbot.waitUntil(lambda: window.jobs.idle)
    go_on = threading.Event()

    def work(run, notify):
        while not go_on.wait(0.01):
            run.check()

    for quiet in (True, False):
        go_on.clear()
        window.jobs.start(Job("Looking for copies", work, quiet=quiet))
        assert window.strip.text.text().startswith("Looking for copies")
        go_on.set()
        qtbot.waitUntil(lambda: window.jobs.idle)
