from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.alignment.alignment_job import LONGEST_ALIGNED
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.inspectors.visdial.visdial_inspector import (
    DialogInspector,
    frequency_sentence,
    set_sentence,
)
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.tasks.visdial.visdial_evidence import AnswerEvidence, DialogEvidence
from support.windows.alignments import alignment

EVIDENCE = DialogEvidence(
    image=7,
    round=3,
    question="what colour is the kite",
    truth="it is red",
    references=("it is red", "red", "dark red"),
    chosen=(1, 0, 1, 0, 1, 0),
    answers=(
        AnswerEvidence(
            "a red kite", "a red kite", {"cider_1": (0.2, 0.5, 0.0), "meteor": (0.3, 0.2, 0.4)}
        ),
        AnswerEvidence(
            "yes, it isn't", "yes, it is n't", {"cider_1": (0, 0, 0), "meteor": (0.2, 0, 0.1)}
        ),
        AnswerEvidence("", "", {}),
    ),
    correlations=(1.0, 0.5, 0.9, 0.1, 0.8, -0.2),
    threshold=0.7,
    sets=12,
    frequencies={"a": 12, "red": 3, "kite": 0},
)


def item(evidence: object = EVIDENCE) -> InspectedItem:
    return InspectedItem("7-3", "careful", evidence, {}, {})


@pytest.fixture
def view(qtbot: QtBot) -> DialogInspector:
    made = INSPECTORS.make("visdial")
    assert isinstance(made, DialogInspector)
    qtbot.addWidget(made)
    made.resize(1600, 800)
    return made


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> Alignment:
    """Replace METEOR by this alignment."""
    answer = alignment()
    monkeypatch.setattr(DialogEvidence, "align", lambda *arguments: answer)
    return answer


def cells(table) -> list[list[str]]:
    model = table.table_model
    return [[column.text(row) for column in model.columns] for row in range(model.rowCount())]


def test_a_question_is_shown_with_its_answers_and_the_set(view, aligned, qtbot) -> None:
    view.show_item(item())
    assert view.question.text() == "what colour is the kite"
    assert view.truth.text() == "True answer: it is red"
    assert cells(view.answers) == [
        ["1", "a red kite", "a red kite", "0.2333", "0.4000"],
        ["2", "yes, it isn't", "yes, it is n't", "0.0000", "0.2000"],
        ["3", "", "", "–", "–"],
    ]
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


def test_references_are_listed_with_the_best_one_first(view, aligned, qtbot) -> None:
    view.show_item(item())
    assert cells(view.references) == [
        ["dark red", "5", "0.8000", "0.0000", "0.4000"],
        ["it is red", "1", "1.0000", "0.2000", "0.3000"],
        ["red", "3", "0.9000", "0.5000", "0.2000"],
    ]
    assert view.pair == (0, 2)
    columns = view.references.table_model.columns
    assert [columns[0].paint(row) for row in range(3)] == ["", "good", ""]
    assert [columns[-1].paint(row) for row in range(3)] == ["good", "", ""]
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


@pytest.mark.parametrize(
    ("keys", "pair"),
    [
        ([Qt.Key.Key_Down], (0, 0)),
        ([Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_Up], (0, 0)),
        ([Qt.Key.Key_Right], (1, 0)),
        ([Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_P], (0, 2)),
    ],
)
def test_keys_choose_answer_and_reference(view, aligned, qtbot, keys, pair) -> None:
    view.show_item(item())
    for key in keys:
        QTest.keyClick(view, key)
    assert view.pair == pair
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


def test_an_empty_answer_is_reported(view, aligned) -> None:
    view.show_item(item())
    view.show_pair(2, 1)
    assert view.sum._note.text() == "The answer is empty."
    assert view.frequencies.text() == ("N = 12 reference sets; the answer is empty.")


def test_a_cider_of_0_is_explained_below_the_references(view, aligned, qtbot) -> None:
    view.show_item(item())
    assert view.explanation.text().startswith("CIDEr is 0: of the words in common, “red”")
    view.show_pair(0, 1)
    assert view.explanation.text() == ""
    assert view.explanation.isHidden()
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


def test_without_language_data_the_texts_are_shown_with_a_note(view, qtbot, monkeypatch) -> None:
    def missing(*arguments: object) -> Alignment:
        raise ResourceMissing("METEOR's language data are not installed: pip install it.")

    monkeypatch.setattr(DialogEvidence, "align", missing)
    view.show_item(item())
    qtbot.waitUntil(lambda: "pip install" in view.sum._note.text())
    assert view.sum.title.text() == "METEOR 0.4000"
    assert view.alignment.picture.hypothesis.words == ("a", "red", "kite")


def test_strange_and_very_long_answers_are_shown(view) -> None:
    long = "word " * (LONGEST_ALIGNED + 1)
    strange = AnswerEvidence(
        "<b>\x00\u202eשלום", long, {"meteor": (0.1, 0.1, 0.1), "cider_1": (0, 0, 0)}
    )
    view.show_item(item(replace(EVIDENCE, answers=(strange,), question="<i>x</i>\x07" * 1000)))
    assert "too long" in view.sum._note.text()
    assert not view.grab().toImage().isNull()


def test_a_set_without_correlations_is_shown(view, aligned, qtbot) -> None:
    bare = replace(EVIDENCE, chosen=None, correlations=None, question="", truth="")
    view.show_item(item(bare))
    assert view.question.text() == "Image 7, round 3"
    assert view.truth.isHidden()
    assert len(view.references.table_model.columns) == 3
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


def test_references_have_the_rank_that_the_system_gave_them(view, aligned) -> None:
    view.show_item(item(replace(EVIDENCE, ranks=(1, 40, 7))))
    columns = {one.name: one for one in view.references.table_model.columns}
    shown = {columns["text"].text(row): columns["rank"].text(row) for row in range(3)}
    assert shown == {"it is red": "1", "red": "40", "dark red": "7"}


def test_a_question_without_references_is_shown(view) -> None:
    answer = AnswerEvidence("red", "red", {})
    view.show_item(item(replace(EVIDENCE, references=(), chosen=None, answers=(answer,))))
    assert view.sum._note.text() == "There is no reference."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "3 references of 6 candidates: included from a correlation of 0.7000; "
         "the best excluded one has 0.5000."),
        ({"threshold": None}, "3 references of 6 candidates; the file does not state their "
         "correlations."),
        ({"chosen": None}, "3 references; the file does not state which candidates they are."),
    ],
)  # fmt: skip
def test_the_origin_of_the_set_is_stated(changes, sentence) -> None:
    assert set_sentence(replace(EVIDENCE, **changes)) == sentence


def test_document_frequencies_are_stated_with_the_number_of_sets() -> None:
    sentence = "N = 12 reference sets; with the word: a 12, red 3, kite 0."
    assert frequency_sentence(EVIDENCE, 0) == sentence


def test_less_important_numbers_are_hidden_first(view, aligned, qtbot) -> None:
    measures = {f"cider_{n}": (0.1, 0.1, 0.1) for n in range(1, 5)} | {"meteor": (0.1, 0.2, 0.3)}
    full = replace(EVIDENCE, answers=(AnswerEvidence("a", "a", measures),))
    view.resize(900, 800)
    view.show()
    view.show_item(item(full))
    names = [column.name for column in view.references.table_model.columns]
    hidden = {n for i, n in enumerate(names) if view.references.isColumnHidden(i)}
    assert hidden == {"candidate", "cider_2", "cider_3", "cider_4"}
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)


def test_the_answer_is_copied_and_the_alignment_exported(view, aligned, qtbot, tmp_path: Path):
    assert view.exports() == ()
    view.show_item(item())
    qtbot.waitUntil(lambda: view.alignment.alignment is aligned)
    assert view.selection_text(headers=False) == "a red kite"
    for export in view.exports():
        path = tmp_path / export.pattern.replace("*", "alignment")
        export.write(path)
        assert path.stat().st_size > 1000


def test_evidence_of_another_competition_is_a_type_error(view) -> None:
    with pytest.raises(TypeError, match="evidence of a dialog"):
        view.show_item(item(evidence="text"))
