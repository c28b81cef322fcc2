"""The place of a panel above the table of items."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.panel import Panel
from jurydesk.app.pages.items import item_card as items_panel
from jurydesk.app.pages.items.item_card import PanelPlace


class OnePanel(Panel):
    """A panel that shows nothing."""

    def show_evaluation(self, evaluation, systems) -> None: ...

    def columns(self) -> tuple:
        return ()


@pytest.fixture
def keeper(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the panels that were made."""
    names: list[str] = []

    class Panels:
        @staticmethod
        def make(name: str) -> Panel | None:
            if not name:
                return None
            names.append(name)
            return OnePanel()

    monkeypatch.setattr(items_panel, "PANELS", Panels)
    return names


@pytest.fixture
def place(keeper: QWidget, made: list[str]) -> PanelPlace:
    return PanelPlace(keeper)


def test_a_panel_that_is_ready_is_the_one_that_is_used(
    place: PanelPlace, keeper: QWidget, made: list[str]
) -> None:
    place.get_ready("one", keeper)
    place.get_ready("one", keeper)
    assert place.panel is None
    assert place.use("one")
    place.panel.setParent(keeper)
    place.get_ready("one", keeper)
    assert not place.use("one")
    assert made == ["one"]


def test_a_panel_that_was_made_for_nothing_goes(
    qtbot: QtBot, place: PanelPlace, keeper: QWidget, made: list[str]
) -> None:
    place.get_ready("one", keeper)
    (kept,) = keeper.findChildren(OnePanel)
    with qtbot.waitSignal(kept.destroyed):
        place.use("two")
    place.panel.setParent(keeper)
    assert made == ["one", "two"]


def test_where_a_competition_has_no_panel_the_one_before_goes(
    place: PanelPlace, keeper: QWidget
) -> None:
    place.use("one")
    assert place.use("")
    assert place.panel is None


def test_what_the_panel_wants_is_told_whichever_stands_there(
    qtbot: QtBot, place: PanelPlace, keeper: QWidget
) -> None:
    for name in ("one", "two"):
        place.use(name)
        place.panel.setParent(keeper)
        with qtbot.waitSignal(place.rows_changed):
            place.panel.rows_changed.emit()
        with qtbot.waitSignal(place.message) as told:
            place.panel.message.emit(name)
        assert told.args == [name]
