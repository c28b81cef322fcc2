"""Nothing extends beyond the window on the pages of the examples, with their real inspectors.

Each competition is shown in one size, zoom and theme; `packaging/screenshots.py --all --check`
goes through all pairs of them.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task_registry import registry
from support.windows.layout_faults import faults
from support.windows.layout_states import State, sample_states, score_example, write_desk

COMPETITIONS = ("captions", "densecap", "fusionbrain", "keyword-spotting", "visdial", "vist")
SETTLED_MS = 2000
"""After so long a page that is drawn in several turns looks as it will."""


def settle(qtbot, window: Window) -> None:
    """Process events until all pages are drawn and all jobs have ended."""
    qtbot.waitUntil(lambda: all(frames.is_empty for frames in window.findChildren(FrameQueue)))
    qtbot.waitUntil(lambda: window.jobs.idle)
    window.toast.hide()
    with suppress(qtbot.TimeoutError):  # a remaining fault is reported by the caller
        qtbot.waitUntil(lambda: not faults(window), timeout=SETTLED_MS)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("state", sample_states(COMPETITIONS), ids=COMPETITIONS)
def test_every_page_of_an_example_has_room(qtbot, make_real_window, tmp_path, state: State):
    example = score_example(registry().tasks[state.competition], tmp_path / "example")
    desk = write_desk(tmp_path / "desk" / "spring-2026.jurydesk", example, state)
    window = make_real_window()
    window.resize(*state.size)
    theme().mode = state.mode
    theme().set_zoom(state.zoom)
    window.files.open_paths([desk])
    qtbot.waitUntil(lambda: window.jobs.idle and bool(window.session.systems))
    found = []
    for page in PAGES:
        window.show_page(page.id)
        settle(qtbot, window)
        found += faults(window)
        if page.id == "items":
            window.page.open_item()
            settle(qtbot, window)
            found += [f"opened: {one}" for one in faults(window)]
            window.page.close_item()
    assert found == []
