"""Unreadable files are reported by the window in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task_registry import registry
from support.processes.ordinary_user import as_an_ordinary_user
from support.windows.waiting import until_checked

QRELS, RUN = "q1 0 a 1\nq1 0 b 0\n", "q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\n"


@pytest.fixture
def window(make_window, monkeypatch) -> Window:
    """Return a window with all competitions of the program."""
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", registry)
    return make_window()


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "qrels.txt", tmp_path / "run.txt"]
    for path, text in zip(paths, (QRELS, RUN), strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("forbidden", [0, 1], ids=["relevance", "results"])
@as_an_ordinary_user
def test_a_file_that_became_unreadable_is_an_error_on_the_check_page(
    qtbot, window, tmp_path, pair, forbidden
):
    window.files.open_paths(pair)
    until_checked(qtbot, window)
    pair[forbidden].chmod(0)
    window.evaluator.check()
    qtbot.waitUntil(lambda: window.evaluator.checking is None)
    errors = [str(defect) for defect in window.session.defects if defect.severity == "error"]
    assert errors == [
        f"error  {pair[forbidden].name}, line 1: The file cannot be read: Permission denied.\n"
        "       Check its permissions."
    ]


@as_an_ordinary_user
def test_an_unreadable_file_is_reported_when_it_is_dropped(qtbot, window, tmp_path, pair):
    pair[1].chmod(0)
    window.files.open_paths(pair)
    qtbot.waitUntil(lambda: len(window.session.files) == 2)
    (forbidden,) = [file for file in window.session.files if file.path == pair[1]]
    assert forbidden.reason == "The file cannot be read (permission denied)."
    assert window.session.missing_inputs()
