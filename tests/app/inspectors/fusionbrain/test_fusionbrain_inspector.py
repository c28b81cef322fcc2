"""Inspector of one FusionBrain answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.fusionbrain.fusionbrain_inspector import AnswerInspector
from jurydesk.app.inspectors.inspector import InspectedItem, inspected_item
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemEvidence, ItemPicture
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.language import shown_in


@pytest.fixture(scope="module")
def hasty() -> Evaluation:
    folder = example_folder(TASK)
    inputs = example_inputs(TASK, folder)
    options = replace(example_options(TASK, folder), weights=())
    evaluations = score_submissions(
        TASK, files_by_role(inputs), options, Run(), resamples=0
    ).evaluations
    return next(one for one in evaluations if one.system == "hasty")


@pytest.fixture
def view(qtbot: QtBot) -> AnswerInspector:
    view = INSPECTORS.make("fusionbrain")
    assert isinstance(view, AnswerInspector)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    return view


def show(view: AnswerInspector, evaluation: Evaluation, name: str) -> ItemEvidence:
    item = inspected_item(None, evaluation, evaluation.items.ids.index(name), {})
    assert item is not None
    view.show_item(item)
    assert isinstance(item.evidence, ItemEvidence)
    return item.evidence


def test_a_question_is_shown_with_the_compared_forms(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    show(view, hasty, "textqa/0")
    assert view.question.text() == "Маяк в посёлке зажигают в сумерках. Когда зажигают маяк?"
    assert view.prediction.text() == "его зажигают вечером cразу"
    assert view.form.text() == "compared as: c"
    assert "its first letter of a to e, “c”" in view.rules.text()
    assert not view.edits.isVisible()
    assert not view.alignment.isVisible()


def test_rules_and_titles_of_pictures_are_in_the_language_of_the_window(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    with shown_in("ru"):
        show(view, hasty, "textqa/0")
        assert "вместо него оценена его первая буква от a до e, «c»" in view.rules.text()
        show(view, hasty, "text_recognition/22")
        assert view.pictures.accessibleDescription() == "Изображение: найдено"


def test_accepted_answers_are_in_a_table_with_their_scores(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    show(view, hasty, "textqa/2")
    view.accepted.selectAll()
    assert view.accepted.selection_text(headers=True) == (
        "Accepted\tScore\na\t0.0\nрыбак\t0.0\na рыбак\t0.0"
    )


def test_a_recognised_text_is_shown_with_its_edits_and_picture(
    qtbot: QtBot, view: AnswerInspector, hasty: Evaluation
) -> None:
    evidence = show(view, hasty, "text_recognition/22")
    assert view.edits.isVisible()
    assert view.edits.accessibleDescription() == "1 edit: “О” is missing."
    path = Path(evidence.pictures[0].found)
    qtbot.waitUntil(lambda: view.pictures.image(path) is not None)
    assert [export.title for export in view.exports()] == ["Edits as PNG", "Edits as SVG"]


def test_an_answer_about_a_picture_is_shown_with_the_stages_of_meteor(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    evidence = show(view, hasty, "vqa/18")
    assert view.alignment.isVisible()
    assert view.alignment.accessibleDescription() == "1 of 1 word matched in 1 chunk: 1 synonym."
    assert view.sum.value_texts()[-1] == f"{evidence.score:.4f}"


def test_numbers_are_shown_without_an_alignment(view: AnswerInspector, hasty: Evaluation) -> None:
    show(view, hasty, "vqa/16")
    assert not view.alignment.isVisible()
    assert view.rules.text() == (
        "The accepted answer is the number 1: the score is its ratio to 2, at most 1."
    )


def test_a_generated_picture_is_beside_the_real_one(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    show(view, hasty, "generation/9")
    assert [one.title for one in view.pictures.pictures] == ["Generated", "Real"]
    assert all(one.path is not None for one in view.pictures.pictures)
    assert view.prediction.text() == "серая кошка на столе"


def test_arrows_select_accepted_answers(view: AnswerInspector, hasty: Evaluation) -> None:
    show(view, hasty, "textqa/1")
    view.accepted.set_current_row(0)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.accepted.current_row == 1
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.accepted.current_row == 0


def test_pictures_that_moved_are_found_in_the_folder_of_their_role(
    view: AnswerInspector, hasty: Evaluation, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.png").write_bytes(b"")
    evidence = ItemEvidence(
        "vqa", "1", "", "да", "", (), -1, 0.0, (),
        (ItemPicture("Picture", "images", "a/b.png", "/gone"),
         ItemPicture("Picture", "images", "../b.png", "")),
    )  # fmt: skip
    view.show_item(InspectedItem("vqa/1", "s", evidence, {}, {"images": (tmp_path,)}))
    assert [one.path for one in view.pictures.pictures] == [tmp_path / "a" / "b.png", None]


def test_invisible_characters_of_untrusted_text_are_shown(view: AnswerInspector) -> None:
    evidence = ItemEvidence("textqa", "1", "a\u202eb\nc", "x\x00y", "", (), -1, None, ("why",))
    view.show_item(InspectedItem("textqa/1", "s", evidence, {}, {}))
    assert view.question.text() == "a\ufffdb\nc"
    assert view.prediction.text() == "x␀y"


def test_other_evidence_is_refused(view: AnswerInspector) -> None:
    with pytest.raises(TypeError, match="expected the evidence of an answer"):
        view.show_item(InspectedItem("x", "s", None, {}, {}))


def test_a_generated_picture_is_shown_with_the_captions_nearest_to_it(
    view: AnswerInspector, hasty: Evaluation
) -> None:
    plain = hasty.items.show(hasty.items.ids.index("generation/9"))
    assert isinstance(plain, ItemEvidence)
    near = (("белая лодка в море", 0.5), ("серая кошка на столе", 0.25))
    evidence = replace(plain, nearest=near, rank=2, among=4)
    view.show_item(InspectedItem("generation/9", "hasty", evidence, {}, {}))
    assert view.nearest.isVisible()
    view.nearest.selectAll()
    assert view.nearest.selection_text(headers=False) == (
        "белая лодка в море\t0.5\nсерая кошка на столе\t0.25"
    )
    sentences = [label.text() for label in view.findChildren(QLabel)]
    assert "Of 4 captions, the picture's own has rank 2." in sentences
    assert [one.title for one in view.pictures.pictures] == ["Generated", "Real"]
    show(view, hasty, "generation/9")
    assert not view.nearest.isVisible()


def test_the_recorded_place_of_a_picture_counts_only_beside_the_inputs(
    view: AnswerInspector, hasty: Evaluation, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.png"
    secret.touch()
    plain = hasty.items.show(hasty.items.ids.index("vqa/18"))
    pictures = (ItemPicture("Picture", "images", "secret.png", str(secret)),)
    evidence = replace(plain, pictures=pictures)
    for beside, found in (((), None), ((tmp_path / "other",), None), ((tmp_path,), secret)):
        view.show_item(InspectedItem("vqa/18", "hasty", evidence, {}, {}, beside=beside))
        assert [one.path for one in view.pictures.pictures] == [found]
