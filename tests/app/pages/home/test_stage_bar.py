"""Stages on the Home page: what is done, what comes next, and details where there is room."""

from __future__ import annotations

from jurydesk.app.pages.home.stage_bar import ROOM_FOR_DETAILS, StageBar
from jurydesk.app.style.theme import colour, px, theme


def test_stages_before_the_present_one_are_done_and_those_after_it_have_no_colour(qtbot, qapp):
    theme().install(qapp, "light")
    bar = StageBar()
    qtbot.addWidget(bar)
    bar.show_place(2, ("7 files", "no errors", "", "not saved yet", ""))
    bar.resize(5 * (px(ROOM_FOR_DETAILS) + 8), 60)
    bar.show()
    names = [stage.name.text() for stage in bar.stages]
    assert names == ["✓ Files", "✓ Check", "Score", "Save", "Look"]
    lines = [stage.grab().toImage().pixelColor(2, 0).name() for stage in bar.stages]
    assert lines == [colour("accent").name()] * 3 + [colour("line").name()] * 2
    qtbot.waitUntil(lambda: all(stage.detail.isVisible() for stage in bar.stages))
    assert "7 files" in bar.stages[0].detail.toolTip()
    bar.resize(3 * px(ROOM_FOR_DETAILS), 60)
    qtbot.waitUntil(lambda: not any(stage.detail.isVisible() for stage in bar.stages))


def test_enter_takes_the_next_step_of_the_open_desk(qtbot, scored):
    scored.show_page("home")
    assert scored.page.next.button.hasFocus()
    assert [stage.detail.text() for stage in scored.page.next.stages.stages] == [
        "4 files",
        "no errors",
        "3 systems",
        "not saved yet",
        "",
    ]
