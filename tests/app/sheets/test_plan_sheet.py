"""Sheet that plans a competition from the open desk."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from jurydesk.app.sheets.plan_sheet import PlanSheet
from jurydesk.app.style.theme import theme
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.results.competition_plan import PlanWish, plan_from_pilot
from support.language import shown_in
from support.windows.layout_faults import double_bars, shown_widgets


@pytest.fixture
def sheet(qtbot, scored) -> PlanSheet:
    scored.organiser.show_plan()
    opened = scored.views.sheet
    assert isinstance(opened, PlanSheet)
    qtbot.waitUntil(lambda: not opened.table.isHidden())
    return opened


def column(sheet: PlanSheet, name: str) -> list[object]:
    found = next(one for one in sheet.table.table_model.columns if one.name == name)
    return list(found.file_cells)


def groups_for(scored, systems: int, power: float = 0.8) -> list[int | None]:
    request = PlanWish(scored.session.profile, systems, power=power)
    plan = plan_from_pilot(scored.session.desk, scored.session.task, request, Run())
    return [one.groups for one in plan.items.sizes]


def test_the_plan_is_that_of_the_command_and_follows_the_numbers(qtbot, scored, sheet) -> None:
    assert sheet.systems.value() == 3
    assert column(sheet, "groups") == groups_for(scored, 3)
    assert not sheet.curve.isHidden()
    sheet.systems.selectAll()
    qtbot.keyClicks(sheet.systems, "20")
    qtbot.waitUntil(lambda: "20 systems" in sheet.head.text())
    assert column(sheet, "groups") == groups_for(scored, 20)


def test_ratings_are_planned_on_the_second_part(qtbot, sheet) -> None:
    sheet.kind.setFocus()
    qtbot.keyClick(sheet.kind, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: sheet.kind.index == 1)
    assert not sheet.curve.isHidden()
    assert not sheet.group_size.isVisible()
    assert "find a difference of ratings" in sheet.head.text()
    assert column(sheet, "raters")[:2] == [3, 5]
    assert "assumed for a scale from 1 to 5" in sheet.note.text()


def test_the_whole_sheet_is_in_sight_in_a_small_window(qtbot, scored) -> None:
    scored.resize(1024, 640)
    scored.organiser.show_plan()
    sheet = scored.views.sheet
    qtbot.waitUntil(lambda: not sheet.curve.isHidden())
    close = next(one for one in sheet.findChildren(QPushButton) if one.text() == "Close")
    qtbot.waitUntil(lambda: close.visibleRegion().boundingRect() == close.rect())
    assert close.mapTo(sheet, QPoint(0, close.height())).y() <= sheet.height()


def test_no_part_of_the_sheet_is_beside_a_small_window_in_large_type(qtbot, scored) -> None:
    scored.resize(1024, 700)
    theme().set_zoom(2.0)
    with shown_in("ru"):
        scored.organiser.show_plan()
        sheet = scored.views.sheet
        qtbot.waitUntil(lambda: not sheet.curve.isHidden())
    qtbot.waitUntil(lambda: double_bars(list(shown_widgets(sheet))) == [], timeout=2000)
