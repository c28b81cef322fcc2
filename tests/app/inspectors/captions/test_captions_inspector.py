"""Inspector of an image: picture, metrics, n-grams of CIDEr, and shared words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLayout
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.captions.captions_inspector import (
    CaptionInspector,
    SharedNgram,
    occurrences,
    shared_spans,
)
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.pages.items.items_view import ItemsView
from jurydesk.app.style.theme import theme
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.meteor import LanguageDataMissing, align
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.captions.captions_metrics import METRICS
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.captions.captions_task import TASK


@pytest.fixture(scope="module")
def items():
    folder = example_folder(TASK)
    options, run = CaptionOptions(), Run(jobs=1)
    inputs = {"references": [folder / "annotations.json"]}
    references = TASK.readers.read_references(inputs, options, run).data
    submission = TASK.readers.read_submission(
        folder / "describer.json", references, options, run
    ).data
    return TASK.scoring.evaluate(references, submission, options, run).items


def item(items, row: int, folder: Path | None = None) -> InspectedItem:
    values = {name: float(column[row]) for name, column in items.columns.items()}
    folders = {} if folder is None else {"photos": [folder]}
    return InspectedItem(
        items.ids[row],
        "describer",
        items.show(row),
        values,
        folders,
        task=TASK,
        columns=items.columns,
    )


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> CaptionInspector:
    theme().install(qapp, "light")
    made = INSPECTORS.make("captions")
    assert isinstance(made, CaptionInspector)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    return made


def test_longer_shared_n_grams_come_first_and_do_not_overlap():
    own = ["a", "brown", "dog", "runs", "after", "a", "ball"]
    others = [["the", "brown", "dog", "runs"], ["after", "a", "ball"]]
    assert shared_spans(own, others) == (SharedNgram(1, 3), SharedNgram(4, 3))


def test_repetitions_beyond_those_of_a_reference_are_not_shared():
    assert shared_spans(["dog", "dog", "dog"], [["a", "dog"]]) == (SharedNgram(0, 1),)


def test_one_length_alone_can_be_marked():
    own = ["a", "brown", "dog", "runs"]
    assert shared_spans(own, [own], 2) == (SharedNgram(0, 2), SharedNgram(2, 2))
    assert shared_spans(own, [own], 3) == (SharedNgram(0, 3),)


def test_every_place_of_an_n_gram_is_found():
    assert occurrences(["a", "dog", "and", "a", "dog"], "a dog") == (
        SharedNgram(0, 2),
        SharedNgram(3, 2),
    )
    assert occurrences(["a"], "") == ()


def test_the_caption_is_above_its_references_with_their_roles(view, items):
    view.show_item(item(items, 0))
    titles = [row.title for row in view.texts.rows]
    assert titles == ["Caption", *(f"Reference {number}" for number in range(1, 6))]
    evidence = items.show(0)
    assert "best METEOR" in view.texts.rows[1 + evidence.meteor].remark
    assert "length of BLEU" in view.texts.rows[1 + evidence.bleu].remark
    assert view.texts.rows[0].words == tuple(evidence.words.split())
    assert view.texts.rows[0].spans


def test_the_mean_of_all_images_is_beside_each_metric(view, items):
    view.show_item(item(items, 0))
    name, value, mean, _ = view.metrics.table_model.columns
    cider = name.values.index("CIDEr")
    assert value.values[cider] == items.columns["cider"][0]
    assert mean.values[cider] == pytest.approx(items.columns["cider"].mean(), abs=1e-12)
    assert mean.values[cider] != value.values[cider]


def test_images_without_a_score_are_excluded_from_the_mean(view, items):
    one = item(items, 0)
    cider = items.columns["cider"].copy()
    cider[1:] = np.nan
    columns = {**items.columns, "cider": cider}
    view.show_item(replace(one, columns=columns))
    name, _, mean, _ = view.metrics.table_model.columns
    assert mean.values[name.values.index("CIDEr")] == cider[0]
    view.show_item(replace(one, columns={}))
    assert np.isnan(view.metrics.table_model.columns[2].values).all()


def test_the_caption_is_visible_without_scrolling_at_every_width(view, items, qtbot):
    # As inside a window, where the layout sets no lower bound.
    view.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    view.show_item(item(items, 0, example_folder(TASK) / "photos"))
    view.show()
    for width in (1000, 600, 400, 1000):
        view.resize(width, 600)
        qtbot.wait(20)
        assert view.width() == width >= view.minimumSizeHint().width()
        caption, picture, numbers = (
            part.mapTo(view, QPoint(0, 0)) for part in (view.texts, view.pictures, view.metrics)
        )
        assert 0 < caption.y() < 500
        assert (numbers.y() < caption.y()) == (width == 1000)
        assert (picture.y() < caption.y()) == (width > 400)


def test_the_strongest_n_grams_are_listed_and_tint_the_texts(view, items):
    view.show_item(item(items, 0))
    assert view.terms.table_model.rowCount() > 1
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.texts.chosen == items.show(0).top_ngrams()[0].text
    view.show_item(item(items, 1))
    assert view.texts.chosen == ""


def choose_metric(view, title: str) -> None:
    """Click the row of a metric."""
    row = view.metrics.table_model.columns[0].values.index(title)
    place = view.metrics.visualRect(view.metrics.table_model.index(row, 0)).center()
    QTest.mouseClick(view.metrics.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_clicked_metric_shows_its_terms(view, items):
    view.show_item(item(items, 0))
    view.show()
    made = {}
    for title in ("BLEU-2", "METEOR", "ROUGE-L", "CIDEr"):
        choose_metric(view, title)
        name, _, value = view.terms.table_model.columns
        made[title] = dict(zip(name.values, value.values.tolist(), strict=True))
    values = {name: column[0] for name, column in items.columns.items()}
    bleu = made["BLEU-2"]
    product = bleu["1-grams"] * bleu["2-grams"]
    assert product**0.5 * bleu["Length"] == pytest.approx(values["bleu_2"], abs=1e-12)
    evidence = items.show(0)
    alignment = align(evidence.words, evidence.references[evidence.meteor].words, "coco")
    assert alignment.score == values["meteor"]
    assert made["METEOR"]["Precision"] == alignment.precision
    assert made["METEOR"]["Penalty"] == alignment.penalty
    p, r = made["ROUGE-L"]["Precision"], made["ROUGE-L"]["Recall"]
    assert 2.44 * p * r / (r + 1.44 * p) == pytest.approx(values["rouge_l"], abs=1e-12)
    assert sum(made["CIDEr"].values()) <= values["cider"] + 1e-12
    title = f"Terms of CIDEr {values['cider']:.3f}"
    assert title in [label.text() for label in view.findChildren(QLabel)]


def test_m_goes_through_the_metrics_and_a_term_tints_its_words(view, items):
    view.show_item(item(items, 0))
    seen = []
    for _ in view.metrics.table_model.columns[0].values:
        QTest.keyClick(view, Qt.Key.Key_M)
        seen.append(view.chosen_metric)
    assert sorted(seen) == sorted({"meteor", "rouge_l", "cider", *(f"bleu_{n}" for n in "1234")})
    while view.chosen_metric != "rouge_l":
        QTest.keyClick(view, Qt.Key.Key_M)
    QTest.keyClick(view, Qt.Key.Key_Down)
    own = view.texts.rows[0]
    there = view.texts.rows[1 + items.show(0).rouge_precision]
    tinted = [
        [text.words[span.start] for span in view.texts.highlighted_spans(text)]
        for text in (own, there)
    ]
    assert tinted[0]
    assert tinted[0] == tinted[1]


def test_the_deciding_reference_is_beside_every_metric(view, items):
    view.show_item(item(items, 0))
    *_, decided = view.metrics.table_model.columns
    assert all(text[0].isdigit() for text in decided.values)
    evidence = items.show(0)
    strongest = max(evidence.references, key=lambda one: one.cider)
    assert evidence.references[evidence.cider] is strongest
    assert f"{evidence.cider + 1} (most)" in decided.values


def test_other_systems_captions_are_below_with_their_scores(view, items):
    view.show_item(item(items, 0))
    others = {f"system {n}": item(items, n) for n in range(1, 4)}
    view.show_others(others)
    rows = view.texts.rows
    assert [row.title for row in rows[:2]] == ["Caption", "Reference 1"]
    assert [row.title for row in rows[-3:]] == [*others]
    assert f"CIDEr {items.columns['cider'][2]:.3f}" in rows[-2].remark
    assert rows[-2].words == tuple(items.show(2).words.split())


def test_the_items_page_reads_the_other_systems(qtbot, qapp, items):
    theme().install(qapp, "light")
    page = ItemsView()
    qtbot.addWidget(page)
    page.resize(1200, 800)
    fewer = replace(items, ids=tuple(f"other {name}" for name in items.ids))
    systems = {
        name: Evaluation("captions", name, "published", (), found)
        for name, found in (("one", items), ("two", items), ("three", items), ("four", fewer))
    }
    loads = {name: partial(systems.get, name) for name in systems}
    nouns = ("image", "images")
    page.show_evaluation(systems["one"], METRICS, nouns, TASK, {}, systems=loads)
    page.show()
    page.show_item("")

    def titles() -> list[str]:
        inspector = page.item.inspector
        return [row.title for row in inspector.texts.rows] if inspector else []

    # The fourth one has no caption of this image.
    qtbot.waitUntil(lambda: titles()[-2:] == ["two", "three"])
    page.step(1)
    qtbot.waitUntil(lambda: page.item.inspector.evidence.image == items.ids[1])
    assert titles()[-2:] == ["two", "three"]


def test_without_meteors_language_data_it_has_no_terms(view, items, monkeypatch):
    def missing(*given):
        raise LanguageDataMissing("none")

    monkeypatch.setattr("jurydesk.core.tasks.captions.captions_terms.align", missing)
    view.show_item(item(items, 0))
    while view.chosen_metric != "meteor":
        QTest.keyClick(view, Qt.Key.Key_M)
    assert view.terms.table_model.rowCount() == 0


def test_keys_mark_n_grams_of_one_length(view, items):
    view.show_item(item(items, 0))
    QTest.keyClick(view, Qt.Key.Key_2)
    assert {span.words for row in view.texts.rows for span in row.spans} == {2}
    QTest.keyClick(view, Qt.Key.Key_0)
    assert max(span.words for span in view.texts.rows[0].spans) > 2


def test_the_picture_is_found_in_its_folder(view, items):
    folder = example_folder(TASK) / "photos"
    view.show_item(item(items, 2, folder))
    view.pictures.wait()
    assert view.pictures.pictures[0].path == folder / items.show(2).file_name
    view.show_item(item(items, 2))
    assert view.pictures.pictures[0].path is None


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_inspector_is_painted_narrow_and_wide(view, items, qapp, mode):
    theme().install(qapp, mode)
    view.show_item(item(items, 3))
    view.show()
    for width in (320, 1200):
        view.resize(width, 600)
        assert not view.grab().isNull()


def test_other_evidence_is_refused(view, items):
    other = item(items, 0)
    with pytest.raises(TypeError, match="evidence of a caption"):
        view.show_item(InspectedItem(other.id, other.system, object(), other.values, {}))


def test_the_caption_is_copied_and_exported(view, items):
    view.show_item(item(items, 0))
    assert view.selection_text(headers=False) == items.show(0).text
    assert view.exports()
