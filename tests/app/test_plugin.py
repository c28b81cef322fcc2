"""The example plug-in is a competition like any other in the window."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QPushButton

from jurydesk.core.competition import task_registry as module
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.model.json_codec import to_json
from support.files.mutations import WHOLE, mutated
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case
from support.plug_ins.example import EXAMPLE, SYSTEMS, site
from support.windows.waiting import until_checked


@pytest.fixture
def plugged(monkeypatch, window):
    """Return the window with all installed competitions."""
    monkeypatch.syspath_prepend(str(site()))
    registry.cache_clear()
    monkeypatch.setattr(module, "registry", registry)
    yield window
    registry.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "jurydesk_signs"]:
        del sys.modules[name]


@pytest.fixture
def scored(qtbot, plugged):
    """Return its example, opened from Home and scored."""
    plugged.show_page("home")
    plugged.page.list_tasks(registry())
    plugged.page.task_buttons["signs"].click()
    until_checked(qtbot, plugged)
    plugged.evaluator.score()
    qtbot.waitUntil(lambda: len(plugged.session.systems) == 3 and plugged.jobs.idle)
    return plugged


def test_the_example_of_a_plug_in_can_be_opened_from_home_and_checked(qtbot, scored):
    assert scored.session.title == "Twelve signs"
    assert {file.role for file in scored.session.files} == {"signs", "readings"}
    scored.show_page("check")
    found = [one.found for one in scored.session.defects]
    assert found == ["2 signs without a reading: bridge-02, school-01."]


def test_every_page_shows_a_plug_in(qtbot, scored):
    from jurydesk.app.pages import PAGES

    for page in PAGES:
        scored.show_page(page.id)
        qtbot.waitUntil(lambda: scored.jobs.idle)
    scored.show_page("board")
    assert [row.summary.system for row in scored.session.leaderboard().rows] == [
        "careful",
        "hasty",
        "torn",
    ]


def test_items_of_a_plug_in_are_shown_in_its_own_inspector(qtbot, scored):
    scored.show_page("items")
    scored.session.select(system="careful", item="bridge-01")
    view = scored.page.view
    qtbot.waitUntil(lambda: view.frames.is_empty and view.item.inspector is not None)
    inspector = view.item.inspector
    assert type(inspector).__name__ == "SignInspector"
    assert inspector.isVisible()
    assert inspector.reading.text() == "Reading: Weight limit 35 t"
    assert inspector.mistakes.text() == "“.” was read as “”."
    assert not view.item.reason.isVisible()


def test_without_its_inspector_the_generic_one_shows_the_items_of_a_plug_in(
    qtbot, scored, monkeypatch, caplog
):
    monkeypatch.setattr("jurydesk_signs.inspector.SignInspector", None)
    scored.show_page("items")
    scored.session.select(system="careful", item="bridge-01")
    view = scored.page.view
    qtbot.waitUntil(lambda: view.frames.is_empty and view.item.inspector is not None)
    assert view.item.inspector.selection_text(False) == (
        "Sign\nWeight limit 3.5 t\n\nReading\nWeight limit 35 t"
    )
    assert "The inspector “signs” cannot be used." in view.item.reason.text()
    caplog.clear()


def test_the_window_offers_the_browser_page_of_a_plug_in(qtbot, scored):
    scored.organiser.show_kit()
    qtbot.waitUntil(lambda: any(one.text() == "For any browser …" for one in buttons(scored)))


def buttons(window):
    return window.findChildren(QPushButton)


def test_browser_page_and_reader_of_a_plug_in_report_the_same_defects(plugged, tmp_path):
    task = registry().tasks["signs"]
    case = Case("signs", task, {"signs": (EXAMPLE / "signs.json",)}, SYSTEMS)
    references = case.references().data
    browser = BrowserChecker(case, tmp_path)
    path = tmp_path / "readings.json"
    for seed, system in enumerate(SYSTEMS):
        for content in (system.read_bytes(), *mutated(system.read_bytes(), 30, seed), *WHOLE):
            if content.startswith(b"\x1f\x8b"):
                continue
            path.write_bytes(content)
            wanted = to_json(case.organiser(path, references))
            assert browser.check(content, path) == wanted
