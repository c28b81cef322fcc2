"""References page: form, background build, statistics of the result."""

from __future__ import annotations

import json
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QGridLayout

from jurydesk.app.pages.references import references_page
from jurydesk.app.pages.references.references_page import Chooser, build
from jurydesk.app.style.theme import px, theme
from jurydesk.core.system.paths import resources_folder

FOLDER = resources_folder() / "examples" / "visdial" / "building"


@pytest.fixture
def page(window):
    window.show_page("references")
    return window.page


def fill(page, tmp_path, **others):
    named = {
        "dialogs": FOLDER / "dialogs.json",
        "embeddings": FOLDER / "words.bin",
        "train": FOLDER / "training.json",
        "out": tmp_path / "sets.json",
    }
    for name, path in (named | others).items():
        page.files.lines[name].setText(str(path))


def test_missing_files_are_named_before_building(page, tmp_path):
    assert not page.start.isEnabled()
    assert (
        page.start.toolTip()
        == "<div>Files still to choose: dialogues, word vectors, output file.</div>"
    )
    fill(page, tmp_path)
    assert page.start.isEnabled()
    page.recipe.method.setCurrentIndex(3)
    assert page.start.toolTip() == "<div>Files still to choose: relevance.</div>"


def test_distances_follow_the_zoom(qtbot, window, page):
    window.resize(2400, 1500)
    qtbot.waitUntil(lambda: page.recipe.x() > page.files.x())
    theme().set_zoom(2.0)
    qtbot.waitUntil(lambda: page.recipe.x() - page.files.geometry().right() - 1 == px(16))
    assert page.files.findChild(QGridLayout).spacing() == px(8)


def test_sets_are_built_and_their_statistics_shown(qtbot, page, tmp_path):
    fill(page, tmp_path, relevance=FOLDER / "relevance.json")
    QTest.keyClick(page, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.meters.isVisible())
    out = tmp_path / "sets.json"
    assert page.finding == f"30 reference sets written to {out}."
    sets = json.loads(out.read_text(encoding="utf-8"))
    assert len(sets[0]["correlations"]) == 100
    model = page.meters.table.table_model
    assert "(precision, %)" in model.columns[0].values[0]
    assert model.rowCount() == 7
    qtbot.waitUntil(lambda: page.start.isEnabled())
    assert page.use.isVisible()


def test_defects_are_listed_instead_of_statistics(qtbot, page, tmp_path):
    fill(page, tmp_path, dialogs=FOLDER / "relevance.json")
    page.build()
    qtbot.waitUntil(lambda: page.defects.isVisible())
    assert page.finding == "The files have errors."
    assert not (tmp_path / "sets.json").exists()
    qtbot.waitUntil(lambda: page.start.isEnabled())


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"embeddings": FOLDER / "training.json"}, "it is not a fastText word model"),
        ({"out": FOLDER / "absent" / "sets.json"}, "No such file or directory."),
    ],
)
def test_a_refusal_is_reported(qtbot, page, tmp_path, others, sentence):
    fill(page, tmp_path, **others)
    page.build()
    qtbot.waitUntil(lambda: sentence in page.problem.text())
    assert page.finding == "No set was built."
    qtbot.waitUntil(lambda: page.start.isEnabled())


def test_a_stopped_build_states_that_it_continues(qtbot, page, tmp_path, window, monkeypatch):
    stopped = threading.Event()

    def build_later(*arguments):
        stopped.wait()
        return build(*arguments)

    monkeypatch.setattr(references_page, "build", build_later)
    fill(page, tmp_path)
    page.build()
    window.jobs.cancel_all()
    stopped.set()
    qtbot.waitUntil(lambda: page.finding.startswith("Stopped."))
    assert not (tmp_path / "sets.json").exists()
    qtbot.waitUntil(lambda: page.start.isEnabled())
    page.build()
    qtbot.waitUntil(lambda: page.meters.isVisible())
    assert (tmp_path / "sets.json").exists()


@pytest.mark.parametrize(("answer", "text"), [("/a/b.json", "/a/b.json"), ("", "")])
def test_a_file_is_chosen_in_a_dialog(page, monkeypatch, answer, text):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *arguments: (answer, ""))
    page.findChildren(Chooser)[0].choose()
    assert page.files.lines["dialogs"].text() == text
