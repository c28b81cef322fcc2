"""The rating page and the participants' page pass axe-core, the reference checker of WCAG rules.

axe-core is not part of this repository: `npm pack axe-core` gives `axe.min.js`, and
`JURYDESK_AXE=PATH` names it.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl

from jurydesk.app.style.theme import theme
from jurydesk.core.participant_kit.browser_page import checker_page_bytes
from support.kits.cases import json_cases, ranked_cases

AXE = os.environ.get("JURYDESK_AXE", "")

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not AXE, reason="axe-core is not installed"),
]

CHECK = """
(() => {
  window.axeFound = null;
  axe.run(document, {resultTypes: ["violations"]}).then(
    (found) => {
      window.axeFound = [found.passes.length, found.violations.map(
        (one) => [one.id, one.help, one.nodes.map((node) => node.html.slice(0, 120))])];
    },
    (error) => { window.axeFound = [0, [["failed", String(error), []]]]; },
  );
})()
"""


class Page:
    """A web page with axe-core loaded."""

    def __init__(self, qtbot, page) -> None:
        self.qtbot, self.page = qtbot, page
        page.runJavaScript(Path(AXE).read_text("utf-8"))

    def run(self, code: str):
        found: list[str] = []
        self.page.runJavaScript(f"JSON.stringify({code}) || 'null'", found.append)
        self.qtbot.waitUntil(lambda: bool(found))
        return json.loads(found[0]) if found[0] else None

    def violations(self) -> list:
        """Return the rule, its sentence and the elements of every violation."""
        self.page.runJavaScript(CHECK)
        self.qtbot.waitUntil(lambda: self.run("window.axeFound") is not None)
        passed, violations = self.run("window.axeFound")
        assert passed > 5
        return violations


@pytest.fixture(params=["en", "ru"])
def content(content, request):
    """Return the packet in each language."""
    return replace(content, language=request.param)


@pytest.fixture(params=["light", "dark"])
def themed(request, rater):
    theme().set_mode(request.param)
    rater.until(f"document.documentElement.dataset.theme === '{request.param}'")
    return rater


def test_the_rating_page_has_no_violation(qtbot, themed):
    page = Page(qtbot, themed.view.page())
    assert page.violations() == []
    themed.keys(Qt.Key.Key_Return, saved=False)
    themed.until("document.getElementById('message').textContent !== ''")
    assert page.violations() == []
    themed.keys(Qt.Key.Key_Question, saved=False)
    themed.until("document.getElementById('sheet').open")
    assert page.violations() == []


def test_the_review_has_no_violation(qtbot, themed, content):
    themed.run("document.getElementById('missing').click()")
    for _ in content.items:
        themed.keys(*[Qt.Key.Key_4] * 6, Qt.Key.Key_Return)
    themed.until("!document.getElementById('review').hidden")
    assert Page(qtbot, themed.view.page()).violations() == []


@pytest.mark.parametrize("case", [json_cases()[0], ranked_cases()[0]], ids=str)
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_participants_page_has_no_violation(qtbot, tmp_path, case, mode, language):
    from PySide6.QtWebEngineWidgets import QWebEngineView

    assert case.task.submission_checks.redaction is not None
    path = tmp_path / "kit.html"
    redaction = case.task.submission_checks.redaction
    path.write_bytes(checker_page_bytes(case.kit(tmp_path), redaction, language))
    view = QWebEngineView()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    with qtbot.waitSignal(view.loadFinished):
        view.load(QUrl.fromLocalFile(str(path)))
    page = Page(qtbot, view.page())
    if mode == "dark":
        page.run("document.getElementById('theme').click()")
    assert page.violations() == []
    name, text = json.dumps("a.json"), json.dumps("{ broken")
    page.run(f"void Page.checkFiles([new File([{text}], {name})])")
    qtbot.waitUntil(lambda: page.run("document.querySelectorAll('.file p').length") > 0)
    assert page.violations() == []
    page.run("document.getElementById('language').click()")
    assert page.run("document.documentElement.lang") == ("en" if language == "ru" else "ru")
    assert page.violations() == []
