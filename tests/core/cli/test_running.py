from __future__ import annotations

import io

import pytest

from jurydesk.core.cli import running
from jurydesk.core.cli.running import ProgressLine, time_left
from jurydesk.core.execution.progress import Progress


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.4, "0:00 left"), (65.2, "1:05 left"), (3909, "1:05:09 left")],
)
def test_the_remaining_time_is_shown_as_a_clock(seconds, text):
    assert time_left(seconds) == text


def shown(progress: Progress, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a terminal gets, on which progress is shown at once."""
    monkeypatch.setattr(running, "PROGRESS_DELAY_SECONDS", -1.0)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    display = ProgressLine()
    display.show(progress)
    display.close()
    return terminal.getvalue()


def test_the_line_shows_pictures_per_second_and_the_remaining_time(monkeypatch):
    text = shown(Progress(20, 60, "Inception, images of a", 20.0, "images"), monkeypatch)
    assert "Inception, images of a 2.0 images/s" in text
    assert "33 % 0:20 left" in text


def test_the_line_shows_no_percentage_where_the_total_is_unknown(monkeypatch):
    text = shown(Progress(20, 0, "Scoring METEOR", 20.0, ""), monkeypatch)
    assert "Scoring METEOR" in text
    assert "%" not in text
