"""Looking at a desk does not change its file, and unavailable checks are reported."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.check.published_check_row import PublishedCheckRow
from jurydesk.app.widgets.parts import placed_widgets
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.checks import CheckRecord
from jurydesk.core.model.options import options_json
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support.windows import workloads
from support.windows.waiting import until_open, use_desk


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return a desk of stories, one of them missing, whose input files were deleted."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    human, *submissions = workloads.stories(folder)
    broken = json.loads(submissions[1].read_text())
    broken["output_stories"].pop()
    submissions[1].write_text(json.dumps(broken))
    path = tmp_path / "elsewhere" / "stories.jurydesk"
    path.parent.mkdir()
    task = registry().tasks["vist"]
    options = task.scoring.options()
    with Desk.create(path) as made:
        made.set_competition("vist", "Stories", options_json(options))
    files = explicit_files(task, {"references": [human], "submission": submissions})
    outcome = score_competition(CompetitionFiles(path, task, files, options), Run())
    assert outcome.record.defects.all
    shutil.rmtree(folder)
    return path


@pytest.fixture
def window(qtbot, desk, tmp_path, monkeypatch):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "other home"))
    with workloads.prepared_window(qtbot, tmp_path) as window:
        yield window


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def look_at_everything(qtbot, window) -> None:
    """Show every page, activate the window repeatedly, and let all timers run."""
    for page in PAGES:
        window.show_page(page.id)
        qtbot.wait(30)
        QCoreApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
        qtbot.waitUntil(lambda: window.jobs.idle)
    for timer in window.findChildren(QTimer):
        if timer.isActive():
            timer.timeout.emit()
    qtbot.waitUntil(lambda: window.jobs.idle)


@pytest.mark.parametrize("read_only", [False, True], ids=["writable", "read only"])
def test_a_desk_without_its_inputs_is_unchanged_and_shows_its_check_record(
    qtbot, window, desk, read_only
):
    before = digest(desk)
    with Desk.open(desk, read_only=True) as looked:
        recorded = load_state(looked).defects.all
    use_desk(window, desk, read_only=read_only)
    window.files.opened.emit()
    qtbot.waitUntil(lambda: window.jobs.idle)
    look_at_everything(qtbot, window)
    window.show_page("check")
    assert window.session.defects == recorded
    assert "The check of today" in window.page.finding
    assert "found 1 defect." in window.page.finding
    assert "They could not be checked again." in window.page.finding
    window.files.close()
    assert digest(desk) == before
    assert [path.name for path in desk.parent.iterdir()] == [desk.name]


def test_without_the_files_a_published_check_is_failed_as_recorded_or_not_checked(
    qtbot, window, desk
):
    until_open(qtbot, window, desk)
    qtbot.waitUntil(lambda: window.jobs.idle)
    window.show_page("check")
    assert outcomes(window) == ["not checked", "not checked", "failed"]
    # A check without a recorded outcome has no tick.
    checked = window.session.check_record
    files = (replace(one, outcome="unknown", reason="It is gone.") for one in checked.files)
    window.session.set_check_record(CheckRecord(checked.time, tuple(files)))
    assert outcomes(window) == ["not checked"] * 3
    assert "Nothing is wrong" not in window.page.defects.empty.text()
    assert "Could not be checked: human.json, narrators.json, others.json. It is gone." in (
        window.page.defects.empty.text()
    )


def outcomes(window) -> list[str]:
    """Return the outcomes of the published checks as a screen reader reads them."""
    rows = placed_widgets(window.page.checklist.body)
    return [
        row.accessibleName().split(":")[0] for row in rows if isinstance(row, PublishedCheckRow)
    ]
