"""The report of a desk in a browser, in Russian: no English sentence of the catalogue is shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.cli import main
from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.competition.task_registry import registry
from support.examples import folder_of
from support.language import english_sentences

TEXTS = """
document.querySelectorAll("[lang=en], script, noscript, style").forEach((one) => one.remove());
[document.body.textContent, ...[...document.querySelectorAll("[title], [aria-label]")].map(
  (one) => `${one.title} ${one.ariaLabel}`)].join("\\n")
"""
"""All texts of the page, its tool tips and labels, but for the paragraph on methods."""


@pytest.mark.parametrize("competition", ["keyword-spotting", "vist"])
def test_a_report_opens_in_russian(qtbot, tmp_path, capsys, competition):
    task = registry().tasks[competition]
    inputs = example_inputs(task, folder_of(task))
    words = [word for role, paths in inputs.items() for path in paths for word in (role, path)]
    files = [f"--{one}" if index % 2 == 0 else str(one) for index, one in enumerate(words)]
    desk, path = tmp_path / "spring.jurydesk", tmp_path / "report.html"
    main(["score", competition, *files, "--desk", str(desk)])  # one of its files may have errors
    assert main(["board", str(desk), "--html", str(path)]) == 0
    texts = shown(qtbot, path)
    assert "Методы" in texts
    assert len(texts) > 2000
    assert english_sentences(texts) == []


def shown(qtbot, path) -> str:
    """Return the texts that the Russian report shows."""
    register_scheme()
    profile = QWebEngineProfile()
    page = QWebEnginePage(profile)
    states: list[str] = []
    found: list[str] = []
    try:
        url = QUrl.fromLocalFile(str(path))
        url.setQuery("lang=ru")
        with qtbot.waitSignal(page.loadFinished, timeout=30_000):
            page.load(url)
        ready = "document.documentElement.dataset.ready ? 'ready' : ''"
        qtbot.waitUntil(lambda: page.runJavaScript(ready, states.append) or "ready" in states)
        page.runJavaScript(TEXTS, found.append)
        qtbot.waitUntil(lambda: bool(found))
        return found[0]
    finally:
        Shiboken.delete(page)
        Shiboken.delete(profile)
