"""The generic inspector shows any competition's items: texts, pictures and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel

from jurydesk.app.inspectors.generic_inspector import GenericInspector
from jurydesk.app.inspectors.inspector import InspectedItem, inspected_item
from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Passage
from support import toy


@pytest.fixture
def view(qtbot):
    made = GenericInspector()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


def texts(view):
    QApplication.processEvents()
    return [one.text() for one in view.findChildren(QLabel) if one.isVisibleTo(view)]


def test_an_item_shows_its_evidence_and_its_numbers(view):
    evaluation = toy.evaluate({"a": 1.0, "b": 2.0}, {"a": 1.25}, toy.Options(), Run())
    view.show_item(inspected_item(toy.TASK, evaluation, 0, {}))
    found = texts(view)
    assert [found[found.index(key) + 1] for key in ("wanted", "given")] == ["1.0", "1.25"]
    assert found[found.index("Closeness") + 1] == "0.7500"
    assert view.selection_text(headers=False) == "wanted\n1.0\n\ngiven\n1.25"


def test_the_next_item_replaces_the_previous_one(view):
    for text in ("first", "second"):
        view.show_item(InspectedItem("a", "s", JsonEvidence({"Text": text}), {}, {}))
    assert "second" in texts(view)
    assert "first" not in texts(view)
    assert not view.numbers.isVisible()


def test_untrusted_texts_are_shown_as_plain_text(view):
    evidence = JsonEvidence({"<b>Title</b>": "<img src=x>\u202eevil\nnext line"})
    view.show_item(InspectedItem("a", "s", evidence, {}, {}))
    assert "<img src=x>\ufffdevil\nnext line" in texts(view)


def test_long_texts_and_many_passages_are_limited(view):
    many = {str(number): "word" for number in range(1_000)}
    evidence = JsonEvidence({"long": "word " * 50_000, **many})
    view.show_item(InspectedItem("a", "s", evidence, {}, {}))
    assert max(map(len, texts(view))) <= 20_001
    assert len(texts(view)) < 500


def test_pictures_named_by_the_explanation_are_shown_from_the_folders(view, tmp_path):
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(tmp_path / "here.png"))
    passages = (Passage("Photo", "", pictures=("here", "here.png", "gone")),)
    task = replace(
        toy.TASK, presentation=replace(toy.TASK.presentation, explain_item=lambda one: passages)
    )
    view.show_item(
        InspectedItem("a", "s", JsonEvidence({}), {}, {"images": (tmp_path,)}, task=task)
    )
    view.pictures.wait()
    found = [(one.title, one.path and one.path.name) for one in view.pictures.pictures]
    assert found == [("here", "here.png"), ("here.png", "here.png"), ("gone", None)]
