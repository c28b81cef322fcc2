"""Nothing extends beyond the window on the pages of the examples, with their real inspectors.

Every other competition is shown in a small window at a zoom of 200 %, some in a larger one, too;
with `JURYDESK_SAMPLES=all`, each in both. `packaging/screenshots.py --all --check` goes through all
pairs.
"""

from __future__ import annotations

from collections.abc import Collection

import pytest

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from support.examples import TASKS_WITH_EXAMPLE
from support.language import shown_in
from support.suite.samples import halves, sample
from support.windows.layout_faults import folded_parts, settled_faults
from support.windows.layout_states import OWN, State, sample_states, score_example, write_desk
from support.windows.waiting import until_quiet

COMPETITIONS = halves(TASKS_WITH_EXAMPLE)[1]
SMALL = ((1024, 700), 2.0)
"""A window of 512 x 350 logical pixels."""
STATES = sample_states(COMPETITIONS)
WITH_OWN_SIZE = sample(STATES, 2)
OF_COMPETITIONS = ("check", "board", "items", "compare", "why", "rate")
"""Pages that differ between competitions; `test_layout.py` has the others."""
LONGER = ("home", "check", "rate", "references")
"""Pages that are tested in lengthened English."""


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.usefixtures("quick_fid")
@pytest.mark.parametrize("state", STATES, ids=COMPETITIONS)
def test_every_page_of_an_example_has_room(qtbot, make_real_window, tmp_path, state: State):
    task = registry().tasks[state.competition]
    example = score_example(task, tmp_path / "example", **without_networks(task))
    desk = write_desk(tmp_path / "desk" / "spring-2026.jurydesk", example, state)
    sizes = [(state.size, state.zoom), SMALL] if state in WITH_OWN_SIZE else [SMALL]
    theme().mode = state.mode
    theme().set_zoom(sizes[0][1])  # a window that is there already takes a second for it
    window = make_real_window()
    window.files.open_paths([desk])
    qtbot.waitUntil(lambda: window.jobs.idle and bool(window.session.systems))
    found = []
    for size, zoom in sizes:
        window.resize(*size)
        if theme().zoom != zoom:
            theme().set_zoom(zoom)
        now = page_faults(qtbot, window, OF_COMPETITIONS)
        assert (window.width(), window.height()) == size
        found += [f"{size[0]} x {size[1]} at {zoom:.0%}: {one}" for one in now]
    assert found == []


def without_networks(task: AnyTask) -> dict[str, tuple[()]]:
    """Return the options of a competition without its networks, which take longer than the rest."""
    return {"weights": ()} if hasattr(task.scoring.options(), "weights") else {}


def page_faults(qtbot, window: Window, pages: Collection[str]) -> list[str]:
    """Return the layout faults of pages, of the parts of folded ones, and of an opened item."""
    found = []
    for page in PAGES:
        if page.id not in pages:
            continue
        window.show_page(page.id)
        until_quiet(qtbot, window)
        found += settled_faults(qtbot, window)
        for part in folded_parts(window.page):
            until_quiet(qtbot, window)
            found += [f"{part}: {one}" for one in settled_faults(qtbot, window)]
        if page.id == "items":
            window.page.open_item()
            until_quiet(qtbot, window)
            found += [f"opened: {one}" for one in settled_faults(qtbot, window)]
            window.page.close_item()
    return found


def test_forms_have_room_for_longer_words(qtbot, make_real_window, tmp_path):
    state = State("densecap", 2, OWN, OWN, (1024, 700), 2.0, "light")
    example = score_example(registry().tasks[state.competition], tmp_path / "example")
    desk = write_desk(tmp_path / "desk" / "spring-2026.jurydesk", example, state)
    with shown_in("xx"):
        window = make_real_window()
        window.files.open_paths([desk])
        qtbot.waitUntil(lambda: window.jobs.idle and bool(window.session.systems))
        found = []
        for zoom in (1.0, 2.0):
            window.resize(*state.size)
            theme().set_zoom(zoom)
            found += page_faults(qtbot, window, LONGER)
            assert (window.width(), window.height()) == state.size
    assert found == []
