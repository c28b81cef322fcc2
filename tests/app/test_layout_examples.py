"""Nothing extends beyond the window on the pages of the examples, with their real inspectors.

Each competition is shown in one size, zoom and theme; `packaging/screenshots.py --all --check`
goes through all pairs of them.
"""

from __future__ import annotations

import pytest

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.core.competition.task_registry import registry
from support.windows.layout_faults import settled_faults
from support.windows.layout_states import State, sample_states, score_example, write_desk
from support.windows.waiting import until_quiet

COMPETITIONS = ("captions", "densecap", "fusionbrain", "keyword-spotting", "visdial", "vist")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.usefixtures("quick_fid")
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
        until_quiet(qtbot, window)
        found += settled_faults(qtbot, window)
        if page.id == "items":
            window.page.open_item()
            until_quiet(qtbot, window)
            found += [f"opened: {one}" for one in settled_faults(qtbot, window)]
            window.page.close_item()
    assert found == []
