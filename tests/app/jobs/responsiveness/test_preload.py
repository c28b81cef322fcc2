"""Pages and views are built before they are needed."""

from __future__ import annotations

from jurydesk.app.inspectors.inspector_registry import COMPARISONS, INSPECTORS, PANELS
from jurydesk.app.jobs import job_functions
from jurydesk.app.pages import PAGES


def test_every_page_is_built_and_every_view_imported(qtbot, window, monkeypatch):
    imported = []
    prepare = job_functions.load_competitions

    def noted(modules, run, notify):
        imported.extend(modules)
        return prepare((), run, notify)

    monkeypatch.setattr("jurydesk.app.jobs.job_functions.load_competitions", noted)
    with qtbot.waitSignal(window.built, timeout=30_000):
        window.build_ahead()
    assert set(window.pages) == {page.id for page in PAGES}
    assert window.page.id == "home"
    qtbot.waitUntil(lambda: window.jobs.idle)
    assert {*INSPECTORS.modules, *COMPARISONS.modules, *PANELS.modules} <= set(imported)


def test_pages_are_built_one_at_a_time(qtbot, window):
    before = len(window.pages)
    window.build_ahead()
    assert len(window.pages) == before + 1
    qtbot.waitUntil(lambda: len(window.pages) == len(PAGES), timeout=30_000)
    qtbot.waitUntil(lambda: window.jobs.idle)
