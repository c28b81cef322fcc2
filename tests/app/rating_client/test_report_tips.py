"""Tool tips of a report in a browser: every p value names its family, and none is shown as 0."""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from support.desks.close_systems import FAMILY, LOWEST, PRINTED, SYSTEMS, write_close_systems
from support.plug_ins.installation import plug_in

TIPS = """
JSON.stringify([...document.querySelectorAll("svg g")].map((mark) => {
  const tip = document.getElementById("tip");
  tip.textContent = "";
  mark.dispatchEvent(new PointerEvent("pointermove"));
  return tip.textContent;
}).filter(Boolean))
"""


@pytest.fixture
def toy_competition(tmp_path, monkeypatch):
    """Return the competition `toy`, as an installed plug-in."""
    monkeypatch.syspath_prepend(plug_in(tmp_path / "site", "toy", "support.toy:TASK"))
    registry.cache_clear()
    yield
    registry.cache_clear()


def test_every_p_of_a_tip_names_its_family_and_can_be_given_by_the_data(
    qtbot, toy_competition, tmp_path
):
    truth, guesses = write_close_systems(tmp_path)
    desk, path = tmp_path / "toy.jurydesk", tmp_path / "report.html"
    files = ["--truth", truth, "--guesses", *guesses, "--desk", desk, "--quiet"]
    assert main(["score", "toy", *map(str, files)]) == 0
    assert main(["board", str(desk), "--html", str(path)]) == 0
    found = [text for text in tips(qtbot, path) if re.search(r"\bp [=<]", text)]
    assert len(found) == SYSTEMS * (SYSTEMS - 1)
    for text in found:
        assert re.search(FAMILY, text), text
        (value,) = re.findall(PRINTED, text)
        assert float(value) >= LOWEST, text


def tips(qtbot, path) -> list[str]:
    """Return the tool tips of all marks of the report."""
    register_scheme()
    profile = QWebEngineProfile()
    page = QWebEnginePage(profile)
    states: list[str] = []
    found: list[str] = []
    try:
        url = QUrl.fromLocalFile(str(path))
        url.setQuery("lang=en")
        with qtbot.waitSignal(page.loadFinished, timeout=30_000):
            page.load(url)
        ready = "document.documentElement.dataset.ready ? 'ready' : ''"
        qtbot.waitUntil(lambda: page.runJavaScript(ready, states.append) or "ready" in states)
        page.runJavaScript(TIPS, found.append)
        qtbot.waitUntil(lambda: bool(found))
        return json.loads(found[0])
    finally:
        Shiboken.delete(page)
        Shiboken.delete(profile)
